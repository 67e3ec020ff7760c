package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tenure/api"
	"tenure/graph"
)

const secret = "xCANARYx7f3a"

func TestProblems(t *testing.T) {
	deadline, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	s := &services{}
	h, log := handler(t, s)
	for _, c := range []struct {
		name   string
		err    error
		status int
		code   string
		detail string
	}{
		{"a faulty field", graph.Invalid("facts[0].valid_from", "want RFC 3339"), 400, "invalid", "facts[0].valid_from: want RFC 3339"},
		{"several", errors.Join(graph.Invalid("a", "x"), fmt.Errorf("claim: %w", graph.Invalid("b", "y"))), 400, "invalid", "2 fields are faulty"},
		{"invalid as a whole", fmt.Errorf("page token: %w", graph.ErrInvalid), 400, "invalid", "page token: invalid"},
		{"not found", graph.NotFound("fact"), 404, "not_found", "fact: not found"},
		{"conflict", graph.Conflict("fact %s is in the way", "f-1"), 409, "conflict", "conflict: fact f-1 is in the way"},
		{"deadline", fmt.Errorf("store: %w", deadline.Err()), 504, "deadline", ""},
		{"unavailable", fmt.Errorf("%w: disk %s is full", graph.ErrUnavailable, secret), 503, "unavailable", ""},
		{"given up", context.Canceled, 503, "unavailable", ""},
		{"anything else", errors.New("index corrupt at " + secret), 500, "internal", ""},
		{"invalid wins over unavailable", errors.Join(graph.ErrUnavailable, graph.Invalid("a", "x")), 400, "invalid", "a: x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log.Reset()
			s.err = c.err
			w := send(h, "GET", "/v1/scopes/globex/facts", "", "X-Request-Id", "req-1")
			p := problem(t, w)
			if w.Code != c.status || p.Code != c.code {
				t.Errorf("got %d %s, want %d %s", w.Code, p.Code, c.status, c.code)
			}
			if c.detail != "" && p.Detail != c.detail {
				t.Errorf("detail = %q, want %q", p.Detail, c.detail)
			}
			if strings.Contains(w.Body.String(), secret) {
				t.Errorf("the answer shows what is for the log: %s", w.Body)
			}
			if c.status >= 500 && (!strings.Contains(log.String(), c.err.Error()) || !strings.Contains(log.String(), `"request_id":"req-1"`)) {
				t.Errorf("log = %s, want the error and the request's id", log)
			}
			if c.status < 500 && strings.Contains(log.String(), `"error"`) {
				t.Errorf("log = %s, want no error: the caller has it", log)
			}
			if got := w.Header().Get("Retry-After"); (got != "") != (c.status == 503) {
				t.Errorf("Retry-After = %q at %d", got, c.status)
			}
		})
	}
}

func TestPanicIsAProblem(t *testing.T) {
	h, log := handler(t, &services{}, func(c *api.Config) {
		c.Ready = func(context.Context) error { panic("boom " + secret) }
	})
	w := send(h, "GET", "/readyz", "")
	if p := problem(t, w); w.Code != 500 || p.Code != "internal" || strings.Contains(w.Body.String(), secret) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "boom") || !strings.Contains(log.String(), "goroutine") {
		t.Errorf("log = %s, want the panic and where it was", log)
	}
}

func TestNotReady(t *testing.T) {
	h, _ := handler(t, &services{}, func(c *api.Config) { c.Ready = func(context.Context) error { return errors.New(secret) } })
	w := send(h, "GET", "/readyz", "")
	if problem(t, w); w.Code != 503 || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), secret) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := send(h, "GET", "/healthz", ""); w.Code != 200 {
		t.Errorf("healthz = %d while not ready, want 200", w.Code)
	}
}

func TestUnknownRoutesAndMethods(t *testing.T) {
	h, _ := handler(t, &services{})
	for _, path := range []string{"/", "/nonsense", "/v1/nonsense", "/v1/scopes/globex/nonsense", "/v1/scopes/globex/facts/", "/v1/scopes/globex/changes/c-1",
		"/v1/scopes/globex/import", "/v1/scopes/globex/reextract", "/v1/scopes/globex/forget", "/v1/scopes/globex/entities/e-1/merge", "/v1/scopes/globex/entities/e-1/rename"} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			if w := send(h, method, path, ""); w.Code != 404 || problem(t, w).Code != "not_found" {
				t.Errorf("%s %s = %d, want 404", method, path, w.Code)
			}
		}
	}
	for _, c := range []struct{ method, path, allow string }{
		{"PUT", "/v1/scopes/globex/facts", "GET, HEAD, POST"},
		{"DELETE", "/v1/scopes/globex/facts", "GET, HEAD, POST"},
		{"GET", "/v1/scopes/globex/recall", "POST"},
		{"POST", "/v1/scopes/globex/timeline", "GET, HEAD"},
		{"PATCH", "/v1/scopes/globex", "GET, HEAD, PUT, DELETE"},
		{"OPTIONS", "/v1/scopes/globex/facts/a%2Fb", "GET, HEAD, PATCH, DELETE"},
		{"POST", "/metrics", "GET, HEAD"},
		{"BREW", "/healthz", "GET, HEAD"},
	} {
		w := send(h, c.method, c.path, "")
		if p := problem(t, w); w.Code != 405 || p.Code != "method_not_allowed" {
			t.Errorf("%s %s = %d, want 405", c.method, c.path, w.Code)
		}
		if got := strings.Join(w.Header().Values("Allow"), ", "); got != c.allow {
			t.Errorf("%s %s: Allow = %q, want %q", c.method, c.path, got, c.allow)
		}
	}
	if w := send(h, http.MethodHead, "/healthz", ""); w.Code != 200 {
		t.Errorf("HEAD /healthz = %d, want 200", w.Code)
	}
}
