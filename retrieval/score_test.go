package retrieval_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenure/graph"
	"tenure/retrieval"
	"tenure/temporal"
)

var weights = graph.Weights{Similarity: 0.6, Recency: 0.25, Importance: 0.15, HalfLifeDays: 30}

const day = temporal.Instant(24 * 60 * 60 * 1_000_000)

func TestScoreGoldens(t *testing.T) {
	for _, c := range []struct {
		similarity float64
		days       temporal.Instant
		importance float64
		want       float64
	}{
		{0.62, 90, 0.9, 0.538},
		{0.70, 45, 0.1, 0.523},
		{0.62, 220, 0.9, 0.509},
	} {
		recency := retrieval.Recency(asked, weights.HalfLifeDays, asked-c.days*day)
		got := retrieval.Score(retrieval.Signals{Similarity: c.similarity, Recency: recency, Importance: c.importance}, weights)
		if math.Abs(got-c.want) > 0.0005 {
			t.Errorf("score(%.2f, %d days, %.1f) = %.4f, want %.3f", c.similarity, c.days, c.importance, got, c.want)
		}
	}
}

func TestScoreTakesTheLargerOfSimilarityAndWalk(t *testing.T) {
	byWords := retrieval.Score(retrieval.Signals{Similarity: 0.5, Walk: 0.2}, weights)
	byWalk := retrieval.Score(retrieval.Signals{Similarity: 0.2, Walk: 0.5}, weights)
	if byWords != byWalk || math.Abs(byWords-0.3) > 1e-12 {
		t.Errorf("by words %v, by walk %v; want 0.3 for both", byWords, byWalk)
	}
}

func TestScoreProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	signal := func() float64 { return random.Float64() }
	for range 10_000 {
		s := retrieval.Signals{Similarity: signal(), Recency: signal(), Importance: signal(), Walk: signal()}
		score := retrieval.Score(s, weights)
		if score < 0 || score > 1 {
			t.Fatalf("score(%+v) = %v, want it in [0,1]", s, score)
		}
		better := s
		switch random.IntN(4) {
		case 0:
			better.Similarity = min(1, s.Similarity+signal())
		case 1:
			better.Recency = min(1, s.Recency+signal())
		case 2:
			better.Importance = min(1, s.Importance+signal())
		default:
			better.Walk = min(1, s.Walk+signal())
		}
		if retrieval.Score(better, weights) < score {
			t.Fatalf("%+v scores less than %+v", better, s)
		}
	}
}

func TestRecency(t *testing.T) {
	for _, c := range []struct {
		name  string
		times []temporal.Instant
		want  float64
	}{
		{"now", []temporal.Instant{asked}, 1},
		{"one half-life", []temporal.Instant{asked - 30*day}, 0.5},
		{"the latest counts", []temporal.Instant{asked - 300*day, asked - 60*day}, 0.25},
		{"what comes later is not known yet", []temporal.Instant{asked - 30*day, asked + day}, 0.5},
		{"an unknown time", []temporal.Instant{0}, 0},
		{"no time", nil, 0},
		{"only later", []temporal.Instant{asked + 1}, 0},
	} {
		if got := retrieval.Recency(asked, 30, c.times...); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
