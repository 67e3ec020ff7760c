package sqlite

import (
	"context"
	"fmt"
	"time"

	"tenure/graph"
)

const (
	scrubWait  = 2 * time.Second        // how long an update waits for readers that are in the way
	retryEvery = 100 * time.Millisecond // how long the background waits between tries
	piece      = 500                    // rows deleted in one transaction
)

// scrubSoon empties the write-ahead log, in which erased text still stands, before it returns if that can be done, else in
// the background as soon as it can.
func (s *Store) scrubSoon(ctx context.Context) {
	waiting, cancel := context.WithTimeout(ctx, scrubWait)
	defer cancel()
	if s.checkpoint(waiting) != nil {
		s.background(s.scrub)
	}
}

// scrub empties the log as soon as nobody is in the way. Should the process end before, Open and Close do it.
func (s *Store) scrub() { s.insist(s.checkpoint) }

// insist runs a task until it succeeds or the store closes.
func (s *Store) insist(task func(context.Context) error) {
	for task(s.life) != nil {
		timer := time.NewTimer(retryEvery)
		select {
		case <-s.life.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// checkpoint copies the log into the database file, where erased rows are overwritten, and truncates it.
func (s *Store) checkpoint(ctx context.Context) error {
	conn, err := s.lock(ctx)
	if err != nil {
		return err
	}
	var busy, frames, copied int
	err = conn.row(ctx, "checkpoint", fileCheckpoint, []any{&busy, &frames, &copied})
	s.unlock(conn, err != nil)
	if err == nil && busy != 0 {
		return fmt.Errorf("%w: readers hold the log", graph.ErrUnavailable)
	}
	return err
}

// Erase implements graph.Store. The scope is gone at once, and its name free for a new one; its rows are deleted in pieces. It
// returns when that is done. A call whose context ends before leaves the rest to the background, a process that ends before
// to the next Open.
func (s *Store) Erase(ctx context.Context, scope graph.Scope) (graph.Counts, error) {
	if err := s.running.enter(ctx); err != nil {
		return graph.Counts{}, err
	}
	defer s.running.leave()
	var key int64
	var n graph.Counts
	if err := s.locked(ctx, func(db *session) (err error) {
		if key, _, err = findScope(ctx, db, scope); err != nil {
			return err
		}
		if err := db.row(ctx, "scope", scopeCountAll, []any{&n.Entities, &n.Episodes, &n.Changes, &n.Facts, &n.Versions}, arg("scope", key)); err != nil {
			return err
		}
		_, err = db.exec(ctx, scopeAbandon, arg("scope", key))
		return err
	}); err != nil {
		return graph.Counts{}, err
	}
	s.indexes.drop(key)
	done := make(chan struct{})
	s.background(func() {
		defer close(done)
		s.insist(func(ctx context.Context) error { return s.clear(ctx, key) })
		s.scrub()
	})
	select {
	case <-done:
		return n, nil
	case <-ctx.Done():
		return graph.Counts{}, ctx.Err()
	}
}

// clear deletes the rows of a scope that is gone. It may be stopped, and run again, at any point.
func (s *Store) clear(ctx context.Context, key int64) error {
	for _, statement := range []string{
		receiptClear, tombstoneClear, markClear, effectClear, mergeClear, declarationClear, placementClear, versionClear,
		changeLaneClear, changeClear, claimEpisodeClear, claimClear, episodeClear, nameClear, entityClear,
	} {
		for n := int64(1); n > 0; {
			if err := s.locked(ctx, func(db *session) (err error) {
				n, err = db.exec(ctx, statement, arg("scope", key), arg("limit", piece))
				return err
			}); err != nil {
				return err
			}
		}
	}
	return s.locked(ctx, func(db *session) error {
		_, err := db.exec(ctx, scopeDestroy, arg("scope", key))
		return err
	})
}
