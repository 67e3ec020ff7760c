package retrieval

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tenure/graph"
)

// compareID orders ids of one noun.
func compareID[T any](a, b graph.ID[T]) int { return cmp.Compare(a, b) }

// Entities lists entities by id: all, or those of a name or alias, or of a kind. One that was merged is not listed, and
// its name finds the one that stands for it.
func (s *Service) Entities(ctx context.Context, scope graph.Scope, name, kind string, page Page) (EntityPage, error) {
	of := listing("entities", scope, name, kind)
	size, sizeErr := page.size()
	place, tokenErr := decode(page.Token, of)
	l, err := s.open(ctx, scope, At{})
	if err != nil {
		return EntityPage{}, err
	}
	if err := errors.Join(sizeErr, tokenErr); err != nil {
		return EntityPage{}, err
	}
	var after graph.EntityID
	if place != nil {
		after = graph.EntityID(place.ID)
	}
	var found []graph.Entity
	if name != "" {
		found, err = l.called(ctx, name, kind, after)
	} else {
		found, err = l.listed(ctx, kind, after, size+1)
	}
	if err != nil {
		return EntityPage{}, err
	}
	out := EntityPage{Entities: found}
	if len(found) > size {
		out.Entities = found[:size]
		out.Next = token{Of: of, ID: string(found[size-1].ID)}.encode()
	}
	return out, nil
}

// called returns the standing entities of a name and kind that come after an id.
func (l *lens) called(ctx context.Context, name, kind string, after graph.EntityID) ([]graph.Entity, error) {
	ids, err := l.find(ctx, name)
	if err != nil {
		return nil, err
	}
	known, err := l.Reader.Entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []graph.Entity
	for _, id := range ids {
		if e, ok := known[id]; ok && id > after && l.stands(id) && (kind == "" || e.Kind == kind) {
			out = append(out, e)
		}
	}
	return out, nil
}

// listed returns the standing entities of a kind that come after an id, at most limit.
func (l *lens) listed(ctx context.Context, kind string, after graph.EntityID, limit int) ([]graph.Entity, error) {
	var out []graph.Entity
	for len(out) < limit {
		page, err := l.ListEntities(ctx, graph.EntityFilter{Kind: kind, After: after, Limit: limit})
		if err != nil || len(page) == 0 {
			return out, err
		}
		for _, e := range page {
			if l.stands(e.ID) && len(out) < limit {
				out = append(out, e)
			}
		}
		after = page[len(page)-1].ID
	}
	return out, nil
}

// stands reports whether the entity was not merged into another.
func (l *lens) stands(id graph.EntityID) bool { return l.world.Resolve(id) == id }

// Entity returns an entity with what is known of it, or ErrNotFound. Of one that was merged it says into which.
func (s *Service) Entity(ctx context.Context, scope graph.Scope, id graph.EntityID) (EntityDetail, error) {
	l, err := s.open(ctx, scope, At{})
	if err != nil {
		return EntityDetail{}, err
	}
	found, err := l.Reader.Entities(ctx, []graph.EntityID{id})
	if err != nil {
		return EntityDetail{}, err
	}
	e, ok := found[id]
	if !ok {
		return EntityDetail{}, graph.NotFound("entity")
	}
	detail := EntityDetail{Entity: e}
	if into := l.world.Resolve(id); into != id {
		detail.MergedInto = into
	}
	if detail.Suggestions, err = l.suggest(ctx, e); err != nil {
		return EntityDetail{}, err
	}
	holding := map[graph.VersionID]bool{}
	for _, filter := range []graph.VersionFilter{
		{Subjects: []graph.EntityID{id}, Valid: l.at.Valid}, {Objects: []graph.EntityID{id}, Valid: l.at.Valid},
	} {
		versions, err := l.Versions(ctx, filter)
		if err != nil {
			return EntityDetail{}, err
		}
		for _, v := range versions {
			holding[v.ID] = true
		}
	}
	detail.Facts = len(holding)
	return detail, nil
}

// suggest returns standing entities that may be the same as e: they share a name with it.
func (l *lens) suggest(ctx context.Context, e graph.Entity) ([]graph.Entity, error) {
	if e.Kind == graph.KindValue {
		return nil, nil
	}
	alike, err := l.EntitiesByKey(ctx, e.Keys)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(alike, func(o graph.Entity) bool {
		return o.ID == e.ID || o.Kind == graph.KindValue || !l.stands(o.ID) || l.world.Resolve(e.ID) == o.ID
	}), nil
}
