package graphtest

import (
	"maps"
	"slices"

	"tenure/graph"
	"tenure/ledger"
)

// eraseFact destroys every claim that has a fact's id or ever supported a window of it, but for those that now are another
// fact's, and the retractions that name what it said.
func (m *model) eraseFact(op ledger.Op, fact graph.ClaimID) verdict {
	doomed := map[graph.ClaimID]bool{}
	for _, c := range m.claims {
		doomed[c.ID] = c.ID == fact || c.Origin == fact
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
	now := m.latest().windows()
	for _, c := range m.claims {
		supported := slices.DeleteFunc(slices.Clone(now), func(w held) bool { return !supports(w, c.ID) })
		mine := slices.ContainsFunc(supported, func(w held) bool { return w.Fact == fact })
		if len(supported) > 0 && !mine && c.ID != fact && c.Origin != fact {
			delete(doomed, c.ID)
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
	return m.erase(op, doomed, nil)
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
	return m.erase(op, doomed, []graph.EpisodeID{id})
}

// erase leaves a log in which the doomed claims were never told.
func (m *model) erase(op ledger.Op, doomed map[graph.ClaimID]bool, episodes []graph.EpisodeID) verdict {
	at := m.step()
	s := m.before(at)
	changes, facts := len(m.changes), m.facts()
	named := map[graph.EntityID]bool{}
	for _, c := range m.claims {
		if !doomed[c.ID] {
			continue
		}
		named[c.Subject], named[c.Object] = true, true
		for _, g := range s.graves(c) {
			m.graves[g] = true
		}
	}
	asserted := m.asserted(doomed)
	gone := m.idle(doomed)
	m.claims = slices.DeleteFunc(m.claims, func(c graph.Claim) bool { return doomed[c.ID] })
	m.effects = slices.DeleteFunc(m.effects, func(e graph.Effect) bool { return doomed[e.Claim] || doomed[e.Cause] })
	m.drop(gone)
	m.recall(asserted)
	lost := m.lost(named)
	gone = map[graph.ChangeID]bool{}
	for id := range lost {
		for _, e := range m.merges {
			if e.From == id || e.Into == id {
				gone[e.Change] = true
			}
		}
		delete(m.entities, id)
	}
	m.drop(gone)
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
	left := m.facts()
	maps.DeleteFunc(facts, func(id graph.ClaimID, _ bool) bool { return left[id] })
	return verdict{erased: graph.Counts{Episodes: len(episodes), Entities: len(lost), Facts: len(facts), Changes: changes + 1 - len(m.changes)}}
}

// facts are the ids of all that was ever believed.
func (m *model) facts() map[graph.ClaimID]bool {
	out := map[graph.ClaimID]bool{}
	for _, v := range m.versions() {
		out[v.Fact] = true
	}
	return out
}

// drop takes changes out of the log, with what they did and what reverts them.
func (m *model) drop(gone map[graph.ChangeID]bool) {
	for again := true; again; {
		again = false
		for _, c := range m.changes {
			if !gone[c.ID] && gone[c.Reverts] {
				gone[c.ID], again = true, true
			}
		}
	}
	m.effects = slices.DeleteFunc(m.effects, func(e graph.Effect) bool { return gone[e.Change] })
	m.changes = slices.DeleteFunc(m.changes, func(c graph.Change) bool { return gone[c.ID] })
	m.merges = slices.DeleteFunc(m.merges, func(e graph.Merge) bool { return gone[e.Change] })
	m.past = map[graph.Pos]*state{}
}

// said is an object of a lane.
type said struct {
	lane   graph.Lane
	object graph.EntityID
}

// asserted is all that some claims ever asserted.
func (m *model) asserted(by map[graph.ClaimID]bool) map[said]bool {
	out := map[said]bool{}
	for _, at := range m.places {
		for _, p := range m.after(at).rows() {
			if by[p.Claim] && p.Own && p.Kind == graph.Assert {
				out[said{p.Lane, p.Object}] = true
			}
		}
	}
	return out
}

// recall takes back what claims that are left did to facts that nobody asserts any more.
func (m *model) recall(gone map[said]bool) {
	left := map[graph.ClaimID]bool{}
	for _, c := range m.claims {
		left[c.ID] = true
	}
	for thing := range m.asserted(left) {
		delete(gone, thing)
	}
	changed := map[graph.ClaimID]bool{}
	m.effects = slices.DeleteFunc(m.effects, func(e graph.Effect) bool {
		if e.Kind != graph.Displace {
			return false
		}
		stray := false
		for _, at := range m.places {
			_, _, object, lane := m.after(at).triple(e.Subject, e.Predicate, e.Object)
			stray = stray || gone[said{lane, object}]
		}
		changed[e.Claim] = changed[e.Claim] || stray
		return stray
	})
	m.past = map[graph.Pos]*state{}
	for i, c := range m.claims {
		if changed[c.ID] {
			m.claims[i].Replaces = slices.DeleteFunc(slices.Clone(c.Replaces), func(fact graph.ClaimID) bool {
				return !slices.ContainsFunc(m.claims, func(x graph.Claim) bool { return x.ID == fact || x.Origin == fact })
			})
		}
	}
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

// lost are the entities of these that nobody speaks of, nor of what was merged into them.
func (m *model) lost(named map[graph.EntityID]bool) map[graph.EntityID]bool {
	used := map[graph.EntityID]bool{}
	for _, c := range m.claims {
		used[c.Subject], used[c.Object] = true, true
	}
	for _, at := range m.places {
		for _, p := range m.after(at).rows() {
			used[p.Subject], used[p.Object] = true, true
		}
	}
	for again := true; again; {
		again = false
		for _, e := range m.merges {
			if used[e.From] && !used[e.Into] {
				used[e.Into], again = true, true
			}
		}
	}
	lost := map[graph.EntityID]bool{}
	for id := range named {
		if id != "" && !used[id] {
			lost[id] = true
		}
	}
	return lost
}
