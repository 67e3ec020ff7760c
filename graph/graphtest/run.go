package graphtest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tenure/graph"
	"tenure/temporal"
)

// The size of the random histories. The defaults keep a run under a minute, and make every run the same: -graphtest.seed=0 -graphtest.histories=500
// goes looking.
var (
	histories = flag.Int("graphtest.histories", 16, "random histories to play")
	requests  = flag.Int("graphtest.requests", 25, "requests in each random history")
	seed      = flag.Uint64("graphtest.seed", 200, "seed of the first random history; 0 draws one")
)

// Open opens a store. home names its data: a fresh directory that a store may keep its files in. The same home opened again,
// also while it is open, is the same data. A store that is a server may keep all homes in one; the suite uses scopes of random
// names. Now of the store follows the clock as far as the contract lets it.
type Open func(t testing.TB, home string, clock temporal.Clock) graph.Store

// Run runs the suite on a store.
func Run(t *testing.T, open Open) {
	store := open(t, t.TempDir(), temporal.SystemClock{})
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, part := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"scripts", func(t *testing.T) { testScripts(t, store) }},
		{"histories", func(t *testing.T) { testHistories(t, store) }},
		{"an erase leaves what a scope that was never told has", func(t *testing.T) { testNeverTold(t, store) }},
		{"store", func(t *testing.T) { testStore(t, store) }},
		{"rows", func(t *testing.T) { testRows(t, store) }},
		{"lists", func(t *testing.T) { testLists(t, store) }},
		{"versions", func(t *testing.T) { testVersions(t, store) }},
		{"search", func(t *testing.T) { testSearch(t, store) }},
		{"contexts", func(t *testing.T) { testContexts(t, store) }},
		{"concurrency", func(t *testing.T) { testConcurrency(t, open) }},
		{"close", func(t *testing.T) { testClose(t, open) }},
		{"restart", func(t *testing.T) { testRestart(t, open) }},
		{"clock", func(t *testing.T) { testClock(t, open) }},
	} {
		t.Run(part.name, part.test)
	}
}

// newScope names a scope that no test has used.
func newScope() graph.Scope {
	return graph.Scope{Tenant: fmt.Sprintf("tenant-%x", rand.Uint64()), Name: fmt.Sprintf("scope-%x", rand.Uint64())}
}

// each runs a test for the seeds of n random histories.
func each(t *testing.T, n int, test func(t *testing.T, seed uint64)) {
	first := *seed
	if first == 0 {
		first = rand.Uint64N(1 << 32)
	}
	for i := range n {
		t.Run(fmt.Sprint(first+uint64(i)), func(t *testing.T) {
			t.Parallel()
			test(t, first+uint64(i))
		})
	}
}

func testHistories(t *testing.T, store graph.Store) {
	each(t, *histories, func(t *testing.T, seed uint64) {
		h := newHistory(seed, *requests, everyDeed)
		_, err := play(t.Context(), store, newScope(), h)
		if err == nil {
			return
		}
		h, err = shrink(t, store, h, err)
		done, again := play(t.Context(), store, newScope(), h)
		if again != nil {
			err = again
		}
		t.Fatalf("history of seed %d, the least part of it that fails (run it again with -graphtest.seed=%d -graphtest.histories=1):\n%s%v", seed, seed, done, err)
	})
}

// most is how often a failing history is played to make it smaller.
const most = 200

// shrink returns the least part of a failing history that it finds to fail too.
func shrink(t *testing.T, store graph.Store, h history, err error) (history, error) {
	plays := 0
	for size := len(h.steps) / 2; size > 0; {
		smaller := false
		for from := 0; from+size <= len(h.steps) && plays < most; plays++ {
			part := h
			part.steps = slices.Concat(h.steps[:from], h.steps[from+size:])
			if _, failed := play(t.Context(), store, newScope(), part); failed != nil {
				h, err, smaller = part, failed, true
			} else {
				from += size
			}
		}
		if !smaller || size > len(h.steps) {
			size /= 2
		}
		if plays >= most {
			break
		}
	}
	return h, err
}
