package retrieval

import (
	"context"
	"maps"
	"slices"

	"tenure/entities"
	"tenure/graph"
)

// node is an entity of one of the scopes read, named by the scope's place among them.
type node struct {
	lens int
	id   graph.EntityID
}

// joint knows the entities met so far in the scopes read, and which of them are one: an entity is joined to that of another
// scope with which it shares a name or alias, if their kinds do not contradict each other.
type joint struct {
	lenses []*lens
	entity map[node]graph.Entity
	root   map[node]node   // the node that stands for those joined
	joined map[node][]node // by root
}

func newJoint(lenses []*lens) *joint {
	return &joint{lenses: lenses, entity: map[node]graph.Entity{}, root: map[node]node{}, joined: map[node][]node{}}
}

// meet makes nodes known, with all that are joined to them, and returns the roots of those that were not known before, in
// order and each once.
func (j *joint) meet(ctx context.Context, nodes []node) ([]node, error) {
	fresh, err := j.load(ctx, nodes)
	if err != nil {
		return nil, err
	}
	if len(j.lenses) > 1 {
		if err := j.match(ctx, fresh); err != nil {
			return nil, err
		}
	}
	var roots []node
	seen := map[node]bool{}
	for _, n := range fresh {
		if r := j.root[n]; !seen[r] {
			seen[r] = true
			roots = append(roots, r)
		}
	}
	return roots, nil
}

// load reads those of the nodes that are not known yet, and returns those that there are, in order.
func (j *joint) load(ctx context.Context, nodes []node) ([]node, error) {
	asked := map[node]bool{}
	var order []node
	byLens := make([][]graph.EntityID, len(j.lenses))
	for _, n := range nodes {
		if _, ok := j.entity[n]; !ok && !asked[n] {
			asked[n] = true
			order = append(order, n)
			byLens[n.lens] = append(byLens[n.lens], n.id)
		}
	}
	for i, ids := range byLens {
		if len(ids) == 0 {
			continue
		}
		found, err := j.lenses[i].Reader.Entities(ctx, ids)
		if err != nil {
			return nil, err
		}
		for id, e := range found {
			n := node{i, id}
			j.entity[n], j.root[n], j.joined[n] = e, n, []node{n}
		}
	}
	return slices.DeleteFunc(order, func(n node) bool { _, ok := j.entity[n]; return !ok }), nil
}

// match joins nodes to their counterparts in the other scopes. Values are joined to none: that two scopes say "30" joins
// nothing.
func (j *joint) match(ctx context.Context, nodes []node) error {
	for i, l := range j.lenses {
		var keys []string
		for _, n := range nodes {
			if n.lens != i && !j.value(n) {
				keys = append(keys, j.entity[n].Keys...)
			}
		}
		if len(keys) == 0 {
			continue
		}
		slices.Sort(keys)
		found, err := l.EntitiesByKey(ctx, slices.Compact(keys))
		if err != nil {
			return err
		}
		byKey := map[string][]graph.Entity{}
		for _, e := range found {
			for _, key := range e.Keys {
				byKey[key] = append(byKey[key], e)
			}
		}
		pairs := map[node]node{}
		var met []node
		for _, n := range nodes {
			if n.lens == i || j.value(n) {
				continue
			}
			if id, ok := counterpart(j.entity[n], byKey, l); ok {
				pairs[n] = node{i, id}
				met = append(met, node{i, id})
			}
		}
		if _, err := j.load(ctx, met); err != nil {
			return err
		}
		for _, n := range nodes {
			if o, ok := pairs[n]; ok && j.entity[o].ID != "" {
				j.join(n, o)
			}
		}
	}
	return nil
}

// counterpart returns the entity of another scope that is the same as e. Where several fit equally none is taken.
func counterpart(e graph.Entity, byKey map[string][]graph.Entity, l *lens) (graph.EntityID, bool) {
	kinds := map[graph.EntityID]string{}
	for _, key := range e.Keys {
		for _, o := range byKey[key] {
			if entities.Compatible(e.Kind, o.Kind) {
				kinds[l.world.Resolve(o.ID)] = o.Kind
			}
		}
	}
	if e.Kind != "" && len(kinds) > 1 { // of several, that of the very kind
		maps.DeleteFunc(kinds, func(_ graph.EntityID, kind string) bool { return kind != e.Kind })
	}
	if len(kinds) != 1 {
		return "", false
	}
	for id := range kinds {
		return id, true
	}
	return "", false
}

// join makes two nodes one. The root is of the scope that is first among those read.
func (j *joint) join(a, b node) {
	a, b = j.root[a], j.root[b]
	if a == b {
		return
	}
	if b.lens < a.lens {
		a, b = b, a
	}
	for _, n := range j.joined[b] {
		j.root[n] = a
	}
	j.joined[a] = append(j.joined[a], j.joined[b]...)
	delete(j.joined, b)
}

// value reports whether the node is a literal, which walks do not pass through.
func (j *joint) value(n node) bool { return j.entity[n].Kind == graph.KindValue }

// members returns the ids, in each scope, of what is joined to the roots.
func (j *joint) members(roots []node) [][]graph.EntityID {
	out := make([][]graph.EntityID, len(j.lenses))
	for _, r := range roots {
		for _, n := range j.joined[j.root[r]] {
			out[n.lens] = append(out[n.lens], n.id)
		}
	}
	return out
}
