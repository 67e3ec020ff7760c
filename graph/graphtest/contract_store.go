package graphtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenure/graph"
	"tenure/temporal"
)

// testStore checks what a store does with scopes and updates.
func testStore(t *testing.T, store graph.Store) {
	t.Run("a scope that does not exist is not found", func(t *testing.T) { testNoScope(t, store) })
	t.Run("a snapshot is of one transaction time", func(t *testing.T) { testSnapshot(t, store) })
	t.Run("an update that fails writes nothing", func(t *testing.T) { testRollback(t, store) })
	t.Run("a function that runs twice does no harm", func(t *testing.T) { testTwice(t, store) })
	t.Run("scopes are listed by name, in pages", func(t *testing.T) { testScopes(t, store) })
	t.Run("the backlog is of episodes not worked off", func(t *testing.T) { testBacklog(t, store) })
	t.Run("erasing a scope leaves nothing of it", func(t *testing.T) { testEraseScope(t, store) })
	t.Run("names of scopes are kept apart", func(t *testing.T) { testScopeNames(t, store) })
}

func testNoScope(t *testing.T, store graph.Store) {
	scope := newScope()
	_, snapshotErr := store.Snapshot(t.Context(), graph.View{Scope: scope})
	_, eraseErr := store.Erase(t.Context(), scope)
	touchErr := store.Touch(t.Context(), scope, []graph.ClaimID{"a"}, seasons[0])
	for what, err := range map[string]error{"snapshot": snapshotErr, "erase": eraseErr, "touch": touchErr} {
		if !isNotFound(err) {
			t.Errorf("%s: got %v, want not found", what, err)
		}
	}
	failed := errors.New("no")
	if err := store.Update(t.Context(), scope, func(w graph.Writer) error {
		if err := w.Write(t.Context(), graph.Delta{Tombstones: []string{"t"}}); err != nil {
			return err
		}
		return failed
	}); err != failed {
		t.Errorf("got %v, want the function's error", err)
	}
	if _, err := store.Snapshot(t.Context(), graph.View{Scope: scope}); !isNotFound(err) {
		t.Errorf("an update that failed began a scope: %v", err)
	}
	write(t, store, scope, func(temporal.Instant) graph.Delta { return graph.Delta{Tombstones: []string{"t"}} })
	snapshot(t, store, graph.View{Scope: scope})
}

func testSnapshot(t *testing.T, store graph.Store) {
	scope := newScope()
	believe := func(now temporal.Instant, text string) graph.Delta {
		v := graph.Version{
			ID: graph.VersionID(text), Fact: graph.ClaimID(text), Lane: graph.Lane{Subject: "x", Predicate: "p"}, Subject: "x", Predicate: "p", Object: "x",
			Text: text, Tx: temporal.Period{From: now},
		}
		return graph.Delta{Entities: []graph.Entity{{ID: "x", Name: "x"}}, Versions: []graph.Version{v}}
	}
	texts := func(r graph.Reader) string {
		versions, err := r.Versions(t.Context(), graph.VersionFilter{})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, v := range versions {
			out = append(out, v.Text)
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	one := write(t, store, scope, func(now temporal.Instant) graph.Delta { return believe(now, "one") })
	latest := snapshot(t, store, graph.View{Scope: scope})
	late := snapshot(t, store, graph.View{Scope: scope, Tx: one + 1_000_000_000_000})
	if latest.View() != (graph.View{Scope: scope, Tx: one}) {
		t.Errorf("the latest is %v, not the last update's %v", latest.View(), one)
	}
	if want := one + 1_000_000_000_000; late.View().Tx != want {
		t.Errorf("the view has %v, not the time asked for, %v", late.View().Tx, want)
	}
	two := write(t, store, scope, func(now temporal.Instant) graph.Delta { return believe(now, "two") })
	if got := texts(late) + "; " + texts(latest); got != "one; one" {
		t.Errorf("snapshots taken before an update read %q", got)
	}
	for tx, want := range map[temporal.Instant]string{one - 1: "", one: "one", two - 1: "one", two: "one two", two + 5: "one two", 0: "one two"} {
		if got := texts(snapshot(t, store, graph.View{Scope: scope, Tx: tx})); got != want {
			t.Errorf("as of %v: %q, want %q", tx, got, want)
		}
	}
}

func testRollback(t *testing.T, store graph.Store) {
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(11, 5)))
	failed := fmt.Errorf("no: %w", graph.ErrConflict)
	if err := store.Update(t.Context(), g.scope, func(w graph.Writer) error {
		more := g.clone()
		if err := more.grow(t.Context(), w, rand.New(rand.NewPCG(12, 5)), rounds); err != nil {
			return err
		}
		zone := graph.Settings{TimeZone: "Europe/Oslo"}
		if err := w.Write(t.Context(), graph.Delta{Settings: &zone, Receipts: []graph.Receipt{{Key: "k"}}, Tombstones: []string{"t"}}); err != nil {
			return err
		}
		if err := w.Destroy(t.Context(), graph.Destruction{Claims: []graph.ClaimID{"a"}, Entities: []graph.EntityID{"ß"}, Lanes: []graph.Lane{g.versions[0].Lane}}); err != nil {
			return err
		}
		return failed
	}); err != failed {
		t.Errorf("got %v, want the function's error as it is", err)
	}
	r := snapshot(t, store, graph.View{Scope: g.scope})
	compareGarden(t, r, g)
	settings, err := r.Settings(t.Context())
	_, receiptErr := r.Receipt(t.Context(), "k")
	dead, deadErr := r.Tombstones(t.Context(), []string{"t"})
	if err != nil || settings.TimeZone != "" || !isNotFound(receiptErr) || deadErr != nil || dead["t"] {
		t.Errorf("of an update that failed there is %+v %v, %v, %v %v", settings, err, receiptErr, dead, deadErr)
	}
}

