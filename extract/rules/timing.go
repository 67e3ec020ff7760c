package rules

import (
	"time"

	"tenure/graph"
	"tenure/temporal"
)

// timing is what tense, negation and adverbials make of a statement.
type timing struct {
	kind      graph.ClaimKind
	valid     temporal.Period
	stated    bool
	precision graph.Bounds
	holdsAt   temporal.Instant
	reason    string // why there is no claim, where that is worth telling
}

// clock reads one statement's time.
type clock struct {
	said     temporal.Instant // when the text is from; zero if nobody knows
	saidAs   temporal.Precision
	zone     *time.Location
	messages bool // the present of the text is said to hold at its time

	group verbGroup
	class verbClass

	begin, end *when
	pointed    bool // begin is a time at or in which, not one since when
	ahead      bool // begin is "from" or "starting", not "since"
	length     *adverbial
	vaguely    bool
	now        bool
	then       bool
	nomore     bool
	nolonger   bool
	frequent   bool // it says how often or how much
}

// newClock sorts the adverbials of a statement; false if they contradict each other.
func (s *scan) newClock(g verbGroup, class verbClass, adverbs []*adverbial) (clock, bool) {
	c := clock{said: s.episode.Occurred, saidAs: s.episode.Precision, zone: s.zone, messages: s.episode.Kind == graph.Message, group: g, class: class}
	for _, a := range adverbs {
		if (a.kind == since || a.kind == between || a.kind == during || a.kind == lasting || a.kind == vague) && (c.begin != nil || c.length != nil || c.vaguely) ||
			(a.kind == until || a.kind == between) && c.end != nil {
			return c, false
		}
		switch a.kind {
		case frequency:
			c.frequent = true
		case present:
			c.now = true
		case past:
			c.then = true
		case nomore:
			c.nomore = true
		case nolonger:
			c.nolonger = true
		case since:
			c.begin, c.ahead = &a.from, a.ahead
		case until:
			c.end = &a.to
		case between:
			c.begin, c.end = &a.from, &a.to
		case during:
			c.begin, c.pointed = &a.from, true
		case lasting:
			c.length = a
		case vague:
			c.vaguely = true
		}
	}
	return c, true
}

// read decides what the statement claims; false if it is none, or none that is understood.
func (c clock) read() (timing, bool) {
	not := c.group.not || c.nolonger
	switch {
	case c.nomore && !not || c.group.not && c.nolonger:
		return timing{}, false
	case c.group.never:
		return timing{kind: graph.Never}, !not && (c.class == state || c.class == begins) && c.undated() && (c.group.tense == pastTense || c.group.tense == perfect)
	case c.group.stops:
		c.class = ends
	case c.group.starts && c.class == ends:
		return timing{}, false
	case c.group.starts:
		c.class = begins
	}
	if not && (c.class == begins || c.class == ends) {
		return timing{}, false
	}
	switch {
	case c.class == begins:
		return c.beginning()
	case c.class == ends:
		return c.ending()
	case not:
		return c.denial()
	}
	return c.lastingState()
}

// denies reports whether the statement says that something is not so.
func (c clock) denies() bool { return c.group.not || c.group.never || c.nolonger }

func (c clock) undated() bool {
	return c.begin == nil && c.end == nil && c.length == nil && !c.vaguely && !c.now && !c.then
}

// today reports whether the statement is about the day it was made on, which is the present.
func (c clock) today() bool { return c.pointed && c.begin.unit == "day" && c.begin.shift == 0 }

// lastingState reads what is, was or will be so.
func (c clock) lastingState() (timing, bool) {
	habitual := c.class == habit || c.class == negated
	switch c.group.tense {
	case presentTense, perfect:
		if c.group.progressive && habitual && c.group.tense == presentTense || c.then || c.pointed && !(c.today() && c.group.tense == presentTense) {
			return timing{}, false
		}
		if c.group.tense == perfect && (c.begin == nil && c.length == nil && !c.vaguely) {
			return timing{}, false // "I have lived in Rome": some time, nobody knows when
		}
		return c.current()
	case pastTense:
		if habitual && c.end == nil || c.now || c.begin != nil && !c.pointed && c.end == nil {
			return timing{}, false
		}
		return c.bygone()
	case usedTo:
		return c.bygone()
	}
	if c.begin == nil || habitual {
		return timing{}, false
	}
	return c.coming(graph.Assert)
}

// current reads a statement about the present.
func (c clock) current() (timing, bool) {
	t := timing{kind: graph.Assert}
	if c.messages {
		t.holdsAt = c.said
	}
	if c.vaguely && c.group.tense == perfect {
		t.unknownBegin()
	}
	if !c.today() && !c.setBegin(&t, c.towardBegin()) || !c.setEnd(&t, 1) {
		return t, false
	}
	if !t.valid.Contains(t.holdsAt) {
		t.holdsAt = 0
	}
	return t, true
}

func (c clock) towardBegin() int {
	if c.ahead && c.group.tense == presentTense {
		return 1
	}
	return -1
}

