package graphtest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenure/graph"
	"tenure/temporal"
)

func isNotFound(err error) bool { return errors.Is(err, graph.ErrNotFound) }

// write writes a delta in one update and returns its time.
func write(t *testing.T, store graph.Store, scope graph.Scope, make func(now temporal.Instant) graph.Delta) temporal.Instant {
	t.Helper()
	var now temporal.Instant
	if err := store.Update(t.Context(), scope, func(w graph.Writer) error {
		now = w.Now()
		return w.Write(t.Context(), make(now))
	}); err != nil {
		t.Fatal(err)
	}
	return now
}

// testRows checks that rows are kept exactly, and are the caller's.
func testRows(t *testing.T, store graph.Store) {
	t.Run("of every kind are kept as they were written", func(t *testing.T) { testKept(t, store) })
	t.Run("are left out if they are not there", func(t *testing.T) { testAbsent(t, store) })
	t.Run("keep metadata, texts and times exactly", func(t *testing.T) { testExact(t, store) })
	t.Run("are the caller's to change", func(t *testing.T) { testOwned(t, store) })
	t.Run("replace those of the same id", func(t *testing.T) { testReplaced(t, store) })
	t.Run("are read by the update that wrote them", func(t *testing.T) { testReadOwn(t, store) })
	t.Run("are destroyed for good", func(t *testing.T) { testDestroy(t, store) })
	t.Run("settings, receipts and tombstones are kept", func(t *testing.T) { testKeepsakes(t, store) })
}

// compareGarden compares all rows of a scope with those planted.
func compareGarden(t *testing.T, r graph.Reader, g *garden) {
	t.Helper()
	ctx := t.Context()
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	entities := byIDOf(g.entities, func(e graph.Entity) graph.EntityID { return e.ID })
	gotEntities, err := r.Entities(ctx, keysOf(entities))
	fatal(err)
	fail(t, "entities", gotEntities, entities)
	episodes := byIDOf(g.episodes, func(e graph.Episode) graph.EpisodeID { return e.ID })
	gotEpisodes, err := r.Episodes(ctx, keysOf(episodes))
	fatal(err)
	fail(t, "episodes", gotEpisodes, episodes)
	claims := byIDOf(g.claims, func(c graph.Claim) graph.ClaimID { return c.ID })
	gotClaims, err := r.Claims(ctx, keysOf(claims))
	fatal(err)
	fail(t, "claims", gotClaims, claims)
	changes := byIDOf(g.changes, func(c graph.Change) graph.ChangeID { return c.ID })
	gotChanges, err := r.Changes(ctx, keysOf(changes))
	fatal(err)
	fail(t, "changes", gotChanges, changes)
	placements, err := r.ListPlacements(ctx, graph.PlacementFilter{})
	fatal(err)
	byPlacement := func(p graph.Placement) graph.PlacementID { return p.ID }
	fail(t, "placements", byIDOf(placements, byPlacement), byIDOf(g.placements, byPlacement))
	effects, err := r.ListEffects(ctx, graph.EffectFilter{})
	fatal(err)
	if len(effects) != len(g.effects) {
		t.Errorf("%d effects, want %d", len(effects), len(g.effects))
	}
	declarations, err := r.Declarations(ctx)
	fatal(err)
	fail(t, "declarations", declarations, g.declarations)
	merges, err := r.Merges(ctx, nil)
	fatal(err)
	fail(t, "merges", merges, g.merges)
	var facts []graph.ClaimID
	for _, v := range g.versions {
		facts = union(facts, []graph.ClaimID{v.Fact})
	}
	versions, err := r.VersionsOf(ctx, facts)
	fatal(err)
	byVersion := func(v graph.Version) graph.VersionID { return v.ID }
	fail(t, "versions", byIDOf(versions, byVersion), byIDOf(g.then(r.View().Tx), byVersion))
}

func testKept(t *testing.T, store graph.Store) {
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(3, 5)))
	compareGarden(t, snapshot(t, store, graph.View{Scope: g.scope}), g)
}

