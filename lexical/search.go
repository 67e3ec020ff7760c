package lexical

import (
	"cmp"
	"slices"
)

// maxQuery is how many different terms a search uses.
const maxQuery = 64

// Hit is a document found.
type Hit[K comparable] struct {
	Key   K
	Score float64
}

// Search returns the k documents of the highest scores for which keep reports true, or fewer if there are fewer,
// by descending score, those of equal score in the order of insertion. Only documents with one of the terms are found.
//
// A score is Σ IDF(t) · tf·(k1+1) / (tf + k1·(1 − b + b·length/mean length)), k1 = 1.2, b = 0.75, over the different terms,
// of which the 64 rarest known ones are used (of equally rare ones those first by bytes). It does not depend on the order
// of the terms, nor on keep.
//
// Terms are what Terms returns; others match nothing. A nil keep keeps all. Search calls keep at most once for a document,
// from the best down, and not once it has k.
func (x *Index[K]) Search(terms []string, k int, keep func(K) bool) []Hit[K] {
	lists := x.rarest(terms)
	if k <= 0 || len(lists) == 0 {
		return nil
	}
	s, ok := x.scratch.Get().(*scratch)
	if !ok {
		s = &scratch{}
	}
	x.score(s, lists)
	hits := x.take(s, k, keep)
	s.clear()
	x.scratch.Put(s)
	return hits
}

// scratch is what a search writes to. Between searches its scores are all 0.
type scratch struct {
	scores []float64 // by document number
	found  []uint32  // the documents whose score is not 0
	best   []candidate
}

type candidate struct {
	score float64
	order uint64
	doc   uint32
}

func (s *scratch) clear() {
	for _, doc := range s.found {
		s.scores[doc] = 0
	}
	s.found, s.best = s.found[:0], s.best[:0]
}

// rarest returns the lists of at most maxQuery different terms, the rarest first.
func (x *Index[K]) rarest(terms []string) []*list {
	lists := make([]*list, 0, min(len(terms), 2*maxQuery))
	for _, term := range terms {
		if n, ok := x.terms[term]; ok && x.lists[n].live > 0 {
			lists = append(lists, &x.lists[n])
		}
	}
	slices.SortFunc(lists, func(a, b *list) int {
		return cmp.Or(cmp.Compare(a.live, b.live), cmp.Compare(a.term, b.term))
	})
	lists = slices.Compact(lists)
	return lists[:min(len(lists), maxQuery)]
}

// score adds up the scores of all documents in the lists.
func (x *Index[K]) score(s *scratch, lists []*list) {
	if n := len(x.docs); len(s.scores) < n {
		s.scores = make([]float64, n+n/8)
	}
	scores, lengths := s.scores, x.lengths
	flat := k1 * (1 - b)
	sloped := k1 * b * float64(x.Len()) / x.total
	for _, l := range lists {
		weight := x.idf(l.live) * (k1 + 1)
		for _, p := range l.postings {
			length := lengths[p.doc]
			if length == buried {
				continue
			}
			if scores[p.doc] == 0 {
				s.found = append(s.found, p.doc)
			}
			tf := float64(p.tf)
			scores[p.doc] += weight * tf / (tf + flat + sloped*float64(length))
		}
	}
}

// take returns the k best documents found that keep keeps. It asks keep from the best document down,
// which may cost more than all the rest and therefore is asked no oftener than it must be.
func (x *Index[K]) take(s *scratch, k int, keep func(K) bool) []Hit[K] {
	k = min(k, len(s.found))
	hits := make([]Hit[K], 0, k)
	offer := func(c candidate) (full bool) {
		if key := x.docs[c.doc].key; keep == nil || keep(key) {
			hits = append(hits, Hit[K]{Key: key, Score: c.score})
		}
		return len(hits) == k
	}
	n := k
	if keep != nil {
		n = min(2*k+16, len(s.found))
	}
	best := x.best(s, n)
	for _, c := range best {
		if offer(c) {
			return hits
		}
	}
	if n == len(s.found) {
		return hits
	}
	for rest := x.behind(s, best[n-1]); len(rest) > 0; {
		if offer(rest[0]) {
			break
		}
		last := len(rest) - 1
		rest[0] = rest[last]
		rest = rest[:last]
		sink(rest, 0, bestOnTop)
	}
	return hits
}

// best returns the n best of the documents found, the best first; n is at most their number.
func (x *Index[K]) best(s *scratch, n int) []candidate {
	heap := s.best[:0]
	for _, doc := range s.found[:n] {
		heap = append(heap, x.candidate(s, doc))
	}
	heapify(heap, worstOnTop)
	for _, doc := range s.found[n:] {
		if s.scores[doc] < heap[0].score {
			continue
		}
		if c := x.candidate(s, doc); rank(c, heap[0]) < 0 {
			heap[0] = c
			sink(heap, 0, worstOnTop)
		}
	}
	s.best = heap
	slices.SortFunc(heap, rank)
	return heap
}

// behind returns the documents found that rank behind last, in a heap with the best on top.
func (x *Index[K]) behind(s *scratch, last candidate) []candidate {
	rest := s.best[:0]
	for _, doc := range s.found {
		if c := x.candidate(s, doc); rank(c, last) > 0 {
			rest = append(rest, c)
		}
	}
	s.best = rest
	heapify(rest, bestOnTop)
	return rest
}

func (x *Index[K]) candidate(s *scratch, doc uint32) candidate {
	return candidate{score: s.scores[doc], order: x.docs[doc].order, doc: doc}
}

// rank orders the better candidate first.
func rank(a, b candidate) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return cmp.Compare(a.order, b.order)
}

// top is what a heap has on top: the sign that rank gives to what belongs above.
type top int

const (
	bestOnTop  top = -1
	worstOnTop top = 1
)

func heapify(heap []candidate, t top) {
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i, t)
	}
}

// sink restores the heap below i.
func sink(heap []candidate, i int, t top) {
	above := func(a, b candidate) bool { return rank(a, b)*int(t) > 0 }
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if right := child + 1; right < len(heap) && above(heap[right], heap[child]) {
			child = right
		}
		if !above(heap[child], heap[i]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
