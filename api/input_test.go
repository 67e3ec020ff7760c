package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// claimWith returns a body of one claim with some fields set to JSON.
func claimWith(fields ...string) string {
	claim := map[string]json.RawMessage{"subject": []byte(`"Ann"`), "predicate": []byte(`"works_at"`), "object": []byte(`"Acme"`)}
	for i := 0; i < len(fields); i += 2 {
		claim[fields[i]] = []byte(fields[i+1])
	}
	body, err := json.Marshal(map[string]any{"facts": []any{claim}})
	if err != nil {
		panic(err)
	}
	return string(body)
}

func TestWrongClaims(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	name := `"` + strings.Repeat("n", 100_000) + `"`
	for field, values := range map[string][]string{
		"subject": {"1", "[]", "true", "{}", `{"name":1}`, `""`, "null", name, `{"name":""}`, `{"kind":"person"}`, `{"name":"x","kind":` + name + "}", `{"name":"x","id":` + name + "}"},
		"object":  {"1", "[]", "{}", `""`, name, `{"name":"x","kind":` + name + "}", `{"name":` + name + `,"kind":"plan"}`}, "text": {"1", "{}", name},
		"predicate":  {"1", "{}", `""`, "null", `"has space"`, `"semi;colon"`, `"CANARY\n"`, name},
		"importance": {`"1"`, "2", "-0.1", "true"}, "episodes": {`"x"`, "[1]", `[""]`, "[null]"}, "retract": {`"yes"`, "1"}, "replaces": {"1", `""`}, "trust": {"1", `"royal"`}, "type": {"[1]"},
		"valid_from": {"1", "[]", "{}", `""`}, "valid_to": {"1", "true", `""`}, "quote": {"1", name}, "holds_at": {`""`},
	} {
		for _, value := range values {
			t.Run(fmt.Sprintf("%s=%.30s", field, value), func(t *testing.T) {
				w := send(h, "POST", base+"/facts", claimWith(field, value))
				refused(t, w)
				if !strings.HasPrefix(problem(t, w).Errors[0].Location, "facts[0]."+field) {
					t.Errorf("errors = %s", w.Body)
				}
			})
		}
	}
	for _, value := range []string{"[]", "{}", `"x"`, "null", "[1]", "[null]", `["x"]`, "[[]]"} {
		t.Run("facts="+value, func(t *testing.T) { refused(t, send(h, "POST", base+"/facts", `{"facts":`+value+"}")) })
	}
	t.Run("1001 facts", func(t *testing.T) {
		one := `{"subject":"Ann","predicate":"p","object":"x"}`
		refused(t, send(h, "POST", base+"/facts", `{"facts":[`+strings.Repeat(one+",", 1000)+one+"]}"), "facts")
	})
	if s.called != "" {
		t.Errorf("%s was called", s.called)
	}
	t.Run("all at once", func(t *testing.T) {
		refused(t, send(h, "POST", base+"/facts", claimWith("subject", "1", "text", name, "importance", "2", "object", `{"nam":"x"}`)),
			"facts[0].subject", "facts[0].text", "facts[0].importance", "facts[0].object.nam")
	})
}

