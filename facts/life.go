package facts

import (
	"slices"

	"tenure/graph"
	"tenure/temporal"
)

// Span is a stretch of the log, [From, To); a zero To is until further notice.
type Span struct{ From, To graph.Pos }

// Holds reports whether the place lies in one of the spans.
func Holds(spans []Span, at graph.Pos) bool {
	return slices.ContainsFunc(spans, func(s Span) bool {
		return s.From.Compare(at) <= 0 && (s.To.IsZero() || at.Compare(s.To) < 0)
	})
}

// Without returns what is left of a span that begins at a place and never ends, once others are taken out of it.
func Without(from graph.Pos, out []Span) []Span {
	out = slices.Clone(out)
	slices.SortFunc(out, func(a, b Span) int { return a.From.Compare(b.From) })
	var left []Span
	for _, s := range out {
		if from.Compare(s.From) < 0 {
			left = append(left, Span{from, s.From})
		}
		if s.To.IsZero() {
			return left
		}
		if from.Compare(s.To) < 0 {
			from = s.To
		}
	}
	return append(left, Span{From: from})
}

// Standing returns when a change stands: from its place on, without the stretches in which a change that reverts it
// stands. reverts holds, for each change, those that revert it.
func Standing(c graph.Change, reverts map[graph.ChangeID][]graph.Change) []Span {
	var out []Span
	for _, r := range reverts[c.ID] {
		out = append(out, Standing(r, reverts)...)
	}
	return Without(c.At, out)
}

// A World is what decides, from a place in the log on, which lane a triple is in: the predicates declared and the
// entities merged.
type World struct {
	From     graph.Pos
	Into     map[graph.EntityID]graph.EntityID // merged entity → the one it was merged into
	registry func() *Registry                  // made when first asked for: most worlds never are
}

// Registry is the predicates in force.
func (w World) Registry() *Registry { return w.registry() }

// Resolve follows merges to the entity that stands for e.
func (w World) Resolve(e graph.EntityID) graph.EntityID {
	// Merges into a merged entity are followed; the bound only guards against a ring.
	for range len(w.Into) {
		into, ok := w.Into[e]
		if !ok {
			break
		}
		e = into
	}
	return e
}

// Triple returns what a triple is in this world: entities after merges, an inverse rewritten, a symmetric pair in one order.
func (w World) Triple(s graph.EntityID, p string, o graph.EntityID) (graph.EntityID, string, graph.EntityID, graph.Lane) {
	s, p, o = w.Registry().Canonical(w.Resolve(s), p, w.Resolve(o))
	if w.Registry().Get(p).Symmetric && o < s {
		s, o = o, s
	}
	return s, p, o, w.Registry().Lane(s, p, o)
}

// Acting is an effect with the stretches of the log in which it acts: its change stands and its cause counts.
type Acting struct {
	graph.Effect
	Spans []Span
}

// Influences are all that decides where a claim counts, and when.
type Influences struct {
	Stands  []Span   // while the change that logged it stands
	Effects []Acting // in the order they were written
	Worlds  []World  // in order; the first covers the claim's beginning
	Taken   []Span   // while a never takes it back: then it counts in no other lane
}

// Life returns all placements that a claim ever has, without ids: in its own lane, in the lane of the opposite predicate,
// and where it displaces a fact. It is a pure function of the log, so a placement ends and comes back with whatever made it.
func Life(c graph.Claim, in Influences) []graph.Placement {
	var done, open []graph.Placement
	for _, at := range cuts(c, in) {
		next := placed(c, in, at)
		open = slices.DeleteFunc(open, func(p graph.Placement) bool {
			if i := slices.IndexFunc(next, func(n graph.Placement) bool { return SamePlacement(n, p) }); i >= 0 {
				next = slices.Delete(next, i, i+1) // it goes on
				return false
			}
			p.To = at
			done = append(done, p)
			return true
		})
		for _, p := range next {
			p.From = at
			open = append(open, p)
		}
	}
	return append(done, open...)
}

// Counting returns when a claim counts for whatever it causes: when it has a placement in its own lane and is not taken back.
func Counting(life []graph.Placement, taken []Span) []Span {
	var spans []Span
	for _, p := range life {
		if p.Own {
			spans = append(spans, Span{p.From, p.To})
		}
	}
	return Both(spans, Without(graph.Pos{}, taken))
}

// Both returns what lies in both lists of spans.
func Both(a, b []Span) []Span {
	var out []Span
	for _, s := range join(a) {
		for _, t := range join(b) {
			both := Span{From: s.From, To: s.To}
			if s.From.Compare(t.From) < 0 {
				both.From = t.From
			}
			if s.To.IsZero() || !t.To.IsZero() && t.To.Compare(s.To) < 0 {
				both.To = t.To
			}
			if both.To.IsZero() || both.From.Compare(both.To) < 0 {
				out = append(out, both)
			}
		}
	}
	return out
}

