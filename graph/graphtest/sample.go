package graphtest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"tenure/belief"
	"tenure/facts"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// someTx is a transaction time at or between requests.
func (p *player) someTx() temporal.Instant {
	if len(p.m.places) == 0 || chance(p.t.Rand, 30) {
		return 0
	}
	return one(p.t.Rand, p.m.places).Tx + temporal.Instant(p.t.IntN(2))
}

// at are the versions believed at a transaction time, in the order of versions, as they were then.
func (p *player) at(tx temporal.Instant) []graph.Version {
	var out []graph.Version
	for _, v := range p.versions {
		if v.Tx.Contains(tx) {
			v.Tx.To, v.Ended = 0, ""
			out = append(out, v)
		}
	}
	slices.SortFunc(out, byKey)
	return out
}

// byKey is the order of versions.
func byKey(a, b graph.Version) int {
	return cmp.Or(temporal.Compare(a.Valid, b.Valid), cmp.Compare(a.Fact, b.Fact), cmp.Compare(a.ID, b.ID))
}

// filter draws a filter.
func (p *player) filter() graph.VersionFilter {
	t := p.t
	f := graph.VersionFilter{Hidden: graph.Hiding(t.IntN(3))}
	some := func() temporal.Instant { return one(t.Rand, t.instants) + temporal.Instant(t.IntN(3)-1) }
	switch t.IntN(9) {
	case 0:
		f.Subjects = []graph.EntityID{t.thing(), t.thing()}
	case 1:
		f.Objects = []graph.EntityID{t.thing()}
	case 2:
		f.Predicates = draw(t.Rand, 1, t.predicates...)
	case 3:
		f.Types = []string{one(t.Rand, []string{facts.Semantic, facts.Episodic, facts.Preference})}
	case 4:
		for _, v := range p.versions {
			if chance(t.Rand, 20) {
				f.Lanes = append(f.Lanes, v.Lane)
			}
		}
	case 5:
		f.BeginsFrom, f.EndsBefore = some(), some()
	case 6:
		f.BeginsBefore = some()
	case 7:
		f.EndsFrom = some()
	}
	if chance(t.Rand, 50) {
		f.Valid = some()
	}
	return f
}

// passes reports whether a version passes a filter, leaving its Gone, After and Limit aside.
func passes(f graph.VersionFilter, v graph.Version) bool {
	in := func(ok bool, n int) bool { return n == 0 || ok }
	return in(slices.Contains(f.Subjects, v.Subject), len(f.Subjects)) && in(slices.Contains(f.Objects, v.Object), len(f.Objects)) &&
		in(slices.Contains(f.Predicates, v.Predicate), len(f.Predicates)) && in(slices.Contains(f.Types, v.Type), len(f.Types)) &&
		in(slices.Contains(f.Lanes, v.Lane), len(f.Lanes)) &&
		(f.Hidden == graph.WithHidden || v.Hidden == (f.Hidden == graph.OnlyHidden)) &&
		(f.Valid == 0 || v.Valid.From <= f.Valid && (v.Valid.To == 0 || f.Valid < v.Valid.To)) &&
		(f.BeginsFrom == 0 || f.BeginsFrom <= v.Valid.From) && (f.BeginsBefore == 0 || v.Valid.From < f.BeginsBefore) &&
		(f.EndsFrom == 0 || v.Valid.To == 0 || f.EndsFrom <= v.Valid.To) &&
		(f.EndsBefore == 0 || v.Valid.To != 0 && v.Valid.To < f.EndsBefore)
}

// sampleVersions reads as of some transaction time, filtered and in pages, and asks a snapshot taken earlier the same again.
func (p *player) sampleVersions(latest graph.Reader) error {
	tx := p.someTx()
	r, err := p.store.Snapshot(p.ctx, graph.View{Scope: p.scope, Tx: tx})
	if err != nil {
		return err
	}
	if err := p.listing(r, p.filter(), 0); err != nil {
		return err
	}
	if err := p.listing(r, p.filter(), 3+p.t.IntN(3)); err != nil {
		return err
	}
	if p.old != nil {
		if err := p.listing(p.old, graph.VersionFilter{Hidden: graph.WithHidden}, 0); err != nil {
			return fmt.Errorf("from a snapshot taken before: %w", err)
		}
	}
	if p.old == nil || chance(p.t.Rand, 30) {
		p.old = latest
	}
	return nil
}

