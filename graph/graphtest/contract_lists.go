package graphtest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"tenure/graph"
	"tenure/temporal"
)

// testLists compares every listing, filtered in every way, with the same made of the rows that were planted.
func testLists(t *testing.T, store graph.Store) {
	r := rand.New(rand.NewPCG(1, 5))
	g := plant(t, store, newScope(), r)
	reader := snapshot(t, store, graph.View{Scope: g.scope})
	t.Run("entities", func(t *testing.T) { g.listEntities(t, reader, r) })
	t.Run("episodes", func(t *testing.T) { g.listEpisodes(t, reader, r) })
	t.Run("claims", func(t *testing.T) { g.listClaims(t, reader, r) })
	t.Run("placements", func(t *testing.T) { g.listPlacements(t, reader, r) })
	t.Run("effects", func(t *testing.T) { g.listEffects(t, reader, r) })
	t.Run("changes", func(t *testing.T) { g.listChanges(t, reader, r) })
	t.Run("declarations and merges", func(t *testing.T) { g.listLaws(t, reader) })
}

func snapshot(t *testing.T, store graph.Store, view graph.View) graph.Reader {
	t.Helper()
	r, err := store.Snapshot(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fail reports what tells two values apart.
func fail(t *testing.T, what string, got, want any) {
	t.Helper()
	if err := diff(what, got, want); err != nil {
		t.Error(err)
	}
}

// check compares a listing with the rows that pass, all at once and in pages that begin after every row.
func check[F, T any](t *testing.T, what F, rows []T, keep func(T) bool, compare func(a, b T) int, list func(after *T, limit int) ([]T, error)) {
	t.Helper()
	want := slices.DeleteFunc(slices.Clone(rows), func(row T) bool { return !keep(row) })
	slices.SortStableFunc(want, compare)
	got, err := list(nil, 0)
	if err != nil {
		t.Fatalf("%+v: %v", what, err)
	}
	if err := diff("all", got, want); err != nil {
		t.Fatalf("%+v: %v", what, err)
	}
	for i := 0; i <= len(want); i += 1 + len(want)/6 {
		after := (*T)(nil)
		if i > 0 {
			after = &want[i-1]
		}
		page, err := list(after, 3)
		if err != nil {
			t.Fatalf("%+v: %v", what, err)
		}
		if err := diff("page", page, want[i:min(len(want), i+3)]); err != nil {
			t.Fatalf("%+v after %d: %v", what, i, err)
		}
	}
}

// in reports whether a list is empty or has one of the items.
func in[T comparable](list []T, items ...T) bool {
	return len(list) == 0 || slices.ContainsFunc(items, func(x T) bool { return slices.Contains(list, x) })
}

// maybe is a list of some in half of the cases.
func maybe[T comparable](r *rand.Rand, from ...T) []T {
	if chance(r, 50) {
		return nil
	}
	return draw(r, 1+r.IntN(3), from...)
}

const filters = 25 // that are tried of each kind

func (g *garden) listEntities(t *testing.T, reader graph.Reader, r *rand.Rand) {
	byID := func(a, b graph.Entity) int { return cmp.Compare(a.ID, b.ID) }
	for i := range filters {
		var f graph.EntityFilter
		if i > 0 {
			f.Kind = one(r, kinds)
			if chance(r, 40) {
				f.Key = one(r, one(r, g.entities).Keys)
			}
		}
		check(t, f, g.entities, func(e graph.Entity) bool {
			return (f.Key == "" || slices.Contains(e.Keys, f.Key)) && (f.Kind == "" || e.Kind == f.Kind)
		}, byID, func(after *graph.Entity, limit int) ([]graph.Entity, error) {
			f.Limit, f.After = limit, ""
			if after != nil {
				f.After = after.ID
			}
			return reader.ListEntities(t.Context(), f)
		})
		keys := draw(r, 3, one(r, g.entities).Keys[0], one(r, g.entities).Keys[0], "no such key")
		got, err := reader.EntitiesByKey(t.Context(), keys)
		want := slices.DeleteFunc(slices.SortedFunc(slices.Values(g.entities), byID), func(e graph.Entity) bool { return !in(keys, e.Keys...) })
		if err != nil {
			t.Fatal(err)
		}
		fail(t, "entities by key", got, want)
	}
	none, err := reader.EntitiesByKey(t.Context(), nil)
	if err != nil || len(none) > 0 {
		t.Errorf("entities of no key: %v, %v", none, err)
	}
}

func byPos[T any](pos func(T) graph.Pos, id func(T) string) func(a, b T) int {
	return func(a, b T) int { return cmp.Or(pos(a).Compare(pos(b)), cmp.Compare(id(a), id(b))) }
}

func (g *garden) listEpisodes(t *testing.T, reader graph.Reader, r *rand.Rand) {
	order := byPos(func(e graph.Episode) graph.Pos { return e.Recorded }, func(e graph.Episode) string { return string(e.ID) })
	for i := range filters {
		var f graph.EpisodeFilter
		if i > 0 {
			f.Conversation = one(r, []string{"", "c", "C", "c:1", "none"})
			f.Statuses = maybe(r, graph.Pending, graph.Done, graph.Failed, graph.Dead)
			f.Since, f.Until = one(r, []temporal.Instant{0, season(r)}), one(r, []temporal.Instant{0, season(r)})
		}
		check(t, f, g.episodes, func(e graph.Episode) bool {
			return (f.Conversation == "" || e.Conversation == f.Conversation) && in(f.Statuses, e.Status) &&
				(f.Since == 0 || e.Occurred != 0 && f.Since <= e.Occurred) && (f.Until == 0 || e.Occurred != 0 && e.Occurred < f.Until)
		}, order, func(after *graph.Episode, limit int) ([]graph.Episode, error) {
			f.After, f.Limit = after, limit
			return reader.ListEpisodes(t.Context(), f)
		})
	}
}

func (g *garden) listClaims(t *testing.T, reader graph.Reader, r *rand.Rand) {
	order := byPos(func(c graph.Claim) graph.Pos { return c.Logged }, func(c graph.Claim) string { return string(c.ID) })
	for i := range filters {
		var f graph.ClaimFilter
		if i > 0 {
			f.Episodes, f.Predicates = maybe[graph.EpisodeID](r, "a", "A", "x y", "none"), maybe(r, "p", "P", "p:q")
			f.Entities, f.Changes = maybe[graph.EntityID](r, "a", "A", "É"), maybe[graph.ChangeID](r, "a", "A", "b")
			f.Facts = maybe[graph.ClaimID](r, "a", "A", "ß", "🙂")
		}
		check(t, f, g.claims, func(c graph.Claim) bool {
			return in(f.Episodes, episodesOf(c)...) && in(f.Predicates, c.Predicate) && in(f.Entities, c.Subject, c.Object) &&
				in(f.Changes, c.Change) && in(f.Facts, c.ID, c.Origin)
		}, order, func(after *graph.Claim, limit int) ([]graph.Claim, error) {
			f.After, f.Limit = after, limit
			return reader.ListClaims(t.Context(), f)
		})
	}
}

func (g *garden) listPlacements(t *testing.T, reader graph.Reader, r *rand.Rand) {
	for i := range 2 * filters {
		var f graph.PlacementFilter
		if i > 0 {
			for range r.IntN(3) {
				f.Lanes = append(f.Lanes, g.lane(r))
			}
			f.Claims, f.Predicates = maybe[graph.ClaimID](r, "a", "A", "b", "none"), maybe(r, "p", "P")
			f.Subjects, f.Objects = maybe(r, g.id(r), g.id(r), g.id(r), g.id(r), g.id(r)), maybe[graph.EntityID](r, "a", "A")
			f.Trust = one(r, []graph.Trust{"", "", graph.Stated, graph.Inferred})
			f.CountsAt = one(r, []temporal.Instant{0, one(r, g.times), one(r, g.times) - 1})
		}
		want := slices.DeleteFunc(slices.Clone(g.placements), func(p graph.Placement) bool {
			counts := p.From.Tx <= f.CountsAt && (p.To == graph.Pos{} || f.CountsAt < p.To.Tx)
			return !in(f.Lanes, p.Lane) || !in(f.Claims, p.Claim) || !in(f.Subjects, p.Subject) || !in(f.Predicates, p.Predicate) ||
				!in(f.Objects, p.Object) || f.Trust != "" && p.Trust != f.Trust || f.CountsAt != 0 && !counts
		})
		slices.SortFunc(want, func(a, b graph.Placement) int {
			return cmp.Or(a.Lane.Compare(b.Lane), a.Rec.Compare(b.Rec), a.From.Compare(b.From), cmp.Compare(a.ID, b.ID))
		})
		got, err := reader.ListPlacements(t.Context(), f)
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if err := diff("placements", got, want); err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
	}
}

func (g *garden) listEffects(t *testing.T, reader graph.Reader, r *rand.Rand) {
	for i := range filters {
		var f graph.EffectFilter
		if i > 0 {
			f.Claims, f.Causes, f.Changes = maybe[graph.ClaimID](r, "a", "A", "none"), maybe[graph.ClaimID](r, "a", "b"), maybe[graph.ChangeID](r, "a", "A", "none")
		}
		all := len(f.Claims)+len(f.Causes)+len(f.Changes) == 0
		want := slices.DeleteFunc(slices.Clone(g.effects), func(e graph.Effect) bool {
			return !all && !slices.Contains(f.Claims, e.Claim) && !slices.Contains(f.Causes, e.Cause) && !slices.Contains(f.Changes, e.Change)
		})
		slices.SortStableFunc(want, func(a, b graph.Effect) int {
			return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Claim, b.Claim), cmp.Compare(a.Kind, b.Kind))
		})
		got, err := reader.ListEffects(t.Context(), f)
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if err := diff("effects", got, want); err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
	}
}

