package facts

import (
	"cmp"
	"slices"
	"sort"

	"tenure/graph"
	"tenure/temporal"
)

// Window is a stretch of valid time over which one object of a lane holds.
type Window struct {
	Object    graph.EntityID
	Valid     temporal.Period
	Fact      graph.ClaimID     // Placement.Fact of the support recorded first
	Support   []graph.Placement // the placements that support it, by (Rec, Claim), each once
	Precision graph.Bounds      // of the window's two bounds
	Muted     bool              // every support is muted
}

// Believe returns the windows that hold in a lane, in order of valid time, given the placements that count in it. The
// windows are disjoint, and two of one object never meet. The placements are not changed and their order does not matter;
// those of one claim are told apart by Narrowed, Kind, Object and ID.
//
// At a valid time t the placements that cover t are ranked: what is not inferred before what is, then what began latest (at
// its HoldsAt, from then on), then the later own begin, then the more trusted, then the last recorded. The first assertion
// in that order holds, unless it is denied by what ranks above it: a retraction of its object or of whatever holds, or an
// open claim of another object that is over, because an end was told for it. The assertions of its object that follow it
// without a break support it.
//
// It takes O((n + s) log n) for n placements and windows with s supports in all; an object with k claims that others
// interrupt m times has m windows of k supports.
func Believe(placed []graph.Placement) []Window {
	return newSweep(pointers(placed), graph.Inferred, 0, temporal.Forever).windows(nil, nil)
}

// Disputed returns the windows of inferred claims that contradict what holds, in order of valid time: where only inferred
// claims would hold if they counted as reported, and Believe gives another object. Where nothing holds there is nothing to
// contradict. The Fact of such a window is the id of the claim recorded first, since no fact began with it.
func Disputed(placed []graph.Placement) []Window {
	if !slices.ContainsFunc(placed, func(p graph.Placement) bool { return p.Kind == graph.Assert && inferred(&p) }) {
		return nil
	}
	held := Believe(placed)
	var bounds []temporal.Instant
	for _, w := range held {
		bounds = append(bounds, w.Valid.From, w.Valid.End())
	}
	disputed := newSweep(pointers(placed), graph.Reported, 0, temporal.Forever).windows(bounds, func(now temporal.Instant, object graph.EntityID, firm bool) bool {
		for len(held) > 0 && held[0].Valid.End() <= now {
			held = held[1:]
		}
		return len(held) > 0 && held[0].Valid.Contains(now) && held[0].Object != object && !firm
	})
	for i, w := range disputed {
		disputed[i].Fact = w.Support[0].Claim
	}
	return disputed
}

// TakenBack reports whether a never among placed takes back p: one of its object (an empty object is one of its own),
// recorded after it, and not less trusted. A never is not taken back.
func TakenBack(p graph.Placement, placed []graph.Placement) bool {
	return slices.ContainsFunc(placed, func(n graph.Placement) bool {
		return n.Kind == graph.Never && p.Kind != graph.Never && n.Object == p.Object &&
			byRecord(&p, &n) < 0 && p.Trust.Rank() <= n.Trust.Rank()
	})
}

// byRecord orders placements by when their claims were recorded. Among those of one claim any order will do, if it is one.
func byRecord(p, q *graph.Placement) int {
	if c := cmp.Or(p.Rec.Compare(q.Rec), cmp.Compare(p.Claim, q.Claim)); c != 0 {
		return c
	}
	return cmp.Or(temporal.Compare(p.Narrowed, q.Narrowed), cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.Object, q.Object), cmp.Compare(p.ID, q.ID))
}

func inferred(p *graph.Placement) bool { return p.Trust.Rank() == graph.Inferred.Rank() }

// entry is a placement with what the rule derives from it.
type entry struct {
	*graph.Placement
	rec    int              // its place among the lane's entries in the order of record
	object int              // its object's number
	rank   int              // of its trust
	begin  temporal.Instant // Valid.From, or what an unknown begin is dated to
	closed temporal.Instant // an open claim is over from here; Forever if it is not
	window int              // the number of the last window it was added to
}

// whatever is the number of the empty object; the others' are higher.
const whatever = 1

