package ledger

import (
	"context"
	"maps"
	"slices"

	"tenure/facts"
	"tenure/graph"
)

// spare lets claims live that support no window of the fact now, but one of another fact: they stand on their own.
func (s *Session) spare(ctx context.Context, fact graph.ClaimID, doomed map[graph.ClaimID]bool) error {
	ids := slices.Sorted(maps.Keys(doomed))
	if err := s.loadLives(ctx, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if s.claims[id].Fact() == fact {
			continue
		}
		own, other := false, false
		for _, p := range s.lives[id] {
			if !p.Own || !p.To.IsZero() {
				continue
			}
			l, err := s.lane(ctx, p.Lane)
			if err != nil {
				return err
			}
			for _, w := range l.windows {
				if supports(w, id) {
					own, other = own || w.Fact == fact, other || w.Fact != fact
				}
			}
		}
		if other && !own {
			delete(doomed, id)
		}
	}
	return nil
}

// dropRetractions dooms the retractions that name an erased object where no other claim of that object remains.
func (s *Session) dropRetractions(keys []graph.Lane, objects map[graph.Lane][]graph.EntityID, doomed map[graph.ClaimID]bool) {
	for _, key := range keys {
		rows := s.lanes[key].rows
		for _, object := range objects[key] {
			named := func(p graph.Placement) bool { return p.Own && p.Object == object }
			if slices.ContainsFunc(rows, func(p graph.Placement) bool { return named(p) && p.Kind == graph.Assert && !doomed[p.Claim] }) {
				continue
			}
			for _, p := range rows {
				if named(p) {
					doomed[p.Claim] = true
				}
			}
		}
	}
}

// strays drops what claims that stay did to facts that are gone. With nobody left who says so, a retraction would do nothing but
// keep the name.
func (e *erasing) strays(ctx context.Context) error {
	for _, key := range slices.SortedFunc(maps.Keys(e.lanes), graph.Lane.Compare) {
		var objects []graph.EntityID
		for _, p := range e.lanes[key] {
			if e.doomed[p.Claim] && p.Own && p.Kind == graph.Assert {
				objects = appendNew(objects, []graph.EntityID{p.Object})
			}
		}
		for _, object := range objects {
			rows := slices.Clone(e.s.lanes[key].rows)
			if slices.ContainsFunc(rows, func(p graph.Placement) bool { return p.Own && p.Kind == graph.Assert && p.Object == object }) {
				continue // another claim says so
			}
			for _, p := range rows {
				if p.Own || p.Object != object {
					continue
				}
				if err := e.recall(ctx, p.Claim, key, object); err != nil {
					return err
				}
			}
		}
	}
	return e.settle(ctx)
}

// recall has a claim that stays no longer end an object of a lane.
func (e *erasing) recall(ctx context.Context, id graph.ClaimID, key graph.Lane, object graph.EntityID) error {
	if err := e.s.loadLives(ctx, []graph.ClaimID{id}); err != nil {
		return err
	}
	stray := func(f graph.Effect) bool {
		return f.Kind == graph.Displace && slices.ContainsFunc(e.s.worlds, func(w facts.World) bool {
			_, _, o, l := w.Triple(f.Subject, f.Predicate, f.Object)
			return l == key && o == object
		})
	}
	for _, f := range e.s.effects[id] {
		if stray(f) {
			if err := e.anew(ctx, f.Change, func(g graph.Effect) bool { return g.Claim == id && stray(g) }); err != nil {
				return err
			}
		}
	}
	e.s.effects[id] = slices.DeleteFunc(e.s.effects[id], stray)
	e.work = append(e.work, id)
	return e.forgets(ctx, id)
}

// anew has a change written again without some of its effects.
func (e *erasing) anew(ctx context.Context, id graph.ChangeID, without func(graph.Effect) bool) error {
	if slices.Contains(e.again, id) {
		e.s.delta.Effects = slices.DeleteFunc(e.s.delta.Effects, without)
		return nil
	}
	e.again = append(e.again, id)
	if err := e.s.loadChanges(ctx, []graph.ChangeID{id}); err != nil {
		return err
	}
	if !slices.ContainsFunc(e.s.delta.Changes, func(c graph.Change) bool { return c.ID == id }) {
		e.s.delta.Changes = append(e.s.delta.Changes, e.s.changes[id])
	}
	effects, err := e.s.w.ListEffects(ctx, graph.EffectFilter{Changes: []graph.ChangeID{id}})
	if err != nil {
		return err
	}
	for _, f := range effects {
		if !e.doomed[f.Claim] && !e.doomed[f.Cause] && !without(f) {
			e.s.delta.Effects = append(e.s.delta.Effects, f)
		}
	}
	return nil
}

