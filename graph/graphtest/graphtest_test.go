package graphtest_test

import (
	"testing"

	"tenure/graph"
	"tenure/graph/graphtest"
	"tenure/temporal"
)

func TestMemory(t *testing.T) {
	graphtest.Run(t, func(_ testing.TB, home string, clock temporal.Clock) graph.Store { return openMemory(home, clock) })
}
