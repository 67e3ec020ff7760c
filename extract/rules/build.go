package rules

import (
	"strings"

	"tenure/extract"
	"tenure/graph"
)

// maxClaims bounds what one episode may claim.
const maxClaims = 1000

// claim makes claims of a match; it reports whether the statement has a time that could be read.
func (s *scan) claim(m *matcher, c clause, stop int) bool {
	adverbs, from, to := s.adverbs(m, c, stop)
	clock, ok := s.newClock(m.group, m.class, adverbs)
	if !ok || clock.denies() && (m.narrowed || clock.frequent || m.pattern.more()) {
		return false // "not on Mondays", "not every day", "not the head of it": denied is only a part
	}
	t, ok := clock.read()
	if m.pattern.timeless {
		t, ok = s.timeless(m, clock)
	}
	if !ok {
		if t.reason != "" {
			s.drop(m, t.reason)
		}
		return false
	}
	m.timing = t
	s.emit(m, t, s.text[from:to], s.whole(m, c, stop))
	return true
}

// timeless is the time of what is so whenever it is told.
func (s *scan) timeless(m *matcher, c clock) (timing, bool) {
	t := timing{kind: graph.Assert}
	t.unknownBegin()
	if c.messages {
		t.holdsAt = c.said
	}
	g := m.group
	return t, !g.not && !g.never && !g.starts && !g.stops && (g.tense == presentTense || g.tense == pastTense)
}

// adverbs returns the adverbials that belong to a statement, and the bytes that it and they take up.
func (s *scan) adverbs(m *matcher, c clause, stop int) (list []*adverbial, from, to int) {
	from, to = c.toks[0].start, m.toks[m.end-1].end
	if m.pattern.dated {
		return nil, from, to
	}
	for _, t := range c.lead {
		list = append(list, t.adverb)
		if !t.adverb.idle() {
			from = min(from, t.start)
		}
	}
	for _, t := range c.toks[:stop] {
		if t.adverb == nil {
			continue
		}
		list = append(list, t.adverb)
		if !t.adverb.idle() {
			to = max(to, t.end)
		}
	}
	return list, from, to
}

// claimAddition makes claims of something added to a statement. It has the statement's time, unless it is set apart and
// says its own, or denies.
func (s *scan) claimAddition(main, m *matcher, c clause, a addition) bool {
	var own []*adverbial
	to := m.toks[m.end-1].end
	for _, t := range c.toks[a.begin:max(a.stop, a.begin)] {
		if t.adverb == nil || t.adverb.idle() {
			continue
		}
		own = append(own, t.adverb)
		if a.linked {
			to = max(to, t.end)
		}
	}
	if a.more {
		own = append(own, &adverbial{kind: nomore})
	}
	m.timing = main.timing
	if a.denied || a.linked && len(own) > 0 {
		clock, ok := s.newClock(verbGroup{not: a.denied}, state, own)
		if !ok || a.denied && !clock.nomore && !clock.now {
			return false
		}
		t, ok := clock.read()
		if !ok {
			return false
		}
		m.timing = t
	} else if main.timing.kind != graph.Assert {
		return false
	}
	s.emit(m, m.timing, s.text[c.toks[0].start:to], "")
	return true
}

// whole is the clause as a statement of its own, where the pattern leaves words of it unread and neither who speaks nor when
// has to be known to understand it.
func (s *scan) whole(m *matcher, c clause, stop int) string {
	if !m.trailing || len(m.subjects) != 1 || m.subjects[0].ref != extract.ByName || m.subject[1] == 0 {
		return ""
	}
	toks := c.toks[:stop]
	if pronoun := m.low(m.subject[0]); pronoun == "he" || pronoun == "she" {
		return ""
	}
	for _, t := range toks {
		if t.adverb == nil && unclear[t.low] || t.adverb != nil && t.adverb.dates() {
			return ""
		}
	}
	return sentence(s.text[toks[0].start:toks[len(toks)-1].end])
}

// unclear are words that need the episode to be understood.
var unclear = set("i", "we", "you", "my", "our", "your", "me", "us", "here", "there", "this", "that", "these", "those", "it")

// sentence makes a sentence of a clause: a capital, single spaces, a full stop.
func sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.TrimRight(text, " ,;:")
	if text == "" {
		return ""
	}
	first, size := firstRune(text)
	text = string(first) + text[size:]
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "!") && !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}

