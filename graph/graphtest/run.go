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

// The size of the random histories. The defaults keep a run under a minute.
var (
	histories = flag.Int("graphtest.histories", 40, "random histories to play")
	requests  = flag.Int("graphtest.requests", 25, "requests in each random history")
	seed      = flag.Uint64("graphtest.seed", 0, "seed of the first random history; 0 draws one")
)

// Open opens a store. home names its data: a fresh directory that a store may keep its files in. The same home opened again,
// also while it is open, is the same data. A store that is a server may keep all homes in one; the suite uses scopes of random
// names. Now of the store follows the clock as far as the contract lets it.
type Open func(t testing.TB, home string, clock temporal.Clock) graph.Store

// Run runs the suite on a store.
func Run(t *testing.T, open Open) {
	store := open(t, t.TempDir(), temporal.SystemClock{})
	t.Cleanup(func() { store.Close() })
	t.Run("histories", func(t *testing.T) { testHistories(t, store) })
}

// newScope names a scope that no test has used.
func newScope() graph.Scope {
	return graph.Scope{Tenant: fmt.Sprintf("tenant-%x", rand.Uint64()), Name: fmt.Sprintf("scope-%x", rand.Uint64())}
}

func testHistories(t *testing.T, store graph.Store) {
	first := *seed
	if first == 0 {
		first = rand.Uint64N(1 << 32)
	}
	for i := range *histories {
		h := newHistory(first+uint64(i), *requests, everyDeed)
		_, err := play(t.Context(), store, newScope(), h)
		if err == nil {
			continue
		}
		h, err = shrink(t, store, h, err)
		done, err := play(t.Context(), store, newScope(), h)
		t.Fatalf("history of seed %d, the least part of it that fails (run it again with -graphtest.seed=%d -graphtest.histories=1):\n%s%v",
			first+uint64(i), first+uint64(i), done, err)
	}
}

// shrink returns the least part of a failing history that it finds to fail too.
func shrink(t *testing.T, store graph.Store, h history, err error) (history, error) {
	for size := len(h.steps) / 2; size > 0; {
		smaller := false
		for from := 0; from+size <= len(h.steps); {
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
	}
	return h, err
}
