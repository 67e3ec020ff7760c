package api_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tenure/api"
)

// live makes one request over a real connection.
func live(t *testing.T, h http.Handler, method, path string, body io.Reader, header ...string) (*http.Response, string, error) {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer, string(text), err
}

func TestPathsAreUnescapedOnce(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, c := range []struct{ path, id string }{
		{"/facts/a%2Fb", "a/b"}, {"/facts/a%252Fb", "a%2Fb"}, {"/facts/a%20b", "a b"}, {"/facts/%E6%97%A5", "日"}, {"/facts/..%2F..%2Fetc", "../../etc"},
		{"/facts/%2e%2e", ".."}, {"/facts/x%60)%20%2F%2F", "x`) //"}, {"/episodes/a%2Fb%3Fc", "a/b?c"}, {"/entities/%25", "%"}, {"/predicates/a%2Fb", "a/b"},
		{"/facts/" + strings.Repeat("%E6%97%A5", 128), strings.Repeat("日", 128)},
	} {
		*s = services{}
		if w := send(h, "GET", base+c.path, ""); w.Code != 200 && w.Code != 404 || s.id != c.id {
			t.Errorf("%s reached the service as %q (%d %s), want %q", c.path, s.id, w.Code, w.Body, c.id)
		}
	}
}

func TestScopeNames(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, name := range []string{"globex", "A.b_c:d@e-9", "...", strings.Repeat("n", 128), "%67lobex"} {
		*s = services{}
		if w := send(h, "GET", "/v1/scopes/"+name, ""); w.Code != 200 || s.scope.Tenant != "default" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	for _, name := range []string{"..", ".", "%2e%2e", "%2E", "..%2f..%2fetc%2fpasswd", "a%2fb", "%00", "a%20b", "a%0ab", "%0A", "%ff", strings.Repeat("n", 129), "%C3%A4", "a%5cb", "*", "a+b", "a%252fb"} {
		*s = services{}
		for _, c := range []struct{ method, rest, body string }{
			{"GET", "/facts", ""}, {"PUT", "", "{}"}, {"POST", "/facts", `{"facts":[{"subject":"a","predicate":"b","object":"c"}]}`}, {"DELETE", "", ""},
		} {
			refused(t, send(h, c.method, "/v1/scopes/"+name+c.rest, c.body), "scope")
		}
		if s.called != "" {
			t.Errorf("%s reached %s", name, s.called)
		}
	}
}

func TestTenant(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s, func(c *api.Config) { c.Tenant = "acme" })
	send(h, "GET", base+"/facts", "")
	if s.scope.Tenant != "acme" || s.scope.Name != "globex" {
		t.Errorf("scope = %+v", s.scope)
	}
	if send(h, "GET", "/v1/scopes", ""); s.scope.Tenant != "acme" {
		t.Errorf("scopes of %q were listed", s.scope.Tenant)
	}
}

func TestKey(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s, withKey("k3y"))
	for _, path := range []string{base + "/facts", "/v1/scopes", "/v1/version", "/v1/nonsense", "/metrics", "/nonsense"} {
		for _, header := range []string{"", "Bearer", "Bearer wrong", "Bearer k3y ", "Bearer K3Y", "Basic k3y", "k3y", "Bearer k3yy"} {
			w := send(h, "GET", path, "", "Authorization", header)
			if p := problem(t, w); w.Code != 401 || p.Code != "unauthenticated" || w.Header().Get("WWW-Authenticate") == "" {
				t.Errorf("%s with %q = %d", path, header, w.Code)
			}
		}
	}
	if s.called != "" {
		t.Errorf("%s was called without a key", s.called)
	}
	for _, path := range []string{"/healthz", "/readyz", "/openapi.json", "/docs"} {
		if w := send(h, "GET", path, ""); w.Code != 200 {
			t.Errorf("%s = %d without a key, want 200", path, w.Code)
		}
	}
	// With a key the name of the host does not matter.
	if w := send(h, "POST", base+"/facts/f/forget", "", "Authorization", "bearer k3y", "Host", "memory.example.com"); w.Code != 200 || s.who.Actor == "" {
		t.Errorf("with the key: %d %s, actor %q", w.Code, w.Body, s.who.Actor)
	}
}

func TestHostWithoutKey(t *testing.T) {
	h, _ := handler(t, &services{})
	for _, host := range []string{"localhost", "LOCALHOST:8080", "127.0.0.1", "127.1.2.3:80", "[::1]", "[::1]:8080"} {
		if w := send(h, "GET", base+"/facts", "", "Host", host); w.Code != 200 {
			t.Errorf("Host %s = %d, want 200", host, w.Code)
		}
	}
	for _, host := range []string{"evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8080", "10.0.0.1", "0.0.0.0:8080", "[::2]", "", "localhost:8080@evil"} {
		r := httptest.NewRequest("GET", base+"/facts", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if p := problem(t, w); w.Code != 403 || p.Code != "forbidden" {
			t.Errorf("Host %q = %d, want 403", host, w.Code)
		}
	}
}

func TestOtherOriginsMayNotWrite(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		if w := send(h, "POST", base+"/facts/f/forget", "", header...); w.Code != 403 || problem(t, w).Code != "forbidden" {
			t.Errorf("%v = %d, want 403", header, w.Code)
		}
	}
	if w := send(h, "POST", base+"/facts/f/forget", "", "Sec-Fetch-Site", "same-origin", "Origin", "http://localhost"); w.Code != 200 {
		t.Errorf("the same origin = %d", w.Code)
	}
}

