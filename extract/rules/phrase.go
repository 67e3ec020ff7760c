package rules

import (
	"strconv"
	"strings"
	"unicode"

	"tenure/graph"
	"tenure/temporal"
)

var (
	// preposition are the words that begin a phrase of place, manner or purpose.
	preposition = set("in", "on", "at", "with", "for", "from", "of", "by", "to", "near", "under", "over", "about", "via", "through", "into", "inside", "around",
		"alongside", "without", "as", "like", "between", "after", "before", "during", "per", "using", "within", "since", "until", "across")
	// closers end a noun phrase: what follows them is another clause, or says more of this one.
	closers = set("because", "since", "so", "when", "whenever", "while", "which", "who", "that", "but", "if", "as", "than", "where", "until", "after", "before",
		"though", "although", "whereas", "unless", "and", "or", "nor", "plus", "over", "instead", "rather", "except", "then", "yet")
	articles = set("a", "an", "the")
)

const (
	maxTextWords   = 8
	maxActionWords = 14
)

// value makes a literal of tokens.
func (m *matcher) value(from, to int) item {
	return item{name: m.words(from, to), kind: graph.KindValue, who: one}
}

func (m *matcher) values(from, to int) []reading {
	return []reading{{items: []item{m.value(from, to)}, from: from, end: to}}
}

// readText reads a plain noun phrase: everything up to a comma, an adverbial or a word that ends it. It must make sense by
// itself: a phrase with "you" or "that one" in it is none.
func readText(m *matcher, i int) []reading {
	if articles[m.low(i)] {
		if i++; m.low(i-1) == "the" && !m.capital(i) {
			return nil // "the smell": of something only the talk knows
		}
	}
	end := m.phraseEnd(i, maxTextWords)
	if end == i || preposition[m.low(i)] || !m.letters(i) && !m.letters(end-1) {
		return nil
	}
	for _, t := range m.toks[i:end] {
		if lexicon["pronoun"].phrases[t.low] {
			return nil
		}
	}
	if m.low(i+1) == "of" && (m.low(i) == "lot" || m.low(i) == "kind" || m.low(i) == "sort" || m.low(i) == "bit") {
		return nil
	}
	return m.values(i, end)
}

// phraseEnd returns where the phrase at token i ends; i if it is longer than that many words.
func (m *matcher) phraseEnd(i, most int) int {
	end := i
	for ; end < len(m.toks); end++ {
		t := m.toks[end]
		if !t.word || t.adverb != nil || t.quoted || closers[t.low] || m.follows(end) {
			break
		}
		if end-i >= most {
			return i
		}
	}
	return end
}

// follows reports whether the pattern's next element is the word at token i.
func (m *matcher) follows(i int) bool {
	next := m.at + 1
	if next >= len(m.pattern.elements) {
		return false
	}
	e := m.pattern.elements[next]
	return e.kind == literal && contains(e.words, m.low(i))
}

// readAction reads what somebody is to do: a verb and what belongs to it.
func readAction(m *matcher, i int) []reading {
	end := i
	for ; end < len(m.toks); end++ {
		t := m.toks[end]
		if !t.word || t.quoted || closers[t.low] && t.low != "and" || t.low == "and" && m.verbAt(end+1) {
			break
		}
		if end-i >= maxActionWords {
			return nil
		}
		switch t.low {
		case "you", "your", "it", "this", "that", "them", "they", "he", "she", "him", "her", "his", "not", "my", "our", "me", "us", "ago", "yesterday", "last":
			return nil
		}
		if _, ok := year(t.low); ok {
			return nil // when it was decided, rather
		}
	}
	if end-i < 2 || preposition[m.low(i)] || articles[m.low(i)] || !m.letters(i) {
		return nil
	}
	return m.values(i, end)
}

// readTopic reads what a question is about: something with a name in it, since other nouns are asked about in passing.
func readTopic(m *matcher, i int) []reading {
	if articles[m.low(i)] {
		i++
	}
	end, named := i, false
	for ; end < len(m.toks); end++ {
		t := m.toks[end]
		named = named || m.capital(end)
		if !t.word || t.adverb != nil || closers[t.low] || m.follows(end) || preposition[t.low] && t.low != "of" {
			break
		}
		if lexicon["pronoun"].phrases[t.low] || end-i >= 6 {
			return nil
		}
	}
	if end == i || preposition[m.low(i)] || !named {
		return nil
	}
	return m.values(i, end)
}

// readAddress reads the rest of a clause that has a house number or a code in it, over commas.
func readAddress(m *matcher, i int) []reading {
	end, digits := i, false
	for ; end < len(m.toks) && end-i < 16; end++ {
		t := m.toks[end]
		if !t.word && t.low != "," || t.quoted || closers[t.low] {
			break
		}
		digits = digits || strings.ContainsFunc(t.low, unicode.IsDigit)
	}
	for end > i && !m.toks[end-1].word {
		end--
	}
	if !digits || end-i < 2 {
		return nil
	}
	return m.values(i, end)
}

// readRest reads all that is left of the sentence.
func readRest(m *matcher, i int) []reading {
	if len(m.toks)-i < 2 {
		return nil
	}
	return m.values(i, len(m.toks))
}

