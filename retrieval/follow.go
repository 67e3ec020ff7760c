package retrieval

import (
	"context"
	"slices"

	"tenure/facts"
	"tenure/graph"
)

const (
	maxSteps = 16   // predicates of a followed path
	maxPaths = 1000 // shown
	maxHops  = 3    // of a graph around an entity
)

// trail is one path of a follow so far.
type trail struct {
	steps []step
	end   node // a root
}

// step is a version that a path went along.
type step struct {
	lens int
	v    graph.Version
}

// Follow walks along predicates, hop by hop, each hop at the same as-of, through the scope and those it includes. A predicate
// may be the inverse of a declared one. It returns the paths of facts, and the distinct entities they end at.
func (s *Service) Follow(ctx context.Context, scope graph.Scope, start string, path []string, at At) (Followed, error) {
	own, err := s.open(ctx, scope, at)
	if err != nil {
		return Followed{}, err
	}
	if start == "" {
		return Followed{}, graph.Invalid("start", "is missing")
	}
	if len(path) == 0 || len(path) > maxSteps {
		return Followed{}, graph.Invalid("path", "want 1 to %d predicates", maxSteps)
	}
	for _, predicate := range path {
		if facts.ValidateName("path", predicate) != nil {
			return Followed{}, graph.Invalid("path", "want names of predicates, with commas between them")
		}
	}
	lenses, err := s.along(ctx, own, at.TxAt == "")
	if err != nil {
		return Followed{}, err
	}
	j := newJoint(lenses)
	starts, err := j.called(ctx, start)
	if err != nil {
		return Followed{}, err
	}
	trails := make([]trail, len(starts))
	for i, n := range starts {
		trails[i].end = n
	}
	out := Followed{AsOf: own.asOf()}
	for _, predicate := range path {
		if trails, err = j.hop(ctx, trails, predicate); err != nil {
			return Followed{}, err
		}
		if len(trails) > maxPaths {
			trails, out.Truncated = trails[:maxPaths], true
		}
	}
	ends := map[node]bool{}
	for _, t := range trails {
		if n := j.root[t.end]; !ends[n] {
			ends[n] = true
			out.Ends = append(out.Ends, j.entity[n])
		}
	}
	out.Paths, err = j.dress(ctx, trails)
	return out, err
}

// called returns the roots of the entities that a word may mean in the scope or, if it means none there, in those included.
func (j *joint) called(ctx context.Context, word string) ([]node, error) {
	for i, l := range j.lenses {
		ids, err := l.find(ctx, word)
		if err != nil {
			return nil, err
		}
		var nodes []node
		for _, id := range ids {
			nodes = append(nodes, node{i, id})
		}
		if roots, err := j.meet(ctx, nodes); err != nil || len(roots) > 0 {
			return roots, err
		}
	}
	return nil, nil
}

// hop takes every trail one predicate further.
func (j *joint) hop(ctx context.Context, trails []trail, predicate string) ([]trail, error) {
	var ends []node
	for _, t := range trails {
		if !slices.Contains(ends, t.end) {
			ends = append(ends, t.end)
		}
	}
	type reach struct {
		step
		to node
	}
	reached := map[node][]reach{}
	var met []node
	members := j.members(ends)
	for i, l := range j.lenses {
		if len(members[i]) == 0 {
			continue
		}
		filter := graph.VersionFilter{Subjects: members[i], Valid: l.point()}
		name, turned := l.canonical(predicate)
		filter.Predicates = []string{name}
		if turned {
			filter.Subjects, filter.Objects = nil, members[i]
		}
		versions, err := l.versions(ctx, filter)
		if err != nil {
			return nil, err
		}
		both := l.world.Registry().Get(name).Symmetric
		for _, v := range versions {
			for _, e := range [][2]graph.EntityID{{v.Subject, v.Object}, {v.Object, v.Subject}} {
				if forward := e[0] == v.Subject; (both || forward != turned) && slices.Contains(members[i], e[0]) {
					from := j.root[node{i, e[0]}]
					reached[from] = append(reached[from], reach{step{i, v}, node{i, e[1]}})
					met = append(met, node{i, e[1]})
				}
			}
		}
	}
	if _, err := j.meet(ctx, met); err != nil {
		return nil, err
	}
	var out []trail
	for _, t := range trails {
		for _, r := range reached[j.root[t.end]] {
			if len(out) > maxPaths {
				return out, nil
			}
			out = append(out, trail{append(slices.Clone(t.steps), r.step), j.root[r.to]})
		}
	}
	return out, nil
}

// dress makes facts of the steps of trails.
func (j *joint) dress(ctx context.Context, trails []trail) ([][]graph.Fact, error) {
	dressed := map[int]map[graph.VersionID]graph.Fact{}
	for i, l := range j.lenses {
		dressed[i] = map[graph.VersionID]graph.Fact{}
		var versions []graph.Version
		for _, t := range trails {
			for _, s := range t.steps {
				if _, ok := dressed[i][s.v.ID]; s.lens == i && !ok {
					dressed[i][s.v.ID] = graph.Fact{}
					versions = append(versions, s.v)
				}
			}
		}
		found, err := l.dress(ctx, versions)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			dressed[i][f.ID] = f
		}
	}
	paths := make([][]graph.Fact, len(trails))
	for k, t := range trails {
		for _, s := range t.steps {
			paths[k] = append(paths[k], dressed[s.lens][s.v.ID])
		}
	}
	return paths, nil
}

// Graph returns the facts within some hops of an entity, nearest and most important first, at most limit, and the entities
// they join. It does not pass through values.
func (s *Service) Graph(ctx context.Context, scope graph.Scope, entity string, hops, limit int, at At) (Graph, error) {
	own, err := s.open(ctx, scope, at)
	if err != nil {
		return Graph{}, err
	}
	if hops == 0 {
		hops = 1
	}
	size, err := Page{Limit: limit}.size()
	switch {
	case entity == "":
		return Graph{}, graph.Invalid("entity", "is missing")
	case hops < 0 || hops > maxHops:
		return Graph{}, graph.Invalid("hops", "want 1 to %d", maxHops)
	case err != nil:
		return Graph{}, err
	}
	lenses, err := s.along(ctx, own, at.TxAt == "")
	if err != nil {
		return Graph{}, err
	}
	h := newHood(lenses)
	h.perEntity = size + 1
	starts, err := h.called(ctx, entity)
	if err != nil {
		return Graph{}, err
	}
	out := Graph{AsOf: own.asOf()}
	frontier := starts
	for range hops {
		if frontier, err = h.expand(ctx, frontier); err != nil {
			return Graph{}, err
		}
		if len(h.edges) > size {
			h.edges, h.cut = h.edges[:size], true
			break
		}
	}
	out.Truncated = h.cut
	err = h.draw(ctx, starts, &out)
	return out, err
}

// draw puts what a walk from some nodes found into a graph.
func (h *hood) draw(ctx context.Context, starts []node, out *Graph) error {
	trails := make([]trail, len(h.edges))
	for i, e := range h.edges {
		trails[i].steps = []step{e.step}
	}
	paths, err := h.dress(ctx, trails)
	if err != nil {
		return err
	}
	nodes := starts
	for i, p := range paths {
		out.Facts = append(out.Facts, p[0])
		nodes = append(nodes, h.edges[i].ends()...)
	}
	shown := map[node]bool{}
	for _, n := range nodes {
		if n = h.root[n]; !shown[n] {
			shown[n] = true
			out.Entities = append(out.Entities, h.entity[n])
		}
	}
	return nil
}
