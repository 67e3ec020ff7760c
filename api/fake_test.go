package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tenure/api"
	"tenure/belief"
	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

// services fakes both services: every method notes what it was called with and returns what is set here.
type services struct {
	api.Writer // nil: a method that is not faked panics
	api.Reader

	err    error // of every method
	called string
	scope  graph.Scope
	who    ingest.Caller
	id     string
	got    any // the input, whatever its type
	wait   ingest.Wait

	facts    []graph.Fact
	episodes []graph.Episode
	changes  []belief.Difference
	found    []retrieval.Found
	erased   ingest.Erased
	next     string
	asOf     temporal.AsOf
	export   func(io.Writer) error
}

func (s *services) note(method string, scope graph.Scope, id string, got any, who ...ingest.Caller) error {
	s.called, s.scope, s.id, s.got = method, scope, id, got
	if len(who) > 0 {
		s.who = who[0]
	}
	return s.err
}

func (s *services) fact() *graph.Fact {
	if len(s.facts) == 0 {
		return nil
	}
	return &s.facts[0]
}

func (s *services) PutScope(_ context.Context, scope graph.Scope, in ingest.SettingsInput, who ingest.Caller) (graph.Settings, error) {
	return graph.Settings{}, s.note("PutScope", scope, "", in, who)
}

func (s *services) EraseScope(_ context.Context, scope graph.Scope) (ingest.Erased, error) {
	return s.erased, s.note("EraseScope", scope, "", nil)
}

func (s *services) Declare(_ context.Context, scope graph.Scope, p graph.Predicate, who ingest.Caller) (graph.Predicate, []belief.Difference, error) {
	return p, s.changes, s.note("Declare", scope, p.Name, p, who)
}

func (s *services) Remember(_ context.Context, scope graph.Scope, in []ingest.EpisodeInput, wait ingest.Wait, who ingest.Caller) (ingest.Remembered, error) {
	s.wait = wait
	return ingest.Remembered{Episodes: s.episodes}, s.note("Remember", scope, "", in, who)
}

func (s *services) RetryEpisode(_ context.Context, scope graph.Scope, id graph.EpisodeID) (graph.Episode, error) {
	return graph.Episode{ID: id, Status: graph.Pending}, s.note("RetryEpisode", scope, string(id), nil)
}

func (s *services) EraseEpisode(_ context.Context, scope graph.Scope, id graph.EpisodeID) (ingest.Erased, error) {
	return s.erased, s.note("EraseEpisode", scope, string(id), nil)
}

func (s *services) Assert(_ context.Context, scope graph.Scope, in []ingest.ClaimInput, who ingest.Caller) (ingest.Answer, error) {
	result := ingest.Result{Outcome: ingest.Asserted, Claim: "c-1", Fact: s.fact(), Change: "ch-1"}
	return ingest.Answer{Results: []ingest.Result{result}, Tx: at("2026-06-15T09:30:01Z")}, s.note("Assert", scope, "", in, who)
}

func (s *services) Correct(_ context.Context, scope graph.Scope, id graph.ClaimID, in ingest.CorrectInput, who ingest.Caller) (ingest.Done, error) {
	return ingest.Done{Fact: s.fact(), Change: "ch-2"}, s.note("Correct", scope, string(id), in, who)
}

func (s *services) Retract(_ context.Context, scope graph.Scope, id graph.ClaimID, in ingest.RetractInput, who ingest.Caller) (ingest.Done, error) {
	return ingest.Done{}, s.note("Retract", scope, string(id), in, who)
}

func (s *services) Forget(_ context.Context, scope graph.Scope, id graph.ClaimID, reason string, who ingest.Caller) (ingest.Done, error) {
	return ingest.Done{Fact: s.fact(), Change: "ch-3"}, s.note("Forget", scope, string(id), reason, who)
}

func (s *services) Revert(_ context.Context, scope graph.Scope, id graph.ChangeID, reason string, who ingest.Caller) (graph.ChangeID, error) {
	return "ch-4", s.note("Revert", scope, string(id), reason, who)
}

func (s *services) EraseFact(_ context.Context, scope graph.Scope, id graph.ClaimID) (ingest.Erased, error) {
	return s.erased, s.note("EraseFact", scope, string(id), nil)
}

