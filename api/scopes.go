package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// Scope is a scope with its settings and how much it holds.
type Scope struct {
	Scope     string            `json:"scope"`
	Self      Nullable[Self]    `json:"self"`
	Includes  []string          `json:"includes"`
	TimeZone  string            `json:"time_zone"`
	Registry  *string           `json:"registry" doc:"The version of the shipped predicates that holds here."`
	Weights   Nullable[Weights] `json:"weights" doc:"null for the defaults."`
	Retention Object            `json:"retention"`
	Counts    Counts            `json:"counts"`
}

// Self is who "I" is when nobody is named.
type Self struct {
	Name string `json:"name" minLength:"1" maxLength:"512"`
	Kind string `json:"kind,omitempty" maxLength:"64"`
}

// Weights are the parts of a recall's score.
type Weights struct {
	Similarity   float64 `json:"similarity" minimum:"0"`
	Recency      float64 `json:"recency" minimum:"0"`
	Importance   float64 `json:"importance" minimum:"0"`
	HalfLifeDays float64 `json:"half_life_days" exclusiveMinimum:"0"`
}

// ScopeSettings is what PUT of a scope says; what is absent stays, null goes back to the default.
type ScopeSettings struct {
	Self      Patch[Self]     `json:"self,omitempty"`
	Includes  Patch[[]string] `json:"includes,omitempty" maxItems:"100" pattern:"^[A-Za-z0-9._:@-]{1,128}$" patternDescription:"1 to 128 of letters, digits and . _ : @ -"`
	TimeZone  Patch[string]   `json:"time_zone,omitempty" minLength:"1" maxLength:"128" doc:"A name of the time zone database: Europe/Berlin."`
	Weights   Patch[Weights]  `json:"weights,omitempty"`
	Retention Patch[Object]   `json:"retention,omitempty"`
}

// Resolve checks what the schema cannot say.
func (b *ScopeSettings) Resolve(huma.Context) []error {
	var f faults
	f.bytes("retention", string(b.Retention.Value), maxMetadata)
	return f
}

// ScopeList is a page of scopes by name.
type ScopeList struct {
	Scopes        []Scope `json:"scopes"`
	NextPageToken string  `json:"next_page_token,omitempty"`
}

// ScopeErased is the receipt of an erased scope.
type ScopeErased struct {
	Erased Counts `json:"erased"`
	At     Time   `json:"at"`
}

// Erased is the receipt of an erased fact or episode.
type Erased struct {
	ScopeErased
	OtherFacts            []string `json:"other_facts" doc:"Facts of the same subject, predicate and object that remain."`
	EpisodesStillSayingIt []string `json:"episodes_still_saying_it" doc:"Episodes that are held and whose text still says it."`
}

func erased(e ingest.Erased) Erased {
	return Erased{
		ScopeErased: ScopeErased{Erased: counts(e.Counts), At: Time(e.At)},
		OtherFacts:  list(e.OtherFacts, str[graph.ClaimID]), EpisodesStillSayingIt: list(e.EpisodesStillSayingIt, str[graph.EpisodeID]),
	}
}

func scopeInfo(i retrieval.ScopeInfo) Scope {
	set := i.Settings
	out := Scope{
		Scope: i.Scope.Name, Includes: list(set.Includes, str[string]), TimeZone: set.TimeZone, Registry: optional(set.Registry),
		Weights: nullable(set.Weights, func(w graph.Weights) Weights { return Weights(w) }), Retention: Object(set.Retention), Counts: counts(i.Counts),
	}
	if out.TimeZone == "" {
		out.TimeZone = "UTC"
	}
	if set.Self.Name != "" {
		out.Self = Nullable[Self]{&Self{Name: set.Self.Name, Kind: set.Self.Kind}}
	}
	return out
}

type scopeInput struct{ Scoped }

type scopeOutput struct{ Body Scope }

