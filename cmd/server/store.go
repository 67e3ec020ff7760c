package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tenure/graph"
	"tenure/graph/sqlite"
	"tenure/temporal"
)

// sqliteFile returns the file of a --store, "" for a throw-away one.
func sqliteFile(store string) (string, error) {
	scheme, path, ok := strings.Cut(store, ":")
	switch scheme = strings.ToLower(scheme); {
	case ok && scheme == "sqlite":
		return path, nil
	case ok && (scheme == "neo4j" || scheme == "bolt" || strings.HasPrefix(scheme, "neo4j+") || strings.HasPrefix(scheme, "bolt+")):
		return "", errors.New("--store: Neo4j is not in this build yet: use sqlite:FILE")
	}
	return "", errors.New("--store: want sqlite:FILE, or sqlite: for a throw-away store in a temporary file")
}

// openStore opens the store of a --store. The caller closes it.
func openStore(ctx context.Context, store string, clock temporal.Clock) (graph.Store, error) {
	path, err := sqliteFile(store)
	if err != nil {
		return nil, err
	}
	opened, err := sqlite.Open(ctx, sqlite.Config{Path: path, Clock: clock})
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", store, err)
	}
	return opened, nil
}
