package facts

import (
	"maps"
	"slices"
	"sync"

	"tenure/graph"
)

// Declared is a declaration with the stretches of the log in which its change stands.
type Declared struct {
	graph.Declaration
	Spans []Span
}

// Merged is a merge with the stretches of the log in which its change stands.
type Merged struct {
	graph.Merge
	Spans []Span
}

// Worlds returns the worlds that a scope's declarations and merges make, one for each stretch of the log in which nothing
// about them changes. The first covers the beginning. Declarations and merges are in the order in which they were made.
func Worlds(shipped *Registry, declared []Declared, merged []Merged) []World {
	at := []graph.Pos{{}}
	for _, d := range declared {
		at = ends(at, d.Spans)
	}
	for _, m := range merged {
		at = ends(at, m.Spans)
	}
	slices.SortFunc(at, graph.Pos.Compare)
	at = slices.Compact(at)
	worlds := make([]World, len(at))
	registries := map[string]func() *Registry{} // by which declarations hold: merges alone change none
	for i, from := range at {
		holding := make([]byte, len(declared))
		for j, d := range declared {
			if Holds(d.Spans, from) {
				holding[j] = 1
			}
		}
		worlds[i] = World{From: from, registry: registries[string(holding)]}
		if worlds[i].registry == nil {
			worlds[i].registry = overlay(shipped, declared, holding)
			registries[string(holding)] = worlds[i].registry
		}
		for _, m := range merged {
			// Reverts may let A into B stand beside a later B into A: what is one already is not merged again.
			if Holds(m.Spans, from) && worlds[i].Resolve(m.Into) != m.From {
				if worlds[i].Into == nil {
					worlds[i].Into = map[graph.EntityID]graph.EntityID{}
				}
				worlds[i].Into[m.From] = m.Into
			}
		}
	}
	return worlds
}

// overlay makes the registry of the declarations that hold, when it is first asked for.
func overlay(shipped *Registry, declared []Declared, holding []byte) func() *Registry {
	return sync.OnceValue(func() *Registry {
		latest := map[string]graph.Predicate{}
		for i, d := range declared {
			if holding[i] != 0 {
				latest[d.Predicate.Name] = d.Predicate
			}
		}
		predicates := make([]graph.Predicate, 0, len(latest))
		for _, name := range slices.Sorted(maps.Keys(latest)) {
			predicates = append(predicates, latest[name])
		}
		return shipped.With(predicates...)
	})
}

func ends(at []graph.Pos, spans []Span) []graph.Pos {
	for _, s := range spans {
		at = append(at, s.From)
		if !s.To.IsZero() {
			at = append(at, s.To)
		}
	}
	return at
}
