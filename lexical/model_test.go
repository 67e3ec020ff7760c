package lexical_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenure/lexical"
)

// model is BM25 by the book: maps, no shortcuts.
type model struct {
	keys []int // in the order of insertion
	docs map[int]modelDocument
}

type modelDocument struct {
	fields []lexical.Field
	tf     map[string]float64
	length float64
}

func (m *model) put(key int, fields []lexical.Field) {
	if _, ok := m.docs[key]; !ok {
		m.keys = append(m.keys, key)
	}
	doc := modelDocument{fields: fields, tf: map[string]float64{}}
	for _, f := range fields {
		for _, term := range lexical.Terms(f.Text) {
			doc.tf[term] += float64(f.Weight)
			doc.length += float64(f.Weight)
		}
	}
	m.docs[key] = doc
}

func (m *model) delete(key int) {
	delete(m.docs, key)
	m.keys = slices.DeleteFunc(m.keys, func(k int) bool { return k == key })
}

func (m *model) df(term string) (df float64) {
	for _, doc := range m.docs {
		if doc.tf[term] > 0 {
			df++
		}
	}
	return df
}

func (m *model) idf(term string) float64 {
	if len(m.keys) == 0 {
		return 0
	}
	df := m.df(term)
	return math.Log(1 + (float64(len(m.keys))-df+.5)/(df+.5))
}

// scores returns the score of each document that has one.
func (m *model) scores(terms []string) map[int]float64 {
	df, total := map[string]float64{}, 0.0
	for _, term := range terms {
		df[term] = m.df(term)
	}
	terms = slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return df[t] == 0 })
	slices.SortFunc(terms, func(a, b string) int { return cmp.Or(cmp.Compare(df[a], df[b]), strings.Compare(a, b)) })
	terms = slices.Compact(terms)
	terms = terms[:min(len(terms), 64)]
	for _, doc := range m.docs {
		total += doc.length
	}
	scores := map[int]float64{}
	for key, doc := range m.docs {
		for _, term := range terms {
			if n := doc.tf[term]; n > 0 {
				scores[key] += m.idf(term) * n * 2.2 / (n + 1.2*(.25+.75*doc.length/(total/float64(len(m.keys)))))
			}
		}
	}
	return scores
}

const near = 1e-5 // single precision of counts and lengths

// check fails unless hits are the k best of scores, in order.
func (m *model) check(t *rapid.T, hits []lexical.Hit[int], scores map[int]float64, k int) {
	if want := max(0, min(k, len(scores))); len(hits) != want {
		t.Fatalf("%d hits, want %d", len(hits), want)
	}
	left := map[int]float64{}
	for key, score := range scores {
		left[key] = score
	}
	for i, h := range hits {
		want, ok := left[h.Key]
		if !ok {
			t.Fatalf("hit %d: document %d found twice or wrongly", i, h.Key)
		}
		delete(left, h.Key)
		if math.Abs(h.Score-want) > near*want {
			t.Fatalf("document %d: score %v, want %v", h.Key, h.Score, want)
		}
		if i > 0 {
			p := hits[i-1]
			if p.Score < h.Score || p.Score == h.Score && slices.Index(m.keys, p.Key) > slices.Index(m.keys, h.Key) {
				t.Fatalf("hits %d and %d out of order: %v %v", i-1, i, p, h)
			}
		}
	}
	for key, score := range left {
		if len(hits) > 0 && score > hits[len(hits)-1].Score*(1+near) {
			t.Fatalf("document %d of score %v left out", key, score)
		}
	}
}

var (
	vocabulary = func() []string {
		words := []string{"the", "cats", "moving", "café", "猫", "🎉", "don't"}
		for i := range 90 {
			words = append(words, "t"+string(rune('0'+i/10))+string(rune('0'+i%10)))
		}
		return words
	}()
	texts = rapid.Custom(func(t *rapid.T) string {
		few := vocabulary[:rapid.SampledFrom([]int{10, 20, len(vocabulary)}).Draw(t, "vocabulary")]
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(few), 0, 12).Draw(t, "words"), " ")
	})
	documents = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) lexical.Field {
		return lexical.Field{
			Text:   texts.Draw(t, "text"),
			Weight: rapid.SampledFrom([]float32{1, 1, 1, .7, .5, .3, 0}).Draw(t, "weight"),
		}
	}), 0, 3)
	queries = rapid.Custom(func(t *rapid.T) []string {
		return lexical.Terms(strings.Join(rapid.SliceOfN(texts, 0, rapid.SampledFrom([]int{1, 2, 30}).Draw(t, "length")).Draw(t, "query"), " "))
	})
)

func TestIndexAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, m := lexical.New[int](), &model{docs: map[int]modelDocument{}}
		keys := rapid.IntRange(0, rapid.SampledFrom([]int{3, 40}).Draw(t, "keys"))
		put := func(t *rapid.T) {
			key, fields := keys.Draw(t, "key"), documents.Draw(t, "fields")
			x.Put(key, fields...)
			m.put(key, fields)
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": put, "put another": put,
			"delete": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				x.Delete(key)
				m.delete(key)
			},
			"search": func(t *rapid.T) {
				terms, k, mod := queries.Draw(t, "terms"), rapid.IntRange(-1, 50).Draw(t, "k"), rapid.IntRange(1, 4).Draw(t, "mod")
				scores := m.scores(terms)
				m.check(t, x.Search(terms, k, nil), scores, k)
				kept := map[int]float64{}
				for key, score := range scores {
					if key%mod == 0 {
						kept[key] = score
					}
				}
				m.check(t, x.Search(terms, k, func(key int) bool { return key%mod == 0 }), kept, k)
			},
			"": func(t *rapid.T) {
				if x.Len() != len(m.keys) {
					t.Fatalf("Len() = %d, want %d", x.Len(), len(m.keys))
				}
				for _, term := range []string{"t00", "cat", "unknown"} {
					if got, want := x.IDF(term), m.idf(term); math.Abs(got-want) > 1e-12 {
						t.Fatalf("IDF(%q) = %v, want %v", term, got, want)
					}
				}
			},
		})
		terms := queries.Draw(t, "terms")
		rebuilt := lexical.New[int]()
		for _, key := range m.keys {
			rebuilt.Put(key, m.docs[key].fields...)
		}
		got, want := x.Search(terms, 100, nil), rebuilt.Search(terms, 100, nil)
		if !slices.Equal(got, want) {
			t.Fatalf("found %v, a rebuilt index %v", got, want)
		}
	})
}
