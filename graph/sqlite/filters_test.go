package sqlite

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"tenure/graph"
	"tenure/temporal"
)

// A world is a random scope of few different values, so that filters meet and orders tie, and the plain meaning of the filters.
type world struct {
	*rand.Rand
	rows graph.Delta
	now  temporal.Instant
}

const worldSize = 150

func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 0)), now: day0}
	for i := range worldSize {
		w.rows.Entities = append(w.rows.Entities, graph.Entity{
			ID: named[graph.Entity](w, "e", worldSize), Name: fmt.Sprint(i), Kind: w.word(), Keys: distinctStrings(w.word(), w.word()),
		})
		w.rows.Episodes = append(w.rows.Episodes, graph.Episode{
			ID: graph.EpisodeID(fmt.Sprint("ep", i)), Conversation: w.word(), Status: graph.Status(w.pick("pending", "done", "failed")),
			Occurred: w.moment(true), Recorded: w.pos(), Text: "said " + w.word(),
		})
		w.rows.Claims = append(w.rows.Claims, graph.Claim{
			ID: graph.ClaimID(fmt.Sprint("c", i)), Subject: w.entity(), Predicate: w.word(), Object: w.entity(), Origin: w.claim(true),
			Change: w.change(true), Logged: w.pos(), Sources: w.sources(), Valid: w.period(),
		})
		w.rows.Placements = append(w.rows.Placements, graph.Placement{
			ID: graph.PlacementID(fmt.Sprint("p", i)), Claim: w.claim(false), Lane: w.lane(), Subject: w.entity(), Predicate: w.word(),
			Object: w.entity(), Trust: graph.Trust(w.pick("stated", "reported", "inferred")), Rec: w.pos(), From: w.pos(), To: w.until(),
		})
		w.rows.Effects = append(w.rows.Effects, graph.Effect{
			Change: w.change(false), Claim: w.claim(false), Kind: graph.EffectKind(w.pick("limit", "mute")), Cause: w.claim(true), At: w.pos(),
			Subject: graph.EntityID(fmt.Sprint(i)),
		})
		w.rows.Changes = append(w.rows.Changes, graph.Change{
			ID: graph.ChangeID(fmt.Sprint("ch", i)), At: w.pos(), Claim: w.claim(true), Episode: w.episode(true), Reverts: w.change(true),
			Lanes: w.lanes(),
		})
		w.rows.Versions = append(w.rows.Versions, graph.Version{
			ID: graph.VersionID(fmt.Sprint("v", i)), Fact: w.claim(false), Lane: w.lane(), Subject: w.entity(), Predicate: w.word(),
			Object: w.entity(), Valid: w.period(), Type: w.word(), Importance: float64(w.IntN(3)) / 2, Hidden: w.IntN(4) == 0,
			Tx: temporal.Period{From: w.moment(false), To: w.until().Tx}, Text: w.word(), Ended: "ch1",
		})
	}
	for i := range w.rows.Versions { // periods of transaction time begin before they end
		if tx := &w.rows.Versions[i].Tx; tx.From >= tx.End() {
			tx.To = tx.From + 1
		}
	}
	w.rows.Entities = uniqueBy(w.rows.Entities, func(e graph.Entity) graph.EntityID { return e.ID })
	return w
}

