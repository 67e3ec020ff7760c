package facts

import (
	"slices"
	"sort"

	"tenure/graph"
	"tenure/temporal"
)

// few is how many placements may have changed, and how many nevers there may be, for a lane not to be computed anew: each is
// held against all the others.
const few = 16

// Rebelieve is Believe(placed), given what Believe gave before some placements of the lane changed. changed are the placements
// that were added, and those that were removed (as they were); placed are those that count now. It falls back to Believe where
// it cannot bound the stretch. The windows outside the stretch share their supports with before.
//
// At a valid time Believe walks down the ranks until it is stopped, so nothing depends on what ranks below a pair that stops
// every walk (see pair). Where such a pair outranks all that changed, what holds is what held; and where one outranks a
// placement that did not change, that one need not be looked at. To find the pairs takes a few passes over the placements,
// which sort nothing; the rest is a Believe of what can be reached in the windows that the change touches.
func Rebelieve(before []Window, placed, changed []graph.Placement) []Window {
	r, ok := newRevision(placed, changed)
	if !ok {
		return Believe(placed)
	}
	from, end := r.affected()
	after, i, j := r.join(before, from, end)
	if after == nil {
		after, i, j = r.splice(before, from, end)
	}
	r.restate(after, i, j)
	return after
}

// reach bounds what a placement can do, whatever else is in its lane: it covers no time outside [from, end), and where it
// covers one it ranks as what is not inferred and begun at low or later, and at high or earlier.
type reach struct{ from, end, low, high temporal.Instant }

func reachOf(p *graph.Placement) reach {
	r := reach{from: max(p.Valid.From, p.Narrowed.From), end: min(p.Valid.End(), p.Narrowed.End())}
	switch {
	case inferred(p): // below all that is not
	case undated(p):
		r.high = p.Valid.End() - 1
	case p.HoldsAt.IsZero():
		r.low, r.high = p.Valid.From, p.Valid.From
	default:
		r.low, r.high = min(p.Valid.From, p.HoldsAt), max(p.Valid.From, p.HoldsAt)
	}
	return r
}

// undated reports whether p begins where another assertion of its object does, if one did before p ends.
func undated(p *graph.Placement) bool { return p.Valid.From.IsZero() && p.Kind == graph.Assert }

// dates reports whether undated assertions may begin where p does.
func dates(p *graph.Placement) bool {
	return p.Kind == graph.Assert && !p.Valid.From.IsZero() && !inferred(p)
}

// statesEnd reports whether p states an end, by which open assertions of its object may be over.
func statesEnd(p *graph.Placement) bool { return !p.Valid.Open() && p.Kind == graph.Assert }

// held returns the latest time at which p was said to hold; a time before that if p is undated.
func held(p *graph.Placement) temporal.Instant { return max(p.Valid.From, p.HoldsAt) }

// pointers returns the placements as what a sweep takes: of a long lane it may be few.
func pointers(placed []graph.Placement) []*graph.Placement {
	out := make([]*graph.Placement, len(placed))
	for i := range placed {
		out[i] = &placed[i]
	}
	return out
}

// change is a placement that was added or removed, with what it is to the others.
type change struct {
	*graph.Placement
	reach
	closes  bool             // open assertions may be over by its end
	begin   temporal.Instant // where it begins itself, if it is undated
	redates bool             // undated assertions may begin where it does
	soonest temporal.Instant // of these, the earliest end
	held    temporal.Instant // of these, the latest HoldsAt
}

// meet finds out what the change is to p.
func (c *change) meet(p *graph.Placement) {
	closes := p.Valid.Open() && held(p) < c.Valid.To
	dated := c.Valid.From.IsZero() && p.Valid.From < c.Valid.End() && dates(p)
	redates := undated(p) && c.Valid.From < p.Valid.End()
	if !closes && !dated && !redates || c.Kind != graph.Assert || c.Object != p.Object {
		return
	}
	c.closes = c.closes || closes
	if dated {
		c.begin = max(c.begin, p.Valid.From)
	}
	if redates && !c.redates {
		c.redates, c.soonest = true, temporal.Forever
	}
	if redates {
		c.soonest, c.held = min(c.soonest, p.Valid.End()), max(c.held, p.HoldsAt)
	}
}

