package lexical_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"tenure/lexical"
)

const benchDocs = 100_000

// shortTexts returns n texts of about 10 words that are as unevenly common as those of a language: "common" is in about
// a half of the texts, "rare0" and "rare1" in ten each.
func shortTexts(n int) []string {
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 5, 30_000)
	texts := make([]string, n)
	for i := range texts {
		words := make([]string, 0, 12)
		for range 7 + rng.IntN(6) {
			words = append(words, wordOf(int(zipf.Uint64())))
		}
		if rng.IntN(2) == 0 {
			words[0] = "common"
		}
		for rare := range 2 {
			if i%(n/10) == 1+rare*7 {
				words[1+rare] = fmt.Sprintf("rare%d", rare)
			}
		}
		texts[i] = strings.Join(words, " ")
	}
	return texts
}

// wordOf returns a word to be stemmed, a short one for a small number.
func wordOf(n int) string {
	var word strings.Builder
	for m := n; m > 0 || word.Len() == 0; m /= 40 {
		word.WriteByte("bdfgklmn"[m%8])
		word.WriteByte("aeiou"[m/8%5])
	}
	return word.String() + []string{"nt", "nts", "nting", "nted"}[n%4]
}

var benchTexts = sync.OnceValue(func() []string { return shortTexts(benchDocs) })

var benchIndex = sync.OnceValue(func() *lexical.Index[int] {
	x := lexical.New[int]()
	for i, text := range benchTexts() {
		x.PutText(i, text)
	}
	return x
})

func BenchmarkSearch(b *testing.B) {
	x := benchIndex()
	for _, bench := range []struct {
		name  string
		query []string
		k     int
		keep  func(int) bool
	}{
		{"rare2", []string{"rare0", "rare1"}, 10, nil},
		{"common1", []string{"common"}, 10, nil},
		{"common1rare2", []string{"common", "rare0", "rare1"}, 10, nil},
		{"common1rare2k100", []string{"common", "rare0", "rare1"}, 100, nil},
		{"common1rare2keepHalf", []string{"common", "rare0", "rare1"}, 10, func(k int) bool { return k%2 == 0 }},
		{"common1rare2keepOnePercent", []string{"common", "rare0", "rare1"}, 10, func(k int) bool { return k%100 == 0 }},
		{"common1rare2keepNone", []string{"common", "rare0", "rare1"}, 10, func(int) bool { return false }},
		{"words500", lexical.Terms(strings.Join(benchTexts()[:50], " ")), 10, nil},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Search(bench.query, bench.k, bench.keep)
			}
		})
	}
}

// BenchmarkPut reports the time of one Put while 100,000 documents are indexed.
func BenchmarkPut(b *testing.B) {
	texts := benchTexts()
	x := lexical.New[int]()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i == benchDocs {
			x, i = lexical.New[int](), 0
		}
		x.PutText(i, texts[i])
	}
}

// BenchmarkTerms reports the time of one short text.
func BenchmarkTerms(b *testing.B) {
	for name, text := range map[string]string{
		"english": "Caroline's sister is moving to Lisbon in September for her new job.",
		"accents": "Zoë's café résumé was moved naïvely to São Paulo in September.",
		"han":     "她的姐姐九月份要搬到里斯本去做新工作",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				lexical.Terms(text)
			}
		})
	}
}
