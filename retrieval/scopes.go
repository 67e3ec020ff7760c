package retrieval

import (
	"context"
	"errors"

	"tenure/graph"
)

// Scope returns a scope with its settings and how much it holds, or ErrNotFound.
func (s *Service) Scope(ctx context.Context, scope graph.Scope) (ScopeInfo, error) {
	r, err := s.cfg.Store.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		return ScopeInfo{}, err
	}
	info := ScopeInfo{Scope: scope}
	if info.Settings, err = r.Settings(ctx); err != nil {
		return ScopeInfo{}, err
	}
	info.Counts, err = r.Counts(ctx)
	return info, err
}

// Scopes lists a tenant's scopes by name.
func (s *Service) Scopes(ctx context.Context, tenant string, page Page) ([]ScopeInfo, string, error) {
	of := listing("scopes", graph.Scope{Tenant: tenant})
	size, sizeErr := page.size()
	place, tokenErr := decode(page.Token, of)
	if err := errors.Join(sizeErr, tokenErr); err != nil {
		return nil, "", err
	}
	var after string
	if place != nil {
		after = place.ID
	}
	scopes, err := s.cfg.Store.Scopes(ctx, tenant, after, size+1)
	if err != nil {
		return nil, "", err
	}
	var next string
	if len(scopes) > size {
		scopes = scopes[:size]
		next = token{Of: of, ID: scopes[size-1].Name}.encode()
	}
	out := make([]ScopeInfo, 0, len(scopes))
	for _, scope := range scopes {
		info, err := s.Scope(ctx, scope)
		if errors.Is(err, graph.ErrNotFound) {
			continue // erased since it was listed
		}
		if err != nil {
			return nil, "", err
		}
		out = append(out, info)
	}
	return out, next, nil
}

// Predicates returns the predicates in force in a scope, the shipped ones too, by name.
func (s *Service) Predicates(ctx context.Context, scope graph.Scope) ([]graph.Predicate, error) {
	l, err := s.open(ctx, scope, At{})
	if err != nil {
		return nil, err
	}
	return l.world.Registry().All(), nil
}

// Predicate returns a declared or shipped predicate, or ErrNotFound.
func (s *Service) Predicate(ctx context.Context, scope graph.Scope, name string) (graph.Predicate, error) {
	all, err := s.Predicates(ctx, scope)
	if err != nil {
		return graph.Predicate{}, err
	}
	for _, p := range all {
		if p.Name == name {
			return p, nil
		}
	}
	return graph.Predicate{}, graph.NotFound("predicate")
}
