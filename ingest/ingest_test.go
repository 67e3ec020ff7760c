package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tenure/extract"
	"tenure/graph"
	"tenure/graph/sqlite"
	"tenure/ingest"
	"tenure/temporal"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var globex = graph.Scope{Tenant: "default", Name: "globex"}

// reader is an extractor that answers what a test says.
type reader struct {
	mu   sync.Mutex
	seen []graph.EpisodeID
	read func(in extract.Input) (extract.Draft, error)
}

func (r *reader) Name() string { return "reader/1" }

func (r *reader) Extract(_ context.Context, in extract.Input) (extract.Draft, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, in.Episode.ID)
	return r.read(in)
}

// words says of every word of the text that the speaker noted it.
func words(in extract.Input) (extract.Draft, error) {
	var d extract.Draft
	for _, word := range strings.Fields(in.Episode.Text) {
		d.Claims = append(d.Claims, extract.Claim{
			Kind: graph.Assert, Subject: extract.Mention{Ref: extract.Speaker}, Predicate: "noted", Object: extract.Mention{Name: word, Kind: graph.KindValue},
			HoldsAt: in.Episode.Occurred, Trust: graph.Stated, Quote: word,
		})
	}
	return d, nil
}

// path is a write path with its store, both ended with the test.
type path struct {
	*ingest.Service
	store  graph.Store
	reader *reader
}