func TestOtherWrongBodies(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, c := range []struct{ method, path, body, place string }{
		{"POST", "/episodes", `{"text":1}`, "text"}, {"POST", "/episodes", `{"text":"x","extract":"no"}`, "extract"}, {"POST", "/episodes", `{"text":"x","kind":"novel"}`, "kind"},
		{"POST", "/episodes", `{"text":"x","metadata":"m"}`, "metadata"}, {"POST", "/episodes", `{"text":"x","wait":5}`, "wait"}, {"POST", "/episodes", `{"text":"x","wait":"soon"}`, "wait"},
		{"POST", "/episodes", `{"text":"x","wait":"-1s"}`, "wait"}, {"POST", "/episodes", `{"text":"x","id":""}`, "id"}, {"POST", "/episodes", `{"text":"x","id":"` + strings.Repeat("i", 129) + `"}`, "id"},
		{"POST", "/episodes", `{"text":"x","messages":"m"}`, "messages"}, {"POST", "/episodes", `{"text":"x","messages":[{"text":"y"}]}`, "messages"}, {"POST", "/episodes", `{}`, "text"},
		{"POST", "/episodes", `{"text":""}`, "text"}, {"POST", "/episodes", `{"text":null}`, "text"}, {"POST", "/episodes", `{"episodes":{}}`, "episodes"}, {"POST", "/episodes", `{"episodes":[]}`, "episodes"},
		{"POST", "/episodes", `{"episodes":["x"]}`, "episodes[0]"}, {"POST", "/episodes", `{"messages":[]}`, "messages"}, {"POST", "/episodes", `{"messages":[{"text":""}]}`, "messages[0].text"},
		{"POST", "/episodes", `{"episodes":[{"text":"x"}],"speaker":"Dana","text":"y"}`, "speaker"}, {"POST", "/episodes", `{"text":"x","occurred_at":""}`, "occurred_at"},
		{"POST", "/episodes", `{"text":"x","speaker":"` + strings.Repeat("s", 513) + `"}`, "speaker"}, {"POST", "/episodes", `{"text":"` + strings.Repeat("x", 1<<20+1) + `"}`, "text"},
		{"POST", "/episodes", `{"text":"x","metadata":{"a":"` + strings.Repeat("x", 64<<10) + `"}}`, "metadata"}, {"POST", "/episodes", `{"episodes":[` + strings.Repeat(`{"text":"x"},`, 1000) + `{"text":"x"}]}`, "episodes"},
		{"POST", "/episodes", `{"episodes":[{"messages":[` + strings.Repeat(`{"text":"x"},`, 999) + `{"text":"x"}]},{"text":"y"}]}`, "episodes"},
		{"POST", "/episodes", `{"id":"` + strings.Repeat("i", 127) + `","messages":[{"text":"x"}]}`, "id"},
		{"POST", "/recall", `{"query":1}`, "query"}, {"POST", "/recall", `{}`, "query"}, {"POST", "/recall", `{"query":"x","limit":0}`, "limit"}, {"POST", "/recall", `{"query":"x","limit":-1}`, "limit"},
		{"POST", "/recall", `{"query":"x","limit":1001}`, "limit"}, {"POST", "/recall", `{"query":"x","limit":"8"}`, "limit"}, {"POST", "/recall", `{"query":"x","limit":1.5}`, "limit"},
		{"POST", "/recall", `{"query":"x","include":["secrets"]}`, "include[0]"}, {"POST", "/recall", `{"query":"x","include":"facts"}`, "include"}, {"POST", "/recall", `{"query":"x","history":"yes"}`, "history"},
		{"POST", "/recall", `{"query":"x","valid_at":2026}`, "valid_at"}, {"POST", "/recall", `{"query":"x","valid_at":""}`, "valid_at"}, {"POST", "/recall", `{"query":"` + strings.Repeat("x", 16<<10+1) + `"}`, "query"},
		{"POST", "/recall", `{"query":"x","weights":{"similarity":1}}`, "weights.recency"}, {"POST", "/ask", `{}`, "question"},
		{"PUT", "/predicates/p", `{}`, "cardinality"}, {"PUT", "/predicates/p", `{"cardinality":"few"}`, "cardinality"}, {"PUT", "/predicates/p", `{"cardinality":"one","name":"q"}`, "name"},
		{"PUT", "", `{"self":"Dana"}`, "self"}, {"PUT", "", `{"includes":["a b"]}`, "includes[0]"}, {"PUT", "", `{"time_zone":1}`, "time_zone"}, {"PUT", "", `{"weights":{"similarity":-1,"recency":1,"importance":1,"half_life_days":0}}`, "weights.half_life_days"},
		{"PATCH", "/facts/f-1", `{"valid_to":""}`, "valid_to"}, {"PATCH", "/facts/f-1", `{"importance":2}`, "importance"}, {"PATCH", "/facts/f-1", `{"object":""}`, "object"}, {"PATCH", "/facts/f-1", `{"text":1}`, "text"},
		{"PATCH", "/facts/f-1", "", "body"}, {"POST", "/facts/f-1/retract", `{"at":1}`, "at"},
		{"GET", "/facts?limit=0", "", "limit"}, {"GET", "/facts?limit=-1", "", "limit"}, {"GET", "/facts?limit=1001", "", "limit"}, {"GET", "/facts?limit=ten", "", "limit"}, {"GET", "/facts?limit=1e3", "", "limit"},
		{"GET", "/facts?state=royal", "", "state"}, {"GET", "/facts?predicate=a%20b", "", "predicate"}, {"GET", "/follow?start=Ann", "", "path"}, {"GET", "/follow?path=a", "", "start"}, {"GET", "/follow?start=Ann&path=a,b%20c", "", "path[1]"},
		{"GET", "/graph", "", "entity"}, {"GET", "/graph?entity=a&hops=9", "", "hops"}, {"GET", "/episodes?status=royal", "", "status"},
	} {
		t.Run(fmt.Sprintf("%s%s%.60s", c.method, c.path, c.body), func(t *testing.T) { refused(t, send(h, c.method, base+c.path, c.body), c.place) })
	}
	if s.called != "" {
		t.Errorf("%s was called", s.called)
	}
}

