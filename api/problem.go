package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"tenure/graph"
)

// What can be wrong with a request before a service sees it.
var (
	errUnauthenticated = errors.New("this server wants the header Authorization: Bearer <key>")
	errForbidden       = errors.New("forbidden")
	errMethod          = errors.New("this route does not have the method; the header Allow says which it has")
	errSlowBody        = errors.New("the body did not arrive in time")
	errTooLarge        = errors.New("the body is over 16 MiB")
	errMediaType       = errors.New("want Content-Type: application/json, in UTF-8 and not compressed")
)

// problemKind is one row of the table from errors to answers.
type problemKind struct {
	err    error // what an error must be
	status int
	code   string
	title  string
	detail string // said in place of the error's text, which is then for the log alone
}

// problemKinds is the table. The first row that fits an error holds; what fits none is internal.
var problemKinds = []problemKind{
	{graph.ErrInvalid, http.StatusBadRequest, "invalid", "Invalid request", ""},
	{errUnauthenticated, http.StatusUnauthorized, "unauthenticated", "Unauthenticated", ""},
	{errForbidden, http.StatusForbidden, "forbidden", "Forbidden", ""},
	{graph.ErrNotFound, http.StatusNotFound, "not_found", "Not found", ""},
	{errMethod, http.StatusMethodNotAllowed, "method_not_allowed", "Method not allowed", ""},
	{errSlowBody, http.StatusRequestTimeout, "request_timeout", "Request timeout", ""},
	{graph.ErrConflict, http.StatusConflict, "conflict", "Conflict", ""},
	{errTooLarge, http.StatusRequestEntityTooLarge, "too_large", "Too large", ""},
	{errMediaType, http.StatusUnsupportedMediaType, "unsupported_media_type", "Unsupported media type", ""},
	{context.DeadlineExceeded, http.StatusGatewayTimeout, "deadline", "Deadline exceeded", "the answer took too long; a write may still have happened, and repeating it with its id or Idempotency-Key is safe"},
	{graph.ErrUnavailable, http.StatusServiceUnavailable, "unavailable", "Unavailable", "try again after the time in the header Retry-After; what was acknowledged is kept"},
	{context.Canceled, http.StatusServiceUnavailable, "unavailable", "Unavailable", "the request was given up; try again"},
}

var internal = problemKind{nil, http.StatusInternalServerError, "internal", "Internal error", "something went wrong here; the log has more under the request id in instance"}

// Problem is an answer of 400 or more (RFC 9457). It never holds a value of the request.
type Problem struct {
	Type     string  `json:"type" doc:"A reference to what this kind of problem means."`
	Title    string  `json:"title"`
	Status   int     `json:"status"`
	Detail   string  `json:"detail"`
	Instance string  `json:"instance" doc:"This occurrence, by the id of its request."`
	Code     string  `json:"code" doc:"The kind of problem, for programs."`
	Errors   []Fault `json:"errors" doc:"The faulty fields."`
}

// Fault is what is wrong with one field.
type Fault struct {
	Location string `json:"location" example:"facts[2].valid_from"`
	Detail   string `json:"detail"`
}

// newProblem is the only maker of problems: it looks the error up in the table. What must not be shown is left in the
// exchange of the context, for the log.
func newProblem(ctx context.Context, err error) *Problem {
	kind := internal
	for _, k := range problemKinds {
		if errors.Is(err, k.err) {
			kind = k
			break
		}
	}
	p := &Problem{Type: "/docs#" + kind.code, Title: kind.title, Status: kind.status, Detail: kind.detail, Code: kind.code, Errors: []Fault{}}
	x := exchangeOf(ctx)
	p.Instance = "urn:tenure:request:" + x.id
	if kind.detail != "" {
		x.err = err
		return p
	}
	if kind.err == graph.ErrInvalid {
		p.Errors = faultsOf(err)
	}
	switch len(p.Errors) {
	case 0:
		p.Detail = short(strings.ReplaceAll(err.Error(), "\n", "; "), 500)
	case 1:
		p.Detail = p.Errors[0].Location + ": " + p.Errors[0].Detail
	default:
		p.Detail = fmt.Sprintf("%d fields are faulty", len(p.Errors))
	}
	return p
}

// Error makes a Problem an error.
func (p *Problem) Error() string { return p.Detail }

// GetStatus tells huma the status to answer with.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType tells huma the type to answer with.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders tells huma the headers that belong to the status.
func (p *Problem) GetHeaders() http.Header {
	switch p.Status {
	case http.StatusUnauthorized:
		return http.Header{"Www-Authenticate": {`Bearer realm="tenure"`}}
	case http.StatusServiceUnavailable:
		return http.Header{"Retry-After": {"2"}}
	case http.StatusRequestEntityTooLarge, http.StatusRequestTimeout:
		return http.Header{"Connection": {"close"}} // the rest of the body is not read
	default:
		return nil
	}
}

// writeProblem answers outside of huma.
func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := newProblem(r.Context(), err)
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(p) // strings and a number: cannot fail
	w.WriteHeader(p.Status)
	_, _ = w.Write(body.Bytes()) // nobody to tell when the client is gone
}

// faultsOf returns the field errors in err, one for each field: the first.
func faultsOf(err error) []Fault {
	faults := []Fault{}
	seen := map[string]bool{}
	var walk func(error)
	walk = func(err error) {
		if f, ok := err.(*graph.FieldError); ok {
			if at := short(f.Field, 160); !seen[at] {
				seen[at] = true
				faults = append(faults, Fault{Location: at, Detail: short(f.Problem, 500)})
			}
			return
		}
		switch e := err.(type) {
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				walk(one)
			}
		case interface{ Unwrap() error }:
			walk(e.Unwrap())
		}
	}
	walk(err)
	return faults
}

// short returns s as valid UTF-8 of at most n characters.
func short(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
