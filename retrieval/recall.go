package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure/graph"
	"tenure/temporal"
)

const (
	defaultResults   = 8
	defaultMaxTokens = 1200
)

// Recall returns what bears on a text, the most relevant first, and nothing if nothing does.
func (s *Service) Recall(ctx context.Context, scope graph.Scope, q RecallQuery) (Recalled, error) {
	begun := s.cfg.Clock.Now()
	own, err := s.open(ctx, scope, q.At)
	if err != nil {
		return Recalled{}, err
	}
	if q, err = q.complete(own.settings.Weights); err != nil {
		return Recalled{}, err
	}
	lenses, err := s.along(ctx, own, q.TxAt == "")
	if err != nil {
		return Recalled{}, err
	}
	out, found, err := s.recall(ctx, lenses, q)
	if err != nil {
		return Recalled{}, err
	}
	if out.Profile, err = own.alwaysLoaded(ctx, profileShare); err != nil {
		return Recalled{}, err
	}
	nonce, err := s.nonce()
	if err != nil {
		return Recalled{}, err
	}
	if out.Context, err = found.pack(ctx, out.Results, nonce, q.MaxTokens); err != nil {
		return Recalled{}, err
	}
	if q.Touch {
		err = s.touch(ctx, own, out.Results)
	}
	out.Took = s.cfg.Clock.Now().Sub(begun)
	return out, err
}

// complete checks a query and puts in the defaults, Weights too.
func (q RecallQuery) complete(scope *graph.Weights) (RecallQuery, error) {
	switch {
	case q.Query == "":
		return q, graph.Invalid("query", "is missing")
	case q.Limit < 0 || q.Limit > maxLimit:
		return q, graph.Invalid("limit", "want 1 to %d", maxLimit)
	case q.MaxTokens < 0:
		return q, graph.Invalid("max_tokens", "want a number that is not negative")
	}
	q.Limit, q.MaxTokens = cmp.Or(q.Limit, defaultResults), cmp.Or(q.MaxTokens, defaultMaxTokens)
	q.Facts = q.Facts || !q.Episodes
	weights, err := weigh(q.Weights, scope)
	q.Weights = &weights
	return q, err
}

// recall searches the scopes read. A time that the question names, where the caller names none, is the stretch of valid time
// that is looked at; if nothing that held then bears on the question, it is read as of the default after all, since the time
// may be what the statement is about and not when it held.
func (s *Service) recall(ctx context.Context, lenses []*lens, q RecallQuery) (Recalled, *search, error) {
	own := lenses[0]
	asked := read(q.Query, own.world.Registry(), own.at.Valid, own.zone)
	look := newSearch(lenses, q, asked)
	if asked.date != nil && q.ValidAt == "" && !q.History {
		look.hood.span, look.text = asked.date.span, asked.rest
		out, err := look.run(ctx)
		if err != nil || !out.Abstained {
			out.Interpreted = interpreted(asked)
			return out, look, err
		}
		if asked.date = nil; asked.relation == relAt {
			asked.relation = relCurrent
		}
		look = newSearch(lenses, q, asked)
	}
	out, err := look.run(ctx)
	out.Interpreted = interpreted(asked)
	return out, look, err
}

func interpreted(q question) Interpreted {
	out := Interpreted{Relation: relUnknown}
	if len(q.predicates) > 0 {
		out.Relation, out.Predicate = q.relation, q.predicates[0]
	}
	if q.date != nil {
		out.Time = &q.date.Date
	}
	return out
}