// listing reads a filtered listing in pages of a size (0: at once) and compares it with the same taken from all versions.
func (p *player) listing(r graph.Reader, f graph.VersionFilter, size int) error {
	want := slices.DeleteFunc(p.at(r.View().Tx), func(v graph.Version) bool { return !passes(f, v) })
	var got []graph.Version
	for f.Limit = size; ; {
		page, err := r.Versions(p.ctx, f)
		if err != nil {
			return err
		}
		got = append(got, page...)
		if size == 0 || len(page) < size {
			break
		}
		key := page[len(page)-1].Key()
		f.After = &key
	}
	return diff(fmt.Sprintf("versions as of %s that pass %+v", r.View().Tx, f), got, want)
}

// sampleFacts dresses what is believed at some transaction time.
func (p *player) sampleFacts(graph.Reader) error {
	r, err := p.store.Snapshot(p.ctx, graph.View{Scope: p.scope, Tx: p.someTx()})
	if err != nil {
		return err
	}
	at := temporal.AsOf{Valid: one(p.t.Rand, p.t.instants), Tx: r.View().Tx}
	versions := p.at(at.Tx)
	dressed, err := belief.Dress(p.ctx, r, versions, at)
	if err != nil {
		return err
	}
	if len(dressed) != len(versions) {
		return fmt.Errorf("%d facts made of %d versions", len(dressed), len(versions))
	}
	state := p.m.after(graph.Pos{})
	for _, place := range p.m.places {
		if place.Tx <= at.Tx {
			state = p.m.after(place)
		}
	}
	if err := p.checkDisputes(r, state, at); err != nil {
		return err
	}
	for i, f := range dressed {
		if err := p.checkFact(state, f, versions[i], at.Valid); err != nil {
			return fmt.Errorf("fact %s %s as of %s: %w", f.Version.Fact, f.Valid, at.Tx, err)
		}
	}
	return nil
}

// checkDisputes compares the inferred claims that contradict what holds.
func (p *player) checkDisputes(r graph.Reader, s *state, at temporal.AsOf) error {
	at.Any = chance(p.t.Rand, 50)
	found, err := belief.DisputedFacts(p.ctx, r, graph.PlacementFilter{}, at)
	if err != nil {
		return err
	}
	var want []graph.Version
	lanes := map[graph.Lane]bool{}
	for _, row := range s.rows() {
		if lanes[row.Lane] {
			continue
		}
		lanes[row.Lane] = true
		for _, w := range facts.Disputed(s.lane(row.Lane)) {
			if at.Any || w.Valid.Contains(at.Valid) {
				want = append(want, s.content(row.Lane, w))
			}
		}
	}
	return diff(fmt.Sprintf("disputed as of %s", at.Tx), bareFacts(found), stripped(want))
}

// checkFact checks what stands beside a version in a fact.
func (p *player) checkFact(s *state, f graph.Fact, v graph.Version, valid temporal.Instant) error {
	if f.Version != v || f.Scope != p.scope || f.SubjectNode.ID != v.Subject || f.ObjectNode.ID != v.Object {
		return errors.New("another version, scope or entity")
	}
	lane := slices.DeleteFunc(s.windows(), func(w held) bool { return w.version.Lane != v.Lane })
	i := slices.IndexFunc(lane, func(w held) bool { return w.Valid == v.Valid })
	if i < 0 {
		return errors.New("no such window")
	}
	var claims []graph.ClaimID
	sources := map[graph.Source]bool{}
	for _, placed := range lane[i].Support {
		claims = append(claims, placed.Claim)
		c, _ := s.m.claim(placed.Claim)
		if now, ok := p.m.claim(placed.Claim); ok {
			c = now
		}
		for _, source := range c.Sources {
			sources[source] = true
		}
	}
	for _, source := range f.Sources {
		if !sources[source] {
			return fmt.Errorf("source %v is none of its claims", source)
		}
	}
	for source := range sources {
		if !slices.ContainsFunc(f.Sources, func(got graph.Source) bool {
			return got.Episode == source.Episode && (got.Quote == source.Quote || source.Quote == "")
		}) {
			return fmt.Errorf("source %v is missing", source)
		}
	}
	var next graph.ClaimID
	if i+1 < len(lane) && lane[i+1].Valid.From == v.Valid.To {
		next = lane[i+1].Fact
	}
	if next != "" && f.SupersededBy != next {
		return fmt.Errorf("superseded by %q, not %q", f.SupersededBy, next)
	}
	if i > 0 && lane[i-1].Valid.To == v.Valid.From && !slices.Contains(f.Supersedes, lane[i-1].Fact) {
		return fmt.Errorf("does not supersede %q", lane[i-1].Fact)
	}
	if !v.Hidden && (f.State == graph.Current) != v.Valid.Contains(valid) || v.Hidden && f.State != graph.StateForgotten {
		return fmt.Errorf("is %s", f.State)
	}
	return diff("claims", f.Claims, claims)
}

