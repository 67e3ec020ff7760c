package ingest

import (
	"context"
	"errors"
	"testing"

	"tenure/graph"
)

func scope(name string) graph.Scope { return graph.Scope{Tenant: "t", Name: name} }

func TestQueueTakesTurns(t *testing.T) {
	q := newQueue()
	for _, name := range []string{"a", "b", "a", "c"} {
		q.add(scope(name))
	}
	var got []string
	for range 3 {
		s, err := q.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, s.Name)
	}
	if got[0] != "a" || got[1] != "b" || got[2] != "c" {
		t.Errorf("got %v, want each scope once, in the order they came", got)
	}
	q.add(scope("d"))
	q.done(scope("a"), true) // there is more of a: behind d
	for _, want := range []string{"d", "a"} {
		if s, _ := q.next(t.Context()); s.Name != want {
			t.Errorf("got %s, want %s", s.Name, want)
		}
	}
}

func TestQueueGivesAScopeToOneWorker(t *testing.T) {
	q := newQueue()
	q.add(scope("a"))
	if _, err := q.next(t.Context()); err != nil {
		t.Fatal(err)
	}
	q.add(scope("a")) // an episode came in meanwhile
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.next(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a busy scope was handed out: %v", err)
	}
	moved := q.progress()
	q.done(scope("a"), false)
	<-moved
	if s, err := q.next(t.Context()); err != nil || s.Name != "a" {
		t.Errorf("what came in meanwhile was forgotten: %v", err)
	}
	q.done(scope("a"), false)
	if _, err := q.next(ended); !errors.Is(err, context.Canceled) {
		t.Error("a scope with nothing to do was handed out")
	}
}