func (s *server) registerScopes(api huma.API) {
	const path, tag = "/v1/scopes/{scope}", "scopes"
	handle(api, operation(http.MethodGet, "/v1/scopes", "list-scopes", tag, "List scopes"), s.listScopes)
	handle(api, operation(http.MethodPut, path, "put-scope", tag, "Begin a scope, or change its settings"), s.putScope)
	handle(api, operation(http.MethodGet, path, "get-scope", tag, "Read a scope's settings and counts"), s.getScope)
	handle(api, operation(http.MethodDelete, path, "erase-scope", tag, "Erase a scope and all it holds, for good"), s.eraseScope)
	export := operation(http.MethodGet, path+"/export", "export-scope", tag, "Export a scope as NDJSON, lossless on both axes")
	export.Responses = map[string]*huma.Response{"200": {Description: "One object a line.", Content: map[string]*huma.MediaType{ndjson: {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	handle(api, export, s.export)
}

type listScopesOutput struct{ Body ScopeList }

func (s *server) listScopes(ctx context.Context, in *struct{ Paged }) (*listScopesOutput, error) {
	infos, next, err := s.read.Scopes(ctx, s.tenant, in.page())
	if err != nil {
		return nil, err
	}
	return &listScopesOutput{ScopeList{Scopes: list(infos, scopeInfo), NextPageToken: next}}, nil
}

type putScopeInput struct {
	Scoped
	Body ScopeSettings
}

func (s *server) putScope(ctx context.Context, in *putScopeInput) (*scopeOutput, error) {
	scope := s.scope(in.Scope)
	_, err := s.write.PutScope(ctx, scope, ingest.SettingsInput{
		Self:      patch(in.Body.Self, func(v Self) graph.Named { return graph.Named{Name: v.Name, Kind: v.Kind} }),
		Includes:  patch(in.Body.Includes, same[[]string]),
		TimeZone:  patch(in.Body.TimeZone, same[string]),
		Weights:   patch(in.Body.Weights, func(v Weights) graph.Weights { return graph.Weights(v) }),
		Retention: patch(in.Body.Retention, func(v Object) json.RawMessage { return json.RawMessage(v) }),
	}, s.caller("", false))
	if err != nil {
		return nil, err
	}
	return s.getScope(ctx, &scopeInput{in.Scoped})
}

func (s *server) getScope(ctx context.Context, in *scopeInput) (*scopeOutput, error) {
	info, err := s.read.Scope(ctx, s.scope(in.Scope))
	if err != nil {
		return nil, err
	}
	return &scopeOutput{scopeInfo(info)}, nil
}

type eraseScopeOutput struct{ Body ScopeErased }

func (s *server) eraseScope(ctx context.Context, in *scopeInput) (*eraseScopeOutput, error) {
	receipt, err := s.write.EraseScope(ctx, s.scope(in.Scope))
	if err != nil {
		return nil, err
	}
	return &eraseScopeOutput{erased(receipt).ScopeErased}, nil
}

const ndjson = "application/x-ndjson"

// export streams, so it is not bounded in time but by the client's patience. What goes wrong before the first line is a
// problem as anywhere; after it the connection breaks, so that a part is never taken for the whole.
func (s *server) export(_ context.Context, in *scopeInput) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humachi.Unwrap(ctx)
		out := &stream{w: w}
		switch err := s.read.Export(ctx.Context(), s.scope(in.Scope), out); {
		case err == nil:
			out.begin()
		case !out.begun:
			writeProblem(w, r, err)
		default:
			exchangeOf(ctx.Context()).err = fmt.Errorf("export broken off: %w", err)
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

// stream begins the answer with its first byte.
type stream struct {
	w     http.ResponseWriter
	begun bool
}

func (s *stream) begin() {
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", ndjson)
		s.w.WriteHeader(http.StatusOK)
	}
}

func (s *stream) Write(p []byte) (int, error) {
	s.begin()
	return s.w.Write(p)
}