func testAbsent(t *testing.T, store graph.Store) {
	// What is in one scope is in no other, of the same tenant or of another one with a scope of the same name.
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(4, 5)))
	for _, scope := range []graph.Scope{{Tenant: g.scope.Tenant, Name: newScope().Name}, {Tenant: newScope().Tenant, Name: g.scope.Name}} {
		write(t, store, scope, func(temporal.Instant) graph.Delta { return graph.Delta{Tombstones: []string{"only this"}} })
		r := snapshot(t, store, graph.View{Scope: scope})
		compareGarden(t, r, &garden{scope: scope})
		claims, err := r.Claims(t.Context(), []graph.ClaimID{g.claims[0].ID})
		if err != nil || len(claims) > 0 {
			t.Errorf("a claim of another scope: %v, %v", claims, err)
		}
		hits, err := r.SearchFacts(t.Context(), graph.Query{Text: "planted", Limit: 10})
		if err != nil || len(hits) > 0 {
			t.Errorf("facts of another scope: %v, %v", hits, err)
		}
		if n, err := r.Counts(t.Context()); err != nil || n != (graph.Counts{}) {
			t.Errorf("counts of an empty scope: %v, %v", n, err)
		}
	}
}

func testExact(t *testing.T, store graph.Store) {
	scope := newScope()
	first, last := instant("0001-01-01T00:00:00Z"), instant("9998-12-31T23:59:59.999999Z")
	metadata := `{"a": {"b": [1, {"c": 2.5}], "": null}, "n": 12345678901234567, "text": "\u0000é🙂"}`
	zero := 0.0
	long := strings.Repeat("Ein langer Text, 長い文, ", 8<<10)
	episode := graph.Episode{
		ID: "e", Text: "line\r\n\ttab \u0001\u2028 🙂 " + long, Metadata: json.RawMessage(metadata), Occurred: first, Status: graph.Done,
		Outcome: graph.Outcome{
			Changes: []graph.ChangeID{"h"}, Dropped: []graph.Dropped{{Claim: "c", Reason: "why"}}, Usage: graph.Usage{LLMCalls: 2, TokensIn: 1 << 40, TokensOut: 3},
		},
	}
	claim := graph.Claim{ID: "c", Importance: &zero, Valid: temporal.Period{From: first, To: last}, HoldsAt: last, Logged: graph.Pos{Tx: first + 1, Seq: 1 << 30}}
	bare := graph.Claim{ID: "bare"}
	write(t, store, scope, func(now temporal.Instant) graph.Delta {
		episode.Recorded, claim.Rec = graph.Pos{Tx: now}, graph.Pos{Tx: now}
		return graph.Delta{Episodes: []graph.Episode{episode}, Claims: []graph.Claim{claim, bare}}
	})
	r := snapshot(t, store, graph.View{Scope: scope})
	episodes, err := r.Episodes(t.Context(), []graph.EpisodeID{"e"})
	if err != nil {
		t.Fatal(err)
	}
	got := episodes["e"]
	fail(t, "metadata", parsed(t, got.Metadata), parsed(t, episode.Metadata))
	got.Metadata, episode.Metadata = nil, nil
	fail(t, "episode", got, episode)
	claims, err := r.Claims(t.Context(), []graph.ClaimID{"c", "bare"})
	if err != nil {
		t.Fatal(err)
	}
	fail(t, "claims", claims, map[graph.ClaimID]graph.Claim{"c": claim, "bare": bare})
	if claims["bare"].Importance != nil {
		t.Error("an importance that nobody gave came back")
	}
}

// parsed is JSON without regard to its form; numbers keep all their digits.
func parsed(t *testing.T, text json.RawMessage) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// scribble overwrites all that a value points to.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			scribble(v.Field(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			item := reflect.New(v.Type().Elem()).Elem()
			item.Set(v.MapIndex(key))
			scribble(item)
			v.SetMapIndex(key, item)
		}
	default:
		if v.CanSet() {
			v.SetZero()
		}
	}
}

func testOwned(t *testing.T, store graph.Store) {
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(5, 5)))
	r := snapshot(t, store, graph.View{Scope: g.scope})
	ctx := t.Context()
	for range 2 {
		claims, err1 := r.ListClaims(ctx, graph.ClaimFilter{})
		entities, err2 := r.ListEntities(ctx, graph.EntityFilter{})
		changes, err3 := r.ListChanges(ctx, graph.ChangeFilter{})
		effects, err4 := r.ListEffects(ctx, graph.EffectFilter{})
		declarations, err5 := r.Declarations(ctx)
		episodes, err6 := r.ListEpisodes(ctx, graph.EpisodeFilter{})
		byID, err7 := r.Claims(ctx, []graph.ClaimID{"a", "A"})
		versions, err8 := r.Versions(ctx, graph.VersionFilter{})
		if err := errors.Join(err1, err2, err3, err4, err5, err6, err7, err8); err != nil {
			t.Fatal(err)
		}
		for _, all := range []any{claims, entities, changes, effects, declarations, episodes, byID, versions} {
			scribble(reflect.ValueOf(all))
		}
		compareGarden(t, r, g)
	}
}

