package api

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

const (
	// maxBody bounds the body of a request.
	maxBody = 16 << 20
	// bodyTime bounds how long a body may take to arrive.
	bodyTime = time.Minute
	// answerTime bounds how long an answer may take, waiting for episodes included. An export has no bound.
	answerTime = 2 * time.Minute
)

// Config is what the handler needs. Write and Read must be set.
type Config struct {
	Write *ingest.Service
	Read  *retrieval.Service
	// Key is the API key that requests must bear. With "" all requests are let in whose Host is a loopback address, and the
	// caller must listen on loopback only.
	Key     string
	Tenant  string                      // owner of all scopes; "" is "default"
	Log     *slog.Logger                // nil discards
	Version string                      // of the program
	Ready   func(context.Context) error // says why the program cannot answer; nil is always ready
	Clock   temporal.Clock              // measures how long answers take; nil is the machine's
}

// New returns the handler of all routes. It bounds bodies and answers itself; an http.Server before it should bound the
// headers (ReadHeaderTimeout) but set neither ReadTimeout nor WriteTimeout, which would cut off waits and exports.
func New(cfg Config) (http.Handler, error) {
	if cfg.Write == nil || cfg.Read == nil {
		return nil, errors.New("api: Config wants Write and Read")
	}
	return newHandler(cfg, cfg.Write, cfg.Read)
}

// server holds what the operations share.
type server struct {
	write   writer
	read    reader
	log     *slog.Logger
	clock   temporal.Clock
	ready   func(context.Context) error
	metrics *metrics
	tenant  string
	version string
	secured bool
	key     [sha256.Size]byte // hash of the API key: comparing hashes tells nothing of the key's length
}

func newHandler(cfg Config, write writer, read reader) (http.Handler, error) {
	hookHuma()
	s := &server{
		write: write, read: read, log: cfg.Log, clock: cfg.Clock, ready: cfg.Ready, metrics: newMetrics(), tenant: cfg.Tenant,
		version: cfg.Version, secured: cfg.Key != "", key: sha256.Sum256([]byte(cfg.Key)),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.clock == nil {
		s.clock = temporal.SystemClock{}
	}
	if s.ready == nil {
		s.ready = func(context.Context) error { return nil }
	}
	if s.tenant == "" {
		s.tenant = "default"
	}

	mux := chi.NewMux()
	mux.Use(s.exchange, s.record, recoverPanic, secureHeaders, s.guardHost, guardOrigin, s.authenticate, middleware.GetHead)
	mux.NotFound(notFound)
	mux.MethodNotAllowed(methodNotAllowed)
	operations := huma.NewAPI(s.config(), humachi.NewAdapter(mux))
	operations.UseMiddleware(checkRequest)
	s.register(operations)
	document, err := json.Marshal(operations.OpenAPI())
	if err != nil {
		return nil, fmt.Errorf("api: the OpenAPI document: %w", err)
	}
	page, err := docsPage(document)
	if err != nil {
		return nil, fmt.Errorf("api: the docs page: %w", err)
	}
	mux.Get("/openapi.json", serve("application/json", document))
	mux.Get("/docs", serve("text/html; charset=utf-8", page))
	mux.Method(http.MethodGet, "/metrics", s.metrics.handler())
	return mux, nil
}

// config is huma without what it would add: its own document and docs routes (the docs load scripts from a CDN), and the
// $schema fields in answers.
func (s *server) config() huma.Config {
	document := &huma.OpenAPI{
		OpenAPI:    "3.1.0",
		Info:       &huma.Info{Title: "Tenure", Version: s.version, Description: "Bitemporal memory for agents: facts with the window in which they were true, and when that was known."},
		Components: &huma.Components{Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)},
	}
	if s.secured {
		document.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer"}}
		document.Security = []map[string][]string{{"key": {}}}
	}
	format := huma.Format{
		Marshal: func(w io.Writer, v any) error {
			encoder := json.NewEncoder(w)
			encoder.SetEscapeHTML(false)
			return encoder.Encode(v)
		},
		Unmarshal: json.Unmarshal,
	}
	return huma.Config{
		OpenAPI: document, DefaultFormat: "application/json", RejectUnknownQueryParameters: true,
		Formats: map[string]huma.Format{"application/json": format, "application/problem+json": format},
	}
}

// register adds every operation.
func (s *server) register(api huma.API) {
	s.registerOperations(api)
	s.registerScopes(api)
	s.registerPredicates(api)
	s.registerEpisodes(api)
	s.registerFacts(api)
	s.registerFact(api)
	s.registerRecall(api)
	s.registerHistory(api)
	s.registerEntities(api)
}

// operation describes one route. The id is the operation's name in the document.
func operation(method, path, id, tag, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Tags: []string{tag}, Summary: summary}
}

// handle adds an operation whose errors go through the table of problems and whose time is bounded.
func handle[I, O any](api huma.API, op huma.Operation, f func(context.Context, *I) (*O, error)) {
	op.MaxBodyBytes, op.BodyReadTimeout = -1, -1 // checkRequest has read the body
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		bounded, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		out, err := f(bounded, in)
		if err != nil {
			return nil, newProblem(ctx, err)
		}
		return out, nil
	})
}

// scope is the scope of that name in the tenant of the request.
func (s *server) scope(name string) graph.Scope { return graph.Scope{Tenant: s.tenant, Name: name} }

// caller says who makes a request. There is one key yet, so it needs no name of its own.
func (s *server) caller(key string, dryRun bool) ingest.Caller {
	who := ingest.Caller{Key: key, DryRun: dryRun}
	if s.secured {
		who.Actor = "api_key"
	}
	return who
}

func serve(contentType string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body) // nobody to tell when the client is gone
	}
}
