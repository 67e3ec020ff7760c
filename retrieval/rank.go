package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure/facts"
	"tenure/graph"
	"tenure/lexical"
	"tenure/temporal"
)

// candidate is something found, on its way to be a result.
type candidate struct {
	Found
	lens  int
	edge  int // of a fact; -1 of an episode
	begin temporal.Instant
	rank  int // in the search by words; 0 if that did not find it
}

// rank scores what was found, best first, and returns as many as are asked for.
func (s *search) rank(ctx context.Context) ([]Found, error) {
	found := s.related()
	// Dressing reads lanes and claims, so only those are dressed that can come to be shown. Until then a fact counts as fresh
	// as its window; what was corroborated or used since can only gain.
	slices.SortFunc(found, byScore)
	found = found[:min(len(found), 2*s.q.Limit+16)]
	if err := s.dress(ctx, found); err != nil {
		return nil, err
	}
	slices.SortFunc(found, byScore)
	found = s.distinct(found)
	found = found[:min(len(found), s.q.Limit)]
	out := make([]Found, len(found))
	for i, c := range found {
		out[i] = c.Found
	}
	return out, nil
}

// related returns the candidates at or above the floor, and counts the others.
func (s *search) related() []candidate {
	var out []candidate
	if s.q.Facts {
		walked := s.walkRanks()
		for i, e := range s.hood.edges {
			if len(s.q.Types) > 0 && !slices.Contains(s.q.Types, e.v.Type) {
				continue
			}
			if s.near[i] < floor && s.walk[i] < walkFloor {
				s.out.BelowFloor++
				continue
			}
			c := candidate{lens: e.lens, edge: i, begin: e.v.Valid.From, rank: s.words[i].Rank}
			c.Scope = s.lenses[e.lens].scope
			c.Signals = Signals{Similarity: s.near[i], Walk: s.walk[i], Importance: e.v.Importance}
			c.Signals.Recency = Recency(s.lenses[0].at.Valid, s.q.Weights.HalfLifeDays, e.v.Valid.From)
			c.Score = Score(c.Signals, *s.q.Weights)
			c.Path = s.hood.path(s.routes, i)
			if s.q.Explain {
				c.Arms = s.explain(i, walked[i])
			}
			out = append(out, c)
		}
	}
	for _, p := range s.pages {
		if p.similarity < floor {
			s.out.BelowFloor++
			continue
		}
		c := candidate{lens: p.lens, edge: -1, begin: p.episode.Occurred, rank: p.arm.Rank}
		c.Episode, c.Scope = &p.episode, s.lenses[p.lens].scope
		c.Signals = Signals{Similarity: p.similarity, Importance: facts.DefaultImportance}
		c.Signals.Recency = Recency(s.lenses[0].at.Valid, s.q.Weights.HalfLifeDays, p.episode.Occurred)
		c.Score = Score(c.Signals, *s.q.Weights)
		if s.q.Explain {
			c.Arms = []Arm{p.arm}
		}
		out = append(out, c)
	}
	return out
}

// walkRanks returns the rank of each edge by its walk signal.
func (s *search) walkRanks() map[int]int {
	order := make([]int, 0, len(s.walk))
	for i, signal := range s.walk {
		if signal > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.walk[b], s.walk[a]) })
	ranks := map[int]int{}
	for k, i := range order {
		ranks[i] = k + 1
	}
	return ranks
}

// explain says how each arm saw an edge.
func (s *search) explain(edge, walkRank int) []Arm {
	var out []Arm
	if arm, ok := s.words[edge]; ok {
		out = append(out, arm)
	}
	for k, n := range s.named {
		for _, end := range s.hood.edges[edge].ends() {
			if s.hood.root[end] == s.hood.root[n] {
				out = append(out, Arm{Name: "entities", Rank: k + 1, Score: 1})
			}
		}
	}
	if walkRank > 0 {
		out = append(out, Arm{Name: "walk", Rank: walkRank, Score: s.walk[edge]})
	}
	return out
}

// dress makes facts of candidates and scores them by all that is known of their age.
func (s *search) dress(ctx context.Context, found []candidate) error {
	for lens, l := range s.lenses {
		var versions []graph.Version
		var ids []graph.ClaimID
		for _, c := range found {
			if c.lens == lens && c.edge >= 0 {
				versions = append(versions, s.hood.edges[c.edge].v)
				ids = append(ids, s.hood.edges[c.edge].v.Fact)
			}
		}
		if len(versions) == 0 {
			continue
		}
		dressed, err := l.dress(ctx, versions)
		if err != nil {
			return err
		}
		used, err := l.Used(ctx, ids)
		if err != nil {
			return err
		}
		for k := range found {
			c := &found[k]
			if c.lens != lens || c.edge < 0 {
				continue
			}
			f := dressed[0]
			dressed = dressed[1:]
			c.Fact = &f
			c.Signals.Recency = Recency(s.lenses[0].at.Valid, s.q.Weights.HalfLifeDays, f.Valid.From, f.Corroborated, used[f.Version.Fact])
			c.Score = Score(c.Signals, *s.q.Weights)
		}
	}
	return nil
}

// byScore orders candidates by score; equal ones by similarity, by how the search by words ranks them, facts first, the
// latest first, by scope and by id.
func byScore(a, b candidate) int {
	last := func(rank int) int {
		if rank == 0 {
			return maxLimit + 1
		}
		return rank
	}
	return cmp.Or(
		cmp.Compare(b.Score, a.Score), cmp.Compare(b.Signals.Similarity, a.Signals.Similarity),
		cmp.Compare(last(a.rank), last(b.rank)), cmp.Compare(min(b.edge, 0), min(a.edge, 0)),
		cmp.Compare(b.begin, a.begin), cmp.Compare(a.lens, b.lens), cmp.Compare(a.edge, b.edge), cmp.Compare(a.id(), b.id()),
	)
}

func (c candidate) id() string {
	if c.Episode != nil {
		return string(c.Episode.ID)
	}
	return ""
}

// distinct drops what says the same as something better: the same words, or the same triple. Where several moments are
// looked at, windows of their own are facts of their own.
func (s *search) distinct(found []candidate) []candidate {
	type saying struct {
		kind            string
		text            string
		subject, object node
		predicate       string
		window          temporal.Period
	}
	seen := map[saying]bool{}
	return slices.DeleteFunc(found, func(c candidate) bool {
		var same []saying
		if c.Episode != nil {
			same = []saying{{kind: "episode", text: normal(c.Episode.Text)}}
		} else {
			v, ends := c.Fact.Version, s.hood.edges[c.edge].ends()
			same = []saying{
				{kind: "text", text: normal(v.Text)},
				{kind: "triple", subject: s.hood.root[ends[0]], predicate: v.Predicate, object: s.hood.root[ends[1]]},
			}
			if point(s.hood.span).IsZero() || slices.Contains(s.hood.lifted, v.Predicate) {
				same[0].window, same[1].window = v.Valid, v.Valid
			}
		}
		repeated := slices.ContainsFunc(same, func(x saying) bool { return seen[x] })
		for _, x := range same {
			seen[x] = true
		}
		if repeated {
			s.out.Duplicates++
		}
		return repeated
	})
}

// normal is the form in which texts are compared: their words, or where there are none the text.
func normal(text string) string {
	if words := lexical.Words(text); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return text
}