func testReplaced(t *testing.T, store graph.Store) {
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(6, 5)))
	r := rand.New(rand.NewPCG(7, 5))
	write(t, store, g.scope, func(now temporal.Instant) graph.Delta {
		at := graph.Pos{Tx: now}
		for i := range 6 { // the same ids with other contents
			g.entities[i], g.episodes[i], g.changes[i] = g.entity(r, i), g.episode(r, i, at), g.change(r, i, at)
			g.claims[i], g.placements[i], g.versions[i] = g.claim(r, i, at), g.placement(r, i, at), g.version(r, i, now)
			// which row has which id is not the order of the lists
			g.placements[i].ID, g.versions[i].ID = graph.PlacementID(name(i)), graph.VersionID(name(i))
		}
		g.placements = unique(g.placements, func(p graph.Placement) graph.PlacementID { return p.ID })
		g.versions = unique(g.versions, func(v graph.Version) graph.VersionID { return v.ID })
		return graph.Delta{
			Entities: g.entities[:6], Episodes: g.episodes[:6], Changes: g.changes[:6], Claims: g.claims[:6], Placements: g.placements[:6], Versions: g.versions[:6],
		}
	})
	compareGarden(t, snapshot(t, store, graph.View{Scope: g.scope}), g)
}

// unique keeps the first row of each id.
func unique[K comparable, V any](rows []V, id func(V) K) []V {
	seen := map[K]bool{}
	return slices.DeleteFunc(rows, func(row V) bool {
		twice := seen[id(row)]
		seen[id(row)] = true
		return twice
	})
}

func testReadOwn(t *testing.T, store graph.Store) {
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(8, 5)))
	drop := errors.New("not to be kept")
	err := store.Update(t.Context(), g.scope, func(w graph.Writer) error {
		more := g.clone()
		if err := more.grow(t.Context(), w, rand.New(rand.NewPCG(9, 5)), rounds); err != nil {
			return err
		}
		if w.View().Tx != w.Now() || w.View().Scope != g.scope {
			t.Errorf("an update reads %v, not %v", w.View(), w.Now())
		}
		compareGarden(t, w, more)
		hits, err := w.SearchFacts(t.Context(), graph.Query{Text: "planted", Limit: 1000})
		if err != nil {
			return err
		}
		if want := len(more.shown(w.Now())); len(hits) == 0 || len(hits) > want {
			t.Errorf("an update finds %d facts of %d", len(hits), want)
		}
		if err := w.Destroy(t.Context(), graph.Destruction{Claims: []graph.ClaimID{"a"}}); err != nil {
			return err
		}
		if left, err := w.Claims(t.Context(), []graph.ClaimID{"a"}); err != nil || len(left) > 0 {
			t.Errorf("an update still reads what it destroyed: %v, %v", left, err)
		}
		return drop
	})
	if err != drop {
		t.Errorf("got error %v, want the function's", err)
	}
	compareGarden(t, snapshot(t, store, graph.View{Scope: g.scope}), g)
}

// shown are the versions that are believed at a time and not hidden.
func (g *garden) shown(tx temporal.Instant) []graph.Version {
	return slices.DeleteFunc(g.then(tx), func(v graph.Version) bool { return !v.Tx.Open() || v.Hidden })
}

func testDestroy(t *testing.T, store graph.Store) {
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(10, 5)))
	beside := plant(t, store, newScope(), rand.New(rand.NewPCG(10, 5)))
	d := graph.Destruction{
		Claims: []graph.ClaimID{"a", "ß", "is not there"}, Changes: []graph.ChangeID{"A", g.merges[0].Change}, Episodes: []graph.EpisodeID{"E\u0301", "🙂"},
		Entities: []graph.EntityID{"n40", "日本語"}, Lanes: []graph.Lane{g.versions[0].Lane, g.placements[1].Lane},
	}
	g.destroy(d)
	if err := store.Update(t.Context(), g.scope, func(w graph.Writer) error { return w.Destroy(t.Context(), d) }); err != nil {
		t.Fatal(err)
	}
	compareGarden(t, snapshot(t, store, graph.View{Scope: g.scope}), g)
	compareGarden(t, snapshot(t, store, graph.View{Scope: beside.scope}), beside)
}

