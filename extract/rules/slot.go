package rules

import (
	"slices"
	"strings"

	"tenure/extract"
	"tenure/graph"
)

// item is what a slot holds.
type item struct {
	name string
	kind string // empty if the words do not tell
	ref  extract.Ref
	who  person
}

// reading is one way to fill a slot: its items, more than one for a list, and the tokens they take up.
type reading struct {
	items     []item
	from, end int // from is set of values only
}

// reader fills a slot of one type from token i. What it returns is in order of preference.
type reader func(m *matcher, i int) []reading

// anyone is the type of a subject that names none.
const anyone = "anyone"

// readerOf returns the reader of a slot type; nil if there is no such type.
func readerOf(typ string) reader {
	switch typ {
	case anyone:
		return readAnyone
	case "somebody", "individual", "single", "thing":
		return func(m *matcher, i int) []reading { return readSubject(m, i, typ) }
	case "name", "person", "organisation", "employer", "place", "feature", "product", "project", "unit", "team":
		return func(m *matcher, i int) []reading { return readName(m, i, typ) }
	case "city":
		return readCity
	case "plan", "the_plan":
		return func(m *matcher, i int) []reading { return readPlan(m, i, typ == "the_plan") }
	case "role", "chief":
		return func(m *matcher, i int) []reading { return readRole(m, i, typ == "chief") }
	case "language", "drink", "diet", "status", "pet":
		return func(m *matcher, i int) []reading { return readKnown(m, i, typ) }
	case "number", "money", "email", "phone", "url", "zone", "word":
		return func(m *matcher, i int) []reading { return readLiteral(m, i, typ) }
	case "date", "birthday":
		return func(m *matcher, i int) []reading { return readDate(m, i, typ == "birthday") }
	case "text":
		return readText
	case "action":
		return readAction
	case "topic":
		return readTopic
	case "address":
		return readAddress
	case "statement", "fact", "rule":
		return readRest
	}
	return nil
}

// fill returns the ways to fill the slot of a pattern from token i. An object that is one of several ("Oslo or Bergen") is
// none, and only a predicate with many values takes a list.
func (m *matcher) fill(e element, i int) []reading {
	if i >= len(m.toks) {
		return nil
	}
	if e.owner {
		return readOwner(m, i, e.typ)
	}
	read := readerOf(e.typ)
	if e.name != "object" || m.pattern.rest || e.typ == "action" {
		return read(m, i)
	}
	var out []reading
	for _, r := range read(m, i) {
		list, kind := m.list(read, r)
		switch {
		case kind == single:
			out = append(out, r)
		case kind == listed && m.many && !(len(list.items) > 2 && m.prepositional(r)): // "a cake with nuts, raisins and honey" is no list
			out = append(out, list, r)
		}
	}
	return out
}

// prepositional reports whether a value has a phrase of its own, which a list may belong to.
func (m *matcher) prepositional(r reading) bool {
	return r.items[0].kind == graph.KindValue && slices.ContainsFunc(m.toks[r.from:r.end], func(t token) bool { return preposition[t.low] })
}

// listing says what follows an item.
type listing int

const (
	single       listing = iota // it stands alone
	listed                      // more, and all of them are meant
	alternatives                // more, of which only one is meant
)

// list carries a reading on over commas up to "and" and the last item.
func (m *matcher) list(read reader, first reading) (reading, listing) {
	items, end := slices.Clone(first.items), first.end
	for len(items) < maxList {
		at := end
		if m.low(at) == "," {
			at++
		}
		low := m.low(at)
		if low == "or" || low == "/" {
			return first, alternatives
		}
		last := low == "and" || low == "&"
		if last {
			at++
		}
		if at == end || m.verbAt(at) || strings.HasSuffix(m.low(at), "ly") {
			return first, single
		}
		more := read(m, at)
		if len(more) == 0 {
			return first, single
		}
		items, end = append(items, more[0].items...), more[0].end
		if last {
			return reading{items: m.paired(items, first, at, end), end: end}, listed
		}
	}
	return first, single
}

const maxList = 12

// paired keeps two values together that are no list of two: those of unequal length ("red and white wine"), and those of
// which one is a doing ("reading poems and long novels").
func (m *matcher) paired(items []item, first reading, from, end int) []item {
	if len(items) != 2 || m.pattern.elements[m.at].typ != "text" {
		return items
	}
	doing := func(i int) bool { return strings.HasSuffix(m.low(i), "ing") }
	if first.end-first.from == end-from && doing(first.from) == doing(from) {
		return items
	}
	return []item{m.value(first.from, end)}
}

