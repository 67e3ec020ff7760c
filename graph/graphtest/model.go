package graphtest

import (
	"cmp"
	"slices"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// A model is the reference for what a scope's log gives: everything that was said and done, in order, and nothing derived. Where
// claims count at a place in the log is worked out for that place alone, from the rules of the design and without regard to cost.
type model struct {
	scope        graph.Scope
	entities     map[graph.EntityID]graph.Entity
	episodes     map[graph.EpisodeID]graph.Episode
	claims       []graph.Claim
	effects      []graph.Effect
	changes      []graph.Change
	merges       []graph.Merge
	declarations []graph.Declaration
	places       []graph.Pos // at which something was done
	graves       map[grave]bool
	erased       bool                 // something was erased
	past         map[graph.Pos]*state // read already; only an erase changes it

	now temporal.Instant // of the request under way
	seq int
}

// grave remembers what an erase destroyed, so that reading the episode again does not bring it back: what was said, or what
// that meant when it was erased.
type grave struct {
	episode graph.EpisodeID
	told    bool
	lane    graph.Lane
	object  graph.EntityID
}

// graves are those of a claim at this place.
func (s *state) graves(c graph.Claim) []grave {
	_, _, object, lane := s.triple(c.Subject, c.Predicate, c.Object)
	var out []grave
	for _, e := range episodesOf(c) {
		out = append(out, grave{e, false, lane, object}, grave{e, true, graph.Lane{Subject: c.Subject, Predicate: c.Predicate, Object: c.Object}, ""})
	}
	return out
}

func newModel(scope graph.Scope) *model {
	return &model{
		scope: scope, entities: map[graph.EntityID]graph.Entity{}, episodes: map[graph.EpisodeID]graph.Episode{}, graves: map[grave]bool{},
		past: map[graph.Pos]*state{},
	}
}

// clone copies the model so that a request can be tried. Rows are never altered in place.
func (m *model) clone() *model {
	c := *m
	c.entities, c.episodes, c.graves, c.past = cloneMap(m.entities), cloneMap(m.episodes), cloneMap(m.graves), cloneMap(m.past)
	c.claims, c.effects, c.changes = slices.Clone(m.claims), slices.Clone(m.effects), slices.Clone(m.changes)
	c.merges, c.declarations, c.places = slices.Clone(m.merges), slices.Clone(m.declarations), slices.Clone(m.places)
	return &c
}

func cloneMap[K comparable, V any](in map[K]V) map[K]V {
	out := make(map[K]V, len(in))
	for k, v := range in {
		out[k] = v
	}
	return out
}

// step begins the next operation of the request under way and returns its place.
func (m *model) step() graph.Pos {
	m.seq++
	at := graph.Pos{Tx: m.now, Seq: m.seq}
	m.places = append(m.places, at)
	return at
}

func (m *model) claim(id graph.ClaimID) (graph.Claim, bool) {
	i := slices.IndexFunc(m.claims, func(c graph.Claim) bool { return c.ID == id })
	if i < 0 {
		return graph.Claim{}, false
	}
	return m.claims[i], true
}

func (m *model) change(id graph.ChangeID) (graph.Change, bool) {
	i := slices.IndexFunc(m.changes, func(c graph.Change) bool { return c.ID == id })
	if i < 0 {
		return graph.Change{}, false
	}
	return m.changes[i], true
}

// A state is what counts just after one place in the log.
type state struct {
	m        *model
	at       graph.Pos
	registry *facts.Registry
	into     map[graph.EntityID]graph.EntityID
	// What was worked out already:
	standing map[graph.ChangeID]bool
	owned    map[graph.ClaimID][]graph.Placement
	all      []graph.Placement
	believed []held
}

// after reads the log just after a place.
func (m *model) after(at graph.Pos) *state {
	if s, ok := m.past[at]; ok {
		return s
	}
	s := &state{
		m: m, at: at, into: map[graph.EntityID]graph.EntityID{},
		standing: map[graph.ChangeID]bool{}, owned: map[graph.ClaimID][]graph.Placement{},
	}
	if n := len(m.places); n > 0 && at.Compare(m.places[n-1]) < 0 { // nothing more is done there
		m.past[at] = s
	}
	var declared []graph.Predicate
	for _, d := range m.declarations {
		if s.stands(d.Change) {
			declared = append(declared, d.Predicate)
		}
	}
	s.registry = facts.Shipped().With(declared...)
	for _, e := range m.merges {
		if s.stands(e.Change) && s.resolve(e.Into) != e.From { // two things that are one already are not merged again
			s.into[e.From] = e.Into
		}
	}
	return s
}

// latest reads the log at its end.
func (m *model) latest() *state {
	if len(m.places) == 0 {
		return m.after(graph.Pos{})
	}
	return m.after(m.places[len(m.places)-1])
}

// stands reports whether a change was made and no standing change reverts it.
func (s *state) stands(id graph.ChangeID) bool {
	if stands, ok := s.standing[id]; ok {
		return stands
	}
	c, ok := s.m.change(id)
	stands := ok && c.At.Compare(s.at) <= 0 &&
		!slices.ContainsFunc(s.m.changes, func(r graph.Change) bool { return r.Reverts == id && s.stands(r.ID) })
	s.standing[id] = stands
	return stands
}

// resolve follows merges.
func (s *state) resolve(e graph.EntityID) graph.EntityID {
	for {
		into, ok := s.into[e]
		if !ok {
			return e
		}
		e = into
	}
}

// triple is what a triple is at this place, with its lane.
func (s *state) triple(subject graph.EntityID, predicate string, object graph.EntityID) (graph.EntityID, string, graph.EntityID, graph.Lane) {
	subject, predicate, object = s.registry.Canonical(s.resolve(subject), predicate, s.resolve(object))
	p := s.registry.Get(predicate)
	lane := graph.Lane{Subject: subject, Predicate: predicate, Object: object}
	switch {
	case p.Symmetric:
		if object < subject {
			subject, object = object, subject
		}
		lane.Subject, lane.Object = subject, object
	case p.Cardinality == graph.One:
		lane.Object = ""
	}
	return subject, predicate, object, lane
}

// acts reports whether an effect acts: its change stands, and the claim for whose sake it was done counts.
func (s *state) acts(e graph.Effect) bool {
	if !s.stands(e.Change) {
		return false
	}
	if e.Cause == "" || e.Cause == e.Claim {
		return true
	}
	cause, ok := s.m.claim(e.Cause)
	return ok && len(s.own(cause)) > 0 && !s.taken(cause)
}

// own returns where a claim counts in its own lane.
func (s *state) own(c graph.Claim) []graph.Placement {
	if rows, ok := s.owned[c.ID]; ok {
		return rows
	}
	var rows []graph.Placement
	if c.Logged.Compare(s.at) <= 0 && (c.Change == "" || s.stands(c.Change)) {
		p := graph.Placement{
			Claim: c.ID, Fact: c.ID, Rec: c.Rec, Kind: c.Kind, Trust: c.Trust, Own: true,
			Valid: c.Valid, Precision: c.Precision, HoldsAt: c.HoldsAt,
		}
		if c.Origin != "" {
			p.Fact = c.Origin
		}
		p.Subject, p.Predicate, p.Object, p.Lane = s.triple(c.Subject, c.Predicate, c.Object)
		pieces := []temporal.Period{{}}
		for _, e := range s.m.effects {
			if e.Claim != c.ID || !s.acts(e) {
				continue
			}
			switch e.Kind {
			case graph.Limit:
				pieces = limited(pieces, e)
			case graph.Unhold:
				p.HoldsAt = 0
			case graph.Mute:
				p.Muted = true
			}
		}
		for _, piece := range pieces {
			p.Narrowed = piece
			rows = append(rows, p)
		}
	}
	s.owned[c.ID] = rows
	return rows
}

// limited takes from the pieces what an effect does not keep.
func limited(pieces []temporal.Period, e graph.Effect) []temporal.Period {
	var out []temporal.Period
	for _, piece := range pieces {
		left := piece.Minus(e.Within)
		for _, keep := range e.Keep {
			if in, ok := piece.Intersect(e.Within); ok {
				if kept, ok := in.Intersect(keep); ok {
					left = append(left, kept)
				}
			}
		}
		out = append(out, left...)
	}
	slices.SortFunc(out, temporal.Compare)
	return out
}

// taken reports whether a never takes a claim back.
func (s *state) taken(c graph.Claim) bool {
	if c.Kind == graph.Never {
		return false
	}
	for _, n := range s.m.claims {
		if n.Kind != graph.Never || n.Trust.Rank() < c.Trust.Rank() || cmp.Or(n.Rec.Compare(c.Rec), cmp.Compare(n.ID, c.ID)) < 0 {
			continue
		}
		for _, never := range s.own(n) {
			for _, p := range s.own(c) {
				if never.Lane == p.Lane && never.Object == p.Object {
					return true
				}
			}
		}
	}
	return false
}

// rows returns where every claim counts, in its own lane and in those it reaches by what it names.
func (s *state) rows() []graph.Placement {
	if s.all != nil {
		return slices.Clone(s.all)
	}
	out := []graph.Placement{}
	for _, c := range s.m.claims {
		own := s.own(c)
		out = append(out, own...)
		if len(own) == 0 || s.taken(c) {
			continue
		}
		if opposite := s.registry.Opposite(own[0].Predicate); opposite != "" && c.Kind == graph.Assert {
			for _, p := range own {
				p.Kind, p.Own, p.Muted = graph.Retract, false, false
				p.Subject, p.Predicate, p.Object, p.Lane = s.triple(c.Subject, opposite, c.Object)
				out = append(out, p)
			}
		}
		for _, e := range s.m.effects {
			if e.Claim != c.ID || e.Kind != graph.Displace || !s.acts(e) {
				continue
			}
			p := graph.Placement{
				Claim: c.ID, Fact: own[0].Fact, Rec: c.Rec, Kind: graph.Retract, Trust: c.Trust, Valid: temporal.Period{From: e.Within.From},
			}
			p.Subject, p.Predicate, p.Object, p.Lane = s.triple(e.Subject, e.Predicate, e.Object)
			out = append(out, p)
		}
	}
	s.all = out
	return slices.Clone(out)
}