func TestClaims(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	body := `{"dry_run":true,"facts":[
		{"subject":"Globex","predicate":"on_plan","object":{"name":"Pro","kind":"plan","id":"e-2"},"text":"T","valid_from":"2026-06","valid_to":"2027","holds_at":"2026","importance":0.9,
		 "type":"semantic","trust":"stated","episodes":["e"],"quote":"Q","replaces":"f-0"},
		{"subject":{"name":"Globex"},"predicate":"noted","object":null,"text":"N","valid_from":null,"valid_to":null,"importance":null,"retract":true,"never":true}]}`
	w := send(h, "POST", base+"/facts", body, "Idempotency-Key", "k 1")
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	importance := 0.9
	want := []ingest.ClaimInput{
		{Subject: graph.Named{Name: "Globex"}, Predicate: "on_plan", Object: &graph.Named{Name: "Pro", Kind: "plan", ID: "e-2"}, Text: "T", ValidFrom: "2026-06", ValidTo: "2027", HoldsAt: "2026",
			Importance: &importance, Type: "semantic", Trust: graph.Stated, Episodes: []graph.EpisodeID{"e"}, Quote: "Q", Replaces: "f-0"},
		{Subject: graph.Named{Name: "Globex"}, Predicate: "noted", Text: "N", Retract: true, Never: true, Episodes: []graph.EpisodeID{}},
	}
	if diff := cmp.Diff(any(want), s.got); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
	if want := (ingest.Caller{Key: "k 1", DryRun: true}); s.who != want {
		t.Errorf("caller = %+v, want %+v", s.who, want)
	}
	for _, key := range []string{strings.Repeat("k", 129), "a\x7f", "ä"} {
		refused(t, send(h, "POST", base+"/facts", body, "Idempotency-Key", key), "Idempotency-Key")
	}
	long := `"` + strings.Repeat("v", 10_000) + `"` // a value is told apart by its text, however long
	if w := send(h, "POST", base+"/facts", claimWith("object", `{"name":`+long+`,"kind":"value"}`)); w.Code != 200 {
		t.Errorf("a long value = %d %s", w.Code, w.Body)
	}
}

