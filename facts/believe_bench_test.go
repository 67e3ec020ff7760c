package facts_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// shapes are lanes of n placements, each of which is slow for one careless way to sweep.
var shapes = []struct {
	name  string
	place func(i, n int) graph.Placement // the i-th of n placements
}{
	{"supersede", func(i, n int) graph.Placement {
		return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(i)}}
	}},
	{"corroborate", func(i, n int) graph.Placement {
		return graph.Placement{Object: "A", Valid: temporal.Period{From: dayAt(i)}}
	}},
	{"corroborate unknown begins", func(i, n int) graph.Placement {
		if i%2 == 0 {
			return graph.Placement{Object: "A", Valid: temporal.Period{To: dayAt(i)}}
		}
		return graph.Placement{Object: "A", Valid: temporal.Period{From: dayAt(i)}}
	}},
	{"corroborate stated ends", func(i, n int) graph.Placement {
		if i%2 == 0 {
			return graph.Placement{Object: "A", Valid: temporal.Period{From: dayAt(i), To: dayAt(n + i)}}
		}
		return graph.Placement{Object: "A", Valid: temporal.Period{From: dayAt(i)}}
	}},
	{"holds at", func(i, n int) graph.Placement {
		return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(i)}, HoldsAt: dayAt(2*n - i)}
	}},
	{"two objects hold at", func(i, n int) graph.Placement {
		return graph.Placement{Object: objectNo(i % 2), Valid: temporal.Period{From: dayAt(i)}, HoldsAt: dayAt(n + i)}
	}},
	{"nested trials", func(i, n int) graph.Placement {
		return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(i), To: dayAt(2*n - i)}}
	}},
	{"nested trials of two objects", func(i, n int) graph.Placement {
		return graph.Placement{Object: objectNo(i % 2), Valid: temporal.Period{From: dayAt(i), To: dayAt(2*n - i)}}
	}},
	{"retractions", func(i, n int) graph.Placement {
		if i < n/2 {
			return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(i)}}
		}
		return graph.Placement{Kind: graph.Retract, Object: objectNo(i - n/2), Valid: temporal.Period{From: dayAt(i)}}
	}},
	{"retractions of others above the head", func(i, n int) graph.Placement {
		if i%2 == 0 {
			return graph.Placement{Object: "A", Valid: temporal.Period{From: dayAt(i)}}
		}
		return graph.Placement{Kind: graph.Retract, Object: "B", Valid: temporal.Period{From: dayAt(2 * n), To: dayAt(3*n + i)}}
	}},
	{"over", func(i, n int) graph.Placement {
		if i%2 == 0 {
			return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(i)}}
		}
		return graph.Placement{Object: objectNo(i - 1), Valid: temporal.Period{From: dayAt(i), To: dayAt(i + n)}}
	}},
	{"never", func(i, n int) graph.Placement {
		if i%2 == 0 {
			return graph.Placement{Object: objectNo(i % 100), Valid: temporal.Period{From: dayAt(i)}}
		}
		return graph.Placement{Kind: graph.Never, Object: objectNo(i % 100)}
	}},
	{"resumed", func(i, n int) graph.Placement { // 10 supports for each of n windows
		if i < 10 {
			return graph.Placement{Object: "A", Valid: temporal.Period{From: dayAt(0)}}
		}
		return graph.Placement{Object: "B", Valid: temporal.Period{From: dayAt(2 * i), To: dayAt(2*i + 1)}}
	}},
}

func objectNo(i int) graph.EntityID { return graph.EntityID(fmt.Sprint("entity ", i)) }

func dayAt(i int) temporal.Instant { return temporal.Instant(400+i) * 24 * 60 * 60 * 1_000_000 }

// laneOf makes a lane of n placements of a shape, in no order.
func laneOf(place func(i, n int) graph.Placement, n int) []graph.Placement {
	placed := make([]graph.Placement, n)
	for i := range placed {
		p := place(i, n)
		p.Claim = graph.ClaimID(fmt.Sprintf("claim %07d", i))
		p.Fact, p.ID = p.Claim, graph.PlacementID(p.Claim)
		p.Rec = graph.Pos{Tx: dayAt(i)}
		p.Trust = graph.Stated
		if p.Kind == "" {
			p.Kind = graph.Assert
		}
		placed[i] = p
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { placed[i], placed[j] = placed[j], placed[i] })
	return placed
}

func BenchmarkBelieve(b *testing.B) {
	for _, shape := range shapes {
		for _, n := range []int{10, 10_000} {
			placed := laneOf(shape.place, n)
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					facts.Believe(placed)
				}
			})
		}
	}
}

// BenchmarkDisputed reads a lane in which every other claim is inferred.
func BenchmarkDisputed(b *testing.B) {
	placed := laneOf(func(i, n int) graph.Placement {
		return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(i)}}
	}, 10_000)
	for i := range placed {
		if placed[i].Rec.Tx/dayAt(-399)%2 == 0 {
			placed[i].Trust = graph.Inferred
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		facts.Disputed(placed)
	}
}
