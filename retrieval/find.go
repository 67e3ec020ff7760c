package retrieval

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"tenure/entities"
	"tenure/graph"
)

// find returns the entities that a caller's word may mean, by id: the one of that id, else those of that name or alias in
// any case, else the literal of that text: a statement that happens to read like a name is no namesake. An entity that was
// merged comes with the one that stands for it now: at an earlier transaction time facts are still the old one's. A word
// that means nothing gives none.
func (l *lens) find(ctx context.Context, word string) ([]graph.EntityID, error) {
	found, err := l.Reader.Entities(ctx, []graph.EntityID{graph.EntityID(word)})
	if err != nil {
		return nil, err
	}
	ids := slices.Collect(maps.Keys(found))
	for _, key := range entities.Keys(word) {
		if len(ids) > 0 {
			break
		}
		named, err := l.EntitiesByKey(ctx, []string{key})
		if err != nil {
			return nil, err
		}
		for _, e := range named {
			ids = append(ids, e.ID)
		}
	}
	return l.standing(ids), nil
}

// named returns the entities that somebody who names one by id, or by name and perhaps kind, may mean.
func (l *lens) named(ctx context.Context, n graph.Named) ([]graph.EntityID, error) {
	if word := cmp.Or(string(n.ID), n.Name); n.Kind == "" || n.ID != "" {
		if word == "" {
			return nil, nil
		}
		return l.find(ctx, word)
	}
	ids, err := l.find(ctx, n.Name)
	if err != nil || len(ids) < 2 {
		return ids, err
	}
	known, err := l.Reader.Entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	// Of several of that name those of that kind are meant, else those that nobody gave a kind.
	for _, kind := range []string{n.Kind, ""} {
		of := slices.DeleteFunc(slices.Clone(ids), func(id graph.EntityID) bool { return known[id].Kind != kind })
		if len(of) > 0 {
			return of, nil
		}
	}
	return ids, nil
}

// standing adds to entities those that stand for them after merges, and sorts them.
func (l *lens) standing(ids []graph.EntityID) []graph.EntityID {
	for _, id := range slices.Clone(ids) {
		ids = append(ids, l.world.Resolve(id))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ever returns the entities with all that were ever merged into them: whose past is theirs too.
func (l *lens) ever(ids []graph.EntityID) []graph.EntityID {
	ids = l.standing(ids)
	for from := range l.world.Into {
		if slices.Contains(ids, l.world.Resolve(from)) {
			ids = append(ids, from)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
