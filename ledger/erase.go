package ledger

import (
	"context"
	"maps"
	"slices"

	"tenure/belief"
	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Erasure is the receipt of an erase.
type Erasure struct {
	Counts graph.Counts
	At     temporal.Instant
	// Others are the facts of the same subject, predicate and object that remain.
	Others []graph.ClaimID
	// Episodes are those that the erased claims came from and that are still held.
	Episodes []graph.EpisodeID
}

// EraseFact destroys every claim that has a fact's id or ever supported a window of it, but for those that now are another fact's,
// with all that came of it. It must be the only operation of its session.
func (s *Session) EraseFact(ctx context.Context, op Op, fact graph.ClaimID) (Erasure, error) {
	id, err := belief.Locate(ctx, s.w, fact)
	if err != nil {
		return Erasure{}, err
	}
	versions, err := s.w.VersionsOf(ctx, []graph.ClaimID{id})
	if err != nil {
		return Erasure{}, err
	}
	var keys []graph.Lane
	objects := map[graph.Lane][]graph.EntityID{} // a correction may have given the fact another one
	for _, v := range versions {
		keys = appendNew(keys, []graph.Lane{v.Lane})
	}
	if err := s.Load(ctx, keys); err != nil {
		return Erasure{}, err
	}
	carriers, err := s.w.ListClaims(ctx, graph.ClaimFilter{Facts: []graph.ClaimID{id}})
	if err != nil {
		return Erasure{}, err
	}
	doomed := map[graph.ClaimID]bool{}
	for _, c := range carriers {
		doomed[c.ID] = true // also one that ended before it began: it was read again, and what people had done stayed done
	}
	for _, key := range keys {
		for _, tx := range facts.Epochs(s.lanes[key].rows) {
			for _, w := range facts.Believe(facts.At(s.lanes[key].rows, tx)) {
				if w.Fact == id {
					objects[key] = appendNew(objects[key], []graph.EntityID{w.Object})
					for _, p := range w.Support {
						doomed[p.Claim] = true
					}
				}
			}
		}
	}
	if err := s.spare(ctx, id, doomed); err != nil {
		return Erasure{}, err
	}
	s.dropRetractions(keys, objects, doomed)
	receipt, err := s.erase(ctx, op, doomed, nil)
	if err != nil {
		return Erasure{}, err
	}
	for _, key := range keys {
		for _, w := range s.lanes[key].windows {
			if slices.Contains(objects[key], w.Object) {
				receipt.Others = appendNew(receipt.Others, []graph.ClaimID{w.Fact})
			}
		}
	}
	return receipt, nil
}

// EraseEpisode destroys an episode, the claims whose only source it was, and what the others had of it. What those claims had
// ended is open again. It must be the only operation of its session.
func (s *Session) EraseEpisode(ctx context.Context, op Op, id graph.EpisodeID) (Erasure, error) {
	found, err := s.w.Episodes(ctx, []graph.EpisodeID{id})
	if err != nil {
		return Erasure{}, err
	}
	if _, ok := found[id]; !ok {
		return Erasure{}, graph.NotFound("episode")
	}
	claims, err := s.w.ListClaims(ctx, graph.ClaimFilter{Episodes: []graph.EpisodeID{id}})
	if err != nil {
		return Erasure{}, err
	}
	doomed := map[graph.ClaimID]bool{}
	for _, c := range claims {
		rest := slices.DeleteFunc(slices.Clone(c.Sources), func(src graph.Source) bool { return src.Episode == id })
		if len(rest) == 0 {
			doomed[c.ID] = true
			continue
		}
		c.Sources = rest
		s.claims[c.ID] = c
		s.delta.Claims = append(s.delta.Claims, c)
	}
	receipt, err := s.erase(ctx, op, doomed, []graph.EpisodeID{id})
	receipt.Counts.Episodes = 1
	return receipt, err
}

// erase destroys claims and episodes, and writes the lanes they were in as if they had never been told.
func (s *Session) erase(ctx context.Context, op Op, doomed map[graph.ClaimID]bool, episodes []graph.EpisodeID) (Erasure, error) {
	at := s.next()
	e := &erasing{s: s, doomed: doomed, lanes: map[graph.Lane][]graph.Placement{}}
	e.gone = graph.Destruction{Claims: slices.Sorted(maps.Keys(doomed)), Episodes: episodes}
	if err := s.loadLives(ctx, e.gone.Claims); err != nil {
		return Erasure{}, err
	}
	receipt := Erasure{At: s.now, Episodes: s.stillHeld(e.gone)}
	for _, id := range e.gone.Claims {
		s.delta.Tombstones = append(s.delta.Tombstones, s.tombstones(s.claims[id])...)
	}
	for _, id := range episodes {
		s.delta.Tombstones = append(s.delta.Tombstones, EpisodeTombstone(id))
	}
	if err := e.changes(ctx); err != nil {
		return Erasure{}, err
	}
	if err := e.relive(ctx); err != nil {
		return Erasure{}, err
	}
	if err := e.strays(ctx); err != nil {
		return Erasure{}, err
	}
	if err := e.orphans(ctx); err != nil {
		return Erasure{}, err
	}
	var err error
	if receipt.Counts, err = e.rewrite(ctx); err != nil {
		return Erasure{}, err
	}
	receipt.Counts.Entities = len(e.gone.Entities)
	receipt.Counts.Episodes, receipt.Counts.Changes = len(episodes), len(e.gone.Changes)
	counts := receipt.Counts
	e.gone.Changes = append(e.gone.Changes, e.again...)
	s.delta.Changes = append(s.delta.Changes, graph.Change{
		ID: op.Change, At: at, Kind: graph.ChangeErase, Actor: op.Actor, Reason: op.Reason, Standing: true, Counts: &counts,
	})
	return receipt, s.w.Destroy(ctx, e.gone)
}

// stillHeld returns the episodes that doomed claims came from and that are not erased with them.
func (s *Session) stillHeld(gone graph.Destruction) []graph.EpisodeID {
	var out []graph.EpisodeID
	for _, id := range gone.Claims {
		for _, src := range s.claims[id].Sources {
			if !slices.Contains(gone.Episodes, src.Episode) {
				out = appendNew(out, []graph.EpisodeID{src.Episode})
			}
		}
	}
	return out
}

// erasing is an erase under way.
type erasing struct {
	s      *Session
	doomed map[graph.ClaimID]bool
	gone   graph.Destruction
	lanes  map[graph.Lane][]graph.Placement // the lanes to write anew, with the placements they held before
	work   []graph.ClaimID                  // claims that remain and whose life may differ
	again  []graph.ChangeID                 // changes that are written anew, with fewer effects
}

// changes dooms the changes that are about doomed claims alone, those that revert them, and their effects; other changes
// forget a doomed episode.
func (e *erasing) changes(ctx context.Context) error {
	var ids []graph.ChangeID
	var err error
	if len(e.gone.Claims) > 0 { // an empty filter would select everything
		if ids, err = e.concerned(ctx); err != nil {
			return err
		}
	}
	for len(ids) > 0 {
		if err := e.s.loadChanges(ctx, ids); err != nil {
			return err
		}
		var next []graph.ChangeID
		for _, id := range ids {
			doomed, err := e.only(ctx, id)
			if err != nil {
				return err
			}
			if !doomed || slices.Contains(e.gone.Changes, id) {
				continue
			}
			e.gone.Changes = append(e.gone.Changes, id)
			for _, r := range e.s.reverts[id] {
				next = append(next, r.ID)
			}
		}
		ids = next
	}
	if len(e.gone.Episodes) > 0 {
		from, err := e.s.w.ListChanges(ctx, graph.ChangeFilter{Episodes: e.gone.Episodes})
		if err != nil {
			return err
		}
		for _, c := range from {
			if !slices.Contains(e.gone.Changes, c.ID) {
				c.Episode = ""
				e.s.delta.Changes = append(e.s.delta.Changes, c)
			}
		}
	}
	if len(e.gone.Claims) == 0 {
		return nil
	}
	return e.effects(ctx)
}

// concerned returns the changes that logged a doomed claim or had an effect on one.
func (e *erasing) concerned(ctx context.Context) ([]graph.ChangeID, error) {
	var ids []graph.ChangeID
	for _, id := range e.gone.Claims {
		if c := e.s.claims[id]; c.Change != "" {
			ids = append(ids, c.Change)
		}
	}
	effects, err := e.s.w.ListEffects(ctx, graph.EffectFilter{Claims: e.gone.Claims})
	for _, f := range effects {
		ids = append(ids, f.Change)
	}
	return missing(ids, map[graph.ChangeID]bool{}), err
}

// only reports whether all that a change logged and touched is doomed. What it did for the sake of a doomed claim goes with that claim.
func (e *erasing) only(ctx context.Context, id graph.ChangeID) (bool, error) {
	c := e.s.changes[id]
	if c.Reverts != "" {
		return slices.Contains(e.gone.Changes, c.Reverts), nil
	}
	if c.Kind == graph.ChangeMerge || c.Kind == graph.ChangeDeclare || c.Kind == graph.ChangeErase {
		return false, nil
	}
	if c.Claim != "" {
		return e.doomed[c.Claim], nil
	}
	claims, err := e.s.w.ListClaims(ctx, graph.ClaimFilter{Changes: []graph.ChangeID{id}})
	if err != nil {
		return false, err
	}
	effects, err := e.s.w.ListEffects(ctx, graph.EffectFilter{Changes: []graph.ChangeID{id}})
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(claims, func(c graph.Claim) bool { return !e.doomed[c.ID] }) &&
		!slices.ContainsFunc(effects, func(f graph.Effect) bool { return !e.doomed[f.Claim] }), nil
}

// effects takes the effects that go from what is known of the claims that stay, and notes those for the work ahead.
func (e *erasing) effects(ctx context.Context) error {
	going, err := e.s.w.ListEffects(ctx, graph.EffectFilter{Changes: e.gone.Changes, Causes: e.gone.Claims, Claims: e.gone.Claims})
	if err != nil {
		return err
	}
	var touched []graph.ClaimID
	for _, f := range going {
		if !e.doomed[f.Claim] {
			touched = append(touched, f.Claim)
		}
	}
	if err := e.s.loadLives(ctx, touched); err != nil {
		return err
	}
	for _, id := range touched {
		e.s.effects[id] = slices.DeleteFunc(e.s.effects[id], func(f graph.Effect) bool {
			return slices.Contains(e.gone.Changes, f.Change) || e.doomed[f.Cause]
		})
	}
	for id := range e.s.reverts {
		e.s.reverts[id] = slices.DeleteFunc(e.s.reverts[id], func(r graph.Change) bool { return slices.Contains(e.gone.Changes, r.ID) })
	}
	e.work = touched
	return nil
}

// relive takes the doomed claims out of their lanes and computes the lives of the claims that depended on them anew.
func (e *erasing) relive(ctx context.Context) error {
	for _, id := range e.gone.Claims {
		dependents, err := e.s.dependents(ctx, e.s.claims[id])
		if err != nil {
			return err
		}
		e.work = append(e.work, dependents...)
		if err := e.replace(ctx, id, nil); err != nil {
			return err
		}
	}
	return e.settle(ctx)
}

// settle computes the lives of the claims at work anew, and of those that depend on them.
func (e *erasing) settle(ctx context.Context) error {
	for len(e.work) > 0 {
		id := e.work[0]
		e.work = e.work[1:]
		if e.doomed[id] {
			continue
		}
		if err := e.s.loadLives(ctx, []graph.ClaimID{id}); err != nil {
			return err
		}
		life, _, err := e.s.life(ctx, e.s.claims[id])
		if err != nil {
			return err
		}
		if slices.EqualFunc(life, e.s.lives[id], func(a, b graph.Placement) bool {
			return a.From == b.From && a.To == b.To && facts.SamePlacement(a, b)
		}) {
			continue
		}
		for i := range life {
			life[i].ID = e.s.placementID(life, i)
		}
		if err := e.replace(ctx, id, life); err != nil {
			return err
		}
		dependents, err := e.s.dependents(ctx, e.s.claims[id])
		if err != nil {
			return err
		}
		e.work = append(e.work, dependents...)
	}
	return nil
}

// replace puts a new life of a claim in the place of its old one.
func (e *erasing) replace(ctx context.Context, id graph.ClaimID, life []graph.Placement) error {
	for _, p := range append(slices.Clone(e.s.lives[id]), life...) {
		l, err := e.s.lane(ctx, p.Lane)
		if err != nil {
			return err
		}
		if _, ok := e.lanes[p.Lane]; !ok {
			e.lanes[p.Lane] = slices.Clone(l.rows)
		}
		l.rows = slices.DeleteFunc(l.rows, func(q graph.Placement) bool { return q.Claim == id })
	}
	for _, p := range life {
		e.s.lanes[p.Lane].rows = append(e.s.lanes[p.Lane].rows, p)
	}
	e.s.lives[id] = life
	return nil
}

// rewrite writes the placements and versions of the lanes anew and counts what is gone.
func (e *erasing) rewrite(ctx context.Context) (graph.Counts, error) {
	e.gone.Lanes = slices.SortedFunc(maps.Keys(e.lanes), graph.Lane.Compare)
	var counts graph.Counts
	held, left := map[graph.ClaimID]bool{}, map[graph.ClaimID]bool{}
	for _, key := range e.gone.Lanes {
		l := e.s.lanes[key]
		was, err := e.history(ctx, key, e.lanes[key])
		if err != nil {
			return counts, err
		}
		is, err := e.history(ctx, key, l.rows)
		if err != nil {
			return counts, err
		}
		counts.Versions += max(0, len(was)-len(is))
		for _, v := range was {
			held[v.Fact] = true
		}
		for _, v := range is {
			left[v.Fact] = true
		}
		if err := e.lanesOf(ctx, key, e.lanes[key], l.rows); err != nil {
			return counts, err
		}
		for _, p := range l.rows {
			e.s.put(p)
		}
		e.s.delta.Versions = append(e.s.delta.Versions, is...)
		l.windows = facts.Believe(counting(l.rows))
		l.versions = slices.DeleteFunc(is, func(v graph.Version) bool { return !v.Tx.Open() })
		l.stored = l.versions // nothing is left to settle
	}
	for id := range held {
		if !left[id] {
			counts.Facts++
		}
	}
	return counts, nil
}

// history computes the versions that placements of a lane give, with ids and changes.
func (e *erasing) history(ctx context.Context, key graph.Lane, rows []graph.Placement) ([]graph.Version, error) {
	s := e.s
	var claims []graph.ClaimID
	entities := []graph.EntityID{key.Subject}
	for _, p := range rows {
		claims = append(claims, p.Claim)
		if p.Object != "" {
			entities = append(entities, p.Subject, p.Object)
		}
	}
	if err := s.loadClaims(ctx, claims); err != nil {
		return nil, err
	}
	if err := s.loadEntities(ctx, entities); err != nil {
		return nil, err
	}
	changes, err := s.w.ListChanges(ctx, graph.ChangeFilter{Lanes: []graph.Lane{key}})
	if err != nil {
		return nil, err
	}
	by := map[temporal.Instant]graph.ChangeID{}
	for _, c := range changes {
		if !slices.Contains(e.gone.Changes, c.ID) {
			by[c.At.Tx] = c.ID // the last of a transaction
		}
	}
	var turns []temporal.Instant
	for _, w := range s.worlds {
		turns = append(turns, w.From.Tx)
	}
	versions := facts.History(rows, turns, func(tx temporal.Instant, w facts.Window) graph.Version {
		return facts.Content(key, w, facts.Context{World: s.worldAt(tx), Claims: s.claims, Entities: s.entities})
	})
	for i, v := range versions {
		versions[i].Begun = by[v.Tx.From]
		if !v.Tx.Open() {
			versions[i].Ended = by[v.Tx.To]
		}
		versions[i].ID = VersionID(s.scope(), versions[i])
	}
	return versions, nil
}

// worldAt is the world in force for the reader of a transaction time.
func (s *Session) worldAt(tx temporal.Instant) facts.World {
	world := s.worlds[0]
	for _, w := range s.worlds {
		if w.From.Tx <= tx {
			world = w
		}
	}
	return world
}
