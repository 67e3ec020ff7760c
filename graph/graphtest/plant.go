package graphtest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenure/entities"
	"tenure/graph"
	"tenure/temporal"
)

// awkward are ids and texts that a store may mistake for something else: delimiters, quotes, forms of one letter, cases of one
// word, patterns, literals, and the longest there are.
var awkward = []string{
	"a", "A", "b", "É", "E\u0301", "ß", "SS", "x y", "a|b", "a:b", "a/b", "a,b", `a"b`, "a'b", `a\b`, "a%b", "a_b", "a*b", "$1", "@a", "-- a",
	"日本語", "🙂", "null", "NULL", "0", "00", "-1", "{}", "[]", "true", strings.Repeat("k", 128), strings.Repeat("k", 127) + "K", strings.Repeat("日", 42),
}

// A garden is rows of all kinds that were planted in a scope by hand, in several updates. They need not follow from one another;
// a store keeps and finds what it is given.
type garden struct {
	scope        graph.Scope
	times        []temporal.Instant // of the updates
	entities     []graph.Entity
	episodes     []graph.Episode
	claims       []graph.Claim
	effects      []graph.Effect // in the order of writing
	merges       []graph.Merge
	declarations []graph.Declaration
	placements   []graph.Placement
	versions     []graph.Version
	changes      []graph.Change
}

const (
	rounds = 4  // updates that plant
	each1  = 12 // rows of each kind in one of them
)

// plant plants a garden.
func plant(t *testing.T, store graph.Store, scope graph.Scope, r *rand.Rand) *garden {
	t.Helper()
	g := &garden{scope: scope}
	for round := range rounds {
		draw := r.Uint64()
		var next *garden
		err := store.Update(t.Context(), scope, func(w graph.Writer) error {
			next = g.clone()
			return next.grow(t.Context(), w, rand.New(rand.NewPCG(draw, 4)), round)
		})
		if err != nil {
			t.Fatal(err)
		}
		g = next
	}
	return g
}

func (g *garden) clone() *garden {
	c := *g
	c.times, c.entities, c.episodes, c.claims = slices.Clone(g.times), slices.Clone(g.entities), slices.Clone(g.episodes), slices.Clone(g.claims)
	c.effects, c.merges, c.declarations = slices.Clone(g.effects), slices.Clone(g.merges), slices.Clone(g.declarations)
	c.placements, c.versions, c.changes = slices.Clone(g.placements), slices.Clone(g.versions), slices.Clone(g.changes)
	return &c
}

// grow writes one round of rows, and ends some of those that are there.
func (g *garden) grow(ctx context.Context, w graph.Writer, r *rand.Rand, round int) error {
	g.times = append(g.times, w.Now())
	var d graph.Delta
	for i := range each1 {
		n := round*each1 + i
		at := graph.Pos{Tx: w.Now(), Seq: i / 2} // two at each place
		d.Entities = append(d.Entities, g.entity(r, n))
		d.Episodes = append(d.Episodes, g.episode(r, n, at))
		d.Changes = append(d.Changes, g.change(r, n, at))
		d.Claims = append(d.Claims, g.claim(r, n, at))
		d.Placements = append(d.Placements, g.placement(r, n, at))
		d.Effects = append(d.Effects, g.effect(r, at), g.effect(r, at))
		d.Versions = append(d.Versions, g.version(r, n, w.Now()))
	}
	for i := range 2 {
		change := graph.ChangeID(awkward[(round*each1+i)%len(awkward)])
		at := graph.Pos{Tx: w.Now(), Seq: i}
		d.Merges = append(d.Merges, graph.Merge{Change: change, From: g.id(r), Into: g.id(r), At: at})
		d.Declarations = append(d.Declarations, graph.Declaration{Change: change, At: at, Predicate: graph.Predicate{
			Name: one(r, awkward), Cardinality: graph.Many, Nouns: draw(r, 2, awkward...),
		}})
	}
	g.ending(r, &d, w.Now(), round)
	g.entities, g.episodes, g.changes, g.claims = append(g.entities, d.Entities...), append(g.episodes, d.Episodes...), append(g.changes, d.Changes...), append(g.claims, d.Claims...)
	g.effects, g.merges, g.declarations = append(g.effects, d.Effects...), append(g.merges, d.Merges...), append(g.declarations, d.Declarations...)
	return w.Write(ctx, d)
}