func TestContentTypes(t *testing.T) {
	h, _ := handler(t, &services{})
	for _, kind := range []string{"application/json", "application/json; charset=UTF-8", "Application/JSON", "application/merge-patch+json"} {
		if w := send(h, "POST", base+"/recall", `{"query":"x"}`, "Content-Type", kind); w.Code != 200 {
			t.Errorf("%s = %d %s", kind, w.Code, w.Body)
		}
	}
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/cbor", "json", "application/json; charset=latin1", "multipart/form-data; boundary=x", "text/json+json"} {
		if w := send(h, "POST", base+"/recall", `{"query":"x"}`, "Content-Type", kind); w.Code != 415 || problem(t, w).Code != "unsupported_media_type" {
			t.Errorf("%q = %d, want 415", kind, w.Code)
		}
	}
	if w := send(h, "POST", base+"/recall", `{"query":"x"}`, "Content-Encoding", "gzip"); w.Code != 415 {
		t.Errorf("gzip = %d, want 415", w.Code)
	}
	if w := send(h, "POST", base+"/recall", `{"query":"x"}`, "Accept", "text/html, application/cbor;q=0.9, json"); w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("another Accept = %d %s", w.Code, w.Header().Get("Content-Type"))
	}
}

func TestBodyLimit(t *testing.T) {
	h, _ := handler(t, &services{})
	body := func(size int) string { return `{"query":"` + strings.Repeat(" ", size-12) + `"}` }
	if w := send(h, "POST", base+"/recall", body(16<<20)); w.Code != 400 {
		t.Errorf("16 MiB = %d, want 400: the query is too long, the body is not", w.Code)
	}
	if w := send(h, "POST", base+"/recall", body(16<<20+1)); w.Code != 413 || problem(t, w).Code != "too_large" {
		t.Errorf("a byte more = %d, want 413", w.Code)
	}
	t.Run("a client that goes on sending", func(t *testing.T) {
		server := httptest.NewServer(h)
		defer server.Close()
		for name, reader := range map[string]io.Reader{"with a length": bytes.NewReader(make([]byte, 80_000_000)), "in chunks": io.MultiReader(bytes.NewReader(make([]byte, 80_000_000)))} {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			r, _ := http.NewRequestWithContext(ctx, "POST", server.URL+base+"/episodes", reader)
			r.Header.Set("Content-Type", "application/json")
			answer, err := server.Client().Do(r)
			if err == nil {
				answer.Body.Close()
				if answer.StatusCode != 413 {
					t.Errorf("%s: %d, want 413 or a broken connection", name, answer.StatusCode)
				}
			} else if ctx.Err() != nil {
				t.Errorf("%s: the server keeps the client sending", name)
			}
			cancel()
		}
		answer, err := server.Client().Get(server.URL + "/healthz")
		if err != nil || answer.StatusCode != 200 {
			t.Fatalf("afterwards: %v %v", answer, err)
		}
		answer.Body.Close()
	})
	t.Run("a body that ends early", func(t *testing.T) {
		r := httptest.NewRequest("POST", "http://localhost"+base+"/recall", io.MultiReader(strings.NewReader(`{"query":`), brokenReader{}))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		refused(t, w, "body")
	})
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestHeaders(t *testing.T) {
	h, _ := handler(t, &services{})
	for _, path := range []string{"/healthz", base + "/facts", "/nonsense", "/docs"} {
		w := send(h, "GET", path, "", "X-Request-Id", "abc-1.2_3:4")
		if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s lacks headers: %v", path, w.Header())
		}
		if got := w.Header().Get("X-Request-Id"); got != "abc-1.2_3:4" {
			t.Errorf("%s: X-Request-Id = %q, want the request's", path, got)
		}
	}
	for _, id := range []string{"", "a b", "a\"b", strings.Repeat("x", 65), "ä"} {
		if got := send(h, "GET", "/healthz", "", "X-Request-Id", id).Header().Get("X-Request-Id"); got == id || len(got) != 36 {
			t.Errorf("X-Request-Id %q became %q, want a new one", id, got)
		}
	}
}

func TestLogAndMetricsHoldNoText(t *testing.T) {
	h, log := handler(t, &services{})
	send(h, "GET", base+"/facts/"+secret+"?valid_at="+secret, "")
	send(h, "POST", base+"/recall", `{"query":"`+secret+`"}`)
	send(h, "GET", "/"+secret, "")
	send(h, secret, "/healthz", "")
	text := send(h, "GET", "/metrics", "").Body.String()
	if strings.Contains(log.String(), secret) || strings.Contains(text, secret) {
		t.Errorf("somebody's text is in the log or the metrics:\n%s\n%s", log, text)
	}
	if !strings.Contains(log.String(), `"method":"GET","route":"/v1/scopes/{scope}/facts/{id}","status":200`) {
		t.Errorf("log = %s", log)
	}
	for _, want := range []string{
		`tenure_http_requests_total{method="GET",route="/v1/scopes/{scope}/facts/{id}",status="200"} 1`,
		`tenure_http_requests_total{method="GET",route="none",status="404"} 1`,
		`tenure_http_requests_total{method="other",route="none",status="405"} 1`,
		`tenure_http_request_duration_seconds_count{method="POST",route="/v1/scopes/{scope}/recall"} 1`, "go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s:\n%.3000s", want, text)
		}
	}
}
