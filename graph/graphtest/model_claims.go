package graphtest

import (
	"cmp"
	"slices"

	"tenure/facts"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// verdict is what an operation must answer.
type verdict struct {
	err     error          // one of graph's four kinds
	outcome ledger.Outcome // "" if the answer carries none
	change  graph.ChangeID // "" if nothing altered
	claim   graph.ClaimID  // that is logged, or stands for the one told
	erased  graph.Counts   // of an erase, without versions
}

// say logs a claim of any kind. targets are the facts that the ids it replaces lead to.
func (m *model) say(op ledger.Op, c graph.Claim, targets []graph.ClaimID) verdict {
	if v, ok := m.said(c); ok {
		return v
	}
	at := m.step()
	before := m.before(at)
	m.record(graph.Change{ID: op.Change, At: at, Kind: graph.ChangeAssert, Claim: c.ID, Episode: op.Episode, Actor: op.Actor, Reason: op.Reason})
	c.Logged, c.Rec, c.Change = at, at, op.Change
	m.log(c, targets)
	out := m.judge(before, m.after(at), c)
	changed := !slices.EqualFunc(contents(before.windows()), contents(m.after(at).windows()), sameVersion)
	if !changed && !slices.ContainsFunc(m.effects, func(e graph.Effect) bool { return e.Change == op.Change }) {
		// What altered nothing is no change, and its claim always stands.
		m.changes = m.changes[:len(m.changes)-1]
		m.claims[len(m.claims)-1].Change = ""
		return verdict{outcome: out, claim: c.ID}
	}
	m.changes[len(m.changes)-1].Kind = kindOf(out)
	return verdict{outcome: out, claim: c.ID, change: op.Change}
}

// record adds a change.
func (m *model) record(c graph.Change) { m.changes = append(m.changes, c) }

// effect adds an effect of the change made last.
func (m *model) effect(e graph.Effect) {
	last := m.changes[len(m.changes)-1]
	e.Change, e.At = last.ID, last.At
	m.effects = append(m.effects, e)
}

// log adds a claim with what it does to the facts that it replaces.
func (m *model) log(c graph.Claim, targets []graph.ClaimID) {
	var windows []held // as they are without the claim
	for _, id := range targets {
		if w, ok := pick(m.latest().of(id), c.Valid.From); ok {
			windows = append(windows, w)
		}
	}
	m.claims = append(m.claims, c)
	for _, w := range windows {
		from := max(c.Valid.From, w.Valid.From)
		if from >= w.Valid.End() {
			continue
		}
		m.effect(graph.Effect{
			Claim: c.ID, Kind: graph.Displace, Within: temporal.Period{From: from},
			Subject: w.Support[0].Subject, Predicate: w.Support[0].Predicate, Object: w.Object,
		})
		m.endFrom(w, from, c.ID)
	}
}

// endFrom takes from a window's claims what they say from a time on: those that begin then or later, and the holds_at of the
// others.
func (m *model) endFrom(w held, from temporal.Instant, cause graph.ClaimID) {
	for _, p := range w.Support {
		if p.Valid.From >= from {
			m.effect(graph.Effect{Claim: p.Claim, Cause: cause, Kind: graph.Limit, Within: p.Narrowed})
		} else if p.HoldsAt >= from {
			m.effect(graph.Effect{Claim: p.Claim, Cause: cause, Kind: graph.Unhold})
		}
	}
}

// said reports whether a claim says nothing new: the same episodes said it and it counts, or a standing correction took the
// place of an equal one.
func (m *model) said(c graph.Claim) (verdict, bool) {
	s := m.latest()
	spots := map[said]bool{} // where the claim would have been at any place, before merges and declarations too
	for _, at := range append(slices.Clone(m.places), graph.Pos{}) {
		_, _, object, lane := m.after(at).triple(c.Subject, c.Predicate, c.Object)
		spots[said{lane, object}] = true
	}
	for _, old := range m.byRec() {
		if old.Kind != c.Kind || old.Valid != c.Valid || old.Trust != c.Trust || old.Actor != c.Actor || !slices.Equal(episodesOf(old), episodesOf(c)) {
			continue
		}
		if len(m.everPlaced(func(p graph.Placement) bool { return p.Claim == old.ID && p.Own && spots[said{p.Lane, p.Object}] })) == 0 {
			continue
		}
		counts := len(s.own(old)) > 0
		corrected := slices.ContainsFunc(m.effects, func(e graph.Effect) bool {
			change, _ := m.change(e.Change)
			return e.Claim == old.ID && e.Kind == graph.Limit && e.Cause == "" && change.Kind == graph.ChangeCorrect && s.stands(e.Change)
		})
		if counts && len(c.Sources) > 0 || corrected {
			return verdict{outcome: ledger.Unchanged, claim: old.ID}, true
		}
	}
	return verdict{}, false
}

// byRec are the claims by their place.
func (m *model) byRec() []graph.Claim {
	return slices.SortedFunc(slices.Values(m.claims), func(a, b graph.Claim) int {
		return cmp.Or(a.Rec.Compare(b.Rec), cmp.Compare(a.ID, b.ID))
	})
}

func episodesOf(c graph.Claim) []graph.EpisodeID {
	out := make([]graph.EpisodeID, len(c.Sources))
	for i, s := range c.Sources {
		out[i] = s.Episode
	}
	return out
}

// judge says what a claim did: what is believed before and after it decides.
func (m *model) judge(before, after *state, c graph.Claim) ledger.Outcome {
	d := facts.Compare(contents(before.windows()), contents(after.windows()))
	if c.Kind != graph.Assert {
		if len(d.Ended)+len(d.Changed) > 0 {
			return ledger.Retracted
		}
		return ledger.Unchanged
	}
	var mine *held
	for _, w := range after.windows() {
		if slices.ContainsFunc(w.Support, func(p graph.Placement) bool { return p.Claim == c.ID }) {
			mine = &w
			break
		}
	}
	if mine == nil {
		for _, p := range after.own(c) {
			if c.Trust == graph.Inferred && slices.ContainsFunc(facts.Disputed(after.lane(p.Lane)), func(w facts.Window) bool {
				return slices.ContainsFunc(w.Support, func(p graph.Placement) bool { return p.Claim == c.ID })
			}) {
				return ledger.Disputed
			}
		}
		return ledger.Shadowed
	}
	begun := slices.ContainsFunc(d.Begun, func(v graph.Version) bool { return v.Fact == mine.Fact })
	others := slices.DeleteFunc(d.Ended, func(v graph.Version) bool { return v.Fact == mine.Fact })
	sameBegin := slices.ContainsFunc(others, func(v graph.Version) bool { return v.Valid.From == mine.Valid.From })
	switch {
	case begun && sameBegin:
		return ledger.Corrected
	case len(others) > 0:
		return ledger.Superseded
	case begun:
		return ledger.Asserted
	default:
		return ledger.Corroborated
	}
}

// lane are the rows of one lane.
func (s *state) lane(key graph.Lane) []graph.Placement {
	return slices.DeleteFunc(s.rows(), func(p graph.Placement) bool { return p.Lane != key })
}

func kindOf(o ledger.Outcome) graph.ChangeKind {
	switch o {
	case ledger.Superseded:
		return graph.ChangeSupersede
	case ledger.Corrected:
		return graph.ChangeCorrect
	case ledger.Retracted:
		return graph.ChangeRetract
	default:
		return graph.ChangeAssert
	}
}
