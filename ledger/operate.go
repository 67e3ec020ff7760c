package ledger

import (
	"context"
	"errors"
	"slices"

	"tenure/belief"
	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Correction is what a corrected fact is to say; what is nil stays as it is.
type Correction struct {
	ID         graph.ClaimID    // of the claim that the correction logs
	At         temporal.Instant // picks the window that holds then, else the last
	Text       *string          // "" has a sentence made from the triple
	Object     *graph.EntityID
	From       *temporal.Date // a zero At is an unknown begin
	To         *temporal.Date // a zero At is an open end
	Importance *float64
}

// Correct has the window of a fact say what the correction says: exactly that, or ErrConflict names the fact in the way.
// A fact that is no longer believed is ErrConflict; one that is not in the scope ErrNotFound.
func (s *Session) Correct(ctx context.Context, op Op, fact graph.ClaimID, in Correction) (Result, error) {
	windows, id, err := s.windowsOf(ctx, fact)
	if err != nil {
		return Result{}, err
	}
	w, ok := pick(windows, in.At)
	if !ok {
		return Result{}, graph.Conflict("fact %s was retracted: revert that, or assert it again", id)
	}
	if err := s.loadSupport(ctx, w); err != nil {
		return Result{}, err
	}
	c, err := s.corrected(w, id, in)
	if err != nil {
		return Result{}, err
	}
	if c.Replaces, err = s.remaining(ctx, c.Replaces); err != nil {
		return Result{}, err
	}
	c.Actor = op.Actor
	st := s.start(op, graph.ChangeCorrect)
	var touched []graph.ClaimID
	for _, p := range w.Support {
		s.effect(st, graph.Effect{Claim: p.Claim, Kind: graph.Limit, Within: p.Narrowed, Keep: elsewhere(w, p)})
		touched = append(touched, p.Claim)
	}
	// What the corrected claims had ended elsewhere comes back first, so that the correction can end it in their place.
	if err := s.relive(ctx, st, touched...); err != nil {
		return Result{}, err
	}
	if _, err := s.foldTouched(ctx, st); err != nil {
		return Result{}, err
	}
	logged, err := s.log(ctx, st, c)
	if err != nil {
		return Result{}, err
	}
	if w.Muted {
		s.inherit(w.Support[0].Claim, c.ID, func(e graph.Effect) bool { return e.Kind == graph.Mute })
	}
	if err := s.relive(ctx, st, logged...); err != nil {
		return Result{}, err
	}
	r, err := s.conclude(ctx, st, c.ID)
	if err != nil {
		return Result{}, err
	}
	want := temporal.Period{From: c.Valid.From, To: w.Valid.To}
	if in.To != nil {
		want.To = in.To.At
	}
	r.Outcome = Corrected
	r.Fact, err = s.exactly(c, id, want)
	return r, err
}

// exactly returns the window of a fact if it is what a correction asked for, else ErrConflict with what is in the way.
func (s *Session) exactly(c graph.Claim, id graph.ClaimID, want temporal.Period) (*graph.Version, error) {
	_, _, object, key := s.World().Triple(c.Subject, c.Predicate, c.Object)
	for i, got := range s.lanes[key].windows {
		if got.Valid == want && got.Object == object && got.Fact == id && supports(got, c.ID) {
			return &s.lanes[key].versions[i], nil
		}
	}
	for _, got := range s.lanes[key].versions {
		if got.Valid.Overlaps(want) && got.Fact != id {
			return nil, graph.Conflict("fact %s is in the way", got.Fact)
		}
	}
	return nil, graph.Conflict("another claim about this subject and predicate is in the way: see the claims of fact %s", id)
}

// remaining leaves out the facts that were erased.
func (s *Session) remaining(ctx context.Context, facts []graph.ClaimID) ([]graph.ClaimID, error) {
	var out []graph.ClaimID
	for _, id := range facts {
		switch _, err := belief.Locate(ctx, s.w, id); {
		case err == nil:
			out = append(out, id)
		case !errors.Is(err, graph.ErrNotFound):
			return nil, err
		}
	}
	return out, nil
}

// elsewhere returns the other windows that a placement supports.
func elsewhere(w window, p graph.Placement) []temporal.Period {
	var keep []temporal.Period
	for _, other := range w.lane.windows {
		if other.Valid != w.Valid && slices.ContainsFunc(other.Support, func(q graph.Placement) bool { return q.ID == p.ID }) {
			keep = append(keep, other.Valid)
		}
	}
	return keep
}

// corrected makes the claim that says what a corrected window is to say.
func (s *Session) corrected(w window, id graph.ClaimID, in Correction) (graph.Claim, error) {
	v := w.version
	c := graph.Claim{
		ID: in.ID, Kind: graph.Assert, Origin: id, Correction: true, Trust: v.Trust,
		Subject: v.Subject, Predicate: v.Predicate, Object: v.Object,
		Valid: temporal.Period{From: w.Valid.From}, Precision: graph.Bounds{From: w.Precision.From},
	}
	for i, p := range w.Support {
		said := s.claims[p.Claim]
		if said.Text != "" {
			c.Text = v.Text // somebody stated it: the words stay
		}
		if said.Type != "" {
			c.Type = v.Type
		}
		if said.Importance != nil {
			c.Importance = &v.Importance
		}
		c.HoldsAt = max(c.HoldsAt, p.HoldsAt)
		if i == 0 || c.Valid.To != 0 && p.Valid.End() > c.Valid.To {
			c.Valid.To, c.Precision.To = p.Valid.To, p.Precision.To
		}
		c.Sources = appendNew(c.Sources, said.Sources)
		c.Replaces = appendNew(c.Replaces, said.Replaces)
	}
	s.correctBy(&c, in)
	if c.HoldsAt < c.Valid.From || c.HoldsAt >= c.Valid.End() {
		c.HoldsAt = 0
	}
	if err := c.Valid.Valid(); err != nil {
		return c, graph.Invalid("valid_to", "the window would end before it begins")
	}
	return c, nil
}

// correctBy puts the caller's values into the claim of a correction.
func (s *Session) correctBy(c *graph.Claim, in Correction) {
	if in.Text != nil {
		c.Text = *in.Text
	} else if in.Object != nil {
		c.Text = "" // it spoke of another object
	}
	if in.Importance != nil {
		c.Importance = in.Importance
	}
	if in.Object != nil {
		c.Object = *in.Object
	}
	if in.From != nil {
		c.Valid.From, c.Precision.From = in.From.At, in.From.Precision
	}
	if in.To != nil {
		c.Valid.To, c.Precision.To = in.To.At, in.To.Precision
	}
	if in.Object != nil || in.From != nil || in.To != nil {
		c.Trust = graph.Stated
	}
}

// inherit has one claim touched by what touches another, under the same changes.
func (s *Session) inherit(from, to graph.ClaimID, which func(graph.Effect) bool) {
	for _, e := range s.effects[from] {
		if which(e) {
			e.Claim = to
			s.effects[to] = append(s.effects[to], e)
			s.delta.Effects = append(s.delta.Effects, e)
		}
	}
}

// loadSupport makes the claims of a window, and all that decides where they count, known.
func (s *Session) loadSupport(ctx context.Context, w window) error {
	var ids []graph.ClaimID
	for _, p := range w.Support {
		ids = append(ids, p.Claim)
	}
	return s.loadLives(ctx, ids)
}

// End says how a fact is retracted: from At on, or as if it had never been. ID is the id of the claim that a retraction logs.
type End struct {
	ID    graph.ClaimID
	At    temporal.Instant
	Exact temporal.Precision
	Never bool
}

// Retract ends the window of a fact that holds at that time, or all windows of the fact if it never was so. Nothing of it
// is left afterwards, or ErrConflict names the fact in the way.
func (s *Session) Retract(ctx context.Context, op Op, fact graph.ClaimID, in End) (Result, error) {
	windows, id, err := s.windowsOf(ctx, fact)
	if err != nil {
		return Result{}, err
	}
	w, ok := pick(windows, in.At)
	if !ok {
		return Result{Outcome: Unchanged}, nil
	}
	if in.Never {
		return s.takeBack(ctx, op, windows, id)
	}
	if in.At < windows[0].Valid.From {
		w = windows[0]
	}
	at := max(in.At, w.Valid.From)
	if at >= w.Valid.End() {
		return Result{Outcome: Unchanged, Fact: &w.version}, nil // it has ended
	}
	st := s.start(op, graph.ChangeRetract)
	touched := s.endSupport(st, w.Window, at, "")
	logged, err := s.log(ctx, st, graph.Claim{
		ID: in.ID, Kind: graph.Retract, Subject: w.version.Subject, Predicate: w.version.Predicate, Object: w.version.Object,
		Valid: temporal.Period{From: at}, Precision: graph.Bounds{From: in.Exact}, Trust: graph.Stated, Actor: op.Actor,
	})
	if err != nil {
		return Result{}, err
	}
	if err := s.relive(ctx, st, append(touched, logged...)...); err != nil {
		return Result{}, err
	}
	r, err := s.conclude(ctx, st, in.ID)
	if err != nil {
		return Result{}, err
	}
	return r, s.clear(w.lane, w.Object, temporal.Period{From: at, To: w.Valid.To})
}

// takeBack takes back the claims that support the windows of a fact; other windows of its object stay.
func (s *Session) takeBack(ctx context.Context, op Op, windows []window, id graph.ClaimID) (Result, error) {
	st := s.start(op, graph.ChangeRetract)
	var touched []graph.ClaimID
	for _, w := range windows {
		for _, p := range w.Support {
			if slices.Contains(touched, p.Claim) {
				continue
			}
			keep := slices.DeleteFunc(elsewhere(window{lane: w.lane}, p), func(k temporal.Period) bool {
				return slices.ContainsFunc(windows, func(own window) bool { return own.Valid == k })
			})
			s.effect(st, graph.Effect{Claim: p.Claim, Kind: graph.Limit, Within: p.Narrowed, Keep: keep})
			touched = append(touched, p.Claim)
		}
	}
	if err := s.relive(ctx, st, touched...); err != nil {
		return Result{}, err
	}
	d, change, err := s.finish(ctx, st)
	if err != nil {
		return Result{}, err
	}
	for _, w := range windows {
		if err := s.clear(w.lane, w.Object, w.Valid); err != nil {
			return Result{}, err
		}
	}
	return Result{Outcome: Retracted, Ended: d.Ended, Change: change, Fact: &windows[len(windows)-1].version}, nil
}

// clear returns ErrConflict if the object still holds somewhere in the stretch.
func (s *Session) clear(l *lane, object graph.EntityID, stretch temporal.Period) error {
	for _, w := range l.windows {
		if w.Valid.Overlaps(stretch) && w.Object == object {
			return graph.Conflict("fact %s says the same and is in the way", w.Fact)
		}
	}
	return nil
}

// Forget hides all windows of a fact from default reads until the change is reverted.
func (s *Session) Forget(ctx context.Context, op Op, fact graph.ClaimID) (Result, error) {
	windows, id, err := s.windowsOf(ctx, fact)
	if err != nil {
		return Result{}, err
	}
	if len(windows) == 0 {
		return Result{}, graph.Conflict("fact %s was retracted: there is nothing to forget", id)
	}
	st := s.start(op, graph.ChangeForget)
	var touched []graph.ClaimID
	for _, w := range windows {
		for _, p := range w.Support {
			if !p.Muted && !slices.Contains(touched, p.Claim) {
				s.effect(st, graph.Effect{Claim: p.Claim, Kind: graph.Mute})
				touched = append(touched, p.Claim)
			}
		}
	}
	if err := s.relive(ctx, st, touched...); err != nil {
		return Result{}, err
	}
	d, change, err := s.finish(ctx, st)
	if err != nil {
		return Result{}, err
	}
	windows, _, err = s.windowsOf(ctx, id)
	if err != nil {
		return Result{}, err
	}
	return Result{Ended: d.Ended, Change: change, Fact: &windows[len(windows)-1].version}, nil
}

// Revert has a change stand no longer. One that stands no longer already is left alone; an erase is ErrConflict; a change that is
// not in the scope is ErrNotFound.
func (s *Session) Revert(ctx context.Context, op Op, id graph.ChangeID) (Result, error) {
	if err := s.loadChanges(ctx, []graph.ChangeID{id}); err != nil {
		return Result{}, err
	}
	target, ok := s.changes[id]
	if !ok {
		return Result{}, graph.NotFound("change")
	}
	if target.Kind == graph.ChangeErase {
		return Result{}, graph.Conflict("an erase cannot be reverted")
	}
	if !target.Standing {
		return Result{Outcome: Unchanged}, nil
	}
	st := s.start(op, graph.ChangeRevert)
	st.forced = true
	revert := s.changes[op.Change]
	revert.Reverts = id
	s.changes[op.Change] = revert
	s.reverts[id] = append(s.reverts[id], revert)
	touched, err := s.toggled(ctx, st, id)
	if err != nil {
		return Result{}, err
	}
	if err := s.relive(ctx, st, touched...); err != nil {
		return Result{}, err
	}
	d, change, err := s.finish(ctx, st)
	return Result{Ended: d.Ended, Change: change}, err
}

// toggled marks a change, and those that it reverts, as standing or not, and returns the claims whose life depends on them.
func (s *Session) toggled(ctx context.Context, st *step, id graph.ChangeID) ([]graph.ClaimID, error) {
	var touched []graph.ClaimID
	for id != "" {
		if err := s.loadChanges(ctx, []graph.ChangeID{id}); err != nil {
			return nil, err
		}
		change := s.changes[id]
		change.Standing = facts.Holds(facts.Standing(change, s.reverts), st.at)
		s.changes[id] = change
		s.delta.Changes = append(s.delta.Changes, change)
		claims, err := s.w.ListClaims(ctx, graph.ClaimFilter{Changes: []graph.ChangeID{id}})
		if err != nil {
			return nil, err
		}
		effects, err := s.w.ListEffects(ctx, graph.EffectFilter{Changes: []graph.ChangeID{id}})
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			touched = append(touched, c.ID)
		}
		for _, e := range effects {
			touched = append(touched, e.Claim)
		}
		if change.Kind == graph.ChangeMerge || change.Kind == graph.ChangeDeclare {
			moved, err := s.remake(ctx, st, change)
			if err != nil {
				return nil, err
			}
			touched = append(touched, moved...)
		}
		id = change.Reverts
	}
	return touched, nil
}

// appendNew appends what is not there yet.
func appendNew[T comparable](to, more []T) []T {
	for _, x := range more {
		if !slices.Contains(to, x) {
			to = append(to, x)
		}
	}
	return to
}
