package rules

// adverbial is what a clause says about its time, or an adverb that says nothing. A clause keeps it as one token, which
// patterns pass over.
type adverbial struct {
	kind adverbKind
	from when // of since, during, between
	to   when // of until, between
	n    int  // of lasting: how many units
	unit string

	ahead bool // of since: "from" or "starting", which with a present tense looks ahead
}

type adverbKind int

const (
	soft      adverbKind = iota // says nothing
	frequency                   // "every day", "mostly": says nothing, unless it is denied
	present                     // "now", "still"
	past                        // "formerly"
	nomore                      // "any more": needs a negation
	nolonger                    // is one
	since                       // "since 2019", "from May on"
	until                       // "until Friday"
	between                     // "from 2019 to 2021"
	during                      // "in June 2026", "yesterday", "two weeks ago"
	lasting                     // "for three years"
	vague                       // "since I was a kid", "for ages": it began, nobody knows when
)

// dates reports whether the adverbial says when.
func (a *adverbial) dates() bool { return a.kind >= since }

// idle reports whether the adverbial says nothing about time.
func (a *adverbial) idle() bool { return a.kind == soft || a.kind == frequency }

// fold replaces the adverbials of a sentence by one token each.
func fold(toks []token) []token {
	out := make([]token, 0, len(toks))
	for i := 0; i < len(toks); {
		a, end := adverbialAt(toks, i)
		if end == i {
			out = append(out, toks[i])
			i++
			continue
		}
		t := token{low: joined(toks[i:end]), start: toks[i].start, end: toks[end-1].end, word: true, spaced: toks[i].spaced, first: toks[i].first, adverb: &a}
		for _, part := range toks[i:end] {
			t.quoted = t.quoted || part.quoted
		}
		out = append(out, t)
		i = end
	}
	return out
}

// timeForms are the adverbials that say when.
var timeForms = [...]func(dates, int) (adverbial, int){
	dates.sinceAdverbial, dates.untilAdverbial, dates.rangeAdverbial, dates.lastingAdverbial, dates.duringAdverbial,
}

// adverbialAt reads the adverbial that begins at token i; its end is i if there is none.
func adverbialAt(toks []token, i int) (adverbial, int) {
	if toks[i].quoted || !toks[i].word {
		return adverbial{}, i
	}
	d := dates{toks}
	for _, read := range timeForms {
		if a, end := read(d, i); end > i {
			return a, end
		}
	}
	for _, words := range [...]struct {
		kind string
		adverbKind
	}{{"present", present}, {"past", past}, {"nomore", nomore}, {"nolonger", nolonger}, {"frequency", frequency}, {"soft", soft}} {
		end := phrase(words.kind, toks, i)
		if end == i || words.adverbKind == past && end < len(toks) && toks[end].word && toks[i].low == "before" {
			continue
		}
		return adverbial{kind: words.adverbKind}, end
	}
	return adverbial{}, i
}

// sinceAdverbial reads "since 2019", "as of June", "starting next month", "from May on"; and "since" with anything else, to
// the next comma.
func (d dates) sinceAdverbial(i int) (adverbial, int) {
	at := i
	switch low := d.low(i); {
	case low == "ever" && d.low(i+1) == "since":
		at = i + 2
	case low == "since":
		at = i + 1
	case low == "as" && d.low(i+1) == "of":
		at = i + 2
	case low == "starting" || low == "effective" || low == "beginning":
		at = i + 1
		if d.low(at) == "in" || d.low(at) == "on" || d.low(at) == "from" {
			at++
		}
	case low == "from":
		w, end, ok := d.read(i + 1)
		if !ok {
			return adverbial{}, i
		}
		switch d.low(end) {
		case "on", "onward", "onwards":
			return adverbial{kind: since, from: w, ahead: true}, end + 1
		case "to", "until", "till", "through":
			return adverbial{}, i // a range
		}
		return adverbial{kind: since, from: w, ahead: true}, end
	default:
		return adverbial{}, i
	}
	if w, end, ok := d.read(at); ok {
		return adverbial{kind: since, from: w, ahead: d.low(i) == "starting" || d.low(i) == "beginning" || d.low(i) == "effective"}, end
	}
	if low := d.low(i); low != "since" && low != "ever" {
		return adverbial{}, i
	}
	if n, unit, end, ok := d.span(at); ok {
		return adverbial{kind: lasting, n: n, unit: unit}, end // "since two years", as many say it
	}
	for at < len(d.toks) && (d.toks[at].word || d.toks[at].low == "'") {
		at++
	}
	return adverbial{kind: vague}, at
}

