package rules

import "slices"

// clause is a stretch of a sentence with one statement: as tokens with adverbials folded, and as they are.
type clause struct {
	toks, raw []token
	lead      []token // adverbials that stood before it
}

// maxDepth bounds how many verbs may share one subject.
const maxDepth = 6

// clauses cuts a sentence where another statement begins.
func (s *scan) clauses(sentence clause) []clause {
	m := &matcher{scan: s, toks: sentence.toks}
	var out []clause
	from := 0
	cut := func(to, next int) {
		if to > from {
			sentence.toks[from].first = true
			out = append(out, sentence.part(from, to))
		}
		from = next
	}
	depth := 0
	for i, t := range sentence.toks {
		if t.word {
			continue
		}
		switch t.low {
		case "(", "[":
			if depth == 0 {
				cut(i, i)
			}
			depth++
		case ")", "]":
			if depth--; depth <= 0 {
				from, depth = i+1, 0 // what is in brackets is left out
			}
		}
		if depth > 0 {
			continue
		}
		switch t.low {
		case ";", "—", "–", "…", ":":
			cut(i, i+1)
		case "-":
			if t.spaced {
				cut(i, i+1)
			}
		}
	}
	if depth == 0 {
		cut(len(sentence.toks), len(sentence.toks))
	}
	var fine []clause
	for _, c := range out {
		m.toks = c.toks
		fine = append(fine, m.statements(c)...)
	}
	return fine
}

// statements cuts at commas and conjunctions after which a subject and its verb follow.
func (m *matcher) statements(c clause) []clause {
	var out []clause
	from := 0
	for i := 1; i < len(c.toks); i++ {
		next := i + 1
		switch m.low(i) {
		case ",":
			for linking[m.low(next)] {
				next++
			}
		case "and", "but", "so", "plus", "while", "whereas", "because", "although", "though":
			for linking[m.low(next)] {
				next++
			}
		default:
			continue
		}
		if !adverbsOnly(c.toks[from:i]) && !m.namesOnly(from, i) && m.startsStatement(next) {
			out = append(out, c.part(from, i))
			from, i = next, next
		}
	}
	out = append(out, c.part(from, len(c.toks)))
	out[0].lead = append(slices.Clip(c.lead), out[0].lead...)
	return out
}

// adverbsOnly reports whether the tokens say no more than when: they belong to what follows them.
func adverbsOnly(toks []token) bool {
	return !slices.ContainsFunc(toks, func(t token) bool { return t.adverb == nil && t.low != "," })
}

// namesOnly reports whether the tokens are a list of names, the beginning of a subject such as "Ann and Bob".
func (m *matcher) namesOnly(from, to int) bool {
	if m.low(to) == "," {
		return false
	}
	for i := from; i < to; i++ {
		if low := m.low(i); !m.capital(i) && low != "i" && low != "," && low != "and" {
			return false
		}
	}
	return true
}

var linking = set("and", "but", "so", "then", "plus", "yet", "because", "while", "although", "though")

// startsStatement reports whether a subject with its verb begins at token i.
func (m *matcher) startsStatement(i int) bool {
	i = m.pastAdverbs(i)
	switch m.low(i) {
	case "i", "we", "you", "he", "she", "they", "it", "there":
		return m.low(i+1) != "" && m.low(i+1) != "," && m.low(i+1) != "and"
	case "my", "our", "your", "his", "her", "its", "their", "the", "this", "that", "these", "those", "a", "an":
		if from, to := m.nameRun(i); to > from && m.finiteAt(to) {
			return true
		}
		return m.finiteWithin(i + 1)
	}
	_, to := m.nameRun(i)
	if to == i {
		return false
	}
	return m.finiteAt(to) || m.low(to) == "'s" && m.finiteWithin(to+1)
}

func (m *matcher) pastAdverbs(i int) int {
	for i < len(m.toks) && m.toks[i].adverb != nil {
		i++
	}
	return i
}