func uniqueBy[T any, K cmp.Ordered](items []T, key func(T) K) []T {
	slices.SortFunc(items, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
	return slices.CompactFunc(items, func(a, b T) bool { return key(a) == key(b) })
}

func named[T any](w *world, prefix string, n int) graph.ID[T] {
	return graph.ID[T](fmt.Sprint(prefix, w.IntN(n)))
}

func distinctStrings(words ...string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

func (w *world) pick(of ...string) string { return of[w.IntN(len(of))] }
func (w *world) word() string             { return w.pick("plan", "Plan", "seats", "näme", "a'b\"c", "x,y") }
func (w *world) entity() graph.EntityID   { return named[graph.Entity](w, "e", 8) }
func (w *world) episode(maybe bool) graph.EpisodeID {
	if maybe && w.IntN(2) == 0 {
		return ""
	}
	return named[graph.Episode](w, "ep", 10)
}

func (w *world) claim(maybe bool) graph.ClaimID {
	if maybe && w.IntN(2) == 0 {
		return ""
	}
	return named[graph.Claim](w, "c", 30)
}

func (w *world) change(maybe bool) graph.ChangeID {
	if maybe && w.IntN(2) == 0 {
		return ""
	}
	return named[graph.Change](w, "ch", 30)
}

func (w *world) moment(maybe bool) temporal.Instant {
	if maybe && w.IntN(4) == 0 {
		return 0
	}
	return w.now.Add(time.Duration(w.IntN(10)-10) * time.Microsecond)
}

func (w *world) pos() graph.Pos { return graph.Pos{Tx: w.moment(false), Seq: w.IntN(3)} }

func (w *world) until() graph.Pos {
	if w.IntN(2) == 0 {
		return graph.Pos{}
	}
	return w.pos()
}

func (w *world) period() temporal.Period {
	p := temporal.Period{From: w.moment(true), To: w.moment(true)}
	if p.From >= p.End() {
		p.To = p.From + 1
	}
	return p
}

func (w *world) lane() graph.Lane {
	l := graph.Lane{Subject: named[graph.Entity](w, "e", 3), Predicate: w.word()}
	if w.IntN(2) == 0 {
		l.Object = named[graph.Entity](w, "e", 3)
	}
	return l
}

func (w *world) lanes() (out []graph.Lane) {
	for range w.IntN(4) {
		out = append(out, w.lane())
	}
	return out
}

func (w *world) sources() (out []graph.Source) {
	for range w.IntN(3) {
		out = append(out, graph.Source{Episode: w.episode(false)})
	}
	return out
}

// some returns a list for a filter: mostly none, else up to three, perhaps with repetitions.
func some[T any](w *world, one func() T) (out []T) {
	if w.IntN(5) < 3 {
		return nil
	}
	for range 1 + w.IntN(3) {
		out = append(out, one())
	}
	return out
}

// has reports what a list of a filter says of a value.
func has[T comparable](list []T, values ...T) bool {
	return len(list) == 0 || slices.ContainsFunc(values, func(v T) bool { return slices.Contains(list, v) })
}

// expect is what a listing returns: what passes, in order, what comes after, at most the limit.
func expect[T any](items []T, keep func(T) bool, order func(a, b T) int, after *T, limit int) (out []T) {
	for _, item := range items {
		if keep(item) && (after == nil || order(item, *after) > 0) {
			out = append(out, item)
		}
	}
	slices.SortStableFunc(out, order)
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

// from returns a place to go on from: a row, or none.
func from[T any](w *world, items []T) *T {
	if w.IntN(2) == 0 {
		return nil
	}
	return &items[w.IntN(len(items))]
}

func TestFiltersSelectWhatTheySay(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	w := newWorld(seed)
	s := opened(t)
	write(t, s, scope, w.rows)
	other := newWorld(seed + 1)
	write(t, s, graph.Scope{Tenant: "acme", Name: "other"}, other.rows)
	for range 120 {
		for _, check := range []func(*testing.T, *world, graph.Reader){
			checkVersions, checkAround, checkHistory, checkClaims, checkPlacements, checkEffects, checkChanges, checkEpisodes, checkEntities,
		} {
			tx := w.moment(true)
			check(t, w, snapshot(t, s, graph.View{Scope: scope, Tx: tx}))
			if t.Failed() {
				return
			}
		}
	}
}

func compare[T any](t *testing.T, filter any, want, got []T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(want)+len(got) == 0 {
		return
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%T %+v (-want +got):\n%s", filter, filter, diff)
	}
}

// believed is what the world holds at tx, or of what is gone by then, as it was known.
func (w *world) believed(tx temporal.Instant, gone bool) []graph.Version {
	byFact := map[graph.ClaimID][]graph.Version{}
	for _, v := range w.rows.Versions {
		if v.Tx.From <= tx {
			if v.Tx.To > tx {
				v.Tx.To, v.Ended = 0, ""
			}
			byFact[v.Fact] = append(byFact[v.Fact], v)
		}
	}
	var out []graph.Version
	for _, versions := range byFact {
		holds := slices.DeleteFunc(slices.Clone(versions), func(v graph.Version) bool { return !v.Tx.Open() })
		if !gone {
			out = append(out, holds...)
		} else if len(holds) == 0 {
			out = append(out, slices.MaxFunc(versions, func(a, b graph.Version) int {
				return cmp.Or(cmp.Compare(a.Tx.To, b.Tx.To), cmp.Compare(a.Tx.From, b.Tx.From), cmp.Compare(a.Valid.From, b.Valid.From), cmp.Compare(a.ID, b.ID))
			}))
		}
	}
	return out
}

func checkVersions(t *testing.T, w *world, r graph.Reader) {
	f := graph.VersionFilter{
		Subjects: some(w, w.entity), Objects: some(w, w.entity), Predicates: some(w, w.word), Types: some(w, w.word),
		Lanes: some(w, w.lane), Hidden: graph.Hiding(w.IntN(3)), Gone: w.IntN(3) == 0, Limit: w.IntN(6),
	}
	for _, bound := range []*temporal.Instant{&f.Valid, &f.BeginsFrom, &f.BeginsBefore, &f.EndsFrom, &f.EndsBefore} {
		if w.IntN(4) == 0 {
			*bound = w.moment(false)
		}
	}
	after := from(w, w.rows.Versions)
	if after != nil {
		key := after.Key()
		f.After = &key
	}
	tx := r.View().Tx
	want := expect(w.believed(tx, f.Gone), func(v graph.Version) bool {
		return has(f.Subjects, v.Subject) && has(f.Objects, v.Object) && has(f.Predicates, v.Predicate) && has(f.Types, v.Type) &&
			has(f.Lanes, v.Lane) && (f.Hidden == graph.WithHidden || v.Hidden == (f.Hidden == graph.OnlyHidden)) &&
			(f.Valid.IsZero() || v.Valid.Contains(f.Valid)) &&
			(f.BeginsFrom.IsZero() || f.BeginsFrom <= v.Valid.From) && (f.BeginsBefore.IsZero() || v.Valid.From < f.BeginsBefore) &&
			(f.EndsFrom.IsZero() || f.EndsFrom <= v.Valid.End()) && (f.EndsBefore.IsZero() || v.Valid.End() < f.EndsBefore)
	}, byValid, after, f.Limit)
	got, err := r.Versions(t.Context(), f)
	compare(t, f, want, got, err)
}

func checkAround(t *testing.T, w *world, r graph.Reader) {
	entities, valid, each := some(w, w.entity), w.moment(true), 1+w.IntN(5)
	chosen := map[graph.VersionID]graph.Version{}
	for _, entity := range entities {
		for _, v := range expect(w.believed(r.View().Tx, false), func(v graph.Version) bool {
			return !v.Hidden && (v.Subject == entity || v.Object == entity) && (valid.IsZero() || v.Valid.Contains(valid))
		}, byImportance, nil, each) {
			chosen[v.ID] = v
		}
	}
	var want []graph.Version
	for _, v := range chosen {
		want = append(want, v)
	}
	slices.SortFunc(want, byImportance)
	got, err := r.Around(t.Context(), entities, valid, each)
	compare(t, entities, want, got, err)
}

func checkHistory(t *testing.T, w *world, r graph.Reader) {
	facts := some(w, func() graph.ClaimID { return w.claim(false) })
	tx := r.View().Tx
	var want []graph.Version
	for _, v := range w.rows.Versions {
		if v.Tx.From <= tx && slices.Contains(facts, v.Fact) {
			if v.Tx.To > tx {
				v.Tx.To, v.Ended = 0, ""
			}
			want = append(want, v)
		}
	}
	slices.SortFunc(want, func(a, b graph.Version) int {
		return cmp.Or(cmp.Compare(a.Tx.From, b.Tx.From), cmp.Compare(a.Valid.From, b.Valid.From), cmp.Compare(a.ID, b.ID))
	})
	got, err := r.VersionsOf(t.Context(), facts)
	compare(t, facts, want, got, err)
}

func checkClaims(t *testing.T, w *world, r graph.Reader) {
	f := graph.ClaimFilter{
		Episodes: some(w, func() graph.EpisodeID { return w.episode(false) }), Predicates: some(w, w.word), Entities: some(w, w.entity),
		Changes: some(w, func() graph.ChangeID { return w.change(false) }), Facts: some(w, func() graph.ClaimID { return w.claim(false) }),
		After: from(w, w.rows.Claims), Limit: w.IntN(6),
	}
	want := expect(w.rows.Claims, func(c graph.Claim) bool {
		return (len(f.Episodes) == 0 || slices.ContainsFunc(c.Sources, func(s graph.Source) bool { return slices.Contains(f.Episodes, s.Episode) })) &&
			has(f.Predicates, c.Predicate) && has(f.Entities, c.Subject, c.Object) && has(f.Changes, c.Change) && has(f.Facts, c.ID, c.Origin)
	}, byLogged, f.After, f.Limit)
	got, err := r.ListClaims(t.Context(), f)
	compare(t, f, want, got, err)
}

func checkPlacements(t *testing.T, w *world, r graph.Reader) {
	f := graph.PlacementFilter{
		Lanes: some(w, w.lane), Claims: some(w, func() graph.ClaimID { return w.claim(false) }), Subjects: some(w, w.entity),
		Predicates: some(w, w.word), Objects: some(w, w.entity), Trust: graph.Trust(w.pick("", "", "stated", "inferred")), CountsAt: w.moment(true),
	}
	want := expect(w.rows.Placements, func(p graph.Placement) bool {
		return has(f.Lanes, p.Lane) && has(f.Claims, p.Claim) && has(f.Subjects, p.Subject) && has(f.Predicates, p.Predicate) &&
			has(f.Objects, p.Object) && (f.Trust == "" || f.Trust == p.Trust) && (f.CountsAt.IsZero() || p.CountsAt(f.CountsAt))
	}, byLane, nil, 0)
	got, err := r.ListPlacements(t.Context(), f)
	compare(t, f, want, got, err)
}

func checkEffects(t *testing.T, w *world, r graph.Reader) {
	claim := func() graph.ClaimID { return w.claim(false) }
	f := graph.EffectFilter{Claims: some(w, claim), Causes: some(w, claim), Changes: some(w, func() graph.ChangeID { return w.change(false) })}
	everything := len(f.Claims)+len(f.Causes)+len(f.Changes) == 0
	want := expect(w.rows.Effects, func(e graph.Effect) bool {
		return everything || slices.Contains(f.Claims, e.Claim) || slices.Contains(f.Causes, e.Cause) || slices.Contains(f.Changes, e.Change)
	}, func(a, b graph.Effect) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Claim, b.Claim), cmp.Compare(a.Kind, b.Kind))
	}, nil, 0)
	got, err := r.ListEffects(t.Context(), f)
	compare(t, f, want, got, err)
}