// readAnyone reads who a statement is about: the speaker, the group, a person mentioned just before, or names.
func readAnyone(m *matcher, i int) []reading {
	if r, ok := m.pronoun(i); ok {
		return []reading{r}
	}
	name, ok := m.named(i)
	if !ok {
		return nil
	}
	out := []reading{name}
	if at := name.end; m.low(at) == "and" {
		other, ok := m.pronoun(at + 1)
		if !ok {
			other, ok = m.named(at + 1)
		}
		if ok && (len(other.items) == 1 && other.items[0].ref != extract.Group) {
			both := reading{items: []item{name.items[0], other.items[0]}, end: other.end}
			both.items[0].who, both.items[1].who = several, several
			out = []reading{both, name}
		}
	}
	return out
}

// pronoun reads "I", "we", "he", "she".
func (m *matcher) pronoun(i int) (reading, bool) {
	var it item
	switch m.low(i) {
	case "i":
		it = m.speakerItem(me)
	case "we":
		it = m.groupItem()
	case "he", "she":
		it = m.third(m.low(i) == "she")
	default:
		return reading{}, false
	}
	return reading{items: []item{it}, end: i + 1}, m.known(it)
}

// third is who "he" or "she" is; nobody if the name is not one of theirs.
func (s *scan) third(she bool) item {
	first, _, _ := strings.Cut(lower(s.mentioned), " ")
	if she && lexicon["male"].phrases[first] || !she && lexicon["female"].phrases[first] {
		return item{}
	}
	return item{name: s.mentioned, kind: "person", who: one}
}

// known reports whether an item stands for somebody the text lets us know.
func (m *matcher) known(it item) bool {
	if it.ref != extract.ByName {
		return m.firstPerson
	}
	return it.name != ""
}

func (s *scan) speakerItem(who person) item {
	return item{name: s.speakerName, kind: "person", ref: extract.Speaker, who: who}
}

func (s *scan) groupItem() item { return item{kind: "organisation", ref: extract.Group, who: several} }

// readOwner reads whose something is: "my", "our", "his", "Ann's".
func readOwner(m *matcher, i int, typ string) []reading {
	var it item
	end := i + 1
	switch m.low(i) {
	case "my":
		it = m.speakerItem(anybody)
	case "our":
		it = m.groupItem()
	case "his", "her":
		if typ == "named" {
			return nil
		}
		it = m.third(m.low(i) == "her")
	default:
		name, ok := m.named(i)
		if !ok || m.low(name.end) != "'s" {
			return nil
		}
		it, end = name.items[0], name.end+1
	}
	it.who = anybody
	if !m.known(it) {
		return nil
	}
	return []reading{{items: []item{it}, end: end}}
}

// readSubject reads a subject of a certain kind.
func readSubject(m *matcher, i int, typ string) []reading {
	var out []reading
	for _, r := range readAnyone(m, i) {
		if typ == "single" && len(r.items) == 1 || typ != "single" && allFit(r.items, typ) {
			out = append(out, r)
		}
	}
	return out
}

func allFit(items []item, typ string) bool {
	for _, it := range items {
		person := it.kind == "person"
		switch typ {
		case "somebody":
			if !person {
				return false
			}
		case "individual":
			if it.ref == extract.Group {
				return false
			}
		case "thing":
			if person {
				return false
			}
		}
	}
	return true
}

// named reads a name, or a person called by a relation: "my friend Ann".
func (m *matcher) named(i int) (reading, bool) {
	if low := m.low(i); (low == "my" || low == "our") && m.firstPerson {
		at := phrase("relation", m.toks, i+1)
		if at == i+1 {
			return reading{}, false
		}
		from, to := m.nameRun(at)
		if to == from || m.low(to-1) == "'s" {
			return reading{}, false
		}
		return reading{items: []item{{name: m.words(from, to), kind: "person", who: one}}, end: to}, true
	}
	from, to := m.nameRun(i)
	if to == from {
		return reading{}, false
	}
	name, kind, end := m.extend(from, to)
	return reading{items: []item{{name: name, kind: kind, who: one}}, end: end}, true
}
