package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"tenure/graph"
	"tenure/temporal"
)

func TestTwoStoresOnOneFileLoseNoUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	stores := []*Store{openedAt(t, path), openedAt(t, path)}
	const writers, updates = 3, 15
	var mu sync.Mutex
	var times []temporal.Instant
	group, ctx := errgroup.WithContext(t.Context())
	for i := range writers * len(stores) {
		s := stores[i%len(stores)]
		own := graph.Scope{Tenant: "acme", Name: fmt.Sprint("own", i%2)}
		group.Go(func() error {
			for range updates {
				if err := s.Update(ctx, own, func(w graph.Writer) error {
					mu.Lock()
					times = append(times, w.Now()) // updates follow one another, whichever scope they are of
					mu.Unlock()
					return countUp(ctx, w)
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
	if !slices.IsSorted(times) || len(slices.Compact(times)) != writers*len(stores)*updates {
		t.Errorf("times do not increase strictly: %v", times)
	}
	for i := range 2 {
		r := snapshot(t, stores[i], graph.View{Scope: graph.Scope{Tenant: "acme", Name: fmt.Sprint("own", i)}})
		if got, want := must[graph.Settings](t)(r.Settings(t.Context())).TimeZone, strconv.Itoa(writers*updates); got != want {
			t.Errorf("scope %d: counted %s, want %s", i, got, want)
		}
	}
}

// countUp adds one to a number that is kept in the settings.
func countUp(ctx context.Context, w graph.Writer) error {
	settings, err := w.Settings(ctx)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(settings.TimeZone) // "" is 0
	settings.TimeZone = strconv.Itoa(n + 1)
	return w.Write(ctx, graph.Delta{Settings: &settings})
}

func TestAWaitForAnotherProcessEndsWithTheContextOrAsUnavailable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	one := openedAt(t, path)
	two, err := Open(t.Context(), Config{Path: path, Clock: temporal.NewFixed(day0), LockWait: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	if err := one.Update(t.Context(), scope, func(w graph.Writer) error {
		err := two.Update(t.Context(), scope, func(graph.Writer) error { return nil })
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("got %v, want unavailable", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := two.Update(ctx, scope, func(graph.Writer) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the context's error", err)
		}
		return w.Write(t.Context(), full(w.Now()))
	}); err != nil {
		t.Fatal(err)
	}
	write(t, two, scope, full(day0)) // both are as good as before
	write(t, one, scope, full(day0))
}

func TestReadersSearchAndReadWhileOthersWrite(t *testing.T) {
	s := opened(t)
	ctx := t.Context()
	write(t, s, scope, about("seed", 20, day0))
	group, ctx := errgroup.WithContext(ctx)
	for i := range 2 {
		group.Go(func() error {
			for n := range 10 {
				if err := s.Update(ctx, scope, func(w graph.Writer) error {
					d := about(fmt.Sprintf("word%dx%d", i, n), 3, w.Now())
					if n%4 == 3 {
						if err := w.Destroy(ctx, allOf(about(fmt.Sprintf("word%dx%d", i, n-1), 3, w.Now()))); err != nil {
							return err
						}
					}
					return w.Write(ctx, d)
				}); err != nil {
					return err
				}
				if err := finds(ctx, s, fmt.Sprintf("word%dx%d", i, n), 3); err != nil {
					return err
				}
				if n%4 == 3 {
					if err := finds(ctx, s, fmt.Sprintf("word%dx%d", i, n-1), 0); err != nil {
						return err
					}
				}
			}
			return nil
		})
		group.Go(func() error {
			for range 40 {
				if err := finds(ctx, s, "seed", 20); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// finds searches facts and episodes for a word and wants so many of each.
func finds(ctx context.Context, s *Store, word string, want int) error {
	r, err := s.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		return err
	}
	facts, err := r.SearchFacts(ctx, graph.Query{Text: word})
	if err != nil {
		return err
	}
	episodes, err := r.SearchEpisodes(ctx, graph.Query{Text: word})
	if err != nil {
		return err
	}
	if len(facts) != want || len(episodes) != want {
		return fmt.Errorf("%s: found %d facts and %d episodes, want %d", word, len(facts), len(episodes), want)
	}
	return nil
}
