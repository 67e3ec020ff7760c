package retrieval

import (
	"context"
	"errors"
	"time"

	"tenure/belief"
	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// lens is one scope as one request reads it: at one as-of, by the predicates and merges in force now.
type lens struct {
	graph.Reader
	scope    graph.Scope
	settings graph.Settings
	zone     *time.Location
	world    facts.World
	now      temporal.Instant // fixed once a request
	// at is the as-of. Where any valid time was asked for, its Valid is now: what states and ages are relative to.
	at temporal.AsOf
}

// open reads a scope at an as-of as it came. A scope that does not exist is ErrNotFound.
func (s *Service) open(ctx context.Context, scope graph.Scope, at At) (*lens, error) {
	r, err := s.cfg.Store.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		return nil, err
	}
	// A scope's clock may be ahead of the machine's. What was just told holds now.
	l := &lens{Reader: r, scope: scope, now: max(s.cfg.Clock.Now(), r.View().Tx)}
	if l.settings, err = r.Settings(ctx); err != nil {
		return nil, err
	}
	l.zone = zoneOf(l.settings)
	valid, any, validErr := readValid(at.ValidAt, l.now, l.zone)
	tx, txErr := l.readTx(ctx, s.cfg.Store, "tx_at", at.TxAt)
	if err := errors.Join(validErr, txErr); err != nil {
		return nil, err
	}
	l.at = temporal.AsOf{Valid: valid, Any: any, Tx: r.View().Tx}
	if !tx.IsZero() {
		if err := l.move(ctx, s.cfg.Store, tx); err != nil {
			return nil, err
		}
	}
	l.world, err = belief.World(ctx, l.Reader)
	return l, err
}

// move has the lens read its scope at a transaction time.
func (l *lens) move(ctx context.Context, store graph.Store, tx temporal.Instant) error {
	r, err := store.Snapshot(ctx, graph.View{Scope: l.scope, Tx: tx})
	if err != nil {
		return err
	}
	l.Reader, l.at.Tx = r, tx
	return nil
}

// along opens the scopes that a lens's scope includes, and returns all that are read, its own first. Includes are not
// transitive, and one that does not exist is left out. All are read at one transaction time, the newest of their clocks
// if the latest was asked for, so that the as-of of the answer gives the same facts again.
func (s *Service) along(ctx context.Context, own *lens, latest bool) ([]*lens, error) {
	lenses := []*lens{own}
	newest := own.at.Tx
	for _, name := range own.settings.Includes {
		if name == own.scope.Name {
			continue
		}
		l := &lens{scope: graph.Scope{Tenant: own.scope.Tenant, Name: name}, now: own.now, at: own.at}
		view := graph.View{Scope: l.scope}
		if !latest {
			view.Tx = own.at.Tx
		}
		var err error
		if l.Reader, err = s.cfg.Store.Snapshot(ctx, view); errors.Is(err, graph.ErrNotFound) {
			continue
		} else if err != nil {
			return nil, err
		}
		if l.settings, err = l.Settings(ctx); err != nil {
			return nil, err
		}
		l.zone = own.zone
		if l.world, err = belief.World(ctx, l.Reader); err != nil {
			return nil, err
		}
		newest = max(newest, l.View().Tx)
		lenses = append(lenses, l)
	}
	if latest && len(lenses) > 1 {
		for _, l := range lenses {
			if err := l.move(ctx, s.cfg.Store, newest); err != nil {
				return nil, err
			}
		}
	}
	return lenses, nil
}

// asOf is the as-of as answers show it.
func (l *lens) asOf() AsOf {
	if l.at.Any {
		return AsOf{Any: true, Tx: l.at.Tx}
	}
	return l.at
}

// point is the valid time that a store filters by; zero if any was asked for.
func (l *lens) point() temporal.Instant {
	if l.at.Any {
		return 0
	}
	return l.at.Valid
}

// dress makes facts of versions, in the same order.
func (l *lens) dress(ctx context.Context, versions []graph.Version) ([]graph.Fact, error) {
	if len(versions) == 0 {
		return nil, nil
	}
	return belief.DressIn(ctx, l.Reader, l.world, versions, l.at)
}

// zoneOf returns the zone that a scope's partial dates are in. One that this machine does not know reads as UTC.
func zoneOf(settings graph.Settings) *time.Location {
	if settings.TimeZone == "" {
		return time.UTC
	}
	zone, err := time.LoadLocation(settings.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// readValid reads valid_at: now if it is empty, "any" for no filter.
func readValid(text string, now temporal.Instant, zone *time.Location) (valid temporal.Instant, any bool, err error) {
	switch text {
	case "":
		return now, false, nil
	case "any":
		return now, true, nil
	}
	valid, err = readTime("valid_at", text, zone)
	return valid, false, err
}

// readTx reads a transaction time; "" is zero, the latest. One that is later than now and than the newest clock that the
// scope's reads can show is refused: what will have been known by then is not known.
func (l *lens) readTx(ctx context.Context, store graph.Store, field, text string) (temporal.Instant, error) {
	tx, err := readTime(field, text, l.zone)
	if err != nil || tx <= l.now || tx <= l.View().Tx {
		return tx, err
	}
	for _, name := range l.settings.Includes {
		r, err := store.Snapshot(ctx, graph.View{Scope: graph.Scope{Tenant: l.scope.Tenant, Name: name}})
		if err == nil && tx <= r.View().Tx {
			return tx, nil
		}
		if err != nil && !errors.Is(err, graph.ErrNotFound) {
			return 0, err
		}
	}
	return 0, graph.Invalid(field, "is in the future")
}

// readTime reads a time or partial date; "" is zero. The error names the field and never the value.
func readTime(field, text string, zone *time.Location) (temporal.Instant, error) {
	if text == "" {
		return 0, nil
	}
	d, err := temporal.ParseDate(text, zone)
	if err != nil {
		return 0, graph.Invalid(field, "%s", err)
	}
	return d.At, nil
}
