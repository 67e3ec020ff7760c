package facts_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

func at(n int) graph.Pos { return graph.Pos{Tx: temporal.Instant(n)} }

func span(from, to int) facts.Span {
	if to == 0 {
		return facts.Span{From: at(from)}
	}
	return facts.Span{From: at(from), To: at(to)}
}

// spans draws a list of spans over the places 1 to 9.
func spans(t *rapid.T, name string) []facts.Span {
	var out []facts.Span
	for range rapid.IntRange(0, 3).Draw(t, name) {
		from := rapid.IntRange(1, 8).Draw(t, "from")
		out = append(out, span(from, rapid.SampledFrom([]int{0, from + 1, 9}).Draw(t, "to")))
	}
	return out
}

func TestSpansAreSetsOfPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := spans(t, "a"), spans(t, "b")
		from := rapid.IntRange(1, 9).Draw(t, "begin")
		both, without := facts.Both(a, b), facts.Without(at(from), b)
		for n := 1; n < 12; n++ {
			if got, want := facts.Holds(both, at(n)), facts.Holds(a, at(n)) && facts.Holds(b, at(n)); got != want {
				t.Fatalf("place %d: in both is %v, want %v", n, got, want)
			}
			if got, want := facts.Holds(without, at(n)), n >= from && !facts.Holds(b, at(n)); got != want {
				t.Fatalf("place %d: in what is left is %v, want %v", n, got, want)
			}
		}
	})
}

