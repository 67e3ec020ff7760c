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

// drawGrowth draws how a lane grows: mostly by plain claims, so that one outranks another for long, beside them by those that
// are odd in the same few ways. What is returned draws up to so many more placements.
func drawGrowth(draw drawer) func(most int) []graph.Placement {
	count := 0
	if draw(4) == 0 { // anything goes
		return func(most int) []graph.Placement {
			placed := drawLane(draw, most)
			count++
			for i := range placed {
				placed[i].ID += graph.PlacementID(fmt.Sprint(" of ", count))
				placed[i].Claim += graph.ClaimID(fmt.Sprint(" of ", count))
			}
			return placed
		}
	}
	objects, span, odd, ways := 1+draw(5), 3+draw(20), 1+draw(4), 1+draw(511)
	time := func() temporal.Instant { return temporal.Instant(1 + draw(span)) }
	return func(most int) []graph.Placement {
		placed := make([]graph.Placement, draw(most+1))
		for i := range placed {
			count++
			p := drawClaim(draw, []graph.EntityID{"A"})
			p.Claim = graph.ClaimID(fmt.Sprintf("c%d-%02d", draw(10), count))
			p.Fact, p.ID = p.Claim, graph.PlacementID(p.Claim)
			p.Kind, p.Trust, p.HoldsAt, p.Object, p.Valid = graph.Assert, graph.Stated, 0, objectNo(draw(objects)), temporal.Period{From: time()}
			if draw(odd) == 0 {
				drawOdd(&p, draw, time, ways)
			}
			placed[i] = p
		}
		return placed
	}
}

// drawOdd makes a plain claim odd, in one of nine ways; those that are not among ways leave it as it is.
func drawOdd(p *graph.Placement, draw drawer, time func() temporal.Instant, ways int) {
	way := draw(9)
	if ways>>way&1 == 0 {
		return
	}
	switch way {
	case 0:
		p.Valid.To = p.Valid.From + time()
	case 1:
		p.HoldsAt = time()
	case 2:
		p.Valid.From = 0
	case 3:
		p.Valid = temporal.Period{To: p.Valid.From}
	case 4:
		p.Narrowed = temporal.Period{From: time()}
		p.Narrowed.To = p.Narrowed.From + time()
	case 5:
		p.Kind = graph.Retract
	case 6:
		p.Kind, p.Object = graph.Retract, ""
	case 7:
		p.Kind = graph.Never
	case 8:
		p.Trust = []graph.Trust{graph.Reported, graph.Inferred}[draw(2)]
	}
	if draw(4) == 0 {
		drawOdd(p, draw, time, ways)
	}
}

type fataler interface{ Fatalf(string, ...any) }

// drawChanges draws what becomes of a lane when a few placements are added, removed or replaced.
func drawChanges(draw drawer, before []graph.Placement, grow func(int) []graph.Placement) (after, changed []graph.Placement) {
	after = slices.Clone(before)
	for k := range 1 + draw(4)/2*draw(3) {
		if len(after) == 0 || draw(2) == 0 {
			added := grow(1)
			after, changed = append(after, added...), append(changed, added...)
			continue
		}
		i := draw(len(after))
		p := after[i]
		changed = append(changed, p)
		switch draw(7) {
		case 0:
			p.Muted = !p.Muted
		case 1:
			p.HoldsAt = 0
		case 2:
			p.Valid.To = p.Valid.From + 1 + temporal.Instant(draw(8))
		case 3:
			p.Narrowed = drawPeriod(draw, draw(4))
		case 4:
			continue // said to have changed, though it did not
		default:
			after = slices.Delete(after, i, i+1)
			continue
		}
		p.ID += graph.PlacementID(fmt.Sprint("'", k))
		after[i] = p
		changed = append(changed, p)
	}
	return after, changed
}

// checkRebelieve draws a lane and changes of it, one after another.
func checkRebelieve(t fataler, draw drawer, most int) {
	grow := drawGrowth(draw)
	placed := grow(most)
	windows := facts.Believe(placed)
	for range 1 + draw(3) {
		after, changed := drawChanges(draw, placed, grow)
		windows = rebelieve(t, windows, placed, after, changed)
		placed = after
	}
}

// rebelieve returns what Believe and Rebelieve both say of a lane, and checks that the windows before are left alone.
func rebelieve(t fataler, windows []facts.Window, before, after, changed []graph.Placement) []facts.Window {
	was := cloneWindows(windows)
	got, want := facts.Rebelieve(windows, after, changed), facts.Believe(after)
	if !slices.EqualFunc(want, got, sameWindow) || (want == nil) != (got == nil) {
		t.Fatalf("Rebelieve differs from Believe (-Believe +Rebelieve):\n%s\nchanged: %+v\nbefore: %+v", cmp.Diff(want, got), changed, before)
	}
	if !slices.EqualFunc(was, windows, sameWindow) {
		t.Fatalf("the windows before are changed (-were +are):\n%s", cmp.Diff(was, windows))
	}
	return got
}