func (g *garden) listChanges(t *testing.T, reader graph.Reader, r *rand.Rand) {
	order := byPos(func(c graph.Change) graph.Pos { return c.At }, func(c graph.Change) string { return string(c.ID) })
	for i := range 2 * filters {
		var f graph.ChangeFilter
		if i > 0 {
			f.Since, f.Until = one(r, []temporal.Instant{0, 0, one(r, g.times), one(r, g.times) - 1}), one(r, []temporal.Instant{0, 0, one(r, g.times), one(r, g.times) - 1})
			f.Entities, f.Reverts = maybe[graph.EntityID](r, "a", "A", "É", "none"), maybe[graph.ChangeID](r, "a", "A")
			f.Episodes, f.Claims = maybe[graph.EpisodeID](r, "a", "A"), maybe[graph.ClaimID](r, "a", "A", "b")
			for range r.IntN(3) {
				f.Lanes = append(f.Lanes, g.lane(r))
			}
		}
		check(t, f, g.changes, func(c graph.Change) bool {
			var touched []graph.EntityID
			for _, l := range c.Lanes {
				touched = append(touched, l.Subject, l.Object)
			}
			return (f.Since == 0 || f.Since < c.At.Tx) && (f.Until == 0 || c.At.Tx <= f.Until) && in(f.Entities, touched...) && in(f.Lanes, c.Lanes...) &&
				in(f.Episodes, c.Episode) && in(f.Claims, c.Claim) && in(f.Reverts, c.Reverts)
		}, order, func(after *graph.Change, limit int) ([]graph.Change, error) {
			f.After, f.Limit = after, limit
			return reader.ListChanges(t.Context(), f)
		})
	}
}

func (g *garden) listLaws(t *testing.T, reader graph.Reader) {
	declarations, err := reader.Declarations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fail(t, "declarations", declarations, g.declarations)
	for _, entities := range [][]graph.EntityID{nil, {"a"}, {"a", "A", "none"}, {g.merges[0].From}, {g.merges[1].Into}} {
		got, err := reader.Merges(t.Context(), entities)
		if err != nil {
			t.Fatal(err)
		}
		fail(t, "merges", got, slices.DeleteFunc(slices.Clone(g.merges), func(m graph.Merge) bool { return !in(entities, m.From, m.Into) }))
	}
}
