package sqlite

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"tenure/graph"
	"tenure/temporal"
)

// minted is an id as the server mints it, which sorts by time; derived is one that sorts nowhere.
func minted[T any]() graph.ID[T] { return graph.NewID[T]() }

func derived[T any]() graph.ID[T] { return graph.ID[T](uuid.NewString()) }

// told is what an update of n claims about people's employers writes: an entity on either side with its name, a claim, a
// placement, a version, a change and its lane. Half of the subjects are among those given, if there are any.
func told(r *rand.Rand, now temporal.Instant, n int, subjects []graph.EntityID) graph.Delta {
	var d graph.Delta
	for i := range n {
		pos := graph.Pos{Tx: now, Seq: i}
		subject, object := minted[graph.Entity](), minted[graph.Entity]()
		if len(subjects) > 0 && r.IntN(2) == 0 {
			subject = subjects[r.IntN(len(subjects))]
		}
		lane := graph.Lane{Subject: subject, Predicate: "works_at"}
		valid := temporal.Period{From: now.Add(-time.Duration(r.IntN(10_000)) * time.Hour)}
		claim, change := minted[graph.Claim](), minted[graph.Change]()
		text := fmt.Sprintf("Person %d works at the company number %d.", r.IntN(1000), r.IntN(1000))
		d.Entities = append(d.Entities,
			graph.Entity{ID: subject, Name: fmt.Sprintf("Person %s", subject), Kind: "person", Keys: []string{"person " + string(subject)}},
			graph.Entity{ID: object, Name: fmt.Sprintf("Company %s", object), Kind: "organisation", Keys: []string{"company " + string(object)}})
		d.Claims = append(d.Claims, graph.Claim{
			ID: claim, Kind: graph.Assert, Subject: subject, Predicate: "works_at", Object: object, Text: text, Type: "work", Valid: valid,
			Trust: graph.Stated, Change: change, Logged: pos, Rec: pos,
		})
		d.Placements = append(d.Placements, graph.Placement{
			ID: derived[graph.Placement](), Claim: claim, Fact: claim, Rec: pos, Kind: graph.Assert, Trust: graph.Stated, Lane: lane,
			Subject: subject, Predicate: "works_at", Object: object, Own: true, Valid: valid, From: pos,
		})
		d.Versions = append(d.Versions, graph.Version{
			ID: derived[graph.Version](), Fact: claim, Lane: lane, Subject: subject, Predicate: "works_at", Object: object, Valid: valid,
			Text: text, Type: "work", Importance: .5, Trust: graph.Stated, Tx: temporal.Period{From: now}, Begun: change,
		})
		d.Changes = append(d.Changes, graph.Change{ID: change, At: pos, Kind: graph.ChangeAssert, Claim: claim, Standing: true, Lanes: []graph.Lane{lane}})
	}
	return d
}

func benchStore(b *testing.B) *Store {
	b.Helper()
	s, err := Open(b.Context(), Config{Path: filepath.Join(b.TempDir(), "tenure.db")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

// update writes a delta in an update of its own.
func update(b *testing.B, s *Store, d graph.Delta) {
	b.Helper()
	if err := s.Update(b.Context(), scope, func(w graph.Writer) error { return w.Write(b.Context(), d) }); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			s := benchStore(b)
			r := rand.New(rand.NewPCG(1, 1))
			var ended []graph.Version
			for b.Loop() {
				b.StopTimer()
				now := temporal.SystemClock{}.Now()
				d := told(r, now, n, nil)
				for i := range ended {
					ended[i].Tx.To, ended[i].Ended = now, d.Changes[0].ID
				}
				next := d.Versions[:n/5]
				d.Versions = append(d.Versions, ended...)
				ended = append([]graph.Version(nil), next...)
				b.StartTimer()
				update(b, s, d)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "claims/s")
		})
	}
}

func BenchmarkRead100k(b *testing.B) {
	s := benchStore(b)
	r := rand.New(rand.NewPCG(1, 1))
	var subjects []graph.EntityID
	var facts []graph.ClaimID
	for range 100 {
		d := told(r, temporal.SystemClock{}.Now(), 1000, subjects)
		update(b, s, d)
		for _, v := range d.Versions[:100] {
			subjects, facts = append(subjects, v.Subject), append(facts, v.Fact)
		}
	}
	ctx := b.Context()
	reader, err := s.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if _, err := reader.SearchFacts(ctx, graph.Query{Text: "company number 5", Limit: 10}); err != nil {
		b.Fatal(err)
	}
	b.Logf("first search: %v, index %d MiB", time.Since(start), s.indexes.bytes>>20)
	var after graph.VersionKey
	for name, read := range map[string]func() (int, error){
		"page=first": func() (int, error) {
			got, err := reader.Versions(ctx, graph.VersionFilter{Limit: 50})
			return len(got), err
		},
		"page=random": func() (int, error) {
			after.Valid.From = reader.View().Tx.Add(-time.Duration(r.IntN(9_000)) * time.Hour)
			got, err := reader.Versions(ctx, graph.VersionFilter{Limit: 50, After: &after})
			return len(got), err
		},
		"page=predicate": func() (int, error) {
			got, err := reader.Versions(ctx, graph.VersionFilter{Limit: 50, Predicates: []string{"works_at"}, Valid: reader.View().Tx})
			return len(got), err
		},
		"around=10x20": func() (int, error) {
			got, err := reader.Around(ctx, subjects[r.IntN(1000):][:10], reader.View().Tx, 20)
			return len(got), err
		},
		"history=50": func() (int, error) {
			got, err := reader.VersionsOf(ctx, facts[r.IntN(1000):][:50])
			return len(got), err
		},
		"search": func() (int, error) {
			got, err := reader.SearchFacts(ctx, graph.Query{Text: fmt.Sprintf("who works at company number %d", r.IntN(1000)), Limit: 50})
			return len(got), err
		},
		"counts": func() (int, error) {
			got, err := reader.Counts(ctx)
			return got.Versions, err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if n, err := read(); n == 0 || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
