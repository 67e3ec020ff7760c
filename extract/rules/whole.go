package rules

import (
	"unicode"
	"unicode/utf8"

	"tenure/graph"
)

// maxStatement bounds, in bytes, what "remember that" may be followed by: a statement of the HTTP contract.
const maxStatement = 16 << 10

// maxAsking is how many tokens it takes, at most, to ask that something be remembered.
const maxAsking = 8

// question reads what its speaker asks about, and nothing else.
func (s *scan) question(c clause) {
	if !s.firstPerson {
		return
	}
	for _, p := range s.set.questions.candidates(c.toks) {
		m, ok := s.match(c, p)
		if !ok {
			continue
		}
		m.subjects = []item{s.speakerItem(me)}
		s.emit(m, timing{kind: graph.Assert}, s.text[m.toks[0].start:m.toks[m.end-1].end], "")
		return
	}
}

// remember keeps what follows "remember that": the facts of it if every part of it can be read, else, or besides, the
// statement as it is. It reports whether the sentence asks for that.
func (s *scan) remember(c clause) bool {
	if !s.firstPerson {
		return false
	}
	for _, p := range s.set.whole.candidates(c.toks[:min(len(c.toks), maxAsking)]) {
		kept := p.takes("statement")
		if !kept && !p.takes("fact") {
			continue
		}
		m, ok := s.match(c, p)
		if !ok {
			continue
		}
		rest := m.toks[m.restAt:]
		read := prose(rest) && s.statement(newClause(rest))
		if !kept || read {
			return kept || read
		}
		s.note(m, s.text[rest[0].start:rest[len(rest)-1].end])
		return true
	}
	return false
}

// takes reports whether the pattern's object is of that type.
func (p *pattern) takes(typ string) bool { return p.elements[len(p.elements)-1].typ == typ }

func (s *scan) note(m *matcher, text string) {
	if len(text) > maxStatement {
		s.drop(m, "it is longer than a statement can be")
		return
	}
	t := timing{kind: graph.Assert, holdsAt: s.episode.Occurred}
	s.emit(m, t, text, "")
}

// rule reads "On Pro, SSO needs the Security add-on": what follows is kept whole, with its conditions.
func (s *scan) rule(c clause) bool {
	for _, p := range s.set.whole.candidates(c.toks) {
		if !p.takes("rule") {
			continue
		}
		m, ok := s.match(c, p)
		if !ok || !s.ruling(m.toks[m.restAt:]) {
			continue
		}
		t := timing{kind: graph.Assert}
		if s.episode.Kind == graph.Message {
			t.holdsAt = s.episode.Occurred
		}
		quote := s.text[m.toks[0].start:m.toks[len(m.toks)-1].end]
		s.emit(m, t, quote, sentence(quote))
		return true
	}
	return false
}

// ruling reports whether the tokens state, without doubt and in the present, something about nobody in particular.
func (s *scan) ruling(toks []token) bool {
	finite := false
	for i, t := range toks {
		if unruly[t.low] || t.quoted {
			return false
		}
		if t.low == "may" && t.upper {
			continue // the month
		}
		finite = finite || i > 0 && (auxiliary[t.low] || ruleVerbs[t.low] || s.set.verbs[t.low]&third != 0)
	}
	return finite
}

var (
	unruly = set("i", "we", "my", "our", "me", "us", "he", "she", "his", "her", "was", "were", "had", "did", "been", "maybe", "perhaps", "probably", "possibly",
		"said", "says", "told", "heard", "think", "thought", "guess", "believe", "would", "could", "might", "yesterday", "now", "today", "tomorrow", "ago")
	ruleVerbs = set("gets", "get", "allows", "allow", "limits", "applies", "apply", "expires", "expire", "lasts", "last", "takes", "take", "costs", "cost",
		"starts", "ends", "includes", "include", "excludes", "supports", "support", "requires", "require", "covers", "renews", "stays", "becomes")
)

// remembered updates who "he" or "she" will be in the next sentence: the one name of this one, if it can be a person's.
func (s *scan) remembered(c clause) {
	m := &matcher{scan: s, toks: c.raw}
	names, name := 0, ""
	for i := 0; i < len(m.toks); {
		from, to := m.nameRun(i)
		if to == from {
			i++
			continue
		}
		names++
		kind := m.kindOf(from, to)
		if kind == "person" || kind == "" && from == 0 && m.finiteAt(to) {
			name = m.words(from, to)
		}
		i = to
	}
	switch {
	case names > 1:
		s.mentioned = ""
	case names == 1:
		s.mentioned = name
	}
}

// statement reads a sentence that states something; it reports whether all of it was read.
func (s *scan) statement(c clause) bool {
	if len(c.toks) == 0 || s.conditional(c) {
		return false
	}
	whole, doubtful := true, false
	clauses := s.clauses(c)
	for i, part := range clauses {
		read := none
		if !doubtful {
			read = s.readClause(part, 0)
		}
		whole = whole && read == all
		doubtful = i == 0 && read == none && len(part.toks) > 0 && (preposition[part.toks[0].low] || closers[part.toks[0].low]) // "In the film, …"
	}
	return whole && len(clauses) > 0
}

// conditional reports whether a word of the sentence makes it no plain statement: a condition, hearsay, an example.
func (s *scan) conditional(c clause) bool {
	for i := range c.raw {
		if phrase("conditional", c.raw, i) > i {
			return true
		}
	}
	return false
}

// unsure reports whether a word of the clause leaves open whether it is so.
func (s *scan) unsure(c clause) bool {
	for i, t := range c.toks {
		if t.adverb != nil || t.low == "may" && t.upper && i > 0 {
			continue
		}
		if phrase("unsure", c.toks, i) > i {
			return true
		}
	}
	return false
}

// opened takes from a sentence's begin what says nothing: greetings, "by the way", "Note:".
func opened(toks []token) []token {
	for range maxPhrase {
		for len(toks) > 0 && !toks[0].word && !toks[0].quoted && toks[0].low != "(" {
			toks = toks[1:]
		}
		end := phrase("opener", toks, 0)
		if end == 0 || toks[0].quoted {
			break
		}
		switch {
		case end == len(toks) || !toks[end].word: // "Hi, …", "Note: …"
		case end+1 < len(toks) && toks[end].upper && toks[end+1].low == ",": // "Hi Bob, …"
			end++
		case speaks[toks[end].low] || phrase("opener", toks, end) > end:
		default:
			return begin(toks)
		}
		toks = toks[end:]
	}
	return begin(toks)
}

// speaks are words that begin a statement without a comma before them.
var speaks = set("i", "we", "my", "our", "he", "she", "it", "they", "there", "the", "please", "remember", "always", "never", "from", "since")

// begin marks the first token as one whose capital says nothing.
func begin(toks []token) []token {
	if len(toks) > 0 {
		toks[0].first = true
	}
	return toks
}

func firstRune(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	return unicode.ToUpper(r), size
}

// newClause makes a clause of unfolded tokens.
func newClause(raw []token) clause { return clause{toks: fold(raw), raw: raw} }