// newEntries returns the placements that count, by record, and how many objects it numbered. Trust below least counts as least.
func newEntries(placed []*graph.Placement, least graph.Trust) ([]*entry, int) {
	all, entries := make([]entry, len(placed)), make([]*entry, len(placed))
	numbers := map[graph.EntityID]int{"": whatever}
	for i, p := range placed {
		if numbers[p.Object] == 0 {
			numbers[p.Object] = len(numbers) + 1
		}
		rank := max(p.Trust.Rank(), least.Rank())
		all[i] = entry{Placement: p, object: numbers[p.Object], rank: rank, begin: p.Valid.From, closed: temporal.Forever}
		entries[i] = &all[i]
	}
	slices.SortFunc(entries, func(a, b *entry) int { return byRecord(a.Placement, b.Placement) })
	for i, e := range entries {
		e.rec = i
	}
	return takeBack(entries), len(numbers)
}

// takeBack leaves out the nevers and what they take back, given entries by record.
func takeBack(entries []*entry) []*entry {
	never := map[int]int{} // of each object, one more than the highest rank of the nevers recorded later
	for i, e := range slices.Backward(entries) {
		if e.Kind == graph.Never {
			never[e.object] = max(never[e.object], e.rank+1)
		}
		if e.rank < never[e.object] {
			entries[i] = nil
		}
	}
	return slices.DeleteFunc(entries, func(e *entry) bool { return e == nil })
}

// dateUnknown lets assertions of one object with an unknown begin begin where the latest dated one begun before their end does.
func dateUnknown(asserts []*entry) {
	var begins []temporal.Instant
	for _, e := range asserts {
		if !e.Valid.From.IsZero() && e.rank > graph.Inferred.Rank() {
			begins = append(begins, e.Valid.From)
		}
	}
	slices.Sort(begins)
	for _, e := range asserts {
		if i, _ := slices.BinarySearch(begins, e.Valid.End()); e.Valid.From.IsZero() && i > 0 {
			e.begin = begins[i-1]
		}
	}
}

// closeOpen ends the open assertions of one object at the earliest end that another claim, not less trusted, states for it
// later than it was said to hold. A narrowed placement has its end already.
func closeOpen(asserts []*entry) {
	endings := make([][]*entry, graph.Stated.Rank()+1) // by rank
	for _, e := range asserts {
		if !e.Valid.Open() {
			endings[e.rank] = append(endings[e.rank], e)
		}
	}
	for _, list := range endings {
		slices.SortFunc(list, func(a, b *entry) int { return cmp.Compare(a.Valid.To, b.Valid.To) })
	}
	for _, e := range asserts {
		if !e.Valid.Open() || e.Narrowed != (temporal.Period{}) {
			continue
		}
		held := max(e.begin, e.HoldsAt)
		for _, list := range endings[e.rank:] {
			i := sort.Search(len(list), func(i int) bool { return list[i].Valid.To > held })
			for i < len(list) && list[i].Claim == e.Claim { // rare: a claim is open wherever it is placed, or nowhere
				i++
			}
			if i < len(list) {
				e.closed = min(e.closed, list[i].Valid.To)
			}
		}
	}
}

// stretch is a part of an entry's window over which it keeps its rank: before and from its HoldsAt, or over.
type stretch struct {
	*entry
	from, end temporal.Instant
	begun     temporal.Instant // the begin that it is ranked by
	over      bool
	place     int // in the order of rank, the highest last
	slot      int // in the order of object and rank
}

// stretches appends the entry's stretches within [from, end), at most three.
func (e *entry) stretches(out []stretch, from, end temporal.Instant) []stretch {
	from, end = max(from, e.begin, e.Narrowed.From), min(end, e.Valid.End(), e.Narrowed.End())
	for from < end {
		s := stretch{entry: e, from: from, end: end, begun: e.begin, over: e.closed <= from}
		switch {
		case e.HoldsAt > from:
			s.end = min(s.end, e.HoldsAt)
		case !e.HoldsAt.IsZero():
			s.begun = e.HoldsAt
		}
		if !s.over {
			s.end = min(s.end, e.closed)
		}
		out = append(out, s)
		from = s.end
	}
	return out
}

// byRank orders stretches that cover one time; the highest comes last.
func byRank(s, t stretch) int {
	if s.rank != t.rank && min(s.rank, t.rank) == graph.Inferred.Rank() {
		return cmp.Compare(s.rank, t.rank)
	}
	return cmp.Or(cmp.Compare(s.begun, t.begun), cmp.Compare(s.begin, t.begin), cmp.Compare(s.rank, t.rank), cmp.Compare(s.rec, t.rec))
}