func checkChanges(t *testing.T, w *world, r graph.Reader) {
	f := graph.ChangeFilter{
		Since: w.moment(true), Until: w.moment(true), Entities: some(w, w.entity), Lanes: some(w, w.lane),
		Episodes: some(w, func() graph.EpisodeID { return w.episode(false) }), Claims: some(w, func() graph.ClaimID { return w.claim(false) }),
		Reverts: some(w, func() graph.ChangeID { return w.change(false) }), After: from(w, w.rows.Changes), Limit: w.IntN(6),
	}
	want := expect(w.rows.Changes, func(c graph.Change) bool {
		return (f.Since.IsZero() || f.Since < c.At.Tx) && (f.Until.IsZero() || c.At.Tx <= f.Until) &&
			(len(f.Entities) == 0 || slices.ContainsFunc(c.Lanes, func(l graph.Lane) bool { return has(f.Entities, l.Subject, l.Object) })) &&
			(len(f.Lanes) == 0 || slices.ContainsFunc(c.Lanes, func(l graph.Lane) bool { return has(f.Lanes, l) })) &&
			has(f.Episodes, c.Episode) && has(f.Claims, c.Claim) && has(f.Reverts, c.Reverts)
	}, byAt, f.After, f.Limit)
	got, err := r.ListChanges(t.Context(), f)
	compare(t, f, want, got, err)
}

