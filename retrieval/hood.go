package retrieval

import (
	"context"
	"slices"

	"tenure/graph"
	"tenure/temporal"
)

// The bounds of a walk. A hub is an entity with more facts than perEntity: of it only the most important are seen.
const (
	perEntity   = 32
	maxFrontier = 64
)

// edge is a version that a walk has seen.
type edge struct{ step }

// ends are the nodes that the edge joins: its subject, then its object.
func (e edge) ends() []node { return []node{{e.lens, e.v.Subject}, {e.lens, e.v.Object}} }

// hood is the neighbourhood that a walk has seen so far: a bounded part of the scopes read, of what holds within a span.
type hood struct {
	*joint
	span      temporal.Period
	lifted    []string // predicates of which all windows are shown; a walk does not go along those outside the span
	perEntity int
	edges     []edge
	known     map[step]bool // by lens and version id alone
	at        map[node][]int
	expanded  map[node]bool
	cut       bool // a bound kept something out
}

func newHood(lenses []*lens) *hood {
	h := &hood{joint: newJoint(lenses), perEntity: perEntity, known: map[step]bool{}, at: map[node][]int{}, expanded: map[node]bool{}}
	if own := lenses[0]; !own.at.Any {
		h.span = moment(own.at.Valid)
	}
	return h
}

// moment is the span of one instant.
func moment(t temporal.Instant) temporal.Period { return temporal.Period{From: t, To: t + 1} }

// point is the instant that a span consists of, which stores can filter by; zero if it is longer.
func point(span temporal.Period) temporal.Instant {
	if span == moment(span.From) {
		return span.From
	}
	return 0
}

// shows reports whether a version holds within the span, or is of a slot that is shown whole.
func (h *hood) shows(v graph.Version) bool {
	return v.Valid.Overlaps(h.span) || slices.Contains(h.lifted, v.Predicate)
}

// passable reports whether a walk may go along an edge.
func (h *hood) passable(e edge) bool { return e.v.Valid.Overlaps(h.span) }

// add takes versions of a scope into the neighbourhood, those that hold within the span, and returns the roots of the
// entities that were met for the first time.
func (h *hood) add(ctx context.Context, lens int, versions []graph.Version) ([]node, error) {
	var met []node
	first := len(h.edges)
	for _, v := range versions {
		mark := step{lens, graph.Version{ID: v.ID}}
		if h.known[mark] || !h.shows(v) {
			continue
		}
		h.known[mark] = true
		e := edge{step{lens, v}}
		h.edges = append(h.edges, e)
		met = append(met, e.ends()...)
	}
	roots, err := h.meet(ctx, met)
	if err != nil {
		return nil, err
	}
	for i, e := range h.edges[first:] {
		for _, n := range e.ends() {
			h.at[n] = append(h.at[n], first+i)
		}
	}
	return roots, nil
}

// expand takes in the facts of the frontier's entities, and returns those met behind them. Values are not passed through.
func (h *hood) expand(ctx context.Context, frontier []node) ([]node, error) {
	var passable []node
	for _, n := range frontier {
		switch {
		case h.value(n):
		case len(passable) == maxFrontier:
			h.cut = true
		default:
			passable = append(passable, n)
		}
	}
	var next []node
	for i, ids := range h.members(passable) {
		var fresh []graph.EntityID
		for _, id := range ids {
			if n := (node{i, id}); !h.expanded[n] {
				h.expanded[n] = true
				fresh = append(fresh, id)
			}
		}
		if len(fresh) == 0 {
			continue
		}
		versions, err := h.lenses[i].Around(ctx, fresh, point(h.span), h.perEntity)
		if err != nil {
			return nil, err
		}
		h.cut = h.cut || len(versions) >= h.perEntity // at least one of them may have more
		met, err := h.add(ctx, i, versions)
		if err != nil {
			return nil, err
		}
		next = append(next, met...)
	}
	return next, nil
}

// around returns the numbers of the edges at what is joined to a root.
func (h *hood) around(root node) []int {
	var out []int
	for _, n := range h.joined[root] {
		out = append(out, h.at[n]...)
	}
	return out
}
