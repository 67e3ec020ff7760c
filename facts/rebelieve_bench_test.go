package facts_test

import (
	"testing"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// growing are lanes to which one claim of an object is added, which begins after a part of the others.
var growing = []struct {
	name   string
	place  func(i, n int) graph.Placement // the i-th of n placements, which begins on day 2i
	object func(n int) graph.EntityID
	after  float64
}{
	{"append", superseded, theObject("B"), 1},
	{"in the middle", superseded, theObject("B"), 0.5},
	{"at the front", superseded, theObject("B"), 0},
	{"corroborate one of many", superseded, func(n int) graph.EntityID { return objectNo(n / 2) }, 0.5},
	{"corroborate the only one", corroborated, theObject("A"), 1},
	{"corroborate the only one in the middle", corroborated, theObject("A"), 0.5},
	{"two in turn, append", toggled, theObject(objectNo(0)), 1},
	{"two in turn, in the middle", toggled, theObject(objectNo(1)), 0.5},
	{"retracted in between, append", retracted, theObject("B"), 1},
	{"retracted in between, in the middle", retracted, theObject("B"), 0.5},
	{"trials, append", trials, theObject("B"), 1},
	{"undated, append", undatedAmong, theObject(objectNo(0)), 1},
	{"undated, in the middle", undatedAmong, theObject(objectNo(0)), 0.5},
	{"ended, append", ended, theObject("B"), 1},
	{"supersede what was corroborated", corroborated, theObject("B"), 1},
}

func theObject(e graph.EntityID) func(int) graph.EntityID {
	return func(int) graph.EntityID { return e }
}

func superseded(i, _ int) graph.Placement {
	return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(2 * i)}}
}

func corroborated(i, _ int) graph.Placement {
	return graph.Placement{Object: "A", Valid: temporal.Period{From: dayAt(2 * i)}}
}

func toggled(i, _ int) graph.Placement {
	return graph.Placement{Object: objectNo(i % 2), Valid: temporal.Period{From: dayAt(2 * i)}, HoldsAt: dayAt(2*i + 1)}
}

func retracted(i, _ int) graph.Placement {
	p := graph.Placement{Object: objectNo(i / 2 % 5), Valid: temporal.Period{From: dayAt(2 * i)}}
	if i%2 == 1 {
		p.Kind = graph.Retract
	}
	return p
}

func trials(i, _ int) graph.Placement {
	p := graph.Placement{Object: objectNo(i % 50), Valid: temporal.Period{From: dayAt(2 * i)}}
	if i > 0 {
		p.Valid.To = dayAt(2*i + 1)
	}
	return p
}

// undatedAmong has two objects in turn, and one claim of each in a hundred says nothing of its begin.
func undatedAmong(i, n int) graph.Placement {
	p := toggled(i, n)
	if i%100 < 2 {
		p.Valid.From, p.HoldsAt = 0, 0
	}
	return p
}

// ended has claims which are later said to have ended when the next began.
func ended(i, _ int) graph.Placement {
	if i%2 == 0 {
		return graph.Placement{Object: objectNo(i), Valid: temporal.Period{From: dayAt(2 * i)}}
	}
	return graph.Placement{Object: objectNo(i - 1), Valid: temporal.Period{From: dayAt(2 * i), To: dayAt(2*i + 2)}}
}

// grown returns the windows of n placements, those and the one that is added, and that one.
func grown(place func(i, n int) graph.Placement, n int, object graph.EntityID, after float64) (windows []facts.Window, placed []graph.Placement, c graph.Placement) {
	placed = laneOf(place, n)
	windows = facts.Believe(placed)
	c = graph.Placement{ID: "new", Claim: "new", Fact: "new", Rec: graph.Pos{Tx: dayAt(2 * n)}, Kind: graph.Assert, Trust: graph.Stated,
		Object: object, Valid: temporal.Period{From: dayAt(1 + 2*int(after*float64(n)))}}
	return windows, append(placed, c), c
}

// BenchmarkRebelieve adds one claim to a lane of 10,000.
func BenchmarkRebelieve(b *testing.B) {
	const n = 10_000
	for _, tt := range growing {
		b.Run(tt.name, func(b *testing.B) {
			windows, placed, c := grown(tt.place, n, tt.object(n), tt.after)
			changed := []graph.Placement{c}
			b.ReportAllocs()
			for b.Loop() {
				facts.Rebelieve(windows, placed, changed)
			}
		})
	}
}
