package belief

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Differences returns what each change began, ended and changed: the windows of the lanes it touched just after its place
// in the log against those just before.
func Differences(ctx context.Context, r graph.Reader, changes []graph.Change) ([]Difference, error) {
	lanes := map[graph.Lane]bool{}
	for _, c := range changes {
		for _, key := range c.Lanes {
			lanes[key] = true
		}
	}
	h, err := readHistory(ctx, r, slices.SortedFunc(maps.Keys(lanes), graph.Lane.Compare))
	if err != nil {
		return nil, err
	}
	out := make([]Difference, len(changes))
	var ids []graph.ClaimID
	for i, c := range changes {
		out[i] = h.difference(c)
		out[i].each(func(f *graph.Fact, _ bool) { ids = append(ids, f.Version.Fact) })
	}
	slices.Sort(ids)
	stored, err := r.VersionsOf(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].each(func(f *graph.Fact, after bool) { adopt(f, stored, out[i].At.Tx, after) })
	}
	return out, nil
}

// each calls f for each fact of the difference, saying whether it is as it was after the change.
func (d *Difference) each(f func(fact *graph.Fact, after bool)) {
	for i := range d.Begun {
		f(&d.Begun[i], true)
	}
	for i := range d.Ended {
		f(&d.Ended[i], d.Ended[i].Tx.From == d.At.Tx)
	}
	for i := range d.Changed {
		f(&d.Changed[i].Before, false)
		f(&d.Changed[i].After, true)
	}
}

// adopt gives a fact the version that was believed then. A window that one request both began and altered again has none.
func adopt(f *graph.Fact, stored []graph.Version, tx temporal.Instant, after bool) {
	for _, v := range stored {
		if !facts.SameWindow(v, f.Version) {
			continue
		}
		if after && v.Tx.Contains(tx) || !after && v.Tx.From < tx && tx <= v.Tx.End() {
			f.Version = v
			return
		}
	}
}

// history is all that lanes ever held.
type history struct {
	scope  graph.Scope
	lanes  map[graph.Lane][]graph.Placement
	worlds []facts.World
	in     facts.Context
}

func readHistory(ctx context.Context, r graph.Reader, keys []graph.Lane) (history, error) {
	laws, err := ReadLaws(ctx, r)
	if err != nil {
		return history{}, err
	}
	h := history{scope: r.View().Scope, lanes: map[graph.Lane][]graph.Placement{}, worlds: laws.Worlds()}
	if len(keys) == 0 {
		return h, nil
	}
	rows, err := r.ListPlacements(ctx, graph.PlacementFilter{Lanes: keys})
	if err != nil {
		return history{}, err
	}
	claims, entities := map[graph.ClaimID]bool{}, map[graph.EntityID]bool{}
	for _, p := range rows {
		h.lanes[p.Lane] = append(h.lanes[p.Lane], p)
		claims[p.Claim], entities[p.Subject], entities[p.Object] = true, true, true
	}
	delete(entities, "")
	if h.in.Claims, err = r.Claims(ctx, slices.Sorted(maps.Keys(claims))); err != nil {
		return history{}, err
	}
	h.in.Entities, err = r.Entities(ctx, slices.Sorted(maps.Keys(entities)))
	return h, err
}

// difference compares the lanes of a change before and after it.
func (h history) difference(c graph.Change) Difference {
	var was, is []graph.Version
	versions := map[graph.VersionID]graph.Fact{}
	for _, w := range h.worlds {
		if w.From.Compare(c.At) < 0 {
			h.in.World = w
		}
	}
	for _, key := range c.Lanes {
		was = append(was, h.fold(key, before(h.lanes[key], c.At), c, temporal.Period{To: c.At.Tx}, versions)...)
	}
	for _, w := range h.worlds { // a merge or a declaration makes another one
		if w.From.Compare(c.At) <= 0 {
			h.in.World = w
		}
	}
	for _, key := range c.Lanes {
		is = append(is, h.fold(key, after(h.lanes[key], c.At), c, temporal.Period{From: c.At.Tx}, versions)...)
	}
	d := facts.Compare(was, is)
	out := Difference{Change: c}
	for _, v := range d.Begun {
		out.Begun = append(out.Begun, versions[v.ID])
	}
	for _, v := range d.Ended {
		out.Ended = append(out.Ended, versions[v.ID])
	}
	for _, pair := range d.Changed {
		out.Changed = append(out.Changed, Pair{versions[pair[0].ID], versions[pair[1].ID]})
	}
	return out
}

// fold gives the windows of a lane on one side of a change, and keeps them as facts under the ids they get here.
func (h history) fold(key graph.Lane, rows []graph.Placement, c graph.Change, tx temporal.Period, kept map[graph.VersionID]graph.Fact) []graph.Version {
	d := newWardrobe(h.scope, h.in)
	d.lay(key, rows)
	out := make([]graph.Version, len(d.windows[key]))
	for i, w := range d.windows[key] {
		v := facts.Content(key, w, h.in)
		v.Tx = tx
		v.ID = graph.VersionID(strconv.Itoa(len(kept)))
		kept[v.ID] = d.fact(v, temporal.AsOf{Valid: c.At.Tx})
		out[i] = v
	}
	return out
}