// emit appends the claims of a match: one for each subject and object, and one that ends what was there before.
func (s *scan) emit(m *matcher, t timing, quote, text string) {
	p := s.set.predicates[m.pattern.predicate]
	for _, subject := range m.subjects {
		for _, old := range m.old {
			if t.kind == graph.Assert && t.valid.To.IsZero() {
				s.emitOld(p, m, subject, old, t, quote)
			}
		}
		objects := m.objects
		if m.pattern.object != "" && len(objects) == 0 {
			objects = []item{{kind: graph.KindValue}} // its name is all template
		}
		for _, object := range objects {
			c := extract.Claim{Kind: t.kind, Subject: s.mention(subject, p.SubjectKinds), Predicate: p.Name, Object: s.mention(object, p.ObjectKinds),
				Valid: t.valid, Stated: t.stated, Precision: t.precision, HoldsAt: t.holdsAt, Quote: quote}
			if m.pattern.object != "" {
				c.Object.Name = m.template(m.pattern.object, subject, object)
			}
			if t.kind == graph.Assert {
				c.Text = text
				if m.pattern.sentence != "" && (subject.ref != extract.Group && subject.name != "") {
					c.Text = m.template(m.pattern.sentence, subject, object)
				}
			}
			s.append(c)
		}
	}
}

// emitOld claims that what somebody moved from held until then, or no longer does if nobody knows until when.
func (s *scan) emitOld(p graph.Predicate, m *matcher, subject, old item, t timing, quote string) {
	c := extract.Claim{Kind: graph.Assert, Subject: s.mention(subject, p.SubjectKinds), Predicate: p.Name, Object: s.mention(old, p.ObjectKinds), Quote: quote}
	end := t
	if !t.stated {
		end.valid.From, end.precision.From = s.episode.Occurred, precision(s.episode.Precision)
	}
	if end.valid.From.IsZero() {
		c.Kind = graph.Retract
		s.append(c)
		return
	}
	before := timing{}
	before.unknownBegin()
	c.Stated, c.Valid.To = true, end.valid.From
	c.Precision = graph.Bounds{From: before.precision.From, To: end.precision.From}
	s.append(c)
}

// mention makes a mention of an item. A speaker's kind is known; else the predicate tells it, if it allows only one, else
// the words may.
func (s *scan) mention(it item, kinds []string) extract.Mention {
	m := extract.Mention{Name: it.name, Kind: it.kind, Ref: it.ref}
	switch {
	case it.ref == extract.Speaker:
		m.Kind = s.speakerKind
	case len(kinds) == 1:
		m.Kind = kinds[0]
	}
	return m
}

// template puts names into a pattern's template.
func (m *matcher) template(template string, subject, object item) string {
	pairs := []string{"{subject}", subject.name, "{object}", object.name}
	for name, it := range m.extra {
		pairs = append(pairs, "{"+name+"}", it.name)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// append takes a claim once, unless it says nothing or there are too many.
func (s *scan) append(c extract.Claim) {
	if strings.EqualFold(c.Subject.Name, c.Object.Name) || c.Object.Name == "" {
		return
	}
	c.Trust = graph.Reported
	if s.episode.Kind == graph.Message && s.userRole() {
		c.Trust = graph.Stated
	}
	key := strings.Join([]string{string(c.Kind), string(c.Subject.Ref), c.Subject.Name, c.Predicate, c.Object.Name, c.Valid.From.String(), c.Valid.To.String()}, "\x00")
	if s.seen[key] {
		return
	}
	if len(s.draft.Claims) >= maxClaims {
		if !s.full {
			s.full = true
			s.draft.Dropped = append(s.draft.Dropped, graph.Dropped{Claim: c.Predicate, Reason: "the episode claims too much: this and what follows is left out"})
		}
		return
	}
	s.seen[key] = true
	s.draft.Claims = append(s.draft.Claims, c)
}

func (s *scan) userRole() bool { return s.episode.Role == graph.User || s.episode.Role == "" }

// maxDropped bounds what an episode's outcome lists.
const maxDropped = 20

func (s *scan) drop(m *matcher, reason string) {
	if len(s.draft.Dropped) < maxDropped {
		s.draft.Dropped = append(s.draft.Dropped, graph.Dropped{Claim: s.set.predicates[m.pattern.predicate].Name, Reason: reason})
	}
}