// touch marks the facts of the scope itself as used; those of included scopes are only read.
func (s *Service) touch(ctx context.Context, own *lens, results []Found) error {
	var ids []graph.ClaimID
	for _, r := range results {
		if r.Fact != nil && r.Scope == own.scope {
			ids = append(ids, r.Fact.Version.Fact)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return s.cfg.Store.Touch(ctx, own.scope, ids, own.now)
}

// search is one recall under way.
type search struct {
	q       RecallQuery
	lenses  []*lens
	text    string // what is looked for
	about   string // what is measured: the question without its time
	measure measure
	hood    *hood // with all facts found so far as its edges

	selves []node         // who asks
	named  []node         // entities that the question names
	words  map[int]Arm    // by edge
	pages  []page         // episodes found
	near   []float64      // similarity, by edge
	walk   []float64      // by edge
	routes map[node]route // how the walk came to each root
	out    Suppressed
}

// page is an episode found.
type page struct {
	lens       int
	episode    graph.Episode
	similarity float64
	arm        Arm
}

// newSearch prepares a search. A question for what was before, or for what changed, lifts the window from the slots that it
// names, and from nothing else.
func newSearch(lenses []*lens, q RecallQuery, asked question) *search {
	look := &search{q: q, lenses: lenses, text: q.Query, about: asked.rest, hood: newHood(lenses), words: map[int]Arm{}}
	if q.History {
		look.hood.span = temporal.Period{}
	}
	if q.ValidAt == "" && slices.Contains([]string{relPrevious, relHistory, relChanged}, asked.relation) {
		for _, name := range asked.predicates {
			if slot(lenses[0].world.Registry(), name) {
				look.hood.lifted = append(look.hood.lifted, name)
			}
		}
	}
	return look
}

// arms are the ways in which candidates are found, in order: a later one starts from what earlier ones found. Each adds to
// the neighbourhood or to the pages; what a candidate is worth is measured afterwards, the same for all.
func (s *search) arms() []func(context.Context) error {
	return []func(context.Context) error{s.byWords, s.byNames, s.byWalk, s.bySlots, s.byPages}
}

// run finds, scores and selects.
func (s *search) run(ctx context.Context) (Recalled, error) {
	out := Recalled{AsOf: s.lenses[0].asOf()}
	var err error
	if s.measure, err = newMeasure(ctx, s.lenses, s.about); err != nil {
		return out, err
	}
	for _, arm := range s.arms() {
		if err := arm(ctx); err != nil {
			return out, err
		}
	}
	if s.q.Facts {
		s.compare()
		s.walk = s.hood.spread(s.near)
		s.routes = s.hood.routes(s.selves, s.named)
	}
	out.Results, err = s.rank(ctx)
	out.Suppressed, out.Abstained = s.out, len(out.Results) == 0
	return out, err
}

// fetch is how many hits a search by words asks for.
func (s *search) fetch() int { return min(max(2*s.q.Limit, 100), 1000) }

// byWords finds facts by the words of the question. Hits are asked for without the window first, so that what the window
// keeps out can be counted; only if that leaves too few is the store asked again for what is inside.
func (s *search) byWords(ctx context.Context) error {
	if !s.q.Facts {
		return nil
	}
	for i, l := range s.lenses {
		query := graph.Query{Text: s.text, Types: s.q.Types, Limit: s.fetch()}
		hits, err := l.SearchFacts(ctx, query)
		if err != nil {
			return err
		}
		inside := slices.DeleteFunc(slices.Clone(hits), func(h graph.FactHit) bool { return !s.hood.shows(h.Version) })
		for _, h := range hits {
			if v := h.Version; !s.hood.shows(v) && s.similarity(i, v) >= floor {
				s.out.OutsideWindow++
			}
		}
		if query.Valid = point(s.hood.span); len(hits) == query.Limit && 2*len(inside) < len(hits) && !query.Valid.IsZero() {
			if inside, err = l.SearchFacts(ctx, query); err != nil {
				return err
			}
		}
		if err := s.take(ctx, i, inside); err != nil {
			return err
		}
	}
	return nil
}

// take adds hits to the neighbourhood, with their ranks.
func (s *search) take(ctx context.Context, lens int, hits []graph.FactHit) error {
	first := len(s.hood.edges)
	versions := make([]graph.Version, len(hits))
	for k, h := range hits {
		versions[k] = h.Version
	}
	if _, err := s.hood.add(ctx, lens, versions); err != nil {
		return err
	}
	for n, e := range s.hood.edges[first:] {
		k := slices.IndexFunc(hits, func(h graph.FactHit) bool { return h.Version.ID == e.v.ID })
		s.words[first+n] = Arm{Name: "words", Rank: k + 1, Score: hits[k].Score}
	}
	return nil
}

// byNames finds the entities that the question names, and who asks it.
func (s *search) byNames(ctx context.Context) error {
	var err error
	if s.selves, err = s.lenses[0].asker(ctx, s.q.Speaker, s.hood.joint); err != nil {
		return err
	}
	s.named, err = s.hood.namedIn(ctx, s.text)
	return err
}

// maxSeeds is how many hits by words a walk starts from.
const maxSeeds = 16

// walkHops is how far the walk goes from who asks, from what the question names and from the best hits, each. So paths of
// twice that length are found where they meet.
const walkHops = 2

// byWalk takes in the neighbourhood of the best hits, of the named entities and of who asks.
func (s *search) byWalk(ctx context.Context) error {
	if !s.q.Facts {
		return nil
	}
	frontier := append(s.seeds(), append(slices.Clone(s.selves), s.named...)...)
	for range walkHops {
		met, err := s.hood.expand(ctx, frontier)
		if err != nil {
			return err
		}
		frontier = met
	}
	return nil
}

// bySlots takes in what held before and after in the slots that a question for it names, where they were found.
func (s *search) bySlots(ctx context.Context) error {
	if !s.q.Facts {
		return nil
	}
	for i, l := range s.lenses {
		var lanes []graph.Lane
		for _, e := range s.hood.edges {
			if e.lens == i && slices.Contains(s.hood.lifted, e.v.Predicate) && !slices.Contains(lanes, e.v.Lane) {
				lanes = append(lanes, e.v.Lane)
			}
		}
		if len(lanes) == 0 {
			continue
		}
		versions, err := l.Versions(ctx, graph.VersionFilter{Lanes: lanes, Limit: s.fetch()})
		if err != nil {
			return err
		}
		if _, err := s.hood.add(ctx, i, versions); err != nil {
			return err
		}
	}
	return nil
}

// seeds returns the ends of the best hits by words that are related to the question.
func (s *search) seeds() []node {
	s.compare()
	var best []int
	for i, similarity := range s.near {
		if similarity >= floor {
			best = append(best, i)
		}
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(s.near[b], s.near[a]) })
	var out []node
	for _, i := range best[:min(len(best), maxSeeds)] {
		for _, n := range s.hood.edges[i].ends() {
			out = append(out, s.hood.root[n])
		}
	}
	return out
}

// compare measures the edges that were not measured yet.
func (s *search) compare() {
	for _, e := range s.hood.edges[len(s.near):] {
		ends := e.ends()
		s.near = append(s.near, s.similarity(e.lens, e.v, s.hood.entity[ends[0]].Name, s.hood.entity[ends[1]].Name))
	}
}

// similarity measures a version of a scope with the names of its ends, as far as they are known.
func (s *search) similarity(lens int, v graph.Version, names ...string) float64 {
	p := s.lenses[lens].world.Registry().Get(v.Predicate)
	return s.measure.fact(v.Text, names, append(p.Nouns, p.Name))
}

// byPages finds episodes by the words of the question: those that had happened at the read's valid time, and were recorded
// by its transaction time.
func (s *search) byPages(ctx context.Context) error {
	if !s.q.Episodes {
		return nil
	}
	for i, l := range s.lenses {
		query := graph.Query{Text: s.q.Query, Valid: l.point(), Limit: s.fetch()}
		if s.q.History {
			query.Valid = 0
		}
		hits, err := l.SearchEpisodes(ctx, query)
		if err != nil {
			return err
		}
		for k, h := range hits {
			if h.Episode.Recorded.Tx > l.at.Tx {
				continue
			}
			similarity := s.measure.text(strings.TrimSpace(h.Episode.Speaker + " " + h.Episode.Text))
			s.pages = append(s.pages, page{i, h.Episode, similarity, Arm{Name: "episodes", Rank: k + 1, Score: h.Score}})
		}
	}
	return nil
}