// TakenSpans returns when a never among the placements of the lane takes the claim back, while the claim's own placement is there.
func TakenSpans(own graph.Placement, lane []graph.Placement) []Span {
	var spans []Span
	for i := range lane {
		if n := lane[i]; n.Kind == graph.Never && TakenBack(own, []graph.Placement{n}) {
			spans = append(spans, Both([]Span{{n.From, n.To}}, []Span{{own.From, own.To}})...)
		}
	}
	return join(spans)
}

// join merges spans that overlap or meet.
func join(spans []Span) []Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b Span) int { return a.From.Compare(b.From) })
	var out []Span
	for _, s := range spans {
		last := len(out) - 1
		if last < 0 || !out[last].To.IsZero() && out[last].To.Compare(s.From) < 0 {
			out = append(out, s)
		} else if !out[last].To.IsZero() && (s.To.IsZero() || out[last].To.Compare(s.To) < 0) {
			out[last].To = s.To
		}
	}
	return out
}

// cuts returns the places at which something about the claim may change, from its logging on.
func cuts(c graph.Claim, in Influences) []graph.Pos {
	at := []graph.Pos{c.Logged}
	add := func(spans []Span) {
		for _, s := range spans {
			at = append(at, s.From)
			if !s.To.IsZero() {
				at = append(at, s.To)
			}
		}
	}
	add(in.Stands)
	add(in.Taken)
	for _, e := range in.Effects {
		add(e.Spans)
	}
	for _, w := range in.Worlds {
		at = append(at, w.From)
	}
	at = slices.DeleteFunc(at, func(p graph.Pos) bool { return p.Compare(c.Logged) < 0 })
	slices.SortFunc(at, graph.Pos.Compare)
	return slices.Compact(at)
}

// placed returns where a claim counts just after a place in the log.
func placed(c graph.Claim, in Influences, at graph.Pos) []graph.Placement {
	if !Holds(in.Stands, at) {
		return nil
	}
	world := in.Worlds[0]
	for _, w := range in.Worlds {
		if w.From.Compare(at) <= 0 {
			world = w
		}
	}
	base := graph.Placement{
		Claim: c.ID, Fact: c.Fact(), Rec: c.Rec, Kind: c.Kind, Trust: c.Trust, Own: true,
		Valid: c.Valid, Precision: c.Precision, HoldsAt: c.HoldsAt,
	}
	base.Subject, base.Predicate, base.Object, base.Lane = world.Triple(c.Subject, c.Predicate, c.Object)
	pieces := []temporal.Period{{}}
	var displaced []graph.Effect
	for _, e := range in.Effects {
		if !Holds(e.Spans, at) {
			continue
		}
		switch e.Kind {
		case graph.Limit:
			pieces = limit(pieces, e.Within, e.Keep)
		case graph.Unhold:
			base.HoldsAt = 0
		case graph.Mute:
			base.Muted = true
		case graph.Displace:
			displaced = append(displaced, e.Effect)
		}
	}
	var out []graph.Placement
	for _, piece := range pieces {
		p := base
		p.Narrowed = piece
		out = append(out, p)
	}
	if len(out) == 0 || Holds(in.Taken, at) {
		return out
	}
	if opposite := world.Registry().Opposite(base.Predicate); opposite != "" && c.Kind == graph.Assert {
		for _, p := range slices.Clone(out) {
			p.Kind, p.Own, p.Muted = graph.Retract, false, false
			p.Subject, p.Predicate, p.Object, p.Lane = world.Triple(c.Subject, opposite, c.Object)
			out = append(out, p)
		}
	}
	for _, e := range displaced {
		p := base
		p.Kind, p.Own, p.Muted, p.HoldsAt = graph.Retract, false, false, 0
		p.Valid, p.Precision = temporal.Period{From: e.Within.From}, graph.Bounds{}
		p.Subject, p.Predicate, p.Object, p.Lane = world.Triple(e.Subject, e.Predicate, e.Object)
		out = append(out, p)
	}
	return out
}

// limit keeps of the pieces what is outside within, and what is inside keep.
func limit(pieces []temporal.Period, within temporal.Period, keep []temporal.Period) []temporal.Period {
	var out []temporal.Period
	for _, piece := range pieces {
		out = append(out, piece.Minus(within)...)
		inside, ok := piece.Intersect(within)
		if !ok {
			continue
		}
		for _, k := range keep {
			if kept, ok := inside.Intersect(k); ok {
				out = append(out, kept)
			}
		}
	}
	slices.SortFunc(out, temporal.Compare)
	return out
}

// SamePlacement reports whether two placements say the same, wherever in the log they begin and end.
func SamePlacement(a, b graph.Placement) bool {
	a.From, a.To, b.From, b.To = graph.Pos{}, graph.Pos{}, graph.Pos{}, graph.Pos{}
	a.ID, b.ID = "", ""
	return a == b
}