// forgets takes the ids of facts that are gone out of what a claim replaces.
func (e *erasing) forgets(ctx context.Context, id graph.ClaimID) error {
	c := e.s.claims[id]
	left, err := e.s.w.ListClaims(ctx, graph.ClaimFilter{Facts: c.Replaces})
	if err != nil || len(c.Replaces) == 0 {
		return err
	}
	c.Replaces = slices.DeleteFunc(slices.Clone(c.Replaces), func(fact graph.ClaimID) bool {
		return !slices.ContainsFunc(left, func(x graph.Claim) bool { return !e.doomed[x.ID] && (x.ID == fact || x.Origin == fact) })
	})
	e.s.claims[id] = c
	e.s.delta.Claims = append(slices.DeleteFunc(e.s.delta.Claims, func(x graph.Claim) bool { return x.ID == id }), c)
	return nil
}

// lanesOf has the changes at whose places a lane's placements now begin or end, and did not before, say that they touched it.
func (e *erasing) lanesOf(ctx context.Context, key graph.Lane, was, is []graph.Placement) error {
	places := func(rows []graph.Placement) map[graph.Pos]bool {
		out := map[graph.Pos]bool{}
		for _, p := range rows {
			out[p.From], out[p.To] = true, true
		}
		return out
	}
	before := places(was)
	for at := range places(is) {
		if at.IsZero() || before[at] {
			continue
		}
		changes, err := e.s.w.ListChanges(ctx, graph.ChangeFilter{Since: at.Tx - 1, Until: at.Tx})
		if err != nil {
			return err
		}
		for _, c := range changes {
			if c.At == at && !slices.Contains(e.gone.Changes, c.ID) {
				e.widen(c, key)
			}
		}
	}
	return nil
}

// widen has a change say that it touched a lane.
func (e *erasing) widen(c graph.Change, key graph.Lane) {
	changes := e.s.delta.Changes
	i := slices.IndexFunc(changes, func(x graph.Change) bool { return x.ID == c.ID })
	if i < 0 {
		i = len(changes)
		changes = append(changes, c)
	}
	changes[i].Lanes = appendNew(slices.Clone(changes[i].Lanes), []graph.Lane{key})
	slices.SortFunc(changes[i].Lanes, graph.Lane.Compare)
	e.s.delta.Changes = changes
}

// orphans dooms the entities that only doomed claims spoke of, with merges of them. One that others were merged into stays with these.
func (e *erasing) orphans(ctx context.Context) error {
	var named []graph.EntityID
	for _, id := range e.gone.Claims {
		c := e.s.claims[id]
		named = appendNew(named, []graph.EntityID{c.Subject, c.Object})
	}
	settings, err := e.s.w.Settings(ctx)
	if err != nil {
		return err
	}
	for _, id := range named {
		if id == "" || id == settings.Self.ID {
			continue
		}
		used, err := e.used(ctx, e.s.mergedInto(id))
		if err != nil {
			return err
		}
		if used {
			continue
		}
		e.gone.Entities = append(e.gone.Entities, id)
		for _, m := range e.s.laws.Merges {
			if m.From == id || m.Into == id {
				e.drop(m.Change)
			}
		}
	}
	return nil
}

// drop dooms a change with those that revert it.
func (e *erasing) drop(id graph.ChangeID) {
	if slices.Contains(e.gone.Changes, id) {
		return
	}
	e.gone.Changes = append(e.gone.Changes, id)
	for _, r := range e.s.reverts[id] {
		e.drop(r.ID)
	}
}

// used reports whether a claim that stays names one of the entities, or is placed with one.
func (e *erasing) used(ctx context.Context, ids []graph.EntityID) (bool, error) {
	claims, err := e.s.w.ListClaims(ctx, graph.ClaimFilter{Entities: ids})
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(claims, func(c graph.Claim) bool { return !e.doomed[c.ID] }) {
		return true, nil
	}
	for _, f := range []graph.PlacementFilter{{Subjects: ids}, {Objects: ids}} {
		rows, err := e.s.w.ListPlacements(ctx, f)
		if err != nil {
			return false, err
		}
		for _, p := range rows {
			if _, anew := e.lanes[p.Lane]; !anew && !e.doomed[p.Claim] {
				return true, nil
			}
		}
	}
	for key := range e.lanes {
		if slices.ContainsFunc(e.s.lanes[key].rows, func(p graph.Placement) bool { return slices.Contains(ids, p.Subject) || slices.Contains(ids, p.Object) }) {
			return true, nil
		}
	}
	return false, nil
}
