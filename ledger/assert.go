package ledger

import (
	"context"
	"slices"

	"tenure/belief"
	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Assert logs a claim of any kind and says what it did. The claim's Change, Logged and Rec are set here; its entities must be
// known to the store or the session. A fact that it replaces and that is not in the scope is ErrNotFound.
func (s *Session) Assert(ctx context.Context, op Op, c graph.Claim) (Result, error) {
	if r, ok, err := s.repeated(ctx, c); err != nil || ok {
		return r, err
	}
	st := s.start(op, graph.ChangeAssert)
	touched, err := s.log(ctx, st, c)
	if err != nil {
		return Result{}, err
	}
	if err := s.relive(ctx, st, touched...); err != nil {
		return Result{}, err
	}
	return s.conclude(ctx, st, c.ID)
}

// log adds a claim to the log, with what it does to the facts it replaces, and returns the claims to compute anew.
func (s *Session) log(ctx context.Context, st *step, c graph.Claim) ([]graph.ClaimID, error) {
	c.Logged, c.Change = st.at, st.op.Change
	if c.Rec.IsZero() {
		c.Rec = st.at
	}
	s.claims[c.ID], s.lives[c.ID] = c, nil
	touched := []graph.ClaimID{c.ID}
	for _, id := range c.Replaces {
		ended, err := s.displace(ctx, st, c, id)
		if err != nil {
			return nil, err
		}
		touched = append(touched, ended...)
	}
	return touched, nil
}

// displace has a claim end the fact of that id, at the later of the claim's begin and the begin of the fact's window.
func (s *Session) displace(ctx context.Context, st *step, c graph.Claim, id graph.ClaimID) ([]graph.ClaimID, error) {
	windows, _, err := s.windowsOf(ctx, id)
	if err != nil {
		return nil, err
	}
	w, ok := pick(windows, c.Valid.From)
	if !ok {
		return nil, nil // it was retracted already
	}
	at := max(c.Valid.From, w.Valid.From)
	if at >= w.Valid.End() {
		return nil, nil // it had ended
	}
	s.effect(st, graph.Effect{
		Claim: c.ID, Kind: graph.Displace, Within: temporal.Period{From: at},
		Subject: w.Support[0].Subject, Predicate: w.Support[0].Predicate, Object: w.Object,
	})
	return s.endSupport(st, w.Window, at, c.ID), nil
}

// endSupport ends the claims of a window that begin at t or later, and lets those that hold at t or later by their holds_at no
// longer say so; a retraction that begins at t then ends the window for certain.
func (s *Session) endSupport(st *step, w facts.Window, t temporal.Instant, cause graph.ClaimID) []graph.ClaimID {
	var touched []graph.ClaimID
	for _, p := range w.Support {
		switch {
		case p.Valid.From >= t:
			s.effect(st, graph.Effect{Claim: p.Claim, Cause: cause, Kind: graph.Limit, Within: p.Narrowed})
		case p.HoldsAt >= t:
			s.effect(st, graph.Effect{Claim: p.Claim, Cause: cause, Kind: graph.Unhold})
		default:
			continue
		}
		touched = append(touched, p.Claim)
	}
	return touched
}

// conclude finishes an operation that logged a claim: it judges what the claim did and has it written.
func (s *Session) conclude(ctx context.Context, st *step, id graph.ClaimID) (Result, error) {
	d, change, err := s.finish(ctx, st)
	if err != nil {
		return Result{}, err
	}
	c := s.claims[id]
	c.Change = change // a claim that altered nothing made no change, and always stands
	s.claims[id] = c
	s.delta.Claims = append(s.delta.Claims, c)
	r := s.judge(c, d)
	r.Change = change
	if change != "" {
		s.amend(change, func(ch *graph.Change) {
			ch.Claim = id
			if st.kind == graph.ChangeAssert {
				ch.Kind = r.Outcome.kind()
			}
		})
	}
	return r, nil
}

// amend alters the change just recorded.
func (s *Session) amend(id graph.ChangeID, f func(*graph.Change)) {
	i := slices.IndexFunc(s.delta.Changes, func(c graph.Change) bool { return c.ID == id })
	f(&s.delta.Changes[i])
	s.changes[id] = s.delta.Changes[i]
}

// repeated reports whether a claim says nothing new: the same claim from the same episode counts already, or a standing
// correction took the place of an equal one. It then answers with the fact that holds for it.
func (s *Session) repeated(ctx context.Context, c graph.Claim) (Result, bool, error) {
	if c.Origin != "" {
		return Result{}, false, nil
	}
	like, err := s.alike(ctx, c)
	if err != nil || len(like) == 0 {
		return Result{}, false, err
	}
	if err := s.loadClaims(ctx, like); err != nil {
		return Result{}, false, err
	}
	for _, id := range like {
		held := s.claims[id]
		if held.Actor != c.Actor || !slices.EqualFunc(held.Sources, c.Sources, func(a, b graph.Source) bool { return a.Episode == b.Episode }) {
			continue
		}
		if err := s.loadLives(ctx, []graph.ClaimID{id}); err != nil {
			return Result{}, false, err
		}
		if l := s.ownLane(id); l != nil && len(c.Sources) > 0 {
			return s.again(l, held), true, nil
		}
		corrected, err := s.correctedAway(ctx, id)
		if err != nil {
			return Result{}, false, err
		}
		if corrected {
			windows, _, err := s.windowsOf(ctx, id)
			r := Result{Outcome: Unchanged, Claim: id}
			if w, ok := pick(windows, c.Valid.From); ok {
				r.Fact = &w.version
			}
			return r, true, err
		}
	}
	return Result{}, false, nil
}

// alike returns the claims that said the same of the same things: also before a merge or a declaration moved them.
func (s *Session) alike(ctx context.Context, c graph.Claim) ([]graph.ClaimID, error) {
	objects := map[graph.Lane][]graph.EntityID{}
	var keys []graph.Lane
	for _, world := range s.worlds {
		_, _, object, key := world.Triple(c.Subject, c.Predicate, c.Object)
		keys = appendNew(keys, []graph.Lane{key})
		objects[key] = appendNew(objects[key], []graph.EntityID{object})
	}
	if err := s.Load(ctx, keys); err != nil {
		return nil, err
	}
	var like []graph.ClaimID
	for _, key := range keys {
		for _, p := range s.lanes[key].rows {
			if p.Own && p.Kind == c.Kind && slices.Contains(objects[key], p.Object) && p.Valid == c.Valid && p.Trust == c.Trust {
				like = appendNew(like, []graph.ClaimID{p.Claim})
			}
		}
	}
	return like, nil
}

// again is the answer to a claim that counts already.
func (s *Session) again(l *lane, held graph.Claim) Result {
	r := Result{Outcome: Unchanged, Claim: held.ID, Fact: outranking(l, held)}
	for i, w := range l.windows {
		if supports(w, held.ID) {
			r.Fact = &l.versions[i]
			break
		}
	}
	return r
}

// correctedAway reports whether a standing correction took the place of a claim.
func (s *Session) correctedAway(ctx context.Context, id graph.ClaimID) (bool, error) {
	for _, e := range s.effects[id] {
		if err := s.loadChanges(ctx, []graph.ChangeID{e.Change}); err != nil {
			return false, err
		}
		change := s.changes[e.Change]
		if e.Kind == graph.Limit && change.Kind == graph.ChangeCorrect && e.Cause == "" && facts.Holds(facts.Standing(change, s.reverts), graph.Pos{Tx: s.now, Seq: s.seq}) {
			return true, nil
		}
	}
	return false, nil
}

// window is a window of a lane with its content.
type window struct {
	facts.Window
	lane    *lane
	version graph.Version
}

// windowsOf returns the windows that the fact of that id, or of the claim of that id, now has, and the fact's id.
func (s *Session) windowsOf(ctx context.Context, id graph.ClaimID) ([]window, graph.ClaimID, error) {
	id, err := belief.Locate(ctx, s.w, id)
	if err != nil {
		return nil, "", err
	}
	// A window of the fact rests on the claim that the fact has its id from, wherever merges and declarations have put that.
	founders, err := s.w.ListClaims(ctx, graph.ClaimFilter{Facts: []graph.ClaimID{id}})
	if err != nil {
		return nil, "", err
	}
	ids := make([]graph.ClaimID, len(founders))
	for i, c := range founders {
		ids[i] = c.ID
	}
	if err := s.loadLives(ctx, ids); err != nil {
		return nil, "", err
	}
	var keys []graph.Lane
	for _, life := range s.lives { // those that this session logged too
		for _, p := range life {
			if p.Own && p.Fact == id && p.To.IsZero() {
				keys = appendNew(keys, []graph.Lane{p.Lane})
			}
		}
	}
	slices.SortFunc(keys, graph.Lane.Compare)
	if err := s.Load(ctx, keys); err != nil {
		return nil, "", err
	}
	var out []window
	for _, key := range keys {
		l := s.lanes[key]
		for i, w := range l.windows {
			if w.Fact == id {
				out = append(out, window{w, l, l.versions[i]})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b window) int { return temporal.Compare(a.Valid, b.Valid) })
	return out, id, nil
}

// pick chooses of a fact's windows the one that holds at t, else the last.
func pick(windows []window, t temporal.Instant) (window, bool) {
	for _, w := range windows {
		if w.Valid.Contains(t) {
			return w, true
		}
	}
	if len(windows) == 0 {
		return window{}, false
	}
	return windows[len(windows)-1], true
}

// PredicateOf returns the predicate of a fact, or of the fact that a claim leads to.
func (s *Session) PredicateOf(ctx context.Context, id graph.ClaimID) (string, error) {
	windows, id, err := s.windowsOf(ctx, id)
	if err != nil {
		return "", err
	}
	if len(windows) == 0 {
		return "", graph.Conflict("fact %s was retracted: revert that, or assert it again", id)
	}
	return windows[0].version.Predicate, nil
}
