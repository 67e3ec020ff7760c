package api

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"tenure/belief"
	"tenure/graph"
	"tenure/temporal"
)

// Time is a time on the wire: RFC 3339 in UTC, or null.
type Time temporal.Instant

// MarshalJSON writes the time, or null for an absent one.
func (t Time) MarshalJSON() ([]byte, error) { return temporal.Instant(t).MarshalJSON() }

// Schema describes a Time.
func (Time) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Nullable: true}
}

// Nullable is a T or null.
type Nullable[T any] struct{ value *T }

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return marshal(n.value) }

// Schema describes a Nullable; huma itself has no nullable references.
func (Nullable[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}

// nullable renders in, if there is one.
func nullable[S, T any](in *S, f func(S) T) Nullable[T] {
	if in == nil {
		return Nullable[T]{}
	}
	out := f(*in)
	return Nullable[T]{&out}
}

// Object is a JSON object whose content is the caller's affair; absent ones are {}.
type Object json.RawMessage

// MarshalJSON writes the object as it came.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("{}"), nil
	}
	return o, nil
}

// UnmarshalJSON keeps the object as it comes; null is absent.
func (o *Object) UnmarshalJSON(data []byte) error {
	*o = nil
	if string(data) != "null" {
		*o = append(*o, data...)
	}
	return nil
}

// Schema describes an Object.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// AsOf is the pair of times that a read used.
type AsOf struct {
	ValidAt Time `json:"valid_at" doc:"null if the read did not filter on valid time."`
	TxAt    Time `json:"tx_at" doc:"Sent back, it reads the same facts again."`
}

func asOf(a temporal.AsOf) AsOf {
	if a.Any {
		a.Valid = 0
	}
	return AsOf{ValidAt: Time(a.Valid), TxAt: Time(a.Tx)}
}

