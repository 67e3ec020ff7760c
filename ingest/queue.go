package ingest

import (
	"context"
	"sync"
	"time"

	"tenure/graph"
)

// queue hands scopes with episodes to work off to the workers, in turn, each scope to one worker at a time. It holds no
// episodes: the stored log is the queue, and this only says where to look.
type queue struct {
	mu      sync.Mutex
	waiting []graph.Scope
	queued  map[graph.Scope]bool
	busy    map[graph.Scope]bool // being worked on; true if it is to be looked at again
	ready   chan struct{}        // closed and replaced when a scope comes in
	moved   chan struct{}        // closed and replaced when an episode was worked off
}

func newQueue() *queue {
	return &queue{queued: map[graph.Scope]bool{}, busy: map[graph.Scope]bool{}, ready: make(chan struct{}), moved: make(chan struct{})}
}

// add has a scope looked at.
func (q *queue) add(scope graph.Scope) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, ok := q.busy[scope]; ok {
		q.busy[scope] = true
		return
	}
	if !q.queued[scope] {
		q.queued[scope] = true
		q.waiting = append(q.waiting, scope)
		close(q.ready)
		q.ready = make(chan struct{})
	}
}

// next waits for the scope that has waited longest.
func (q *queue) next(ctx context.Context) (graph.Scope, error) {
	for {
		q.mu.Lock()
		ready := q.ready
		if len(q.waiting) > 0 {
			scope := q.waiting[0]
			q.waiting = q.waiting[1:]
			delete(q.queued, scope)
			q.busy[scope] = false
			q.mu.Unlock()
			return scope, nil
		}
		q.mu.Unlock()
		select {
		case <-ready:
		case <-ctx.Done():
			return graph.Scope{}, ctx.Err()
		}
	}
}

// done gives a scope back; it goes to the end of the line if there is more to do.
func (q *queue) done(scope graph.Scope, more bool) {
	q.mu.Lock()
	again := q.busy[scope] || more
	delete(q.busy, scope)
	close(q.moved)
	q.moved = make(chan struct{})
	q.mu.Unlock()
	if again {
		q.add(scope)
	}
}

// progress is closed when an episode has been worked off.
func (q *queue) progress() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.moved
}

// after is a channel that fires once the wait is over.
func (q *queue) after(wait time.Duration) <-chan time.Time {
	if wait <= 0 {
		return nil
	}
	return time.After(wait)
}