func TestStanding(t *testing.T) {
	change := func(id string, n int) graph.Change { return graph.Change{ID: graph.ChangeID(id), At: at(n)} }
	c, r1, r2, rr := change("c", 1), change("r1", 3), change("r2", 5), change("rr", 7)
	for _, x := range []struct {
		name    string
		reverts map[graph.ChangeID][]graph.Change
		want    []facts.Span
	}{
		{"never reverted", nil, []facts.Span{span(1, 0)}},
		{"reverted", map[graph.ChangeID][]graph.Change{"c": {r1}}, []facts.Span{span(1, 3)}},
		{"the revert reverted", map[graph.ChangeID][]graph.Change{"c": {r1}, "r1": {rr}}, []facts.Span{span(1, 3), span(7, 0)}},
		{"reverted twice, one of them undone", map[graph.ChangeID][]graph.Change{"c": {r1, r2}, "r1": {rr}}, []facts.Span{span(1, 3)}},
	} {
		t.Run(x.name, func(t *testing.T) {
			if diff := cmp.Diff(x.want, facts.Standing(c, x.reverts)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// worlds are those of a scope that declared nothing.
func worlds() []facts.World { return facts.Worlds(facts.Shipped(), nil, nil) }

func TestLife(t *testing.T) {
	c := graph.Claim{
		ID: "c", Kind: graph.Assert, Subject: "ann", Predicate: "noted", Object: "tea", Trust: graph.Stated,
		Valid: temporal.Period{From: 10}, HoldsAt: 15, Logged: at(1), Rec: at(1),
	}
	acting := func(kind graph.EffectKind, from, to int, within temporal.Period, keep ...temporal.Period) facts.Acting {
		return facts.Acting{Effect: graph.Effect{Kind: kind, Within: within, Keep: keep, Subject: "bob", Predicate: "noted", Object: "milk"}, Spans: []facts.Span{span(from, to)}}
	}
	type row struct {
		From, To int
		Own      bool
		Narrowed temporal.Period
		Muted    bool
		Holds    temporal.Instant
	}
	for _, x := range []struct {
		name string
		in   facts.Influences
		want []row
	}{
		{"it counts from its logging on", facts.Influences{}, []row{{1, 0, true, temporal.Period{}, false, 15}}},
		{"it counts while its change stands", facts.Influences{Stands: []facts.Span{span(1, 3), span(6, 0)}},
			[]row{{1, 3, true, temporal.Period{}, false, 15}, {6, 0, true, temporal.Period{}, false, 15}}},
		{"an end is undone with its change", facts.Influences{Effects: []facts.Acting{acting(graph.Limit, 3, 5, temporal.Period{})}},
			[]row{{1, 3, true, temporal.Period{}, false, 15}, {5, 0, true, temporal.Period{}, false, 15}}},
		{"a correction leaves it what it supports elsewhere", facts.Influences{Effects: []facts.Acting{acting(graph.Limit, 3, 0, temporal.Period{}, temporal.Period{From: 30})}},
			[]row{{1, 3, true, temporal.Period{}, false, 15}, {3, 0, true, temporal.Period{From: 30}, false, 15}}},
		{"a second correction touches only the stretch it saw", facts.Influences{Effects: []facts.Acting{
			acting(graph.Limit, 3, 7, temporal.Period{}, temporal.Period{From: 30}), acting(graph.Limit, 5, 0, temporal.Period{From: 30})}},
			[]row{{1, 3, true, temporal.Period{}, false, 15}, {3, 5, true, temporal.Period{From: 30}, false, 15}, {7, 0, true, temporal.Period{To: 30}, false, 15}}},
		{"forgotten and brought back", facts.Influences{Effects: []facts.Acting{acting(graph.Mute, 3, 5, temporal.Period{})}},
			[]row{{1, 3, true, temporal.Period{}, false, 15}, {3, 5, true, temporal.Period{}, true, 15}, {5, 0, true, temporal.Period{}, false, 15}}},
		{"it holds at no time any more", facts.Influences{Effects: []facts.Acting{acting(graph.Unhold, 3, 0, temporal.Period{})}},
			[]row{{1, 3, true, temporal.Period{}, false, 15}, {3, 0, true, temporal.Period{}, false, 0}}},
		{"what it displaces comes back when it is taken back", facts.Influences{Effects: []facts.Acting{acting(graph.Displace, 1, 0, temporal.Period{From: 20})}, Taken: []facts.Span{span(4, 0)}},
			[]row{{1, 0, true, temporal.Period{}, false, 15}, {1, 4, false, temporal.Period{}, false, 0}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.in.Worlds = worlds()
			if x.in.Stands == nil {
				x.in.Stands = []facts.Span{span(1, 0)}
			}
			var got []row
			for _, p := range facts.Life(c, x.in) {
				got = append(got, row{int(p.From.Tx), int(p.To.Tx), p.Own, p.Narrowed, p.Muted, p.HoldsAt})
			}
			slices.SortFunc(got, func(a, b row) int {
				if a.Own != b.Own {
					if a.Own {
						return -1
					}
					return 1
				}
				return a.From - b.From
			})
			if diff := cmp.Diff(x.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWorldsFollowDeclarationsAndMerges(t *testing.T) {
	one := graph.Predicate{Name: "color", Cardinality: graph.One}
	got := facts.Worlds(facts.Shipped(),
		[]facts.Declared{{Declaration: graph.Declaration{Predicate: one, At: at(2)}, Spans: []facts.Span{span(2, 6)}}},
		[]facts.Merged{{Merge: graph.Merge{From: "b", Into: "a"}, Spans: []facts.Span{span(4, 0)}}})
	type state struct {
		From  int
		One   bool
		B     graph.EntityID
		Chain graph.Lane
	}
	var states []state
	for _, w := range got {
		_, _, _, lane := w.Triple("b", "color", "red")
		states = append(states, state{int(w.From.Tx), w.Registry().Get("color").Cardinality == graph.One, w.Resolve("b"), lane})
	}
	want := []state{
		{0, false, "b", graph.Lane{Subject: "b", Predicate: "color", Object: "red"}},
		{2, true, "b", graph.Lane{Subject: "b", Predicate: "color"}},
		{4, true, "a", graph.Lane{Subject: "a", Predicate: "color"}},
		{6, false, "a", graph.Lane{Subject: "a", Predicate: "color", Object: "red"}},
	}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
}