func TestPatchTellsNullFromAbsent(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for body, want := range map[string]ingest.CorrectInput{
		`{}`: {},
		`{"text":"T","object":"Team","valid_from":"2026","valid_to":"2027","importance":0,"reason":"R","valid_at":"2026-06"}`: {
			Text: set("T"), Object: set(graph.Named{Name: "Team"}), ValidFrom: set("2026"), ValidTo: set("2027"), Importance: set(0.0), Reason: "R", ValidAt: "2026-06"},
		`{"text":null,"object":null,"valid_from":null,"valid_to":null,"importance":null,"reason":null}`: {
			Text: null[string](), Object: null[graph.Named](), ValidFrom: null[string](), ValidTo: null[string](), Importance: null[float64]()},
		`{"valid_to":null,"object":{"name":"Team","kind":"plan"}}`: {ValidTo: null[string](), Object: set(graph.Named{Name: "Team", Kind: "plan"})},
	} {
		*s = services{}
		if w := send(h, "PATCH", base+"/facts/f-1", body, "Idempotency-Key", "k"); w.Code != 200 {
			t.Errorf("%s = %d %s", body, w.Code, w.Body)
		}
		if diff := cmp.Diff(any(want), s.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
		if s.id != "f-1" || s.who.Key != "k" {
			t.Errorf("%s: id %q, caller %+v", body, s.id, s.who)
		}
	}
}

func set[T any](v T) ingest.Patch[T] { return ingest.Patch[T]{Present: true, Value: v} }

func null[T any]() ingest.Patch[T] { return ingest.Patch[T]{Present: true, Null: true} }

func TestPutScope(t *testing.T) {
	got := &putSpy{services: &services{}}
	h, err := handlerOver(got)
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]ingest.SettingsInput{
		`{}`: {},
		`{"self":{"name":"Dana","kind":"person"},"includes":["kb"],"time_zone":"Europe/Berlin","weights":{"similarity":0.6,"recency":0.25,"importance":0.15,"half_life_days":30},"retention":{"a":1}}`: {
			Self: set(graph.Named{Name: "Dana", Kind: "person"}), Includes: set([]string{"kb"}), TimeZone: set("Europe/Berlin"),
			Weights: set(graph.Weights{Similarity: .6, Recency: .25, Importance: .15, HalfLifeDays: 30}), Retention: set(json.RawMessage(`{"a":1}`))},
		`{"self":null,"includes":null,"time_zone":null,"weights":null,"retention":null}`: {
			Self: null[graph.Named](), Includes: null[[]string](), TimeZone: null[string](), Weights: null[graph.Weights](), Retention: null[json.RawMessage]()},
		`{"includes":[]}`: {Includes: set([]string{})},
	} {
		if w := send(h, "PUT", base, body); w.Code != 200 {
			t.Errorf("%s = %d %s", body, w.Code, w.Body)
		}
		if diff := cmp.Diff(want, got.settings); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestRecallRequest(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for body, want := range map[string]retrieval.RecallQuery{
		`{"query":"x"}`: {Query: "x", Facts: true},
		`{"query":"x","valid_at":null,"tx_at":null,"limit":8.0,"max_tokens":1e3,"include":["episodes"],"history":true,"types":["semantic"],"speaker":"Dana","touch":true,"explain":true}`: {
			Query: "x", Limit: 8, MaxTokens: 1000, Episodes: true, History: true, Types: []string{"semantic"}, Speaker: "Dana", Touch: true, Explain: true},
		`{"query":"x","include":["episodes","facts"],"valid_at":"any","tx_at":"2026"}`:           {Query: "x", Facts: true, Episodes: true, At: retrieval.At{ValidAt: "any", TxAt: "2026"}},
		`{"query":"x","weights":{"similarity":1,"recency":0,"importance":0,"half_life_days":1}}`: {Query: "x", Facts: true, Weights: &graph.Weights{Similarity: 1, HalfLifeDays: 1}},
	} {
		if w := send(h, "POST", base+"/recall", body); w.Code != 200 {
			t.Errorf("%s = %d %s", body, w.Code, w.Body)
		}
		if diff := cmp.Diff(any(want), s.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestQueries(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for target, want := range map[string]any{
		"/facts?subject=Ann+B%26&predicate=p&object=o&type=t&state=past&valid_at=2026&tx_at=2027&begins_from=1&begins_before=2&ends_from=3&ends_before=4&limit=9&page_token=tok": retrieval.FactQuery{
			At: retrieval.At{ValidAt: "2026", TxAt: "2027"}, Subject: "Ann B&", Predicate: "p", Object: "o", Type: "t", State: "past", BeginsFrom: "1", BeginsBefore: "2", EndsFrom: "3", EndsBefore: "4",
			Page: retrieval.Page{Limit: 9, Token: "tok"}},
		"/facts": retrieval.FactQuery{}, "/facts/f?valid_at=2026&tx_at=2027": retrieval.At{ValidAt: "2026", TxAt: "2027"},
		"/episodes?conversation=c&status=done&since=1&until=2&limit=1": retrieval.EpisodeQuery{Conversation: "c", Status: "done", Since: "1", Until: "2", Page: retrieval.Page{Limit: 1}},
		"/changes?since=1&until=2&subject=s":                           retrieval.ChangeQuery{Since: "1", Until: "2", Subject: "s"},
		"/timeline?subject=s&predicate=p&tx_at=2026":                   [3]string{"s", "p", "2026"},
		"/diff?from_valid_at=1&to_valid_at=2&from_tx_at=3&to_tx_at=4":  retrieval.DiffQuery{FromValidAt: "1", ToValidAt: "2", FromTxAt: "3", ToTxAt: "4"},
		"/follow?start=s&path=a,b":                                     []string{"a", "b"}, "/graph?entity=e": [2]int{1, 0}, "/graph?entity=e&hops=2&limit=7": [2]int{2, 7}, "/profile?max_tokens=5": 5,
	} {
		if w := send(h, "GET", base+target, ""); w.Code != 200 {
			t.Errorf("%s = %d %s", target, w.Code, w.Body)
		}
		if diff := cmp.Diff(want, s.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
	}
}

func TestOptionalBodies(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, c := range []struct {
		path, body string
		want       any
	}{
		{"/facts/f/retract", "", ingest.RetractInput{}}, {"/facts/f/retract", `{"at":"2026","reason":"R"}`, ingest.RetractInput{At: "2026", Reason: "R"}}, {"/facts/f/retract", `{"never":true}`, ingest.RetractInput{Never: true}},
		{"/facts/f/forget", "", ""}, {"/facts/f/forget", `{"reason":"R"}`, "R"}, {"/changes/c/revert", "", ""}, {"/changes/c/revert", `{"reason":"R"}`, "R"},
	} {
		if w := send(h, "POST", base+c.path, c.body); w.Code != 200 {
			t.Errorf("%s %s = %d %s", c.path, c.body, w.Code, w.Body)
		}
		if diff := cmp.Diff(c.want, s.got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.path, c.body, diff)
		}
	}
	send(h, "POST", base+"/facts/f/retract", `{"dry_run":true}`, "Idempotency-Key", "k")
	if want := (ingest.Caller{Key: "k", DryRun: true}); s.who != want {
		t.Errorf("caller = %+v, want %+v", s.who, want)
	}
}

func TestWait(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	done, pending := episodes()[2:], []graph.Episode{{ID: "a", Status: graph.Pending}}
	for _, c := range []struct {
		body, prefer string
		episodes     []graph.Episode
		wait         time.Duration
		status       int
		applied      string
	}{
		{`{"text":"x"}`, "", done, 0, 202, ""},
		{`{"text":"x","wait":"5s"}`, "", done, 5 * time.Second, 201, ""},
		{`{"text":"x","wait":"1.5s"}`, "", pending, 1500 * time.Millisecond, 202, ""},
		{`{"text":"x","wait":"2h"}`, "", done, time.Minute, 201, ""},
		{`{"text":"x","wait":"0s"}`, "wait=9", done, 0, 202, ""},
		{`{"text":"x"}`, "respond-async, wait=5", done, 5 * time.Second, 201, "wait=5"},
		{`{"text":"x"}`, "Wait=\"7\"", pending, 7 * time.Second, 202, "wait=7"},
		{`{"text":"x"}`, "wait=3600", done, time.Minute, 201, "wait=60"},
		{`{"text":"x"}`, "wait=-1, wait=soon, return=minimal", done, 0, 202, ""},
		{`{"text":"x","wait":"3s"}`, "wait=5", done, 3 * time.Second, 201, ""},
		{`{"episodes":[{"text":"x"}],"wait":"60s"}`, "", done, time.Minute, 201, ""},
	} {
		*s = services{episodes: c.episodes}
		w := send(h, "POST", base+"/episodes", c.body, "Prefer", c.prefer)
		if w.Code != c.status || s.wait != c.wait || w.Header().Get("Preference-Applied") != c.applied {
			t.Errorf("%s with %q: %d after %v, %q; want %d after %v, %q: %s", c.body, c.prefer, w.Code, s.wait, w.Header().Get("Preference-Applied"), c.status, c.wait, c.applied, w.Body)
		}
	}
}
