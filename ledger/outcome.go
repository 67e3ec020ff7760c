package ledger

import (
	"slices"

	"tenure/facts"
	"tenure/graph"
)

// Outcome says what a claim did.
type Outcome string

// The outcomes of a claim.
const (
	Asserted     Outcome = "asserted"     // a new window, nothing ended
	Corroborated Outcome = "corroborated" // one more source of a window that was there
	Superseded   Outcome = "superseded"   // a new window closed another
	Corrected    Outcome = "corrected"    // a window took the place of one with the same begin
	Retracted    Outcome = "retracted"    // windows were closed or removed
	Disputed     Outcome = "disputed"     // an inferred claim contradicts what holds and ends nothing
	Shadowed     Outcome = "shadowed"     // logged, but another claim holds over all of its window
	Unchanged    Outcome = "unchanged"    // said before, or denies what did not hold
)

// judge says what a logged claim did, given the difference it made.
func (s *Session) judge(c graph.Claim, d facts.Difference) Result {
	r := Result{Claim: c.ID, Ended: d.Ended}
	if c.Kind != graph.Assert {
		r.Outcome = Retracted
		switch {
		case len(d.Ended) > 0:
			r.Fact = &d.Ended[0]
		case len(d.Changed) > 0:
			r.Fact = &d.Changed[0][1]
		default:
			r.Outcome = Unchanged
		}
		return r
	}
	l := s.ownLane(c.ID)
	if l == nil {
		r.Outcome = Shadowed
		return r
	}
	i := slices.IndexFunc(l.windows, func(w facts.Window) bool { return supports(w, c.ID) })
	if i < 0 {
		r.Outcome, r.Fact = Shadowed, outranking(l, c)
		if c.Trust == graph.Inferred && slices.ContainsFunc(facts.Disputed(counting(l.rows)), func(w facts.Window) bool { return supports(w, c.ID) }) {
			r.Outcome = Disputed
		}
		return r
	}
	v := l.versions[i]
	r.Fact = &v
	begun := slices.ContainsFunc(d.Begun, func(b graph.Version) bool { return b.Fact == v.Fact })
	ended := slices.ContainsFunc(d.Ended, func(e graph.Version) bool { return e.Fact != v.Fact })
	inPlace := slices.ContainsFunc(d.Ended, func(e graph.Version) bool { return e.Fact != v.Fact && e.Valid.From == v.Valid.From })
	switch {
	case begun && inPlace:
		r.Outcome = Corrected
	case ended:
		r.Outcome = Superseded
	case begun:
		r.Outcome = Asserted
	default:
		r.Outcome = Corroborated
	}
	return r
}

// kind is the kind of change that an outcome makes.
func (o Outcome) kind() graph.ChangeKind {
	switch o {
	case Superseded:
		return graph.ChangeSupersede
	case Corrected:
		return graph.ChangeCorrect
	case Retracted:
		return graph.ChangeRetract
	default:
		return graph.ChangeAssert
	}
}

// supports reports whether a claim supports the window.
func supports(w facts.Window, id graph.ClaimID) bool {
	return slices.ContainsFunc(w.Support, func(p graph.Placement) bool { return p.Claim == id })
}

// ownLane is the loaded lane in which a claim counts now, or nil.
func (s *Session) ownLane(id graph.ClaimID) *lane {
	for _, p := range s.lives[id] {
		if p.Own && p.To.IsZero() {
			return s.lanes[p.Lane]
		}
	}
	return nil
}

// outranking is the first window of the lane that holds where the claim would.
func outranking(l *lane, c graph.Claim) *graph.Version {
	for _, v := range l.versions {
		if v.Valid.Overlaps(c.Valid) {
			return &v
		}
	}
	return nil
}
