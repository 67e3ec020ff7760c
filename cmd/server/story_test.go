package main

import (
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStory tells the story of Globex and asks for every right answer, in the order of the design.
func TestStory(t *testing.T) {
	t.Parallel()
	server := start(t, nil, "--store", "sqlite:")
	globex, kb, initech := server.memory(t, "globex"), server.memory(t, "acme-kb"), server.memory(t, "initech")
	send[object](kb, http.MethodPut, "", object{})
	send[object](globex, http.MethodPut, "", object{"self": object{"name": "Dana", "kind": "person"}, "includes": []string{"acme-kb"}})
	send[object](initech, http.MethodPut, "", object{"self": object{"name": "Ira", "kind": "person"}})
	page := kb.tell("page-1140", "Docs", "On Pro, SSO needs the Security add-on for teams under 50 seats.", "2026-01-01T00:00:00Z", "kind", "document")
	globex.tell("hello", "Dana", "Hi, I'm Dana, the IT admin at Globex.", "2026-02-10T08:59:00Z")
	feb := globex.tell("feb", "Dana", "We're on Basic with 30 seats, and SSO isn't set up yet.", "2026-02-10T09:00:00Z")
	globex.tell("steps", "Dana", "Always give me numbered steps.", "2026-02-10T09:01:00Z")
	small := []episode{
		globex.tell("thanks", "Dana", "thanks", "2026-02-10T09:02:00Z"),
		globex.tell("second", "Dana", "Yes, the second one.", "2026-02-10T09:03:00Z"),
	}
	february := read[struct {
		AsOf asOf `json:"as_of"`
	}](globex, "facts", "limit", "1").AsOf.TxAt
	june := globex.tell("june", "Dana", "We moved to Pro, 120 seats now.", "2026-06-15T09:00:00Z")
	globex.tell("invoice", "Assistant", "Helped Dana download Globex's June invoice.", "2026-07-04T09:00:00Z", "role", "assistant")
	globex.tell("howlong", "Dana", "How long does SSO setup take?", "2026-08-01T09:00:00Z")

	s := &storyTest{globex: globex, initech: initech, february: february}
	t.Run("1 recall walks to the rule of the included scope", s.recall)
	t.Run("2 the plan before was Basic", s.before)
	t.Run("3 the plan now, then, and as it was known", s.now)
	t.Run("4 changes have old, new and episode", s.changes)
	t.Run("5 small talk is kept and leaves no fact", func(t *testing.T) { s.smallTalk(t, small) })
	t.Run("6 the profile needs no question", s.profile)
	t.Run("7 another scope sees and changes nothing", s.isolation)
	t.Run("8 scores are the sum of their signals", s.scores)
	t.Run("9 Pro, Team, Pro are three windows", s.again)
	t.Run("10 no model was called", func(t *testing.T) {
		for _, e := range []episode{page, feb, june} {
			if e.Usage.LLMCalls != 0 {
				t.Errorf("%s: got %d calls", e.ID, e.Usage.LLMCalls)
			}
		}
	})
}

// asked9 is when the story is asked about.
const (
	asked9 = "2026-09-13T12:00:00Z"
	sso    = "Do we need the Security add-on for SSO?"
)

type storyTest struct {
	globex, initech memory
	february        string // a transaction time when nobody knew of June
}

// on is the scope for a subtest.
func (m memory) on(t *testing.T) memory { m.t = t; return m }

func (s *storyTest) recall(t *testing.T) {
	a := s.globex.on(t).recall(sso, "valid_at", asked9, "speaker", "Dana", "max_tokens", 1200)
	has := func(predicate, value string) bool {
		return slices.ContainsFunc(a.Results, func(f found) bool { return f.Predicate == predicate && f.Object.Name == value })
	}
	if !has("on_plan", "Pro") || !has("seat_count", "120") {
		t.Errorf("want Pro and 120 seats, got %+v", a.Results)
	}
	rule := slices.IndexFunc(a.Results, func(f found) bool { return slices.Contains(f.Episodes, "page-1140") })
	if rule < 0 || a.Results[rule].Scope != "acme-kb" {
		t.Fatalf("want the rule of page-1140 from acme-kb, got %+v", a.Results)
	}
	if walk := path(a.Results[rule].Path); !regexp.MustCompile(`Dana.*Globex.*Pro`).MatchString(walk) {
		t.Errorf("want a walk Dana, Globex, Pro, got %q", walk)
	}
	// A line of the context may say what held before; nothing else may name it.
	context := regexp.MustCompile(`before: [^)\n]*`).ReplaceAllString(a.Context, "")
	results, _ := json.Marshal(a.Results)
	if past := regexp.MustCompile(`\bBasic\b|\b30 seats\b`); past.MatchString(context) || past.Match(results) || has("seat_count", "30") {
		t.Errorf("want nothing of Basic and 30 seats, got %s\n%s", results, a.Context)
	}
	if a.AsOf.ValidAt == nil || a.AsOf.ValidAt.UTC().Format("2006-01-02T15:04:05Z") != asked9 || a.AsOf.TxAt == "" {
		t.Errorf("want the times it was asked as of, got %+v", a.AsOf)
	}
}

func (s *storyTest) before(t *testing.T) {
	a := s.globex.on(t).ask("what plan were we on before?", "valid_at", asked9)
	if a.Relation != "previous" || len(a.Facts) == 0 || a.Answer == nil || !strings.Contains(*a.Answer, "Basic") {
		t.Fatalf("want previous, Basic, got %+v", a)
	}
	f := a.Facts[0]
	if f.Object.Name != "Basic" || bounds(f) != "2026-02-10 2026-06-15" || !slices.Contains(f.Episodes, "feb") {
		t.Errorf("want Basic from February to June by feb, got %+v", f)
	}
}

func (s *storyTest) now(t *testing.T) {
	globex := s.globex.on(t)
	a := globex.ask("what plan are we on?", "valid_at", asked9)
	if a.Relation != "current" || len(a.Facts) == 0 || a.Facts[0].Object.Name != "Pro" || bounds(a.Facts[0]) != "2026-06-15 ..." {
		t.Errorf("now: want Pro since June, got %+v", a)
	}
	for _, c := range []struct {
		want string
		at   []string
	}{
		{"Basic", []string{"valid_at", "2026-03-01"}},
		{"Pro", []string{"valid_at", "2026-07-01"}},
		{"Basic", []string{"valid_at", "2026-07-01", "tx_at", s.february}},
	} {
		a := globex.ask("what plan are we on?", c.at...)
		if len(a.Facts) == 0 || a.Facts[0].Object.Name != c.want {
			t.Errorf("ask at %v: want %s, got %+v", c.at, c.want, a)
		}
		got := names(globex.facts(append([]string{"subject", "Globex", "predicate", "on_plan"}, c.at...)...))
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("facts at %v: %s", c.at, diff)
		}
	}
}

