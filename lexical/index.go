package lexical

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// The constants of BM25: how soon repetition stops to count, and how much length counts.
const (
	k1 = 1.2
	b  = 0.75
)

const (
	weightStep = 1.0 / (1 << 20)
	maxWeight  = 1 << 10
)

// Field is a text that is part of a document. Each occurrence of a term in it counts Weight times:
// 1 for the document's own words, less for words that are only near it.
// Weight is rounded to a multiple of 2⁻²⁰ and cut at 1024; one that is not above 0 adds nothing.
type Field struct {
	Text   string
	Weight float32
}

// Index ranks documents by BM25 over weighted counts of their Terms; a document's length is the sum of its counts.
// Searches may run concurrently while nothing writes. The same operations give the same answers.
type Index[K comparable] struct {
	numbers map[K]uint32 // the document number of each key
	docs    []document[K]
	lengths []float32 // by document number; buried where the document is gone
	refs    []uint32  // the term numbers of the documents, one document after the other
	total   float64   // the sum of the lengths, exact because they are multiples of weightStep
	order   uint64    // of the next new key

	terms    map[string]uint32 // the term number of each term
	lists    []list            // by term number
	postings int               // the length of all lists together
	text     int               // the bytes of all terms together

	stemmer stemmer   // used by Put
	counts  []count   // reused by Put
	scratch sync.Pool // of *scratch, used by Search
	keySize int
}

type document[K comparable] struct {
	key   K
	order uint64 // among the insertions
	end   uint32 // of the document's part of refs, which begins where the one before ends
}

// buried is the length of a document that is gone but still has postings.
const buried = -1

type list struct {
	term     string
	postings []posting // ascending by document number
	live     int       // how many of them are of documents that are not gone: the document frequency
}

type posting struct {
	doc uint32
	tf  float32
}

type count struct {
	term uint32
	n    float64
}

// New returns an empty index.
func New[K comparable]() *Index[K] {
	return &Index[K]{
		numbers: map[K]uint32{},
		terms:   map[string]uint32{},
		stemmer: stemmer{},
		keySize: int(reflect.TypeFor[K]().Size()),
	}
}

// PutText indexes a document of one text of weight 1 under key, replacing what was there.
func (x *Index[K]) PutText(key K, text string) { x.Put(key, Field{Text: text, Weight: 1}) }

// Put indexes a document under key, replacing what was there; the texts are not kept.
// A replaced document keeps its place in the order of insertion. One without terms is counted, and never found.
func (x *Index[K]) Put(key K, fields ...Field) {
	order := x.order
	if old, ok := x.numbers[key]; ok {
		order = x.docs[old].order
		x.remove(key, old)
	} else {
		x.order++
	}
	doc := uint32(len(x.docs))
	length := 0.0
	for _, c := range x.count(fields) {
		l := &x.lists[c.term]
		l.postings = append(l.postings, posting{doc: doc, tf: float32(c.n)})
		l.live++
		x.postings++
		x.refs = append(x.refs, c.term)
		length += c.n
	}
	x.numbers[key] = doc
	x.docs = append(x.docs, document[K]{key: key, order: order, end: uint32(len(x.refs))})
	x.lengths = append(x.lengths, float32(length))
	x.total += float64(float32(length))
}

// count returns the weighted count of each term of the fields, valid until the next call, and numbers the new terms.
func (x *Index[K]) count(fields []Field) []count {
	counts := x.counts[:0]
	for _, f := range fields {
		weight := math.Round(min(float64(f.Weight), maxWeight)/weightStep) * weightStep
		if !(weight > 0) {
			continue
		}
		for _, term := range termsOf(f.Text, x.stemmer.stem) {
			counts = append(counts, count{term: x.number(term), n: weight})
		}
	}
	x.counts = counts
	slices.SortFunc(counts, func(a, b count) int { return cmp.Compare(a.term, b.term) })
	merged := counts[:0]
	for _, c := range counts {
		if n := len(merged); n > 0 && merged[n-1].term == c.term {
			merged[n-1].n += c.n
		} else {
			merged = append(merged, c)
		}
	}
	return merged
}

func (x *Index[K]) number(term string) uint32 {
	n, ok := x.terms[term]
	if !ok {
		n = uint32(len(x.lists))
		term = strings.Clone(term) // it may be a part of a whole text
		x.terms[term] = n
		x.lists = append(x.lists, list{term: term})
		x.text += len(term)
	}
	return n
}

