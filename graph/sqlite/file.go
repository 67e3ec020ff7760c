package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"tenure/graph"
)

// A file is where a store keeps its data.
type file struct {
	path      string // absolute
	temporary string // the directory to remove on Close, if any
	lockWait  time.Duration
}

// locate returns the file of a path, a fresh temporary one for "".
func locate(path string, lockWait time.Duration) (file, error) {
	f := file{lockWait: lockWait}
	if path == "" {
		dir, err := os.MkdirTemp("", "tenure-")
		if err != nil {
			return file{}, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
		}
		f.temporary, path = dir, filepath.Join(dir, "tenure.db")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return file{}, err
	}
	f.path = abs
	// What people said is for the owner's eyes; the driver would let others read it. Where there is a file, its mode is its owner's choice.
	created, err := os.OpenFile(abs, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return f, nil // there is one, or the driver says why there cannot be
	}
	return f, created.Close()
}

// mode says what a connection may do.
type mode int

const (
	reading mode = iota
	writing
)

// open returns connections to the file. Which pragmas they need differs in what a crash may cost, in what may stay behind
// and in memory; the wait for locks is the same.
func (f file) open(m mode) (*sql.DB, error) {
	query := url.Values{"_dqs": {"0"}, "_busy_timeout": {strconv.FormatInt(f.lockWait.Milliseconds(), 10)}}
	pragmas := []string{"temp_store(memory)", "foreign_keys(on)", "trusted_schema(off)"}
	switch m {
	case writing:
		pragmas = append(pragmas, "journal_mode(wal)", "synchronous(full)", "secure_delete(on)",
			"cache_size(-65536)", "wal_autocheckpoint(4000)", "journal_size_limit(67108864)")
	case reading:
		pragmas = append(pragmas, "query_only(on)", "cache_size(-16384)")
	}
	query["_pragma"] = pragmas
	address := url.URL{Scheme: "file", Path: f.path, RawQuery: query.Encode()}
	return sql.Open("sqlite", address.String())
}

// A writeConn is the connection that writes. Whoever has it is the only writer of this process.
type writeConn struct {
	*session
	db   *sql.DB
	conn *sql.Conn
}

func (f file) write(ctx context.Context) (*writeConn, error) {
	db, err := f.open(writing)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(translate(ctx, err), db.Close())
	}
	return &writeConn{session: newSession(conn.PrepareContext), db: db, conn: conn}, nil
}

func (c *writeConn) close() error {
	return errors.Join(c.session.close(), c.conn.Close(), c.db.Close())
}

// lock takes the connection that writes and waits while others have it.
func (s *Store) lock(ctx context.Context) (*writeConn, error) {
	var conn *writeConn
	select {
	case conn = <-s.writer:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if conn != nil {
		return conn, nil
	}
	conn, err := s.file.write(ctx)
	if err != nil {
		s.writer <- nil
		return nil, err
	}
	return conn, nil
}

// unlock gives the connection back. One in an unknown state is given up, which abandons whatever it had begun.
func (s *Store) unlock(conn *writeConn, broken bool) {
	if broken {
		_ = conn.close() // what it was for has failed already
		conn = nil
	}
	s.writer <- conn
}

// locked runs f in a transaction of its own.
func (s *Store) locked(ctx context.Context, f func(*session) error) (err error) {
	conn, err := s.lock(ctx)
	if err != nil {
		return err
	}
	broken := true
	defer func() { s.unlock(conn, broken) }()
	if _, err := conn.run(ctx, updateBegin); err != nil {
		return err
	}
	if err := f(conn.session); err != nil {
		_, failed := conn.exec(context.WithoutCancel(ctx), updateAbandon)
		broken = failed != nil
		return err
	}
	_, err = conn.exec(ctx, updateCommit)
	broken = err != nil
	return err
}
