package graphtest

import (
	"cmp"
	"maps"
	"slices"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// A held window is a window of a lane with its content.
type held struct {
	facts.Window
	version graph.Version // without id, transaction time and changes
	rows    []graph.Placement
}

// windows returns what is believed, lane by lane in order.
func (s *state) windows() []held {
	if s.believed != nil {
		return slices.Clone(s.believed)
	}
	lanes := map[graph.Lane][]graph.Placement{}
	for _, p := range s.rows() {
		lanes[p.Lane] = append(lanes[p.Lane], p)
	}
	out := []held{}
	for _, key := range slices.SortedFunc(maps.Keys(lanes), graph.Lane.Compare) {
		for _, w := range facts.Believe(lanes[key]) {
			out = append(out, held{w, s.content(key, w), lanes[key]})
		}
	}
	s.believed = out
	return slices.Clone(out)
}

// of returns the windows of one fact, by valid time.
func (s *state) of(fact graph.ClaimID) []held {
	out := slices.DeleteFunc(s.windows(), func(w held) bool { return w.Fact != fact })
	slices.SortStableFunc(out, func(a, b held) int { return temporal.Compare(a.Valid, b.Valid) })
	return out
}

// content says what a window says to a reader.
func (s *state) content(lane graph.Lane, w facts.Window) graph.Version {
	v := graph.Version{
		Fact: w.Fact, Lane: lane, Subject: w.Support[0].Subject, Predicate: lane.Predicate, Object: w.Object,
		Valid: w.Valid, Precision: w.Precision, Hidden: true,
	}
	var claims []graph.Claim
	for _, p := range w.Support {
		c, _ := s.m.claim(p.Claim)
		claims = append(claims, c)
		v.Hidden = v.Hidden && p.Muted
	}
	predicate := s.registry.Get(lane.Predicate)
	if predicate.Symmetric {
		// It is shown in the direction in which it was first told.
		subject, _, object := s.registry.Canonical(s.resolve(claims[0].Subject), claims[0].Predicate, s.resolve(claims[0].Object))
		v.Subject, v.Object = subject, object
	}
	v.Trust = slices.MaxFunc(claims, func(a, b graph.Claim) int { return cmp.Compare(a.Trust.Rank(), b.Trust.Rank()) }).Trust
	if c, ok := telling(claims, func(c graph.Claim) bool { return c.Text != "" }); ok {
		v.Text = c.Text
	} else {
		v.Text = s.registry.Sentence(predicate, s.m.entities[v.Subject].Name, s.m.entities[v.Object].Name)
	}
	v.Type = cmp.Or(predicate.Type, facts.DefaultType)
	if c, ok := telling(claims, func(c graph.Claim) bool { return c.Type != "" }); ok {
		v.Type = c.Type
	}
	v.Importance = facts.DefaultImportance
	if predicate.Importance != nil {
		v.Importance = *predicate.Importance
	}
	if c, ok := telling(claims, func(c graph.Claim) bool { return c.Importance != nil }); ok {
		v.Importance = *c.Importance
	}
	return v
}

// telling picks, of the claims that state something, whose word counts: the latest correction, else the earliest recorded of
// the most trusted. Claims come by their place.
func telling(claims []graph.Claim, states func(graph.Claim) bool) (graph.Claim, bool) {
	var best graph.Claim
	found := false
	for _, c := range claims {
		if !states(c) {
			continue
		}
		if !found || c.Correction || !best.Correction && c.Trust.Rank() > best.Trust.Rank() {
			best, found = c, true
		}
	}
	return best, found
}

// versions returns what was believed over all of transaction time.
func (m *model) versions() []graph.Version {
	var done, open []graph.Version
	for i, at := range m.places {
		if i+1 < len(m.places) && m.places[i+1].Tx == at.Tx {
			continue // a reader sees whole requests
		}
		var next []graph.Version
		for _, w := range m.after(at).windows() {
			w.version.Tx.From = at.Tx
			next = append(next, w.version)
		}
		for _, v := range open {
			if j := slices.IndexFunc(next, func(n graph.Version) bool { return n.Lane == v.Lane && sameVersion(n, v) }); j >= 0 {
				next[j] = v
				continue
			}
			v.Tx.To = at.Tx
			done = append(done, v)
		}
		open = next
	}
	return append(done, open...)
}

// sameVersion reports whether two versions say the same of the same window.
func sameVersion(a, b graph.Version) bool {
	a.ID, a.Tx, a.Begun, a.Ended = "", temporal.Period{}, "", ""
	b.ID, b.Tx, b.Begun, b.Ended = "", temporal.Period{}, "", ""
	return a == b
}

// before reads the log just before a place.
func (m *model) before(at graph.Pos) *state {
	i := slices.Index(m.places, at)
	if i <= 0 {
		return m.after(graph.Pos{})
	}
	return m.after(m.places[i-1])
}

// contents are the versions of windows.
func contents(windows []held) []graph.Version {
	out := make([]graph.Version, len(windows))
	for i, w := range windows {
		out[i] = w.version
	}
	return out
}

// pick chooses of a fact's windows the one that holds at t, else the last.
func pick(windows []held, t temporal.Instant) (held, bool) {
	for _, w := range windows {
		if w.Valid.Contains(t) {
			return w, true
		}
	}
	if len(windows) == 0 {
		return held{}, false
	}
	return windows[len(windows)-1], true
}
