package belief

import (
	"context"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Laws are a scope's declarations and merges, with the changes that made them and those that revert these.
type Laws struct {
	Declarations []graph.Declaration
	Merges       []graph.Merge
	Changes      map[graph.ChangeID]graph.Change
	Reverts      map[graph.ChangeID][]graph.Change
}

// ReadLaws reads a scope's laws.
func ReadLaws(ctx context.Context, r graph.Reader) (Laws, error) {
	laws := Laws{Changes: map[graph.ChangeID]graph.Change{}, Reverts: map[graph.ChangeID][]graph.Change{}}
	var err error
	if laws.Declarations, err = r.Declarations(ctx); err != nil {
		return Laws{}, err
	}
	if laws.Merges, err = r.Merges(ctx, nil); err != nil {
		return Laws{}, err
	}
	var ids []graph.ChangeID
	for _, d := range laws.Declarations {
		ids = append(ids, d.Change)
	}
	for _, m := range laws.Merges {
		ids = append(ids, m.Change)
	}
	for len(ids) > 0 {
		found, err := r.Changes(ctx, ids)
		if err != nil {
			return Laws{}, err
		}
		for id, c := range found {
			laws.Changes[id] = c
		}
		reverts, err := r.ListChanges(ctx, graph.ChangeFilter{Reverts: ids})
		if err != nil {
			return Laws{}, err
		}
		ids = nil
		for _, c := range reverts {
			laws.Reverts[c.Reverts] = append(laws.Reverts[c.Reverts], c)
			ids = append(ids, c.ID)
		}
	}
	return laws, nil
}

// Worlds returns the worlds that the laws make; the last is in force.
func (l Laws) Worlds() []facts.World {
	declared := make([]facts.Declared, len(l.Declarations))
	for i, d := range l.Declarations {
		declared[i] = facts.Declared{Declaration: d, Spans: facts.Standing(l.Changes[d.Change], l.Reverts)}
	}
	merged := make([]facts.Merged, len(l.Merges))
	for i, m := range l.Merges {
		merged[i] = facts.Merged{Merge: m, Spans: facts.Standing(l.Changes[m.Change], l.Reverts)}
	}
	return facts.Worlds(facts.Shipped(), declared, merged)
}

// WorldAt reads the world that was in force for the reader of a transaction time; zero asks for the latest.
func WorldAt(ctx context.Context, r graph.Reader, tx temporal.Instant) (facts.World, error) {
	laws, err := ReadLaws(ctx, r)
	if err != nil {
		return facts.World{}, err
	}
	var world facts.World
	for _, w := range laws.Worlds() {
		if tx.IsZero() || w.From.Tx <= tx {
			world = w
		}
	}
	return world, nil
}

// World reads the world in force in a scope: its predicates and merges.
func World(ctx context.Context, r graph.Reader) (facts.World, error) {
	laws, err := ReadLaws(ctx, r)
	if err != nil {
		return facts.World{}, err
	}
	worlds := laws.Worlds()
	return worlds[len(worlds)-1], nil
}
