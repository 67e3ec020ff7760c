package graphtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// testNeverTold erases from a history, and tells the same history without what was erased in another scope. Afterwards both
// hold the same versions, request by request, over all of transaction time.
func testNeverTold(t *testing.T, store graph.Store) {
	each(t, (*histories+1)/2, func(t *testing.T, seed uint64) {
		h := newHistory(seed, *requests, claimsOnly)
		if done, err := neverTold(t.Context(), store, h); err != nil {
			t.Fatalf("history of seed %d:\n%s%v", seed, done, err)
		}
	})
}

func neverTold(ctx context.Context, store graph.Store, h history) (string, error) {
	p, err := newPlayer(ctx, store, newScope(), h)
	if err != nil {
		return "", err
	}
	for _, s := range h.steps {
		p.turn(s)
		if err := p.request(p.t.request()); err != nil {
			return p.text(), err
		}
	}
	tale := p.tale
	p.turn(step{number: len(h.steps), seed: h.universe})
	if err := p.request([]operation{p.t.operation(one(p.t.Rand, []deed{eraseFact, eraseEpisode}))}); err != nil {
		return p.text(), err
	}
	twin, err := newPlayer(ctx, store, newScope(), h)
	if err != nil {
		return p.text(), err
	}
	for i := range tale {
		if err := twin.retell(&tale[i], p.m); err != nil {
			return p.text(), err
		}
	}
	got, err := byRequest(ctx, p, tale, func(r told) temporal.Instant { return r.now })
	if err != nil {
		return p.text(), err
	}
	want, err := byRequest(ctx, twin, tale, func(r told) temporal.Instant { return r.again })
	if err != nil {
		return p.text(), err
	}
	return p.text(), diff("versions after an erase, against a scope that was never told", got, want)
}

// retell does a request once more, without the claims that a model does not hold.
func (p *player) retell(r *told, m *model) error {
	return p.store.Update(p.ctx, p.scope, func(w graph.Writer) error {
		s, err := ledger.Begin(p.ctx, w)
		if err != nil {
			return err
		}
		r.again = w.Now()
		for _, o := range r.operations {
			if o.deed == say {
				c, ok := m.claim(o.claim.ID)
				if !ok {
					continue
				}
				o.claim.Sources = c.Sources
			}
			for _, e := range o.entities {
				s.AddEntities(e)
			}
			o.entities = nil
			if _, err := o.apply(p.ctx, s); err != nil && !errors.Is(err, graph.ErrNotFound) {
				return err
			}
		}
		return s.Commit(p.ctx)
	})
}

// byRequest are the versions that a scope holds, with the number of a request in place of each transaction time.
func byRequest(ctx context.Context, p *player, tale []told, tx func(told) temporal.Instant) ([]graph.Version, error) {
	r, err := p.store.Snapshot(ctx, graph.View{Scope: p.scope})
	if err != nil {
		return nil, err
	}
	var out []graph.Version
	var facts []graph.ClaimID
	for _, gone := range []bool{false, true} {
		versions, err := r.Versions(ctx, graph.VersionFilter{Hidden: graph.WithHidden, Gone: gone})
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			facts = union(facts, []graph.ClaimID{v.Fact})
		}
	}
	versions, err := r.VersionsOf(ctx, facts)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		for _, end := range []*temporal.Instant{&v.Tx.From, &v.Tx.To} {
			if *end == 0 {
				continue
			}
			i := slices.IndexFunc(tale, func(r told) bool { return tx(r) == *end })
			if i < 0 {
				return nil, fmt.Errorf("a version of fact %s begins or ends at no request", v.Fact)
			}
			*end = temporal.Instant(i + 1)
		}
		out = append(out, v)
	}
	return stripped(out), nil
}
