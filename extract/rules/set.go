package rules

import (
	"fmt"
	"slices"

	"tenure/graph"
)

// patternSet is what a scope's predicates read. It does not change.
type patternSet struct {
	predicates []graph.Predicate
	plain      []pattern
	additions  []pattern
	questions  []pattern
	whole      []pattern        // their object is the rest of the sentence
	anchored   map[string][]int // word → places in plain
	verbs      map[string]form  // forms of all verbs
	byName     map[string]int   // predicate → place
}

// newPatternSet compiles the patterns of predicates. It fails for the first pattern that is wrong.
func newPatternSet(predicates []graph.Predicate) (*patternSet, error) {
	s := &patternSet{predicates: predicates, anchored: map[string][]int{}, verbs: map[string]form{}, byName: map[string]int{}}
	for i, p := range predicates {
		s.byName[p.Name] = i
		for _, source := range p.Patterns {
			compiled, err := compile(source, p)
			if err != nil {
				return nil, fmt.Errorf("%s: pattern %q: %w", p.Name, source, err)
			}
			for _, one := range compiled {
				one.predicate = i
				s.add(one)
			}
		}
	}
	for i := range s.plain {
		for _, w := range s.plain[i].anchors() {
			s.anchored[w] = append(s.anchored[w], i)
		}
	}
	return s, nil
}

func (s *patternSet) add(p pattern) {
	for _, e := range p.elements {
		for w, f := range e.forms {
			s.verbs[w] |= f
		}
	}
	list := &s.plain
	switch {
	case p.question:
		list = &s.questions
	case p.rest:
		list = &s.whole
	case p.addition:
		list = &s.additions
	}
	p.order = len(*list)
	*list = append(*list, p)
}

// candidates returns the plain patterns that may match the tokens, in the registry's order.
func (s *patternSet) candidates(toks []token) []*pattern {
	var places []int
	for i, t := range toks {
		if i > 0 && t.low == toks[i-1].low {
			continue
		}
		places = append(places, s.anchored[t.low]...)
	}
	slices.Sort(places)
	places = slices.Compact(places)
	out := make([]*pattern, len(places))
	for i, place := range places {
		out[i] = &s.plain[place]
	}
	return out
}
