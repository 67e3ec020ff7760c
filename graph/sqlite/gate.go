package sqlite

import (
	"context"
	"sync"
)

// A gate counts the calls that are running, and once closed lets no more in. A lock would not do: a call may make another one
// while Close waits.
type gate struct {
	mu     sync.Mutex
	closed bool
	calls  int
	empty  chan struct{} // made by the first close, closed when the last call has left
}

// enter lets a call in, unless its context has ended or the gate is closed.
func (g *gate) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errClosed
	}
	g.calls++
	return nil
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.calls--; g.closed && g.calls == 0 {
		close(g.empty)
	}
}

// close closes the gate and waits until every call has left.
func (g *gate) close() {
	g.mu.Lock()
	if !g.closed {
		g.closed = true
		if g.empty = make(chan struct{}); g.calls == 0 {
			close(g.empty)
		}
	}
	g.mu.Unlock()
	<-g.empty
}
