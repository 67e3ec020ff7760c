package graphtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tenure/graph"
	"tenure/temporal"
)

// call is one method of the contract, asked for anything.
type call struct {
	name string
	do   func(context.Context) error
}

func drop[T any](_ T, err error) error { return err }

func storeCalls(s graph.Store, scope graph.Scope) []call {
	return []call{
		{"Snapshot", func(ctx context.Context) error { return drop(s.Snapshot(ctx, graph.View{Scope: scope})) }},
		{"Update", func(ctx context.Context) error {
			return s.Update(ctx, scope, func(w graph.Writer) error { return w.Write(ctx, graph.Delta{Tombstones: []string{"t"}}) })
		}},
		{"Erase", func(ctx context.Context) error { return drop(s.Erase(ctx, scope)) }},
		{"Scopes", func(ctx context.Context) error { return drop(s.Scopes(ctx, scope.Tenant, "", 1)) }},
		{"Backlog", func(ctx context.Context) error { return drop(s.Backlog(ctx)) }},
		{"Touch", func(ctx context.Context) error { return s.Touch(ctx, scope, []graph.ClaimID{"a"}, seasons[0]) }},
	}
}

func readerCalls(r graph.Reader) []call {
	return []call{
		{"Settings", func(ctx context.Context) error { return drop(r.Settings(ctx)) }},
		{"Counts", func(ctx context.Context) error { return drop(r.Counts(ctx)) }},
		{"Tombstones", func(ctx context.Context) error { return drop(r.Tombstones(ctx, []string{"t"})) }},
		{"Receipt", func(ctx context.Context) error { return drop(r.Receipt(ctx, "k")) }},
		{"Entities", func(ctx context.Context) error { return drop(r.Entities(ctx, []graph.EntityID{"a"})) }},
		{"EntitiesByKey", func(ctx context.Context) error { return drop(r.EntitiesByKey(ctx, []string{"a"})) }},
		{"ListEntities", func(ctx context.Context) error { return drop(r.ListEntities(ctx, graph.EntityFilter{})) }},
		{"Versions", func(ctx context.Context) error { return drop(r.Versions(ctx, graph.VersionFilter{})) }},
		{"VersionsOf", func(ctx context.Context) error { return drop(r.VersionsOf(ctx, []graph.ClaimID{"a"})) }},
		{"Around", func(ctx context.Context) error { return drop(r.Around(ctx, []graph.EntityID{"a"}, 0, 1)) }},
		{"Used", func(ctx context.Context) error { return drop(r.Used(ctx, []graph.ClaimID{"a"})) }},
		{"Claims", func(ctx context.Context) error { return drop(r.Claims(ctx, []graph.ClaimID{"a"})) }},
		{"ListClaims", func(ctx context.Context) error { return drop(r.ListClaims(ctx, graph.ClaimFilter{})) }},
		{"ListPlacements", func(ctx context.Context) error { return drop(r.ListPlacements(ctx, graph.PlacementFilter{})) }},
		{"ListEffects", func(ctx context.Context) error { return drop(r.ListEffects(ctx, graph.EffectFilter{})) }},
		{"Changes", func(ctx context.Context) error { return drop(r.Changes(ctx, []graph.ChangeID{"a"})) }},
		{"ListChanges", func(ctx context.Context) error { return drop(r.ListChanges(ctx, graph.ChangeFilter{})) }},
		{"Declarations", func(ctx context.Context) error { return drop(r.Declarations(ctx)) }},
		{"Merges", func(ctx context.Context) error { return drop(r.Merges(ctx, nil)) }},
		{"Episodes", func(ctx context.Context) error { return drop(r.Episodes(ctx, []graph.EpisodeID{"a"})) }},
		{"ListEpisodes", func(ctx context.Context) error { return drop(r.ListEpisodes(ctx, graph.EpisodeFilter{})) }},
		{"SearchFacts", func(ctx context.Context) error {
			return drop(r.SearchFacts(ctx, graph.Query{Text: "planted", Limit: 1}))
		}},
		{"SearchEpisodes", func(ctx context.Context) error {
			return drop(r.SearchEpisodes(ctx, graph.Query{Text: "planted", Limit: 1}))
		}},
		{"Rarity", func(ctx context.Context) error { return drop(r.Rarity(ctx, []string{"plant"})) }},
	}
}

