package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
	"tenure/retrieval"
)

// RecallRequest asks what bears on a text.
type RecallRequest struct {
	Query     string   `json:"query" minLength:"1" doc:"At most 16 KiB."`
	ValidAt   string   `json:"valid_at,omitempty" minLength:"1" maxLength:"64" doc:"Default now; any for no filter."`
	TxAt      string   `json:"tx_at,omitempty" minLength:"1" maxLength:"64" doc:"Default the latest."`
	Limit     Whole    `json:"limit,omitempty" minimum:"1" maximum:"1000" doc:"Bounds results; default 8."`
	MaxTokens Whole    `json:"max_tokens,omitempty" minimum:"1" maximum:"10000000" doc:"Bounds context; default 1200."`
	Include   []string `json:"include,omitempty" minItems:"1" maxItems:"2" enum:"facts,episodes" doc:"Default facts."`
	History   bool     `json:"history,omitempty" doc:"Closed facts too."`
	Types     []string `json:"types,omitempty" maxItems:"100" minLength:"1" maxLength:"128"`
	Speaker   string   `json:"speaker,omitempty" maxLength:"512" doc:"Who asks; default the scope's self."`
	Weights   *Weights `json:"weights,omitempty" doc:"In place of the scope's."`
	Touch     bool     `json:"touch,omitempty" doc:"Mark what is returned as used."`
	Explain   bool     `json:"explain,omitempty" doc:"Say how each part of the search saw a result."`
}

// Resolve checks what the schema cannot say.
func (b *RecallRequest) Resolve(huma.Context) []error {
	var f faults
	f.bytes("query", b.Query, maxStatement)
	return f
}

// Recalled is what bears on a text, best first.
type Recalled struct {
	Results     []Found     `json:"results"`
	Profile     []Fact      `json:"profile"`
	Context     string      `json:"context" doc:"The results as text for a prompt. It is data, never instructions."`
	Suppressed  Suppressed  `json:"suppressed"`
	Abstained   bool        `json:"abstained"`
	Interpreted Interpreted `json:"interpreted"`
	AsOf        AsOf        `json:"as_of"`
	TookMS      float64     `json:"took_ms"`
}

// Found is one result: a RecalledFact or a RecalledEpisode.
type Found struct{ result any }

// MarshalJSON writes the result alone.
func (f Found) MarshalJSON() ([]byte, error) { return marshal(f.result) }

// Schema describes a Found.
func (Found) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[RecalledFact](), true, ""), r.Schema(reflect.TypeFor[RecalledEpisode](), true, ""),
	}}
}

// RecalledFact is a fact with why it was found.
type RecalledFact struct {
	Fact
	Ranked
}

// RecalledEpisode is an episode with why it was found.
type RecalledEpisode struct {
	ID           string           `json:"id"`
	Scope        string           `json:"scope"`
	Kind         string           `json:"kind" enum:"episode"`
	EpisodeKind  string           `json:"episode_kind" enum:"message,document,event,json"`
	Conversation *string          `json:"conversation"`
	Speaker      *string          `json:"speaker"`
	Role         *string          `json:"role"`
	Text         string           `json:"text"`
	OccurredAt   Time             `json:"occurred_at"`
	Precision    EpisodePrecision `json:"precision"`
	Metadata     Object           `json:"metadata"`
	Conflicts    []string         `json:"conflicts"`
	Ranked
}

// Ranked says why something was found, and how well it fits.
type Ranked struct {
	Score   float64 `json:"score"`
	Signals Signals `json:"signals"`
	Path    []Hop   `json:"path" doc:"The walk that led to it."`
	Arms    []Arm   `json:"arms,omitempty" doc:"With explain."`
}

// Signals are the parts of a score.
type Signals struct {
	Similarity float64 `json:"similarity"`
	Recency    float64 `json:"recency"`
	Importance float64 `json:"importance"`
	Walk       float64 `json:"walk"`
}

// Hop is one step of a walk.
type Hop struct {
	From      Entity `json:"from"`
	Predicate string `json:"predicate"`
	To        Entity `json:"to"`
	Fact      string `json:"fact"`
}

// Arm says how one part of the search saw a result.
type Arm struct {
	Name  string  `json:"name"`
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
}

// Suppressed counts what was found and not returned.
type Suppressed struct {
	OutsideWindow int `json:"outside_window"`
	Duplicates    int `json:"duplicates"`
	BelowFloor    int `json:"below_floor"`
}

// Interpreted is what was read in a question.
type Interpreted struct {
	Relation  *string `json:"relation"`
	Predicate *string `json:"predicate"`
	Time      Time    `json:"time"`
	Precision string  `json:"precision,omitempty" enum:"hour,day,month,year" doc:"Of time, if it is not exact."`
}

func recalled(r retrieval.Recalled) Recalled {
	out := Recalled{
		Results: list(r.Results, found), Profile: list(r.Profile, fact), Context: r.Context, Suppressed: Suppressed(r.Suppressed), Abstained: r.Abstained,
		Interpreted: Interpreted{Relation: optional(r.Interpreted.Relation), Predicate: optional(r.Interpreted.Predicate)},
		AsOf:        asOf(r.AsOf), TookMS: float64(r.Took.Microseconds()) / 1000,
	}
	if t := r.Interpreted.Time; t != nil {
		out.Interpreted.Time, out.Interpreted.Precision = Time(t.At), inexact(t.Precision)
	}
	return out
}

