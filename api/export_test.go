package api

import "net/http"

// NewWith is New with any services, for tests.
func NewWith(cfg Config, write writer, read reader) (http.Handler, error) {
	return newHandler(cfg, write, read)
}

// Writer and Reader are what NewWith takes.
type (
	Writer = writer
	Reader = reader
)

// CheckJSON is checkJSON, for tests.
var CheckJSON = checkJSON
