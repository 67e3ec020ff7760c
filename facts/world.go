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
	for i, from := range at {
		worlds[i] = World{From: from, registry: sync.OnceValue(func() *Registry {
			latest := map[string]graph.Predicate{}
			for _, d := range declared {
				if Holds(d.Spans, from) {
					latest[d.Predicate.Name] = d.Predicate
				}
			}
			names := slices.Sorted(maps.Keys(latest))
			predicates := make([]graph.Predicate, len(names))
			for j, name := range names {
				predicates[j] = latest[name]
			}
			return shipped.With(predicates...)
		})}
		for _, m := range merged {
			if Holds(m.Spans, from) {
				if worlds[i].Into == nil {
					worlds[i].Into = map[graph.EntityID]graph.EntityID{}
				}
				worlds[i].Into[m.From] = m.Into
			}
		}
	}
	return worlds
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
