package rules

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"tenure/extract"
	"tenure/graph"
)

// scan is what is known while the sentences of an episode are read.
type scan struct {
	set         *patternSet
	episode     graph.Episode
	text        string
	zone        *time.Location
	speakerName string
	speakerKind string
	firstPerson bool   // "I" and "we" are known: a user's message
	mentioned   string // who "he" or "she" is: the one name of the sentence before

	draft *extract.Draft
	seen  map[string]bool
	full  bool // no more claims are taken
}

// matcher tries one pattern on one clause.
type matcher struct {
	*scan
	toks    []token
	pattern *pattern
	many    bool // the predicate holds many values

	at       int // the element that is being matched
	who      person
	subjects []item
	objects  []item
	old      []item
	extra    map[string]item
	group    verbGroup
	class    verbClass
	subject  [2]int // tokens of a subject that begins the clause
	end      int    // token after the match
	restAt   int    // token at which the object begins that is the rest of the sentence
	trailing bool   // words follow that the pattern does not read
	narrowed bool   // and may say where, when or what for it is so
	timing   timing // once it was read
}

// match tries the pattern on the clause.
func (s *scan) match(c clause, p *pattern) (*matcher, bool) {
	m := &matcher{scan: s, toks: c.toks, pattern: p, many: s.set.predicates[p.predicate].Cardinality != graph.One}
	if p.dated {
		m.toks = c.raw
	}
	if !p.hasSubject() && !p.addition {
		if !s.firstPerson {
			return nil, false
		}
		m.subjects = []item{s.speakerItem(anybody)}
	}
	if !m.step(0, 0) {
		return nil, false
	}
	return m, m.kindsFit()
}

// step matches the elements from e on at token i on, trying the readings of slots in order.
func (m *matcher) step(e, i int) bool {
	m.at = e
	if e == len(m.pattern.elements) {
		return m.finish(i)
	}
	el := m.pattern.elements[e]
	switch el.kind {
	case literal:
		for ; i < len(m.toks); i++ {
			if contains(el.words, m.toks[i].low) && !m.toks[i].quoted {
				return m.step(e+1, i+1)
			}
			if m.toks[i].adverb == nil {
				return false
			}
		}
		return false
	case verb:
		return m.stepVerb(el, e, i)
	}
	for i < len(m.toks) && m.toks[i].adverb != nil {
		i++
	}
	for _, r := range m.fill(el, i) {
		before := *m
		m.bind(el, i, r)
		if m.step(e+1, r.end) {
			return true
		}
		*m = before
		m.at = e
	}
	return false
}

func (m *matcher) stepVerb(el element, e, i int) bool {
	g, end, ok := verbReader{toks: m.toks, forms: el.forms}.read(i)
	if !ok {
		return false
	}
	if g.either && (el.class == begins || el.class == ends) {
		g.tense, g.person = pastTense, 0
	}
	if !g.agrees(m.who) {
		return false
	}
	if el.class == negated {
		if !g.not || m.overNow() {
			return false
		}
		g.not = false
	}
	m.group, m.class = g, el.class
	return m.step(e+1, end)
}

// overNow reports whether the clause says that something held until now: its negation is no statement of its own.
func (m *matcher) overNow() bool {
	return slices.ContainsFunc(m.toks, func(t token) bool {
		return t.adverb != nil && (t.adverb.kind == nomore || t.adverb.kind == nolonger)
	})
}

// bind notes what a slot holds, and who the next verb's subject is.
func (m *matcher) bind(el element, i int, r reading) {
	switch el.name {
	case "subject":
		m.subjects = r.items
		if m.at == 0 && !el.owner {
			m.subject = [2]int{i, r.end}
		}
	case "object":
		m.objects, m.restAt = r.items, r.from
	case "old":
		m.old = r.items
	case "_":
	default:
		m.extra = map[string]item{el.name: r.items[0]} // a pattern has at most one
	}
	m.who = r.items[0].who
	if el.owner {
		m.who = anybody
	}
	if len(r.items) > 1 || m.at > 0 && contains(m.pattern.elements[m.at-1].words, "and") {
		m.who = several
	}
}

// finish reports whether the clause may end or go on as it does at token i.
func (m *matcher) finish(i int) bool {
	for _, t := range m.toks[:i] {
		if t.quoted && !m.pattern.rest {
			return false
		}
	}
	at := i
	for at < len(m.toks) && m.toks[at].adverb != nil {
		at++
	}
	m.end = i
	if at == len(m.toks) {
		return true
	}
	low := m.low(at)
	switch {
	case low == ",":
		return m.low(at+1) != "or"
	case low == "and" || low == "but" || low == "&":
		return true
	case m.pattern.addition:
		return false
	case clauseTail[low]:
		m.trailing = true
		return true
	case phraseTail[low]:
		m.trailing, m.narrowed = true, true
		return (m.pattern.question || !m.bounded()) && !(dating[low] && m.figures(at+1))
	}
	return false
}

// dating are prepositions after which a figure most likely is of a date; here of one that could not be read.
var dating = set("in", "on", "at", "from", "around")

// figures reports whether token i has a digit.
func (m *matcher) figures(i int) bool { return strings.ContainsFunc(m.low(i), unicode.IsDigit) }

var (
	// clauseTail are words that begin what may be left unread after a statement without making it untrue.
	clauseTail = set("because", "so", "though", "although", "while", "whereas", "plus", "then", "instead", "rather")
	// phraseTail are those after a name or a value of known form; a plain phrase would have taken them in.
	phraseTail = set("with", "in", "at", "for", "from", "near", "by", "via", "alongside", "as", "using", "on", "under", "through", "inside", "over", "within", "across", "who")
)

// bounded reports whether the last slot is one that reads up to the end of its phrase.
func (m *matcher) bounded() bool {
	last := m.pattern.elements[len(m.pattern.elements)-1]
	return last.kind == slot && (last.typ == "text" || last.typ == "action" || last.typ == "topic")
}

// kindsFit reports whether what is known of the subjects' kinds is what the predicate asks for.
func (m *matcher) kindsFit() bool {
	kinds := m.set.predicates[m.pattern.predicate].SubjectKinds
	if len(kinds) == 0 {
		return true
	}
	for _, s := range m.subjects {
		if s.kind != "" && !contains(kinds, s.kind) {
			return false
		}
	}
	return true
}

func (m *matcher) low(i int) string {
	if i < 0 || i >= len(m.toks) {
		return ""
	}
	return m.toks[i].low
}

// verbAt reports whether a verb stands at token i with more to follow: one of a pattern, an auxiliary, or what by its ending
// and the word after it can only be one.
func (m *matcher) verbAt(i int) bool {
	for i < len(m.toks) && m.toks[i].adverb != nil {
		i++
	}
	if i+1 >= len(m.toks) || !m.toks[i].word || m.toks[i].quoted {
		return false
	}
	low := m.toks[i].low
	if auxiliary[low] || m.set.verbs[low]&(base|third|simplePast) != 0 && !m.toks[i].upper {
		return true
	}
	inflected := strings.HasSuffix(low, "ed") || strings.HasSuffix(low, "s") && !m.toks[i].upper
	return inflected && (articles[m.low(i+1)] || lexicon["pronoun"].phrases[m.low(i+1)])
}
