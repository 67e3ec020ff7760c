package api

import (
	"encoding/json"
	"reflect"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// What texts may measure. Texts are bounded in bytes, names and ids in characters.
const (
	maxText      = 1 << 20
	maxStatement = 16 << 10
	maxMetadata  = 64 << 10
	maxName      = 512
	maxKind      = 64
	maxID        = 128
	maxItems     = 1000
)

// Scoped is the scope of a route.
type Scoped struct {
	Scope string `path:"scope" pattern:"^[A-Za-z0-9._:@-]{1,128}$" patternDescription:"1 to 128 of letters, digits and . _ : @ -" doc:"The name of a scope."`
}

// Dated is the as-of of a read in the query.
type Dated struct {
	ValidAt string `query:"valid_at" maxLength:"64" doc:"What was true then: RFC 3339 or a partial date; default now; any for no filter."`
	TxAt    string `query:"tx_at" maxLength:"64" doc:"What was known then; default the latest."`
}

func (d Dated) at() retrieval.At { return retrieval.At{ValidAt: d.ValidAt, TxAt: d.TxAt} }

// Paged asks for a part of a listing.
type Paged struct {
	Limit     int    `query:"limit" minimum:"1" maximum:"1000" doc:"Default 50."`
	PageToken string `query:"page_token" maxLength:"4096" doc:"next_page_token of the page before."`
}

func (p Paged) page() retrieval.Page { return retrieval.Page{Limit: p.Limit, Token: p.PageToken} }

// Keyed carries the key under which a repeated write gives the same answer.
type Keyed struct {
	IdempotencyKey string `header:"Idempotency-Key" pattern:"^[ -~]{1,128}$" patternDescription:"1 to 128 printable ASCII characters" doc:"The same key with the same body gives the same answer, with another body 409."`
}

// Whole is an integer in JSON however it is written: 8, 8.0, 8e0.
type Whole float64

// Schema describes a Whole.
func (Whole) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeInteger} }

// Named is an entity as a caller names it: a name, or an object of name, kind and id.
type Named struct {
	named  graph.Named
	given  bool // neither absent nor null
	faults []graph.FieldError
}

// UnmarshalJSON reads either form. What is wrong is kept for check, which knows where in the request this is.
func (n *Named) UnmarshalJSON(data []byte) error {
	*n = Named{given: string(data) != "null"}
	switch data[0] {
	case 'n':
	case '"':
		return json.Unmarshal(data, &n.named.Name)
	case '{':
		return n.unmarshalObject(data)
	default:
		n.wrong("", "want a name, or an object of name, kind and id")
	}
	return nil
}

func (n *Named) unmarshalObject(data []byte) error {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for name, raw := range fields {
		into, ok := map[string]any{"name": &n.named.Name, "kind": &n.named.Kind, "id": &n.named.ID}[name]
		switch {
		case !ok:
			n.wrong(name, "is not a field here")
		case string(raw) == "null":
		case raw[0] != '"':
			n.wrong(name, "want string")
		default:
			if err := json.Unmarshal(raw, into); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *Named) wrong(field, problem string) {
	n.faults = append(n.faults, graph.FieldError{Field: field, Problem: problem})
}

// check notes what is wrong with the name, which stands at that place of the request. The name of what may be a value is
// bounded as a statement is: values are told apart by their text, however long.
func (n *Named) check(f *faults, at string, mayBeValue bool) {
	if !n.given {
		return
	}
	for _, wrong := range n.faults {
		place := at
		if wrong.Field != "" {
			place += "." + short(wrong.Field, 64)
		}
		f.add(place, wrong.Problem)
	}
	if len(n.faults) > 0 {
		return
	}
	if n.named.Name == "" && n.named.ID == "" {
		f.add(at, "want a name that is not empty")
	}
	if mayBeValue && (n.named.Kind == "" || n.named.Kind == graph.KindValue) {
		f.bytes(at, n.named.Name, maxStatement)
	} else {
		f.characters(at, n.named.Name, maxName)
	}
	f.characters(at+".kind", n.named.Kind, maxKind)
	f.characters(at+".id", string(n.named.ID), maxID)
}

// Schema describes a Named. The two forms are put where huma does not validate them: of a union it would only say that
// nothing matched, where check says which field is wrong.
func (Named) Schema(huma.Registry) *huma.Schema {
	text := func(max int) map[string]any { return map[string]any{"type": "string", "maxLength": max} }
	return &huma.Schema{Extensions: map[string]any{"oneOf": []any{
		map[string]any{"type": "string", "minLength": 1},
		map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
			"name": map[string]any{"type": "string", "minLength": 1}, "kind": text(maxKind), "id": text(maxID)}},
	}}}
}

// Patch is a field that may be absent, null or set.
type Patch[T any] struct {
	Present, Null bool
	Value         T
}

// UnmarshalJSON is called for a field that is present only.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	*p = Patch[T]{Present: true, Null: string(data) == "null"}
	if p.Null {
		return nil
	}
	return json.Unmarshal(data, &p.Value)
}

// Schema describes a Patch: a T or null.
func (Patch[T]) Schema(r huma.Registry) *huma.Schema {
	s := *r.Schema(reflect.TypeFor[T](), false, "")
	if forms, ok := s.Extensions["oneOf"].([]any); ok {
		s.Extensions = map[string]any{"oneOf": append(forms, map[string]any{"type": "null"})}
	} else {
		s.Nullable = true
	}
	return &s
}

// patch hands a Patch on to the write path.
func patch[S, T any](p Patch[S], f func(S) T) ingest.Patch[T] {
	out := ingest.Patch[T]{Present: p.Present, Null: p.Null}
	if p.Present && !p.Null {
		out.Value = f(p.Value)
	}
	return out
}

func same[T any](v T) T { return v }

// faults collects what is wrong with a request beyond what its schema says.
type faults []error

func (f *faults) add(at, problem string) { *f = append(*f, graph.Invalid(at, "%s", problem)) }

// bytes bounds a text in bytes.
func (f *faults) bytes(at, s string, max int) {
	if len(s) > max {
		*f = append(*f, graph.Invalid(at, "want at most %d bytes", max))
	}
}

// characters bounds a name in characters.
func (f *faults) characters(at, s string, max int) {
	if utf8.RuneCountInString(s) > max {
		*f = append(*f, graph.Invalid(at, "want at most %d characters", max))
	}
}