func (s *storyTest) changes(t *testing.T) {
	changes := read[struct{ Changes []change }](s.globex.on(t), "changes", "since", s.february).Changes
	moved := map[string]bool{}
	for _, c := range changes {
		for _, f := range c.Begun {
			if f.Predicate == "prefers" {
				t.Errorf("want nothing from before, got %+v", f)
			}
		}
		if len(c.Begun) == 1 && len(c.Ended) == 1 && c.Episode != nil && *c.Episode == "june" {
			moved[c.Begun[0].Predicate+" "+c.Ended[0].Object.Name+" "+c.Begun[0].Object.Name] = true
		}
	}
	if diff := cmp.Diff(map[string]bool{"on_plan Basic Pro": true, "seat_count 30 120": true}, moved); diff != "" {
		t.Errorf("%s\nof %+v", diff, changes)
	}
}

func (s *storyTest) smallTalk(t *testing.T, small []episode) {
	globex := s.globex.on(t)
	for _, e := range small {
		kept := read[episode](globex, "episodes/"+e.ID)
		if len(e.Changes) > 0 || kept.Status != "done" || kept.Text == "" {
			t.Errorf("want %s kept, done and without changes, got %+v", e.ID, kept)
		}
	}
	for _, f := range globex.facts("valid_at", "any") {
		if slices.Contains(f.Episodes, "thanks") || slices.Contains(f.Episodes, "second") {
			t.Errorf("got a fact of small talk: %+v", f)
		}
	}
}

func (s *storyTest) profile(t *testing.T) {
	p := read[struct{ Text string }](s.globex.on(t), "profile")
	for _, want := range []string{"IT admin", "Globex", "numbered steps"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("want %q in %q", want, p.Text)
		}
	}
}