// sampleDifferences compares what the latest changes, and some older ones, began, ended and changed.
func (p *player) sampleDifferences(r graph.Reader) error {
	var some []graph.Change
	last := temporal.Instant(0)
	for _, c := range p.changes {
		last = max(last, c.At.Tx)
	}
	for _, c := range p.changes {
		if c.At.Tx == last || chance(p.t.Rand, 10) {
			some = append(some, c)
		}
	}
	differences, err := belief.Differences(p.ctx, r, some)
	if err != nil {
		return err
	}
	for i, got := range differences {
		was, is := p.m.before(some[i].At).windows(), p.m.after(some[i].At).windows()
		if d := facts.Compare(beside(was, some[i].Lanes), beside(is, some[i].Lanes)); !d.Empty() {
			return fmt.Errorf("change %s touched more lanes than it says, %v: %+v", some[i].ID, some[i].Lanes, d)
		}
		want := facts.Compare(within(was, some[i].Lanes), within(is, some[i].Lanes))
		var changed [][2]graph.Version
		for _, pair := range got.Changed {
			changed = append(changed, [2]graph.Version{pair.Before.Version, pair.After.Version})
		}
		for _, err := range []error{
			diff("began", bareFacts(got.Begun), stripped(want.Begun)),
			diff("ended", bareFacts(got.Ended), stripped(want.Ended)),
			diff("changed", barePairs(changed), barePairs(want.Changed)),
		} {
			if err != nil {
				return fmt.Errorf("change %s %w", got.ID, err)
			}
		}
	}
	return nil
}

// within are the windows of some lanes, beside those of all others.
func within(windows []held, lanes []graph.Lane) []graph.Version {
	return contents(slices.DeleteFunc(slices.Clone(windows), func(w held) bool { return !slices.Contains(lanes, w.version.Lane) }))
}

func beside(windows []held, lanes []graph.Lane) []graph.Version {
	return contents(slices.DeleteFunc(slices.Clone(windows), func(w held) bool { return slices.Contains(lanes, w.version.Lane) }))
}

func bareFacts(list []graph.Fact) []graph.Version {
	out := make([]graph.Version, len(list))
	for i, f := range list {
		out[i] = f.Version
		out[i].Tx = temporal.Period{}
	}
	return stripped(out)
}

func barePairs(list [][2]graph.Version) [][2]graph.Version {
	out := slices.Clone(list)
	for i := range out {
		for j := range out[i] {
			out[i][j].ID, out[i][j].Begun, out[i][j].Ended, out[i][j].Tx = "", "", "", temporal.Period{}
		}
	}
	slices.SortFunc(out, func(a, b [2]graph.Version) int {
		return cmp.Or(a[1].Lane.Compare(b[1].Lane), byKey(a[1], b[1]), byKey(a[0], b[0]))
	})
	return out
}

// sampleIDs checks that the ids that were given out lead somewhere: to the fact that the claim supports, if it does.
func (p *player) sampleIDs(r graph.Reader) error {
	for _, id := range draw(p.t.Rand, min(2, len(p.t.known)), p.t.known...) {
		if err := p.checkID(r, id); err != nil {
			return fmt.Errorf("id %s: %w", id, err)
		}
	}
	return nil
}