// revision is a lane in which a few placements changed.
type revision struct {
	placed  []graph.Placement
	reaches []reach // of the placements
	changed []change
	latest  map[graph.EntityID]temporal.Instant // the latest end that an assertion of an object states
}

// newRevision reports false where no stretch can be bounded: where a never changed. Many of anything are not worth it.
func newRevision(placed, changed []graph.Placement) (*revision, bool) {
	if len(changed) > few {
		return nil, false
	}
	r := &revision{placed: placed, reaches: make([]reach, len(placed)), changed: make([]change, len(changed)),
		latest: map[graph.EntityID]temporal.Instant{}}
	for i := range changed {
		r.changed[i] = change{Placement: &changed[i], reach: reachOf(&changed[i])}
		if changed[i].Kind == graph.Never {
			return nil, false
		}
	}
	var nevers []graph.Placement
	for i := range placed {
		p := &placed[i]
		if p.Kind == graph.Never {
			nevers = append(nevers, *p)
			continue
		}
		r.reaches[i] = reachOf(p)
		if statesEnd(p) {
			r.latest[p.Object] = max(r.latest[p.Object], p.Valid.To)
		}
		for k := range r.changed {
			r.changed[k].meet(p)
		}
	}
	switch {
	case len(nevers) > few:
		return nil, false
	case len(nevers) > 0: // what they take back, they took back before
		taken := func(p graph.Placement) bool { return p.Kind == graph.Never || TakenBack(p, nevers) }
		return newRevision(slices.DeleteFunc(slices.Clone(placed), taken), slices.DeleteFunc(slices.Clone(changed), taken))
	}
	for k := range r.changed {
		c := &r.changed[k]
		for i := range changed {
			c.meet(&changed[i])
		}
		if undated(c.Placement) { // if its begin changes too, that is an effect of what dates it
			c.from, c.high = max(c.from, c.begin), min(c.high, max(c.begin, c.HoldsAt))
		}
	}
	return r, true
}

// affected returns the stretch outside which nothing depends on what changed; it may be empty.
func (r *revision) affected() (from, end temporal.Instant) {
	var effects []reach
	for i := range r.changed {
		c := &r.changed[i]
		effects = append(effects, c.reach)
		if c.closes { // what is over by it was held before its end
			effects = append(effects, reach{from: c.Valid.To, end: temporal.Forever, high: c.Valid.To - 1})
		}
		if c.redates {
			effects = append(effects, r.redated(c))
		}
	}
	from = temporal.Forever
	var high temporal.Instant
	for _, e := range effects {
		if e.from < e.end {
			from, end, high = min(from, e.from), max(end, e.end), max(high, e.high)
		}
	}
	// A pair above high has not changed, nor is it over by what did: it would have been held before that end.
	p, q := r.pair(func(x *reach) bool { return x.low > high && x.end == temporal.Forever },
		func(x, y *reach) bool { return x.from < y.from })
	if q != nil {
		end = min(end, max(p.from, q.from))
	}
	return from, end
}

// redated bounds the undated assertions that may begin where c does. Whatever changed, they begin where the latest does that
// did not, or later.
func (r *revision) redated(c *change) reach {
	d := reach{end: temporal.Forever, high: max(c.Valid.From, c.held)}
	for i := range r.placed {
		p := &r.placed[i]
		if !dates(p) || p.Object != c.Object {
			continue
		}
		d.high = max(d.high, p.Valid.From)
		if p.Valid.From < c.soonest && !slices.ContainsFunc(r.changed, func(c change) bool { return c.Rec == p.Rec }) {
			d.from = max(d.from, p.Valid.From)
		}
	}
	if d.from >= c.Valid.From {
		return reach{} // they begin elsewhere
	}
	return d
}