func (s *services) Scope(_ context.Context, scope graph.Scope) (retrieval.ScopeInfo, error) {
	return retrieval.ScopeInfo{Scope: scope, Settings: graph.Settings{Self: graph.Named{Name: "Dana", Kind: "person"}, Includes: []string{"acme-kb"}}},
		s.note("Scope", scope, "", nil)
}

func (s *services) Scopes(_ context.Context, tenant string, page retrieval.Page) ([]retrieval.ScopeInfo, string, error) {
	return []retrieval.ScopeInfo{{Scope: graph.Scope{Tenant: tenant, Name: "globex"}}}, s.next, s.note("Scopes", graph.Scope{Tenant: tenant}, "", page)
}

func (s *services) Episode(_ context.Context, scope graph.Scope, id graph.EpisodeID) (retrieval.EpisodeDetail, error) {
	for _, e := range s.episodes {
		if e.ID == id {
			return retrieval.EpisodeDetail{Episode: e, Changes: s.changes}, s.err
		}
	}
	return retrieval.EpisodeDetail{}, s.note("Episode", scope, string(id), nil)
}

func (s *services) Episodes(_ context.Context, scope graph.Scope, q retrieval.EpisodeQuery) ([]retrieval.EpisodeDetail, string, error) {
	var out []retrieval.EpisodeDetail
	for _, e := range s.episodes {
		out = append(out, retrieval.EpisodeDetail{Episode: e, Changes: s.changes})
	}
	return out, s.next, s.note("Episodes", scope, "", q)
}

func (s *services) Facts(_ context.Context, scope graph.Scope, q retrieval.FactQuery) (retrieval.FactPage, error) {
	return retrieval.FactPage{Facts: s.facts, Next: s.next, AsOf: s.asOf}, s.note("Facts", scope, "", q)
}

func (s *services) Fact(_ context.Context, scope graph.Scope, id graph.ClaimID, at retrieval.At) (retrieval.FactDetail, error) {
	detail := retrieval.FactDetail{AsOf: s.asOf}
	if f := s.fact(); f != nil {
		detail.Fact, detail.Versions = *f, []graph.Version{f.Version}
		detail.Claims = []retrieval.ClaimDetail{{
			Claim: graph.Claim{ID: "c-1", Kind: graph.Assert, Object: "e-2", Predicate: "on_plan", Trust: graph.Stated}, SubjectNode: f.SubjectNode, ObjectNode: f.ObjectNode, Supports: true,
		}}
	}
	return detail, s.note("Fact", scope, string(id), at)
}

func (s *services) Recall(_ context.Context, scope graph.Scope, q retrieval.RecallQuery) (retrieval.Recalled, error) {
	return retrieval.Recalled{Results: s.found, AsOf: s.asOf, Abstained: len(s.found) == 0}, s.note("Recall", scope, "", q)
}

func (s *services) Ask(_ context.Context, scope graph.Scope, q retrieval.AskQuery) (retrieval.Answer, error) {
	return retrieval.Answer{Relation: "unknown", Facts: s.facts, AsOf: s.asOf}, s.note("Ask", scope, "", q)
}

func (s *services) Profile(_ context.Context, scope graph.Scope, at retrieval.At, maxTokens int) (retrieval.Profile, error) {
	return retrieval.Profile{Facts: s.facts, AsOf: s.asOf}, s.note("Profile", scope, "", maxTokens)
}

func (s *services) Timeline(_ context.Context, scope graph.Scope, subject, predicate, txAt string) ([]retrieval.Slot, retrieval.AsOf, error) {
	return []retrieval.Slot{{Predicate: "on_plan", Facts: s.facts}}, s.asOf, s.note("Timeline", scope, "", [3]string{subject, predicate, txAt})
}

func (s *services) Changes(_ context.Context, scope graph.Scope, q retrieval.ChangeQuery) (retrieval.ChangePage, error) {
	return retrieval.ChangePage{Changes: s.changes, Next: s.next}, s.note("Changes", scope, "", q)
}

func (s *services) Follow(_ context.Context, scope graph.Scope, start string, path []string, at retrieval.At) (retrieval.Followed, error) {
	return retrieval.Followed{Paths: [][]graph.Fact{s.facts}, AsOf: s.asOf}, s.note("Follow", scope, start, path)
}

