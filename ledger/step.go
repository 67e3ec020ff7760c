package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tenure/facts"
	"tenure/graph"
)

// step is one operation under way: its place in the log, and the lanes it has touched, as they were before.
type step struct {
	op     Op
	kind   graph.ChangeKind
	at     graph.Pos
	before map[graph.Lane][]graph.Version
	forced bool // a change is recorded even if no window differs
	anew   bool // names or defaults may have changed: content is made anew
}

// start begins an operation. The change that it may make is known at once, so that its effects can act.
func (s *Session) start(op Op, kind graph.ChangeKind) *step {
	st := &step{op: op, kind: kind, at: s.next(), before: map[graph.Lane][]graph.Version{}}
	s.changes[op.Change] = graph.Change{ID: op.Change, At: st.at, Kind: kind, Actor: op.Actor, Reason: op.Reason, Episode: op.Episode, Standing: true}
	return st
}

// touch remembers a lane as it was before the operation.
func (st *step) touch(l *lane) {
	if _, ok := st.before[l.key]; !ok {
		st.before[l.key] = slices.Clone(l.versions)
	}
}

// effect adds an effect of the operation on a claim.
func (s *Session) effect(st *step, e graph.Effect) {
	e.Change, e.At = st.op.Change, st.at
	s.effects[e.Claim] = append(s.effects[e.Claim], e)
	s.delta.Effects = append(s.delta.Effects, e)
	st.forced = true
}

// relive computes anew where claims count, and where those count that depend on them, and lays the difference in the lanes.
func (s *Session) relive(ctx context.Context, st *step, ids ...graph.ClaimID) error {
	for rounds := 0; len(ids) > 0; rounds++ {
		if rounds > 1000 {
			return fmt.Errorf("claims of change %s cause one another in a ring", st.op.Change)
		}
		var next []graph.ClaimID
		if err := s.loadLives(ctx, ids); err != nil {
			return err
		}
		for _, id := range missing(ids, map[graph.ClaimID]bool{}) {
			dependents, err := s.reliveOne(ctx, st, id)
			if err != nil {
				return err
			}
			next = append(next, dependents...)
		}
		ids = next
	}
	return nil
}

// reliveOne computes anew where one claim counts and returns the claims that depend on it, if that made a difference.
func (s *Session) reliveOne(ctx context.Context, st *step, id graph.ClaimID) ([]graph.ClaimID, error) {
	c, old := s.claims[id], s.lives[id]
	life, _, err := s.life(ctx, c)
	if err != nil {
		return nil, err
	}
	differs, err := s.lay(ctx, st, c, old, life)
	if err != nil || !differs {
		return nil, err
	}
	return s.dependents(ctx, c)
}

// life computes all placements of a claim, and when it counts for what it causes.
func (s *Session) life(ctx context.Context, c graph.Claim) ([]graph.Placement, []facts.Span, error) {
	in := facts.Influences{Stands: []facts.Span{{From: c.Logged}}, Worlds: s.worldsSince(c.Logged)}
	ids := []graph.ChangeID{}
	if c.Change != "" {
		ids = append(ids, c.Change)
	}
	for _, e := range s.effects[c.ID] {
		ids = append(ids, e.Change)
	}
	if err := s.loadChanges(ctx, ids); err != nil {
		return nil, nil, err
	}
	if c.Change != "" {
		in.Stands = facts.Standing(s.changes[c.Change], s.reverts)
	}
	for _, e := range s.effects[c.ID] {
		spans := facts.Standing(s.changes[e.Change], s.reverts)
		if e.Cause != "" && e.Cause != c.ID {
			causes, err := s.counts(ctx, e.Cause)
			if err != nil {
				return nil, nil, err
			}
			spans = facts.Both(spans, causes)
		}
		in.Effects = append(in.Effects, facts.Acting{Effect: e, Spans: spans})
	}
	life := facts.Life(c, in)
	taken, err := s.taken(ctx, life)
	if err != nil {
		return nil, nil, err
	}
	if len(taken) > 0 {
		in.Taken = taken
		life = facts.Life(c, in)
	}
	return life, taken, nil
}

// counts returns when a claim counts for what it causes.
func (s *Session) counts(ctx context.Context, id graph.ClaimID) ([]facts.Span, error) {
	if err := s.loadLives(ctx, []graph.ClaimID{id}); err != nil {
		return nil, err
	}
	life, taken, err := s.life(ctx, s.claims[id])
	return facts.Counting(life, taken), err
}

