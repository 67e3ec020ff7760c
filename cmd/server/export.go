package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"tenure/graph"
	"tenure/retrieval"
	"tenure/temporal"
)

// runExport writes a scope of a store to w. The store may be in use by a server.
func runExport(ctx context.Context, cfg exportConfig, w io.Writer) (err error) {
	path, err := sqliteFile(cfg.Store)
	if err := errors.Join(err, cfg.check()); err != nil {
		return err
	}
	if path == "" {
		return errors.New("--store: a throw-away store has nothing to export")
	}
	if _, err := os.Stat(path); err != nil { // opening it would make an empty one
		return fmt.Errorf("--store: %w", err)
	}
	store, err := openStore(ctx, cfg.Store, temporal.SystemClock{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	read, err := retrieval.New(retrieval.Config{Store: store, Clock: temporal.SystemClock{}})
	if err != nil {
		return err
	}
	return read.Export(ctx, graph.Scope{Tenant: cfg.Tenant, Name: cfg.Scope}, w)
}
