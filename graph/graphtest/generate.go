package graphtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"tenure/entities"
	"tenure/facts"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// episodesToldOf is how many episodes a history begins with.
const episodesToldOf = 4

// A universe is what a history is about: few things, so that everything collides.
type universe struct {
	subjects, objects []string
	predicates        []string
	instants          []temporal.Instant
	declarations      []graph.Predicate
	weights           []int // of each deed
	simple            bool  // no claim is told again or replaces another
}

func instant(text string) temporal.Instant {
	d, err := temporal.ParseDate(text, nil)
	if err != nil {
		panic("graphtest: " + text + ": " + err.Error())
	}
	return d.At
}

// everyDeed weighs the deeds of a general history, in their order.
var everyDeed = []int{say: 55, correct: 13, end: 13, forget: 4, revert: 12, declare: 5, merge: 4, reextract: 5, eraseFact: 3, eraseEpisode: 2}

// claimsOnly are the deeds that do not look at what is believed: done again without some of the claims, they do the same.
var claimsOnly = []int{say: 80, declare: 8, merge: 6}

// newUniverse draws a universe.
func newUniverse(r *rand.Rand, weights []int) universe {
	u := universe{weights: weights, simple: weights[correct] == 0}
	u.subjects = draw(r, 1+r.IntN(2), "Ann", "Bob", "Globex")
	u.objects = append(draw(r, 2, "Pro", "Team", "Tea"), draw(r, r.IntN(3), "Ann", "Bob", "Acme")...)
	u.predicates = draw(r, 1+r.IntN(3), "on_plan", "on_plan", "uses", "prefers", "dislikes", "married_to", "works_at", "employs", "tested", "avoids")
	months := []string{"2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01", "2024-06-01"}
	for _, m := range draw(r, 3+r.IntN(3), months...) {
		u.instants = append(u.instants, instant(m))
	}
	heavy := .8
	for _, p := range []graph.Predicate{
		{Name: "on_plan", Cardinality: graph.Many}, {Name: "on_plan", Cardinality: graph.One, Importance: &heavy},
		{Name: "uses", Cardinality: graph.One}, {Name: "uses", Cardinality: graph.Many, Symmetric: true}, {Name: "uses", Cardinality: graph.Many, Inverse: "used_by"},
		{Name: "prefers", Cardinality: graph.One}, {Name: "prefers", Cardinality: graph.Many, Opposite: "dislikes"}, {Name: "dislikes", Cardinality: graph.Many},
		{Name: "married_to", Cardinality: graph.Many}, {Name: "married_to", Cardinality: graph.One}, {Name: "married_to", Cardinality: graph.Many, Symmetric: true},
		{Name: "works_at", Cardinality: graph.Many, Inverse: "employs"}, {Name: "works_at", Cardinality: graph.One},
		{Name: "tested", Cardinality: graph.One}, {Name: "tested", Cardinality: graph.Many, Opposite: "avoids", Type: "episodic"},
		{Name: "tested", Cardinality: graph.Many, Inverse: "avoids"}, {Name: "avoids", Cardinality: graph.Many},
	} {
		if slices.Contains(u.predicates, p.Name) {
			u.declarations = append(u.declarations, p)
		}
	}
	return u
}