// Entity is an entity as facts show it.
type Entity struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind" doc:"\"value\" for a literal; empty if nobody said."`
}

func entity(e graph.Entity) Entity { return Entity{ID: string(e.ID), Name: e.Name, Kind: e.Kind} }

// Precision names the bounds of a window that are not exact.
type Precision struct {
	ValidFrom string `json:"valid_from,omitempty" enum:"hour,day,month,year,unknown"`
	ValidTo   string `json:"valid_to,omitempty" enum:"hour,day,month,year"`
}

func precision(valid temporal.Period, b graph.Bounds) Precision {
	p := Precision{ValidFrom: inexact(b.From), ValidTo: inexact(b.To)}
	if valid.From.IsZero() {
		p.ValidFrom = string(temporal.Unknown)
	}
	if valid.Open() {
		p.ValidTo = ""
	}
	return p
}

func inexact(p temporal.Precision) string {
	if p == temporal.Exact {
		return ""
	}
	return string(p)
}

// Fact is one window of a fact, as of the times of the read.
type Fact struct {
	ID           string    `json:"id"`
	Scope        string    `json:"scope"`
	Kind         string    `json:"kind" enum:"fact"`
	Subject      Entity    `json:"subject"`
	Predicate    string    `json:"predicate"`
	Object       Entity    `json:"object"`
	Text         string    `json:"text"`
	Type         string    `json:"type"`
	Importance   float64   `json:"importance"`
	Trust        string    `json:"trust" enum:"stated,reported,inferred"`
	Support      int       `json:"support" doc:"How many claims hold in this window."`
	ValidFrom    Time      `json:"valid_from"`
	ValidTo      Time      `json:"valid_to"`
	Precision    Precision `json:"precision"`
	TxFrom       Time      `json:"tx_from"`
	TxTo         Time      `json:"tx_to"`
	State        string    `json:"state" enum:"current,past,future,disputed,retracted,forgotten"`
	Supersedes   []string  `json:"supersedes"`
	SupersededBy *string   `json:"superseded_by"`
	Episodes     []string  `json:"episodes" doc:"Its sources, the most telling first."`
	Quotes       []string  `json:"quotes"`
	Conflicts    []string  `json:"conflicts" doc:"Disputed facts that contradict it."`
}

func fact(f graph.Fact) Fact {
	episodes, quotes := sources(f.Sources)
	return Fact{
		ID: string(f.Fact), Scope: f.Scope.Name, Kind: "fact", Subject: entity(f.SubjectNode), Predicate: f.Predicate, Object: entity(f.ObjectNode),
		Text: f.Text, Type: f.Type, Importance: f.Importance, Trust: string(f.Trust), Support: len(f.Claims),
		ValidFrom: Time(f.Valid.From), ValidTo: Time(f.Valid.To), Precision: precision(f.Valid, f.Precision),
		TxFrom: Time(f.Tx.From), TxTo: Time(f.Tx.To), State: string(f.State),
		Supersedes: list(f.Supersedes, str[graph.ClaimID]), SupersededBy: optional(f.SupersededBy),
		Episodes: episodes, Quotes: quotes, Conflicts: list(f.Conflicts, str[graph.ClaimID]),
	}
}

// sources splits sources into episodes and the quotes that are known.
func sources(all []graph.Source) (episodes, quotes []string) {
	episodes, quotes = []string{}, []string{}
	for _, s := range all {
		episodes = append(episodes, string(s.Episode))
		if s.Quote != "" {
			quotes = append(quotes, s.Quote)
		}
	}
	return episodes, quotes
}

// Change is one operation and what it did to the windows it touched.
type Change struct {
	ID       string        `json:"id"`
	Tx       Time          `json:"tx"`
	Kind     string        `json:"kind"`
	Begun    []Fact        `json:"begun" doc:"New windows."`
	Ended    []Fact        `json:"ended" doc:"Windows closed or gone."`
	Changed  []ChangedFact `json:"changed" doc:"Windows extended, resumed or split."`
	Claim    *string       `json:"claim"`
	Episode  *string       `json:"episode"`
	Actor    *string       `json:"actor"`
	Reason   *string       `json:"reason"`
	Reverts  *string       `json:"reverts" doc:"The change that this one undoes."`
	Standing bool          `json:"standing" doc:"No standing change reverts it."`
	Erased   *Counts       `json:"erased,omitempty" doc:"Of an erase: how much went."`
}

// ChangedFact is a window before and after a change.
type ChangedFact struct {
	Before Fact `json:"before"`
	After  Fact `json:"after"`
}

func change(d belief.Difference) Change {
	c := Change{
		ID: string(d.ID), Tx: Time(d.At.Tx), Kind: string(d.Kind), Begun: list(d.Begun, fact), Ended: list(d.Ended, fact),
		Changed: list(d.Changed, func(p belief.Pair) ChangedFact { return ChangedFact{Before: fact(p.Before), After: fact(p.After)} }),
		Claim:   optional(d.Claim), Episode: optional(d.Episode), Actor: optional(d.Actor), Reason: optional(d.Reason),
		Reverts: optional(d.Reverts), Standing: d.Standing,
	}
	if d.Counts != nil {
		erased := counts(*d.Counts)
		c.Erased = &erased
	}
	return c
}

// Counts says how much there is, or went.
type Counts struct {
	Episodes int `json:"episodes"`
	Entities int `json:"entities"`
	Facts    int `json:"facts"`
	Versions int `json:"versions"`
	Changes  int `json:"changes"`
}

func counts(c graph.Counts) Counts { return Counts(c) }

// list renders each of in; it is never nil, so that it is [] in JSON.
func list[S, T any](in []S, f func(S) T) []T {
	out := make([]T, 0, len(in))
	for _, one := range in {
		out = append(out, f(one))
	}
	return out
}

func str[T ~string](s T) string { return string(s) }

// optional is null for an empty text.
func optional[T ~string](s T) *string {
	if s == "" {
		return nil
	}
	out := string(s)
	return &out
}

// marshal is json.Marshal that leaves <, > and & as they are, as all answers do.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return out.Bytes(), err
}
