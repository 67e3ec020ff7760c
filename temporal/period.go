package temporal

import (
	"cmp"
	"errors"
)

// ErrPeriod is the error of a period that does not begin before it ends.
var ErrPeriod = errors.New("a period must begin before it ends")

// Period is half-open: [From, To). A zero From is unknown and sorts before all; a zero To means until further notice.
// The methods that take or return several periods expect valid ones and return valid ones.
type Period struct{ From, To Instant }

// NewPeriod returns [from, to), with an end of Forever made open; ErrPeriod unless from is before that end.
func NewPeriod(from, to Instant) (Period, error) {
	p := Period{From: from, To: to}
	if from >= p.End() {
		return Period{}, ErrPeriod
	}
	return span(from, p.End()), nil
}

// Valid returns ErrPeriod unless p is a period as NewPeriod makes it.
func (p Period) Valid() error {
	if p.From >= p.End() || p.To == Forever {
		return ErrPeriod
	}
	return nil
}

// End returns To, or Forever when p is open.
func (p Period) End() Instant {
	if p.To.IsZero() {
		return Forever
	}
	return p.To
}

// Open reports whether p holds until further notice.
func (p Period) Open() bool { return p.End() == Forever }

// Contains reports whether t is in p. The zero t is in every period whose begin is unknown; Forever is in none.
func (p Period) Contains(t Instant) bool { return p.From <= t && t < p.End() }

// Covers reports whether p contains all of q.
func (p Period) Covers(q Period) bool { return p.From <= q.From && q.End() <= p.End() }

// Overlaps reports whether p and q have an instant in common.
func (p Period) Overlaps(q Period) bool { return max(p.From, q.From) < min(p.End(), q.End()) }

// Meets reports whether q begins where p ends.
func (p Period) Meets(q Period) bool { return p.End() == q.From }

// Intersect returns what p and q have in common, and false if that is nothing.
func (p Period) Intersect(q Period) (Period, bool) {
	if !p.Overlaps(q) {
		return Period{}, false
	}
	return span(max(p.From, q.From), min(p.End(), q.End())), true
}

// Minus returns what of p is outside q: no, one or two periods, in order.
func (p Period) Minus(q Period) []Period {
	if !p.Overlaps(q) {
		return []Period{p}
	}
	var rest []Period
	if p.From < q.From {
		rest = append(rest, span(p.From, q.From))
	}
	if q.End() < p.End() {
		rest = append(rest, span(q.End(), p.End()))
	}
	return rest
}

// Compare orders periods by From, then by End.
func Compare(p, q Period) int {
	return cmp.Or(cmp.Compare(p.From, q.From), cmp.Compare(p.End(), q.End()))
}

// span returns [from, end), where an end of Forever is open.
func span(from, end Instant) Period {
	if end == Forever {
		end = 0
	}
	return Period{From: from, To: end}
}
