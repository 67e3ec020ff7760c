package sqlite

import (
	"context"
	"fmt"
	"time"

	"tenure/graph"
)

const (
	scrubWait   = 2 * time.Second        // how long an update waits until the log is empty
	attemptWait = 250 * time.Millisecond // how long one attempt to empty it may keep writers of all processes waiting
	retryEvery  = 100 * time.Millisecond // how long they have for themselves until the next
	piece       = 1000                   // rows deleted in one transaction
)

// scrubSoon empties the write-ahead log, in which erased text still stands, before it returns if that can be done, else in
// the background as soon as it can: a reader of any process may be in the way.
func (s *Store) scrubSoon(ctx context.Context) {
	waiting, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	if insist(waiting, s.checkpoint) != nil {
		s.background(s.scrub)
	}
}

// scrub empties the log however long it takes. Should the process end before, the next Open does it.
func (s *Store) scrub() {
	_ = insist(s.life, s.checkpoint) // it fails only when the store closes, which empties the log too
}

// insist runs a task again until it succeeds or ctx ends.
func insist(ctx context.Context, task func(context.Context) error) error {
	for task(ctx) != nil {
		timer := time.NewTimer(retryEvery)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
	return nil
}

// checkpoint copies the log into the database file, where erased rows are overwritten, and truncates it.
func (s *Store) checkpoint(ctx context.Context) error {
	conn, err := s.lock(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, attemptWait)
	defer cancel()
	var busy, frames, copied int
	err = conn.row(ctx, "checkpoint", fileCheckpoint, []any{&busy, &frames, &copied})
	s.unlock(conn, err != nil && ctx.Err() == nil)
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
		s.finish(key)
	})
	select {
	case <-done:
		return n, nil
	case <-ctx.Done():
		return graph.Counts{}, ctx.Err()
	}
}

// finish deletes the rows of scopes that are gone, and all trace of them.
func (s *Store) finish(keys ...int64) {
	for _, key := range keys {
		if insist(s.life, func(ctx context.Context) error { return s.clear(ctx, key) }) != nil {
			return // the store closes; the next Open goes on
		}
	}
	s.scrub()
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
		if _, err := db.exec(ctx, scopeDestroy, arg("scope", key)); err != nil {
			return err
		}
		return tidy(ctx, db)
	})
}
