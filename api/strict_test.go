package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"tenure/api"
)

const base = "/v1/scopes/globex"

func TestBrokenJSON(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	bodies := map[string]string{
		"truncated": `{"facts": [{"subject": "` + secret, "not JSON": secret, "array at the top": "[]", "null at the top": "null", "a number": "1",
		"a text": `"` + secret + `"`, "trailing text": `{"query":"a"} {"x":1}`, "trailing garbage": `{"query":"a"}` + secret, "invalid UTF-8": "{\"text\": \"\xff\xfe" + secret + "\"}",
		"NaN": `{"facts": [{"importance": NaN}]}`, "Infinity": `{"facts": [{"importance": -Infinity}]}`, "single quotes": `{'text': 'x'}`,
		"comment": `{/*x*/"text":"x"}`, "trailing comma": `{"text":"x",}`, "deep nesting": strings.Repeat(`{"metadata":`, 5000) + "{}" + strings.Repeat("}", 5000),
		"deep array": strings.Repeat("[", 100000) + strings.Repeat("]", 100000), "leading zero": `{"limit": 01}`, "a BOM": "\ufeff{}",
		"control character": "{\"query\":\"a\n" + secret + `"}`, "an escape JSON does not know": `{"query":"\x41"}`, "half an escape": `{"query":"\u12`, "a huge number": `{"limit": 1e999}`,
		"twice": `{"query":"` + secret + `","\u0071uery":"b"}`, "spaces": "  ",
	}
	for _, route := range []string{"facts", "episodes", "recall", "ask"} {
		for name, body := range bodies {
			t.Run(route+" "+name, func(t *testing.T) {
				w := send(h, "POST", base+"/"+route, body)
				refused(t, w)
				if strings.Contains(w.Body.String(), secret) {
					t.Errorf("the answer echoes a value: %s", w.Body)
				}
			})
		}
		t.Run(route+" empty", func(t *testing.T) { refused(t, send(h, "POST", base+"/"+route, ""), "body") })
	}
	if s.called != "" {
		t.Errorf("%s was called", s.called)
	}
}

func TestFlawsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ name, body, place string }{
		{"a text", `{"facts":[{"text":"a"},{"text":"\u0000"}]}`, "facts[1].text"},
		{"deep in an array", `{"a":[[1],[{"b":["\ud800"]}]]}`, "a[1][0].b[0]"},
		{"after an object", `{"a":{"b":{}},"c":"\udc00"}`, "c"},
		{"a pair in the wrong order", `{"a":"\udc00\ud800"}`, "a"},
		{"half a pair before an escape", `{"a":"\ud800\n"}`, "a"},
		{"a key with a flaw, in its object", `{"a":{"\u0000":1}}`, "a"},
		{"raw invalid UTF-8", "{\"a\":\"\xed\xa0\x80\"}", "a"},
		{"overlong UTF-8", "{\"a\":\"\xc0\x80\"}", "a"},
		{"a number out of range", `{"a":[1,1e400]}`, "a[1]"},
		{"twice", `{"a":{"b":1,"b":2}}`, "a.b"},
		{"twice of many", `{` + many(100) + `"k42":0}`, "k42"},
		{"a top-level text", `"\u0000"`, "body"},
		{"text after the value", `{} {}`, "body"},
		{"too deep", strings.Repeat("[", 202) + strings.Repeat("]", 202), "body"},
		{"a long key", `{"` + strings.Repeat("k", 1000) + `":"\u0000"}`, strings.Repeat("k", 64) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := api.CheckJSON([]byte(c.body))
			if err == nil || !strings.HasPrefix(err.Error(), c.place+": ") {
				t.Errorf("got %v, want %s", err, c.place)
			}
		})
	}
	t.Run("all of them", func(t *testing.T) {
		h, _ := handler(t, &services{})
		refused(t, send(h, "POST", base+"/facts", `{"facts":[{"subject":"a\u0000","text":"\ud800"},{"quote":"\udc00"}]}`), "facts[0].subject", "facts[0].text", "facts[1].quote")
	})
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%q:0,", fmt.Sprintf("k%d", i))
	}
	return b.String()
}

func TestGoodJSONPasses(t *testing.T) {
	for _, body := range []string{`{}`, ` [ ] `, `{"a":[1,-0.5e+3,true,false,null,{"b":"\ud83d\ude00 \/ \b\f\n\r\t\" \\ \u0001\u007f"}]}`, `{"a":1,"A":2,"":3}`,
		strings.Repeat("[", 200) + "1" + strings.Repeat("]", 200), `{` + many(100) + `"x":0}`, "\t\r\n\"\U0010ffff\u202e\""} {
		if err := api.CheckJSON([]byte(body)); err != nil {
			t.Errorf("%.60s: %v", body, err)
		}
	}
}