// testTwice runs a function in an update that is thrown away, and again in one that is kept.
func testTwice(t *testing.T, store graph.Store) {
	scope := newScope()
	g := &garden{scope: scope}
	var next *garden
	grow := func(w graph.Writer) error {
		next = g.clone()
		return next.grow(t.Context(), w, rand.New(rand.NewPCG(13, 5)), 0)
	}
	again := errors.New("run it again")
	if err := store.Update(t.Context(), scope, func(w graph.Writer) error {
		if err := grow(w); err != nil {
			return err
		}
		return again
	}); err != again {
		t.Fatal(err)
	}
	if err := store.Update(t.Context(), scope, grow); err != nil {
		t.Fatal(err)
	}
	compareGarden(t, snapshot(t, store, graph.View{Scope: scope}), next)
}

func testScopes(t *testing.T, store graph.Store) {
	tenant := newScope().Tenant
	names := []string{"a", "A", "a.b", "a-b", "b:1", "b@x", "c", strings.Repeat("z", 128), "10", "9"}
	slices.Sort(names)
	for _, name := range append(names, "gone") {
		write(t, store, graph.Scope{Tenant: tenant, Name: name}, func(temporal.Instant) graph.Delta { return graph.Delta{Tombstones: []string{"t"}} })
	}
	write(t, store, graph.Scope{Tenant: tenant + "x", Name: "bb"}, func(temporal.Instant) graph.Delta { return graph.Delta{Tombstones: []string{"t"}} })
	if _, err := store.Erase(t.Context(), graph.Scope{Tenant: tenant, Name: "gone"}); err != nil {
		t.Fatal(err)
	}
	want := []graph.Scope{}
	for _, name := range names {
		want = append(want, graph.Scope{Tenant: tenant, Name: name})
	}
	for i := range len(names) + 1 {
		after := ""
		if i > 0 {
			after = names[i-1]
		}
		for _, limit := range []int{1, 3, 100} {
			got, err := store.Scopes(t.Context(), tenant, after, limit)
			if err != nil {
				t.Fatal(err)
			}
			fail(t, fmt.Sprintf("%d scopes after %q", limit, after), got, want[i:min(len(want), i+limit)])
		}
	}
	if none, err := store.Scopes(t.Context(), newScope().Tenant, "", 10); err != nil || len(none) > 0 {
		t.Errorf("scopes of a tenant that has none: %v, %v", none, err)
	}
}

func testBacklog(t *testing.T, store graph.Store) {
	tenant := newScope().Tenant
	want := map[graph.Scope]bool{}
	for _, status := range []graph.Status{graph.Pending, graph.Processing, graph.Failed, graph.Done, graph.Dead} {
		scope := graph.Scope{Tenant: tenant, Name: string(status)}
		want[scope] = status != graph.Done && status != graph.Dead
		write(t, store, scope, func(now temporal.Instant) graph.Delta {
			return graph.Delta{Episodes: []graph.Episode{
				{ID: "e", Status: status, Recorded: graph.Pos{Tx: now}}, {ID: "f", Status: graph.Done, Recorded: graph.Pos{Tx: now, Seq: 1}},
			}}
		})
	}
	backlog := func() map[graph.Scope]bool {
		listed, err := store.Backlog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out := map[graph.Scope]bool{}
		for _, scope := range listed {
			if scope.Tenant == tenant {
				if out[scope] {
					t.Errorf("%v is listed twice", scope)
				}
				out[scope] = true
			}
		}
		return out
	}
	got := backlog()
	for scope, open := range want {
		if got[scope] != open {
			t.Errorf("an episode that is %s: in the backlog is %v", scope.Name, got[scope])
		}
	}
	write(t, store, graph.Scope{Tenant: tenant, Name: "pending"}, func(now temporal.Instant) graph.Delta {
		return graph.Delta{Episodes: []graph.Episode{{ID: "e", Status: graph.Done, Recorded: graph.Pos{Tx: now}}}}
	})
	if backlog()[graph.Scope{Tenant: tenant, Name: "pending"}] {
		t.Error("a scope stays in the backlog when its episode is done")
	}
}