func cloneWindows(windows []facts.Window) []facts.Window {
	out := slices.Clone(windows)
	for i := range out {
		out[i].Support = slices.Clone(out[i].Support)
	}
	return out
}

// sameWindow is what cmp.Equal says, which takes far longer.
func sameWindow(v, w facts.Window) bool {
	return v.Object == w.Object && v.Valid == w.Valid && v.Fact == w.Fact && v.Precision == w.Precision && v.Muted == w.Muted &&
		slices.Equal(v.Support, w.Support)
}

func TestRebelieveIsBelieve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkRebelieve(t, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }, 9)
	})
}

// TestRebelieveAtRandom draws lanes evenly, where rapid prefers small ones, and the same ones always.
func TestRebelieveAtRandom(t *testing.T) {
	for seed := range uint64(6000) {
		checkRebelieve(seeded{t, seed}, rand.New(rand.NewPCG(seed, 1)).IntN, 14)
	}
}

type seeded struct {
	*testing.T
	seed uint64
}

func (s seeded) Fatalf(format string, args ...any) {
	s.Helper()
	s.T.Fatalf(fmt.Sprint("seed ", s.seed, ": ", format), args...)
}

// TestRebelieveChains builds long lanes claim by claim, takes one out now and then, and brings it back.
func TestRebelieveChains(t *testing.T) {
	const n = 90
	for i, tt := range []struct {
		name  string
		begin func(i int, draw drawer) int
		alter func(p *graph.Placement, i int, draw drawer) // the plain claim: open, stated, of one of many objects
	}{
		{"at the end", func(i int, _ drawer) int { return i }, nil},
		{"at the front", func(i int, _ drawer) int { return n - i }, nil},
		{"in the middle", func(i int, _ drawer) int { return n/2 + (i%2*2-1)*i/2 }, nil},
		{"anywhere", func(_ int, draw drawer) int { return draw(n) }, nil},
		{"two objects", func(i int, _ drawer) int { return i }, func(p *graph.Placement, i int, _ drawer) {
			p.Object = objectNo(i % 2)
		}},
		{"two objects, anywhere", func(_ int, draw drawer) int { return draw(n) }, func(p *graph.Placement, _ int, draw drawer) {
			p.Object = objectNo(draw(2))
		}},
		{"one object", func(_ int, draw drawer) int { return draw(n) }, func(p *graph.Placement, _ int, draw drawer) {
			p.Object, p.Muted = "A", draw(9) == 0
		}},
		{"one object, of every trust", func(_ int, draw drawer) int { return draw(n) }, func(p *graph.Placement, _ int, draw drawer) {
			p.Object, p.Trust = "A", []graph.Trust{graph.Stated, graph.Reported, graph.Inferred}[draw(3)]
		}},
		{"one object, retracted now and then", func(i int, _ drawer) int { return i }, func(p *graph.Placement, _ int, draw drawer) {
			p.Object = "A"
			if draw(8) == 0 {
				p.Kind, p.Object = graph.Retract, []graph.EntityID{"", "A", "B"}[draw(3)]
			}
		}},
		{"runs of one object", func(i int, draw drawer) int { return i/10*10 + draw(20) }, func(p *graph.Placement, i int, _ drawer) {
			p.Object = objectNo(i / 10 % 3)
		}},
		{"retractions in between", func(_ int, draw drawer) int { return draw(n) }, func(p *graph.Placement, _ int, draw drawer) {
			p.Object = objectNo(draw(6))
			if draw(3) == 0 {
				p.Kind = graph.Retract
			}
			if p.Kind == graph.Retract && draw(2) == 0 {
				p.Object = ""
			}
		}},
		{"holds at", func(i int, _ drawer) int { return i }, func(p *graph.Placement, i int, draw drawer) {
			p.Object, p.HoldsAt = objectNo(draw(6)), temporal.Instant(1+i+draw(10))
		}},
		{"trials", func(_ int, draw drawer) int { return draw(n) }, func(p *graph.Placement, _ int, draw drawer) {
			p.Valid.To = p.Valid.From + temporal.Instant(1+draw(9))
			p.Object = objectNo(draw(5))
			if draw(5) == 0 {
				p.Object, p.Valid.To = objectNo(5+draw(3)), 0
			}
		}},
		{"ends stated of open claims", func(_ int, draw drawer) int { return draw(n) }, func(p *graph.Placement, _ int, draw drawer) {
			p.Object = objectNo(draw(20))
			if draw(4) == 0 {
				p.Valid.To = p.Valid.From + temporal.Instant(1+draw(9))
			}
		}},
		{"some undated, some never so", func(_ int, draw drawer) int { return draw(n) }, func(p *graph.Placement, _ int, draw drawer) {
			p.Object = objectNo(draw(20))
			switch draw(10) {
			case 0:
				p.Valid.From = 0
			case 1:
				p.Valid = temporal.Period{To: p.Valid.From}
			case 2:
				p.Kind = graph.Never
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			draw := rand.New(rand.NewPCG(uint64(i), 2)).IntN
			var placed, gone []graph.Placement
			var windows []facts.Window
			change := func(after []graph.Placement, changed ...graph.Placement) {
				windows = rebelieve(t, windows, placed, after, changed)
				placed = after
			}
			for i := range n {
				id := fmt.Sprint("c", i)
				p := graph.Placement{ID: graph.PlacementID(id), Claim: graph.ClaimID(id), Fact: graph.ClaimID(id), Rec: graph.Pos{Tx: temporal.Instant(i)},
					Kind: graph.Assert, Trust: graph.Stated, Object: objectNo(i), Valid: temporal.Period{From: temporal.Instant(1 + tt.begin(i, draw))}}
				if tt.alter != nil {
					tt.alter(&p, i, draw)
				}
				change(append(slices.Clone(placed), p), p)
				if draw(5) == 0 {
					k := draw(len(placed))
					gone = append(gone, placed[k])
					change(slices.Delete(slices.Clone(placed), k, k+1), placed[k])
				}
				if len(gone) > 0 && draw(7) == 0 {
					change(append(slices.Clone(placed), gone...), gone...)
					gone = nil
				}
			}
		})
	}
}

// TestRebelieveKeepsWindows: what the change does not touch is not computed again, so the supports of before are still there.
func TestRebelieveKeepsWindows(t *testing.T) {
	const n = 300
	for _, tt := range growing {
		windows, placed, c := grown(tt.place, n, tt.object(n), tt.after)
		after := rebelieve(t, windows, nil, placed, []graph.Placement{c})
		kept := map[*graph.Placement]bool{}
		for i := range windows {
			kept[&windows[i].Support[0]] = true
		}
		anew := 0
		for i := range after {
			if !kept[&after[i].Support[0]] {
				anew++
			}
		}
		if anew > 4 {
			t.Errorf("%s: %d of %d windows are computed anew", tt.name, anew, len(after))
		}
	}

	t.Run("joins a long window", func(t *testing.T) {
		for _, tt := range growing {
			windows, placed, c := grown(tt.place, n, tt.object(n), tt.after)
			if len(windows) != 1 || c.Object != windows[0].Object {
				continue
			}
			changed := []graph.Placement{c}
			if allocs := testing.AllocsPerRun(5, func() { facts.Rebelieve(windows, placed, changed) }); allocs > 20 {
				t.Errorf("%s: %v allocations: it was swept", tt.name, allocs)
			}
		}
	})
}

// TestRebelieveManyChanged: what changes a lane as a whole has it computed anew.
func TestRebelieveManyChanged(t *testing.T) {
	for _, n := range []int{16, 17} {
		placed := laneOf(superseded, 60)
		slices.SortFunc(placed, func(p, q graph.Placement) int { return p.Rec.Compare(q.Rec) })
		windows := facts.Believe(placed[:60-n])
		after := rebelieve(t, windows, nil, placed, placed[60-n:])
		shared := &after[0].Support[0] == &windows[0].Support[0]
		if want := n <= 16; shared != want {
			t.Errorf("%d changed: windows are kept = %v, want %v", n, shared, want)
		}
	}
}

// TestRebelieveNevers: a few nevers are held against every claim, many have the lane computed anew.
func TestRebelieveNevers(t *testing.T) {
	for _, nevers := range []int{1, 16, 17} {
		_, placed, c := grown(superseded, 60, "B", 1)
		last := placed[len(placed)-1]
		for i := range nevers {
			p := placed[i]
			p.ID, p.Claim, p.Kind, p.Rec, p.Valid = graph.PlacementID(fmt.Sprint("never ", i)), graph.ClaimID(fmt.Sprint("never ", i)), graph.Never, last.Rec, temporal.Period{}
			placed = append(placed, p)
		}
		windows := facts.Believe(slices.DeleteFunc(slices.Clone(placed), func(p graph.Placement) bool { return p == c }))
		after := rebelieve(t, windows, nil, placed, []graph.Placement{c})
		shared := &after[0].Support[0] == &windows[0].Support[0]
		if want := nevers <= 16; shared != want {
			t.Errorf("%d nevers: windows are kept = %v, want %v", nevers, shared, want)
		}
	}
}

func FuzzRebelieve(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a chain of claims with a trial in it, which a retraction ends, and one that is taken out again"))
	f.Add([]byte{2, 9, 1, 0, 0, 0, 1, 0, 3, 2, 0, 0, 1, 0, 0, 0, 1, 4, 2, 0, 0, 1, 1, 5, 1, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRebelieve(t, func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := int(data[0])
			data = data[1:]
			return b % n
		}, 40)
	})
}
