package sqlite

import (
	"context"
	"errors"

	"tenure/graph"
	"tenure/temporal"
)

// Update implements graph.Store. f runs once.
func (s *Store) Update(ctx context.Context, scope graph.Scope, f func(graph.Writer) error) error {
	if err := s.running.enter(ctx); err != nil {
		return err
	}
	defer s.running.leave()
	var w *writer
	if err := s.locked(ctx, func(db *session) (err error) {
		if w, err = s.newWriter(ctx, db, scope); err != nil {
			return err
		}
		defer func() { w.ended = true }()
		if err := f(w); err != nil {
			return err
		}
		return w.finish(ctx)
	}); err != nil {
		return err
	}
	if w.destroyed {
		s.scrubSoon(ctx)
	}
	return nil
}

// A writer is the graph.Writer of one update. It reads and writes through the connection that writes, and so sees what it
// has written.
type writer struct {
	reader
	wrote     bool
	destroyed bool
	ended     bool
	words     *index // of the scope as this update left it, made by the first search after a write
}

var _ graph.Writer = (*writer)(nil)

func (s *Store) newWriter(ctx context.Context, db *session, scope graph.Scope) (*writer, error) {
	var last temporal.Instant
	if err := db.row(ctx, "clock", clockGet, []any{beginColumn{&last}}); err != nil && !errors.Is(err, graph.ErrNotFound) {
		return nil, err
	}
	// One more than the last is a time that no update of any process has had, however the clock stands.
	now := max(s.clock.Now(), last+1)
	key, _, err := findScope(ctx, db, scope)
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		return nil, err
	}
	w := &writer{}
	w.reader = reader{store: s, db: db, scope: key, view: graph.View{Scope: scope, Tx: now}, tx: now, writer: w}
	return w, nil
}

// Now implements graph.Writer.
func (w *writer) Now() temporal.Instant { return w.tx }

// wants makes the update one that writes, and begins the scope if there is none.
func (w *writer) wants(ctx context.Context) error {
	w.wrote, w.words = true, nil
	if w.scope != 0 {
		return nil
	}
	scope := w.view.Scope
	if _, err := w.db.exec(ctx, scopeAdd, arg("tenant", scope.Tenant), arg("name", scope.Name),
		arg("clock", begin(w.tx)), arg("never", never), arg("settings", encode(graph.Settings{}))); err != nil {
		return err
	}
	var err error
	w.scope, _, err = findScope(ctx, w.db, scope)
	return err
}

// finish moves the clocks of the store and the scope, unless nothing was written.
func (w *writer) finish(ctx context.Context) error {
	if !w.wrote {
		return nil
	}
	var destroyed any
	if w.destroyed {
		destroyed = begin(w.tx)
	}
	if w.destroyed {
		if err := tidy(ctx, w.db); err != nil {
			return err
		}
	}
	if _, err := w.db.exec(ctx, scopeSetClock, arg("scope", w.scope), arg("clock", begin(w.tx)), arg("destroyed", destroyed)); err != nil {
		return err
	}
	_, err := w.db.exec(ctx, clockSet, arg("last", begin(w.tx)))
	return err
}