func newPath(t *testing.T, read func(extract.Input) (extract.Draft, error)) path {
	t.Helper()
	clock := temporal.NewFixed(temporal.At(time.Date(2026, 9, 13, 12, 0, 0, 0, time.UTC)))
	store, err := sqlite.Open(t.Context(), sqlite.Config{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	p := path{store: store, reader: &reader{read: read}}
	if p.Service, err = ingest.New(ingest.Config{Store: store, Clock: clock, Extractor: p.reader, Pause: time.Microsecond}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// work has the episodes worked off until the test ends.
func (p path) work(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func (p path) snapshot(t *testing.T) graph.Reader {
	t.Helper()
	r, err := p.store.Snapshot(t.Context(), graph.View{Scope: globex})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// believed are the statements that hold, sorted.
func (p path) believed(t *testing.T) []string {
	t.Helper()
	versions, err := p.snapshot(t).Versions(t.Context(), graph.VersionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range versions {
		out = append(out, v.Text)
	}
	slices.Sort(out)
	return out
}

func (p path) remember(t *testing.T, who ingest.Caller, in ...ingest.EpisodeInput) ([]graph.Episode, error) {
	t.Helper()
	r, err := p.Remember(t.Context(), globex, in, time.Minute, who)
	return r.Episodes, err
}

func TestEpisodesAreWorkedOffInOrder(t *testing.T) {
	p := newPath(t, words)
	p.work(t)
	var in []ingest.EpisodeInput
	for i := range 20 {
		in = append(in, ingest.EpisodeInput{ID: fmt.Sprint("e", i), Speaker: "Ann", Text: fmt.Sprint("word", i)})
	}
	got, err := p.remember(t, ingest.Caller{}, in...)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range got {
		if e.Status != graph.Done || len(e.Outcome.Changes) != 1 || p.reader.seen[i] != e.ID {
			t.Errorf("episode %d: %s with %d changes, read as %s", i, e.Status, len(e.Outcome.Changes), p.reader.seen[i])
		}
	}
	if n := len(p.believed(t)); n != 20 {
		t.Errorf("%d facts hold, want 20", n)
	}
}

func TestTheSameEpisodeAgain(t *testing.T) {
	p := newPath(t, words)
	p.work(t)
	e := ingest.EpisodeInput{ID: "one", Speaker: "Ann", Text: "tea"}
	first, err := p.remember(t, ingest.Caller{}, e)
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.remember(t, ingest.Caller{}, e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error(diff)
	}
	e.Text = "coffee"
	if _, err := p.remember(t, ingest.Caller{}, e); !errors.Is(err, graph.ErrConflict) {
		t.Errorf("another text under the same id: %v, want a conflict", err)
	}
	keyed := ingest.EpisodeInput{Speaker: "Ann", Text: "milk"}
	a, err := p.remember(t, ingest.Caller{Key: "k"}, keyed)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.remember(t, ingest.Caller{Key: "k"}, keyed)
	if err != nil || a[0].ID != b[0].ID {
		t.Errorf("the same key gave another episode: %v", err)
	}
	keyed.Text = "juice"
	if _, err := p.remember(t, ingest.Caller{Key: "k"}, keyed); !errors.Is(err, graph.ErrConflict) {
		t.Errorf("another text under the same key: %v, want a conflict", err)
	}
	if got, want := p.believed(t), 2; len(got) != want {
		t.Errorf("got %q, want %d facts", got, want)
	}
}

func TestAFailingEpisodeIsKeptAndTriedAgain(t *testing.T) {
	broken := errors.New("no answer")
	tries := 0
	p := newPath(t, func(in extract.Input) (extract.Draft, error) {
		if in.Episode.ID == "poison" {
			if tries++; tries <= 5 {
				return extract.Draft{}, broken
			}
		}
		return words(in)
	})
	p.work(t)
	got, err := p.remember(t, ingest.Caller{}, ingest.EpisodeInput{ID: "first", Speaker: "Ann", Text: "a"},
		ingest.EpisodeInput{ID: "poison", Speaker: "Ann", Text: "b"}, ingest.EpisodeInput{ID: "third", Speaker: "Ann", Text: "c"})
	if err != nil {
		t.Fatal(err)
	}
	var statuses []graph.Status
	for _, e := range got {
		statuses = append(statuses, e.Status)
	}
	if diff := cmp.Diff([]graph.Status{graph.Done, graph.Dead, graph.Done}, statuses); diff != "" {
		t.Error(diff)
	}
	if got[1].Attempts != 5 || got[1].Error != broken.Error() {
		t.Errorf("got %d attempts and %q", got[1].Attempts, got[1].Error)
	}
	if _, err := p.RetryEpisode(t.Context(), globex, "poison"); err != nil {
		t.Fatal(err)
	}
	again, err := p.remember(t, ingest.Caller{}, ingest.EpisodeInput{ID: "poison", Speaker: "Ann", Text: "b"})
	if err != nil || again[0].Status != graph.Done {
		t.Errorf("after another try: %v, %v", again[0].Status, err)
	}
	if _, err := p.RetryEpisode(t.Context(), globex, "poison"); !errors.Is(err, graph.ErrConflict) {
		t.Errorf("a done episode was tried again: %v", err)
	}
}

func TestWhatAnEarlierProcessAcknowledgedIsWorkedOff(t *testing.T) {
	p := newPath(t, words)
	r, err := p.Remember(t.Context(), globex, []ingest.EpisodeInput{{ID: "e", Speaker: "Ann", Text: "tea"}}, 0, ingest.Caller{})
	if err != nil || r.Episodes[0].Status != graph.Pending {
		t.Fatalf("got %+v, %v, want it pending: nobody works", r.Episodes, err)
	}
	later, err := ingest.New(ingest.Config{Store: p.store, Clock: temporal.NewFixed(temporal.At(time.Date(2026, 9, 14, 0, 0, 0, 0, time.UTC))), Extractor: p.reader})
	if err != nil {
		t.Fatal(err)
	}
	p.Service = later
	p.work(t)
	got, err := p.remember(t, ingest.Caller{}, ingest.EpisodeInput{ID: "e", Speaker: "Ann", Text: "tea"})
	if err != nil || got[0].Status != graph.Done || len(p.believed(t)) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestMentions(t *testing.T) {
	claim := func(subject extract.Mention, predicate, object string) extract.Claim {
		return extract.Claim{Kind: graph.Assert, Subject: subject, Predicate: predicate, Object: extract.Mention{Name: object}, Trust: graph.Stated, Quote: object}
	}
	speaker, group := extract.Mention{Ref: extract.Speaker}, extract.Mention{Ref: extract.Group}
	p := newPath(t, func(in extract.Input) (extract.Draft, error) {
		switch in.Episode.ID {
		case "job":
			return extract.Draft{Claims: []extract.Claim{claim(speaker, "works_at", "Globex"), claim(group, "on_plan", "Pro")}}, nil
		default:
			return extract.Draft{Claims: []extract.Claim{claim(group, "on_plan", "Team")}}, nil
		}
	})
	p.work(t)
	got, err := p.remember(t, ingest.Caller{}, ingest.EpisodeInput{ID: "job", Speaker: "Dana", Text: "Globex Pro"}, ingest.EpisodeInput{ID: "who", Speaker: "Eve", Text: "Team"},
		ingest.EpisodeInput{ID: "nobody", Text: "Team"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Dana works at Globex.", "Globex is on the Pro plan."}, p.believed(t)); diff != "" {
		t.Error(diff)
	}
	for _, e := range got[1:] {
		if len(e.Outcome.Changes) != 0 || len(e.Outcome.Dropped) != 1 {
			t.Errorf("episode %s: got %+v, want the claim dropped with a reason", e.ID, e.Outcome)
		}
	}
}

func TestAQuoteThatIsNotInTheTextIsOnlyInferred(t *testing.T) {
	p := newPath(t, func(extract.Input) (extract.Draft, error) {
		return extract.Draft{Claims: []extract.Claim{{
			Kind: graph.Assert, Subject: extract.Mention{Ref: extract.Speaker}, Predicate: "noted", Object: extract.Mention{Name: "tea"}, Trust: graph.Stated, Quote: "coffee",
		}}}, nil
	})
	p.work(t)
	if _, err := p.remember(t, ingest.Caller{}, ingest.EpisodeInput{ID: "e", Speaker: "Ann", Text: "tea"}); err != nil {
		t.Fatal(err)
	}
	claims, err := p.snapshot(t).ListClaims(t.Context(), graph.ClaimFilter{})
	if err != nil || len(claims) != 1 || claims[0].Trust != graph.Inferred || claims[0].Sources[0].Quote != "" {
		t.Errorf("got %+v, %v", claims, err)
	}
}