// untilAdverbial reads "until Friday", "up to June 2026". "Through" includes what it names.
func (d dates) untilAdverbial(i int) (adverbial, int) {
	at := i
	if d.low(at) == "up" && (d.low(at+1) == "to" || d.low(at+1) == "until") {
		at++
	}
	switch d.low(at) {
	case "until", "till", "til", "through":
	case "to":
		if at == i {
			return adverbial{}, i
		}
	default:
		return adverbial{}, i
	}
	w, end, ok := d.read(at + 1)
	if !ok {
		return adverbial{}, i
	}
	w.end = w.end || d.low(at) == "through"
	return adverbial{kind: until, to: w}, end
}

// rangeAdverbial reads "from 2019 to 2021" and "between May and July".
func (d dates) rangeAdverbial(i int) (adverbial, int) {
	first := d.low(i)
	if first != "from" && first != "between" {
		return adverbial{}, i
	}
	from, end, ok := d.read(i + 1)
	if !ok {
		return adverbial{}, i
	}
	link := d.low(end)
	if first == "between" && link != "and" || first == "from" && link != "to" && link != "until" && link != "till" && link != "through" {
		return adverbial{}, i
	}
	to, end, ok := d.read(end + 1)
	if !ok {
		return adverbial{}, i
	}
	to.end = to.end || link == "through"
	return adverbial{kind: between, from: from, to: to}, end
}

// lastingAdverbial reads "for three years", "for the past two months", "for ages".
func (d dates) lastingAdverbial(i int) (adverbial, int) {
	if d.low(i) != "for" {
		return adverbial{}, i
	}
	at := i + 1
	switch d.low(at) {
	case "over", "about", "almost", "nearly", "around":
		at++
	}
	if d.low(at) == "the" && (d.low(at+1) == "past" || d.low(at+1) == "last") {
		at += 2
		if unit, ok := units[d.low(at)]; ok {
			return adverbial{kind: lasting, n: 1, unit: unit}, at + 1
		}
	}
	if n, unit, end, ok := d.span(at); ok {
		if d.low(end) == "now" {
			end++
		}
		return adverbial{kind: lasting, n: n, unit: unit}, end
	}
	if end := phrase("long", d.toks, at); end > at {
		return adverbial{kind: vague}, end
	}
	return adverbial{}, i
}

// duringAdverbial reads "in June 2026", "on Monday", "yesterday", "two weeks ago", "in three months".
func (d dates) duringAdverbial(i int) (adverbial, int) {
	at := i
	if d.low(at) == "back" && d.low(at+1) == "in" {
		at++
	}
	low := d.low(at)
	switch low {
	case "in", "on", "at", "during", "throughout", "around":
		if n, unit, end, ok := d.span(at + 1); ok && low == "in" && d.low(end) != "ago" {
			return adverbial{kind: during, from: when{unit: unit, shift: n}}, end
		}
		if w, end, ok := d.read(at + 1); ok {
			return adverbial{kind: during, from: w}, end
		}
		return adverbial{}, i
	}
	for _, bare := range [...]func(dates, int) (when, int, bool){dates.turned, dates.counted, dates.named} {
		w, end, ok := bare(d, at)
		if d.low(at) == "the" {
			w, end, ok = bare(d, at+1)
		}
		if ok {
			return adverbial{kind: during, from: w}, d.clock(end)
		}
	}
	return adverbial{}, i
}