// Delete removes the document under key, if there is one.
func (x *Index[K]) Delete(key K) {
	if doc, ok := x.numbers[key]; ok {
		x.remove(key, doc)
	}
}

// remove buries a document, and takes the buried ones out of the lists when they are more than a third.
func (x *Index[K]) remove(key K, doc uint32) {
	delete(x.numbers, key)
	for _, term := range x.refsOf(doc) {
		x.lists[term].live--
	}
	x.total -= float64(x.lengths[doc])
	x.lengths[doc] = buried
	if dead := len(x.docs) - len(x.numbers); 3*dead > len(x.docs) {
		x.compact()
	}
}

func (x *Index[K]) refsOf(doc uint32) []uint32 {
	start := uint32(0)
	if doc > 0 {
		start = x.docs[doc-1].end
	}
	return x.refs[start:x.docs[doc].end]
}

// compact renumbers documents and terms, in the order they have, so that nothing of a buried document is left.
func (x *Index[K]) compact() {
	terms := x.compactLists(x.compactNumbers())
	live := len(x.numbers)
	docs, lengths := make([]document[K], 0, live), make([]float32, 0, live)
	refs := make([]uint32, 0, x.postings)
	for n, doc := range x.docs {
		if x.lengths[n] == buried {
			continue
		}
		for _, term := range x.refsOf(uint32(n)) {
			refs = append(refs, terms[term])
		}
		doc.end = uint32(len(refs))
		docs, lengths = append(docs, doc), append(lengths, x.lengths[n])
	}
	x.docs, x.lengths, x.refs = docs, lengths, refs
}

// compactNumbers gives each key its new document number and returns the new numbers by the old.
func (x *Index[K]) compactNumbers() []uint32 {
	moved := make([]uint32, len(x.docs))
	next := uint32(0)
	numbers := make(map[K]uint32, len(x.numbers))
	for n, doc := range x.docs {
		if x.lengths[n] != buried {
			moved[n] = next
			numbers[doc.key] = next
			next++
		}
	}
	x.numbers = numbers
	return moved
}

// compactLists keeps the postings of live documents, under their new numbers, and returns the new term numbers by the old.
func (x *Index[K]) compactLists(moved []uint32) []uint32 {
	renumbered := make([]uint32, len(x.lists))
	lists, terms := make([]list, 0, len(x.lists)), make(map[string]uint32, len(x.terms))
	x.postings, x.text = 0, 0
	for n, l := range x.lists {
		if l.live == 0 {
			continue
		}
		postings := make([]posting, 0, l.live)
		for _, p := range l.postings {
			if x.lengths[p.doc] != buried {
				postings = append(postings, posting{doc: moved[p.doc], tf: p.tf})
			}
		}
		l.postings = postings
		renumbered[n] = uint32(len(lists))
		terms[l.term] = uint32(len(lists))
		lists = append(lists, l)
		x.postings += l.live
		x.text += len(l.term)
	}
	x.lists, x.terms = lists, terms
	return renumbered
}

// Len returns the number of documents.
func (x *Index[K]) Len() int { return len(x.numbers) }

// Bytes returns an estimate of the memory the index holds, in constant time. What keys point at is not in it.
func (x *Index[K]) Bytes() int {
	const (
		perIndex   = 512
		perTerm    = 120 // a list, its name and number, and the slack of a map and of small allocations
		perPosting = 16  // a posting and a reference, with the slack of growth
		perDoc     = 48
		perStem    = 80
	)
	return perIndex + perStem*len(x.stemmer) + x.text + perTerm*len(x.lists) + perPosting*x.postings + (perDoc+3*x.keySize)*len(x.docs)
}

// IDF returns ln(1 + (N − df + ½)/(df + ½)), where df of the N documents contain term: the weight of a term, above 0.
// An unknown term has the highest. In an empty index it is 0.
func (x *Index[K]) IDF(term string) float64 {
	df := 0
	if n, ok := x.terms[term]; ok {
		df = x.lists[n].live
	}
	return x.idf(df)
}

func (x *Index[K]) idf(df int) float64 {
	if x.Len() == 0 {
		return 0
	}
	return math.Log(1 + (float64(x.Len()-df)+.5)/(float64(df)+.5))
}
