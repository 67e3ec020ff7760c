package graph

import (
	"errors"
	"fmt"
)

// The four things a caller can act on. Errors of stores and services wrap one of them; anything else is a fault of ours.
var (
	ErrInvalid     = errors.New("invalid")     // the request can never be accepted as it is
	ErrNotFound    = errors.New("not found")   // the named thing is not in this scope
	ErrConflict    = errors.New("conflict")    // the request contradicts what is held
	ErrUnavailable = errors.New("unavailable") // try again later; nothing was written
)

// A FieldError is an ErrInvalid that names the faulty field. It never holds the field's value.
type FieldError struct {
	Field   string // where, as the caller wrote it: "facts[2].valid_from"
	Problem string // what is wrong and what would be right
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

// Unwrap makes a FieldError an ErrInvalid.
func (e *FieldError) Unwrap() error { return ErrInvalid }

// Invalid returns a FieldError.
func Invalid(field, format string, args ...any) error {
	return &FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// NotFound returns an ErrNotFound that names the noun. The id is left out: it may be somebody's text.
func NotFound(noun string) error { return fmt.Errorf("%s: %w", noun, ErrNotFound) }

// Conflict returns an ErrConflict with its reason.
func Conflict(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrConflict, fmt.Sprintf(format, args...))
}
