package graphtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tenure/graph"
	"tenure/temporal"
)

// testVersions compares what is believed as of every update, filtered in every way, with the same made of the rows planted.
func testVersions(t *testing.T, store graph.Store) {
	r := rand.New(rand.NewPCG(2, 5))
	g := plant(t, store, newScope(), r)
	for i, tx := range append(slices.Clone(g.times), g.times[1]+1, g.times[0]-1, 0) {
		reader := snapshot(t, store, graph.View{Scope: g.scope, Tx: tx})
		t.Run(fmt.Sprintf("as of time %d", i), func(t *testing.T) {
			g.listVersions(t, reader, r)
			g.listGone(t, reader, r)
			g.listHistory(t, reader, r)
			g.listAround(t, reader, r)
			g.count(t, reader)
		})
	}
	t.Run("hidden", func(t *testing.T) { g.listHidden(t, snapshot(t, store, graph.View{Scope: g.scope})) })
	t.Run("used", func(t *testing.T) { g.use(t, store) })
}

// then are the versions as they were at a transaction time: those that had begun.
func (g *garden) then(tx temporal.Instant) []graph.Version {
	var out []graph.Version
	for _, v := range g.versions {
		if v.Tx.From > tx {
			continue
		}
		if v.Tx.To > tx {
			v.Tx.To, v.Ended = 0, ""
		}
		out = append(out, v)
	}
	return out
}

func (g *garden) filter(r *rand.Rand) graph.VersionFilter {
	bound := func() temporal.Instant { return one(r, []temporal.Instant{0, 0, season(r), season(r) + 1}) }
	f := graph.VersionFilter{
		Subjects: maybe(r, g.id(r), g.id(r), g.id(r), g.id(r), g.id(r), g.id(r)), Objects: maybe(r, g.id(r), g.id(r), g.id(r), g.id(r), g.id(r), g.id(r)),
		Predicates: maybe(r, "p", "P", "p:q"), Types: maybe(r, "semantic", "Semantic", "none"), Hidden: graph.Hiding(r.IntN(3)),
		Valid: bound(), BeginsFrom: bound(), BeginsBefore: bound(), EndsFrom: bound(), EndsBefore: bound(),
	}
	for range r.IntN(4) {
		f.Lanes = append(f.Lanes, g.lane(r))
	}
	// Few versions pass many conditions: most filters have one or two.
	for _, clear := range []func(){
		func() { f.Subjects = nil }, func() { f.Objects = nil }, func() { f.Predicates = nil }, func() { f.Types = nil }, func() { f.Lanes = nil },
		func() { f.BeginsFrom, f.BeginsBefore = 0, 0 }, func() { f.EndsFrom, f.EndsBefore = 0, 0 }, func() { f.Valid = 0 },
	} {
		if chance(r, 70) {
			clear()
		}
	}
	return f
}

func (g *garden) listVersions(t *testing.T, reader graph.Reader, r *rand.Rand) {
	all := slices.DeleteFunc(g.then(reader.View().Tx), func(v graph.Version) bool { return !v.Tx.Open() })
	for i := range filters {
		var f graph.VersionFilter
		if i > 0 {
			f = g.filter(r)
		}
		check(t, f, all, func(v graph.Version) bool { return passes(f, v) }, byKey, func(after *graph.Version, limit int) ([]graph.Version, error) {
			f.After, f.Limit = nil, limit
			if after != nil {
				key := after.Key()
				f.After = &key
			}
			return reader.Versions(t.Context(), f)
		})
	}
}

// listGone compares the last versions of the facts that are no longer believed. Of several that ended at once, which is the last
// is the store's to say.
func (g *garden) listGone(t *testing.T, reader graph.Reader, r *rand.Rand) {
	last, held := map[graph.ClaimID]temporal.Instant{}, map[graph.ClaimID]bool{}
	versions := map[graph.VersionID]graph.Version{}
	for _, v := range g.then(reader.View().Tx) {
		last[v.Fact] = max(last[v.Fact], v.Tx.To)
		held[v.Fact] = held[v.Fact] || v.Tx.Open()
		versions[v.ID] = v
	}
	gone, err := reader.Versions(t.Context(), graph.VersionFilter{Gone: true, Hidden: graph.WithHidden})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[graph.ClaimID]bool{}
	for _, v := range gone {
		if v != versions[v.ID] || held[v.Fact] || v.Tx.To != last[v.Fact] || seen[v.Fact] {
			t.Errorf("gone: got %+v, want the last version of a fact that is not believed, once; it was believed until %v", v, last[v.Fact])
		}
		seen[v.Fact] = true
	}
	for fact := range last {
		if !held[fact] && !seen[fact] {
			t.Errorf("gone: fact %q is missing", fact)
		}
	}
	for range filters / 5 {
		f := g.filter(r)
		f.Gone = true
		check(t, f, gone, func(v graph.Version) bool { return passes(f, v) }, byKey, func(after *graph.Version, limit int) ([]graph.Version, error) {
			f.After, f.Limit = nil, limit
			if after != nil {
				key := after.Key()
				f.After = &key
			}
			return reader.Versions(t.Context(), f)
		})
	}
}

