package retrieval_test

import (
	"context"
	"testing"

	"tenure/extract"
	"tenure/graph"
	"tenure/graph/sqlite"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

// memory is a store with both services on it, at a clock that stands still.
type memory struct {
	t     testing.TB
	store graph.Store
	clock *temporal.Fixed
	write *ingest.Service
	read  *retrieval.Service
	scope graph.Scope
	// february is a transaction time at which only the first half of the story of Globex was known.
	february temporal.Instant
}

// asked is when the questions of these tests are asked, unless they say otherwise.
var asked = instant("2026-09-13T12:00:00Z")

func instant(s string) temporal.Instant {
	i, err := temporal.ParseInstant(s)
	if err != nil {
		panic(err)
	}
	return i
}

// silent reads nothing in episodes.
type silent struct{}

func (silent) Name() string { return "silent" }
func (silent) Extract(context.Context, extract.Input) (extract.Draft, error) {
	return extract.Draft{}, nil
}

func newMemory(t testing.TB) *memory {
	t.Helper()
	clock := temporal.NewFixed(asked)
	store, err := sqlite.Open(t.Context(), sqlite.Config{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	write, err := ingest.New(ingest.Config{Store: store, Clock: clock, Extractor: silent{}})
	if err != nil {
		t.Fatal(err)
	}
	read, err := retrieval.New(retrieval.Config{Store: store, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	return &memory{t: t, store: store, clock: clock, write: write, read: read, scope: graph.Scope{Tenant: "default", Name: "globex"}}
}

// of is the same memory, speaking of another scope.
func (m *memory) of(name string) *memory {
	other := *m
	other.scope.Name = name
	return &other
}

// settings puts the scope's settings.
func (m *memory) settings(in ingest.SettingsInput) {
	m.t.Helper()
	if _, err := m.write.PutScope(m.t.Context(), m.scope, in, ingest.Caller{}); err != nil {
		m.t.Fatal(err)
	}
}

// self and includes are settings.
func self(name, kind string) ingest.SettingsInput {
	return ingest.SettingsInput{Self: ingest.Patch[graph.Named]{Present: true, Value: graph.Named{Name: name, Kind: kind}}}
}

func includes(in ingest.SettingsInput, names ...string) ingest.SettingsInput {
	in.Includes = ingest.Patch[[]string]{Present: true, Value: names}
	return in
}

// claim is a structured claim, changed by options.
func claim(subject, predicate, object, from string, change ...func(*ingest.ClaimInput)) ingest.ClaimInput {
	c := ingest.ClaimInput{Subject: graph.Named{Name: subject}, Predicate: predicate, Object: &graph.Named{Name: object}, ValidFrom: from}
	for _, f := range change {
		f(&c)
	}
	return c
}

func until(to string) func(*ingest.ClaimInput)     { return func(c *ingest.ClaimInput) { c.ValidTo = to } }
func text(text string) func(*ingest.ClaimInput)    { return func(c *ingest.ClaimInput) { c.Text = text } }
func trust(t graph.Trust) func(*ingest.ClaimInput) { return func(c *ingest.ClaimInput) { c.Trust = t } }
func kind(subject, object string) func(*ingest.ClaimInput) {
	return func(c *ingest.ClaimInput) { c.Subject.Kind, c.Object.Kind = subject, object }
}
func importance(i float64) func(*ingest.ClaimInput) {
	return func(c *ingest.ClaimInput) { c.Importance = &i }
}
func from(episodes ...graph.EpisodeID) func(*ingest.ClaimInput) {
	return func(c *ingest.ClaimInput) { c.Episodes = episodes }
}

// told asserts claims, all in one request, and returns the facts they ended in.
func (m *memory) told(claims ...ingest.ClaimInput) []ingest.Result {
	m.t.Helper()
	answer, err := m.write.Assert(m.t.Context(), m.scope, claims, ingest.Caller{})
	if err != nil {
		m.t.Fatal(err)
	}
	return answer.Results
}

// episode keeps an episode, of which nothing is read.
func (m *memory) episode(id, speaker, text, at string) {
	m.t.Helper()
	no := false
	in := []ingest.EpisodeInput{{ID: id, Kind: graph.Message, Conversation: "c-1", Speaker: speaker, Text: text, OccurredAt: at, Extract: &no}}
	if _, err := m.write.Remember(m.t.Context(), m.scope, in, 0, ingest.Caller{}); err != nil {
		m.t.Fatal(err)
	}
}

// recall recalls, and fails the test if it cannot.
func (m *memory) recall(q retrieval.RecallQuery) retrieval.Recalled {
	m.t.Helper()
	got, err := m.read.Recall(m.t.Context(), m.scope, q)
	if err != nil {
		m.t.Fatal(err)
	}
	return got
}

// globex tells the story of Globex as its claims, with the rule of page 1140 in a scope that it includes.
func globex(t testing.TB) *memory {
	t.Helper()
	m := newMemory(t)
	kb := m.of("acme-kb")
	kb.episode("page-1140", "Docs", "On Pro, SSO needs the Security add-on for teams under 50 seats.", "2026-01-01T00:00:00Z")
	kb.told(claim("Pro", "has_rule", "SSO needs the Security add-on for teams under 50 seats", "2026-01-01", kind("plan", graph.KindValue),
		text("On Pro, SSO needs the Security add-on for teams under 50 seats."), trust(graph.Reported), from("page-1140")))
	m.settings(includes(self("Dana", "person"), "acme-kb"))
	m.episode("hello", "Dana", "Hi, I'm Dana, the IT admin at Globex.", "2026-02-10T08:59:00Z")
	m.episode("feb", "Dana", "We're on Basic with 30 seats, and SSO isn't set up yet.", "2026-02-10T09:00:00Z")
	m.episode("june", "Dana", "We moved to Pro, 120 seats now.", "2026-06-15T09:00:00Z")
	told := m.told(
		claim("Dana", "works_at", "Globex", "2026-02-10", kind("person", "organisation"), from("hello")),
		claim("Dana", "role", "IT admin", "2026-02-10", kind("person", graph.KindValue), from("hello")),
		claim("Globex", "on_plan", "Basic", "2026-02-10", kind("organisation", "plan"), from("feb")),
		claim("Globex", "seat_count", "30", "2026-02-10", kind("organisation", graph.KindValue), from("feb")),
		claim("Dana", "prefers", "numbered steps", "2026-02-10", kind("person", graph.KindValue)),
	)
	m.february = told[0].Fact.Tx.From
	m.clock.Advance(1_000_000_000)
	m.told(
		claim("Globex", "on_plan", "Pro", "2026-06-15", kind("organisation", "plan"), from("june")),
		claim("Globex", "seat_count", "120", "2026-06-15", kind("organisation", graph.KindValue), from("june")),
	)
	return m
}

// values are the names of the objects of facts.
func values(facts []graph.Fact) []string {
	out := []string{}
	for _, f := range facts {
		out = append(out, f.ObjectNode.Name)
	}
	return out
}