// finiteAt reports whether a verb that can be a sentence's stands at token i.
func (m *matcher) finiteAt(i int) bool {
	i = m.pastAdverbs(i)
	if i >= len(m.toks) || !m.toks[i].word {
		return false
	}
	return auxiliary[m.toks[i].low] || !m.toks[i].upper && m.set.verbs[m.toks[i].low]&(third|simplePast) != 0
}

// finiteWithin reports whether an auxiliary follows within a few words.
func (m *matcher) finiteWithin(i int) bool {
	for n := 0; n < 6 && i+n < len(m.toks) && m.toks[i+n].word && m.low(i+n) != "and"; n++ {
		if n > 0 && auxiliary[m.low(i+n)] {
			return true
		}
	}
	return false
}

// part is the clause of tokens from to to, without adverbials and commas at its begin (lead keeps those) and commas at
// its end.
func (c clause) part(from, to int) clause {
	p := clause{}
	for from < to {
		t := c.toks[from]
		aside := from+1 < to && c.toks[from+1].low == "," // "also, …"
		if t.adverb != nil && (!t.adverb.idle() || aside || len(p.lead) > 0) {
			p.lead = append(p.lead, t)
		} else if t.low != "," || len(p.lead) == 0 {
			break
		}
		from++
	}
	for to > from && c.toks[to-1].low == "," {
		to--
	}
	p.toks = c.toks[from:to]
	if from < to {
		p.raw = spanned(c.raw, p.toks[0].start, p.toks[len(p.toks)-1].end)
	}
	return p
}

func spanned(raw []token, from, to int) []token {
	var out []token
	for _, t := range raw {
		if t.start >= from && t.end <= to {
			out = append(out, t)
		}
	}
	return out
}

// extent says how much of a clause was read.
type extent int

const (
	none extent = iota
	some
	all
)

// readClause reads a statement, what is added to it, and what else its subject does.
func (s *scan) readClause(c clause, depth int) extent {
	if len(c.toks) == 0 || depth > maxDepth || s.unsure(c) {
		return none
	}
	c = s.introduced(c)
	found := s.best(c)
	if len(found) == 0 {
		return none
	}
	end := 0
	for _, m := range found {
		end = max(end, m.endIn(c))
	}
	stop := s.segment(c, end)
	var main *matcher
	for _, m := range found {
		if s.claim(m, c, stop) && main == nil {
			main = m
		}
	}
	if main == nil {
		return none
	}
	return s.carryOn(main, c, end, depth)
}

// best matches every predicate's first pattern that fits. A negated statement that a predicate reads as its own ("I don't
// like tea" is a dislike) is no denial in its opposite.
func (s *scan) best(c clause) []*matcher {
	var found []*matcher
	for _, p := range s.set.plain.candidates(c.toks) {
		if slices.ContainsFunc(found, func(m *matcher) bool { return m.pattern.predicate == p.predicate }) {
			continue
		}
		if m, ok := s.match(c, p); ok {
			found = append(found, m)
		}
	}
	return slices.DeleteFunc(found, func(m *matcher) bool {
		return m.group.not && slices.ContainsFunc(found, func(other *matcher) bool { return other.class == negated })
	})
}

// endIn is the token of the clause after the match, which may have read the clause unfolded.
func (m *matcher) endIn(c clause) int {
	if !m.pattern.dated {
		return m.end
	}
	last := m.toks[m.end-1].end
	for i, t := range c.toks {
		if t.start >= last {
			return i
		}
	}
	return len(c.toks)
}

// segment returns the token at which the statement's own adverbials end: the comma or conjunction after its match, unless
// only adverbials follow the comma.
func (s *scan) segment(c clause, end int) int {
	for i := end; i < len(c.toks); i++ {
		switch c.toks[i].low {
		case ",":
			next := i + 1
			for next < len(c.toks) && c.toks[next].adverb != nil {
				next++
			}
			if next == i+1 || next < len(c.toks) && c.toks[next].low != "," {
				return i
			}
		case "and", "but", "so", "plus":
			return i
		}
	}
	return len(c.toks)
}

