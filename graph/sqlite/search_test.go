package sqlite

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/graph"
	"tenure/lexical"
	"tenure/temporal"
)

// fact returns a version of its own fact that says a text.
func fact(id, text string, tx temporal.Period) graph.Version {
	return graph.Version{ID: graph.VersionID(id), Fact: graph.ClaimID(id), Text: text, Tx: tx, Subject: "s", Object: "o", Valid: temporal.Period{From: day0}}
}

func foundFacts(t *testing.T, r graph.Reader, query graph.Query) (ids []string) {
	t.Helper()
	last := math.Inf(1)
	for _, hit := range must[[]graph.FactHit](t)(r.SearchFacts(t.Context(), query)) {
		if hit.Score > last || hit.Score <= 0 {
			t.Errorf("score %v after %v", hit.Score, last)
		}
		last = hit.Score
		ids = append(ids, string(hit.Version.ID))
	}
	return ids
}

func foundEpisodes(t *testing.T, r graph.Reader, query graph.Query) (ids []string) {
	t.Helper()
	for _, hit := range must[[]graph.EpisodeHit](t)(r.SearchEpisodes(t.Context(), query)) {
		ids = append(ids, string(hit.Episode.ID))
	}
	return ids
}

func sorted(ids []string) []string {
	slices.Sort(ids)
	return ids
}