// draw picks up to n different ones.
func draw[T comparable](r *rand.Rand, n int, from ...T) []T {
	var out []T
	for range 4 * n {
		if x := one(r, from); len(out) < n && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func one[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// chance is true in n of 100 cases.
func chance(r *rand.Rand, n int) bool { return r.IntN(100) < n }

// entity is the thing of a name. Its id does not depend on the scope, so that a history is the same in every scope.
func entity(name string) graph.Entity {
	return graph.Entity{ID: graph.EntityID("the " + name), Name: name, Keys: []string{entities.Key(name)}}
}

// A teller draws the operations of one history.
type teller struct {
	*rand.Rand
	universe
	m     *model
	step  int
	made  int
	known []graph.ClaimID // every id of a claim that was ever logged
}

// mint returns an id that no operation had.
func (t *teller) mint(kind string) string {
	t.made++
	return fmt.Sprintf("%s%d.%d", kind, t.step, t.made)
}

// request draws the operations of one update: one, or some claims at once.
func (t *teller) request() []operation {
	total := 0
	for _, w := range t.weights {
		total += w
	}
	n := t.IntN(total)
	d := say
	for n >= t.weights[d] {
		n -= t.weights[d]
		d++
	}
	if d != say {
		return []operation{t.operation(d)}
	}
	out := []operation{t.operation(say)}
	for chance(t.Rand, 25) {
		out = append(out, t.operation(say))
	}
	return out
}

func (t *teller) operation(d deed) operation {
	o := operation{deed: d, op: ledger.Op{Change: graph.ChangeID(t.mint("h")), Actor: one(t.Rand, []string{"", "", "dana"})}}
	switch d {
	case say:
		o.claim = t.claim()
		if len(o.claim.Sources) > 0 {
			o.op.Episode = o.claim.Sources[0].Episode
		}
		o.name(t.m, o.claim)
	case correct:
		o.fact, o.correction = t.fact(), t.correction()
		if o.correction.Object != nil {
			o.name(t.m, graph.Claim{Object: *o.correction.Object})
		}
	case end:
		o.fact = t.fact()
		o.end = ledger.End{ID: graph.ClaimID(t.mint("c")), At: one(t.Rand, t.instants), Never: chance(t.Rand, 25)}
	case forget, eraseFact:
		o.fact = t.fact()
	case revert:
		o.change = "none"
		if len(t.m.changes) > 0 {
			o.change = one(t.Rand, t.m.changes).ID
		}
	case declare:
		o.predicate = t.declaration()
	case merge:
		o.from, o.into = t.thing(), t.thing()
	case reextract:
		o.episodes, o.claims = t.extraction()
		o.name(t.m, o.claims...)
	case eraseEpisode:
		o.episodes = []graph.EpisodeID{t.episode()}
	}
	return o
}

// name adds the entities that claims name and that the scope does not hold.
func (o *operation) name(m *model, claims ...graph.Claim) {
	for _, c := range claims {
		for _, id := range []graph.EntityID{c.Subject, c.Object} {
			if _, ok := m.entities[id]; !ok && id != "" {
				for _, name := range []string{"Ann", "Bob", "Globex", "Pro", "Team", "Tea", "Acme"} {
					if e := entity(name); e.ID == id && !slices.ContainsFunc(o.entities, func(x graph.Entity) bool { return x.ID == id }) {
						o.entities = append(o.entities, e)
					}
				}
			}
		}
	}
}

// thing is one of the entities that the scope holds.
func (t *teller) thing() graph.EntityID {
	return entity(one(t.Rand, slices.Concat(t.subjects, t.objects))).ID
}

// fact is mostly a fact that is believed, else the id of any claim there ever was.
func (t *teller) fact() graph.ClaimID {
	windows := t.m.latest().windows()
	if len(windows) > 0 && chance(t.Rand, 80) {
		return one(t.Rand, windows).Fact
	}
	if len(t.known) > 0 {
		return one(t.Rand, t.known)
	}
	return "none"
}

func (t *teller) episode() graph.EpisodeID {
	return graph.EpisodeID(fmt.Sprintf("e%d", t.IntN(episodesToldOf)))
}

// claim draws a claim of any kind, sometimes one that was told before.
func (t *teller) claim() graph.Claim {
	if len(t.m.claims) > 0 && !t.simple && chance(t.Rand, 12) {
		c := one(t.Rand, t.m.claims)
		if !c.Correction && c.Origin == "" {
			c.ID, c.Replaces, c.Change, c.Logged, c.Rec = graph.ClaimID(t.mint("c")), nil, "", graph.Pos{}, graph.Pos{}
			if chance(t.Rand, 50) {
				c.Sources = t.sources(c.ID)
			}
			if c.Text != "" {
				c.Text = "They say " + canary(string(c.ID)) + "."
			}
			return c
		}
	}
	c := graph.Claim{
		ID: graph.ClaimID(t.mint("c")), Kind: graph.Assert, Predicate: one(t.Rand, t.predicates),
		Subject: entity(one(t.Rand, t.subjects)).ID, Object: entity(one(t.Rand, t.objects)).ID,
		Trust: one(t.Rand, []graph.Trust{graph.Stated, graph.Stated, graph.Stated, graph.Reported, graph.Inferred}),
		Actor: one(t.Rand, []string{"", "", "", "dana"}),
	}
	c.Sources = t.sources(c.ID)
	c.Valid.From = t.begin()
	if chance(t.Rand, 30) {
		c.Valid.To = one(t.Rand, t.instants)
	}
	if c.Valid.From >= c.Valid.End() {
		c.Valid.To = 0
	}
	if c.Valid.From == 0 {
		c.Precision.From = temporal.Unknown
	} else if chance(t.Rand, 30) {
		c.Precision.From = temporal.Month
	}
	if chance(t.Rand, 45) {
		if at := one(t.Rand, t.instants); c.Valid.Contains(at) {
			c.HoldsAt = at
		}
	}
	t.state(&c)
	switch n := t.IntN(100); {
	case n < 8:
		c.Kind = graph.Never
		c.Valid, c.Precision, c.HoldsAt = temporal.Period{}, graph.Bounds{}, 0
	case n < 20:
		c.Kind, c.HoldsAt = graph.Retract, 0
		if p := t.m.latest().registry.Get(c.Predicate); p.Cardinality == graph.One && chance(t.Rand, 40) {
			c.Object = ""
		}
	case n < 30 && !t.simple:
		c.Replaces = []graph.ClaimID{t.fact()}
	}
	return c
}

// state has a claim say more than its triple, perhaps.
func (t *teller) state(c *graph.Claim) {
	if chance(t.Rand, 40) {
		c.Text = "They say " + canary(string(c.ID)) + "."
	}
	if chance(t.Rand, 20) {
		c.Type = one(t.Rand, []string{facts.Semantic, facts.Episodic})
	}
	if chance(t.Rand, 20) {
		importance := one(t.Rand, []float64{.25, .75})
		c.Importance = &importance
	}
	if len(c.Sources) > 0 && c.Actor == "" && chance(t.Rand, 60) {
		c.Extractor = "rules/1"
	}
}

// canary is a word that only one claim says.
func canary(id string) string { return "canary-" + id + "-yranac" }

// begin is a time to begin at, now and then unknown.
func (t *teller) begin() temporal.Instant {
	if chance(t.Rand, 12) {
		return 0
	}
	return one(t.Rand, t.instants)
}

// sources are none to two of the episodes that the scope holds.
func (t *teller) sources(id graph.ClaimID) []graph.Source {
	var out []graph.Source
	most := 2
	if t.simple {
		most = 1 // of two, one may be erased, and then the claim is the same as one of the other
	}
	for range t.IntN(most + 1) {
		e := t.episode()
		if _, ok := t.m.episodes[e]; !ok || slices.ContainsFunc(out, func(s graph.Source) bool { return s.Episode == e }) {
			continue
		}
		s := graph.Source{Episode: e}
		if chance(t.Rand, 40) {
			s.Quote = "quote " + canary(string(id))
		}
		out = append(out, s)
	}
	return out
}

func (t *teller) correction() ledger.Correction {
	in := ledger.Correction{ID: graph.ClaimID(t.mint("c")), At: t.begin()}
	n := t.IntN(100)
	if n < 25 {
		text := "Corrected " + string(in.ID)
		in.Text = &text
	}
	if n >= 20 && n < 40 {
		object := entity(one(t.Rand, t.objects)).ID
		in.Object = &object
	}
	if n >= 35 && n < 70 {
		in.From = &temporal.Date{At: t.begin(), Precision: temporal.Day}
		if in.From.At == 0 {
			in.From.Precision = temporal.Unknown
		}
	}
	if n >= 60 {
		in.To = &temporal.Date{At: t.begin()}
		if in.To.At != 0 {
			in.To.Precision = temporal.Month
		}
	}
	if chance(t.Rand, 10) {
		importance := .9
		in.Importance = &importance
	}
	return in
}

// declaration is one that the scope could accept; a predicate that nobody uses if there is none.
func (t *teller) declaration() graph.Predicate {
	r := t.m.latest().registry
	for range 10 {
		if len(t.declarations) == 0 {
			break
		}
		if p := one(t.Rand, t.declarations); facts.Validate(p) == nil && r.With(p).Validate() == nil {
			return p
		}
	}
	return graph.Predicate{Name: "unheard_of", Cardinality: graph.One}
}

// extraction is what a newer extractor reads in some episodes: mostly what an older one read, perhaps with another window.
func (t *teller) extraction() ([]graph.EpisodeID, []graph.Claim) {
	var episodes []graph.EpisodeID
	for range 1 + t.IntN(2) {
		if e := t.episode(); !slices.Contains(episodes, e) {
			if _, ok := t.m.episodes[e]; ok {
				episodes = append(episodes, e)
			}
		}
	}
	var claims []graph.Claim
	if len(episodes) == 0 {
		return nil, nil
	}
	for _, old := range t.m.claims {
		if old.Extractor == "" || len(old.Sources) != 1 || !slices.Contains(episodes, old.Sources[0].Episode) || chance(t.Rand, 30) {
			continue
		}
		c := graph.Claim{
			ID: graph.ClaimID(t.mint("c")), Kind: old.Kind, Subject: old.Subject, Predicate: old.Predicate, Object: old.Object,
			Valid: old.Valid, Trust: old.Trust, Sources: old.Sources, Extractor: "rules/2",
		}
		if chance(t.Rand, 20) && c.Kind != graph.Never {
			c.Valid = temporal.Period{From: t.begin()}
		}
		claims = append(claims, c)
	}
	if chance(t.Rand, 50) {
		c := t.claim()
		c.Replaces, c.Actor, c.Extractor = nil, "", "rules/2"
		c.Sources = []graph.Source{{Episode: episodes[0]}}
		claims = append(claims, c)
	}
	return episodes, claims
}
