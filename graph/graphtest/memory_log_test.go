package graphtest_test

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"tenure/graph"
	"tenure/lexical"
	"tenure/temporal"
)

func (r *memoryReader) Claims(ctx context.Context, ids []graph.ClaimID) (map[graph.ClaimID]graph.Claim, error) {
	return byID(ctx, r, ids, func(c *contents) map[graph.ClaimID]graph.Claim { return c.Claims })
}

func (r *memoryReader) ListClaims(ctx context.Context, f graph.ClaimFilter) ([]graph.Claim, error) {
	compare := comparePos(func(c graph.Claim) graph.Pos { return c.Logged }, func(c graph.Claim) string { return string(c.ID) })
	return list(ctx, r, func(c *contents) map[graph.ClaimID]graph.Claim { return c.Claims }, f.Limit, compare, func(c graph.Claim) bool {
		var episodes []graph.EpisodeID
		for _, s := range c.Sources {
			episodes = append(episodes, s.Episode)
		}
		return among(f.Episodes, episodes...) && among(f.Predicates, c.Predicate) && among(f.Entities, c.Subject, c.Object) &&
			among(f.Changes, c.Change) && among(f.Facts, c.ID, c.Origin) && (f.After == nil || compare(c, *f.After) > 0)
	})
}

func (r *memoryReader) ListPlacements(ctx context.Context, f graph.PlacementFilter) ([]graph.Placement, error) {
	compare := func(a, b graph.Placement) int {
		return cmp.Or(a.Lane.Compare(b.Lane), a.Rec.Compare(b.Rec), a.From.Compare(b.From), cmp.Compare(a.ID, b.ID))
	}
	return list(ctx, r, func(c *contents) map[graph.PlacementID]graph.Placement { return c.Placements }, 0, compare, func(p graph.Placement) bool {
		return among(f.Lanes, p.Lane) && among(f.Claims, p.Claim) && among(f.Subjects, p.Subject) && among(f.Predicates, p.Predicate) &&
			among(f.Objects, p.Object) && (f.Trust == "" || p.Trust == f.Trust) && (f.CountsAt == 0 || p.CountsAt(f.CountsAt))
	})
}

func (r *memoryReader) ListEffects(ctx context.Context, f graph.EffectFilter) (out []graph.Effect, err error) {
	all := len(f.Claims)+len(f.Causes)+len(f.Changes) == 0
	err = r.read(ctx, func(c *contents) {
		for _, e := range c.Effects {
			if all || slices.Contains(f.Claims, e.Claim) || slices.Contains(f.Causes, e.Cause) || slices.Contains(f.Changes, e.Change) {
				out = append(out, e)
			}
		}
		out = first(out, 0, func(a, b graph.Effect) int {
			return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Claim, b.Claim), cmp.Compare(a.Kind, b.Kind))
		})
	})
	return out, err
}

func (r *memoryReader) Episodes(ctx context.Context, ids []graph.EpisodeID) (map[graph.EpisodeID]graph.Episode, error) {
	return byID(ctx, r, ids, episodesOf)
}

func episodesOf(c *contents) map[graph.EpisodeID]graph.Episode { return c.Episodes }

func (r *memoryReader) ListEpisodes(ctx context.Context, f graph.EpisodeFilter) ([]graph.Episode, error) {
	compare := comparePos(func(e graph.Episode) graph.Pos { return e.Recorded }, func(e graph.Episode) string { return string(e.ID) })
	return list(ctx, r, episodesOf, f.Limit, compare, func(e graph.Episode) bool {
		dated := e.Occurred != 0
		return (f.Conversation == "" || e.Conversation == f.Conversation) && among(f.Statuses, e.Status) &&
			(f.Since == 0 || dated && f.Since <= e.Occurred) && (f.Until == 0 || dated && e.Occurred < f.Until) &&
			(f.After == nil || compare(e, *f.After) > 0)
	})
}

// corpus counts in how many documents each term is.
func (r *memoryReader) corpus(c *contents) (n int, with map[string]int) {
	with = map[string]int{}
	add := func(text string) {
		n++
		for term := range termsOf(text) {
			with[term]++
		}
	}
	for _, v := range c.Versions {
		if r.believed(v) && !v.Hidden {
			add(v.Text)
		}
	}
	for _, e := range c.Episodes {
		add(e.Text)
	}
	return n, with
}

func termsOf(text string) map[string]int {
	out := map[string]int{}
	for _, term := range lexical.Terms(text) {
		out[term]++
	}
	return out
}

func idf(n, with int) float64 { return math.Log(1 + (float64(n-with)+.5)/(float64(with)+.5)) }

// score is how well a text answers a query: 0 if it has none of its terms.
func (r *memoryReader) score(c *contents, query, text string) float64 {
	n, with := r.corpus(c)
	terms, sum := termsOf(text), 0.0
	length := 0
	for _, count := range terms {
		length += count
	}
	for term := range termsOf(query) {
		tf := float64(terms[term])
		sum += idf(n, with[term]) * tf / (tf + 1 + float64(length)/100)
	}
	return sum
}