// taken returns when a never takes back a claim with this life.
func (s *Session) taken(ctx context.Context, life []graph.Placement) ([]facts.Span, error) {
	var spans []facts.Span
	for _, p := range life {
		if !p.Own || p.Kind == graph.Never {
			continue
		}
		l, err := s.lane(ctx, p.Lane)
		if err != nil {
			return nil, err
		}
		spans = append(spans, facts.TakenSpans(p, l.rows)...)
	}
	return spans, nil
}

// dependents returns the claims whose life may differ because that of c does: those it caused effects on, and, of a never,
// those it takes back that did something in other lanes.
func (s *Session) dependents(ctx context.Context, c graph.Claim) ([]graph.ClaimID, error) {
	out, err := s.caused(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	if c.Kind != graph.Never {
		return out, nil
	}
	for _, p := range s.lives[c.ID] {
		l, err := s.lane(ctx, p.Lane)
		if err != nil {
			return nil, err
		}
		for _, row := range l.rows {
			if row.Own && row.Kind != graph.Never && facts.TakenBack(row, []graph.Placement{p}) {
				out = append(out, row.Claim)
				// What it caused depends on it too, though its own placements stay as they are.
				caused, err := s.caused(ctx, row.Claim)
				if err != nil {
					return nil, err
				}
				out = append(out, caused...)
			}
		}
	}
	return out, nil
}

// caused returns the other claims that a claim caused effects on.
func (s *Session) caused(ctx context.Context, id graph.ClaimID) ([]graph.ClaimID, error) {
	effects := s.delta.Effects
	if s.claims[id].Logged.Tx != s.now { // else the store cannot know of any
		stored, err := s.w.ListEffects(ctx, graph.EffectFilter{Causes: []graph.ClaimID{id}})
		if err != nil {
			return nil, err
		}
		effects = slices.Concat(stored, effects)
	}
	var out []graph.ClaimID
	for _, e := range effects {
		if e.Cause == id && e.Claim != id {
			out = append(out, e.Claim)
		}
	}
	return out, nil
}

// lay writes the difference between a claim's old and new life into the lanes and reports whether there is one.
func (s *Session) lay(ctx context.Context, st *step, c graph.Claim, old, life []graph.Placement) (bool, error) {
	held := slices.Clone(old)
	var changed []graph.Placement
	for i, p := range life {
		j := slices.IndexFunc(held, func(h graph.Placement) bool { return h.From == p.From && facts.SamePlacement(h, p) })
		if j >= 0 {
			life[i].ID = held[j].ID
			if held[j].To != p.To {
				changed = append(changed, life[i])
			}
			held = slices.Delete(held, j, j+1)
			continue
		}
		life[i].ID = s.placementID(life, i)
		changed = append(changed, life[i])
	}
	for _, h := range held {
		if h.From != st.at {
			return false, fmt.Errorf("claim %s: a placement held does not follow from the log", c.ID)
		}
		// It began earlier in this operation, and the rest of it thought better: it never was.
		if err := s.unlay(ctx, st, h); err != nil {
			return false, err
		}
	}
	s.lives[c.ID] = life
	for _, p := range changed {
		l, err := s.lane(ctx, p.Lane)
		if err != nil {
			return false, err
		}
		st.touch(l)
		if i := slices.IndexFunc(l.rows, func(row graph.Placement) bool { return row.ID == p.ID }); i >= 0 {
			l.rows[i] = p
		} else {
			l.rows = append(l.rows, p)
		}
		s.put(p)
		l.moves(p)
	}
	return len(changed)+len(held) > 0, nil
}

// moves notes a placement that came or went, as it counts or counted.
func (l *lane) moves(p graph.Placement) {
	p.To = graph.Pos{}
	l.moved = append(l.moved, p)
}

// unlay takes a placement that was not written yet out of its lane.
func (s *Session) unlay(ctx context.Context, st *step, p graph.Placement) error {
	l, err := s.lane(ctx, p.Lane)
	if err != nil {
		return err
	}
	st.touch(l)
	same := func(q graph.Placement) bool { return q.ID == p.ID }
	l.rows = slices.DeleteFunc(l.rows, same)
	l.moves(p)
	s.delta.Placements = slices.DeleteFunc(s.delta.Placements, same)
	clear(s.written)
	for i, q := range s.delta.Placements {
		s.written[q.ID] = i
	}
	return nil
}

// placementID is the id of the i-th placement of its claim's life. It follows from what the placement says: an operation may
// work out a life more than once, and its order may differ.
func (s *Session) placementID(life []graph.Placement, i int) graph.PlacementID {
	p, twins := life[i], 0
	for _, q := range life[:i] {
		if q.From == p.From && facts.SamePlacement(q, p) {
			twins++
		}
	}
	return graph.DeriveID[graph.Placement](s.scope(), "placement", string(p.Claim), stamp(p.From.Tx), strconv.Itoa(p.From.Seq), strconv.Itoa(twins),
		string(p.Kind), strconv.FormatBool(p.Own), strconv.FormatBool(p.Muted), string(p.Subject), p.Predicate, string(p.Object),
		string(p.Lane.Subject), string(p.Lane.Object), stamp(p.Valid.From), stamp(p.Valid.To), stamp(p.HoldsAt), stamp(p.Narrowed.From), stamp(p.Narrowed.To))
}

// put has a placement written, in place of an earlier reading of it.
func (s *Session) put(p graph.Placement) {
	if i, ok := s.written[p.ID]; ok {
		s.delta.Placements[i] = p
		return
	}
	s.written[p.ID] = len(s.delta.Placements)
	s.delta.Placements = append(s.delta.Placements, p)
}

// worldsSince returns the worlds from the one in force at a place on.
func (s *Session) worldsSince(at graph.Pos) []facts.World {
	first := 0
	for i, w := range s.worlds {
		if w.From.Compare(at) <= 0 {
			first = i
		}
	}
	return s.worlds[first:]
}

// finish computes the touched lanes again and records the change, unless nothing differs and nothing forces it.
func (s *Session) finish(ctx context.Context, st *step) (facts.Difference, graph.ChangeID, error) {
	keys, err := s.foldTouched(ctx, st)
	if err != nil {
		return facts.Difference{}, "", err
	}
	var before, after []graph.Version
	for _, key := range keys {
		l := s.lanes[key]
		if !slices.EqualFunc(st.before[key], l.versions, facts.SameWindow) {
			l.last = st.op.Change
		}
		before, after = append(before, st.before[key]...), append(after, l.versions...)
	}
	d := facts.Compare(before, after)
	if d.Empty() && !st.forced {
		delete(s.changes, st.op.Change)
		return d, "", nil
	}
	change := s.changes[st.op.Change]
	change.Kind, change.Lanes = st.kind, keys
	s.changes[change.ID] = change
	s.delta.Changes = append(s.delta.Changes, change)
	return d, change.ID, nil
}

// foldTouched computes the windows of the lanes touched so far and returns them in order.
func (s *Session) foldTouched(ctx context.Context, st *step) ([]graph.Lane, error) {
	keys := slices.SortedFunc(maps.Keys(st.before), graph.Lane.Compare)
	for _, key := range keys {
		if err := s.fold(ctx, s.lanes[key], st.anew); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// fold computes a lane's windows and their content from its placements. A window with the same support keeps its content.
func (s *Session) fold(ctx context.Context, l *lane, anew bool) error {
	windows := facts.Rebelieve(l.windows, counting(l.rows), l.moved)
	l.moved = nil
	versions := make([]graph.Version, len(windows))
	var open []int
	j := 0 // both are in the order of their begins, which differ
	for i, w := range windows {
		for j < len(l.windows) && l.windows[j].Valid.From < w.Valid.From {
			j++
		}
		if !anew && j < len(l.windows) && l.windows[j].Valid.From == w.Valid.From && w.Fact == l.windows[j].Fact && sameSupport(l.windows[j], w) {
			versions[i] = l.versions[j]
			versions[i].Valid, versions[i].Precision, versions[i].Hidden = w.Valid, w.Precision, w.Muted
			continue
		}
		open = append(open, i)
	}
	if len(open) > 0 {
		in, err := s.context(ctx, l, windows, open)
		if err != nil {
			return err
		}
		for _, i := range open {
			versions[i] = facts.Content(l.key, windows[i], in)
		}
	}
	l.windows, l.versions = windows, versions
	return nil
}

// context loads what it takes to put windows in words.
func (s *Session) context(ctx context.Context, l *lane, windows []facts.Window, which []int) (facts.Context, error) {
	var claims []graph.ClaimID
	ids := []graph.EntityID{l.key.Subject, l.key.Object}
	for _, i := range which {
		ids = append(ids, windows[i].Object)
		for _, p := range windows[i].Support {
			claims = append(claims, p.Claim)
		}
	}
	if err := s.loadClaims(ctx, claims); err != nil {
		return facts.Context{}, err
	}
	ids = slices.DeleteFunc(ids, func(id graph.EntityID) bool { return id == "" })
	if err := s.loadEntities(ctx, ids); err != nil {
		return facts.Context{}, err
	}
	return facts.Context{World: s.World(), Claims: s.claims, Entities: s.entities}, nil
}

// sameSupport reports whether two windows rest on the same claims.
func sameSupport(a, b facts.Window) bool {
	return slices.EqualFunc(a.Support, b.Support, func(p, q graph.Placement) bool { return p.Claim == q.Claim })
}
