package graphtest_test

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"tenure/graph"
	"tenure/temporal"
)

// memory is what a memoryStore keeps: plain maps and slices behind one lock, copied whole for every update. It is slow and
// obviously right; its purpose is to show that the suite asks for nothing but the contract.
type memory struct {
	mu     sync.Mutex
	writer sync.Mutex // held by the update that runs
	last   temporal.Instant
	scopes map[graph.Scope]*contents
}

// contents are what one scope holds.
type contents struct {
	Clock        temporal.Instant
	Settings     graph.Settings
	Entities     map[graph.EntityID]graph.Entity
	Episodes     map[graph.EpisodeID]graph.Episode
	Claims       map[graph.ClaimID]graph.Claim
	Placements   map[graph.PlacementID]graph.Placement
	Versions     map[graph.VersionID]graph.Version
	Changes      map[graph.ChangeID]graph.Change
	Receipts     map[string]graph.Receipt
	Tombstones   map[string]bool
	Used         map[graph.ClaimID]temporal.Instant
	Effects      []graph.Effect
	Merges       []graph.Merge
	Declarations []graph.Declaration
}

func newContents() *contents {
	return &contents{
		Entities: map[graph.EntityID]graph.Entity{}, Episodes: map[graph.EpisodeID]graph.Episode{},
		Claims: map[graph.ClaimID]graph.Claim{}, Placements: map[graph.PlacementID]graph.Placement{},
		Versions: map[graph.VersionID]graph.Version{}, Changes: map[graph.ChangeID]graph.Change{},
		Receipts: map[string]graph.Receipt{}, Tombstones: map[string]bool{}, Used: map[graph.ClaimID]temporal.Instant{},
	}
}

// homes keeps the memories of directories, as a disk would.
var homes sync.Map

type memoryStore struct {
	*memory
	clock  temporal.Clock
	mu     sync.RWMutex // held by running calls
	closed bool
}

var _ graph.Store = (*memoryStore)(nil)

func openMemory(home string, clock temporal.Clock) *memoryStore {
	m, _ := homes.LoadOrStore(home, &memory{scopes: map[graph.Scope]*contents{}})
	return &memoryStore{memory: m.(*memory), clock: clock}
}

// enter begins a call; leave it by the function returned.
func (s *memoryStore) enter(ctx context.Context) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	if s.closed {
		s.mu.RUnlock()
		return nil, fmt.Errorf("%w: closed", graph.ErrUnavailable)
	}
	return s.mu.RUnlock, nil
}

func (s *memoryStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func (s *memoryStore) Snapshot(ctx context.Context, view graph.View) (graph.Reader, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	c, ok := s.scopes[view.Scope]
	if !ok {
		return nil, graph.NotFound("scope")
	}
	tx := min(view.Tx, c.Clock)
	if view.Tx.IsZero() {
		view.Tx, tx = c.Clock, c.Clock
	}
	clock := c.Clock
	return &memoryReader{view: view, tx: tx, read: func(ctx context.Context, f func(*contents)) error {
		leave, err := s.enter(ctx)
		if err != nil {
			return err
		}
		defer leave()
		s.memory.mu.Lock()
		defer s.memory.mu.Unlock()
		c, ok := s.scopes[view.Scope]
		if !ok || c.Clock < clock {
			return graph.NotFound("scope")
		}
		f(c)
		return nil
	}}, nil
}

func (s *memoryStore) Update(ctx context.Context, scope graph.Scope, f func(graph.Writer) error) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.writer.Lock()
	defer s.writer.Unlock()
	s.memory.mu.Lock()
	c, ok := s.scopes[scope]
	now := max(s.clock.Now(), s.last+1)
	s.memory.mu.Unlock()
	if !ok {
		c = newContents()
	}
	// The first run is thrown away: a function must not mind being run twice.
	if err := f(newMemoryWriter(scope, now, deepCopy(c))); err != nil {
		return err
	}
	w := newMemoryWriter(scope, now, deepCopy(c))
	if err := f(w); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !w.wrote {
		return nil
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	if c, ok := s.scopes[scope]; ok {
		w.held.Used = c.Used // marks do not wait for updates
	}
	w.held.Clock, s.last = now, now
	s.scopes[scope] = w.held
	return nil
}

func (s *memoryStore) Erase(ctx context.Context, scope graph.Scope) (graph.Counts, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return graph.Counts{}, err
	}
	defer leave()
	s.writer.Lock()
	defer s.writer.Unlock()
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	c, ok := s.scopes[scope]
	if !ok {
		return graph.Counts{}, graph.NotFound("scope")
	}
	delete(s.scopes, scope)
	return c.counts(func(graph.Version) bool { return true }), nil
}