func checkEpisodes(t *testing.T, w *world, r graph.Reader) {
	f := graph.EpisodeFilter{
		Conversation: w.pick("", "", w.word()), Statuses: some(w, func() graph.Status { return graph.Status(w.pick("pending", "done", "none")) }),
		Since: w.moment(true), Until: w.moment(true), After: from(w, w.rows.Episodes), Limit: w.IntN(6),
	}
	want := expect(w.rows.Episodes, func(e graph.Episode) bool {
		return (f.Conversation == "" || f.Conversation == e.Conversation) && has(f.Statuses, e.Status) &&
			(f.Since.IsZero() || f.Since <= e.Occurred) && (f.Until.IsZero() || (!e.Occurred.IsZero() && e.Occurred < f.Until))
	}, byRecorded, f.After, f.Limit)
	got, err := r.ListEpisodes(t.Context(), f)
	compare(t, f, want, got, err)
}

func checkEntities(t *testing.T, w *world, r graph.Reader) {
	byID := func(a, b graph.Entity) int { return cmp.Compare(a.ID, b.ID) }
	f := graph.EntityFilter{Key: w.pick("", "", w.word()), Kind: w.pick("", "", w.word()), Limit: w.IntN(6)}
	after := from(w, w.rows.Entities)
	if after != nil {
		f.After = after.ID
	}
	want := expect(w.rows.Entities, func(e graph.Entity) bool {
		return (f.Key == "" || slices.Contains(e.Keys, f.Key)) && (f.Kind == "" || f.Kind == e.Kind)
	}, byID, after, f.Limit)
	got, err := r.ListEntities(t.Context(), f)
	compare(t, f, want, got, err)

	keys := some(w, w.word)
	want = expect(w.rows.Entities, func(e graph.Entity) bool {
		return slices.ContainsFunc(e.Keys, func(key string) bool { return slices.Contains(keys, key) })
	}, byID, nil, 0)
	got, err = r.EntitiesByKey(t.Context(), keys)
	compare(t, keys, want, got, err)
}
