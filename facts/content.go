package facts

import (
	"cmp"
	"slices"

	"tenure/graph"
	"tenure/temporal"
)

// What a fact is when neither a claim nor the registry says.
const (
	DefaultType       = "semantic"
	DefaultImportance = 0.5
)

// Context is what it takes to put a window in words.
type Context struct {
	World    World
	Claims   map[graph.ClaimID]graph.Claim
	Entities map[graph.EntityID]graph.Entity // after merges
}

// Content makes the version of a window of a lane, without id, transaction time and changes. Its text, type and importance come from
// the latest correction among its claims, else from the earliest recorded of the most trusted that state them, else from
// the registry: so a source that says the same again in other words changes nothing.
func Content(lane graph.Lane, w Window, in Context) graph.Version {
	head := w.Support[0]
	told := in.Claims[head.Claim]
	v := graph.Version{
		Fact: w.Fact, Lane: lane, Valid: w.Valid, Precision: w.Precision, Hidden: w.Muted,
		Subject: head.Subject, Predicate: head.Predicate, Object: head.Object,
	}
	if p := in.World.Registry().Get(v.Predicate); p.Symmetric && in.World.Resolve(told.Subject) == v.Object {
		v.Subject, v.Object = v.Object, v.Subject // as it was first told
	}
	claims := make([]graph.Claim, 0, len(w.Support))
	for _, p := range w.Support {
		c := in.Claims[p.Claim]
		claims = append(claims, c)
		if c.Trust.Rank() > v.Trust.Rank() || v.Trust == "" {
			v.Trust = c.Trust
		}
	}
	slices.SortStableFunc(claims, tellingFirst)
	predicate := in.World.Registry().Get(v.Predicate)
	v.Type = cmp.Or(predicate.Type, DefaultType)
	v.Importance = DefaultImportance
	if predicate.Importance != nil {
		v.Importance = *predicate.Importance
	}
	for _, c := range slices.Backward(claims) { // the most telling last, so that it has the last word
		v.Text = cmp.Or(c.Text, v.Text)
		v.Type = cmp.Or(c.Type, v.Type)
		if c.Importance != nil {
			v.Importance = *c.Importance
		}
	}
	if v.Text == "" {
		v.Text = in.World.Registry().Sentence(predicate, in.Entities[v.Subject].Name, in.Entities[v.Object].Name)
	}
	return v
}

// tellingFirst orders claims by whose words count: corrections, the latest first; then by trust, the earliest recorded first.
func tellingFirst(a, b graph.Claim) int {
	if a.Correction != b.Correction {
		if a.Correction {
			return -1
		}
		return 1
	}
	byPlace := cmp.Or(a.Rec.Compare(b.Rec), cmp.Compare(a.ID, b.ID))
	if a.Correction {
		return -byPlace
	}
	return cmp.Or(cmp.Compare(b.Trust.Rank(), a.Trust.Rank()), byPlace)
}

// Difference is what tells the windows of some lanes before an operation from those after it.
type Difference struct {
	Begun   []graph.Version    // new windows
	Ended   []graph.Version    // windows closed (as they are now) or gone (as they were)
	Changed [][2]graph.Version // windows extended, resumed, split or with other content: before and after
}

// Empty reports whether nothing differs.
func (d Difference) Empty() bool { return len(d.Begun)+len(d.Ended)+len(d.Changed) == 0 }

// Compare returns the difference between the windows of the same lanes at two places in the log. A window goes on as the
// one of its fact with the same begin, else as another of its fact.
func Compare(before, after []graph.Version) Difference {
	var d Difference
	// Long lanes differ in few places: what is the same at both ends needs no matching.
	head := 0
	for head < min(len(before), len(after)) && SameWindow(before[head], after[head]) {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && SameWindow(before[len(before)-1-tail], after[len(after)-1-tail]) {
		tail++
	}
	gone := slices.Clone(before[head : len(before)-tail])
	take := func(match func(graph.Version) bool) (graph.Version, bool) {
		i := slices.IndexFunc(gone, match)
		if i < 0 {
			return graph.Version{}, false
		}
		v := gone[i]
		gone = slices.Delete(gone, i, i+1)
		return v, true
	}
	var rest []graph.Version
	for _, a := range after[head : len(after)-tail] {
		b, ok := take(func(b graph.Version) bool { return fact(a, b) && a.Valid.From == b.Valid.From })
		switch {
		case !ok:
			rest = append(rest, a)
		case SameWindow(a, inLane(b, a.Lane)): // a declaration may have moved it, which nobody sees
		case closed(a, b, after):
			d.Ended = append(d.Ended, a)
		default:
			d.Changed = append(d.Changed, [2]graph.Version{b, a})
		}
	}
	for _, a := range rest {
		sibling := func(b graph.Version) bool { return fact(a, b) }
		if b, ok := take(sibling); ok {
			d.Changed = append(d.Changed, [2]graph.Version{b, a})
		} else if i := slices.IndexFunc(before, sibling); i >= 0 {
			d.Changed = append(d.Changed, [2]graph.Version{before[i], a}) // split, or resumed
		} else {
			d.Begun = append(d.Begun, a)
		}
	}
	d.Ended = append(d.Ended, gone...)
	return d
}

func inLane(v graph.Version, lane graph.Lane) graph.Version {
	v.Lane = lane
	return v
}

// closed reports whether a is b with an earlier end, and b does not go on later.
func closed(a, b graph.Version, after []graph.Version) bool {
	return SameContent(a, inLane(b, a.Lane)) && a.Valid.End() < b.Valid.End() && !slices.ContainsFunc(after, func(x graph.Version) bool {
		return fact(a, x) && x.Valid.From >= a.Valid.End() && x.Valid.Overlaps(b.Valid)
	})
}

// fact reports whether two versions are windows of one fact.
func fact(a, b graph.Version) bool { return a.Fact == b.Fact }

// SameContent reports whether two versions of a window say the same to a reader, whatever their window and transaction time.
func SameContent(a, b graph.Version) bool {
	a.ID, a.Valid, a.Tx, a.Begun, a.Ended, a.Precision = b.ID, b.Valid, b.Tx, b.Begun, b.Ended, b.Precision
	return a == b
}

// SameWindow reports whether two versions are one: the same window of the same fact with the same content.
func SameWindow(a, b graph.Version) bool {
	return a.Valid == b.Valid && a.Precision == b.Precision && SameContent(a, b)
}

// StateOf says how a window stands to a valid time; zero asks for any, and is answered as of now.
func StateOf(v graph.Version, at temporal.Instant) graph.State {
	switch {
	case v.Hidden:
		return graph.StateForgotten
	case v.Valid.Contains(at):
		return graph.Current
	case v.Valid.End() <= at:
		return graph.Past
	default:
		return graph.Future
	}
}
