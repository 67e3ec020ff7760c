package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/belief"
	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

var update = flag.Bool("update", false, "rewrite testdata")

// plan is a fact with every optional part set.
func plan() graph.Fact {
	globex, pro := graph.Entity{ID: "e-1", Name: "Globex", Kind: "organisation"}, graph.Entity{ID: "e-2", Name: "Pro", Kind: "plan"}
	return graph.Fact{
		Version: graph.Version{
			ID: "v-1", Fact: "f-1", Subject: globex.ID, Predicate: "on_plan", Object: pro.ID, Valid: temporal.Period{From: at("2026-06-15T00:00:00Z")},
			Precision: graph.Bounds{From: temporal.Day, To: temporal.Exact}, Text: "Globex is on <Pro> & more.", Type: "semantic", Importance: 0.9,
			Trust: graph.Stated, Tx: temporal.Period{From: at("2026-06-15T09:30:01.000002Z")}, Begun: "ch-1",
		},
		Scope: graph.Scope{Tenant: "default", Name: "globex"}, SubjectNode: globex, ObjectNode: pro, State: graph.Current, Claims: []graph.ClaimID{"f-1", "c-2"},
		Sources: []graph.Source{{Episode: "june", Quote: "We moved to Pro"}, {Episode: "july"}}, Supersedes: []graph.ClaimID{"f-0"}, Conflicts: []graph.ClaimID{"c-9"},
	}
}

// basic is a fact with every optional part absent, whose begin nobody knows.
func basic() graph.Fact {
	return graph.Fact{Version: graph.Version{Fact: "f-0", Valid: temporal.Period{To: at("2026-06-15T00:00:00Z")}, Precision: graph.Bounds{To: temporal.Month}}, State: graph.Past, SupersededBy: "f-1"}
}

func moved() belief.Difference {
	return belief.Difference{
		Change: graph.Change{ID: "ch-1", At: graph.Pos{Tx: at("2026-06-15T09:30:01Z")}, Kind: graph.ChangeSupersede, Claim: "f-1", Episode: "june", Standing: true},
		Begun:  []graph.Fact{plan()}, Ended: []graph.Fact{basic()}, Changed: []belief.Pair{{Before: basic(), After: plan()}},
	}
}

func episodes() []graph.Episode {
	return []graph.Episode{
		{
			ID: "june", Kind: graph.Message, Conversation: "c-1", Speaker: "Dana", Role: graph.User, Text: "We moved to Pro.", Occurred: at("2026-06-15T09:30:00Z"), Precision: temporal.Exact,
			Metadata: json.RawMessage(`{"b":[1,2.50],"a":"<"}`), Extract: true, Recorded: graph.Pos{Tx: at("2026-06-15T09:30:00.5Z")}, Status: graph.Done,
			Outcome: graph.Outcome{Changes: []graph.ChangeID{"ch-1"}, Dropped: []graph.Dropped{{Claim: "p", Reason: "no quote"}}, Usage: graph.Usage{LLMCalls: 1, TokensIn: 2, TokensOut: 3}},
		},
		{ID: "page", Kind: graph.Document, Text: "x", Status: graph.Failed, Attempts: 2, Error: "model: unavailable"},
		{ID: "thanks", Kind: graph.Message, Text: "thanks", Status: graph.Done},
	}
}

func filled() *services {
	fact := plan()
	episode := episodes()[0]
	return &services{
		facts: []graph.Fact{fact, basic()}, episodes: episodes(), changes: []belief.Difference{moved()}, next: "token",
		asOf:   temporal.AsOf{Valid: at("2026-09-13T12:00:00Z"), Tx: at("2026-08-01T09:00:00.000001Z")},
		erased: ingest.Erased{Counts: graph.Counts{Facts: 1, Versions: 2}, At: at("2026-09-13T12:00:00Z"), OtherFacts: []graph.ClaimID{"f-7"}, EpisodesStillSayingIt: []graph.EpisodeID{"june"}},
		found: []retrieval.Found{
			{Fact: &fact, Scope: fact.Scope, Score: .538, Signals: retrieval.Signals{Similarity: .62, Recency: .125, Importance: .9},
				Path: []retrieval.Hop{{From: fact.SubjectNode, Predicate: "on_plan", To: fact.ObjectNode, Fact: "f-1"}}, Arms: []retrieval.Arm{{Name: "words", Rank: 1, Score: 7.5}}},
			{Episode: &episode, Scope: fact.Scope, Score: .5},
		},
	}
}

