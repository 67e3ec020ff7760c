package api

import (
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
)

// hookHuma makes huma's own refusals go through newProblem. huma keeps these settings in package variables, so they are set
// once for the process; nothing else in it uses huma.
var hookHuma = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true  // "QUERY" is an unknown field
	huma.DefaultArrayNullable = false // arrays are [] here, never null
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return newProblem(ctx.Context(), fromHuma(status, message, errs))
	}
	// The schema of errors in the document is made from what this returns.
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		p := &Problem{Status: status, Title: http.StatusText(status), Detail: message, Errors: []Fault{}}
		return p
	}
})

// fromHuma reads a refusal of huma. Its details carry values, and some messages quote them; only what is known not to is kept.
func fromHuma(status int, message string, errs []error) error {
	if status >= http.StatusInternalServerError {
		return errors.Join(append(errs, errors.New(message))...)
	}
	if len(errs) == 0 {
		return graph.Invalid("body", "%s", message)
	}
	var faults []error
	for _, err := range errs {
		if own := (*graph.FieldError)(nil); errors.As(err, &own) {
			faults = append(faults, own)
			continue
		}
		var detailed huma.ErrorDetailer
		if !errors.As(err, &detailed) {
			faults = append(faults, graph.Invalid("request", "cannot be read"))
			continue
		}
		detail := detailed.ErrorDetail()
		faults = append(faults, fault(detail.Location, detail.Message))
	}
	return errors.Join(faults...)
}

// fault turns huma's location and message into ours: a location as the caller wrote it ("facts[2].subject", not
// "body.facts[2].subject"), and of a missing field its own location, not its parent's.
func fault(at, message string) error {
	for _, part := range []string{"body.", "query.", "path.", "header."} {
		if rest, ok := strings.CutPrefix(at, part); ok {
			at = rest
			break
		}
	}
	if name, ok := strings.CutPrefix(message, "expected required property "); ok {
		name = strings.TrimSuffix(name, " to be present")
		if at == "body" {
			return graph.Invalid(name, "is required")
		}
		return graph.Invalid(at+"."+name, "is required")
	}
	switch {
	case strings.HasPrefix(message, "required ") && strings.HasSuffix(message, " parameter is missing"):
		message = "is required"
	case message == "unexpected property":
		message = "is not a field here"
	case message == "unknown query parameter":
		message = "is not a parameter here"
	case message == "invalid integer" || message == "invalid boolean":
	case !strings.HasPrefix(message, "expected "):
		// Anything else may quote what it could not read, as encoding/json does.
		message = "cannot be read"
	}
	if rest, ok := strings.CutPrefix(message, "expected "); ok {
		message = "want " + rest
	}
	return graph.Invalid(at, "%s", message)
}
