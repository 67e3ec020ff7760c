package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tenure/graph"
	"tenure/temporal"
)

func TestMain(m *testing.M) {
	if childMain() {
		return
	}
	goleak.VerifyTestMain(m)
}

var (
	day0  = temporal.At(time.Date(2026, 2, 10, 9, 0, 0, 0, time.UTC))
	scope = graph.Scope{Tenant: "acme", Name: "globex"}
)

// later returns the day so many days after the first.
func later(days int) temporal.Instant { return day0.Add(time.Duration(days) * 24 * time.Hour) }

// opened returns a store in a file of its own, with a clock that stands.
func opened(t testing.TB) *Store {
	t.Helper()
	return openedAt(t, filepath.Join(t.TempDir(), "tenure.db"))
}

func openedAt(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Path: path, Clock: temporal.NewFixed(day0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func write(t testing.TB, s *Store, scope graph.Scope, delta graph.Delta) temporal.Instant {
	t.Helper()
	var now temporal.Instant
	if err := s.Update(t.Context(), scope, func(w graph.Writer) error {
		now = w.Now()
		return w.Write(t.Context(), delta)
	}); err != nil {
		t.Fatal(err)
	}
	return now
}

func snapshot(t testing.TB, s *Store, view graph.View) graph.Reader {
	t.Helper()
	r, err := s.Snapshot(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func must[T any](t testing.TB) func(T, error) T {
	t.Helper()
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// full is a delta in which every field of every noun says something.
func full(now temporal.Instant) graph.Delta {
	importance, east := 0.25, 7200
	pos := graph.Pos{Tx: now, Seq: 3}
	lane := graph.Lane{Subject: "e1", Predicate: "has_plan"}
	valid := temporal.Period{From: later(-40), To: later(90)}
	precision := graph.Bounds{From: temporal.Day, To: temporal.Month}
	return graph.Delta{
		Settings: &graph.Settings{
			Self: graph.Named{Name: "Dana", Kind: "person"}, Includes: []string{"acme-kb"}, TimeZone: "Europe/Rome", Registry: "3",
			Weights: &graph.Weights{Similarity: .6, Recency: .25, Importance: .15, HalfLifeDays: 30}, Retention: []byte(`{"chatter":30}`),
		},
		Entities: []graph.Entity{
			{ID: "e1", Name: "Globex", Kind: "organisation", Aliases: []string{"Globex Inc."}, Keys: []string{"globex", "globex inc"}},
			{ID: "E1", Name: "Ünïcode \"quoted\" <b>", Keys: []string{"globex"}},
		},
		Episodes: []graph.Episode{{
			ID: "ep1", Kind: graph.Message, Conversation: "c1", Speaker: "Dana", Role: graph.User, Text: "We moved to Pro.",
			Occurred: later(-1), Precision: temporal.Hour, Offset: &east, Metadata: []byte(`{"a": [1, "<"]}`), Extract: true, Hash: "h",
			Recorded: pos, Status: graph.Failed, Attempts: 2, Error: "timeout",
			Outcome: graph.Outcome{
				Changes: []graph.ChangeID{"ch1"}, Dropped: []graph.Dropped{{Claim: "has_plan", Reason: "no quote"}},
				Usage: graph.Usage{LLMCalls: 1, TokensIn: 2, TokensOut: 3},
			},
		}},
		Claims: []graph.Claim{{
			ID: "c1", Kind: graph.Assert, Subject: "e1", Predicate: "has_plan", Object: "v1", Text: "Globex is on Pro.", Type: "plan",
			Importance: &importance, Valid: valid, Precision: precision, HoldsAt: later(2), Trust: graph.Stated,
			Sources:  []graph.Source{{Episode: "ep1", Quote: "moved to Pro"}, {Episode: "ep2"}},
			Replaces: []graph.ClaimID{"c0"}, Origin: "f1", Correction: true, Actor: "key", Extractor: "rules/1",
			Change: "ch1", Logged: pos, Rec: graph.Pos{Tx: now - 5, Seq: 1},
		}},
		Effects: []graph.Effect{{
			Change: "ch1", Claim: "c0", Kind: graph.Limit, Cause: "c1", Within: valid,
			Keep:    []temporal.Period{{To: later(1)}, {From: later(2)}},
			Subject: "e1", Predicate: "has_plan", Object: "v0", At: pos,
		}},
		Merges: []graph.Merge{{Change: "ch1", From: "E1", Into: "e1", At: pos}},
		Declarations: []graph.Declaration{{Change: "ch1", At: pos, Predicate: graph.Predicate{
			Name: "has_plan", Cardinality: graph.One, Symmetric: true, Inverse: "plan_of", Opposite: "left_plan", SubjectKinds: []string{"o"},
			ObjectKinds: []string{"value"}, Type: "plan", Importance: &importance, TTLDays: 9, Nouns: []string{"plan"},
			Sentence: "{subject} is on {object}.", Patterns: []string{"on the X plan"},
		}}},
		Placements: []graph.Placement{{
			ID: "p1", Claim: "c1", Fact: "f1", Rec: pos, Kind: graph.Assert, Trust: graph.Inferred, Lane: lane, Subject: "e1",
			Predicate: "has_plan", Object: "v1", Own: true, Valid: valid, Precision: precision, HoldsAt: later(2),
			Narrowed: temporal.Period{From: later(1), To: later(3)}, Muted: true, From: pos, To: graph.Pos{Tx: now + 9, Seq: 7},
		}},
		Versions: []graph.Version{{
			ID: "v1", Fact: "f1", Lane: lane, Subject: "e1", Predicate: "has_plan", Object: "v1", Valid: valid, Precision: precision,
			Text: "Globex is on Pro.", Type: "plan", Importance: .5, Trust: graph.Stated, Tx: temporal.Period{From: now}, Begun: "ch1",
		}},
		Changes: []graph.Change{{
			ID: "ch1", At: pos, Kind: graph.ChangeAssert, Claim: "c1", Episode: "ep1", Actor: "key", Reason: "told", Reverts: "ch0",
			Standing: true, Lanes: []graph.Lane{lane, {Subject: "e1", Predicate: "likes", Object: "v1"}},
			Counts: &graph.Counts{Episodes: 1, Facts: 2},
		}},
		Receipts: []graph.Receipt{{
			Key: "k1", Hash: "h", Tx: now, Episodes: []graph.EpisodeID{"ep1"},
			Results: []graph.ReceiptResult{{Outcome: "new", Claim: "c1", Fact: graph.Seen{Fact: "f1", Version: "v1"}, Ended: []graph.Seen{{Fact: "c0"}}, Change: "ch1"}},
		}},
		Tombstones: []string{"t1"},
	}
}

// held reads back all that a delta like full holds.
func held(t testing.TB, r graph.Reader) graph.Delta {
	t.Helper()
	ctx := t.Context()
	settings := must[graph.Settings](t)(r.Settings(ctx))
	receipt := must[graph.Receipt](t)(r.Receipt(ctx, "k1"))
	var tombstones []string
	for hash := range must[map[string]bool](t)(r.Tombstones(ctx, []string{"t0", "t1"})) {
		tombstones = append(tombstones, hash)
	}
	return graph.Delta{
		Settings:     &settings,
		Entities:     must[[]graph.Entity](t)(r.ListEntities(ctx, graph.EntityFilter{})),
		Episodes:     must[[]graph.Episode](t)(r.ListEpisodes(ctx, graph.EpisodeFilter{})),
		Claims:       must[[]graph.Claim](t)(r.ListClaims(ctx, graph.ClaimFilter{})),
		Effects:      must[[]graph.Effect](t)(r.ListEffects(ctx, graph.EffectFilter{})),
		Merges:       must[[]graph.Merge](t)(r.Merges(ctx, nil)),
		Declarations: must[[]graph.Declaration](t)(r.Declarations(ctx)),
		Placements:   must[[]graph.Placement](t)(r.ListPlacements(ctx, graph.PlacementFilter{})),
		Versions:     must[[]graph.Version](t)(r.Versions(ctx, graph.VersionFilter{Hidden: graph.WithHidden})),
		Changes:      must[[]graph.Change](t)(r.ListChanges(ctx, graph.ChangeFilter{})),
		Receipts:     []graph.Receipt{receipt},
		Tombstones:   tombstones,
	}
}

func TestRowsComeBackAsTheyWereWritten(t *testing.T) {
	s := opened(t)
	want := full(day0)
	write(t, s, scope, want)
	want.Entities[0], want.Entities[1] = want.Entities[1], want.Entities[0] // "E1" < "e1"
	if diff := cmp.Diff(want, held(t, snapshot(t, s, graph.View{Scope: scope}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEmptyRowsComeBackEmpty(t *testing.T) {
	s := opened(t)
	want := graph.Delta{
		Settings: &graph.Settings{},
		Entities: []graph.Entity{{ID: "1"}}, Episodes: []graph.Episode{{ID: "1"}}, Claims: []graph.Claim{{ID: "1"}}, Effects: []graph.Effect{{}},
		Merges: []graph.Merge{{}}, Declarations: []graph.Declaration{{}}, Placements: []graph.Placement{{ID: "1"}},
		Versions: []graph.Version{{ID: "1"}}, Changes: []graph.Change{{ID: "1"}}, Receipts: []graph.Receipt{{Key: "k1"}}, Tombstones: []string{"t1"},
	}
	empties := want
	empties.Entities = []graph.Entity{{ID: "1", Aliases: []string{}, Keys: []string{}}}
	empties.Episodes = []graph.Episode{{ID: "1", Metadata: []byte{}, Outcome: graph.Outcome{Changes: []graph.ChangeID{}, Dropped: []graph.Dropped{}}}}
	empties.Claims = []graph.Claim{{ID: "1", Sources: []graph.Source{}, Replaces: []graph.ClaimID{}}}
	empties.Effects = []graph.Effect{{Keep: []temporal.Period{}}}
	empties.Changes = []graph.Change{{ID: "1", Lanes: []graph.Lane{}}}
	empties.Receipts = []graph.Receipt{{Key: "k1", Results: []graph.ReceiptResult{}, Episodes: []graph.EpisodeID{}}}
	write(t, s, scope, empties)
	if diff := cmp.Diff(want, held(t, snapshot(t, s, graph.View{Scope: scope}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnUpdateThatWroteNothingLeavesNothing(t *testing.T) {
	s := opened(t)
	ctx := t.Context()
	first := write(t, s, scope, full(day0))
	other := graph.Scope{Tenant: "acme", Name: "other"}
	if err := s.Update(ctx, other, func(w graph.Writer) error {
		if err := w.Write(ctx, graph.Delta{}); err != nil {
			return err
		}
		return w.Destroy(ctx, graph.Destruction{Claims: []graph.ClaimID{"none"}})
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Snapshot(ctx, graph.View{Scope: other}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("snapshot: got %v, want not found", err)
	}
	if now := write(t, s, scope, full(day0)); now != first+1 {
		t.Errorf("now: got %v, want the microsecond after %v", now, first)
	}
}

func TestAnUpdateThatFailsLeavesNothing(t *testing.T) {
	s := opened(t)
	ctx := t.Context()
	sorry := errors.New("sorry")
	err := s.Update(ctx, scope, func(w graph.Writer) error {
		if err := w.Write(ctx, full(day0)); err != nil {
			return err
		}
		if diff := cmp.Diff(1, len(must[[]graph.Claim](t)(w.ListClaims(ctx, graph.ClaimFilter{})))); diff != "" {
			t.Error("an update does not read what it has written:", diff)
		}
		return sorry
	})
	if err != sorry {
		t.Errorf("got %v, want the function's error itself", err)
	}
	if _, err := s.Snapshot(ctx, graph.View{Scope: scope}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("snapshot: got %v, want not found", err)
	}
}

func TestUseAfterClose(t *testing.T) {
	s := opened(t)
	ctx := t.Context()
	write(t, s, scope, full(day0))
	r := snapshot(t, s, graph.View{Scope: scope})
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, snapshotErr := s.Snapshot(ctx, graph.View{Scope: scope})
	_, eraseErr := s.Erase(ctx, scope)
	_, scopesErr := s.Scopes(ctx, "acme", "", 0)
	_, backlogErr := s.Backlog(ctx)
	_, readErr := r.ListClaims(ctx, graph.ClaimFilter{})
	_, searchErr := r.SearchFacts(ctx, graph.Query{Text: "Pro"})
	for call, err := range map[string]error{
		"Snapshot": snapshotErr, "Erase": eraseErr, "Scopes": scopesErr, "Backlog": backlogErr, "ListClaims": readErr, "SearchFacts": searchErr,
		"Update": s.Update(ctx, scope, func(graph.Writer) error { return nil }),
		"Touch":  s.Touch(ctx, scope, []graph.ClaimID{"f1"}, day0),
	} {
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("%s: got %v, want unavailable", call, err)
		}
	}
}

func TestAnEndedContextEndsCalls(t *testing.T) {
	s := opened(t)
	write(t, s, scope, full(day0))
	r := snapshot(t, s, graph.View{Scope: scope})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, snapshotErr := s.Snapshot(ctx, graph.View{Scope: scope})
	_, eraseErr := s.Erase(ctx, scope)
	_, readErr := r.Entities(ctx, nil)
	_, searchErr := r.SearchFacts(ctx, graph.Query{Text: "Pro"})
	for call, err := range map[string]error{
		"Snapshot": snapshotErr, "Erase": eraseErr, "Entities": readErr, "SearchFacts": searchErr,
		"Update": s.Update(ctx, scope, func(graph.Writer) error { return nil }),
		"Touch":  s.Touch(ctx, scope, []graph.ClaimID{"f1"}, day0),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want canceled", call, err)
		}
	}
	midway, stop := context.WithCancel(t.Context())
	err := s.Update(midway, scope, func(w graph.Writer) error {
		stop()
		return w.Write(midway, full(day0))
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("update: got %v, want canceled", err)
	}
	write(t, s, scope, full(day0)) // the store is as good as before
}

func TestAPanicInAnUpdateLeavesNothing(t *testing.T) {
	s := opened(t)
	ctx := t.Context()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = s.Update(ctx, scope, func(w graph.Writer) error {
			if err := w.Write(ctx, full(day0)); err != nil {
				return err
			}
			panic("oh")
		})
	}()
	if _, err := s.Snapshot(ctx, graph.View{Scope: scope}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("snapshot: got %v, want not found", err)
	}
	write(t, s, scope, full(day0))
}

func TestAWriterIsOfNoUseAfterItsUpdate(t *testing.T) {
	s := opened(t)
	ctx := t.Context()
	var kept graph.Writer
	if err := s.Update(ctx, scope, func(w graph.Writer) error {
		kept = w
		return w.Write(ctx, full(w.Now()))
	}); err != nil {
		t.Fatal(err)
	}
	if err := kept.Write(ctx, full(day0)); err == nil {
		t.Error("it wrote")
	}
	if _, err := kept.Settings(ctx); err == nil {
		t.Error("it read")
	}
}
