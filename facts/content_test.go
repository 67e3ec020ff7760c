package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

func TestContent(t *testing.T) {
	half, most := 0.3, 0.9
	claim := func(id string, n int, f func(*graph.Claim)) graph.Claim {
		c := graph.Claim{ID: graph.ClaimID(id), Kind: graph.Assert, Subject: "ann", Predicate: "noted", Object: "tea", Trust: graph.Stated, Rec: at(n), Logged: at(n)}
		f(&c)
		return c
	}
	for _, x := range []struct {
		name   string
		claims []graph.Claim
		want   graph.Version // text, type, importance and trust
	}{
		{"nobody says: the registry's words", []graph.Claim{claim("a", 1, func(*graph.Claim) {})},
			graph.Version{Text: facts.Shipped().Sentence(facts.Shipped().Get("noted"), "Ann", "tea"), Type: "semantic", Importance: 0.5, Trust: graph.Stated}},
		{"the earliest recorded has its words kept", []graph.Claim{
			claim("a", 1, func(c *graph.Claim) { c.Text, c.Importance = "first", &half }),
			claim("b", 2, func(c *graph.Claim) { c.Text, c.Importance, c.Type = "second", &most, "episodic" }),
		}, graph.Version{Text: "first", Type: "episodic", Importance: half, Trust: graph.Stated}},
		{"the more trusted is heard first", []graph.Claim{
			claim("a", 1, func(c *graph.Claim) { c.Text, c.Trust = "said", graph.Reported }),
			claim("b", 2, func(c *graph.Claim) { c.Text = "stated" }),
		}, graph.Version{Text: "stated", Type: "semantic", Importance: 0.5, Trust: graph.Stated}},
		{"the latest correction has the last word", []graph.Claim{
			claim("a", 1, func(c *graph.Claim) { c.Text = "told" }),
			claim("b", 2, func(c *graph.Claim) { c.Text, c.Correction = "corrected", true }),
			claim("c", 3, func(c *graph.Claim) { c.Importance, c.Correction = &most, true }),
		}, graph.Version{Text: "corrected", Type: "semantic", Importance: most, Trust: graph.Stated}},
	} {
		t.Run(x.name, func(t *testing.T) {
			in := facts.Context{Claims: map[graph.ClaimID]graph.Claim{}, Entities: map[graph.EntityID]graph.Entity{
				"ann": {ID: "ann", Name: "Ann"}, "tea": {ID: "tea", Name: "tea"},
			}}
			in.World = plainWorld()
			var placed []graph.Placement
			for _, c := range x.claims {
				in.Claims[c.ID] = c
				placed = append(placed, facts.Life(c, facts.Influences{Stands: []facts.Span{span(1, 0)}, Worlds: []facts.World{in.World}})...)
			}
			windows := facts.Believe(placed)
			if len(windows) != 1 {
				t.Fatalf("got %d windows, want 1", len(windows))
			}
			v := facts.Content(placed[0].Lane, windows[0], in)
			got := graph.Version{Text: v.Text, Type: v.Type, Importance: v.Importance, Trust: v.Trust}
			if diff := cmp.Diff(x.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// plainWorld is one in which "noted" has no type and importance of its own.
func plainWorld() facts.World {
	p := graph.Predicate{Name: "noted", Cardinality: graph.Many}
	return facts.Worlds(facts.Shipped(), []facts.Declared{{Declaration: graph.Declaration{Predicate: p}, Spans: []facts.Span{{}}}}, nil)[0]
}

func TestASymmetricFactIsShownAsItWasFirstTold(t *testing.T) {
	world := worlds()[0]
	c := graph.Claim{ID: "c", Kind: graph.Assert, Subject: "zoe", Predicate: "married_to", Object: "bob", Trust: graph.Stated, Rec: at(1), Logged: at(1)}
	placed := facts.Life(c, facts.Influences{Stands: []facts.Span{span(1, 0)}, Worlds: worlds()})
	v := facts.Content(placed[0].Lane, facts.Believe(placed)[0], facts.Context{World: world, Claims: map[graph.ClaimID]graph.Claim{"c": c}})
	if v.Subject != "zoe" || v.Object != "bob" {
		t.Errorf("got %s married_to %s, want zoe married_to bob", v.Subject, v.Object)
	}
}

func TestCompare(t *testing.T) {
	w := func(fact string, from, to int) graph.Version {
		return graph.Version{Fact: graph.ClaimID(fact), Valid: temporal.Period{From: temporal.Instant(from), To: temporal.Instant(to)}}
	}
	hidden := w("a", 1, 0)
	hidden.Hidden = true
	type versions = []graph.Version
	for _, x := range []struct {
		name          string
		before, after versions
		want          facts.Difference
	}{
		{"nothing differs", versions{w("a", 1, 3), w("b", 3, 0)}, versions{w("a", 1, 3), w("b", 3, 0)}, facts.Difference{}},
		{"a window begins", nil, versions{w("a", 1, 0)}, facts.Difference{Begun: versions{w("a", 1, 0)}}},
		{"superseded: closed as it is now", versions{w("a", 1, 0)}, versions{w("a", 1, 3), w("b", 3, 0)},
			facts.Difference{Begun: versions{w("b", 3, 0)}, Ended: versions{w("a", 1, 3)}}},
		{"gone: as it was", versions{w("a", 1, 0)}, nil, facts.Difference{Ended: versions{w("a", 1, 0)}}},
		{"extended", versions{w("a", 3, 0)}, versions{w("a", 1, 0)}, facts.Difference{Changed: [][2]graph.Version{{w("a", 3, 0), w("a", 1, 0)}}}},
		{"resumed", versions{w("a", 1, 3)}, versions{w("a", 1, 0)}, facts.Difference{Changed: [][2]graph.Version{{w("a", 1, 3), w("a", 1, 0)}}}},
		{"split by a trial", versions{w("a", 1, 0)}, versions{w("a", 1, 3), w("b", 3, 4), w("a", 4, 0)},
			facts.Difference{Begun: versions{w("b", 3, 4)}, Changed: [][2]graph.Version{{w("a", 1, 0), w("a", 1, 3)}, {w("a", 1, 0), w("a", 4, 0)}}}},
		{"forgotten", versions{w("a", 1, 0)}, versions{hidden}, facts.Difference{Changed: [][2]graph.Version{{w("a", 1, 0), hidden}}}},
		{"the middle of a long lane", versions{w("a", 1, 2), w("b", 2, 9), w("c", 9, 0)}, versions{w("a", 1, 2), w("b", 2, 5), w("d", 5, 9), w("c", 9, 0)},
			facts.Difference{Begun: versions{w("d", 5, 9)}, Ended: versions{w("b", 2, 5)}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			if diff := cmp.Diff(x.want, facts.Compare(x.before, x.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHistory(t *testing.T) {
	row := func(fact string, valid temporal.Period, from, to int) graph.Placement {
		return graph.Placement{
			Claim: graph.ClaimID(fact), Fact: graph.ClaimID(fact), Kind: graph.Assert, Trust: graph.Stated, Object: graph.EntityID(fact), Own: true,
			Rec: at(from), Valid: valid, From: at(from), To: graph.Pos{Tx: temporal.Instant(to)},
		}
	}
	rows := []graph.Placement{row("a", temporal.Period{From: 10}, 1, 0), row("b", temporal.Period{From: 20}, 2, 4)}
	got := facts.History(rows, nil, func(_ temporal.Instant, w facts.Window) graph.Version {
		return graph.Version{Fact: w.Fact, Valid: w.Valid}
	})
	p := func(from, to int) temporal.Period {
		return temporal.Period{From: temporal.Instant(from), To: temporal.Instant(to)}
	}
	want := []graph.Version{
		{Fact: "a", Valid: p(10, 0), Tx: p(1, 2)},
		{Fact: "a", Valid: p(10, 20), Tx: p(2, 4)},
		{Fact: "b", Valid: p(20, 0), Tx: p(2, 4)},
		{Fact: "a", Valid: p(10, 0), Tx: p(4, 0)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
