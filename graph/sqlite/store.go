// Package sqlite is the embedded store: scopes in one SQLite file, and in memory the word indexes that are derived from it.
//
// The file is the truth. It is in WAL mode and may be opened by several processes at once. One connection writes, behind
// BEGIN IMMEDIATE, so that updates of all processes follow one another and the order of their commits is the order of their
// times; a pool of others reads. What is erased is overwritten (secure_delete, tidy) and the log that still holds it is emptied.
//
// All text, ids included, is UTF-8: lists of ids go to the file as JSON, which knows nothing else.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"
	"time"

	"tenure/graph"
	"tenure/temporal"
)

var _ graph.Store = (*Store)(nil)

// Config says how a Store is opened. The zero value is a store in a temporary file.
type Config struct {
	Path string // of the database file; "" is a fresh temporary file, removed on Close
	// Clock tells the time of updates; nil is the clock of the machine.
	Clock temporal.Clock
	// IndexBytes bounds the memory of the word indexes; 0 is 256 MiB. The index in use is kept even if it alone is larger.
	IndexBytes int
	// LockWait is how long an update waits while another process writes before it is ErrUnavailable; 0 is 10 seconds.
	LockWait time.Duration
}

const (
	defaultIndexBytes = 256 << 20
	defaultLockWait   = 10 * time.Second
	readers           = 8 // connections that read
)

// A Store is a graph.Store in a file.
type Store struct {
	clock   temporal.Clock
	file    file
	pool    *sql.DB
	reads   *session
	writer  chan *writeConn // holds the connection that writes while nobody has it; nil is one to be opened
	indexes *indexes
	// patience is how long an update that destroyed something waits until the log is empty.
	patience time.Duration

	running gate
	life    context.Context // ends when Close begins
	end     context.CancelFunc
	tasks   sync.WaitGroup // what goes on in the background
	closing sync.Once
	closed  error
}

// Open opens the store of cfg.Path and creates it if there is none. It finishes what a crash left undone.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if cfg.Clock == nil {
		cfg.Clock = temporal.SystemClock{}
	}
	if cfg.IndexBytes <= 0 {
		cfg.IndexBytes = defaultIndexBytes
	}
	if cfg.LockWait <= 0 {
		cfg.LockWait = defaultLockWait
	}
	f, err := locate(cfg.Path, cfg.LockWait)
	if err != nil {
		return nil, err
	}
	s := &Store{
		clock: cfg.Clock, file: f, writer: make(chan *writeConn, 1),
		indexes: newIndexes(cfg.IndexBytes), patience: scrubWait,
	}
	s.life, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.writer <- nil
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// start makes the tables, opens the pool, and takes up the work that a crash interrupted.
func (s *Store) start(ctx context.Context) error {
	conn, err := s.lock(ctx)
	if err != nil {
		return err
	}
	err = migrate(ctx, conn)
	s.unlock(conn, err != nil)
	if err != nil {
		return err
	}
	if s.pool, err = s.file.open(reading); err != nil {
		return err
	}
	s.pool.SetMaxOpenConns(readers)
	s.pool.SetMaxIdleConns(readers)
	s.reads = newSession(s.pool.PrepareContext)
	gone, err := all(ctx, s.reads, scopeListGone, scanKey)
	if err != nil {
		return err
	}
	s.background(func() { s.finish(gone...) }) // with none gone, a log that may hold erased text is emptied
	return nil
}

// background runs a task that Close waits for.
func (s *Store) background(task func()) { s.tasks.Go(task) }

// Close implements graph.Store. It leaves one file, if no other process has it open.
func (s *Store) Close() error {
	s.running.close()
	s.closing.Do(func() {
		s.end()
		s.tasks.Wait()
		var failed []error
		if s.reads != nil {
			failed = append(failed, s.reads.close(), s.pool.Close())
		}
		// The connection that writes goes last: the last one to leave empties and removes the log.
		if conn := <-s.writer; conn != nil {
			failed = append(failed, conn.close())
		}
		if s.file.temporary != "" {
			failed = append(failed, os.RemoveAll(s.file.temporary))
		}
		s.closed = errors.Join(failed...)
	})
	return s.closed
}

// Snapshot implements graph.Store.
func (s *Store) Snapshot(ctx context.Context, view graph.View) (graph.Reader, error) {
	if err := s.running.enter(ctx); err != nil {
		return nil, err
	}
	defer s.running.leave()
	key, clock, err := findScope(ctx, s.reads, view.Scope)
	if err != nil {
		return nil, err
	}
	r := &reader{store: s, db: s.reads, scope: key, view: view, tx: min(view.Tx, clock)}
	if view.Tx.IsZero() {
		r.view.Tx, r.tx = clock, clock
	}
	return r, nil
}

// Scopes implements graph.Store. A limit of 0 is none.
func (s *Store) Scopes(ctx context.Context, tenant, after string, limit int) ([]graph.Scope, error) {
	if err := s.running.enter(ctx); err != nil {
		return nil, err
	}
	defer s.running.leave()
	return all(ctx, s.reads, scopeList, func(row scanner) (graph.Scope, error) {
		scope := graph.Scope{Tenant: tenant}
		return scope, row.Scan(&scope.Name)
	}, arg("tenant", tenant), arg("after", after), arg("limit", bound(limit)))
}

// Backlog implements graph.Store. An episode is not yet worked off while it is pending, processing or failed; a dead one
// waits for a person.
func (s *Store) Backlog(ctx context.Context) ([]graph.Scope, error) {
	if err := s.running.enter(ctx); err != nil {
		return nil, err
	}
	defer s.running.leave()
	return all(ctx, s.reads, scopeListBacklog, func(row scanner) (graph.Scope, error) {
		var scope graph.Scope
		return scope, row.Scan(&scope.Tenant, &scope.Name)
	})
}

// Touch implements graph.Store. Facts that are not in the scope are left out; an earlier mark does not replace a later one.
func (s *Store) Touch(ctx context.Context, scope graph.Scope, facts []graph.ClaimID, at temporal.Instant) error {
	if err := s.running.enter(ctx); err != nil {
		return err
	}
	defer s.running.leave()
	return s.locked(ctx, func(db *session) error {
		key, _, err := findScope(ctx, db, scope)
		if err != nil {
			return err
		}
		_, err = db.exec(ctx, markPut, arg("scope", key), arg("facts", list(facts)), arg("used", begin(at)))
		return err
	})
}

// findScope returns the key and the clock of a scope.
func findScope(ctx context.Context, db *session, scope graph.Scope) (key int64, clock temporal.Instant, err error) {
	err = db.row(ctx, "scope", scopeFind, []any{&key, beginColumn{&clock}}, arg("tenant", scope.Tenant), arg("name", scope.Name))
	return key, clock, err
}

func scanKey(row scanner) (key int64, err error) { return key, row.Scan(&key) }