// bygone reads a statement about the past. Without a stated end it ended when it was said.
func (c clock) bygone() (timing, bool) {
	t := timing{kind: graph.Assert}
	t.unknownBegin()
	c.length, c.vaguely = nil, false // how long it was does not say when
	if !c.setBegin(&t, -1) || !c.setEnd(&t, -1) {
		return t, false
	}
	if c.pointed && c.end == nil {
		from, _ := c.begin.resolve(c.said, c.zone, -1)
		next := from.Next(c.zone)
		t.valid.To, t.precision.To = next.At, precision(from.Precision)
		if c.begin.unit == "week" {
			t.valid.To = from.At.Add(7 * 24 * time.Hour)
		}
	}
	if t.valid.To.IsZero() && c.said.IsZero() {
		t.reason = "it ended at a time that is not known"
		return t, false
	}
	if t.valid.To.IsZero() || !c.said.IsZero() && t.valid.To > c.said {
		t.valid.To, t.precision.To = c.said, precision(c.saidAs)
	}
	return c.proper(t)
}

// beginning reads an event from which on something holds.
func (c clock) beginning() (timing, bool) {
	c.pastEnd()
	switch g := c.group; {
	case g.tense == usedTo, g.progressive && g.tense == pastTense, c.length != nil, c.vaguely, c.then:
		return timing{}, false
	case g.tense == presentTense || g.tense == future:
		return c.coming(graph.Assert)
	}
	t := timing{kind: graph.Assert}
	if !c.setBegin(&t, -1) || !c.setEnd(&t, 1) || c.later(t.valid.From) {
		return t, false
	}
	if c.messages && (c.group.tense == perfect || c.now) && t.valid.Contains(c.said) {
		t.holdsAt = c.said
	}
	return c.proper(t)
}

// ending reads an event after which something no longer holds.
func (c clock) ending() (timing, bool) {
	switch g := c.group; {
	case g.tense == usedTo, g.progressive && g.tense == pastTense, c.length != nil, c.vaguely, c.then, c.end != nil:
		return timing{}, false
	case g.tense == presentTense || g.tense == future:
		return c.coming(graph.Retract)
	}
	t := timing{kind: graph.Retract}
	return t, c.setBegin(&t, -1) && !c.later(t.valid.From)
}

// denial reads that something is not, or is no longer, so.
func (c clock) denial() (timing, bool) {
	t := timing{kind: graph.Retract}
	switch {
	case c.group.tense == future:
		return c.coming(graph.Retract)
	case c.group.tense == perfect && c.begin == nil && c.length == nil && !c.nolonger && !c.nomore,
		c.group.tense == pastTense, c.group.tense == usedTo, c.then, c.end != nil, c.vaguely, c.pointed && !c.today():
		return t, false
	}
	return t, c.today() || c.setBegin(&t, -1)
}

// coming reads what begins, or ends, at a stated time that is not past.
func (c clock) coming(kind graph.ClaimKind) (timing, bool) {
	t := timing{kind: kind}
	if c.begin == nil || c.now || c.then || !c.setBegin(&t, 1) || !c.setEnd(&t, 1) || kind == graph.Retract && c.end != nil {
		return t, false
	}
	date := temporal.Date{At: t.valid.From, Precision: t.precision.From}
	if !c.said.IsZero() && date.Next(c.zone).At <= c.said {
		return t, false
	}
	return c.proper(t)
}

// pastEnd makes "at the end of May" the month it is in, where it says when something began.
func (c *clock) pastEnd() {
	if c.begin != nil && c.begin.end {
		w := *c.begin
		w.end = false
		c.begin = &w
	}
}

func (c clock) setBegin(t *timing, toward int) bool {
	w := c.begin
	if c.length != nil {
		w = &when{unit: c.length.unit, shift: -c.length.n}
	}
	if w == nil {
		return true
	}
	date, ok := w.resolve(c.said, c.zone, toward)
	if !ok {
		t.reason = "its date cannot be read without a time of the episode"
		return false
	}
	t.valid.From, t.stated, t.precision.From = date.At, true, precision(date.Precision)
	return true
}

func (c clock) setEnd(t *timing, toward int) bool {
	if c.end == nil {
		return true
	}
	date, ok := c.end.resolve(c.said, c.zone, toward)
	if !ok {
		t.reason = "its date cannot be read without a time of the episode"
		return false
	}
	t.valid.To, t.precision.To = date.At, precision(date.Precision)
	*t, ok = c.proper(*t)
	return ok
}

// proper refuses a window that does not begin before it ends.
func (c clock) proper(t timing) (timing, bool) {
	if t.valid.Valid() != nil || !t.stated && !t.valid.To.IsZero() && !c.said.IsZero() && t.valid.To <= c.said {
		t.reason = "it would end before it begins"
		return t, false
	}
	return t, true
}

func (c clock) later(from temporal.Instant) bool { return !c.said.IsZero() && from > c.said }

func (t *timing) unknownBegin() {
	t.valid.From, t.stated, t.precision.From = 0, true, temporal.Unknown
}

// precision leaves an exact one out, as graph.Bounds does.
func precision(p temporal.Precision) temporal.Precision {
	if p == temporal.Exact {
		return ""
	}
	return p
}