func (s *services) Graph(_ context.Context, scope graph.Scope, entity string, hops, limit int, at retrieval.At) (retrieval.Graph, error) {
	return retrieval.Graph{Facts: s.facts, AsOf: s.asOf}, s.note("Graph", scope, entity, [2]int{hops, limit})
}

func (s *services) Diff(_ context.Context, scope graph.Scope, q retrieval.DiffQuery) (retrieval.Diff, error) {
	return retrieval.Diff{Begun: s.facts}, s.note("Diff", scope, "", q)
}

func (s *services) Entities(_ context.Context, scope graph.Scope, name, kind string, page retrieval.Page) (retrieval.EntityPage, error) {
	return retrieval.EntityPage{Entities: []graph.Entity{{ID: "e-1", Name: "Globex"}}, Next: s.next}, s.note("Entities", scope, name, page)
}

func (s *services) Entity(_ context.Context, scope graph.Scope, id graph.EntityID) (retrieval.EntityDetail, error) {
	return retrieval.EntityDetail{Entity: graph.Entity{ID: id, Name: "Globex", Aliases: []string{"Globex Corp"}}, Facts: 3}, s.note("Entity", scope, string(id), nil)
}

func (s *services) Predicates(_ context.Context, scope graph.Scope) ([]graph.Predicate, error) {
	return []graph.Predicate{{Name: "on_plan", Cardinality: graph.One, Nouns: []string{"plan"}}}, s.note("Predicates", scope, "", nil)
}

func (s *services) Predicate(_ context.Context, scope graph.Scope, name string) (graph.Predicate, error) {
	return graph.Predicate{Name: name, Cardinality: graph.Many}, s.note("Predicate", scope, name, nil)
}

func (s *services) Export(_ context.Context, scope graph.Scope, w io.Writer) error {
	if s.export != nil {
		return s.export(w)
	}
	return s.note("Export", scope, "", nil)
}

// handler returns the handler over fakes, and where it logs.
func handler(t *testing.T, s *services, with ...func(*api.Config)) (http.Handler, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	cfg := api.Config{Log: slog.New(slog.NewJSONHandler(&log, nil)), Version: "v0", Clock: temporal.NewFixed(at("2026-09-13T12:00:00Z"))}
	for _, f := range with {
		f(&cfg)
	}
	h, err := api.NewWith(cfg, s, s)
	if err != nil {
		t.Fatal(err)
	}
	return h, &log
}

func withKey(key string) func(*api.Config) { return func(c *api.Config) { c.Key = key } }

// send makes one request. A body is sent as JSON.
func send(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// problem reads a problem and checks what all of them have in common.
func problem(t *testing.T, w *httptest.ResponseRecorder) api.Problem {
	t.Helper()
	var p api.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("status %d, no JSON: %s", w.Code, w.Body)
	}
	if kind := w.Header().Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("Content-Type = %q, want a problem", kind)
	}
	if p.Status != w.Code || p.Type == "" || p.Title == "" || p.Code == "" || p.Detail == "" || p.Errors == nil {
		t.Errorf("status %d, problem %+v is incomplete", w.Code, p)
	}
	if want := "urn:tenure:request:" + w.Header().Get("X-Request-Id"); p.Instance != want || want == "urn:tenure:request:" {
		t.Errorf("instance = %q, want %q", p.Instance, want)
	}
	return p
}

// refused checks that a request is refused as a 400 that names these places.
func refused(t *testing.T, w *httptest.ResponseRecorder, places ...string) {
	t.Helper()
	p := problem(t, w)
	if w.Code != http.StatusBadRequest {
		t.Fatalf("status = %d, want 400: %s", w.Code, w.Body)
	}
	got := map[string]bool{}
	for _, f := range p.Errors {
		got[f.Location] = true
	}
	for _, place := range places {
		if !got[place] {
			t.Errorf("errors = %+v, want %q among them", p.Errors, place)
		}
	}
}

func at(s string) temporal.Instant {
	i, err := temporal.ParseInstant(s)
	if err != nil {
		panic(err)
	}
	return i
}
