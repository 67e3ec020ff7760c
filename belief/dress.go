package belief

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// Dress makes facts of versions believed at the as-of's transaction time (or, if they no longer are, of retracted ones): with
// their entities, the claims that support them and what stands beside them, in the same order. A zero valid time in the as-of
// asks for any; states are then as of the window itself.
func Dress(ctx context.Context, r graph.Reader, versions []graph.Version, at temporal.AsOf) ([]graph.Fact, error) {
	world, err := World(ctx, r)
	if err != nil {
		return nil, err
	}
	return DressIn(ctx, r, world, versions, at)
}

// DressIn is Dress for a caller that has read the world in force.
func DressIn(ctx context.Context, r graph.Reader, world facts.World, versions []graph.Version, at temporal.AsOf) ([]graph.Fact, error) {
	d, err := read(ctx, r, world, versions, at.Tx)
	if err != nil {
		return nil, err
	}
	out := make([]graph.Fact, len(versions))
	for i, v := range versions {
		out[i] = d.fact(v, at)
	}
	return out, nil
}

// DisputedFacts returns the windows of inferred claims that contradict what holds, in the lanes that the filter selects, as
// facts of state disputed, by (valid_from, valid_to, id). The filter's Trust and CountsAt are set here.
func DisputedFacts(ctx context.Context, r graph.Reader, filter graph.PlacementFilter, at temporal.AsOf) ([]graph.Fact, error) {
	filter.Trust, filter.CountsAt = graph.Inferred, at.Tx
	rows, err := r.ListPlacements(ctx, filter)
	if err != nil {
		return nil, err
	}
	var versions []graph.Version
	for _, p := range rows {
		if p.Own && p.Kind == graph.Assert {
			versions = append(versions, graph.Version{Lane: p.Lane, Subject: p.Subject, Object: p.Object})
		}
	}
	world, err := WorldAt(ctx, r, at.Tx)
	if err != nil {
		return nil, err
	}
	d, err := read(ctx, r, world, versions, at.Tx)
	if err != nil {
		return nil, err
	}
	var out []graph.Fact
	for _, key := range slices.SortedFunc(maps.Keys(d.disputes), graph.Lane.Compare) {
		for _, w := range d.disputes[key] {
			if at.Any || w.Valid.Contains(at.Valid) {
				out = append(out, d.disputed(key, w, at))
			}
		}
	}
	slices.SortFunc(out, func(a, b graph.Fact) int {
		return cmp.Or(temporal.Compare(a.Valid, b.Valid), cmp.Compare(a.Fact, b.Fact))
	})
	return out, nil
}

// wardrobe is what it takes to dress versions of some lanes at one transaction time.
type wardrobe struct {
	scope    graph.Scope
	lanes    map[graph.Lane][]graph.Placement // that count
	windows  map[graph.Lane][]facts.Window
	disputes map[graph.Lane][]facts.Window
	in       facts.Context
}

// lay adds a lane with the placements that count in it.
func (d wardrobe) lay(key graph.Lane, rows []graph.Placement) {
	d.lanes[key], d.windows[key] = rows, facts.Believe(rows)
	if slices.ContainsFunc(rows, func(p graph.Placement) bool { return p.Trust == graph.Inferred }) {
		d.disputes[key] = facts.Disputed(rows)
	}
}

func newWardrobe(scope graph.Scope, in facts.Context) wardrobe {
	return wardrobe{
		scope: scope, lanes: map[graph.Lane][]graph.Placement{}, in: in,
		windows: map[graph.Lane][]facts.Window{}, disputes: map[graph.Lane][]facts.Window{},
	}
}