func (g *garden) destroy(d graph.Destruction) {
	g.claims = slices.DeleteFunc(g.claims, func(c graph.Claim) bool { return slices.Contains(d.Claims, c.ID) })
	g.changes = slices.DeleteFunc(g.changes, func(c graph.Change) bool { return slices.Contains(d.Changes, c.ID) })
	g.episodes = slices.DeleteFunc(g.episodes, func(e graph.Episode) bool { return slices.Contains(d.Episodes, e.ID) })
	g.entities = slices.DeleteFunc(g.entities, func(e graph.Entity) bool { return slices.Contains(d.Entities, e.ID) })
	g.effects = slices.DeleteFunc(g.effects, func(e graph.Effect) bool {
		return slices.Contains(d.Claims, e.Claim) || slices.Contains(d.Claims, e.Cause) || slices.Contains(d.Changes, e.Change)
	})
	g.merges = slices.DeleteFunc(g.merges, func(m graph.Merge) bool { return slices.Contains(d.Changes, m.Change) })
	g.declarations = slices.DeleteFunc(g.declarations, func(x graph.Declaration) bool { return slices.Contains(d.Changes, x.Change) })
	g.placements = slices.DeleteFunc(g.placements, func(p graph.Placement) bool { return slices.Contains(d.Lanes, p.Lane) })
	g.versions = slices.DeleteFunc(g.versions, func(v graph.Version) bool { return slices.Contains(d.Lanes, v.Lane) })
}

func testKeepsakes(t *testing.T, store graph.Store) {
	scope := newScope()
	write(t, store, scope, func(temporal.Instant) graph.Delta {
		return graph.Delta{Entities: []graph.Entity{{ID: "x", Name: "x"}}}
	})
	ctx := t.Context()
	r := snapshot(t, store, graph.View{Scope: scope})
	if got, err := r.Settings(ctx); err != nil || !reflect.DeepEqual(got, graph.Settings{}) {
		t.Errorf("settings at first: %+v, %v", got, err)
	}
	if _, err := r.Receipt(ctx, "key"); !isNotFound(err) {
		t.Errorf("no receipt: %v", err)
	}
	settings := graph.Settings{
		Self: graph.Named{ID: "x", Name: "Dana", Kind: "person"}, Includes: []string{"acme-kb", "É|x"}, TimeZone: "Europe/Berlin", Registry: "1",
		Weights: &graph.Weights{Similarity: .5, Recency: .125, Importance: 1, HalfLifeDays: 30}, Retention: json.RawMessage(`{"semantic":{"days":90}}`),
	}
	for i, receipt := range []graph.Receipt{
		{Key: "key", Hash: "h1", Tx: seasons[1], Episodes: []graph.EpisodeID{"e|1", "e2"}},
		{Key: "key", Hash: "h2", Tx: seasons[2], Results: []graph.ReceiptResult{{Outcome: "asserted", Claim: "c", Fact: graph.Seen{Fact: "f", Version: "v"}, Ended: []graph.Seen{{Fact: "g"}}, Change: "h"}, {}}},
		{Key: "KEY " + strings.Repeat("k", 100), Hash: "h3", Tx: seasons[3]},
	} {
		write(t, store, scope, func(temporal.Instant) graph.Delta {
			return graph.Delta{Settings: &settings, Receipts: []graph.Receipt{receipt}, Tombstones: []string{"t1", awkward[i], "t1"}}
		})
		r := snapshot(t, store, graph.View{Scope: scope})
		got, err := r.Receipt(ctx, receipt.Key)
		if err != nil {
			t.Fatal(err)
		}
		fail(t, "receipt", got, receipt)
		dead, err := r.Tombstones(ctx, []string{"t1", awkward[i], "T1", ""})
		if err != nil {
			t.Fatal(err)
		}
		maps.DeleteFunc(dead, func(_ string, yes bool) bool { return !yes })
		fail(t, "tombstones", dead, map[string]bool{"t1": true, awkward[i]: true})
	}
	got, err := snapshot(t, store, graph.View{Scope: scope}).Settings(context.WithoutCancel(ctx))
	if err != nil {
		t.Fatal(err)
	}
	fail(t, "settings", got, settings)
}
