package retrieval

import (
	"math"

	"tenure/graph"
	"tenure/temporal"
)

// defaultWeights weigh a score where neither the scope nor the call says.
var defaultWeights = graph.Weights{Similarity: 0.6, Recency: 0.25, Importance: 0.15, HalfLifeDays: 30}

const day = 24 * 60 * 60 * 1_000_000 // microseconds

// weigh returns the weights of a call: its own, else the scope's, else the default. A half-life that is not said is the default.
func weigh(call, scope *graph.Weights) (graph.Weights, error) {
	w := defaultWeights
	switch {
	case call != nil:
		w = *call
	case scope != nil:
		w = *scope
	}
	for _, part := range []struct {
		field string
		value float64
	}{
		{"weights.similarity", w.Similarity}, {"weights.recency", w.Recency},
		{"weights.importance", w.Importance}, {"weights.half_life_days", w.HalfLifeDays},
	} {
		if !(part.value >= 0 && part.value <= math.MaxFloat32) { // so that NaN is refused
			return w, graph.Invalid(part.field, "want a number that is not negative")
		}
	}
	if w.HalfLifeDays == 0 {
		w.HalfLifeDays = defaultWeights.HalfLifeDays
	}
	return w, nil
}

// Score is the weighted sum of a result's signals: the larger of similarity and walk, recency, and importance.
func Score(s Signals, w graph.Weights) float64 {
	return w.Similarity*max(s.Similarity, s.Walk) + w.Recency*s.Recency + w.Importance*s.Importance
}

// Recency is ½^(age / half-life), where the age is that of the latest of some times that is not after the moment of the
// read; a later one was not known to it. What has no such time is of unknown age and has no recency.
func Recency(at temporal.Instant, halfLifeDays float64, times ...temporal.Instant) float64 {
	var latest temporal.Instant
	for _, t := range times {
		if t <= at {
			latest = max(latest, t)
		}
	}
	if latest.IsZero() {
		return 0
	}
	return math.Exp2(-float64(at-latest) / day / halfLifeDays)
}
