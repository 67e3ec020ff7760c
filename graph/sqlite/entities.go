package sqlite

import (
	"context"
	"slices"
	"strings"

	"tenure/graph"
)

func entityArgs(e graph.Entity) []param {
	return []param{
		arg("id", string(e.ID)), arg("name", e.Name), arg("kind", e.Kind),
		arg("aliases", list(e.Aliases)), arg("keys", list(e.Keys)),
	}
}

func scanEntity(row scanner) (graph.Entity, error) {
	var e graph.Entity
	err := row.Scan((*string)(&e.ID), &e.Name, &e.Kind, jsonColumn{&e.Aliases}, jsonColumn{&e.Keys})
	return e, err
}

func entityID(e graph.Entity) graph.EntityID { return e.ID }

// Entities implements graph.EntityReader.
func (r *reader) Entities(ctx context.Context, ids []graph.EntityID) (map[graph.EntityID]graph.Entity, error) {
	return byID(ctx, r, entityGet, scanEntity, entityID, ids)
}

// EntitiesByKey implements graph.EntityReader.
func (r *reader) EntitiesByKey(ctx context.Context, keys []string) ([]graph.Entity, error) {
	if len(keys) == 0 {
		return nil, r.check(ctx)
	}
	found, err := fetch(ctx, r, entityFind, scanEntity, arg("keys", list(keys)))
	if err != nil {
		return nil, err
	}
	return ordered(found, func(a, b graph.Entity) int { return strings.Compare(string(a.ID), string(b.ID)) }, 0), nil
}

// ListEntities implements graph.EntityReader.
func (r *reader) ListEntities(ctx context.Context, filter graph.EntityFilter) ([]graph.Entity, error) {
	args := []param{arg("after", string(filter.After)), arg("limit", bound(filter.Limit))}
	switch {
	case filter.Key != "":
		args = append(args, arg("key", filter.Key), arg("kind", optional(filter.Kind)))
		return fetch(ctx, r, entityListByKey, scanEntity, args...)
	case filter.Kind != "":
		return fetch(ctx, r, entityListByKind, scanEntity, append(args, arg("kind", filter.Kind))...)
	}
	return fetch(ctx, r, entityList, scanEntity, args...)
}

// ordered sorts what was read, takes out what was read twice, and cuts it to the limit.
func ordered[T any](items []T, compare func(a, b T) int, limit int) []T {
	slices.SortStableFunc(items, compare)
	items = slices.CompactFunc(items, func(a, b T) bool { return compare(a, b) == 0 })
	if limit > 0 && len(items) > limit {
		items = items[:limit:limit]
	}
	return items
}
