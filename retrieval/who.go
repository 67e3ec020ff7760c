package retrieval

import (
	"context"
	"slices"
	"strings"

	"tenure/entities"
	"tenure/graph"
	"tenure/lexical"
)

// asker returns who a question is asked by: the speaker if one is named, else the scope's self; nobody if that is unknown.
func (l *lens) asker(ctx context.Context, speaker string, j *joint) ([]node, error) {
	var ids []graph.EntityID
	var err error
	if speaker != "" {
		ids, err = l.find(ctx, speaker)
	} else {
		ids, err = l.named(ctx, l.settings.Self)
	}
	if err != nil {
		return nil, err
	}
	nodes := make([]node, len(ids))
	for i, id := range ids {
		nodes[i] = node{0, id}
	}
	if _, err := j.meet(ctx, nodes); err != nil {
		return nil, err
	}
	return j.roots(nodes), nil
}

// roots returns the roots of the nodes that there are, in order and each once.
func (j *joint) roots(nodes []node) []node {
	var out []node
	seen := map[node]bool{}
	for _, n := range nodes {
		if r, ok := j.root[n]; ok && !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}

// maxNameWords bounds how many words of a question are looked at for names.
const maxNameWords = 200

// namedIn returns the roots of the entities that a text names, in any of the scopes read, the longest names first. A name
// within a longer one that is found is not meant by itself; values are no names; nor are stop words alone.
func (j *joint) namedIn(ctx context.Context, text string) ([]node, error) {
	words := strings.Fields(text)
	words = words[:min(len(words), maxNameWords)]
	type place struct{ from, to int }
	places := map[string]place{}
	var keys []string
	phrases(words, func(from, to int) {
		phrase := strings.Trim(strings.Join(words[from:to], " "), ".,;:!?\"'()[]{}<>“”‘’«»…")
		if !slices.ContainsFunc(lexical.Words(phrase), func(w string) bool { return !lexical.Stop(w) }) {
			return
		}
		for _, phrase := range []string{phrase, strings.TrimSuffix(strings.TrimSuffix(phrase, "'s"), "’s")} {
			if key := entities.Key(phrase); key != "" {
				if _, ok := places[key]; !ok {
					places[key] = place{from, to}
					keys = append(keys, key)
				}
			}
		}
	})
	if len(keys) == 0 {
		return nil, nil
	}
	byKey := map[string][]node{}
	for i, l := range j.lenses {
		found, err := l.EntitiesByKey(ctx, keys)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			for _, key := range e.Keys {
				if e.Kind != graph.KindValue {
					byKey[key] = append(byKey[key], node{i, l.world.Resolve(e.ID)})
				}
			}
		}
	}
	var nodes []node
	taken := make([]bool, len(words))
	for _, key := range keys { // the longest first
		p := places[key]
		if len(byKey[key]) == 0 || !slices.Contains(taken[p.from:p.to], false) {
			continue
		}
		for i := p.from; i < p.to; i++ {
			taken[i] = true
		}
		nodes = append(nodes, byKey[key]...)
	}
	if _, err := j.meet(ctx, nodes); err != nil {
		return nil, err
	}
	return j.roots(nodes), nil
}