// ending ends some of the placements and versions of earlier rounds, and adds the new ones.
func (g *garden) ending(r *rand.Rand, d *graph.Delta, now temporal.Instant, round int) {
	for i, p := range g.placements {
		if p.To.IsZero() && chance(r, 30) {
			p.To = graph.Pos{Tx: now, Seq: 1}
			g.placements[i], d.Placements = p, append(d.Placements, p)
		}
	}
	for i, v := range g.versions {
		if v.Tx.To == 0 && chance(r, 40) {
			v.Tx.To, v.Ended = now, graph.ChangeID(awkward[round*each1%len(awkward)])
			g.versions[i], d.Versions = v, append(d.Versions, v)
		}
	}
	for _, p := range d.Placements {
		if p.From.Tx == now {
			g.placements = append(g.placements, p)
		}
	}
	for _, v := range d.Versions {
		if v.Tx.From == now {
			g.versions = append(g.versions, v)
		}
	}
}

// name is the n-th id of a kind: awkward ones first.
func name(n int) string {
	if n < len(awkward) {
		return awkward[n]
	}
	return fmt.Sprintf("n%d", n)
}

// id is the id of an entity that is planted in the first round.
func (g *garden) id(r *rand.Rand) graph.EntityID { return graph.EntityID(name(r.IntN(each1))) }

// times in the gardens' worlds: few, and to the microsecond.
var seasons = []temporal.Instant{
	instant("2020-01-01"), instant("2021-06-15") + 1, instant("2022-01-01") - 1, instant("2023-03-03") + 123_456, instant("2024-12-31"),
}

func season(r *rand.Rand) temporal.Instant { return one(r, seasons) }

// window is a period of the gardens' worlds, with any kind of begin and end.
func window(r *rand.Rand) temporal.Period {
	p := temporal.Period{From: season(r), To: season(r)}
	if chance(r, 20) {
		p.From = 0
	}
	if chance(r, 40) || p.From >= p.To {
		p.To = 0
	}
	return p
}

var kinds = []string{"", "person", "Person", "organisation", graph.KindValue}

func (g *garden) entity(r *rand.Rand, n int) graph.Entity {
	e := graph.Entity{ID: graph.EntityID(name(n)), Name: one(r, awkward), Kind: one(r, kinds)}
	e.Keys = []string{entities.Key(e.Name)}
	for _, alias := range draw(r, r.IntN(3), awkward...) {
		e.Aliases = append(e.Aliases, alias)
		e.Keys = union(e.Keys, []string{entities.Key(alias)})
	}
	return e
}

func (g *garden) episode(r *rand.Rand, n int, at graph.Pos) graph.Episode {
	e := graph.Episode{
		ID: graph.EpisodeID(name(n)), Kind: one(r, []graph.EpisodeKind{graph.Message, graph.Document, graph.Event, graph.JSON}),
		Conversation: one(r, []string{"", "c", "C", "c:1"}), Speaker: one(r, awkward), Role: one(r, []graph.Role{"", graph.User, graph.Tool}),
		Text: "planted " + one(r, awkward), Recorded: at, Extract: chance(r, 50), Hash: one(r, awkward),
		Status: one(r, []graph.Status{graph.Pending, graph.Processing, graph.Done, graph.Failed, graph.Dead}), Attempts: r.IntN(3),
	}
	if chance(r, 80) {
		e.Occurred, e.Precision = season(r), one(r, []temporal.Precision{"", temporal.Day})
	}
	if chance(r, 50) {
		east := one(r, []int{0, 3600, -5400})
		e.Offset = &east
	}
	return e
}

func (g *garden) change(r *rand.Rand, n int, at graph.Pos) graph.Change {
	c := graph.Change{
		ID: graph.ChangeID(name(n)), At: at, Kind: one(r, []graph.ChangeKind{graph.ChangeAssert, graph.ChangeCorrect, graph.ChangeRevert}),
		Claim: one(r, []graph.ClaimID{"", "a", "A", "b"}), Episode: one(r, []graph.EpisodeID{"", "a", "A"}), Actor: one(r, awkward),
		Reason: one(r, awkward), Reverts: one(r, []graph.ChangeID{"", "", "a", "A"}), Standing: chance(r, 70),
	}
	for range r.IntN(3) {
		c.Lanes = union(c.Lanes, []graph.Lane{g.lane(r)})
	}
	return c
}

// lane is one of few lanes.
func (g *garden) lane(r *rand.Rand) graph.Lane {
	l := graph.Lane{Subject: one(r, []graph.EntityID{"a", "A", "b"}), Predicate: one(r, []string{"p", "P", "p:q"})}
	if chance(r, 60) {
		l.Object = one(r, []graph.EntityID{"a", "É", "x y"})
	}
	return l
}

