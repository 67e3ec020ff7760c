package lexical_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/lexical"
)

func indexOf(texts ...string) *lexical.Index[int] {
	x := lexical.New[int]()
	for i, text := range texts {
		x.PutText(i, text)
	}
	return x
}

func keysOf[K comparable](hits []lexical.Hit[K]) []K {
	keys := []K{}
	for _, h := range hits {
		keys = append(keys, h.Key)
	}
	return keys
}

func wantKeys(t *testing.T, got []lexical.Hit[int], want ...int) {
	t.Helper()
	if keys := keysOf(got); !slices.Equal(keys, want) {
		t.Errorf("found %v, want %v", keys, want)
	}
}

func TestScore(t *testing.T) {
	x := indexOf("cat cat dog", "dog", "bird bird bird bird fish")
	// N = 3, df = 1, mean length = 3, length = 3, tf = 2.
	idf := math.Log(1 + 2.5/1.5)
	want := idf * 2 * 2.2 / (2 + 1.2)
	hits := x.Search([]string{"cat"}, 10, nil)
	wantKeys(t, hits, 0)
	if got := hits[0].Score; math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
}

func TestIDF(t *testing.T) {
	x := lexical.New[int]()
	if got := x.IDF("cat"); got != 0 {
		t.Errorf("IDF in an empty index %v, want 0", got)
	}
	for i, text := range []string{"cat cat", "cat dog", "dog", ""} {
		x.PutText(i, text)
	}
	x.PutText(4, "bird")
	x.Delete(2)
	for term, df := range map[string]float64{"cat": 2, "dog": 1, "bird": 1, "fish": 0} {
		if got, want := x.IDF(term), math.Log(1+(4-df+.5)/(df+.5)); math.Abs(got-want) > 1e-12 {
			t.Errorf("IDF(%q) = %v, want %v", term, got, want)
		}
	}
}

func TestSearchFindsThePlantedDocumentFirst(t *testing.T) {
	x := lexical.New[string]()
	for i := range 5000 {
		x.PutText(fmt.Sprint(i), fmt.Sprintf("Caroline talked about topic %d and about the weather of day %d", i%50, i%7))
	}
	x.PutText("planted", "Caroline is adopting a greyhound from the shelter")
	for _, query := range []string{
		"Did Caroline adopt a greyhound?", "greyhounds", "what did Caroline say of the shelters and the weather",
	} {
		if hits := x.Search(lexical.Terms(query), 3, nil); len(hits) != 3 && query != "greyhounds" || hits[0].Key != "planted" {
			t.Errorf("%q found %v", query, hits)
		}
	}
}

func TestSearchPrefers(t *testing.T) {
	for _, c := range []struct{ name, better, worse string }{
		{"the rarer term", "lisbon", "tea"},
		{"more of the query", "lisbon tea", "lisbon rome"},
		{"repetition", "lisbon lisbon", "lisbon rome"},
		{"the shorter document", "lisbon", "lisbon rome milan paris"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := indexOf(c.worse, c.better, "tea", "tea milk")
			hits := x.Search([]string{"tea", "lisbon"}, 4, nil)
			if len(hits) == 0 || hits[0].Key != 1 {
				t.Errorf("found %v, want 1 first", hits)
			}
		})
	}
}

func TestSearchBreaksTiesByInsertion(t *testing.T) {
	x := indexOf("tea", "tea", "tea", "tea")
	x.PutText(1, "tea") // keeps its place
	wantKeys(t, x.Search([]string{"tea"}, 3, nil), 0, 1, 2)
	x.Delete(0)
	x.PutText(0, "tea") // is new
	wantKeys(t, x.Search([]string{"tea"}, 10, nil), 1, 2, 3, 0)
}

func TestSearchOfOddQueries(t *testing.T) {
	x := indexOf("tea milk", "coffee", "")
	empty := lexical.New[int]()
	long := lexical.Terms(strings.Repeat("the quick brown fox drinks tea ", 100))
	for _, c := range []struct {
		name  string
		terms []string
		k     int
		want  []int
	}{
		{"nil", nil, 10, nil},
		{"no terms", []string{}, 10, nil},
		{"unknown", []string{"water", "", "\xff", "🎉"}, 10, nil},
		{"k of 0", []string{"tea"}, 0, nil},
		{"k below 0", []string{"tea"}, -1, nil},
		{"k beyond all", []string{"tea", "coffe"}, math.MaxInt, []int{1, 0}},
		{"500 words", long, 10, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantKeys(t, x.Search(c.terms, c.k, nil), c.want...)
			wantKeys(t, x.Search(c.terms, c.k, func(int) bool { return true }), c.want...)
			wantKeys(t, empty.Search(c.terms, c.k, nil))
		})
	}
}