// testContexts checks that a call whose context has ended says so and does nothing.
func testContexts(t *testing.T, store graph.Store) {
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(16, 5)))
	reader := snapshot(t, store, graph.View{Scope: g.scope})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithTimeout(t.Context(), -time.Second)
	defer stop()
	for want, ctx := range map[error]context.Context{context.Canceled: cancelled, context.DeadlineExceeded: late} {
		for _, c := range append(storeCalls(store, g.scope), readerCalls(reader)...) {
			if err := c.do(ctx); !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", c.name, err, want)
			}
		}
		if err := store.Update(t.Context(), g.scope, func(w graph.Writer) error {
			calls := append(readerCalls(w), call{"Write", func(ctx context.Context) error { return w.Write(ctx, graph.Delta{Tombstones: []string{"t"}}) }},
				call{"Destroy", func(ctx context.Context) error {
					return w.Destroy(ctx, graph.Destruction{Claims: []graph.ClaimID{"a"}})
				}})
			for _, c := range calls {
				if err := c.do(ctx); !errors.Is(err, want) {
					t.Errorf("%s of an update: got %v, want %v", c.name, err, want)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	// A context that ends while the function runs, even as its last act, takes the update with it.
	running, end := context.WithCancel(t.Context())
	err := store.Update(running, g.scope, func(w graph.Writer) error {
		defer end()
		return w.Destroy(t.Context(), graph.Destruction{Claims: []graph.ClaimID{"a"}, Lanes: []graph.Lane{g.versions[0].Lane}})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an update whose context ended: got %v", err)
	}
	compareGarden(t, snapshot(t, store, graph.View{Scope: g.scope}), g)
}

// testClose checks that nothing can be done with a store that is closed, and that closing waits for what runs.
func testClose(t *testing.T, open Open) {
	home := t.TempDir()
	store := open(t, home, temporal.SystemClock{})
	g := plant(t, store, newScope(), rand.New(rand.NewPCG(17, 5)))
	reader := snapshot(t, store, graph.View{Scope: g.scope})
	inside, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- store.Update(t.Context(), g.scope, func(w graph.Writer) error {
			select {
			case <-inside:
			default:
				close(inside)
			}
			for i := range 20 { // long enough that Close comes between
				if err := w.Write(t.Context(), graph.Delta{Tombstones: []string{fmt.Sprint("t", i)}}); err != nil {
					return err
				}
			}
			return nil
		})
	}()
	<-inside
	if err := store.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("an update that ran when the store was closed: %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the store was closed before an update had ended")
	}
	if err := store.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
	for _, c := range append(storeCalls(store, g.scope), readerCalls(reader)...) {
		if err := c.do(t.Context()); !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("%s after Close: got %v, want unavailable", c.name, err)
		}
	}
	again := open(t, home, temporal.SystemClock{})
	defer again.Close()
	r := snapshot(t, again, graph.View{Scope: g.scope})
	compareGarden(t, r, g)
	if dead, err := r.Tombstones(t.Context(), []string{"t19"}); err != nil || !dead["t19"] {
		t.Errorf("the update that ran when the store was closed is lost: %v, %v", dead, err)
	}
}

// testRestart checks that a store opened again holds what it held: rows, order, clock and words.
func testRestart(t *testing.T, open Open) {
	home, scope := t.TempDir(), newScope()
	store := open(t, home, temporal.SystemClock{})
	g := plant(t, store, scope, rand.New(rand.NewPCG(18, 5)))
	if _, err := play(t.Context(), store, newScope(), newHistory(19, 6, everyDeed)); err != nil {
		t.Fatal(err)
	}
	told := newScope()
	write(t, store, told, func(now temporal.Instant) graph.Delta {
		return graph.Delta{Entities: []graph.Entity{entity("Ann")}, Versions: fillers(0, 50, now), Episodes: []graph.Episode{told1(0, "The letter.", now)}}
	})
	query := graph.Query{Text: "letter about the garden", Limit: 10}
	type answer struct {
		text     string
		facts    []graph.FactHit
		episodes []graph.EpisodeHit
		rarity   map[string]float64
		view     graph.View
	}
	ask := func(s graph.Store) answer {
		r, w := snapshot(t, s, graph.View{Scope: scope}), snapshot(t, s, graph.View{Scope: told})
		text, err1 := dump(t.Context(), r)
		rarity, err2 := w.Rarity(t.Context(), []string{"letter", "garden"})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		compareGarden(t, r, g)
		return answer{text, searchFacts(t, w, query), searchEpisodes(t, w, query), rarity, r.View()}
	}
	before := ask(store)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	// The machine's clock went back meanwhile, and stands.
	store = open(t, home, temporal.NewFixed(instant("2001-01-01")))
	defer store.Close()
	after := ask(store)
	fail(t, "after a restart", []any{after.text, after.facts, after.episodes, after.rarity, after.view}, []any{before.text, before.facts, before.episodes, before.rarity, before.view})
	last := before.view.Tx
	for range 3 {
		now := write(t, store, scope, func(temporal.Instant) graph.Delta { return graph.Delta{Tombstones: []string{"t"}} })
		if now <= last {
			t.Errorf("with a clock that went back an update is at %v, not after %v", now, last)
		}
		last = now
	}
}

// testClock checks that times follow the clock, and go on where it stands still or goes back.
func testClock(t *testing.T, open Open) {
	clock := temporal.NewFixed(instant("2001-01-01T00:00:00.000007Z"))
	store := open(t, t.TempDir(), clock)
	defer store.Close()
	update := func() temporal.Instant {
		return write(t, store, newScope(), func(temporal.Instant) graph.Delta { return graph.Delta{Tombstones: []string{"t"}} })
	}
	last := update()
	for _, now := range []temporal.Instant{clock.Now(), clock.Now() - 1_000_000, clock.Now() + 1, clock.Now()} {
		clock.Set(now)
		for range 2 {
			next := update()
			if next <= last {
				t.Errorf("the clock says %v and an update is at %v, not after %v", now, next, last)
			}
			last = next
		}
	}
}
