package entities

import (
	"cmp"
	"slices"
	"strings"

	"tenure/graph"
)

// Resolve returns the candidate that a mention is: one of compatible kind that has the mention's key, by name rather than by
// alias, of the same kind rather than of none. Candidates are entities of the scope that share a key with it; similar
// names never match. The answer does not depend on the order of the candidates.
func Resolve(m graph.Named, candidates []graph.Entity) (graph.Entity, bool) {
	key := KeyOf(m.Name, m.Kind)
	var best graph.Entity
	found := false
	for _, e := range candidates {
		if !slices.Contains(e.Keys, key) || !Compatible(m.Kind, e.Kind) {
			continue
		}
		if !found || closer(m, key, e, best) {
			best, found = e, true
		}
	}
	return best, found
}

// closer reports whether a is a better match than b.
func closer(m graph.Named, key string, a, b graph.Entity) bool {
	rank := func(e graph.Entity) int {
		r := 0
		if KeyOf(e.Name, e.Kind) == key {
			r += 2
		}
		if strings.EqualFold(e.Kind, m.Kind) {
			r++
		}
		return r
	}
	return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.ID, b.ID)) < 0
}

// Compatible reports whether things of these kinds may be one: the kinds are equal, or one is not known. A literal is
// compatible with literals only.
func Compatible(a, b string) bool {
	if a == graph.KindValue || b == graph.KindValue {
		return a == b
	}
	return a == "" || b == "" || strings.EqualFold(a, b)
}

// New returns the entity that a mention begins. The same mention begins the same entity.
func New(scope graph.Scope, m graph.Named) graph.Entity {
	name := m.Name
	if m.Kind != graph.KindValue {
		name = strings.TrimSpace(name)
	}
	key := KeyOf(name, m.Kind)
	return graph.Entity{
		ID:   graph.DeriveID[graph.Entity](scope, "entity", key, strings.ToLower(m.Kind)),
		Name: name, Kind: m.Kind, Keys: []string{key},
	}
}
