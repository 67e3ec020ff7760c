package retrieval

import (
	"context"
	"math"
	"slices"

	"tenure/lexical"
)

// Similarity without a model.
//
// The similarity of a text to a question is the share of the question that the text covers: of the question's terms, each
// weighed by how telling it is, those that the text has. It is absolute: 1 if the text has all of them, 0 if it has none,
// the same whatever else is held. Two texts that have only a common word with each other are near 0, because the question's
// other words weigh more; and a word that the memory never heard weighs most, so that a question about something else is
// not answered with what happens to share a word with it.
//
// The weight is BM25's idf, so a scope's own vocabulary decides what is telling: the name of the one customer that all of
// it is about says little. Stop words, and words by which one asks ("tell me what you know about"), are no part of a
// question; nor is the time that it names, which selects and does not describe. What the registry calls a fact's predicate
// ("plan, tier") counts a third: it says that the fact is of the kind that was asked for, not that it is the one.
const (
	// floor is the similarity from which a text is related to a question: a quarter of what was asked.
	floor = 0.25
	// A long text is measured by its densest stretch: a page that has all words of a question somewhere is not about it.
	stretch = 64
	// A long question is measured by its best part, since no fact is about all of it.
	longest = 12
	part    = 8
	// A word that only the fact's predicate is called by counts so much of it.
	kindred = 1.0 / 3
	// Of a text as long as a page only the first terms are measured.
	maxTerms = 1024
)

// asking are the words by which one asks: they say nothing of what the question is about.
var asking = termSet(`tell show list find give know remember remind recall explain describe say said mention please
	thing anything something everything information info detail details new news latest update updates
	currently current now today presently still already yet ever many much any some all long often
	before previous previously prior former formerly earlier next upcoming last since until till
	change changed changes history timeline happen happened`)

func termSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, term := range lexical.Terms(text) {
		set[term] = true
	}
	return set
}

// measure measures texts against one question.
type measure struct {
	weights map[string]float64
	parts   [][]string          // the question's different terms, in stretches if they are many
	totals  []float64           // of the weights of each part
	names   map[string][]string // the terms of names met
}

// background is how many texts about something else a memory counts as holding besides its own. Without it the words of the
// first few facts would be in all texts there are, and say nothing.
const background = 16

// newMeasure reads how telling the terms of a question are. Over several scopes a term is as common as it is in all of them
// together: idf is the negative logarithm of the share of texts that have the term, and shares average by size. How many
// texts a scope has is read from the rarity of a term that no text has.
func newMeasure(ctx context.Context, lenses []*lens, question string) (measure, error) {
	terms := questionTerms(question)
	m := measure{weights: map[string]float64{}, names: map[string][]string{}}
	if len(terms) == 0 {
		return m, nil
	}
	const none = "\x00"
	texts := float64(background)
	having := map[string]float64{}
	for _, l := range lenses {
		rarity, err := l.Rarity(ctx, append(slices.Clone(terms), none))
		if err != nil {
			return measure{}, err
		}
		size := math.Exp(rarity[none]) / 2 // of idf = ln(1 + (n+½)/½) = ln(2(n+1))
		texts += size
		for _, t := range terms {
			having[t] += size * math.Exp(-rarity[t])
		}
	}
	for _, t := range terms {
		m.weights[t] = max(0, -math.Log(having[t]/texts))
	}
	m.divide(terms)
	return m, nil
}

// divide puts the terms of the question into parts.
func (m *measure) divide(terms []string) {
	for _, some := range stretches(terms, longest, part) {
		var total float64
		for _, t := range some {
			total += m.weights[t]
		}
		m.parts, m.totals = append(m.parts, some), append(m.totals, total)
	}
}

// questionTerms returns the different terms of a question without those by which one asks, unless there are no others.
func questionTerms(question string) []string {
	all := lexical.Terms(question)
	for _, skip := range []map[string]bool{asking, nil} {
		var terms []string
		seen := map[string]bool{}
		for _, t := range all {
			if !skip[t] && !seen[t] && len(terms) < maxTerms {
				seen[t] = true
				terms = append(terms, t)
			}
		}
		if len(terms) > 0 {
			return terms
		}
	}
	return nil
}

// stretches cuts terms into overlapping stretches of a length, if there are more than whole.
func stretches(terms []string, whole, length int) [][]string {
	if len(terms) <= whole {
		return [][]string{terms}
	}
	var out [][]string
	for from := 0; ; from += length / 2 {
		to := min(from+length, len(terms))
		out = append(out, terms[from:to])
		if to == len(terms) {
			return out
		}
	}
}

// text returns the similarity of a text to the question.
func (m measure) text(text string) float64 {
	var best float64
	for _, s := range stretches(lexical.Terms(text), stretch, stretch) {
		best = max(best, m.covered(s, nil))
	}
	return best
}

// fact returns the similarity of a fact: of its statement with the names of its ends, and with what its predicate is called.
func (m measure) fact(text string, names, called []string) float64 {
	said := m.terms(names)
	nouns := m.terms(called)
	var best float64
	for _, s := range stretches(lexical.Terms(text), stretch, stretch) {
		best = max(best, m.covered(slices.Concat(s, said), nouns))
	}
	return best
}

// terms returns the terms of names. It remembers them: a few names and nouns are in all facts of a neighbourhood.
func (m measure) terms(names []string) []string {
	var out []string
	for _, name := range names {
		if len(name) > maxName {
			continue
		}
		terms, ok := m.names[name]
		if !ok {
			terms = lexical.Terms(name)
			m.names[name] = terms
		}
		out = append(out, terms...)
	}
	return out
}

// maxName bounds what of a name is measured; a longer one is a value that repeats the statement.
const maxName = 512

// covered returns the largest share of a part of the question that terms cover, and nouns to their part.
func (m measure) covered(terms, nouns []string) float64 {
	has := map[string]float64{}
	for _, t := range nouns {
		has[t] = kindred
	}
	for _, t := range terms {
		has[t] = 1
	}
	var best float64
	for i, part := range m.parts {
		if m.totals[i] <= 0 {
			continue
		}
		var sum float64
		for _, t := range part {
			sum += has[t] * m.weights[t]
		}
		best = max(best, sum/m.totals[i])
	}
	return min(best, 1)
}
