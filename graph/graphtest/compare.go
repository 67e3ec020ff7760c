package graphtest

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tenure/graph"
	"tenure/temporal"
)

// compare compares all that the store holds of the history with what the model gives.
func (p *player) compare() error {
	r, err := p.store.Snapshot(p.ctx, graph.View{Scope: p.scope})
	if err != nil {
		return err
	}
	for _, check := range []func(graph.Reader) error{p.compareChanges, p.compareClaims, p.comparePlacements, p.compareVersions, p.sampleVersions} {
		if err := check(r); err != nil {
			return err
		}
	}
	for _, sample := range []func(graph.Reader) error{p.sampleFacts, p.sampleDifferences, p.sampleIDs} {
		if !chance(p.t.Rand, 40) { // each costs some round trips
			continue
		}
		if err := sample(r); err != nil {
			return err
		}
	}
	return nil
}

// diff is what tells two values apart, as an error; nil if nothing does.
func diff(what string, got, want any) error {
	if reflect.DeepEqual(got, want) { // nearly always, and much sooner said
		return nil
	}
	if d := gocmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		return fmt.Errorf("%s (-want +got):\n%s", what, d)
	}
	return nil
}

// compareClaims compares what was said, and of whom.
func (p *player) compareClaims(r graph.Reader) error {
	claims, err := r.ListClaims(p.ctx, graph.ClaimFilter{})
	if err != nil {
		return err
	}
	if err := diff("claims", normal(claims), normal(p.m.claims)); err != nil {
		return err
	}
	entities, err := r.ListEntities(p.ctx, graph.EntityFilter{})
	if err != nil {
		return err
	}
	named := slices.SortedFunc(maps.Values(p.m.entities), func(a, b graph.Entity) int { return cmp.Compare(a.ID, b.ID) })
	return diff("entities", entities, named)
}

// compareChanges compares what was done, and keeps the changes as the store has them.
func (p *player) compareChanges(r graph.Reader) error {
	changes, err := r.ListChanges(p.ctx, graph.ChangeFilter{})
	if err != nil {
		return err
	}
	p.changes = changes
	want := slices.Clone(p.m.changes)
	latest := p.m.latest()
	for i := range want {
		want[i].Standing = latest.stands(want[i].ID)
	}
	got := slices.Clone(changes)
	for i := range got {
		got[i].Lanes, got[i].Counts = nil, nil
	}
	return diff("changes", got, want)
}

// normal makes claims comparable: "", nil and empty are one value, and claims of one place come by id.
func normal(claims []graph.Claim) []graph.Claim {
	out := slices.Clone(claims)
	for i, c := range out {
		if len(c.Sources) == 0 {
			out[i].Sources = nil
		}
		if len(c.Replaces) == 0 {
			out[i].Replaces = nil
		}
	}
	slices.SortFunc(out, func(a, b graph.Claim) int { return cmp.Or(a.Logged.Compare(b.Logged), cmp.Compare(a.ID, b.ID)) })
	return out
}

// comparePlacements compares where claims count just after every place in the log.
func (p *player) comparePlacements(r graph.Reader) error {
	rows, err := r.ListPlacements(p.ctx, graph.PlacementFilter{})
	if err != nil {
		return err
	}
	for i, at := range p.m.places {
		var got []graph.Placement
		for _, row := range rows {
			if row.CountsAfter(at) {
				got = append(got, row)
			}
		}
		if got, want := bare(got), bare(p.m.after(at).rows()); slices.Equal(got, want) {
			continue
		}
		if err := diff(fmt.Sprintf("placements after place %d of %d, %s.%d", i+1, len(p.m.places), at.Tx, at.Seq), bare(got), bare(p.m.after(at).rows())); err != nil {
			return err
		}
	}
	return nil
}

// bare leaves out of placements what says only when they count, and sorts them.
func bare(rows []graph.Placement) []graph.Placement {
	out := slices.Clone(rows)
	for i := range out {
		out[i].ID, out[i].From, out[i].To = "", graph.Pos{}, graph.Pos{}
	}
	slices.SortFunc(out, func(a, b graph.Placement) int {
		return cmp.Or(cmp.Compare(a.Claim, b.Claim), a.Lane.Compare(b.Lane), temporal.Compare(a.Narrowed, b.Narrowed),
			temporal.Compare(a.Valid, b.Valid), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

// compareVersions compares what was believed over all of transaction time.
func (p *player) compareVersions(r graph.Reader) error {
	want := p.m.versions()
	var facts []graph.ClaimID
	for _, v := range want {
		facts = union(facts, []graph.ClaimID{v.Fact})
	}
	for _, f := range []graph.VersionFilter{{Hidden: graph.WithHidden}, {Hidden: graph.WithHidden, Gone: true}} {
		found, err := r.Versions(p.ctx, f)
		if err != nil {
			return err
		}
		for _, v := range found {
			facts = union(facts, []graph.ClaimID{v.Fact})
		}
	}
	got, err := r.VersionsOf(p.ctx, facts)
	if err != nil {
		return err
	}
	p.versions = got
	if err := p.checkCauses(); err != nil {
		return err
	}
	return diff("versions", stripped(got), stripped(want))
}

// stripped leaves out of versions what stores make up, and sorts them.
func stripped(versions []graph.Version) []graph.Version {
	out := slices.Clone(versions)
	for i := range out {
		out[i].ID, out[i].Begun, out[i].Ended = "", "", ""
	}
	slices.SortFunc(out, func(a, b graph.Version) int {
		return cmp.Or(a.Lane.Compare(b.Lane), temporal.Compare(a.Tx, b.Tx), temporal.Compare(a.Valid, b.Valid), cmp.Compare(a.Fact, b.Fact))
	})
	return out
}

// checkCauses checks that the change which began or ended a version was made then and touched its lane.
func (p *player) checkCauses() error {
	for _, v := range p.versions {
		for _, end := range []struct {
			id graph.ChangeID
			tx temporal.Instant
		}{{v.Begun, v.Tx.From}, {v.Ended, v.Tx.To}} {
			if end.tx == 0 && end.id == "" || end.id == "" && p.m.erased {
				continue // what made it a change may have been erased
			}
			i := slices.IndexFunc(p.changes, func(c graph.Change) bool { return c.ID == end.id })
			if i < 0 || p.changes[i].At.Tx != end.tx || !slices.Contains(p.changes[i].Lanes, v.Lane) {
				return fmt.Errorf("version %s %s of fact %s: change %q is none that touched its lane at %s", v.Lane.Predicate, v.Valid, v.Fact, end.id, end.tx)
			}
		}
	}
	return nil
}