func (s *storyTest) isolation(t *testing.T) {
	globex, initech := s.globex.on(t), s.initech.on(t)
	all, before := globex.facts("valid_at", "any"), snapshot(globex)
	marks := []string{"Basic", "numbered", "IT admin", "invoice", "page-1140"}
	for _, f := range all {
		marks = append(marks, f.ID)
	}
	for _, r := range everyRead(all[0].ID, "feb") {
		status, body := initech.status(r.method, r.route, r.body)
		if r.single != (status == http.StatusNotFound) || status >= 500 {
			t.Errorf("%s %s: got %d %s", r.method, r.route, status, body)
		}
		for _, mark := range marks {
			if !r.single && strings.Contains(body, mark) {
				t.Errorf("%s %s: got %q in %s", r.method, r.route, mark, body)
			}
		}
	}
	for _, r := range everyWrite(all[0].ID, "feb", "Ira") {
		if status, body := initech.status(r.method, r.route, r.body); status < 400 || status >= 500 {
			t.Errorf("%s %s: got %d %s", r.method, r.route, status, body)
		}
	}
	same(t, before, snapshot(globex))
	if status, _ := globex.other("globex-x").status(http.MethodGet, "facts", nil); status != http.StatusNotFound {
		t.Errorf("an unknown scope: got %d", status)
	}
}

func (m memory) other(scope string) memory { m.scope = scope; return m }

// request is one request; a single one names one thing, so that it is 404 where that is not.
type request struct {
	method, route string
	body          any
	single        bool
}

// everyRead is every route that reads a scope, with a fact and an episode that may be of another.
func everyRead(fact, episode string) []request {
	return []request{
		{"POST", "recall", object{"query": "plan seats steps admin SSO", "include": []string{"facts", "episodes"}, "history": true}, false},
		{"POST", "ask", object{"question": "what plan are we on?"}, false},
		{"GET", "facts?valid_at=any", nil, false},
		{"GET", "facts?subject=Globex", nil, false},
		{"GET", "facts?valid_at=any&state=retracted", nil, false},
		{"GET", "timeline?subject=Globex", nil, false},
		{"GET", "changes", nil, false},
		{"GET", "diff?from_valid_at=2026-01-01", nil, false},
		{"GET", "follow?start=Dana&path=works_at,on_plan", nil, false},
		{"GET", "graph?entity=Globex&hops=2", nil, false},
		{"GET", "profile", nil, false},
		{"GET", "episodes", nil, false},
		{"GET", "entities", nil, false},
		{"GET", "export", nil, false},
		{"GET", "facts/" + fact, nil, true},
		{"GET", "episodes/" + episode, nil, true},
	}
}

// everyWrite is every route that changes one fact or episode.
func everyWrite(fact, episode, subject string) []request {
	return []request{
		{"PATCH", "facts/" + fact, object{"importance": 0}, true},
		{"POST", "facts/" + fact + "/retract", object{"never": true}, true},
		{"POST", "facts/" + fact + "/forget", object{}, true},
		{"DELETE", "facts/" + fact, nil, true},
		{"DELETE", "episodes/" + episode, nil, true},
		{"POST", "episodes/" + episode + "/retry", nil, true},
		{"POST", "facts", object{"facts": []object{claim(subject, "uses", "tea", "replaces", fact)}}, true},
		{"POST", "facts", object{"facts": []object{claim(subject, "uses", "tea", "episodes", []string{episode})}}, true},
	}
}

func (s *storyTest) scores(t *testing.T) {
	a := s.globex.on(t).recall(sso, "valid_at", asked9, "speaker", "Dana")
	if len(a.Results) == 0 {
		t.Fatal("got no results")
	}
	for _, f := range a.Results {
		want := .6*max(f.Signals["similarity"], f.Signals["walk"]) + .25*f.Signals["recency"] + .15*f.Signals["importance"]
		if math.Abs(want-f.Score) > .002 {
			t.Errorf("%s: want %.3f, got %.3f of %v", f.Text, want, f.Score, f.Signals)
		}
	}
}

func (s *storyTest) again(t *testing.T) {
	globex := s.globex.on(t)
	globex.tell("team", "Dana", "We moved to Team, 120 seats now.", "2026-10-01T09:00:00Z")
	globex.tell("again", "Dana", "We moved to Pro, 120 seats now.", "2026-10-20T09:00:00Z")
	want := []string{"Basic 2026-02-10 2026-06-15", "Pro 2026-06-15 2026-10-01", "Team 2026-10-01 2026-10-20", "Pro 2026-10-20 ..."}
	if diff := cmp.Diff(want, globex.history("Globex", "on_plan")); diff != "" {
		t.Error(diff)
	}
	a := globex.ask("what plan were we on before?", "valid_at", "2026-11-01")
	if len(a.Facts) == 0 || a.Facts[0].Object.Name != "Team" {
		t.Errorf("before: want Team, got %+v", a)
	}
	seats := names(globex.facts("subject", "Globex", "predicate", "seat_count", "valid_at", "2026-11-01"))
	if diff := cmp.Diff([]string{"120"}, seats); diff != "" {
		t.Errorf("seats told three times are one fact: %s", diff)
	}
}
