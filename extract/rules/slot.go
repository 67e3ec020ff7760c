package rules

import (
	"slices"

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
	case "somebody", "single", "thing":
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
		return readOwner(m, i)
	}
	read := readerOf(e.typ)
	var out []reading
	for _, r := range read(m, i) {
		if m.low(r.end) == "or" || m.low(r.end) == "/" {
			continue
		}
		if e.name != "object" || m.pattern.rest || e.typ == "action" {
			out = append(out, r)
			continue
		}
		list, ok := m.list(read, r)
		switch {
		case !ok:
			out = append(out, r)
		case m.many:
			out = append(out, list, r)
		}
	}
	return out
}

// list carries a reading on over commas up to "and" and the last item; false if there is no such list.
func (m *matcher) list(read reader, first reading) (reading, bool) {
	items, end := slices.Clone(first.items), first.end
	for len(items) < maxList {
		at, last := end, false
		if m.low(at) == "," {
			at++
		}
		if low := m.low(at); low == "and" || low == "&" {
			at, last = at+1, true
		}
		if at == end || m.verbAt(at) {
			return first, false
		}
		more := read(m, at)
		if len(more) == 0 || m.low(more[0].end) == "or" {
			return first, false
		}
		items, end = append(items, more[0].items...), more[0].end
		if last {
			return reading{items: m.paired(items, first, at, end), end: end}, true
		}
	}
	return first, false
}

const maxList = 12

// paired keeps two values of unequal length together, since "red and white wine" is no list of two.
func (m *matcher) paired(items []item, first reading, from, end int) []item {
	if len(items) != 2 || items[0].kind != graph.KindValue || first.end-first.from == end-from {
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
		it = item{name: m.mentioned, kind: "person", who: one}
	default:
		return reading{}, false
	}
	return reading{items: []item{it}, end: i + 1}, m.known(it)
}

// known reports whether an item stands for somebody the text lets us know.
func (m *matcher) known(it item) bool {
	if it.ref != extract.ByName {
		return m.firstPerson
	}
	return it.name != ""
}

func (s *scan) speakerItem(who person) item {
	return item{name: s.speakerName, kind: s.speakerKind, ref: extract.Speaker, who: who}
}

func (s *scan) groupItem() item { return item{kind: "organisation", ref: extract.Group, who: several} }

// readOwner reads whose something is: "my", "our", "his", "Ann's".
func readOwner(m *matcher, i int) []reading {
	var it item
	end := i + 1
	switch m.low(i) {
	case "my":
		it = m.speakerItem(anybody)
	case "our":
		it = m.groupItem()
	case "his", "her":
		it = item{name: m.mentioned, kind: "person"}
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
