package api

import (
	"context"
	"fmt"
	"net/http"
	"runtime"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
)

// Health says that the process runs, or that it can answer.
type Health struct {
	Status string `json:"status" enum:"ok,ready"`
}

// Program says what program this is.
type Program struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Go      string `json:"go"`
}

type healthOutput struct{ Body Health }

type programOutput struct{ Body Program }

func (s *server) registerOperations(api huma.API) {
	public := func(op huma.Operation) huma.Operation {
		op.Security = []map[string][]string{}
		return op
	}
	handle(api, public(operation(http.MethodGet, "/healthz", "health", "operations", "Say that the process runs")), s.healthz)
	handle(api, public(operation(http.MethodGet, "/readyz", "ready", "operations", "Say that requests can be answered")), s.readyz)
	handle(api, operation(http.MethodGet, "/v1/version", "version", "operations", "Say what program this is"), s.programVersion)
}

func (s *server) healthz(context.Context, *struct{}) (*healthOutput, error) {
	return &healthOutput{Health{Status: "ok"}}, nil
}

// readyz answers 503 while the program is not ready, whatever the reason, which is for the log.
func (s *server) readyz(ctx context.Context, _ *struct{}) (*healthOutput, error) {
	if err := s.ready(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", graph.ErrUnavailable, err)
	}
	return &healthOutput{Health{Status: "ready"}}, nil
}

func (s *server) programVersion(context.Context, *struct{}) (*programOutput, error) {
	return &programOutput{Program{Name: "tenure", Version: s.version, Go: runtime.Version()}}, nil
}