// pair returns two placements that fit, the best first, that together stop every walk down the ranks where both cover; nil if
// it finds none. One is an assertion that is not over: when a walk has met it, either an object is found or nothing holds.
// The other is an assertion of another object that is not over, by which the same is so, and not both can be of the object
// found; or a retraction of that object or of whatever holds, which stops a walk that found one and denies it to one that
// did not. What fits must have a low of more than zero: only then is its reach known and not only bounded.
func (r *revision) pair(fits func(*reach) bool, better func(x, y *reach) bool) (p, q *reach) {
	var object graph.EntityID
	for i := range r.reaches {
		x := &r.reaches[i]
		if !fits(x) || p != nil && !better(x, p) {
			continue
		}
		if r.placed[i].Kind == graph.Assert && r.lasts(&r.placed[i]) {
			p, object = x, r.placed[i].Object
		}
	}
	if p == nil {
		return nil, nil
	}
	stops := func(x *graph.Placement) bool {
		if x.Kind == graph.Retract {
			return x.Object == "" || x.Object == object
		}
		return x.Object != object && r.lasts(x)
	}
	for i := range r.reaches {
		if x := &r.reaches[i]; fits(x) && (q == nil || better(x, q)) && stops(&r.placed[i]) {
			q = x
		}
	}
	return p, q
}

// lasts reports whether an assertion is never over.
func (r *revision) lasts(p *graph.Placement) bool {
	return !p.Valid.Open() || r.latest[p.Object] <= held(p)
}

// join adds the changed placements to the supports of the window that holds over the whole stretch, if that is all that they
// do: it returns nil unless all are assertions of the window's object that are added, end nothing, and outrank, as some
// support does at each time, all that is of another object or denies one. Then every walk meets the object's assertions
// first, and one more is one more support. The window is number i, and j the next.
func (r *revision) join(before []Window, from, end temporal.Instant) (after []Window, i, j int) {
	i = sort.Search(len(before), func(i int) bool { return before[i].Valid.End() > from })
	if i == len(before) || from < before[i].Valid.From || before[i].Valid.End() < end {
		return nil, 0, 0
	}
	w := before[i]
	lowest, throughout := temporal.Forever, temporal.Instant(0)
	for k := range w.Support {
		s := reachOf(&w.Support[k])
		lowest = min(lowest, s.low) // the head of any time is one of them
		if s.low > throughout && s.from <= from && end <= s.end && r.lasts(&w.Support[k]) {
			throughout = s.low
		}
	}
	limit := max(lowest, throughout)
	for k := range r.changed {
		c := &r.changed[k]
		if c.closes || c.redates || c.Kind != graph.Assert || c.Object != w.Object || !r.lasts(c.Placement) || c.from >= min(c.end, end) {
			return nil, 0, 0
		}
		limit = min(limit, c.low)
	}
	for k := range r.placed {
		x, p := &r.reaches[k], &r.placed[k]
		if x.high >= limit && x.from < end && from < x.end && (p.Kind != graph.Assert || p.Object != w.Object) {
			return nil, 0, 0
		}
	}
	w.Support = append(make([]graph.Placement, 0, len(w.Support)+len(r.changed)), w.Support...)
	for _, c := range r.changed {
		k, found := slices.BinarySearchFunc(w.Support, c.Placement, func(p graph.Placement, c *graph.Placement) int { return byRecord(&p, c) })
		if found {
			return nil, 0, 0
		}
		w.Support = slices.Insert(w.Support, k, *c.Placement)
		w.Muted = w.Muted && c.Muted
	}
	w.Fact = w.Support[0].Fact
	after = slices.Clone(before)
	after[i] = w
	return after, i, i + 1
}

