package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"tenure/graph"
)

// A session runs statements, each prepared once: on the pool of readers, or on the connection that writes.
// Its errors are those of the contract.
type session struct {
	prepare func(ctx context.Context, text string) (*sql.Stmt, error)
	mu      sync.Mutex
	stmts   map[string]*statement
}

func newSession(prepare func(context.Context, string) (*sql.Stmt, error)) *session {
	return &session{prepare: prepare, stmts: map[string]*statement{}}
}

// A statement is a prepared query and the parameters it has, in the order in which it was prepared to take them.
type statement struct {
	*sql.Stmt
	names []string
}

// A param is the value of a parameter.
type param struct {
	name  string
	value any
}

// arg gives a parameter its value.
func arg(name string, value any) param { return param{name, value} }

var (
	remark    = regexp.MustCompile(`(?m)--.*$`)
	parameter = regexp.MustCompile(`\$[a-z_]+`)
)

// compile numbers the parameters of a query, because the driver searches for names anew in every call. Where none is used twice
// the numbers are left out: the driver reads even those anew.
func compile(text string) (numbered string, names []string) {
	text = remark.ReplaceAllString(text, "")
	once := true
	numbered = parameter.ReplaceAllStringFunc(text, func(name string) string {
		i := slices.Index(names, name[1:])
		if i < 0 {
			i = len(names)
			names = append(names, name[1:])
		} else {
			once = false
		}
		return "?" + strconv.Itoa(i+1)
	})
	if once {
		numbered = parameter.ReplaceAllString(text, "?")
	}
	return numbered, names
}

func (s *session) stmt(ctx context.Context, text string) (*statement, error) {
	s.mu.Lock()
	known, ok := s.stmts[text]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	numbered, names := compile(text)
	stmt, err := s.prepare(ctx, numbered) // not under the lock: it may wait for a connection
	if err != nil {
		return nil, translate(ctx, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, ok := s.stmts[text]; ok {
		_ = stmt.Close()
		return first, nil
	}
	s.stmts[text] = &statement{stmt, names}
	return s.stmts[text], nil
}

// values puts parameters in the order of the statement. Those passed must be just those it has.
func (s *statement) values(args []param) ([]any, error) {
	values := make([]any, 0, len(s.names))
	for _, name := range s.names {
		for _, arg := range args {
			if arg.name == name {
				values = append(values, arg.value)
				break
			}
		}
	}
	if len(values) != len(s.names) || len(args) != len(s.names) {
		return nil, errParameters
	}
	return values, nil
}

// exec runs a statement and returns how many rows it wrote. It does not stop when ctx ends: a statement that is stopped
// halfway would take the rest of its transaction with it. A ctx that has ended stops it before it begins.
func (s *session) exec(ctx context.Context, text string, args ...param) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return s.run(context.WithoutCancel(ctx), text, args...)
}

// run is exec for a statement that waits for locks and may be stopped while it does. After an error the connection is in no
// known state.
func (s *session) run(ctx context.Context, text string, args ...param) (int64, error) {
	stmt, err := s.stmt(ctx, text)
	if err != nil {
		return 0, err
	}
	values, err := stmt.values(args)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, values...)
	if err != nil {
		return 0, translate(ctx, err)
	}
	return result.RowsAffected()
}

// row reads the one row of a query; noun names it in the ErrNotFound of none.
func (s *session) row(ctx context.Context, noun, text string, into []any, args ...param) error {
	stmt, err := s.stmt(ctx, text)
	if err != nil {
		return err
	}
	values, err := stmt.values(args)
	if err != nil {
		return err
	}
	err = stmt.QueryRowContext(ctx, values...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return graph.NotFound(noun)
	}
	return translate(ctx, err)
}

// each calls scan for each row of a query.
func (s *session) each(ctx context.Context, text string, scan func(scanner) error, args ...param) error {
	stmt, err := s.stmt(ctx, text)
	if err != nil {
		return err
	}
	values, err := stmt.values(args)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, values...)
	if err != nil {
		return translate(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return translate(ctx, err)
		}
	}
	return translate(ctx, rows.Err())
}

// A scanner reads the columns of a row.
type scanner interface{ Scan(into ...any) error }

// all returns the rows of a query.
func all[T any](ctx context.Context, s *session, text string, scan func(scanner) (T, error), args ...param) ([]T, error) {
	var out []T
	err := s.each(ctx, text, func(row scanner) error {
		item, err := scan(row)
		out = append(out, item)
		return err
	}, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *session) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var failed []error
	for _, stmt := range s.stmts {
		failed = append(failed, stmt.Close())
	}
	clear(s.stmts)
	return errors.Join(failed...)
}