// introduced takes the name out of "I'm Dana, the IT admin at Globex", so that what she is follows the verb.
func (s *scan) introduced(c clause) clause {
	m := &matcher{scan: s, toks: c.toks}
	if len(c.toks) < 5 || m.low(0) != "i" || m.low(1) != "am" {
		return c
	}
	_, to := m.nameRun(2)
	if to == 2 || m.low(to) != "," || to+1 >= len(c.toks) || m.startsStatement(to+1) {
		return c
	}
	rest := clause{toks: c.toks[to+1:]}
	rest.raw = spanned(c.raw, rest.toks[0].start, c.toks[len(c.toks)-1].end)
	return join(c.toks[:2], spanned(c.raw, c.toks[0].start, c.toks[1].end), rest, c.lead)
}

// join puts a subject, with a verb perhaps, before the rest of a clause.
func join(toks, raw []token, rest clause, lead []token) clause {
	return clause{toks: slices.Concat(toks, rest.toks), raw: slices.Concat(raw, rest.raw), lead: lead}
}

// carryOn reads what follows a statement within its clause, up to a relative clause, which is about something else.
func (s *scan) carryOn(main *matcher, c clause, end, depth int) extent {
	read := all
	for i := end; i < len(c.toks); {
		if c.toks[i].adverb != nil {
			i++
			continue
		}
		at := i
		for at < len(c.toks) && (c.toks[at].low == "," || linking[c.toks[at].low]) {
			at++
		}
		if next, ok := s.addition(main, c, addition{begin: at, linked: at > i}); ok {
			i = next
			continue
		}
		if at > i && main.subject[1] > 0 && at < len(c.toks) {
			rest := c.part(at, len(c.toks))
			subject := c.toks[main.subject[0]:main.subject[1]]
			if len(rest.toks) > 0 {
				if more := s.readClause(join(subject, subject, rest, rest.lead), depth+1); more != none {
					return min(read, more)
				}
			}
		}
		for i = at; i < len(c.toks) && c.toks[i].low != "," && !linking[c.toks[i].low]; i++ {
			read = some
			if relative[c.toks[i].low] {
				return read
			}
		}
	}
	return read
}

var relative = set("which", "who", "whose", "whom", "where", "that", "when", "because")

// addition is where something was added to a statement, and how.
type addition struct {
	begin  int  // token at which it begins
	stop   int  // token at which its own adverbials end
	linked bool // after a comma or conjunction
	denied bool // "no …"
	more   bool // "no more …"
}

// addition reads "with 30 seats", "120 seats now" or "no coffee any more" after a statement, and returns the token after it.
func (s *scan) addition(main *matcher, c clause, a addition) (int, bool) {
	m := &matcher{scan: s, toks: c.toks}
	a.stop = s.segment(c, a.begin)
	a.begin = m.pastAdverbs(a.begin)
	at := a.begin
	if a.denied = m.low(at) == "no"; a.denied {
		at++
		if a.more = m.low(at) == "more"; a.more {
			at++
		}
	}
	if at >= len(c.toks) {
		return 0, false
	}
	rest := clause{toks: c.toks[at:], raw: c.toks[at:]}
	for _, p := range s.set.additions.candidates(rest.toks) {
		found, ok := s.match(rest, p)
		bare := len(p.elements) == 1 // nothing but a value tells what it is of
		if !ok || bare && p.predicate != main.pattern.predicate {
			continue
		}
		found.subjects, found.toks, found.end = main.subjects, c.toks, found.end+at
		if found.kindsFit() && s.claimAddition(main, found, c, a) {
			return found.end, true
		}
	}
	return 0, false
}
