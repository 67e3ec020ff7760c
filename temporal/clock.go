package temporal

import (
	"sync"
	"time"
)

// Clock tells the present. It is safe for concurrent use, and may stand still or go back: who needs increasing times orders them.
type Clock interface{ Now() Instant }

// SystemClock is the clock of the machine, and the only caller of time.Now.
type SystemClock struct{}

// Now returns the time of the machine.
func (SystemClock) Now() Instant { return At(time.Now()) }

// Fixed is a clock that moves only when told to.
type Fixed struct {
	mu  sync.Mutex
	now Instant
}

// NewFixed returns a clock that stands at now.
func NewFixed(now Instant) *Fixed { return &Fixed{now: now} }

// Now returns the time the clock stands at.
func (c *Fixed) Now() Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to now, which may be earlier.
func (c *Fixed) Set(now Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Advance moves the clock by d and returns the time it then stands at.
func (c *Fixed) Advance(d time.Duration) Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

var (
	_ Clock = SystemClock{}
	_ Clock = (*Fixed)(nil)
)
