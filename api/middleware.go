package api

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/google/uuid"

	"tenure/graph"
)

// exchange is what belongs to one request and its answer. Only the goroutine of the request touches it.
type exchange struct {
	id  string
	err error // that made a 5xx, for the log
}

type exchangeKey struct{}

// exchangeOf returns the exchange of a request's context; of any other, one that nobody reads.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// exchange gives the request an id: its own if that is harmless in headers and logs, else a new one.
func (s *server) exchange(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{id: r.Header.Get("X-Request-Id")}
		if !requestID.MatchString(x.id) {
			x.id = uuid.NewString()
		}
		w.Header().Set("X-Request-Id", x.id)
		r.Header.Del("Accept") // there is one format of answers, and nothing to negotiate
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
	})
}

// record logs and counts the answer. Neither the path nor the query is logged: both may hold somebody's text.
func (s *server) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.clock.Now()
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			took := max(s.clock.Now().Sub(start), 0)
			route := chi.RouteContext(r.Context()).RoutePattern()
			if route == "" {
				route = "none"
			}
			status := out.Status()
			if status == 0 {
				status = http.StatusOK
			}
			s.metrics.observe(r.Method, route, status, took)
			s.logAnswer(r, route, status, out.BytesWritten(), took)
		}()
		next.ServeHTTP(out, r)
	})
}

func (s *server) logAnswer(r *http.Request, route string, status, size int, took time.Duration) {
	x := exchangeOf(r.Context())
	level := slog.LevelInfo
	switch {
	case x.err != nil && !errors.Is(r.Context().Err(), context.Canceled):
		level = slog.LevelError
	case route == "/healthz" || route == "/readyz" || route == "/metrics":
		level = slog.LevelDebug
	}
	attrs := []slog.Attr{
		slog.String("method", method(r.Method)), slog.String("route", route), slog.Int("status", status),
		slog.Float64("ms", float64(took.Microseconds())/1000), slog.Int("bytes", size), slog.String("request_id", x.id),
	}
	if x.err != nil {
		attrs = append(attrs, slog.String("error", x.err.Error()))
	}
	s.log.LogAttrs(r.Context(), level, "request", attrs...)
}

// recoverPanic turns a panic into a 500, or into a broken connection if the answer has begun.
func recoverPanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler)
			}
			err := fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
			if out, ok := w.(middleware.WrapResponseWriter); ok && out.Status() != 0 {
				exchangeOf(r.Context()).err = err
				panic(http.ErrAbortHandler)
			}
			writeProblem(w, r, err)
		}()
		next.ServeHTTP(w, r)
	})
}

// secureHeaders keeps browsers from guessing types, framing pages and keeping answers.
func secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// guardHost refuses, while no key is configured, requests that were not addressed to this machine by its own name. Without
// it any web page could read the memory through a name of its own that resolves to 127.0.0.1 (DNS rebinding).
func (s *server) guardHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.secured && !loopback(r.Host) {
			writeProblem(w, r, fmt.Errorf("%w: without an API key the header Host must be localhost or a loopback address", errForbidden))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// loopback reports whether a Host header names this machine.
func loopback(host string) bool {
	name := host
	if n, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		name = n
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
	return err == nil && address.IsLoopback()
}

// guardOrigin refuses what a browser sends for a page of another origin, reads aside.
func guardOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if protection.Check(r) != nil {
			writeProblem(w, r, fmt.Errorf("%w: pages of another origin may not write", errForbidden))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// open are the routes that need no key.
var open = []string{"/healthz", "/readyz", "/openapi.json", "/docs"}

// authenticate lets in who bears the key, if there is one.
func (s *server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.secured && !slices.Contains(open, r.URL.Path) && !s.bears(r.Header.Get("Authorization")) {
			writeProblem(w, r, errUnauthenticated)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) bears(authorization string) bool {
	scheme, key, _ := strings.Cut(authorization, " ")
	hash := sha256.Sum256([]byte(strings.TrimLeft(key, " ")))
	return subtle.ConstantTimeCompare(hash[:], s.key[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

func notFound(w http.ResponseWriter, r *http.Request) { writeProblem(w, r, graph.NotFound("route")) }

// methodNotAllowed names the methods that the route has. chi knows them, but does not tell a handler of its caller's.
func methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	path := r.URL.RawPath
	if path == "" {
		path = r.URL.Path
	}
	routes := chi.RouteContext(r.Context()).Routes
	for _, m := range methods {
		has := m
		if m == http.MethodHead {
			has = http.MethodGet // middleware.GetHead
		}
		if routes.Match(chi.NewRouteContext(), has, path) {
			w.Header().Add("Allow", m)
		}
	}
	writeProblem(w, r, errMethod)
}

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

// method is the method as logs and metrics show it: anybody can send any word.
func method(m string) string {
	if slices.Contains(methods, m) {
		return m
	}
	return "other"
}
