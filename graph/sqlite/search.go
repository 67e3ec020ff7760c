package sqlite

import (
	"context"
	"errors"
	"math"
	"slices"

	"tenure/graph"
	"tenure/lexical"
	"tenure/temporal"
)

// searching gives f an index of the scope that is not older than the reader, and that does not change while f runs.
func (r *reader) searching(ctx context.Context, f func(x *index)) error {
	x, err := r.words(ctx)
	if err != nil || x == nil {
		return err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	f(x)
	return nil
}

// words returns the index that the reader searches: the scope's, but an update that has written searches one of its own, since
// nobody else may see what it wrote before it commits. There is none of a scope that has not begun.
func (r *reader) words(ctx context.Context) (*index, error) {
	if r.scope == 0 {
		return nil, nil
	}
	if w := r.writer; w != nil && w.wrote {
		if w.words == nil {
			x := newIndex()
			if err := x.build(ctx, r.db, r.scope, scopeClocks{}); err != nil {
				return nil, err
			}
			w.words = x
		}
		return w.words, nil
	}
	x := r.store.indexes.get(r.scope)
	if err := x.follow(ctx, r.db, r.scope); err != nil {
		if errors.Is(err, graph.ErrNotFound) { // the scope is gone
			r.store.indexes.drop(r.scope)
		}
		return nil, err
	}
	r.store.indexes.count(r.scope, x.bytes())
	return x, nil
}

// tries is how often a search is run when an erase takes away what it found.
const tries = 5

// SearchFacts implements graph.Searcher. A limit of 0 is none.
func (r *reader) SearchFacts(ctx context.Context, query graph.Query) ([]graph.FactHit, error) {
	if err := r.enter(ctx); err != nil {
		return nil, err
	}
	defer r.leave()
	terms := lexical.Terms(query.Text)
	for try := 1; ; try++ {
		var found []lexical.Hit[int64]
		if err := r.searching(ctx, func(x *index) {
			found = x.facts.Search(terms, most(query.Limit, x.facts.Len()), x.keep(query, r.tx))
		}); err != nil {
			return nil, err
		}
		hits, err := r.factHits(ctx, found)
		if err != nil {
			return nil, err
		}
		if len(hits) == len(found) || try == tries {
			return hits, r.alive(ctx)
		}
	}
}

// keep reports of a version whether a query at that transaction time may find it. It keeps one of each fact and window.
func (x *index) keep(query graph.Query, tx temporal.Instant) func(int64) bool {
	type window struct {
		fact  uint64
		valid temporal.Period
	}
	seen := map[window]bool{}
	return func(row int64) bool {
		doc := x.versions[row]
		if doc.hidden || !doc.tx.Contains(tx) || (!query.Valid.IsZero() && !doc.valid.Contains(query.Valid)) ||
			(len(query.Types) > 0 && !slices.Contains(query.Types, doc.kind)) {
			return false
		}
		w := window{doc.fact, doc.valid}
		if seen[w] {
			return false
		}
		seen[w] = true
		return true
	}
}

// factHits reads the versions that were found, in their order; those that are no longer there are left out.
func (r *reader) factHits(ctx context.Context, found []lexical.Hit[int64]) ([]graph.FactHit, error) {
	if len(found) == 0 {
		return nil, nil
	}
	versions := make(map[int64]graph.Version, len(found))
	if err := r.db.each(ctx, versionListByRow, func(row scanner) error {
		var number int64
		v, err := r.version(row, &number)
		versions[number] = v
		return err
	}, arg("scope", r.scope), arg("tx", begin(r.tx)), arg("rows", rowsOf(found))); err != nil {
		return nil, err
	}
	hits := make([]graph.FactHit, 0, len(found))
	for _, hit := range found {
		if v, ok := versions[hit.Key]; ok {
			hits = append(hits, graph.FactHit{Version: v, Score: hit.Score})
		}
	}
	return hits, nil
}

// SearchEpisodes implements graph.Searcher. An episode without a time occurred before every time. A limit of 0 is none.
func (r *reader) SearchEpisodes(ctx context.Context, query graph.Query) ([]graph.EpisodeHit, error) {
	if err := r.enter(ctx); err != nil {
		return nil, err
	}
	defer r.leave()
	terms := lexical.Terms(query.Text)
	for try := 1; ; try++ {
		var found []lexical.Hit[int64]
		if err := r.searching(ctx, func(x *index) {
			found = x.episodes.Search(terms, most(query.Limit, x.episodes.Len()), func(row int64) bool {
				return query.Valid.IsZero() || x.occurred[row] <= query.Valid
			})
		}); err != nil {
			return nil, err
		}
		hits, err := r.episodeHits(ctx, found)
		if err != nil {
			return nil, err
		}
		if len(hits) == len(found) || try == tries {
			return hits, r.alive(ctx)
		}
	}
}

func (r *reader) episodeHits(ctx context.Context, found []lexical.Hit[int64]) ([]graph.EpisodeHit, error) {
	if len(found) == 0 {
		return nil, nil
	}
	episodes := make(map[int64]graph.Episode, len(found))
	if err := r.db.each(ctx, episodeListByRow, func(row scanner) error {
		var number int64
		e, err := scanEpisodeAfter(row, &number)
		episodes[number] = e
		return err
	}, arg("scope", r.scope), arg("rows", rowsOf(found))); err != nil {
		return nil, err
	}
	hits := make([]graph.EpisodeHit, 0, len(found))
	for _, hit := range found {
		if e, ok := episodes[hit.Key]; ok {
			hits = append(hits, graph.EpisodeHit{Episode: e, Score: hit.Score})
		}
	}
	return hits, nil
}

// Rarity implements graph.Searcher. Facts and episodes count as one collection of N documents, of which df have the term:
// ln(1 + (N − df + ½)/(df + ½)).
func (r *reader) Rarity(ctx context.Context, terms []string) (map[string]float64, error) {
	if err := r.enter(ctx); err != nil {
		return nil, err
	}
	defer r.leave()
	out := make(map[string]float64, len(terms))
	for _, term := range terms {
		out[term] = idf(0, 0)
	}
	if err := r.searching(ctx, func(x *index) {
		n := x.facts.Len() + x.episodes.Len()
		for _, term := range terms {
			out[term] = idf(n, frequency(x.facts, term)+frequency(x.episodes, term))
		}
	}); err != nil {
		return nil, err
	}
	return out, r.alive(ctx)
}

// idf is BM25's, with (N − df + ½)/(df + ½) + 1 written as one fraction.
func idf(n, df int) float64 { return math.Log(float64(n+1) / (float64(df) + .5)) }

// frequency returns how many documents of an index have a term, which is the inverse of idf.
func frequency(x *lexical.Index[int64], term string) int {
	if x.Len() == 0 {
		return 0
	}
	return int(math.Round(float64(x.Len()+1)/math.Exp(x.IDF(term)) - .5))
}

// most is how many documents a limit lets through of n.
func most(limit, n int) int {
	if limit <= 0 {
		return n
	}
	return min(limit, n)
}

func rowsOf(hits []lexical.Hit[int64]) string {
	rows := make([]int64, len(hits))
	for i, hit := range hits {
		rows[i] = hit.Key
	}
	return list(rows)
}
