package retrieval_test

import (
	"fmt"
	"testing"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// BenchmarkRecall recalls from scopes of several sizes, of which every fact is about one of a hundred people.
func BenchmarkRecall(b *testing.B) {
	for _, size := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			m := newMemory(b)
			things := []string{"coffee", "tea", "tennis", "chess", "guitar", "hiking", "painting", "sailing"}
			var claims []ingest.ClaimInput
			for i := range size {
				person, thing := fmt.Sprintf("Person %d", i%100), things[i%len(things)]
				claims = append(claims, claim(person, "likes", fmt.Sprintf("%s number %d", thing, i), "2026-01-01", kind("person", graph.KindValue)))
				if len(claims) == 1000 || i == size-1 {
					m.told(claims...)
					claims = nil
				}
			}
			q := retrieval.RecallQuery{Query: "Does Person 7 like chess or painting?"}
			m.recall(q)
			b.ReportAllocs()
			for b.Loop() {
				m.recall(q)
			}
		})
	}
}