func TestSearchCountsATermOfTheQueryOnce(t *testing.T) {
	x := indexOf("tea milk", "coffee", "milk")
	once, twice := x.Search([]string{"tea", "milk"}, 9, nil), x.Search([]string{"milk", "tea", "milk", "tea"}, 9, nil)
	if diff := cmp.Diff(once, twice); diff != "" {
		t.Errorf("(-once +twice):\n%s", diff)
	}
}

func TestSearchUsesTheRarestTerms(t *testing.T) {
	x := lexical.New[int]()
	var query []string
	for i := range 64 {
		term := fmt.Sprintf("rare%02d", i)
		query = append(query, "unknown"+term, term)
		x.PutText(i, term)
	}
	x.PutText(100, "common")
	x.PutText(101, "common")
	query = append([]string{"common"}, query...)
	for i := range 20 {
		term := fmt.Sprintf("gone%02d", i)
		query = append(query, term)
		x.PutText(200+i, term)
	}
	for i := range 20 {
		x.Delete(200 + i)
	}
	if got := len(x.Search(query, 200, nil)); got != 64 {
		t.Errorf("%d documents found by 64 rare terms and a common one, want 64", got)
	}
	if got := len(x.Search(query[:125], 200, nil)); got != 64 {
		t.Errorf("%d documents found by 62 rare terms and a common one, want 64", got)
	}
}

func TestKeep(t *testing.T) {
	x := lexical.New[int]()
	for i := range 3000 {
		x.PutText(i, strings.Repeat("tea ", 1+i%7)+strings.Repeat("milk ", i%11))
	}
	query := []string{"tea", "milk"}
	all := x.Search(query, 5000, nil)
	for name, keep := range map[string]func(int) bool{
		"all": func(int) bool { return true }, "none": func(int) bool { return false },
		"half": func(k int) bool { return k%2 == 0 }, "few": func(k int) bool { return k%500 == 3 },
		"worst": func(k int) bool { return k == all[2999].Key },
	} {
		for _, k := range []int{1, 10, 2999, 5000} {
			t.Run(fmt.Sprint(name, k), func(t *testing.T) {
				want := []lexical.Hit[int]{}
				asked := 0
				for _, h := range all {
					if len(want) < k {
						asked++
						if keep(h.Key) {
							want = append(want, h)
						}
					}
				}
				var order []int
				got := x.Search(query, k, func(k int) bool { order = append(order, k); return keep(k) })
				if !slices.Equal(got, want) {
					t.Errorf("%d hits %v…, want %d %v…", len(got), got[:min(3, len(got))], len(want), want[:min(3, len(want))])
				}
				if best := keysOf(all)[:asked]; !slices.Equal(order, best) {
					t.Errorf("asked for %d documents %v…, want the best %d in order", len(order), order[:min(5, len(order))], asked)
				}
			})
		}
	}
}

func TestWeights(t *testing.T) {
	score := func(fields ...lexical.Field) float64 {
		x := indexOf("milk", "water")
		x.Put(7, fields...)
		for _, h := range x.Search([]string{"tea"}, 1, nil) {
			return h.Score
		}
		return 0
	}
	tea := func(w float32) lexical.Field { return lexical.Field{Text: "tea", Weight: w} }
	milk := lexical.Field{Text: "milk", Weight: 1}
	if own, near := score(tea(1), milk), score(tea(.3), milk); own <= near || near <= 0 {
		t.Errorf("own word scores %v, near word %v", own, near)
	}
	if two, sum := score(tea(.5), tea(.5), milk), score(tea(1), milk); two != sum {
		t.Errorf("two halves score %v, a whole %v", two, sum)
	}
	if huge, most := score(tea(math.MaxFloat32)), score(tea(1024)); huge != most || math.IsNaN(huge) {
		t.Errorf("the highest weight scores %v, 1024 scores %v", huge, most)
	}
	for _, w := range []float32{0, -1, 1e-30, float32(math.NaN()), float32(math.Inf(-1))} {
		if got := score(tea(w), milk); got != 0 {
			t.Errorf("weight %v scores %v, want 0", w, got)
		}
	}
	if got := score(); got != 0 {
		t.Errorf("no fields score %v", got)
	}
}