func (g *garden) listHistory(t *testing.T, reader graph.Reader, r *rand.Rand) {
	for range 3 {
		facts := draw(r, 3, "a", "A", "b", "É", graph.ClaimID("none"))
		want := slices.DeleteFunc(g.then(reader.View().Tx), func(v graph.Version) bool { return !slices.Contains(facts, v.Fact) })
		slices.SortFunc(want, func(a, b graph.Version) int {
			return cmp.Or(cmp.Compare(a.Tx.From, b.Tx.From), cmp.Compare(a.Valid.From, b.Valid.From), cmp.Compare(a.ID, b.ID))
		})
		got, err := reader.VersionsOf(t.Context(), facts)
		if err != nil {
			t.Fatal(err)
		}
		fail(t, "all versions", got, want)
	}
	none, err := reader.VersionsOf(t.Context(), nil)
	if err != nil || len(none) > 0 {
		t.Errorf("versions of no fact: %v, %v", none, err)
	}
}

func (g *garden) listAround(t *testing.T, reader graph.Reader, r *rand.Rand) {
	order := func(a, b graph.Version) int {
		return cmp.Or(cmp.Compare(b.Importance, a.Importance), cmp.Compare(a.ID, b.ID))
	}
	for range 5 {
		entities := draw(r, 3, g.id(r), g.id(r), g.id(r), graph.EntityID("none"))
		valid, n := one(r, []temporal.Instant{0, season(r)}), 1+r.IntN(5)
		var want []graph.Version
		for _, e := range entities {
			near := slices.DeleteFunc(g.then(reader.View().Tx), func(v graph.Version) bool {
				return !v.Tx.Open() || v.Hidden || v.Subject != e && v.Object != e || valid != 0 && !v.Valid.Contains(valid)
			})
			slices.SortFunc(near, order)
			want = union(want, near[:min(n, len(near))])
		}
		slices.SortFunc(want, order)
		got, err := reader.Around(t.Context(), entities, valid, n)
		if err != nil {
			t.Fatal(err)
		}
		fail(t, fmt.Sprintf("at most %d around each of %q at %q", n, entities, valid), got, want)
	}
}

func (g *garden) count(t *testing.T, reader graph.Reader) {
	want := graph.Counts{Episodes: len(g.episodes), Entities: len(g.entities), Changes: len(g.changes)}
	facts := map[graph.ClaimID]bool{}
	for _, v := range g.then(reader.View().Tx) {
		if v.Tx.Open() {
			want.Versions++
			facts[v.Fact] = true
		}
	}
	want.Facts = len(facts)
	got, err := reader.Counts(t.Context())
	if err != nil || got != want {
		t.Errorf("counts: got %+v, %v; want %+v", got, err, want)
	}
}

// listHidden checks that only who asks for it reads what is hidden.
func (g *garden) listHidden(t *testing.T, reader graph.Reader) {
	read := func(h graph.Hiding) int {
		versions, err := reader.Versions(t.Context(), graph.VersionFilter{Hidden: h})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			if h == graph.HideHidden && v.Hidden || h == graph.OnlyHidden && !v.Hidden {
				t.Errorf("asked for %d and read %+v", h, v)
			}
		}
		return len(versions)
	}
	if shown, hidden, both := read(graph.HideHidden), read(graph.OnlyHidden), read(graph.WithHidden); shown+hidden != both || hidden == 0 {
		t.Errorf("%d shown and %d hidden are not %d", shown, hidden, both)
	}
}

func (g *garden) use(t *testing.T, store graph.Store) {
	touch := func(at temporal.Instant, facts ...graph.ClaimID) {
		if err := store.Touch(t.Context(), g.scope, facts, at); err != nil {
			t.Fatal(err)
		}
	}
	touch(seasons[0], "a", "A")
	touch(seasons[2]+1, "A", "is not there")
	if err := store.Touch(t.Context(), newScope(), []graph.ClaimID{"a"}, seasons[0]); !isNotFound(err) {
		t.Errorf("touching in a scope that is not there: %v", err)
	}
	got, err := snapshot(t, store, graph.View{Scope: g.scope}).Used(t.Context(), []graph.ClaimID{"a", "A", "b", "is not there"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[graph.ClaimID]temporal.Instant{"a": seasons[0], "A": seasons[2] + 1}
	delete(got, "is not there") // whether a mark of nothing is kept is the store's affair
	fail(t, "used", got, want)
}