// readLiteral reads a value that shows by its form what it is.
func readLiteral(m *matcher, i int, typ string) []reading {
	t := m.toks[i]
	if !t.word || t.quoted {
		return nil
	}
	end := i + 1
	ok := false
	switch typ {
	case "number":
		if n := numbers[t.low]; n > 0 {
			return []reading{{items: []item{{name: strconv.Itoa(n), kind: graph.KindValue, who: several}}, end: end}}
		}
		ok = amount(t.low)
	case "money":
		end, ok = m.money(i)
	case "email":
		user, host, found := strings.Cut(t.low, "@")
		ok = found && user != "" && strings.Contains(host, ".") && !strings.Contains(host, "@")
	case "phone":
		end, ok = m.phone(i)
	case "url":
		host, _, _ := strings.Cut(t.low, "/")
		ok = strings.Contains(t.low, "://") || strings.Contains(host, ".") && !strings.Contains(host, "@") && !strings.HasSuffix(host, ".")
	case "zone":
		ok = is("time_zone", m.toks[i:end]) || strings.Contains(t.low, "/") && m.letters(i) || strings.HasPrefix(t.low, "utc+") || strings.HasPrefix(t.low, "utc-") ||
			strings.HasPrefix(t.low, "gmt+") || strings.HasPrefix(t.low, "gmt-")
	case "word":
		ok = m.plainWord(i) && !articles[t.low] && m.letters(i)
	}
	if !ok {
		return nil
	}
	return m.values(i, end)
}

// amount reports whether the word is a plain number, with separators perhaps.
func amount(low string) bool {
	for _, c := range low {
		if (c < '0' || c > '9') && c != ',' && c != '.' {
			return false
		}
	}
	return digitAt(low)
}

// money reads "$20", "20 euros", "$20 per seat per month".
func (m *matcher) money(i int) (int, bool) {
	low := m.low(i)
	sign := strings.IndexFunc(low, currency)
	end := i + 1
	switch {
	case sign >= 0:
	case strings.ContainsFunc(m.low(end), currency):
		end++
	case digitAt(low) && lexicon["currency_word"].phrases[m.low(end)]:
		end++
	default:
		return i, false
	}
	for m.low(end) == "per" || m.low(end) == "a" || m.low(end) == "/" {
		if end+1 >= len(m.toks) || !m.letters(end+1) {
			break
		}
		end += 2
	}
	return end, true
}

// phone reads figures that are, together, a telephone number.
func (m *matcher) phone(i int) (int, bool) {
	digits, end := 0, i
	for ; end < len(m.toks); end++ {
		low := m.low(end)
		if m.letters(end) || m.toks[end].adverb != nil || !m.toks[end].word && low != "(" && low != ")" && low != "-" && low != "/" {
			break
		}
		for _, c := range low {
			if unicode.IsDigit(c) {
				digits++
			}
		}
	}
	for end > i && !m.toks[end-1].word {
		end--
	}
	return end, digits >= 6 && digits <= 15
}

// readDate reads a date that is itself the value. One that recurs every year has no year; any other is read against the
// text's time, the next to come.
func readDate(m *matcher, i int, birthday bool) []reading {
	w, end, ok := dates{m.toks}.read(i)
	if !ok {
		return nil
	}
	if birthday && w.year == 0 && (w.month == 0 || w.day == 0) || birthday && w.unit != "" {
		return nil
	}
	var name string
	switch {
	case birthday && w.year == 0:
		date, ok := at(2024, w.month, w.day, nil) // a leap year: 29 February is a birthday
		if !ok {
			return nil
		}
		name = strings.TrimSuffix(date.Format(nil), " 2024")
	default:
		date, ok := w.resolve(m.episode.Occurred, m.zone, 1)
		if !ok || date.Precision == temporal.Hour {
			return nil
		}
		name = date.Format(m.zone)
	}
	return []reading{{items: []item{{name: name, kind: graph.KindValue, who: one}}, end: end}}
}

// readRole reads a job: words that end in one of the lexicon's, with what it is over and where it is held.
func readRole(m *matcher, i int, chief bool) []reading {
	switch m.low(i) {
	case "a", "an", "the", "our", "their", "its":
		i++
	}
	core := m.roleEnd(i, chief)
	if core == i || m.pattern.elements[m.at].name == "_" && m.low(core-1) == "student" { // who studies does not work there
		return nil
	}
	var ends []int
	if over := m.roleOver(core); over > core {
		if m.low(over) == "at" {
			if _, to := m.nameRun(over + 1); to > over+1 {
				ends = append(ends, to)
			}
		}
		ends = append(ends, over)
	}
	if m.low(core) == "at" {
		if _, to := m.nameRun(core + 1); to > core+1 {
			ends = append(ends, to)
		}
	}
	var out []reading
	for _, end := range append(ends, core) {
		out = append(out, reading{items: []item{m.value(i, end)}, end: end})
	}
	return out
}

// roleEnd returns where the job at token i ends, without what follows it; i if there is none.
func (m *matcher) roleEnd(i int, chief bool) int {
	if chief {
		return phrase("chief", m.toks, i)
	}
	end := i
	for k := i; k < min(i+6, len(m.toks)) && m.plainWord(k); k++ {
		t := m.toks[k : k+1]
		if is("judging", t) || articles[t[0].low] {
			break
		}
		if is("job", t) && (!is("shared_job", t) || m.personal()) {
			end = k + 1
		}
	}
	return end
}

// roleOver reads "of customer success" after a job.
func (m *matcher) roleOver(i int) int {
	if m.low(i) != "of" {
		return i
	}
	end := i + 1
	if m.low(end) == "the" {
		end++
	}
	begin := end
	for end < len(m.toks) && end-begin < 4 && m.plainWord(end) && !closers[m.low(end)] && !articles[m.low(end)] {
		end++
	}
	if end == begin {
		return i
	}
	return end
}

// personal reports whether the subject read so far is known to be a person.
func (m *matcher) personal() bool {
	return len(m.subjects) == 0 || m.subjects[0].kind == "person"
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}
