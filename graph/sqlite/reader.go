package sqlite

import (
	"context"

	"tenure/graph"
	"tenure/temporal"
)

// A reader is a graph.Reader. It holds no connection between calls: the transaction axis it reads does not change.
type reader struct {
	store  *Store
	db     *session
	scope  int64 // the key; 0 in an update that has not begun its scope yet
	view   graph.View
	tx     temporal.Instant // what is read: the view's Tx, or the scope's clock where that is earlier
	writer *writer          // the update this is the reading part of, or nil
}

var _ graph.Reader = (*reader)(nil)

// enter begins a call.
func (r *reader) enter(ctx context.Context) error {
	if r.writer == nil {
		return r.store.running.enter(ctx)
	}
	if r.writer.ended {
		return errEnded
	}
	return ctx.Err()
}

// leave ends a call.
func (r *reader) leave() {
	if r.writer == nil {
		r.store.running.leave()
	}
}

// alive reports, as an ErrNotFound, that the scope is gone. It is asked after a read: then what was read was whole, for a scope
// is made gone before its rows are deleted.
func (r *reader) alive(ctx context.Context) error {
	if r.writer != nil {
		return nil
	}
	var clock, destroyed int64
	return r.db.row(ctx, "scope", scopeState, []any{&clock, &destroyed}, arg("scope", r.scope))
}

// check is a call that has nothing to read.
func (r *reader) check(ctx context.Context) error {
	if err := r.enter(ctx); err != nil {
		return err
	}
	defer r.leave()
	return r.alive(ctx)
}

// one reads the one row of a query.
func (r *reader) one(ctx context.Context, noun, text string, into []any, args ...param) error {
	if err := r.enter(ctx); err != nil {
		return err
	}
	defer r.leave()
	if err := r.db.row(ctx, noun, text, into, append(args, arg("scope", r.scope))...); err != nil {
		return err
	}
	return r.alive(ctx)
}

// fetch reads the rows of a query.
func fetch[T any](ctx context.Context, r *reader, text string, scan func(scanner) (T, error), args ...param) ([]T, error) {
	if err := r.enter(ctx); err != nil {
		return nil, err
	}
	defer r.leave()
	out, err := all(ctx, r.db, text, scan, append(args, arg("scope", r.scope))...)
	if err != nil {
		return nil, err
	}
	return out, r.alive(ctx)
}

// byID reads the things of the ids.
func byID[T any](ctx context.Context, r *reader, text string, scan func(scanner) (T, error), id func(T) graph.ID[T], ids []graph.ID[T]) (map[graph.ID[T]]T, error) {
	out := make(map[graph.ID[T]]T, len(ids))
	if len(ids) == 0 {
		return out, r.check(ctx)
	}
	found, err := fetch(ctx, r, text, scan, arg("ids", list(ids)))
	if err != nil {
		return nil, err
	}
	for _, item := range found {
		out[id(item)] = item
	}
	return out, nil
}

// View implements graph.ScopeReader.
func (r *reader) View() graph.View { return r.view }

// Settings implements graph.ScopeReader.
func (r *reader) Settings(ctx context.Context) (graph.Settings, error) {
	var settings graph.Settings
	if r.scope == 0 {
		return settings, r.check(ctx)
	}
	err := r.one(ctx, "scope", scopeSettings, []any{jsonColumn{&settings}})
	return settings, err
}

// Counts implements graph.ScopeReader. Forgotten facts are believed, and counted.
func (r *reader) Counts(ctx context.Context) (graph.Counts, error) {
	var n graph.Counts
	if err := r.one(ctx, "scope", versionCount, []any{&n.Facts, &n.Versions}, arg("tx", begin(r.tx))); err != nil {
		return n, err
	}
	err := r.one(ctx, "scope", scopeCount, []any{&n.Entities, &n.Episodes, &n.Changes})
	return n, err
}

// Tombstones implements graph.ScopeReader.
func (r *reader) Tombstones(ctx context.Context, hashes []string) (map[string]bool, error) {
	found, err := fetch(ctx, r, tombstoneFind, func(row scanner) (hash string, err error) {
		return hash, row.Scan(&hash)
	}, arg("hashes", list(hashes)))
	if err != nil {
		return nil, err
	}
	out := make(map[string]bool, len(found))
	for _, hash := range found {
		out[hash] = true
	}
	return out, nil
}

// Receipt implements graph.ScopeReader.
func (r *reader) Receipt(ctx context.Context, key string) (graph.Receipt, error) {
	receipt := graph.Receipt{Key: key}
	err := r.one(ctx, "receipt", receiptGet, []any{
		&receipt.Hash, beginColumn{&receipt.Tx}, jsonColumn{&receipt.Results}, jsonColumn{&receipt.Episodes},
	}, arg("key", key))
	if err != nil {
		return graph.Receipt{}, err
	}
	return receipt, nil
}

func receiptArgs(r graph.Receipt) []param {
	return []param{
		arg("key", r.Key), arg("hash", r.Hash), arg("tx", begin(r.Tx)), arg("results", list(r.Results)), arg("episodes", list(r.Episodes)),
	}
}