func wantFound(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, sorted(got)); diff != "" && len(got)+len(want) > 0 {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestSearchIsAsOf(t *testing.T) {
	s := opened(t)
	first := write(t, s, scope, graph.Delta{Versions: []graph.Version{fact("old", "Globex is on Basic", temporal.Period{From: day0})}})
	ended := fact("old", "Globex is on Basic", temporal.Period{From: first, To: first + 1})
	hidden := fact("hidden", "Globex hides", temporal.Period{From: first + 1})
	hidden.Hidden = true
	future := fact("future", "Globex will be on Team", temporal.Period{From: first + 1})
	future.Valid = temporal.Period{From: later(10)}
	future.Type = "plan"
	write(t, s, scope, graph.Delta{Versions: []graph.Version{ended, fact("new", "Globex is on Pro", temporal.Period{From: first + 1}), hidden, future}})

	then, now := snapshot(t, s, graph.View{Scope: scope, Tx: first}), snapshot(t, s, graph.View{Scope: scope})
	wantFound(t, "then", foundFacts(t, then, graph.Query{Text: "globex"}), "old")
	wantFound(t, "now", foundFacts(t, now, graph.Query{Text: "globex"}), "future", "new")
	wantFound(t, "valid now", foundFacts(t, now, graph.Query{Text: "globex", Valid: later(1)}), "new")
	wantFound(t, "of a type", foundFacts(t, now, graph.Query{Text: "globex", Types: []string{"plan"}}), "future")
	wantFound(t, "limited", foundFacts(t, now, graph.Query{Text: "globex pro", Limit: 1}), "new")
	wantFound(t, "by nothing", foundFacts(t, now, graph.Query{Text: ""}))
	wantFound(t, "as words", foundFacts(t, now, graph.Query{Text: `"pro* OR (NEAR -'`}), "new")
	hit := must[[]graph.FactHit](t)(then.SearchFacts(t.Context(), graph.Query{Text: "basic"}))[0]
	if !hit.Version.Tx.Open() {
		t.Errorf("a version found as of its time has ended: %v", hit.Version.Tx)
	}
}

func TestSearchFindsEachWindowOnce(t *testing.T) {
	s := opened(t)
	a, b := fact("a", "Globex is on Pro", temporal.Period{From: day0}), fact("b", "Globex is on Pro now", temporal.Period{From: day0})
	b.Fact = a.Fact
	write(t, s, scope, graph.Delta{Versions: []graph.Version{a, b}})
	if got := foundFacts(t, snapshot(t, s, graph.View{Scope: scope}), graph.Query{Text: "globex"}); len(got) != 1 {
		t.Errorf("found %v, want one", got)
	}
}

func TestSearchKnowsNamesAndTheirChange(t *testing.T) {
	s := opened(t)
	write(t, s, scope, graph.Delta{
		Entities: []graph.Entity{{ID: "s", Name: "Dana"}, {ID: "o", Name: "Basic"}},
		Versions: []graph.Version{fact("v", "the customer's plan", temporal.Period{From: day0})},
	})
	r := snapshot(t, s, graph.View{Scope: scope})
	wantFound(t, "subject", foundFacts(t, r, graph.Query{Text: "dana"}), "v")
	wantFound(t, "object", foundFacts(t, r, graph.Query{Text: "basic"}), "v")
	write(t, s, scope, graph.Delta{Entities: []graph.Entity{{ID: "s", Name: "Daniela"}}})
	r = snapshot(t, s, graph.View{Scope: scope})
	wantFound(t, "old name", foundFacts(t, r, graph.Query{Text: "dana"}))
	wantFound(t, "new name", foundFacts(t, r, graph.Query{Text: "daniela"}), "v")
}

func TestEpisodesAreFoundByTextAndSpeaker(t *testing.T) {
	s := opened(t)
	write(t, s, scope, graph.Delta{Episodes: []graph.Episode{
		{ID: "1", Text: "We moved to Pro", Speaker: "Dana", Occurred: day0},
		{ID: "2", Text: "SSO needs Pro", Speaker: "Kim", Occurred: later(2)},
		{ID: "3", Text: "Pro has no time"},
	}})
	r := snapshot(t, s, graph.View{Scope: scope})
	wantFound(t, "text", foundEpisodes(t, r, graph.Query{Text: "pro"}), "1", "2", "3")
	wantFound(t, "speaker", foundEpisodes(t, r, graph.Query{Text: "kim"}), "2")
	wantFound(t, "at a time", foundEpisodes(t, r, graph.Query{Text: "pro", Valid: day0}), "1", "3")
	write(t, s, scope, graph.Delta{Episodes: []graph.Episode{{ID: "2", Text: "SSO needs Pro", Speaker: "Kim", Occurred: later(2), Status: graph.Done}}})
	hit := must[[]graph.EpisodeHit](t)(snapshot(t, s, graph.View{Scope: scope}).SearchEpisodes(t.Context(), graph.Query{Text: "kim"}))[0]
	if hit.Episode.Status != graph.Done {
		t.Errorf("status: got %q, want that of the file", hit.Episode.Status)
	}
}

func TestAnUpdateFindsWhatItWrote(t *testing.T) {
	s := opened(t)
	ctx := t.Context()
	write(t, s, scope, graph.Delta{Versions: []graph.Version{fact("old", "Globex is on Basic", temporal.Period{From: day0})}})
	if err := s.Update(ctx, scope, func(w graph.Writer) error {
		wantFound(t, "before", foundFacts(t, w, graph.Query{Text: "globex"}), "old")
		if err := w.Write(ctx, graph.Delta{Versions: []graph.Version{fact("new", "Globex is on Pro", temporal.Period{From: w.Now()})}}); err != nil {
			return err
		}
		wantFound(t, "after", foundFacts(t, w, graph.Query{Text: "globex"}), "new", "old")
		wantFound(t, "outside", foundFacts(t, snapshot(t, s, graph.View{Scope: scope}), graph.Query{Text: "globex"}), "old")
		return errors.New("never mind")
	}); err == nil {
		t.Fatal("want an error")
	}
	wantFound(t, "in the end", foundFacts(t, snapshot(t, s, graph.View{Scope: scope}), graph.Query{Text: "globex"}), "old")
	if err := s.Update(ctx, graph.Scope{Tenant: "acme", Name: "none"}, func(w graph.Writer) error {
		wantFound(t, "in a scope that has not begun", foundFacts(t, w, graph.Query{Text: "globex"}))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestSearchSeesWhatAnotherProcessWroteAndErased(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	one, two := openedAt(t, path), openedAt(t, path)
	for n := range 5 {
		d := about(fmt.Sprint("word", n), 2, day0)
		write(t, one, scope, d)
		if err := finds(t.Context(), two, fmt.Sprint("word", n), 2); err != nil {
			t.Error(err)
		}
		if err := two.Update(t.Context(), scope, func(w graph.Writer) error { return w.Destroy(t.Context(), allOf(d)) }); err != nil {
			t.Fatal(err)
		}
		if err := finds(t.Context(), one, fmt.Sprint("word", n), 0); err != nil {
			t.Error(err)
		}
	}
	reader := snapshot(t, one, graph.View{Scope: scope})
	if _, err := two.Erase(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.SearchFacts(t.Context(), graph.Query{Text: "word"}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("got %v, want not found", err)
	}
}

func TestIndexesAreEvictedAndComeBack(t *testing.T) {
	s, err := Open(t.Context(), Config{Clock: temporal.NewFixed(day0), IndexBytes: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scopes := make([]graph.Scope, 6)
	for i := range scopes {
		scopes[i] = graph.Scope{Tenant: "acme", Name: fmt.Sprint(i)}
		write(t, s, scopes[i], about(fmt.Sprint("word", i), 30, day0))
	}
	for range 3 {
		for i := range scopes {
			got := foundFacts(t, snapshot(t, s, graph.View{Scope: scopes[i]}), graph.Query{Text: fmt.Sprint("word", i)})
			if len(got) != 30 {
				t.Errorf("scope %d: found %d, want 30", i, len(got))
			}
			if s.indexes.bytes > 60_000 && len(s.indexes.byKey) > 1 {
				t.Errorf("%d indexes take %d bytes", len(s.indexes.byKey), s.indexes.bytes)
			}
		}
	}
	if n := len(s.indexes.byKey); n == 0 || n == len(scopes) {
		t.Errorf("%d of %d indexes are kept", n, len(scopes))
	}
}

func TestRarityCountsFactsAndEpisodesTogether(t *testing.T) {
	s := opened(t)
	write(t, s, scope, graph.Delta{
		Versions: []graph.Version{
			fact("1", "globex pro", temporal.Period{From: day0}), fact("2", "globex basic", temporal.Period{From: day0}),
		},
		Episodes: []graph.Episode{{ID: "1", Text: "globex said pro"}, {ID: "2", Text: "hello"}},
	})
	got := must[map[string]float64](t)(snapshot(t, s, graph.View{Scope: scope}).Rarity(t.Context(), []string{"globex", "pro", "basic", "none"}))
	one := lexical.New[int]()
	for i, text := range []string{"globex pro", "globex basic", "globex said pro", "hello"} {
		one.PutText(i, text)
	}
	for term, rarity := range got {
		if want := one.IDF(term); math.Abs(rarity-want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", term, rarity, want)
		}
	}
	if !(got["globex"] < got["pro"] && got["pro"] < got["basic"] && got["basic"] < got["none"]) {
		t.Errorf("got %v", got)
	}
}
