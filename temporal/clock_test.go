package temporal_test

import (
	"sync"
	"testing"
	"time"

	"tenure/temporal"
)

func TestFixed(t *testing.T) {
	noon := at(t, "2026-06-15T12:00:00Z")

	t.Run("stands still until told", func(t *testing.T) {
		c := temporal.NewFixed(noon)
		for range 2 {
			if got := c.Now(); got != noon {
				t.Errorf("Now = %v, want %v", got, noon)
			}
		}
		if got, want := c.Advance(time.Hour), noon.Add(time.Hour); got != want || c.Now() != want {
			t.Errorf("Advance = %v, then Now = %v, want %v", got, c.Now(), want)
		}
		if c.Set(noon); c.Now() != noon {
			t.Errorf("after Set, Now = %v, want %v", c.Now(), noon)
		}
	})

	t.Run("loses no step of concurrent callers", func(t *testing.T) {
		c := temporal.NewFixed(noon)
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() { c.Advance(time.Second); c.Now() })
		}
		wg.Wait()
		if got, want := c.Now(), noon.Add(100*time.Second); got != want {
			t.Errorf("Now = %v, want %v", got, want)
		}
	})
}