// sweep walks a lane along valid time. Of the stretches that cover the present time it keeps what the rule asks for, each in
// an order that answers in O(log n), so that no list is walked again at every time.
type sweep struct {
	stretches []stretch // by rank: the index is the place
	bySlot    []int     // places, by slot
	first     []int     // the first slot of each object; the next object's is its end
	// stated says how precisely the times of the lane were stated, by those who were recorded first. Ends come before begins:
	// a begin may have no effect and explain nothing.
	stated map[temporal.Instant]temporal.Precision

	ranked  order // all, by place: assertions marked with their object, retractions mixed
	live    order // assertions that are not over, by place
	over    order // assertions that are over, by place
	denials order // retractions, by slot
	firm    order // live assertions that are not inferred, by slot
	waiting order // live assertions that are not in the present window yet, by slot

	out     []Window
	open    bool // the last of out has no end yet
	object  int  // its object
	support []*entry
	taken   []*stretch // through which the support came
}

// newSweep prepares a sweep over [from, end); trust below least counts as least.
func newSweep(placed []*graph.Placement, least graph.Trust, from, end temporal.Instant) *sweep {
	entries, objects := newEntries(placed, least)
	groups := make([][]*entry, objects+1)
	for _, e := range entries {
		if e.Kind == graph.Assert {
			groups[e.object] = append(groups[e.object], e)
		}
	}
	for _, group := range groups {
		dateUnknown(group)
		closeOpen(group)
	}
	s := &sweep{stretches: make([]stretch, 0, 2*len(entries)), stated: map[temporal.Instant]temporal.Precision{}}
	for _, e := range entries {
		s.stretches = e.stretches(s.stretches, from, end)
	}
	slices.SortFunc(s.stretches, byRank)
	s.number(objects)
	for _, e := range slices.Backward(entries) {
		s.stated[e.Valid.From] = e.Precision.From
	}
	for _, e := range slices.Backward(entries) {
		s.stated[e.Valid.End()] = e.Precision.To
	}
	n := len(s.stretches)
	s.ranked, s.live, s.over = newOrder(n), newOrder(n), newOrder(n)
	s.denials, s.firm, s.waiting = newOrder(n), newOrder(n), newOrder(n)
	return s
}

// number gives the stretches, sorted by rank, their places and slots.
func (s *sweep) number(objects int) {
	s.first = make([]int, objects+2)
	for _, t := range s.stretches {
		s.first[t.object+1]++
	}
	for object := range objects {
		s.first[object+2] += s.first[object+1]
	}
	next := slices.Clone(s.first)
	s.bySlot = make([]int, len(s.stretches))
	for i := range s.stretches {
		t := &s.stretches[i]
		t.place, t.slot = i, next[t.object]
		next[t.object]++
		s.bySlot[t.slot] = i
	}
}

// admission says whether the head of a time is to hold: an object that is asserted by what is more than inferred (firm), or not.
type admission func(now temporal.Instant, object graph.EntityID, firm bool) bool

