package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/graph"
)

const maxNameWords = 6

// nameRun returns the tokens of the name at token i, without an article; an empty run if there is none. A name begins with
// a capital and goes on over capitals, numbers and the small words within names.
func (m *matcher) nameRun(i int) (from, to int) {
	if low := m.low(i); low == "the" {
		i++
	}
	from, to = i, i
	if !m.capital(i) || digitAt(m.low(i)) && !m.letters(i) {
		return i, i
	}
	for to++; to-from < maxNameWords; to++ {
		if m.capital(to) {
			continue
		}
		next := to + 1
		switch m.low(to) {
		case "for": // "Institute for Advanced Study"
			if is("institution", m.toks[to-1:to]) && m.capital(next) {
				to = next
				continue
			}
		case "of", "de", "la", "le", "du", "di", "da", "van", "von", "der", "den", "ter", "&", "'s":
			if m.low(next) == "the" || m.low(next) == "la" || m.low(next) == "der" {
				next++
			}
			if m.capital(next) && m.letters(next) {
				to = next
				continue
			}
		}
		break
	}
	if m.low(from) == "project" && to == from+1 || is("job", m.toks[from:from+1]) && m.low(from+1) == "of" { // "the CEO of Acme" is no name
		return i, i
	}
	return from, min(to, from+maxNameWords)
}

// capital reports whether token i can be part of a name.
func (m *matcher) capital(i int) bool {
	if i < 0 || i >= len(m.toks) {
		return false
	}
	t := m.toks[i]
	return t.word && t.upper && t.adverb == nil && !t.quoted && !strings.Contains(t.low, "/") && !lexicon["nameless"].phrases[t.low] && !(t.first && opening(t.low))
}

// opening reports whether a word that begins a sentence is most likely no name, for all its capital.
func opening(low string) bool {
	return lexicon["opening"].phrases[low] || strings.HasSuffix(low, "ly") && !given(low)
}

// letters reports whether token i has a letter.
func (m *matcher) letters(i int) bool {
	return i < len(m.toks) && strings.ContainsFunc(m.toks[i].low, unicode.IsLetter)
}

// words is the text of the tokens, white space as single spaces.
func (m *matcher) words(from, to int) string {
	return strings.Join(strings.Fields(m.text[m.toks[from].start:m.toks[to-1].end]), " ")
}

// extend takes the small noun after a name along, as in "Security add-on" and "Berlin office", but of "Pro plan" only the
// name, and says what kind of thing it is.
func (m *matcher) extend(from, to int) (name, kind string, end int) {
	name, kind = m.words(from, to), m.kindOf(from, to)
	switch {
	case to < len(m.toks) && m.toks[to].adverb != nil:
	case is("plan_word", m.toks[to:min(to+1, len(m.toks))]):
		return name, "plan", to + 1
	case to < len(m.toks) && is("feature_word", m.toks[to:to+1]):
		return m.words(from, to+1), "feature", to + 1
	case to < len(m.toks) && is("project_word", m.toks[to:to+1]):
		return m.words(from, to+1), "project", to + 1
	case to < len(m.toks) && is("unit_word", m.toks[to:to+1]):
		return m.words(from, to+1), "", to + 1
	}
	return name, kind, to
}

// kindOf says what the words of a name tell about its kind.
func (m *matcher) kindOf(from, to int) string {
	toks := m.toks[from:to]
	switch {
	case given(toks[0].low) && len(toks) <= 4:
		return "person"
	case is("product", toks):
		return "product"
	case is("city", toks):
		return "place"
	case m.planRun(from, to):
		return "plan"
	case toks[0].low == "project":
		return "project"
	}
	return ""
}

// planRun reports whether the name is one of a plan: it ends in a word for plans, and no product is in it.
func (m *matcher) planRun(from, to int) bool {
	last := m.toks[to-1 : to]
	return is("plan", last) && (to-from == 1 || !is("unit_word", last)) && !m.planProduct(from, to)
}

// acronym reports whether the token is all capitals: a feature or a standard, as a rule.
func (m *matcher) acronym(i int) bool {
	text := m.text[m.toks[i].start:m.toks[i].end]
	return utf8.RuneCountInString(text) > 1 && strings.ToUpper(text) == text && m.letters(i)
}

// readName reads a name of a type. The type sets what the name must not be, and the kind of what it names.
func readName(m *matcher, i int, typ string) []reading {
	if typ == "unit" || typ == "team" {
		if r, ok := m.commonUnit(i, typ); ok {
			return []reading{r}
		}
	}
	if typ == "place" || typ == "product" {
		if r, ok := m.knownName(i, typ); ok {
			return []reading{r}
		}
	}
	from, to := m.nameRun(i)
	if to == from {
		return nil
	}
	name, kind, end := m.extend(from, to)
	fits, kind := m.fits(typ, kind, from, end)
	if !fits {
		return nil
	}
	return []reading{{items: []item{{name: name, kind: kind, who: one}}, end: end}}
}

