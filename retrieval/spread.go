package retrieval

import (
	"slices"
)

// The walk signal.
//
// A fact that shares no word with the question may still bear on it, because it hangs on one that does: the rule on SSO is
// about Pro, Globex is on Pro, Globex has 120 seats. The signal of a related fact, its similarity, goes to the entities it
// joins and from each on to their other facts, and so on for reach facts; it is halved at each entity, and divided among
// many facts where an entity has more than fan of them, since hanging on a hub says little. Who asks is no source: only what
// is related to the question is, so a walk from an unrelated question leads nowhere.
const (
	reach     = 3
	decay     = 0.5
	fan       = 8.0
	walkFloor = 0.1 // three halvings of a full match, or one of a quarter match
)

// spread returns the walk signal of each edge, from the similarity of all.
func (h *hood) spread(near []float64) []float64 {
	strength := map[node]float64{} // by root
	for i, e := range h.edges {
		if near[i] >= floor {
			for _, n := range e.ends() {
				strength[h.root[n]] = max(strength[h.root[n]], near[i])
			}
		}
	}
	degree := map[node]int{}
	for _, e := range h.edges {
		for _, n := range e.ends() {
			degree[h.root[n]]++
		}
	}
	walk := make([]float64, len(h.edges))
	for range reach {
		further := map[node]float64{}
		for i, e := range h.edges {
			ends := e.ends()
			for side, n := range ends {
				from, to := h.root[n], h.root[ends[1-side]]
				if strength[from] == 0 || h.value(from) {
					continue
				}
				signal := strength[from] * decay * min(1, fan/float64(degree[from]))
				walk[i] = max(walk[i], signal)
				if h.passable(e) {
					further[to] = max(further[to], signal)
				}
			}
		}
		for n, signal := range further {
			strength[n] = max(strength[n], signal)
		}
	}
	return walk
}

// route is how a walk came to a node: along an edge from another one. The first node of a walk has no edge.
type route struct {
	from  node
	edge  int
	steps int
}

// routes returns the shortest walks to what can be reached: from who asks, and only where these do not lead, from what the
// question names. Of equally short ones the first found counts.
func (h *hood) routes(sources ...[]node) map[node]route {
	out := map[node]route{}
	for _, starts := range sources {
		var frontier []node
		for _, n := range starts {
			if n = h.root[n]; !h.reached(out, n) {
				out[n] = route{edge: -1}
				frontier = append(frontier, n)
			}
		}
		for steps := 1; steps < 2*walkHops && len(frontier) > 0; steps++ {
			var next []node
			for _, n := range frontier {
				if h.value(n) {
					continue
				}
				for _, i := range h.around(n) {
					if !h.passable(h.edges[i]) {
						continue
					}
					for _, to := range h.edges[i].ends() {
						if to = h.root[to]; !h.reached(out, to) {
							out[to] = route{n, i, steps}
							next = append(next, to)
						}
					}
				}
			}
			frontier = next
		}
	}
	return out
}

func (h *hood) reached(routes map[node]route, n node) bool {
	_, ok := routes[n]
	return ok
}

// path returns the walk to an edge, the edge itself last; nil if no walk came there.
func (h *hood) path(routes map[node]route, edge int) []Hop {
	var near node
	best := -1
	ends := h.edges[edge].ends()
	for side, n := range ends {
		n = h.root[n]
		if r, ok := routes[n]; ok && !h.value(n) && (best < 0 || r.steps < routes[near].steps) {
			near, best = n, side
		}
	}
	if best < 0 {
		return nil
	}
	hops := []Hop{h.hop(near, edge)}
	for r := routes[near]; r.edge >= 0; r = routes[r.from] {
		hops = append(hops, h.hop(r.from, r.edge))
	}
	slices.Reverse(hops)
	return hops
}

// hop is a step from a node along one of its edges. Against the direction of the fact it goes by the predicate's inverse
// name, where it has one.
func (h *hood) hop(from node, edge int) Hop {
	e := h.edges[edge]
	ends := e.ends()
	hop := Hop{From: h.entity[ends[0]], To: h.entity[ends[1]], Predicate: e.v.Predicate, Fact: e.v.Fact}
	if h.root[ends[0]] != from {
		hop.From, hop.To = hop.To, hop.From
		if inverse := h.lenses[e.lens].world.Registry().Get(e.v.Predicate).Inverse; inverse != "" {
			hop.Predicate = inverse
		}
	}
	return hop
}
