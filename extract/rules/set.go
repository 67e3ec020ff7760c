package rules

import (
	"fmt"
	"slices"

	"tenure/graph"
)

// patternSet is what a scope's predicates read. It does not change.
type patternSet struct {
	predicates []graph.Predicate
	plain      patterns
	additions  patterns
	questions  patterns
	whole      patterns        // their object is the rest of the sentence
	verbs      map[string]form // the forms of all verbs
}

// patterns is a list of patterns in the registry's order, with an index by the words that they cannot do without.
type patterns struct {
	all      []pattern
	anchored map[string][]int // word → places
	always   []int            // places of those that have no such word
}

// newPatternSet compiles the patterns of predicates. It fails for the first pattern that is wrong.
func newPatternSet(predicates []graph.Predicate) (*patternSet, error) {
	s := &patternSet{predicates: predicates, verbs: map[string]form{}}
	for lemma := range lexicon["verb"].phrases {
		s.know(inflect(lemma))
	}
	for i, p := range predicates {
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
	return s, nil
}

func (s *patternSet) know(forms map[string]form) {
	for w, f := range forms {
		s.verbs[w] |= f
	}
}

func (s *patternSet) add(p pattern) {
	for _, e := range p.elements {
		s.know(e.forms)
	}
	switch {
	case p.question:
		s.questions.add(p)
	case p.rest:
		s.whole.add(p)
	case p.addition:
		s.additions.add(p)
	default:
		s.plain.add(p)
	}
}

func (l *patterns) add(p pattern) {
	place := len(l.all)
	l.all = append(l.all, p)
	words := p.anchors()
	if len(words) == 0 {
		l.always = append(l.always, place)
	}
	if l.anchored == nil {
		l.anchored = map[string][]int{}
	}
	for _, w := range words {
		l.anchored[w] = append(l.anchored[w], place)
	}
}

// candidates returns the patterns that may match some of the tokens, in the registry's order.
func (l *patterns) candidates(toks []token) []*pattern {
	places := slices.Clone(l.always)
	for _, t := range toks {
		places = append(places, l.anchored[t.low]...)
	}
	slices.Sort(places)
	places = slices.Compact(places)
	out := make([]*pattern, len(places))
	for i, place := range places {
		out[i] = &l.all[place]
	}
	return out
}