// fits reports whether a name of that kind can be of the slot's type, and the kind it then has.
func (m *matcher) fits(typ, kind string, from, end int) (bool, string) {
	last := m.toks[end-1 : end]
	switch typ {
	case "person":
		return (kind == "" || kind == "person") && !is("unit_word", last), "person"
	case "organisation":
		return kind != "place" && kind != "plan" && kind != "person" && kind != "feature", "organisation"
	case "employer":
		return kind == "" && !is("unit_word", last), "organisation"
	case "place":
		return (kind == "" || kind == "place" || kind == "person") && !is("unit_word", last), "place"
	case "product":
		return kind == "product", "product"
	case "feature":
		return kind == "feature" || kind == "plan" || kind == "product" || m.acronym(from), kind
	case "project":
		return kind != "person" && kind != "place", kind
	case "team":
		return end-from > 1 && is("team_word", last), kind
	}
	return true, kind
}

// knownName reads a place or product of the lexicon, in lower case too.
func (m *matcher) knownName(i int, typ string) (reading, bool) {
	kind := typ
	if typ == "place" {
		kind = "city"
	}
	if m.low(i) == "the" {
		if end := phrase(kind, m.toks, i); end > i { // "the Hague"
			return m.kindReading(i, end, typ), true
		}
		i++
	}
	end := phrase(kind, m.toks, i)
	if end == i || m.toks[i].quoted || m.capital(end) || !m.toks[i].upper && len(m.toks[i].low) < 5 {
		return reading{}, false
	}
	return m.kindReading(i, end, typ), true
}

func (m *matcher) kindReading(from, end int, kind string) reading {
	return reading{items: []item{{name: m.words(from, end), kind: kind, who: one}}, from: from, end: end}
}

// commonUnit reads "the platform team".
func (m *matcher) commonUnit(i int, typ string) (reading, bool) {
	switch m.low(i) {
	case "the", "a", "an":
		i++
	}
	for n := range 4 {
		if i+n >= len(m.toks) || !m.plainWord(i+n) {
			return reading{}, false
		}
		if n > 0 && is(typ+"_word", m.toks[i+n:i+n+1]) {
			return m.kindReading(i, i+n+1, ""), true
		}
	}
	return reading{}, false
}

// plainWord reports whether token i is a word that can be part of a plain noun phrase.
func (m *matcher) plainWord(i int) bool {
	t := m.toks[i]
	return t.word && t.adverb == nil && !t.quoted && !lexicon["pronoun"].phrases[t.low] && !preposition[t.low] && t.low != "and" && t.low != "'s"
}

// readCity reads a place that is known to be one.
func readCity(m *matcher, i int) []reading {
	if r, ok := m.knownName(i, "place"); ok {
		return []reading{r}
	}
	return nil
}

// readPlan reads a plan: a name with a word for plans in it, or any name before "plan".
func readPlan(m *matcher, i int, said bool) []reading {
	switch m.low(i) {
	case "the", "a", "an", "our":
		i++
	}
	from, to := m.nameRun(i)
	if to == from {
		to = phrase("plan", m.toks, i)
		if to == i || !is("plan_word", m.toks[to:min(to+1, len(m.toks))]) && !(is("plain_plan", m.toks[i:to]) && !said) {
			return nil
		}
		from = i
	}
	end := to
	word := end < len(m.toks) && is("plan_word", m.toks[end:end+1])
	if word {
		end++
	}
	last := m.toks[to-1 : to]
	if !word && to-from > 1 && is("plan_word", last) { // "Pro Plan"
		word, to = true, to-1
	}
	if said && !word || !word && !m.planRun(from, to) || m.planProduct(from, to) {
		return nil
	}
	r := m.kindReading(from, to, "plan")
	r.end = end
	return []reading{r}
}

// planProduct reports whether the name is a product's, of which a plan is no part ("Windows Pro").
func (m *matcher) planProduct(from, to int) bool {
	for i := from; i < to; i++ {
		if phrase("product", m.toks[:to], i) > i {
			return true
		}
	}
	return false
}

// readKnown reads a phrase of the lexicon.
func readKnown(m *matcher, i int, kind string) []reading {
	end := phrase(kind, m.toks, i)
	if end == i || m.toks[i].quoted {
		return nil
	}
	if kind == "language" {
		return []reading{m.kindReading(i, end, "language")}
	}
	return []reading{m.kindReading(i, end, graph.KindValue)}
}
