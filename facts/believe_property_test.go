package facts_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// drawer draws a number from 0 to n-1; a lane is made of nothing else, so that both rapid and a fuzzer can drive it.
type drawer func(n int) int

// drawLane draws up to most claims of one lane, of up to three placements each. Times are few, so that bounds meet often.
func drawLane(draw drawer, most int) []graph.Placement {
	objects := []graph.EntityID{"A", "B", "C"}[:1+draw(3)]
	var placed []graph.Placement
	for i := range draw(most + 1) {
		claim := drawClaim(draw, objects)
		claim.Claim = graph.ClaimID(fmt.Sprintf("c%d-%02d", draw(10), i)) // not in the order of Rec
		claim.Fact = claim.Claim
		if draw(4) == 0 {
			claim.Fact = "origin"
		}
		for piece := range 1 + draw(6)/4*draw(3) {
			p := claim
			p.ID = graph.PlacementID(fmt.Sprintf("%s-%d", p.Claim, piece))
			p.Muted = draw(4) == 0
			if piece > 0 || draw(5) == 0 {
				p.Narrowed = drawPeriod(draw, 0)
			}
			if piece > 0 && draw(3) == 0 {
				p.Valid = drawPeriod(draw, draw(4))
			}
			if piece > 0 && draw(4) == 0 { // what a claim retracts beside what it asserts
				p.Kind, p.Object = graph.Retract, objects[draw(len(objects))]
			}
			placed = append(placed, p)
		}
	}
	return placed
}

func drawClaim(draw drawer, objects []graph.EntityID) graph.Placement {
	p := graph.Placement{
		Rec:    graph.Pos{Tx: temporal.Instant(1 + draw(4)), Seq: draw(3)},
		Kind:   []graph.ClaimKind{graph.Assert, graph.Assert, graph.Assert, graph.Assert, graph.Assert, graph.Retract, graph.Retract, graph.Never}[draw(8)],
		Trust:  []graph.Trust{graph.Stated, graph.Stated, graph.Reported, graph.Inferred}[draw(4)],
		Object: objects[draw(len(objects))],
		Valid:  drawPeriod(draw, draw(4)),
		Precision: graph.Bounds{
			From: []temporal.Precision{"", temporal.Day, temporal.Month, temporal.Year}[draw(4)],
			To:   []temporal.Precision{"", temporal.Day, temporal.Month, temporal.Year}[draw(4)],
		},
	}
	if draw(2) == 0 {
		p.HoldsAt = temporal.Instant(draw(16))
	}
	if p.Kind != graph.Assert && draw(4) == 0 {
		p.Object = ""
	}
	return p
}

// drawPeriod draws a period, with an unknown begin more often if shape is 0 and open if it is more than 1.
func drawPeriod(draw drawer, shape int) temporal.Period {
	from := temporal.Instant(draw(12))
	if shape == 0 && draw(2) == 0 {
		from = 0
	}
	if shape > 1 {
		return temporal.Period{From: from}
	}
	return temporal.Period{From: from, To: from + 1 + temporal.Instant(draw(8))}
}

func lanes() *rapid.Generator[[]graph.Placement] {
	return rapid.Custom(func(t *rapid.T) []graph.Placement {
		return drawLane(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }, 9)
	})
}

func TestBelieveIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		placed := lanes().Draw(t, "lane")
		if diff := cmp.Diff(modelBelieve(placed), facts.Believe(placed)); diff != "" {
			t.Fatalf("Believe differs from the model (-model +got):\n%s", diff)
		}
	})
}

func TestDisputedIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		placed := lanes().Draw(t, "lane")
		if diff := cmp.Diff(modelDisputed(placed), facts.Disputed(placed)); diff != "" {
			t.Fatalf("Disputed differs from the model (-model +got):\n%s", diff)
		}
	})
}

// TestLanesAtRandom draws lanes evenly, where rapid prefers small ones, and the same ones always.
func TestLanesAtRandom(t *testing.T) {
	for seed := range uint64(5000) {
		placed := drawLane(rand.New(rand.NewPCG(seed, 0)).IntN, 9)
		if diff := cmp.Diff(modelBelieve(placed), facts.Believe(placed)); diff != "" {
			t.Fatalf("seed %d: Believe differs from the model (-model +got):\n%s", seed, diff)
		}
		if diff := cmp.Diff(modelDisputed(placed), facts.Disputed(placed)); diff != "" {
			t.Fatalf("seed %d: Disputed differs from the model (-model +got):\n%s", seed, diff)
		}
	}
}

func TestBelieveLeavesItsInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		placed := lanes().Draw(t, "lane")
		before := slices.Clone(placed)
		want := facts.Believe(placed)
		facts.Disputed(placed)
		if diff := cmp.Diff(before, placed); diff != "" {
			t.Fatalf("the input is changed (-before +after):\n%s", diff)
		}
		shuffled := rapid.Permutation(placed).Draw(t, "shuffled")
		if diff := cmp.Diff(want, facts.Believe(shuffled)); diff != "" {
			t.Fatalf("the order of the slice matters (-want +got):\n%s", diff)
		}
	})
}

// TestTakenBackMakesNoDifference: what TakenBack reports is what Believe leaves out, with the nevers.
func TestTakenBackMakesNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		placed := lanes().Draw(t, "lane")
		kept := slices.DeleteFunc(slices.Clone(placed), func(p graph.Placement) bool {
			return p.Kind == graph.Never || facts.TakenBack(p, placed)
		})
		if diff := cmp.Diff(facts.Believe(placed), facts.Believe(kept)); diff != "" {
			t.Fatalf("(-all +kept):\n%s", diff)
		}
	})
}

func TestBelieveWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		placed := lanes().Draw(t, "lane")
		for _, windows := range [][]facts.Window{facts.Believe(placed), facts.Disputed(placed)} {
			for i, w := range windows {
				checkWindow(t, w)
				if i == 0 {
					continue
				}
				last := windows[i-1]
				if last.Valid.End() > w.Valid.From {
					t.Errorf("%v does not end before %v begins", last.Valid, w.Valid)
				}
				if last.Valid.Meets(w.Valid) && last.Object == w.Object {
					t.Errorf("%s holds over %v and %v: these are one window", w.Object, last.Valid, w.Valid)
				}
			}
		}
	})
}

// checkWindow checks what is true of any window by itself.
func checkWindow(t *rapid.T, w facts.Window) {
	if err := w.Valid.Valid(); err != nil {
		t.Errorf("%v: %v", w.Valid, err)
	}
	if len(w.Support) == 0 {
		t.Fatalf("%v has no support", w.Valid)
	}
	muted := true
	for i, p := range w.Support {
		muted = muted && p.Muted
		if p.Kind != graph.Assert || p.Object != w.Object {
			t.Errorf("%s %s supports %s", p.Kind, p.Object, w.Object)
		}
		window, known := p.Valid, true
		if p.Narrowed != (temporal.Period{}) {
			window, known = window.Intersect(p.Narrowed)
		}
		if !known || !window.Overlaps(w.Valid) {
			t.Errorf("%v is supported by %v narrowed to %v", w.Valid, p.Valid, p.Narrowed)
		}
		if i > 0 && w.Support[i-1].Rec.Compare(p.Rec) > 0 {
			t.Errorf("%s is recorded before %s", p.Claim, w.Support[i-1].Claim)
		}
		if slices.ContainsFunc(w.Support[:i], func(q graph.Placement) bool { return q.ID == p.ID }) {
			t.Errorf("%s supports twice", p.ID)
		}
	}
	if w.Muted != muted {
		t.Errorf("muted = %v, want %v", w.Muted, muted)
	}
}

// TestOrderOfArrival: where no two claims tie and nothing was taken back, what holds does not depend on which was told first.
func TestOrderOfArrival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "claims")
		begins := rapid.SliceOfNDistinct(rapid.IntRange(1, 20), n, n, rapid.ID).Draw(t, "begins")
		said := rapid.SliceOfNDistinct(rapid.IntRange(21, 40), n, n, rapid.ID).Draw(t, "said")
		placed := make([]graph.Placement, n)
		for i := range placed {
			draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
			p := graph.Placement{Claim: graph.ClaimID(fmt.Sprint(i)), Kind: graph.Assert, Rec: graph.Pos{Tx: temporal.Instant(i + 1)},
				Trust:  []graph.Trust{graph.Stated, graph.Reported, graph.Inferred}[draw(3)],
				Object: []graph.EntityID{"A", "B", "C"}[draw(3)],
				Valid:  temporal.Period{From: temporal.Instant(begins[i])}}
			if draw(2) == 0 {
				p.Valid.To = p.Valid.From + 1 + temporal.Instant(draw(8))
			}
			if i == 0 && draw(3) == 0 {
				p.Valid.From = 0 // of one at most: two would tie
			}
			if draw(6) == 0 {
				p.Kind = graph.Retract
			}
			if p.Kind == graph.Assert && p.Valid.Open() && draw(2) == 0 {
				p.HoldsAt = temporal.Instant(said[i])
			}
			placed[i] = p
		}
		want := outline(facts.Believe(placed))
		order := rapid.Permutation(placed).Draw(t, "order")
		for i := range order {
			order[i].Rec = graph.Pos{Tx: temporal.Instant(i + 1)}
		}
		if diff := cmp.Diff(want, outline(facts.Believe(order))); diff != "" {
			t.Fatalf("the order of arrival matters (-want +got):\n%s", diff)
		}
	})
}

// outline says what holds when, and nothing else.
func outline(windows []facts.Window) []string {
	var out []string
	for _, w := range windows {
		out = append(out, fmt.Sprintf("%s %d-%d", w.Object, w.Valid.From, w.Valid.To))
	}
	return out
}

func FuzzBelieve(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("two claims of one object, one of them bounded, and a retraction of it"))
	f.Add([]byte{2, 3, 1, 0, 0, 0, 1, 0, 3, 2, 0, 0, 1, 0, 0, 0, 1, 4, 2, 0, 0, 1, 1, 5, 1, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1})
	f.Add([]byte{0, 9, 3, 2, 7, 0, 0, 0, 0, 1, 1, 1, 1, 0, 5, 5, 3, 0, 2, 1, 0, 0, 0, 0, 6, 6, 6, 7, 7, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		placed := drawLane(func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := int(data[0])
			data = data[1:]
			return b % n
		}, 40)
		if diff := cmp.Diff(modelBelieve(placed), facts.Believe(placed)); diff != "" {
			t.Errorf("Believe differs from the model (-model +got):\n%s", diff)
		}
		if diff := cmp.Diff(modelDisputed(placed), facts.Disputed(placed)); diff != "" {
			t.Errorf("Disputed differs from the model (-model +got):\n%s", diff)
		}
	})
}
