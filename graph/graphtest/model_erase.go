package graphtest

import (
	"slices"

	"tenure/graph"
	"tenure/ledger"
)

// eraseFact destroys every claim that ever supported a window of a fact, and the retractions that name what it said.
func (m *model) eraseFact(op ledger.Op, fact graph.ClaimID) verdict {
	doomed := map[graph.ClaimID]bool{}
	type said struct {
		lane   graph.Lane
		object graph.EntityID
	}
	things := map[said]bool{}
	for i, at := range m.places {
		if i+1 < len(m.places) && m.places[i+1].Tx == at.Tx {
			continue
		}
		for _, w := range m.after(at).of(fact) {
			things[said{w.version.Lane, w.Object}] = true
			for _, p := range w.Support {
				doomed[p.Claim] = true
			}
		}
	}
	for thing := range things {
		named := m.everPlaced(func(p graph.Placement) bool { return p.Own && p.Lane == thing.lane && p.Object == thing.object })
		if slices.ContainsFunc(named, func(c graph.Claim) bool { return c.Kind == graph.Assert && !doomed[c.ID] }) {
			continue // another fact says so; what denies it is still about that one
		}
		for _, c := range named {
			doomed[c.ID] = true
		}
	}
	m.erase(op, doomed, nil)
	return verdict{}
}

// everPlaced are the claims with a placement, at any place, that passes.
func (m *model) everPlaced(pass func(graph.Placement) bool) []graph.Claim {
	found := map[graph.ClaimID]bool{}
	for _, at := range m.places {
		for _, p := range m.after(at).rows() {
			if pass(p) {
				found[p.Claim] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(m.claims), func(c graph.Claim) bool { return !found[c.ID] })
}

// eraseEpisode destroys an episode and the claims that nothing else says.
func (m *model) eraseEpisode(op ledger.Op, id graph.EpisodeID) verdict {
	if _, ok := m.episodes[id]; !ok {
		return verdict{err: graph.ErrNotFound}
	}
	doomed := map[graph.ClaimID]bool{}
	for i, c := range m.claims {
		rest := slices.DeleteFunc(slices.Clone(c.Sources), func(s graph.Source) bool { return s.Episode == id })
		switch {
		case len(rest) == len(c.Sources):
		case len(rest) == 0:
			doomed[c.ID] = true
		default:
			m.claims[i].Sources = rest
		}
	}
	m.erase(op, doomed, []graph.EpisodeID{id})
	return verdict{}
}

// erase leaves a log in which the doomed claims were never told.
func (m *model) erase(op ledger.Op, doomed map[graph.ClaimID]bool, episodes []graph.EpisodeID) {
	at := m.step()
	s := m.before(at)
	lost := m.lost(doomed, s)
	for _, c := range m.claims {
		if doomed[c.ID] {
			_, _, object, lane := s.triple(c.Subject, c.Predicate, c.Object)
			for _, e := range episodesOf(c) {
				m.graves[grave{e, lane, object}] = true
			}
		}
	}
	gone := m.idle(doomed)
	for id := range lost {
		for _, e := range m.merges {
			if e.From == id || e.Into == id {
				gone[e.Change] = true
			}
		}
		delete(m.entities, id)
	}
	for again := true; again; { // what reverts a change goes with it
		again = false
		for _, c := range m.changes {
			if !gone[c.ID] && gone[c.Reverts] {
				gone[c.ID], again = true, true
			}
		}
	}
	m.claims = slices.DeleteFunc(m.claims, func(c graph.Claim) bool { return doomed[c.ID] })
	m.effects = slices.DeleteFunc(m.effects, func(e graph.Effect) bool { return doomed[e.Claim] || doomed[e.Cause] || gone[e.Change] })
	m.changes = slices.DeleteFunc(m.changes, func(c graph.Change) bool { return gone[c.ID] })
	m.merges = slices.DeleteFunc(m.merges, func(e graph.Merge) bool { return gone[e.Change] })
	for i, c := range m.changes {
		if slices.Contains(episodes, c.Episode) {
			m.changes[i].Episode = ""
		}
	}
	for _, id := range episodes {
		delete(m.episodes, id)
	}
	m.record(graph.Change{ID: op.Change, At: at, Kind: graph.ChangeErase, Actor: op.Actor, Reason: op.Reason})
	m.erased = true
}

// idle are the changes that are about nothing but doomed claims.
func (m *model) idle(doomed map[graph.ClaimID]bool) map[graph.ChangeID]bool {
	gone := map[graph.ChangeID]bool{}
	for _, c := range m.changes {
		switch c.Kind {
		case graph.ChangeMerge, graph.ChangeDeclare, graph.ChangeErase, graph.ChangeRevert:
			continue
		}
		about, left := 0, 0
		for _, x := range m.claims {
			if x.Change == c.ID {
				about++
				if !doomed[x.ID] {
					left++
				}
			}
		}
		if c.Claim == "" {
			for _, e := range m.effects {
				if e.Change == c.ID {
					about++
					if !doomed[e.Claim] {
						left++
					}
				}
			}
		}
		gone[c.ID] = about > 0 && left == 0
	}
	return gone
}

// lost are the entities that only doomed claims spoke of.
func (m *model) lost(doomed map[graph.ClaimID]bool, s *state) map[graph.EntityID]bool {
	out := map[graph.EntityID]bool{}
	for _, c := range m.claims {
		if doomed[c.ID] {
			out[c.Subject], out[c.Object] = true, true
		}
	}
	delete(out, "")
	for _, c := range m.claims {
		if !doomed[c.ID] {
			delete(out, c.Subject)
			delete(out, c.Object)
		}
	}
	for _, at := range m.places {
		for _, p := range m.after(at).rows() {
			if !doomed[p.Claim] {
				delete(out, p.Subject)
				delete(out, p.Object)
			}
		}
	}
	return out
}
