package retrieval

import (
	"crypto/rand"
	"errors"
	"io"

	"tenure/graph"
	"tenure/temporal"
)

// Config is what a Service needs. Store and Clock must be set.
type Config struct {
	Store graph.Store
	Clock temporal.Clock
	// Random is where the nonces of contexts come from; nil is crypto/rand. It must be safe for concurrent use.
	Random io.Reader
}

// Service is the read path of a store. It is safe for concurrent use; it owns nothing that has to be closed.
type Service struct{ cfg Config }

// New returns a Service, or an error that names what is missing.
func New(cfg Config) (*Service, error) {
	if cfg.Store == nil || cfg.Clock == nil {
		return nil, errors.New("retrieval: a store and a clock are needed")
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	return &Service{cfg}, nil
}