func (p *player) checkID(r graph.Reader, id graph.ClaimID) error {
	fact, err := belief.Locate(p.ctx, r, id)
	if !slices.ContainsFunc(p.m.claims, func(c graph.Claim) bool { return c.ID == id || c.Origin == id }) {
		if !errors.Is(err, graph.ErrNotFound) {
			return fmt.Errorf("was erased, and leads to %q (%w)", fact, err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	windows := p.m.latest().windows()
	if slices.ContainsFunc(windows, func(w held) bool { return w.Fact == id }) {
		if fact != id {
			return fmt.Errorf("is believed, and leads to %q", fact)
		}
		return nil
	}
	supported := slices.DeleteFunc(windows, func(w held) bool { return !supports(w, id) })
	if len(supported) > 0 && !slices.ContainsFunc(supported, func(w held) bool { return w.Fact == fact }) {
		return fmt.Errorf("supports %q, and leads to %q", supported[0].Fact, fact)
	}
	c, ok := p.m.claim(id)
	if !ok || len(p.m.latest().own(c)) == 0 {
		return nil
	}
	place := p.m.latest().own(c)[0]
	outranked := func(w held) bool {
		return c.Kind == graph.Assert && w.version.Lane == place.Lane && w.Valid.Overlaps(c.Valid)
	}
	if slices.ContainsFunc(windows, outranked) && !slices.ContainsFunc(windows, func(w held) bool { return w.Fact == fact }) {
		return fmt.Errorf("is outranked, and leads to %q, which is not believed", fact)
	}
	return nil
}

// searchErased looks for what was erased in all that can be read, and by the words that were erased now.
func (p *player) searchErased(words []string) error {
	r, err := p.store.Snapshot(p.ctx, graph.View{Scope: p.scope})
	if err != nil {
		return err
	}
	all, err := dump(p.ctx, r)
	if err != nil {
		return err
	}
	for _, word := range p.gone {
		if i := strings.Index(all, word); i >= 0 {
			return fmt.Errorf("%s was erased and can still be read: …%s…", word, all[max(0, i-200):min(len(all), i+200)])
		}
	}
	query := graph.Query{Text: strings.Join(words, " "), Limit: 100}
	facts, err := r.SearchFacts(p.ctx, query)
	if err != nil {
		return err
	}
	episodes, err := r.SearchEpisodes(p.ctx, query)
	if err != nil {
		return err
	}
	found := fmt.Sprint(facts, episodes)
	for _, word := range words {
		if strings.Contains(found, word) {
			return fmt.Errorf("%s was erased and can still be found", word)
		}
	}
	return nil
}

// checkHolding asks a session that is not committed yet what holds in the slots of the subjects that were spoken of.
func (p *player) checkHolding(s *ledger.Session, ops []operation) error {
	if len(ops) != 1 || ops[0].deed != say || s.World().Registry().Get(ops[0].claim.Predicate).Cardinality != graph.One {
		return nil
	}
	c := ops[0].claim
	at := one(rand.New(rand.NewPCG(uint64(s.Now()), 6)), p.t.instants)
	held, err := s.Holding(p.ctx, c.Subject, c.Predicate, at)
	if err != nil {
		return err
	}
	next := p.m.clone()
	next.now, next.seq = s.Now(), 0
	located, err := map[graph.ClaimID]graph.ClaimID{}, error(nil)
	if r, failed := p.store.Snapshot(p.ctx, graph.View{Scope: p.scope}); failed == nil {
		located, err = p.locate(r, ops)
	}
	if err != nil || ops[0].predict(next, located).err != nil {
		return err
	}
	state := next.latest()
	want := slices.DeleteFunc(contents(state.windows()), func(v graph.Version) bool {
		return v.Lane.Subject != state.resolve(c.Subject) || v.Lane.Predicate != c.Predicate || !v.Valid.Contains(at)
	})
	for i := range held {
		held[i].Tx = temporal.Period{}
	}
	return diff("holding", stripped(held), stripped(want))
}

// checkSettled checks that the windows which an answer names are versions of the store. One that the same request ended again
// has none.
func (p *player) checkSettled(done committed) error {
	for _, v := range done.settled {
		if v.Tx == (temporal.Period{From: done.now, To: done.now}) {
			continue
		}
		i := slices.IndexFunc(p.versions, func(held graph.Version) bool { return held.ID == v.ID })
		if i < 0 || p.versions[i] != v {
			return fmt.Errorf("the answer names version %+v, which is not held", v)
		}
	}
	return nil
}