// windows sweeps, and may be called once. A head that is not admitted counts as nothing; bounds are the
// times at which admit may change its mind, and it is asked in order of time. If it is nil, every head is admitted.
func (s *sweep) windows(bounds []temporal.Instant, admit admission) []Window {
	type event struct {
		at     temporal.Instant
		begins bool
		*stretch
	}
	events := make([]event, 0, 2*len(s.stretches)+len(bounds))
	for i := range s.stretches {
		t := &s.stretches[i]
		events = append(events, event{t.from, true, t}, event{t.end, false, t})
	}
	for _, t := range bounds {
		events = append(events, event{at: t})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	for len(events) > 0 && events[0].at < temporal.Forever {
		now := events[0].at
		for ; len(events) > 0 && events[0].at == now; events = events[1:] {
			if t := events[0].stretch; t != nil {
				s.mark(t, events[0].begins)
			}
		}
		head, limit := s.head()
		if head != nil && admit != nil && !admit(now, head.Object, s.top(s.firm, head.object) > limit) {
			head = nil
		}
		s.show(now, head, limit)
	}
	s.close(temporal.Forever)
	return s.out
}

// mark notes that a stretch begins or ends to cover the present time.
func (s *sweep) mark(t *stretch, covers bool) {
	object, retraction, yes := t.object, mixed, 1
	if !covers {
		object, retraction, yes = none, none, none
	}
	switch {
	case t.Kind == graph.Retract:
		s.ranked.set(t.place, retraction)
		s.denials.set(t.slot, yes)
		return
	case t.over:
		s.over.set(t.place, yes)
	default:
		s.live.set(t.place, yes)
		s.waiting.set(t.slot, yes)
		if !inferred(t.Placement) {
			s.firm.set(t.slot, yes)
		}
	}
	s.ranked.set(t.place, object)
}

// head returns the highest of the assertions that hold, and the place under which none supports it; nil if nothing holds.
func (s *sweep) head() (*stretch, int) {
	place := s.live.below(len(s.stretches), none)
	if place < 0 {
		return nil, 0
	}
	head := &s.stretches[place]
	if max(s.top(s.denials, whatever), s.top(s.denials, head.object)) > place {
		return nil, 0
	}
	// An end was told for what is over. Only its own object may follow: another one must not come back for that.
	if over := s.over.below(len(s.stretches), none); over > place && s.stretches[over].object != head.object {
		return nil, 0
	}
	return head, s.ranked.below(place, head.object)
}

// top returns the highest place of an object in an order by slot; -1 if it has none.
func (s *sweep) top(by order, object int) int {
	slot := by.below(s.first[object+1], none)
	if slot < s.first[object] {
		return -1
	}
	return s.bySlot[slot]
}

// show lets the head hold from now on.
func (s *sweep) show(now temporal.Instant, head *stretch, limit int) {
	if s.open && (head == nil || head.object != s.object) {
		s.close(now)
	}
	if head == nil {
		return
	}
	if !s.open {
		s.open, s.object = true, head.object
		s.out = append(s.out, Window{Object: head.Object, Valid: temporal.Period{From: now}})
	}
	for {
		place := s.top(s.waiting, head.object)
		if place <= limit {
			return
		}
		t := &s.stretches[place]
		s.waiting.set(t.slot, none)
		s.taken = append(s.taken, t)
		if t.window != len(s.out) {
			t.window = len(s.out)
			s.support = append(s.support, t.entry)
		}
	}
}

// close ends the open window, if there is one.
func (s *sweep) close(now temporal.Instant) {
	if !s.open {
		return
	}
	w := &s.out[len(s.out)-1]
	if now != temporal.Forever {
		w.Valid.To = now
	}
	slices.SortFunc(s.support, func(a, b *entry) int { return cmp.Compare(a.rec, b.rec) })
	w.Muted = true
	w.Support = make([]graph.Placement, len(s.support))
	for i, e := range s.support {
		w.Support[i] = *e.Placement
		w.Muted = w.Muted && e.Muted
	}
	w.Fact = w.Support[0].Fact
	w.Precision = precision(w, s.stated)
	for _, t := range s.taken {
		if t.end > now {
			s.waiting.set(t.slot, 1)
		}
	}
	s.open, s.support, s.taken = false, s.support[:0], s.taken[:0]
}

// precision says how precisely a window's bounds are known: by what supports it, else by what else begins or ends there.
func precision(w *Window, stated map[temporal.Instant]temporal.Precision) graph.Bounds {
	from, to := w.Valid.From, w.Valid.To
	bounds := graph.Bounds{From: stated[from], To: stated[to]}
	for i := range w.Support {
		if w.Support[i].HoldsAt == from {
			bounds.From = ""
		}
	}
	for i := len(w.Support) - 1; i >= 0; i-- {
		p := &w.Support[i]
		if p.Valid.From == from {
			bounds.From = p.Precision.From
		}
		if p.Valid.To == to {
			bounds.To = p.Precision.To
		}
	}
	if from.IsZero() {
		bounds.From = temporal.Unknown
	}
	if to.IsZero() {
		bounds.To = ""
	}
	return bounds
}

// order is a set of marked numbers that finds the highest one below another. It is a complete binary tree: the leaves hold
// the marks, the nodes above what their leaves have in common.
type order struct{ marks []int }

const (
	none  = 0  // no mark
	mixed = -1 // different marks
)

// newOrder returns an empty order of the numbers from 0 to n-1.
func newOrder(n int) order {
	size := 1
	for size <= n { // one more, for below(n)
		size *= 2
	}
	return order{make([]int, 2*size)}
}

// set marks a number; none takes it out.
func (o order) set(i, mark int) {
	for i += len(o.marks) / 2; i > 0 && o.marks[i] != mark; i /= 2 {
		o.marks[i] = mark
		switch sibling := o.marks[i^1]; {
		case mark == none:
			mark = sibling
		case sibling != none && sibling != mark:
			mark = mixed
		}
	}
}

// below returns the highest number below i whose mark is not skip; -1 if there is none.
func (o order) below(i, skip int) int {
	leaves := len(o.marks) / 2
	other := func(i int) bool { return o.marks[i] != none && o.marks[i] != skip }
	for i += leaves; i > 1; i /= 2 {
		if i%2 == 0 || !other(i-1) {
			continue
		}
		for i--; i < leaves; {
			i = 2*i + 1
			if !other(i) {
				i--
			}
		}
		return i - leaves
	}
	return -1
}