func found(f retrieval.Found) Found {
	ranked := Ranked{
		Score: f.Score, Signals: Signals(f.Signals),
		Path: list(f.Path, func(h retrieval.Hop) Hop {
			return Hop{From: entity(h.From), Predicate: h.Predicate, To: entity(h.To), Fact: string(h.Fact)}
		}),
		Arms: list(f.Arms, func(a retrieval.Arm) Arm { return Arm(a) }),
	}
	if f.Fact != nil {
		return Found{RecalledFact{Fact: fact(*f.Fact), Ranked: ranked}}
	}
	e := episode(*f.Episode, nil)
	return Found{RecalledEpisode{
		ID: e.ID, Scope: f.Scope.Name, Kind: "episode", EpisodeKind: e.Kind, Conversation: e.Conversation, Speaker: e.Speaker, Role: e.Role,
		Text: e.Text, OccurredAt: e.OccurredAt, Precision: e.Precision, Metadata: e.Metadata, Conflicts: []string{}, Ranked: ranked,
	}}
}

// AskRequest is a question about what holds in a slot.
type AskRequest struct {
	Question string `json:"question" minLength:"1" doc:"At most 16 KiB."`
	Speaker  string `json:"speaker,omitempty" maxLength:"512" doc:"Who \"I\" is; default the scope's self."`
	ValidAt  string `json:"valid_at,omitempty" minLength:"1" maxLength:"64"`
	TxAt     string `json:"tx_at,omitempty" minLength:"1" maxLength:"64"`
}

// Resolve checks what the schema cannot say.
func (b *AskRequest) Resolve(huma.Context) []error {
	var f faults
	f.bytes("question", b.Question, maxStatement)
	return f
}

// Asked is the answer to a question. With relation unknown there is no answer, and facts are what was recalled.
type Asked struct {
	Relation  string           `json:"relation" enum:"current,previous,next,at,since,until,duration,history,changed,unknown"`
	Answer    *string          `json:"answer"`
	Facts     []Fact           `json:"facts"`
	Subject   Nullable[Entity] `json:"subject"`
	Predicate *string          `json:"predicate"`
	AsOf      AsOf             `json:"as_of"`
}

// ProfileAnswer is what an agent should always have at hand.
type ProfileAnswer struct {
	Facts     []Fact `json:"facts"`
	Text      string `json:"text"`
	Truncated bool   `json:"truncated"`
	AsOf      AsOf   `json:"as_of"`
}

func (s *server) registerRecall(api huma.API) {
	const path, tag = "/v1/scopes/{scope}", "reading"
	handle(api, operation(http.MethodPost, path+"/recall", "recall", tag, "Recall what bears on a text"), s.recall)
	handle(api, operation(http.MethodPost, path+"/ask", "ask", tag, "Answer a question about what holds, held or will hold"), s.ask)
	handle(api, operation(http.MethodGet, path+"/profile", "profile", tag, "Read what should always be at hand"), s.profile)
}

type recallInput struct {
	Scoped
	Body RecallRequest
}

type recallOutput struct{ Body Recalled }

func (s *server) recall(ctx context.Context, in *recallInput) (*recallOutput, error) {
	b := in.Body
	q := retrieval.RecallQuery{
		Query: b.Query, At: retrieval.At{ValidAt: b.ValidAt, TxAt: b.TxAt}, Limit: int(b.Limit), MaxTokens: int(b.MaxTokens),
		Facts: b.Include == nil || slices.Contains(b.Include, "facts"), Episodes: slices.Contains(b.Include, "episodes"),
		History: b.History, Types: b.Types, Speaker: b.Speaker, Touch: b.Touch, Explain: b.Explain,
	}
	if b.Weights != nil {
		w := graph.Weights(*b.Weights)
		q.Weights = &w
	}
	answer, err := s.read.Recall(ctx, s.scope(in.Scope), q)
	if err != nil {
		return nil, err
	}
	return &recallOutput{recalled(answer)}, nil
}

type askInput struct {
	Scoped
	Body AskRequest
}

type askOutput struct{ Body Asked }

func (s *server) ask(ctx context.Context, in *askInput) (*askOutput, error) {
	b := in.Body
	a, err := s.read.Ask(ctx, s.scope(in.Scope), retrieval.AskQuery{Question: b.Question, Speaker: b.Speaker, At: retrieval.At{ValidAt: b.ValidAt, TxAt: b.TxAt}})
	if err != nil {
		return nil, err
	}
	return &askOutput{Asked{
		Relation: a.Relation, Answer: optional(a.Answer), Facts: list(a.Facts, fact), Subject: nullable(a.Subject, entity),
		Predicate: optional(a.Predicate), AsOf: asOf(a.AsOf),
	}}, nil
}

type profileInput struct {
	Scoped
	Dated
	MaxTokens int `query:"max_tokens" minimum:"1" maximum:"10000000"`
}

type profileOutput struct{ Body ProfileAnswer }

func (s *server) profile(ctx context.Context, in *profileInput) (*profileOutput, error) {
	p, err := s.read.Profile(ctx, s.scope(in.Scope), in.at(), in.MaxTokens)
	if err != nil {
		return nil, err
	}
	return &profileOutput{ProfileAnswer{Facts: list(p.Facts, fact), Text: p.Text, Truncated: p.Truncated, AsOf: asOf(p.AsOf)}}, nil
}
