package graphtest

import (
	"cmp"
	"slices"

	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// correct has a window of a fact say what the correction says. targets are what the ids that the corrected claims replaced lead
// to. The model is left in any state if the answer is an error.
func (m *model) correct(op ledger.Op, id graph.ClaimID, in ledger.Correction, locate func(graph.ClaimID) graph.ClaimID) verdict {
	s := m.latest()
	windows := s.of(id)
	w, ok := pick(windows, in.At)
	if !ok {
		return verdict{err: graph.ErrConflict}
	}
	c := m.corrected(w, id, in)
	if c.Valid.From >= c.Valid.End() {
		return verdict{err: graph.ErrInvalid}
	}
	c.Actor, c.Change = op.Actor, op.Change
	at := m.step()
	m.record(graph.Change{ID: op.Change, At: at, Kind: graph.ChangeCorrect, Claim: c.ID, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	for _, p := range w.Support {
		var keep []temporal.Period // the other windows that it supports
		for _, other := range s.windows() {
			if other.version.Lane == w.version.Lane && other.Valid != w.Valid && slices.Contains(other.Support, p) {
				keep = append(keep, other.Valid)
			}
		}
		m.effect(graph.Effect{Claim: p.Claim, Kind: graph.Limit, Within: p.Narrowed, Keep: keep})
	}
	if w.Muted {
		for _, e := range slices.Clone(m.effects) {
			if e.Claim == w.Support[0].Claim && e.Kind == graph.Mute {
				e.Claim = c.ID
				m.effects = append(m.effects, e)
			}
		}
	}
	c.Logged, c.Rec = at, at
	var targets []graph.ClaimID
	c.Replaces = slices.DeleteFunc(c.Replaces, func(id graph.ClaimID) bool { return locate(id) == "" }) // erased
	for _, id := range c.Replaces {
		targets = append(targets, locate(id))
	}
	m.log(c, targets)
	want := temporal.Period{From: c.Valid.From, To: w.Valid.To}
	if in.To != nil {
		want.To = in.To.At
	}
	after := m.latest()
	_, _, object, lane := after.triple(c.Subject, c.Predicate, c.Object)
	for _, got := range after.of(id) {
		if got.version.Lane == lane && got.Valid == want && got.Object == object && supports(got, c.ID) {
			return verdict{outcome: ledger.Corrected, claim: c.ID, change: op.Change}
		}
	}
	return verdict{err: graph.ErrConflict}
}

func supports(w held, id graph.ClaimID) bool {
	return slices.ContainsFunc(w.Support, func(p graph.Placement) bool { return p.Claim == id })
}

// corrected is the claim of a correction: what the caller says, else what the window's claims said together.
func (m *model) corrected(w held, id graph.ClaimID, in ledger.Correction) graph.Claim {
	v := w.version
	c := graph.Claim{
		ID: in.ID, Kind: graph.Assert, Origin: id, Correction: true, Trust: v.Trust,
		Subject: v.Subject, Predicate: v.Predicate, Object: v.Object,
		Valid: temporal.Period{From: w.Valid.From}, Precision: graph.Bounds{From: w.Precision.From},
	}
	end := temporal.Instant(0)
	for _, p := range w.Support {
		said, _ := m.claim(p.Claim)
		if said.Text != "" {
			c.Text = v.Text
		}
		if said.Type != "" {
			c.Type = v.Type
		}
		if said.Importance != nil {
			c.Importance = &v.Importance
		}
		if p.Valid.End() > end {
			end, c.Valid.To, c.Precision.To = p.Valid.End(), p.Valid.To, p.Precision.To
		}
		c.HoldsAt = max(c.HoldsAt, p.HoldsAt)
		c.Sources = union(c.Sources, said.Sources)
		c.Replaces = union(c.Replaces, said.Replaces)
	}
	if in.Object != nil {
		c.Object, c.Text = *in.Object, ""
	}
	if in.Text != nil {
		c.Text = *in.Text
	}
	if in.Importance != nil {
		c.Importance = in.Importance
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
	if !c.Valid.Contains(c.HoldsAt) {
		c.HoldsAt = 0
	}
	return c
}

func union[T comparable](a, b []T) []T {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// end ends the window of a fact that holds at a time.
func (m *model) end(op ledger.Op, id graph.ClaimID, in ledger.End) verdict {
	windows := m.latest().of(id)
	w, ok := pick(windows, in.At)
	if !ok {
		return verdict{outcome: ledger.Unchanged}
	}
	if in.Never {
		return m.takeBack(op, windows)
	}
	if in.At < windows[0].Valid.From {
		w = windows[0]
	}
	from := max(in.At, w.Valid.From)
	if from >= w.Valid.End() {
		return verdict{outcome: ledger.Unchanged}
	}
	at := m.step()
	before := m.before(at)
	m.record(graph.Change{ID: op.Change, At: at, Kind: graph.ChangeRetract, Claim: in.ID, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	m.endFrom(w, from, "")
	c := graph.Claim{
		ID: in.ID, Kind: graph.Retract, Subject: w.version.Subject, Predicate: w.version.Predicate, Object: w.version.Object,
		Valid: temporal.Period{From: from}, Precision: graph.Bounds{From: in.Exact}, Trust: graph.Stated, Actor: op.Actor,
		Change: op.Change, Logged: at, Rec: at,
	}
	m.claims = append(m.claims, c)
	if m.holds(w, temporal.Period{From: from, To: w.Valid.To}) {
		return verdict{err: graph.ErrConflict}
	}
	return verdict{outcome: m.judge(before, m.latest(), c), claim: in.ID, change: op.Change}
}

// holds reports whether a window's object holds anywhere in a stretch.
func (m *model) holds(w held, stretch temporal.Period) bool {
	return slices.ContainsFunc(m.latest().windows(), func(got held) bool {
		return got.version.Lane == w.version.Lane && got.Object == w.Object && got.Valid.Overlaps(stretch)
	})
}

// takeBack takes back what supports the windows of a fact; what a claim supports besides stays.
func (m *model) takeBack(op ledger.Op, windows []held) verdict {
	s := m.latest()
	m.record(graph.Change{ID: op.Change, At: m.step(), Kind: graph.ChangeRetract, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	var done []graph.ClaimID
	for _, w := range windows {
		for _, p := range w.Support {
			if slices.Contains(done, p.Claim) {
				continue
			}
			done = append(done, p.Claim)
			var keep []temporal.Period
			for _, other := range s.windows() {
				mine := slices.ContainsFunc(windows, func(own held) bool { return own.version.Lane == other.version.Lane && own.Valid == other.Valid })
				if other.version.Lane == w.version.Lane && !mine && slices.Contains(other.Support, p) {
					keep = append(keep, other.Valid)
				}
			}
			m.effect(graph.Effect{Claim: p.Claim, Kind: graph.Limit, Within: p.Narrowed, Keep: keep})
		}
	}
	for _, w := range windows {
		if m.holds(w, w.Valid) {
			return verdict{err: graph.ErrConflict}
		}
	}
	return verdict{outcome: ledger.Retracted, change: op.Change}
}

// forget hides the windows of a fact.
func (m *model) forget(op ledger.Op, id graph.ClaimID) verdict {
	windows := m.latest().of(id)
	if len(windows) == 0 {
		return verdict{err: graph.ErrConflict}
	}
	m.record(graph.Change{ID: op.Change, At: m.step(), Kind: graph.ChangeForget, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	var done []graph.ClaimID
	for _, w := range windows {
		for _, p := range w.Support {
			if !p.Muted && !slices.Contains(done, p.Claim) {
				done = append(done, p.Claim)
				m.effect(graph.Effect{Claim: p.Claim, Kind: graph.Mute})
			}
		}
	}
	return m.unless(len(done) == 0, op)
}

// unless is the verdict on an operation that may have had nothing to do: then it is no change.
func (m *model) unless(nothing bool, op ledger.Op) verdict {
	if nothing {
		m.changes = m.changes[:len(m.changes)-1]
		return verdict{}
	}
	return verdict{change: op.Change}
}

// revert has a change stand no longer.
func (m *model) revert(op ledger.Op, id graph.ChangeID) verdict {
	target, ok := m.change(id)
	switch {
	case !ok:
		return verdict{err: graph.ErrNotFound}
	case target.Kind == graph.ChangeErase:
		return verdict{err: graph.ErrConflict}
	case !m.latest().stands(id):
		return verdict{outcome: ledger.Unchanged}
	}
	m.record(graph.Change{ID: op.Change, At: m.step(), Kind: graph.ChangeRevert, Reverts: id, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	return verdict{change: op.Change}
}

// declare has a predicate behave as declared.
func (m *model) declare(op ledger.Op, p graph.Predicate) verdict {
	r := m.latest().registry
	if r.Declared(p.Name) && samePredicate(r.Get(p.Name), r.With(p).Get(p.Name)) {
		return verdict{outcome: ledger.Unchanged}
	}
	at := m.step()
	m.record(graph.Change{ID: op.Change, At: at, Kind: graph.ChangeDeclare, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	m.declarations = append(m.declarations, graph.Declaration{Change: op.Change, Predicate: p, At: at})
	return verdict{change: op.Change}
}

// samePredicate compares what the histories declare.
func samePredicate(a, b graph.Predicate) bool {
	return a.Cardinality == b.Cardinality && a.Symmetric == b.Symmetric && a.Inverse == b.Inverse && a.Opposite == b.Opposite &&
		a.Type == b.Type && (a.Importance == nil) == (b.Importance == nil) && (a.Importance == nil || *a.Importance == *b.Importance)
}

// merge has one entity stand for another.
func (m *model) merge(op ledger.Op, from, into graph.EntityID) verdict {
	for _, id := range []graph.EntityID{from, into} {
		if _, ok := m.entities[id]; !ok && from != into {
			return verdict{err: graph.ErrNotFound}
		}
	}
	s := m.latest()
	if from = s.resolve(from); from == s.resolve(into) {
		return verdict{outcome: ledger.Unchanged}
	}
	at := m.step()
	m.record(graph.Change{ID: op.Change, At: at, Kind: graph.ChangeMerge, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	m.merges = append(m.merges, graph.Merge{Change: op.Change, From: from, Into: into, At: at})
	return verdict{change: op.Change}
}

// reextract has new claims take the place of those that extractors made of episodes.
func (m *model) reextract(op ledger.Op, episodes []graph.EpisodeID, claims []graph.Claim) verdict {
	if len(episodes) == 0 {
		return verdict{outcome: ledger.Unchanged}
	}
	s := m.latest()
	var old []graph.Claim
	for _, c := range m.claims {
		if c.Extractor != "" && slices.ContainsFunc(episodesOf(c), func(e graph.EpisodeID) bool { return slices.Contains(episodes, e) }) {
			old = append(old, c)
		}
	}
	// Of several with one triple the one that counts is succeeded, else the latest.
	slices.SortStableFunc(old, func(a, b graph.Claim) int {
		counting := func(c graph.Claim) int { return min(len(s.own(c)), 1) }
		return cmp.Or(cmp.Compare(counting(b), counting(a)), b.Logged.Compare(a.Logged))
	})
	at := m.step()
	m.record(graph.Change{ID: op.Change, At: at, Kind: graph.ChangeReextract, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	for _, c := range old {
		m.effect(graph.Effect{Claim: c.ID, Kind: graph.Limit})
	}
	nothing := len(old) == 0
	for _, c := range claims {
		_, _, object, lane := s.triple(c.Subject, c.Predicate, c.Object)
		if slices.ContainsFunc(s.graves(c), func(g grave) bool { return m.graves[g] }) {
			continue
		}
		nothing = false
		c.Change, c.Logged, c.Rec = op.Change, at, at
		i := slices.IndexFunc(old, func(o graph.Claim) bool {
			_, _, oo, ol := s.triple(o.Subject, o.Predicate, o.Object)
			return o.Kind == c.Kind && oo == object && ol == lane
		})
		if i >= 0 {
			c.Rec, c.Origin, c.Correction = old[i].Rec, cmp.Or(old[i].Origin, old[i].ID), old[i].Correction
			m.succeed(old[i], c.ID)
			old = slices.Delete(old, i, i+1)
		}
		m.claims = append(m.claims, c)
	}
	return m.unless(nothing, op)
}

// succeed has a claim suffer what another one suffered from people: what they did to it, and that they reverted it.
func (m *model) succeed(old graph.Claim, id graph.ClaimID) {
	for _, e := range slices.Clone(m.effects) {
		change, _ := m.change(e.Change)
		if e.Claim == old.ID && change.Kind != graph.ChangeReextract {
			e.Claim = id
			m.effects = append(m.effects, e)
		}
	}
	for _, r := range m.changes {
		if old.Change != "" && r.Reverts == old.Change {
			if logged, _ := m.change(old.Change); logged.Kind != graph.ChangeReextract {
				m.effects = append(m.effects, graph.Effect{Change: r.ID, Claim: id, Kind: graph.Limit, At: r.At})
			}
		}
	}
}