func TestPutReplacesAndDeleteRemoves(t *testing.T) {
	x := indexOf("tea", "milk", "")
	x.PutText(0, "coffee")
	wantKeys(t, x.Search([]string{"tea"}, 9, nil))
	wantKeys(t, x.Search([]string{"coffe"}, 9, nil), 0)
	x.Delete(1)
	x.Delete(1)
	x.Delete(42)
	wantKeys(t, x.Search([]string{"milk"}, 9, nil))
	if x.Len() != 2 {
		t.Errorf("Len() = %d, want 2", x.Len())
	}
	x.Delete(0)
	x.Delete(2)
	wantKeys(t, x.Search([]string{"coffe"}, 9, nil))
	if x.Len() != 0 || x.IDF("coffe") != 0 {
		t.Errorf("an emptied index has %d documents and an IDF of %v", x.Len(), x.IDF("coffe"))
	}
}

func TestPutDoesNotKeepTheText(t *testing.T) {
	words := strings.Fields("what which who when where why how the and about from they them their this that these those is are was were be")
	for i := range 100 {
		words = append(words, fmt.Sprint(i), wordOf(i))
	}
	x := lexical.New[int]()
	before := heap()
	for i, word := range words {
		x.PutText(i, word+strings.Repeat(" -", 50_000))
	}
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("%d documents of one term hold %d bytes", len(words), grown)
	}
	runtime.KeepAlive(x)
}

func TestBytesIsNearTheMemoryHeld(t *testing.T) {
	const n = 5000
	textsOf := func(f func(i int) string) []string {
		texts := make([]string, n)
		for i := range texts {
			texts[i] = f(i)
		}
		return texts
	}
	common := ""
	for i := range 100 {
		common += fmt.Sprintf("c%d ", i)
	}
	for name, texts := range map[string][]string{
		"short texts":     shortTexts(n),
		"many terms":      textsOf(func(i int) string { return fmt.Sprintf("a%d b%d c%d d%d e%d", i, i, i, i, i) }),
		"long terms":      textsOf(func(i int) string { return strings.Repeat(fmt.Sprintf("%064d ", i), 2) }),
		"common terms":    textsOf(func(int) string { return common }),
		"empty documents": textsOf(func(int) string { return "" }),
	} {
		t.Run(name, func(t *testing.T) {
			before := heap()
			x := indexOf(texts...)
			near := func(held int) {
				t.Helper()
				got := x.Bytes()
				if 3*got < 2*held || 2*got > 3*held {
					t.Errorf("Bytes() = %d of %d held", got, held)
				}
			}
			near(int(heap() - before))
			for i := range n / 2 {
				x.Delete(2 * i)
			}
			near(int(heap() - before))
			runtime.KeepAlive(x)
			runtime.KeepAlive(texts)
		})
	}
}

func TestBytesForgetsWhatIsGone(t *testing.T) {
	texts := slices.Repeat([]string{"one two three four"}, 9)
	x := indexOf(texts...)
	for i := range 4 { // the fourth makes more than a third
		x.Delete(i)
	}
	if got, want := x.Bytes(), indexOf(texts[:5]...).Bytes(); got != want {
		t.Errorf("Bytes() = %d where 5 documents of 9 are left, want %d", got, want)
	}
	x.PutText(99, "a text of its own")
	x.Delete(99)
	for i := range texts {
		x.Delete(i)
	}
	x.PutText(0, "one two three four five six")
	if got, want := x.Bytes(), indexOf("one two three four five six", "texts").Bytes(); got >= want {
		t.Errorf("Bytes() = %d of an index emptied and filled again, want less than %d", got, want)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestReplacingForEverStaysSmall(t *testing.T) {
	x := lexical.New[int]()
	for i := range 60_000 {
		x.PutText(i%10, fmt.Sprintf("text number %d %s", i, wordOf(i)))
	}
	if got := x.Bytes(); got > 2<<20 {
		t.Errorf("Bytes() = %d of 10 documents", got)
	}
	wantKeys(t, x.Search([]string{"59995"}, 9, nil), 5)
}

func TestSearchConcurrently(t *testing.T) {
	x := indexOf(shortTexts(3000)...)
	queries := [][]string{{"common"}, lexical.Terms(wordOf(1) + " " + wordOf(2)), {"rare0", "common"}, {"rare1"}}
	var want [][]lexical.Hit[int]
	for _, q := range queries {
		want = append(want, x.Search(q, 50, nil))
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 200 {
				q := i % len(queries)
				if got := x.Search(queries[q], 50, nil); !slices.Equal(got, want[q]) {
					t.Errorf("%v found %d others", queries[q], len(got))
				}
			}
		})
	}
	group.Wait()
}
