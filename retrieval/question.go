package retrieval

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tenure/facts"
	"tenure/graph"
	"tenure/lexical"
	"tenure/temporal"
)

// What a question asks of a slot.
const (
	relCurrent  = "current"
	relPrevious = "previous"
	relNext     = "next"
	relAt       = "at"
	relSince    = "since"
	relUntil    = "until"
	relDuration = "duration"
	relHistory  = "history"
	relChanged  = "changed"
	relUnknown  = "unknown"
)

// question is what can be read in a text without knowing what is held.
type question struct {
	words      []string // folded, in order
	relation   string   // current if nothing else is said
	date       *dated   // the time that is named, if any
	predicates []string // that its words may mean, the likeliest first
	rest       string   // the text without its date
}

// read reads a question asked at a moment. Predicates are found by what the registry calls them, the longest name first.
func read(text string, registry *facts.Registry, moment temporal.Instant, zone *time.Location) question {
	q := question{rest: text}
	q.date, q.rest = findDate(text, moment, zone)
	q.words = lexical.Words(q.rest)
	q.predicates = meant(q.words, registry)
	q.relation = q.related()
	return q
}

// has reports whether the words follow each other in the question.
func (q question) has(phrase string) bool {
	words := strings.Fields(phrase)
	for i := range len(q.words) - len(words) + 1 {
		if slices.Equal(q.words[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

// hasAny reports whether one of the words is in the question.
func (q question) hasAny(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(q.words, w) })
}

// related returns what the question asks: the first of these that it says.
func (q question) related() string {
	when := q.hasAny("when")
	switch {
	case q.hasAny("change", "changes", "changed", "changing"):
		return relChanged
	case q.hasAny("history", "timeline") || q.has("over time") || q.has("so far"):
		return relHistory
	case q.has("until when") || q.has("till when") || q.has("how much longer"),
		when && q.hasAny("end", "ends", "ended", "expire", "expires", "expired", "stop", "stops", "stopped", "leave", "leaves", "left"):
		return relUntil
	case q.has("how long"):
		return relDuration
	case q.has("since when") || q.has("from when") || when && q.words[0] == "when":
		return relSince
	case q.hasAny("next", "upcoming") || q.has("going to") || len(q.words) > 1 && slices.Contains(q.words[:min(4, len(q.words))], "will"):
		return relNext
	case q.hasAny("before", "previous", "previously", "prior", "former", "formerly", "earlier") || q.has("used to"):
		return relPrevious
	case q.date != nil && q.date.word == "before":
		return relPrevious
	case q.date != nil && q.date.word != "since":
		return relAt
	case q.last():
		return relPrevious
	}
	return relCurrent
}

// last reports whether the question asks for the last of something: "our last plan", but no "last name".
func (q question) last() bool {
	i := slices.Index(q.words, "last")
	return i >= 0 && i+1 < len(q.words) && q.words[i+1] != "name" && len(q.predicates) > 0
}

// maxPhrase is how many words a noun or a name that is looked for in a question has at most.
const maxPhrase = 5

// phrases calls f for each sequence of at most maxPhrase words, the longest first and then from the left.
func phrases(words []string, f func(from, to int)) {
	for n := min(maxPhrase, len(words)); n > 0; n-- {
		for from := range len(words) - n + 1 {
			f(from, from+n)
		}
	}
}

// meant returns the predicates that words may mean: those called so by the longest phrase first; then those whose own name
// is said in another form ("where does she live" for lives_in). Of one phrase those with one value come first.
func meant(words []string, registry *facts.Registry) []string {
	var out []string
	add := func(names []string) {
		slices.SortStableFunc(names, func(a, b string) int {
			return cmp.Compare(registry.Get(b).Cardinality, registry.Get(a).Cardinality) // "one" after "many" in the alphabet
		})
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	phrases(words, func(from, to int) {
		add(registry.ByNoun(strings.Join(words[from:to], " ")))
	})
	var named []string
	terms := lexical.Terms(strings.Join(words, " "))
	for _, p := range registry.All() {
		name := lexical.Terms(strings.NewReplacer("_", " ", ".", " ", ":", " ", "/", " ", "-", " ").Replace(p.Name))
		if contains(terms, name) {
			named = append(named, p.Name)
		}
	}
	add(named)
	return out
}

// contains reports whether the terms of a name follow each other among others.
func contains(terms, name []string) bool {
	for i := range len(terms) - len(name) + 1 {
		if slices.Equal(terms[i:i+len(name)], name) {
			return len(name) > 0
		}
	}
	return false
}

// slot reports whether the predicate holds one value at a time.
func slot(registry *facts.Registry, predicate string) bool {
	return registry.Get(predicate).Cardinality == graph.One
}
