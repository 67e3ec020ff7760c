package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"tenure/graph"
)

// checkRequest refuses what must not reach a decoder: texts that are no texts, parameters that say two things, bodies that are
// too large, of another type or no JSON. What it lets pass, huma checks against the operation's types.
func checkRequest(ctx huma.Context, next func(huma.Context)) {
	r, w := humachi.Unwrap(ctx)
	faults := append(checkPath(ctx, r), checkQuery(r.URL.RawQuery)...)
	if body := ctx.Operation().RequestBody; body != nil {
		data, err := readBody(w, r)
		switch {
		case err != nil:
			writeProblem(w, r, err)
			return
		case len(data) == 0 && body.Required:
			faults = append(faults, graph.Invalid("body", "is required"))
		case len(data) > 0:
			faults = append(faults, checkJSON(data))
		}
		r.Body = io.NopCloser(bytes.NewReader(data))
	}
	if err := errors.Join(faults...); err != nil {
		writeProblem(w, r, err)
		return
	}
	next(ctx)
}

// checkPath looks at path segments after their one unescaping. The name of a scope must not be a step in a path.
func checkPath(ctx huma.Context, r *http.Request) (faults []error) {
	for _, name := range chi.RouteContext(r.Context()).URLParams.Keys {
		value := ctx.Param(name)
		if why := textFlaw(value); why != "" {
			faults = append(faults, graph.Invalid(name, "%s", why))
		} else if name == "scope" && (value == "." || value == "..") {
			faults = append(faults, graph.Invalid(name, "must not be . or .."))
		}
	}
	return faults
}

func checkQuery(raw string) (faults []error) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		faults = append(faults, graph.Invalid("query", "has a malformed escape or a semicolon"))
	}
	for name, values := range query {
		if why := textFlaw(name); why != "" {
			faults = append(faults, graph.Invalid("query", "a name %s", why))
			continue
		}
		if len(values) > 1 {
			faults = append(faults, graph.Invalid(name, "is given twice"))
		}
		for _, value := range values {
			if why := textFlaw(value); why != "" {
				faults = append(faults, graph.Invalid(name, "%s", why))
			}
		}
	}
	return faults
}

// readBody reads the body within bounds of size and time. A body that is known to be too large is not read at all; net/http
// then answers, and closes the connection if the client goes on sending.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, errTooLarge
	}
	// The timer ends the read by a deadline in the past, which needs no clock. A deadline left standing would later be
	// taken for a client that went away.
	control := http.NewResponseController(w)
	timer := time.AfterFunc(bodyTime, func() { _ = control.SetReadDeadline(time.Unix(1, 0)) })
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if !timer.Stop() {
		return nil, errSlowBody
	}
	switch {
	case err != nil:
		return nil, graph.Invalid("body", "ended before it was complete")
	case len(data) > maxBody:
		return nil, errTooLarge
	case len(data) == 0:
		return nil, nil
	}
	return data, checkType(r.Header)
}

// checkType refuses all types but JSON. It also refuses none at all: a page in a browser can send that anywhere unasked.
func checkType(h http.Header) error {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return fmt.Errorf("%w, not a content encoding", errMediaType)
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || kind != "application/json" && !(strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")) {
		return errMediaType
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return errMediaType
	}
	h.Set("Content-Type", "application/json") // for huma, which would look for a format of that name
	return nil
}
