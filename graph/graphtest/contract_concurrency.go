package graphtest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// testConcurrency checks updates that run at the same time, from one store and from two that have the same data open, as two
// processes would.
func testConcurrency(t *testing.T, open Open) {
	home := t.TempDir()
	stores := []graph.Store{open(t, home, temporal.SystemClock{}), open(t, home, temporal.SystemClock{})}
	t.Cleanup(func() {
		for _, s := range stores {
			s.Close()
		}
	})
	t.Run("no update is lost", func(t *testing.T) { testLostUpdates(t, stores) })
	t.Run("a slot never has two open facts", func(t *testing.T) { testOneSlot(t, stores) })
	t.Run("transaction times are one row for the whole store", func(t *testing.T) { testTimes(t, stores) })
	t.Run("updates are seen in the order of their times", func(t *testing.T) { testVisibility(t, stores) })
	t.Run("readers and writers of many scopes do not cross", func(t *testing.T) { testCrossing(t, stores) })
}

const writers, turns = 8, 6

// testLostUpdates counts in the settings: each update reads the count and writes one more.
func testLostUpdates(t *testing.T, stores []graph.Store) {
	scope := newScope()
	var group errgroup.Group
	for i := range writers {
		group.Go(func() error {
			for range turns {
				if err := stores[i%2].Update(t.Context(), scope, func(w graph.Writer) error {
					s, err := w.Settings(t.Context())
					if err != nil {
						return err
					}
					n, _ := strconv.Atoi(s.TimeZone)
					s.TimeZone = strconv.Itoa(n + 1)
					return w.Write(t.Context(), graph.Delta{Settings: &s})
				}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, store := range stores {
		s, err := snapshot(t, store, graph.View{Scope: scope}).Settings(t.Context())
		if err != nil || s.TimeZone != strconv.Itoa(writers*turns) {
			t.Errorf("counted to %q, %v; want %d", s.TimeZone, err, writers*turns)
		}
	}
}

// testOneSlot has several writers claim one slot through the ledger.
func testOneSlot(t *testing.T, stores []graph.Store) {
	scope := newScope()
	subject := entity("Globex")
	var group errgroup.Group
	for i := range writers {
		group.Go(func() error {
			for turn := range turns {
				object := entity(fmt.Sprintf("Plan %d", i))
				c := graph.Claim{
					ID: graph.ClaimID(fmt.Sprintf("c%d.%d", i, turn)), Kind: graph.Assert, Subject: subject.ID, Predicate: "on_plan", Object: object.ID, Trust: graph.Stated,
					Valid: temporal.Period{From: seasons[0] + temporal.Instant((i*7+turn*5)%11)},
				}
				if err := stores[(i+turn)%2].Update(t.Context(), scope, func(w graph.Writer) error {
					s, err := ledger.Begin(t.Context(), w)
					if err != nil {
						return err
					}
					s.AddEntities(subject, object)
					if _, err := s.Assert(t.Context(), ledger.Op{Change: graph.ChangeID(c.ID)}, c); err != nil {
						return err
					}
					return s.Commit(t.Context())
				}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	latest := snapshot(t, stores[0], graph.View{Scope: scope})
	claims, err := latest.ListClaims(t.Context(), graph.ClaimFilter{})
	if err != nil || len(claims) != writers*turns {
		t.Fatalf("%d claims were logged, %v; want %d", len(claims), err, writers*turns)
	}
	for _, c := range claims {
		versions, err := snapshot(t, stores[1], graph.View{Scope: scope, Tx: c.Logged.Tx}).Versions(t.Context(), graph.VersionFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range versions {
			if i+1 < len(versions) && v.Valid.Overlaps(versions[i+1].Valid) {
				t.Errorf("as of %v, facts %s and %s hold at once", c.Logged.Tx, v.Fact, versions[i+1].Fact)
			}
		}
		if len(versions) == 0 || !versions[len(versions)-1].Valid.Open() {
			t.Errorf("as of %v, nothing holds", c.Logged.Tx)
		}
	}
}

// testTimes collects the times of updates of several scopes through both stores, one after another and at once.
func testTimes(t *testing.T, stores []graph.Store) {
	scopes := []graph.Scope{newScope(), newScope(), newScope()}
	update := func(i int) (temporal.Instant, error) {
		var now temporal.Instant
		err := stores[i%2].Update(t.Context(), scopes[i%3], func(w graph.Writer) error {
			now = w.Now()
			return w.Write(t.Context(), graph.Delta{Tombstones: []string{fmt.Sprint(i)}})
		})
		return now, err
	}
	last := temporal.Instant(0)
	for i := range 12 {
		now, err := update(i)
		if err != nil {
			t.Fatal(err)
		}
		if now <= last {
			t.Errorf("update %d is at %v, not after %v", i, now, last)
		}
		last = now
	}
	var mu sync.Mutex
	var times []temporal.Instant
	var group errgroup.Group
	for i := range writers {
		group.Go(func() error {
			mine := last
			for turn := range turns {
				now, err := update(i + turn)
				if err != nil {
					return err
				}
				if now <= mine {
					return fmt.Errorf("an update is at %v, not after %v", now, mine)
				}
				mine = now
				mu.Lock()
				times = append(times, now)
				mu.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(times)
	if n := len(slices.Compact(times)); n != writers*turns {
		t.Errorf("%d updates had %d times", writers*turns, n)
	}
}

// testVisibility reads while others write: who sees an update sees all that were before it.
func testVisibility(t *testing.T, stores []graph.Store) {
	scope := newScope()
	add := func(store graph.Store, id string) error {
		return store.Update(t.Context(), scope, func(w graph.Writer) error {
			n, err := w.Counts(t.Context())
			if err != nil {
				return err
			}
			// The name says how many were there before.
			return w.Write(t.Context(), graph.Delta{Entities: []graph.Entity{{ID: graph.EntityID(id), Name: strconv.Itoa(n.Entities)}}})
		})
	}
	if err := add(stores[0], "first"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var group errgroup.Group
	var reading sync.WaitGroup
	for _, store := range stores {
		reading.Go(func() { watch(ctx, t, store, scope) })
	}
	for i := range writers {
		group.Go(func() error {
			for turn := range turns {
				if err := add(stores[i%2], fmt.Sprintf("%d.%d", i, turn)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := group.Wait()
	stop()
	reading.Wait()
	if err != nil {
		t.Fatal(err)
	}
}

// watch reads a scope until its context ends: never less than before, and never an update without those before it.
func watch(ctx context.Context, t *testing.T, store graph.Store, scope graph.Scope) {
	last, seen := temporal.Instant(0), 0
	for ctx.Err() == nil {
		r, err := store.Snapshot(ctx, graph.View{Scope: scope})
		if err != nil {
			continue
		}
		entities, err := r.ListEntities(ctx, graph.EntityFilter{})
		if err != nil {
			continue
		}
		if r.View().Tx < last || len(entities) < seen {
			t.Errorf("went back from %v with %d to %v with %d", last, seen, r.View().Tx, len(entities))
		}
		last, seen = r.View().Tx, len(entities)
		have := map[string]bool{}
		for _, e := range entities {
			have[e.Name] = true
		}
		for i := range len(entities) {
			if !have[strconv.Itoa(i)] {
				t.Errorf("of %d updates number %d is not seen", len(entities), i)
			}
		}
	}
}

// testCrossing writes and reads the same ids in many scopes at once.
func testCrossing(t *testing.T, stores []graph.Store) {
	var group errgroup.Group
	for i := range writers {
		scope := newScope()
		group.Go(func() error {
			for turn := range turns {
				store := stores[turn%2]
				text := fmt.Sprintf("word%d of %s", turn, scope.Name)
				if err := store.Update(t.Context(), scope, func(w graph.Writer) error {
					return w.Write(t.Context(), graph.Delta{
						Entities: []graph.Entity{{ID: "x", Name: scope.Name}},
						Versions: []graph.Version{{
							ID: graph.VersionID(fmt.Sprint(turn)), Fact: "f", Subject: "x", Predicate: "p", Object: "x", Text: text, Tx: temporal.Period{From: w.Now()},
							Lane: graph.Lane{Subject: "x", Predicate: "p", Object: graph.EntityID(fmt.Sprint(turn))}, Valid: temporal.Period{From: seasons[0] + temporal.Instant(turn)},
						}},
					})
				}); err != nil {
					return err
				}
				r, err := stores[i%2].Snapshot(t.Context(), graph.View{Scope: scope})
				if err != nil {
					return err
				}
				hits, err := r.SearchFacts(t.Context(), graph.Query{Text: fmt.Sprintf("word%d", turn), Limit: 1 + i})
				if err != nil {
					return err
				}
				if len(hits) != 1 || hits[0].Version.Text != text {
					return fmt.Errorf("found %v in %s, want %q", hits, scope.Name, text)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}