// FuzzCheckJSON holds the scanner against encoding/json: it accepts nothing that is no JSON or that would lose something.
func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e-3,"\u00e9\ud83d\ude00"],"b":{"c":null}}`, `"\ud800"`, `[[[]]]`, `{"a":1,"a":2}`, "\"\xff\"", `-`, `1.`, `tru`, `{"a"}`, `[1,]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := api.CheckJSON(data)
		if err != nil {
			if !utf8.ValidString(err.Error()) {
				t.Errorf("the error is no text: %q", err)
			}
			if !json.Valid(data) && !strings.Contains(err.Error(), "body: ") {
				t.Errorf("no JSON, but only %q", err)
			}
			return
		}
		if !json.Valid(data) || !utf8.Valid(data) {
			t.Errorf("%q is accepted", data)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Errorf("%q is accepted, but: %v", data, err)
		}
		if out, _ := json.Marshal(v); strings.Contains(string(out), "\ufffd") && !strings.Contains(string(data), "\ufffd") && !strings.Contains(strings.ToLower(string(data)), `\ufffd`) {
			t.Errorf("%q loses a character", data)
		}
	})
}

func TestUnknownFields(t *testing.T) {
	h, _ := handler(t, &services{})
	for _, c := range []struct{ method, path, body, place string }{
		{"POST", "/facts", `{"facts":[],"CANARY":1}`, "CANARY"},
		{"POST", "/facts", `{"facts":[{"subject":"Ann","predicate":"p","object":"x","CANARY":1}]}`, "facts[0].CANARY"},
		{"POST", "/facts", `{"facts":[{"subject":"Ann","predicate":"p","object":{"name":"Acme","CANARY":1}}]}`, "facts[0].object.CANARY"},
		{"POST", "/facts", `{"facts":[{"Subject":"Ann","predicate":"p","object":"x"}]}`, "facts[0].Subject"},
		{"POST", "/episodes", `{"text":"x","CANARY":1}`, "CANARY"},
		{"POST", "/episodes", `{"episodes":[{"text":"x","wait":"1s"}]}`, "episodes[0].wait"},
		{"POST", "/episodes", `{"messages":[{"text":"x","occurred_at":"2026"}]}`, "messages[0].occurred_at"},
		{"POST", "/recall", `{"query":"x","CANARY":1}`, "CANARY"},
		{"POST", "/recall", `{"QUERY":"x"}`, "QUERY"},
		{"POST", "/recall", `{"query":"x","QUERY":"x"}`, "QUERY"},
		{"POST", "/ask", `{"question":"x","CANARY":1}`, "CANARY"},
		{"PUT", "", `{"CANARY":1}`, "CANARY"},
		{"PUT", "", `{"self":{"name":"x","CANARY":1}}`, "self.CANARY"},
		{"PUT", "/predicates/p", `{"cardinality":"one","CANARY":1}`, "CANARY"},
		{"PATCH", "/facts/f-1", `{"CANARY":1}`, "CANARY"},
		{"PATCH", "/facts/f-1", `{"object":{"CANARY":1}}`, "object.CANARY"},
		{"POST", "/facts/f-1/retract", `{"CANARY":1}`, "CANARY"},
		{"POST", "/facts/f-1/forget", `{"CANARY":1}`, "CANARY"},
		{"POST", "/changes/c-1/revert", `{"CANARY":1}`, "CANARY"},
		{"GET", "/facts?CANARY=1", "", "CANARY"},
		{"GET", "/facts?Subject=x", "", "Subject"},
		{"GET", "/timeline?subject=x&valid_at=2026", "", "valid_at"},
		{"GET", "?x=1", "", "x"},
		{"DELETE", "/facts/f-1?force=1", "", "force"},
	} {
		t.Run(c.method+c.path+c.body, func(t *testing.T) { refused(t, send(h, c.method, base+c.path, c.body), c.place) })
	}
}

func TestCharactersInParameters(t *testing.T) {
	h, _ := handler(t, &services{})
	for _, c := range []struct{ target, place string }{
		{"/facts?subject=a%00", "subject"}, {"/facts?subject=a%ff", "subject"}, {"/facts?subject=a%ed%a0%80", "subject"}, {"/facts?page_token=%00", "page_token"},
		{"/facts?%00=1", "query"}, {"/facts?subject=%zz", "query"}, {"/facts?subject=a;b", "query"}, {"/facts?limit=1&limit=2", "limit"},
		{"/facts/a%00b", "id"}, {"/facts/%ff", "id"}, {"/episodes/" + strings.Repeat("i", 129), "id"}, {"/predicates/a%20b", "name"},
	} {
		t.Run(c.target, func(t *testing.T) { refused(t, send(h, "GET", base+c.target, ""), c.place) })
	}
}