func testEraseScope(t *testing.T, store graph.Store) {
	r := rand.New(rand.NewPCG(14, 5))
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(15, 5)))
	beside := plant(t, store, newScope(), rand.New(rand.NewPCG(15, 5)))
	zone := graph.Settings{TimeZone: "Europe/Oslo"}
	write(t, store, g.scope, func(temporal.Instant) graph.Delta {
		return graph.Delta{Settings: &zone, Receipts: []graph.Receipt{{Key: "k"}}, Tombstones: []string{"t"}}
	})
	if err := store.Touch(t.Context(), g.scope, []graph.ClaimID{"a", "A"}, seasons[0]); err != nil {
		t.Fatal(err)
	}
	facts := map[graph.ClaimID]bool{}
	for _, v := range g.versions {
		facts[v.Fact] = true
	}
	want := graph.Counts{Episodes: len(g.episodes), Entities: len(g.entities), Changes: len(g.changes), Versions: len(g.versions), Facts: len(facts)}
	if got, err := store.Erase(t.Context(), g.scope); err != nil || got != want {
		t.Errorf("erased %+v, %v; want %+v", got, err, want)
	}
	if _, err := store.Snapshot(t.Context(), graph.View{Scope: g.scope}); !isNotFound(err) {
		t.Errorf("a scope that was erased: %v", err)
	}
	if _, err := store.Erase(t.Context(), g.scope); !isNotFound(err) {
		t.Errorf("a scope that was erased, erased again: %v", err)
	}
	compareGarden(t, snapshot(t, store, graph.View{Scope: beside.scope}), beside)

	// Its name is free for another one, which begins with nothing.
	again := &garden{scope: g.scope}
	now := write(t, store, g.scope, func(now temporal.Instant) graph.Delta {
		again.entities = []graph.Entity{again.entity(r, 0)}
		return graph.Delta{Entities: again.entities}
	})
	if last := g.times[len(g.times)-1]; now <= last {
		t.Errorf("a scope begun again is at %v, not after %v", now, last)
	}
	reader := snapshot(t, store, graph.View{Scope: g.scope})
	compareGarden(t, reader, again)
	settings, err1 := reader.Settings(t.Context())
	_, receiptErr := reader.Receipt(t.Context(), "k")
	dead, err2 := reader.Tombstones(t.Context(), []string{"t"})
	used, err3 := reader.Used(t.Context(), []graph.ClaimID{"a", "A"})
	hits, err4 := reader.SearchEpisodes(t.Context(), graph.Query{Text: "planted", Limit: 5})
	if err := errors.Join(err1, err2, err3, err4); err != nil || settings.TimeZone != "" || !isNotFound(receiptErr) || dead["t"] || len(used)+len(hits) > 0 {
		t.Errorf("a scope begun again has %+v, %v, %v, %v, %v; %v", settings, receiptErr, dead, used, hits, err)
	}
}

// testScopeNames keeps the same ids in scopes whose tenants and names run together.
func testScopeNames(t *testing.T, store graph.Store) {
	base := newScope()
	scopes := []graph.Scope{
		{Tenant: base.Tenant, Name: "ab"}, {Tenant: base.Tenant + "a", Name: "b"}, {Tenant: base.Tenant, Name: "AB"}, {Tenant: base.Tenant + "/ab", Name: "ab"},
		{Tenant: base.Tenant, Name: "ab."}, {Tenant: strings.ToUpper(base.Tenant), Name: "ab"},
	}
	for i, scope := range scopes {
		write(t, store, scope, func(temporal.Instant) graph.Delta {
			return graph.Delta{Entities: []graph.Entity{{ID: "x", Name: fmt.Sprint(i), Keys: []string{"k"}}}}
		})
	}
	for i, scope := range scopes {
		got, err := snapshot(t, store, graph.View{Scope: scope}).EntitiesByKey(t.Context(), []string{"k"})
		if err != nil {
			t.Fatal(err)
		}
		fail(t, fmt.Sprint(scope), got, []graph.Entity{{ID: "x", Name: fmt.Sprint(i), Keys: []string{"k"}}})
	}
}
