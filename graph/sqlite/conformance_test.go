package sqlite_test

import (
	"path/filepath"
	"testing"

	"tenure/graph"
	"tenure/graph/graphtest"
	"tenure/graph/sqlite"
	"tenure/temporal"
)

func TestConformance(t *testing.T) {
	graphtest.Run(t, func(t testing.TB, home string, clock temporal.Clock) graph.Store {
		store, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(home, "tenure.db"), Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		return store
	})
}