// TestShapes compares whole answers with testdata, indented. Run with -update after an intended change, and read the difference.
func TestShapes(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		empty                    bool // the services answer nothing
	}{
		{"facts_post", "POST", "/facts", `{"facts":[{"subject":"Globex","predicate":"on_plan","object":"Pro"}]}`, 200, false},
		{"facts_post_nothing_holds", "POST", "/facts", `{"facts":[{"subject":"Globex","predicate":"on_plan","object":"Pro"}]}`, 200, true},
		{"facts_list", "GET", "/facts", "", 200, false},
		{"facts_list_empty", "GET", "/facts", "", 200, true},
		{"fact", "GET", "/facts/f-1", "", 200, false},
		{"fact_patch", "PATCH", "/facts/f-1", `{"importance":1}`, 200, false},
		{"fact_retract", "POST", "/facts/f-1/retract", "", 200, false},
		{"fact_erase", "DELETE", "/facts/f-1", "", 200, false},
		{"change_revert", "POST", "/changes/ch-1/revert", "", 200, false},
		{"changes_list", "GET", "/changes", "", 200, false},
		{"episodes_post", "POST", "/episodes", `{"text":"x"}`, 202, false},
		{"episodes_list", "GET", "/episodes", "", 200, false},
		{"episode", "GET", "/episodes/june", "", 200, false},
		{"episode_erase", "DELETE", "/episodes/june", "", 200, false},
		{"episode_retry", "POST", "/episodes/page/retry", "", 202, false},
		{"recall", "POST", "/recall", `{"query":"x"}`, 200, false},
		{"recall_empty", "POST", "/recall", `{"query":"x"}`, 200, true},
		{"ask_unknown", "POST", "/ask", `{"question":"x"}`, 200, true},
		{"profile", "GET", "/profile", "", 200, true},
		{"timeline", "GET", "/timeline?subject=Globex", "", 200, true},
		{"follow", "GET", "/follow?start=Dana&path=works_at,on_plan", "", 200, true},
		{"graph", "GET", "/graph?entity=Globex", "", 200, true},
		{"diff", "GET", "/diff?from_tx_at=2026", "", 200, true},
		{"entities_list", "GET", "/entities", "", 200, false},
		{"entity", "GET", "/entities/e-1", "", 200, true},
		{"scope", "GET", "", "", 200, true},
		{"scope_put", "PUT", "", `{}`, 200, true},
		{"scope_erase", "DELETE", "", "", 200, false},
		{"predicates_list", "GET", "/predicates", "", 200, true},
		{"predicate_put", "PUT", "/predicates/on_plan", `{"cardinality":"one","ttl_days":30.0,"nouns":["plan"]}`, 200, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			*s = *filled()
			if c.empty {
				*s = services{}
			}
			w := send(h, c.method, base+c.path, c.body)
			if w.Code != c.status || w.Header().Get("Content-Type") != "application/json" {
				t.Fatalf("got %d %s %s", w.Code, w.Header().Get("Content-Type"), w.Body)
			}
			golden(t, c.name, w.Body.Bytes())
		})
	}
	t.Run("scopes_list", func(t *testing.T) {
		*s = *filled()
		golden(t, "scopes_list", send(h, "GET", "/v1/scopes", "").Body.Bytes())
	})
	t.Run("problem", func(t *testing.T) {
		golden(t, "problem", send(h, "POST", base+"/facts", `{"facts":[{"subject":"","predicate":"a b","importance":2,"trust":"royal","extra":1}]}`, "X-Request-Id", "req-1").Body.Bytes())
	})
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, got, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(file, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
		t.Errorf("answer differs from %s (-want +got):\n%s", file, diff)
	}
}

func TestAsOfAnyIsNull(t *testing.T) {
	s := filled()
	s.asOf.Any = true
	h, _ := handler(t, s)
	w := send(h, "GET", base+"/facts?valid_at=any", "")
	if !strings.Contains(w.Body.String(), `"as_of":{"valid_at":null,"tx_at":"2026-08-01T09:00:00.000001Z"}`) {
		t.Errorf("as_of is wrong: %s", w.Body)
	}
	if got := s.got.(retrieval.FactQuery).ValidAt; got != "any" {
		t.Errorf("valid_at reaches the service as %q", got)
	}
}

func TestLastPageHasNoToken(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, path := range []string{"/facts", "/episodes", "/changes", "/entities"} {
		*s = *filled()
		if w := send(h, "GET", base+path+"?limit=7&page_token=abc", ""); !strings.Contains(w.Body.String(), `"next_page_token":"token"`) {
			t.Errorf("%s: no token: %s", path, w.Body)
		}
		s.next = ""
		if w := send(h, "GET", base+path, ""); w.Code != 200 || strings.Contains(w.Body.String(), "next_page_token") {
			t.Errorf("%s: a token on the last page: %s", path, w.Body)
		}
	}
}

func TestExport(t *testing.T) {
	run := func(export func(io.Writer) error) (*services, func() (*http.Response, string, error)) {
		s := &services{export: export}
		h, _ := handler(t, s)
		return s, func() (*http.Response, string, error) { return live(t, h, "GET", base+"/export", nil) }
	}
	t.Run("lines as they are written", func(t *testing.T) {
		_, get := run(func(w io.Writer) error {
			_, err := io.WriteString(w, "{\"a\":1}\n{\"b\":\"<\"}\n")
			return err
		})
		r, body, err := get()
		if err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != "application/x-ndjson" || body != "{\"a\":1}\n{\"b\":\"<\"}\n" {
			t.Errorf("got %v %v %q", err, r, body)
		}
	})
	t.Run("an error before the first line is a problem", func(t *testing.T) {
		_, get := run(func(io.Writer) error { return graph.NotFound("scope") })
		if r, body, err := get(); err != nil || r.StatusCode != 404 || r.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("got %v %v %q", err, r, body)
		}
	})
	t.Run("an error after it breaks the connection", func(t *testing.T) {
		_, get := run(func(w io.Writer) error {
			_, _ = io.WriteString(w, "{\"a\":1}\n")
			return errors.New("disk")
		})
		if _, body, err := get(); err == nil {
			t.Errorf("a part is taken for the whole: %q", body)
		}
	})
}