// read reads the lanes of the versions, with the claims and entities that dressing the versions, or disputes of them, takes.
func read(ctx context.Context, r graph.Reader, world facts.World, versions []graph.Version, tx temporal.Instant) (wardrobe, error) {
	d := newWardrobe(r.View().Scope, facts.Context{World: world})
	wanted := map[graph.Lane]map[graph.ClaimID]bool{} // of each lane, the facts to dress
	entities := map[graph.EntityID]bool{}
	for _, v := range versions {
		if wanted[v.Lane] == nil {
			wanted[v.Lane] = map[graph.ClaimID]bool{}
		}
		wanted[v.Lane][v.Fact] = true
		entities[v.Subject], entities[v.Object] = true, true
	}
	if len(wanted) == 0 {
		return d, nil
	}
	rows, err := r.ListPlacements(ctx, graph.PlacementFilter{Lanes: slices.SortedFunc(maps.Keys(wanted), graph.Lane.Compare), CountsAt: tx})
	if err != nil {
		return wardrobe{}, err
	}
	for _, p := range rows {
		d.lanes[p.Lane] = append(d.lanes[p.Lane], p)
	}
	claims := map[graph.ClaimID]bool{}
	for key, rows := range d.lanes {
		d.lay(key, rows)
		// A long lane has many windows; only those asked for, and what disputes them, are looked at closely.
		for _, w := range slices.Concat(d.windows[key], d.disputes[key]) {
			if !wanted[key][w.Fact] && len(d.disputes[key]) == 0 {
				continue
			}
			for _, p := range w.Support {
				claims[p.Claim], entities[p.Subject], entities[p.Object] = true, true, true
			}
		}
	}
	if d.in.Claims, err = r.Claims(ctx, slices.Sorted(maps.Keys(claims))); err != nil {
		return wardrobe{}, err
	}
	delete(entities, "")
	d.in.Entities, err = r.Entities(ctx, slices.Sorted(maps.Keys(entities)))
	return d, err
}

// fact dresses one version.
func (d wardrobe) fact(v graph.Version, at temporal.AsOf) graph.Fact {
	f := graph.Fact{Version: v, Scope: d.scope, SubjectNode: d.in.Entities[v.Subject], ObjectNode: d.in.Entities[v.Object], Corroborated: v.Valid.From}
	f.State = facts.StateOf(v, at.Valid)
	windows := d.windows[v.Lane]
	i := slices.IndexFunc(windows, func(w facts.Window) bool { return w.Fact == v.Fact && w.Valid == v.Valid })
	if i < 0 {
		f.State = graph.StateRetracted
		return f
	}
	d.support(&f, windows[i])
	if i > 0 && windows[i-1].Valid.Meets(v.Valid) {
		f.Supersedes = append(f.Supersedes, windows[i-1].Fact)
	}
	if i+1 < len(windows) && v.Valid.Meets(windows[i+1].Valid) {
		f.SupersededBy = windows[i+1].Fact
	}
	for _, p := range d.lanes[v.Lane] {
		if !p.Own && f.SupersededBy == "" && !v.Valid.Open() && p.Valid.From == v.Valid.To && p.Object == windows[i].Object {
			f.SupersededBy = p.Fact // a claim of another lane ended it
		}
	}
	for _, w := range d.disputes[v.Lane] {
		if w.Valid.Overlaps(v.Valid) {
			f.Conflicts = append(f.Conflicts, w.Fact)
		}
	}
	return f
}

// support fills in what rests on the claims of the window.
func (d wardrobe) support(f *graph.Fact, w facts.Window) {
	claims := make([]graph.Claim, 0, len(w.Support))
	for _, p := range w.Support {
		f.Claims = append(f.Claims, p.Claim)
		c := d.in.Claims[p.Claim]
		claims = append(claims, c)
		f.Corroborated = max(f.Corroborated, c.Valid.From, c.HoldsAt)
		for _, id := range c.Replaces {
			if !slices.Contains(f.Supersedes, id) {
				f.Supersedes = append(f.Supersedes, id)
			}
		}
	}
	// The most telling source comes first: what was stated before what was reported, a quoted one before one without.
	slices.SortStableFunc(claims, func(a, b graph.Claim) int { return cmp.Compare(b.Trust.Rank(), a.Trust.Rank()) })
	for _, c := range claims {
		for _, s := range c.Sources {
			if !slices.ContainsFunc(f.Sources, func(t graph.Source) bool { return t.Episode == s.Episode && (t.Quote == s.Quote || s.Quote == "") }) {
				f.Sources = append(f.Sources, s)
			}
		}
	}
}

// disputed dresses the window of an inferred claim that contradicts what holds.
func (d wardrobe) disputed(key graph.Lane, w facts.Window, at temporal.AsOf) graph.Fact {
	v := facts.Content(key, w, d.in)
	v.Tx = temporal.Period{From: w.Support[0].From.Tx}
	f := graph.Fact{Version: v, Scope: d.scope, SubjectNode: d.in.Entities[v.Subject], ObjectNode: d.in.Entities[v.Object], State: graph.StateDisputed}
	d.support(&f, w)
	return f
}