// splice computes the windows from number i to j anew: those that touch the stretch, and so those whose supports may differ.
func (r *revision) splice(before []Window, from, end temporal.Instant) (after []Window, i, j int) {
	if from >= end {
		return slices.Clone(before), 0, 0
	}
	i = sort.Search(len(before), func(i int) bool { return before[i].Valid.End() >= from })
	j = sort.Search(len(before), func(j int) bool { return before[j].Valid.From > end })
	if i < j {
		from, end = min(from, before[i].Valid.From), max(end, before[j-1].Valid.End())
	}
	fresh := newSweep(r.within(from, end), graph.Inferred, from, end).windows(nil, nil)
	return slices.Concat(before[:i], fresh, before[j:]), i, i + len(fresh)
}

// within returns the placements that can be reached in a stretch, and those by which these begin, or are over before its end.
func (r *revision) within(from, end temporal.Instant) []*graph.Placement {
	var floor temporal.Instant
	p, q := r.pair(func(x *reach) bool { return x.low > 0 && x.from <= from && end <= x.end },
		func(x, y *reach) bool { return x.low > y.low })
	if q != nil {
		floor = min(p.low, q.low)
	}
	reached := func(x *reach) bool { return x.high >= floor && x.from < end && from < x.end }
	var kept []*graph.Placement
	open, unknown := map[graph.EntityID]temporal.Instant{}, map[graph.EntityID]bool{}
	earliest := temporal.Forever
	for i := range r.reaches {
		if !reached(&r.reaches[i]) {
			continue
		}
		p := &r.placed[i]
		kept = append(kept, p)
		if undated(p) {
			unknown[p.Object] = true
		}
		if p.Valid.Open() {
			if at, ok := open[p.Object]; !ok || held(p) < at {
				open[p.Object] = held(p)
			}
			earliest = min(earliest, held(p))
		}
	}
	for i := 0; len(r.latest)+len(unknown) > 0 && i < len(r.placed); i++ {
		p := &r.placed[i]
		closes := earliest < p.Valid.To && p.Valid.To < end && p.Kind == graph.Assert
		if closes {
			at, ok := open[p.Object]
			closes = ok && at < p.Valid.To
		}
		if (closes || len(unknown) > 0 && dates(p) && unknown[p.Object]) && !reached(&r.reaches[i]) {
			kept = append(kept, p)
		}
	}
	return kept
}

// restate says how precisely the bounds are known of the windows from number i to j, and of those that a changed placement
// begins or ends with: any placement of the lane may say it.
func (r *revision) restate(windows []Window, i, j int) {
	stale := make([]*Window, 0, j-i)
	for ; i < j; i++ {
		stale = append(stale, &windows[i])
	}
	for _, c := range r.changed {
		for _, at := range []temporal.Instant{c.Valid.From, c.Valid.To} {
			k := sort.Search(len(windows), func(k int) bool { return windows[k].Valid.End() >= at })
			for ; k < len(windows) && windows[k].Valid.From <= at; k++ {
				stale = append(stale, &windows[k])
			}
		}
	}
	begin, end := map[temporal.Instant]*graph.Placement{}, map[temporal.Instant]*graph.Placement{}
	first, last := temporal.Forever, temporal.Instant(0)
	for _, w := range stale {
		first, last = min(first, w.Valid.From), max(last, w.Valid.From, w.Valid.To)
		begin[w.Valid.From], end[w.Valid.From], begin[w.Valid.To], end[w.Valid.To] = nil, nil, nil, nil
	}
	record := func(told map[temporal.Instant]*graph.Placement, at temporal.Instant, p *graph.Placement) {
		if at < first || last < at {
			return
		}
		if q, ok := told[at]; ok && (q == nil || byRecord(p, q) < 0) {
			told[at] = p
		}
	}
	for i := range r.placed {
		p := &r.placed[i]
		record(begin, p.Valid.From, p)
		record(end, p.Valid.End(), p)
	}
	stated := make(map[temporal.Instant]temporal.Precision, len(begin))
	for at, p := range begin {
		if p != nil {
			stated[at] = p.Precision.From
		}
	}
	for at, p := range end {
		if p != nil {
			stated[at] = p.Precision.To
		}
	}
	for _, w := range stale {
		w.Precision = precision(w, stated)
	}
}
