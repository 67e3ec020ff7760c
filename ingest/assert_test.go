package ingest_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/graph"
	"tenure/ingest"
	"tenure/temporal"
)

func fact(subject, predicate, object string, f ...func(*ingest.ClaimInput)) ingest.ClaimInput {
	in := ingest.ClaimInput{Subject: graph.Named{Name: subject}, Predicate: predicate, Object: &graph.Named{Name: object}}
	for _, set := range f {
		set(&in)
	}
	return in
}

func from(s string) func(*ingest.ClaimInput) { return func(in *ingest.ClaimInput) { in.ValidFrom = s } }

func (p path) assert(t *testing.T, in ...ingest.ClaimInput) []ingest.Result {
	t.Helper()
	a, err := p.Assert(t.Context(), globex, in, ingest.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	return a.Results
}

func TestFaultsAreAllNamed(t *testing.T) {
	p := newPath(t, words)
	bad := fact("", "has space", "x", from("2026-02-30"))
	bad.Importance = new(float64)
	*bad.Importance = 2
	bad.Trust = "royal"
	_, err := p.Assert(t.Context(), globex, []ingest.ClaimInput{fact("Ann", "noted", "tea"), bad}, ingest.Caller{})
	var got []string
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var fault *graph.FieldError
		if !errors.As(e, &fault) {
			t.Fatalf("%v is no fault of a field", e)
		}
		got = append(got, fault.Field)
	}
	slices.Sort(got)
	want := []string{"facts[1].importance", "facts[1].predicate", "facts[1].subject", "facts[1].trust", "facts[1].valid_from"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := p.store.Snapshot(t.Context(), graph.View{Scope: globex}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("a refused request began the scope: %v", err)
	}
}

func TestBeginsThatAreNotStated(t *testing.T) {
	p := newPath(t, words)
	no := false
	if _, err := p.remember(t, ingest.Caller{}, ingest.EpisodeInput{ID: "late", Text: "x", OccurredAt: "2026-05-01", Extract: &no},
		ingest.EpisodeInput{ID: "early", Text: "x", OccurredAt: "2026-03", Extract: &no}, ingest.EpisodeInput{ID: "page", Kind: graph.Document, Text: "x", Extract: &no}); err != nil {
		t.Fatal(err)
	}
	cite := func(ids ...graph.EpisodeID) func(*ingest.ClaimInput) {
		return func(in *ingest.ClaimInput) { in.Episodes = ids }
	}
	results := p.assert(t, fact("Ann", "noted", "a", cite("late", "early")), fact("Ann", "noted", "b", cite("page")), fact("Ann", "noted", "c"))
	type begin struct {
		From      string
		Precision temporal.Precision
	}
	var got []begin
	for _, r := range results[:2] {
		got = append(got, begin{r.Fact.Valid.From.String(), r.Fact.Precision.From})
	}
	if diff := cmp.Diff([]begin{{"2026-03-01T00:00:00Z", temporal.Month}, {"", temporal.Unknown}}, got); diff != "" {
		t.Error(diff)
	}
	if f := results[2].Fact; f.Valid.From != f.Tx.From {
		t.Errorf("without date or episode it begins %s, want when it was told, %s", f.Valid.From, f.Tx.From)
	}
}

func TestOutcomes(t *testing.T) {
	p := newPath(t, words)
	p.assert(t, fact("Globex", "on_plan", "Basic", from("2026-02")))
	for _, c := range []struct {
		name string
		in   ingest.ClaimInput
		want ingest.Outcome
	}{
		{"another value, later", fact("Globex", "on_plan", "Pro", from("2026-06")), ingest.Superseded},
		{"the same again", fact("Globex", "on_plan", "Pro", from("2026-06")), ingest.Corroborated},
		{"another value, at the same begin", fact("Globex", "on_plan", "Team", from("2026-06")), ingest.Corrected},
		{"only inferred", fact("Globex", "on_plan", "Free", from("2026-08"), func(in *ingest.ClaimInput) { in.Trust = graph.Inferred }), ingest.Disputed},
		{"less trusted, at the same begin", fact("Globex", "on_plan", "Free", from("2026-06"), func(in *ingest.ClaimInput) { in.Trust = graph.Reported }), ingest.Shadowed},
		{"another thing", fact("Globex", "noted", "tea"), ingest.Asserted},
		{"it ended", fact("Globex", "on_plan", "Team", func(in *ingest.ClaimInput) { in.Retract, in.ValidTo = true, "2026-08" }), ingest.Retracted},
		{"what did not hold ended", fact("Globex", "on_plan", "Gold", func(in *ingest.ClaimInput) { in.Retract, in.ValidTo = true, "2026-08" }), ingest.Unchanged},
		{"it never was", fact("Globex", "on_plan", "Basic", func(in *ingest.ClaimInput) { in.Retract, in.Never = true, true }), ingest.Retracted},
	} {
		r := p.assert(t, c.in)[0]
		if r.Outcome != c.want || (r.Change == "") != slices.Contains([]ingest.Outcome{ingest.Corroborated, ingest.Disputed, ingest.Shadowed, ingest.Unchanged}, c.want) {
			t.Errorf("%s: got %s with change %q, want %s", c.name, r.Outcome, r.Change, c.want)
		}
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	p := newPath(t, words)
	p.assert(t, fact("Globex", "on_plan", "Basic", from("2026-02")))
	a, err := p.Assert(t.Context(), globex, []ingest.ClaimInput{fact("Globex", "on_plan", "Pro", from("2026-06"))}, ingest.Caller{DryRun: true})
	if err != nil || a.Results[0].Outcome != ingest.Superseded || a.Results[0].Fact.ObjectNode.Name != "Pro" {
		t.Errorf("got %+v, %v", a, err)
	}
	if diff := cmp.Diff([]string{"Globex is on the Basic plan."}, p.believed(t)); diff != "" {
		t.Error(diff)
	}
}

func TestAKeyGivesTheSameAnswer(t *testing.T) {
	p := newPath(t, words)
	p.assert(t, fact("Globex", "on_plan", "Basic", from("2026-02")))
	who := ingest.Caller{Key: "k"}
	in := []ingest.ClaimInput{fact("Globex", "on_plan", "Pro", from("2026-06")), fact("Ann", "noted", "tea", from("2026"))}
	first, err := p.Assert(t.Context(), globex, in, who)
	if err != nil {
		t.Fatal(err)
	}
	p.assert(t, fact("Globex", "on_plan", "Team", from("2026-07"))) // what comes later does not change the answer
	again, err := p.Assert(t.Context(), globex, in, who)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error(diff)
	}
	if _, err := p.Assert(t.Context(), globex, in[:1], who); !errors.Is(err, graph.ErrConflict) {
		t.Errorf("another request under the key: %v, want a conflict", err)
	}
	if n := len(p.believed(t)); n != 4 {
		t.Errorf("%d windows, want 4: the request was applied once", n)
	}
}

func TestUnknownThingsAreNamed(t *testing.T) {
	p := newPath(t, words)
	p.assert(t, fact("Ann", "noted", "tea"))
	for name, in := range map[string]ingest.ClaimInput{
		"facts[0].episodes[0]": fact("Ann", "noted", "x", func(in *ingest.ClaimInput) { in.Episodes = []graph.EpisodeID{"none"} }),
		"facts[0].object.id":   fact("Ann", "noted", "x", func(in *ingest.ClaimInput) { in.Object = &graph.Named{ID: "none"} }),
		"facts[0].object":      fact("Ann", "noted", "x", func(in *ingest.ClaimInput) { in.Object, in.Retract = nil, true }),
	} {
		_, err := p.Assert(t.Context(), globex, []ingest.ClaimInput{in}, ingest.Caller{})
		var fault *graph.FieldError
		if !errors.As(err, &fault) || fault.Field != name {
			t.Errorf("got %v, want a fault of %s", err, name)
		}
	}
	gone := fact("Ann", "noted", "x", func(in *ingest.ClaimInput) { in.Replaces = "none" })
	if _, err := p.Assert(t.Context(), globex, []ingest.ClaimInput{gone}, ingest.Caller{}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("replaces what is not there: %v, want not found", err)
	}
	if _, err := p.Correct(t.Context(), globex, "none", ingest.CorrectInput{Text: ingest.Patch[string]{Present: true, Value: "x"}}, ingest.Caller{}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("corrects what is not there: %v, want not found", err)
	}
}