func (g *garden) claim(r *rand.Rand, n int, at graph.Pos) graph.Claim {
	l := g.lane(r)
	c := graph.Claim{
		ID: graph.ClaimID(name(n)), Kind: one(r, []graph.ClaimKind{graph.Assert, graph.Retract, graph.Never}), Subject: l.Subject, Predicate: l.Predicate, Object: l.Object,
		Text: one(r, awkward), Type: one(r, []string{"", "semantic"}), Valid: window(r), Precision: graph.Bounds{From: temporal.Month}, HoldsAt: one(r, []temporal.Instant{0, seasons[3]}),
		Trust: one(r, []graph.Trust{graph.Stated, graph.Reported, graph.Inferred}), Origin: one(r, []graph.ClaimID{"", "", "a", "A"}), Correction: chance(r, 50),
		Actor: one(r, awkward), Extractor: one(r, []string{"", "rules/1"}), Change: one(r, []graph.ChangeID{"", "a", "A", "b"}), Logged: at, Rec: at,
	}
	for _, id := range draw(r, r.IntN(3), "a", "A", "x y") {
		c.Sources = append(c.Sources, graph.Source{Episode: graph.EpisodeID(id), Quote: one(r, awkward)})
	}
	for _, id := range draw(r, r.IntN(3), awkward...) {
		c.Replaces = append(c.Replaces, graph.ClaimID(id))
	}
	if chance(r, 50) {
		importance := one(r, []float64{0, .1, 1})
		c.Importance = &importance
	}
	return c
}

func (g *garden) placement(r *rand.Rand, n int, at graph.Pos) graph.Placement {
	l := g.lane(r)
	return graph.Placement{
		ID: graph.PlacementID(name(n)), Claim: graph.ClaimID(one(r, awkward[:4])), Fact: graph.ClaimID(one(r, awkward)), Rec: graph.Pos{Tx: season(r), Seq: r.IntN(2)},
		Kind: one(r, []graph.ClaimKind{graph.Assert, graph.Retract}), Trust: one(r, []graph.Trust{graph.Stated, graph.Reported, graph.Inferred}),
		Lane: l, Subject: g.id(r), Predicate: one(r, []string{"p", "P"}), Object: one(r, []graph.EntityID{"", "a", "A"}), Own: chance(r, 50),
		Valid: window(r), Precision: graph.Bounds{To: temporal.Day}, HoldsAt: one(r, []temporal.Instant{0, seasons[1]}),
		Narrowed: one(r, []temporal.Period{{}, {From: seasons[1], To: seasons[3]}, {To: seasons[2]}}), Muted: chance(r, 30), From: at,
	}
}

func (g *garden) effect(r *rand.Rand, at graph.Pos) graph.Effect {
	e := graph.Effect{
		Change: graph.ChangeID(one(r, awkward[:3])), Claim: graph.ClaimID(one(r, awkward[:3])), At: at,
		Kind: one(r, []graph.EffectKind{graph.Limit, graph.Unhold, graph.Mute, graph.Displace}), Cause: one(r, []graph.ClaimID{"", "a", "b"}), Within: window(r),
		Subject: g.id(r), Predicate: one(r, awkward), Object: g.id(r),
	}
	for range r.IntN(3) {
		e.Keep = append(e.Keep, window(r))
	}
	return e
}

func (g *garden) version(r *rand.Rand, n int, now temporal.Instant) graph.Version {
	l := g.lane(r)
	return graph.Version{
		ID: graph.VersionID(name(n)), Fact: graph.ClaimID(one(r, awkward[:6])), Lane: l, Subject: g.id(r), Predicate: l.Predicate, Object: g.id(r),
		Valid: window(r), Precision: graph.Bounds{From: one(r, []temporal.Precision{"", temporal.Year})}, Text: "planted " + one(r, awkward),
		Type: one(r, []string{"semantic", "Semantic", "episodic"}), Importance: one(r, []float64{0, .5, .5, 1}), Trust: graph.Reported,
		Hidden: chance(r, 25), Tx: temporal.Period{From: now}, Begun: graph.ChangeID(one(r, awkward)),
	}
}

// byIDOf makes a map of rows.
func byIDOf[K comparable, V any](rows []V, id func(V) K) map[K]V {
	out := map[K]V{}
	for _, row := range rows {
		out[id(row)] = row
	}
	return out
}

// keysOf are the ids of rows, and some that are not there.
func keysOf[K ~string, V any](m map[K]V) []K {
	return append(slices.Sorted(maps.Keys(m)), "is not there", "")
}
