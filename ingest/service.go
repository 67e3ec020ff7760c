package ingest

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"tenure/belief"
	"tenure/extract"
	"tenure/facts"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// Config is what a Service needs. All fields but Log and Workers must be set.
type Config struct {
	Store     graph.Store
	Clock     temporal.Clock
	Extractor extract.Extractor
	Log       *slog.Logger // nil discards
	Workers   int          // episodes worked off at the same time, of different scopes; 0 is 2
	// Pause is how long a failed episode waits before it is tried again; it doubles with every attempt. 0 is a second.
	Pause time.Duration
}

// Service is the write path of a store. It is safe for concurrent use.
type Service struct {
	store     graph.Store
	clock     temporal.Clock
	extractor extract.Extractor
	log       *slog.Logger
	workers   int
	pause     time.Duration
	queue     *queue
}

// New returns the write path of a store. Episodes are worked off only while Run runs.
func New(cfg Config) (*Service, error) {
	if cfg.Store == nil || cfg.Clock == nil || cfg.Extractor == nil {
		return nil, errors.New("ingest: store, clock and extractor must be set")
	}
	s := &Service{store: cfg.Store, clock: cfg.Clock, extractor: cfg.Extractor, log: cfg.Log, queue: newQueue()}
	s.workers, s.pause = cmp.Or(cfg.Workers, 2), cmp.Or(cfg.Pause, time.Second)
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s, nil
}

// errDryRun undoes an update that only asked what would happen.
var errDryRun = errors.New("dry run")

// update runs f in a session on the scope and commits what it did, unless the caller only asked.
func (s *Service) update(ctx context.Context, scope graph.Scope, who Caller, f func(w graph.Writer, session *ledger.Session) error) error {
	err := s.store.Update(ctx, scope, func(w graph.Writer) error {
		session, err := ledger.Begin(ctx, w)
		if err != nil {
			return err
		}
		if err := f(w, session); err != nil {
			return err
		}
		if who.DryRun {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

// zone is the scope's time zone; UTC for a scope that has not begun.
func (s *Service) zone(ctx context.Context, scope graph.Scope) (*time.Location, error) {
	r, err := s.store.Snapshot(ctx, graph.View{Scope: scope})
	if errors.Is(err, graph.ErrNotFound) {
		return time.UTC, nil
	}
	if err != nil {
		return nil, err
	}
	settings, err := r.Settings(ctx)
	if err != nil {
		return nil, err
	}
	return ZoneOf(settings)
}

// ZoneOf loads the time zone of a scope's settings, UTC by default.
func ZoneOf(settings graph.Settings) (*time.Location, error) {
	if settings.TimeZone == "" {
		return time.UTC, nil
	}
	return time.LoadLocation(settings.TimeZone)
}

// exists returns ErrNotFound for a scope that has not begun: operations on what is held do not begin one.
func (s *Service) exists(ctx context.Context, scope graph.Scope) error {
	_, err := s.store.Snapshot(ctx, graph.View{Scope: scope})
	return err
}

// show dresses the windows that operations answered with, as they were committed.
func (s *Service) show(ctx context.Context, w graph.Writer, session *ledger.Session, versions []graph.Version) ([]graph.Fact, error) {
	at := temporal.AsOf{Valid: s.now(w), Any: true, Tx: w.Now()}
	settled := make([]graph.Version, len(versions))
	for i, v := range versions {
		settled[i] = session.Settled(v)
	}
	dressed, err := belief.DressIn(ctx, w, session.World(), settled, at)
	if err != nil {
		return nil, err
	}
	for i, f := range dressed {
		if f.State == graph.StateRetracted && f.Tx.To == f.Tx.From && !f.Tx.To.IsZero() {
			// The same request ended it again: it is shown as it was just after its own claim.
			dressed[i].State, dressed[i].Claims = facts.StateOf(f.Version, at.Valid), []graph.ClaimID{f.Version.Fact}
			dressed[i].Tx = temporal.Period{From: f.Tx.From}
		}
	}
	return dressed, nil
}

// now is the valid time of "now" for an update: never before its transaction time, so that what was just said holds.
func (s *Service) now(w graph.Writer) temporal.Instant { return max(s.clock.Now(), w.Now()) }