func (s *memoryStore) Scopes(ctx context.Context, tenant, after string, limit int) ([]graph.Scope, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	var out []graph.Scope
	for scope := range s.scopes {
		if scope.Tenant == tenant && scope.Name > after {
			out = append(out, scope)
		}
	}
	return first(out, limit, func(a, b graph.Scope) int { return strings.Compare(a.Name, b.Name) }), nil
}

func (s *memoryStore) Backlog(ctx context.Context) ([]graph.Scope, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	var out []graph.Scope
	for scope, c := range s.scopes {
		for _, e := range c.Episodes {
			if e.Status != graph.Done && e.Status != graph.Dead {
				out = append(out, scope)
				break
			}
		}
	}
	return out, nil
}

func (s *memoryStore) Touch(ctx context.Context, scope graph.Scope, facts []graph.ClaimID, at temporal.Instant) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	c, ok := s.scopes[scope]
	if !ok {
		return graph.NotFound("scope")
	}
	for _, v := range c.Versions {
		if slices.Contains(facts, v.Fact) {
			c.Used[v.Fact] = max(c.Used[v.Fact], at)
		}
	}
	return nil
}

// counts counts the versions that are believed, and all else.
func (c *contents) counts(believed func(graph.Version) bool) graph.Counts {
	n := graph.Counts{Episodes: len(c.Episodes), Entities: len(c.Entities), Changes: len(c.Changes)}
	facts := map[graph.ClaimID]bool{}
	for _, v := range c.Versions {
		if believed(v) {
			n.Versions++
			facts[v.Fact] = true
		}
	}
	n.Facts = len(facts)
	return n
}

// first sorts, and cuts at the limit.
func first[T any](items []T, limit int, compare func(a, b T) int) []T {
	slices.SortStableFunc(items, compare)
	if limit > 0 && len(items) > limit {
		items = items[:limit]
	}
	return deepCopy(items)
}

// among reports whether a list is empty or has the item.
func among[T comparable](list []T, item ...T) bool {
	return len(list) == 0 || slices.ContainsFunc(item, func(x T) bool { return slices.Contains(list, x) })
}

func comparePos[T any](pos func(T) graph.Pos, id func(T) string) func(a, b T) int {
	return func(a, b T) int { return cmp.Or(pos(a).Compare(pos(b)), cmp.Compare(id(a), id(b))) }
}

// deepCopy copies a value with all that it points to.
func deepCopy[T any](v T) T {
	var out T
	copyInto(reflect.ValueOf(&out).Elem(), reflect.ValueOf(&v).Elem())
	return out
}

func copyInto(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			copyInto(to.Elem(), from.Elem())
		}
	case reflect.Slice:
		if from.Len() > 0 {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				copyInto(to.Index(i), from.Index(i))
			}
		}
	case reflect.Map:
		to.Set(reflect.MakeMap(from.Type()))
		for _, key := range from.MapKeys() {
			item := reflect.New(from.Type().Elem()).Elem()
			copyInto(item, from.MapIndex(key))
			to.SetMapIndex(key, item)
		}
	case reflect.Struct:
		for i := range from.NumField() {
			copyInto(to.Field(i), from.Field(i))
		}
	default:
		to.Set(from)
	}
}
