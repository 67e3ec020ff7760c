package sqlite

import (
	lru "container/list"
	"sync"
)

// indexes keeps the indexes of the scopes that were searched last, as many as fit.
type indexes struct {
	mu    sync.Mutex
	limit int
	bytes int
	byKey map[int64]*lru.Element // of *kept
	order *lru.List              // the last used first
}

type kept struct {
	scope int64
	index *index
	bytes int // as counted when it was last given back
}

func newIndexes(limit int) *indexes {
	return &indexes{limit: limit, byKey: map[int64]*lru.Element{}, order: lru.New()}
}

// get returns the index of a scope, an empty one if there is none.
func (x *indexes) get(scope int64) *index {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, ok := x.byKey[scope]; ok {
		x.order.MoveToFront(e)
		return e.Value.(*kept).index
	}
	k := &kept{scope: scope, index: newIndex()}
	x.byKey[scope] = x.order.PushFront(k)
	return k.index
}

// count takes note of how large the index of a scope has become, and evicts what was used least recently until the rest fits.
// A search that uses an evicted index goes on with it.
func (x *indexes) count(scope int64, bytes int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, ok := x.byKey[scope]; ok {
		k := e.Value.(*kept)
		x.bytes += bytes - k.bytes
		k.bytes = bytes
	}
	for x.bytes > x.limit && x.order.Len() > 1 {
		x.remove(x.order.Back())
	}
}

// drop forgets the index of a scope.
func (x *indexes) drop(scope int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, ok := x.byKey[scope]; ok {
		x.remove(e)
	}
}

func (x *indexes) remove(e *lru.Element) {
	k := x.order.Remove(e).(*kept)
	delete(x.byKey, k.scope)
	x.bytes -= k.bytes
}