func (r *memoryReader) SearchFacts(ctx context.Context, q graph.Query) (out []graph.FactHit, err error) {
	err = r.read(ctx, func(c *contents) {
		for _, v := range c.Versions {
			if r.believed(v) && !v.Hidden && (q.Valid == 0 || v.Valid.Contains(q.Valid)) && among(q.Types, v.Type) {
				if score := r.score(c, q.Text, v.Text); score > 0 {
					out = append(out, graph.FactHit{Version: r.asThen(v), Score: score})
				}
			}
		}
	})
	return first(out, q.Limit, func(a, b graph.FactHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Version.ID, b.Version.ID))
	}), err
}

func (r *memoryReader) SearchEpisodes(ctx context.Context, q graph.Query) (out []graph.EpisodeHit, err error) {
	err = r.read(ctx, func(c *contents) {
		for _, e := range c.Episodes {
			if score := r.score(c, q.Text, e.Text); score > 0 && (q.Valid == 0 || e.Occurred <= q.Valid) {
				out = append(out, graph.EpisodeHit{Episode: e, Score: score})
			}
		}
	})
	return first(out, q.Limit, func(a, b graph.EpisodeHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Episode.ID, b.Episode.ID))
	}), err
}

func (r *memoryReader) Rarity(ctx context.Context, terms []string) (map[string]float64, error) {
	out := map[string]float64{}
	err := r.read(ctx, func(c *contents) {
		n, with := r.corpus(c)
		for _, term := range terms {
			out[term] = idf(n, with[term])
		}
	})
	return out, err
}

// memoryWriter is the writer of one run of an update.
type memoryWriter struct {
	memoryReader
	held  *contents
	wrote bool
}

func newMemoryWriter(scope graph.Scope, now temporal.Instant, c *contents) *memoryWriter {
	w := &memoryWriter{held: c}
	w.memoryReader = memoryReader{view: graph.View{Scope: scope, Tx: now}, tx: now, read: func(ctx context.Context, f func(*contents)) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		f(c)
		return nil
	}}
	return w
}

func (w *memoryWriter) Now() temporal.Instant { return w.tx }

func put[K comparable, V any](m map[K]V, items []V, id func(V) K) {
	for _, item := range items {
		m[id(item)] = deepCopy(item)
	}
}

func (w *memoryWriter) Write(ctx context.Context, d graph.Delta) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := w.held
	w.wrote = true
	if d.Settings != nil {
		c.Settings = deepCopy(*d.Settings)
	}
	put(c.Entities, d.Entities, func(e graph.Entity) graph.EntityID { return e.ID })
	put(c.Episodes, d.Episodes, func(e graph.Episode) graph.EpisodeID { return e.ID })
	put(c.Claims, d.Claims, func(x graph.Claim) graph.ClaimID { return x.ID })
	put(c.Placements, d.Placements, func(p graph.Placement) graph.PlacementID { return p.ID })
	put(c.Versions, d.Versions, func(v graph.Version) graph.VersionID { return v.ID })
	put(c.Changes, d.Changes, func(x graph.Change) graph.ChangeID { return x.ID })
	put(c.Receipts, d.Receipts, func(r graph.Receipt) string { return r.Key })
	for _, hash := range d.Tombstones {
		c.Tombstones[hash] = true
	}
	c.Effects = append(c.Effects, deepCopy(d.Effects)...)
	for _, m := range d.Merges {
		c.Merges = append(slices.DeleteFunc(c.Merges, func(o graph.Merge) bool { return o.Change == m.Change }), m)
	}
	for _, x := range d.Declarations {
		c.Declarations = append(slices.DeleteFunc(c.Declarations, func(o graph.Declaration) bool { return o.Change == x.Change }), deepCopy(x))
	}
	return nil
}

func (w *memoryWriter) Destroy(ctx context.Context, rows graph.Destruction) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := w.held
	w.wrote = true
	for _, id := range rows.Claims {
		delete(c.Claims, id)
		delete(c.Used, id)
	}
	for _, id := range rows.Changes {
		delete(c.Changes, id)
	}
	for _, id := range rows.Episodes {
		delete(c.Episodes, id)
	}
	for _, id := range rows.Entities {
		delete(c.Entities, id)
	}
	c.Effects = slices.DeleteFunc(c.Effects, func(e graph.Effect) bool {
		return slices.Contains(rows.Claims, e.Claim) || slices.Contains(rows.Claims, e.Cause) || slices.Contains(rows.Changes, e.Change)
	})
	c.Merges = slices.DeleteFunc(c.Merges, func(m graph.Merge) bool { return slices.Contains(rows.Changes, m.Change) })
	c.Declarations = slices.DeleteFunc(c.Declarations, func(d graph.Declaration) bool { return slices.Contains(rows.Changes, d.Change) })
	maps.DeleteFunc(c.Placements, func(_ graph.PlacementID, p graph.Placement) bool { return slices.Contains(rows.Lanes, p.Lane) })
	maps.DeleteFunc(c.Versions, func(_ graph.VersionID, v graph.Version) bool { return slices.Contains(rows.Lanes, v.Lane) })
	return nil
}
