package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

// PostFacts is up to 1000 claims, applied in order in one transaction.
type PostFacts struct {
	Facts  []NewClaim `json:"facts" minItems:"1" maxItems:"1000"`
	DryRun bool       `json:"dry_run,omitempty" doc:"Answer what would happen and write nothing."`
}

// NewClaim is a claim as it is posted: that something holds, or with retract that it does not.
type NewClaim struct {
	Subject    Named    `json:"subject"`
	Predicate  string   `json:"predicate" pattern:"^[A-Za-z0-9_.:/-]{1,128}$" patternDescription:"1 to 128 of letters, digits and _ . : / -"`
	Object     Named    `json:"object,omitempty" doc:"May be absent where text is given, which then is the value."`
	Text       string   `json:"text,omitempty" doc:"At most 16 KiB. Absent, a sentence is made from the triple."`
	ValidFrom  string   `json:"valid_from,omitempty" minLength:"1" maxLength:"64" doc:"RFC 3339, a partial date, or unknown."`
	ValidTo    string   `json:"valid_to,omitempty" minLength:"1" maxLength:"64"`
	HoldsAt    string   `json:"holds_at,omitempty" minLength:"1" maxLength:"64" doc:"A time at which the source says it holds."`
	Retract    bool     `json:"retract,omitempty" doc:"It ended, at valid_to or when its episode happened, else now."`
	Never      bool     `json:"never,omitempty" doc:"With retract: it never was so."`
	Replaces   string   `json:"replaces,omitempty" minLength:"1" maxLength:"128" doc:"The id of a fact, of any slot, that this one ends."`
	Type       string   `json:"type,omitempty" maxLength:"128"`
	Importance *float64 `json:"importance,omitempty" minimum:"0" maximum:"1"`
	Trust      string   `json:"trust,omitempty" enum:"stated,reported,inferred"`
	Episodes   []string `json:"episodes,omitempty" maxItems:"1000" minLength:"1" maxLength:"128"`
	Quote      string   `json:"quote,omitempty" doc:"At most 16 KiB."`
}

// Resolve checks what the schema cannot say.
func (b *PostFacts) Resolve(huma.Context) []error {
	var f faults
	for i := range b.Facts {
		c, at := &b.Facts[i], item("facts", i)
		if !c.Subject.given {
			f.add(at+".subject", "is required")
		}
		c.Subject.check(&f, at+".subject", false)
		c.Object.check(&f, at+".object", true)
		f.bytes(at+".text", c.Text, maxStatement)
		f.bytes(at+".quote", c.Quote, maxStatement)
	}
	return f
}

func (c *NewClaim) input() ingest.ClaimInput {
	in := ingest.ClaimInput{
		Subject: c.Subject.named, Predicate: c.Predicate, Text: c.Text, ValidFrom: c.ValidFrom, ValidTo: c.ValidTo, HoldsAt: c.HoldsAt,
		Retract: c.Retract, Never: c.Never, Replaces: graph.ClaimID(c.Replaces), Type: c.Type, Importance: c.Importance,
		Trust: graph.Trust(c.Trust), Episodes: list(c.Episodes, func(id string) graph.EpisodeID { return graph.EpisodeID(id) }), Quote: c.Quote,
	}
	if c.Object.given {
		in.Object = &c.Object.named
	}
	return in
}

// Asserted is the answer to posted claims, one result for each.
type Asserted struct {
	Results []ClaimResult `json:"results"`
	Tx      Time          `json:"tx"`
}

// ClaimResult says what a claim did.
type ClaimResult struct {
	Outcome string         `json:"outcome" enum:"asserted,corroborated,superseded,corrected,retracted,disputed,shadowed,unchanged"`
	Claim   string         `json:"claim"`
	Fact    Nullable[Fact] `json:"fact"`
	Ended   []Fact         `json:"ended"`
	Change  *string        `json:"change" doc:"null if nothing changed."`
}

// FactList is a page of facts by valid_from, valid_to and id; a split fact comes once for each window.
type FactList struct {
	Facts         []Fact `json:"facts"`
	NextPageToken string `json:"next_page_token,omitempty"`
	AsOf          AsOf   `json:"as_of"`
}

// FactDetail is a fact with why it holds.
type FactDetail struct {
	Fact
	Versions []Version `json:"versions" doc:"All windows of it that were ever believed."`
	Claims   []Claim   `json:"claims" doc:"Those that support it, and those it outranks."`
	AsOf     AsOf      `json:"as_of"`
}

// Version is a window that was believed for a while.
type Version struct {
	ValidFrom Time      `json:"valid_from"`
	ValidTo   Time      `json:"valid_to"`
	Precision Precision `json:"precision"`
	TxFrom    Time      `json:"tx_from"`
	TxTo      Time      `json:"tx_to"`
	Object    string    `json:"object" doc:"The id of its object, which a correction may change."`
	Text      string    `json:"text"`
	Change    *string   `json:"change" doc:"The change that began it."`
	EndedBy   *string   `json:"ended_by" doc:"The change that ended it."`
}

// Claim is what was said, as it was said.
type Claim struct {
	ID        string           `json:"id"`
	Kind      string           `json:"kind" enum:"assert,retract,never"`
	Supports  bool             `json:"supports" doc:"false: the fact outranks it."`
	Subject   Entity           `json:"subject"`
	Predicate string           `json:"predicate"`
	Object    Nullable[Entity] `json:"object"`
	Text      string           `json:"text"`
	ValidFrom Time             `json:"valid_from"`
	ValidTo   Time             `json:"valid_to"`
	Precision Precision        `json:"precision"`
	HoldsAt   Time             `json:"holds_at"`
	Trust     string           `json:"trust" enum:"stated,reported,inferred"`
	Replaces  []string         `json:"replaces"`
	Episodes  []string         `json:"episodes"`
	Quotes    []string         `json:"quotes"`
	Actor     *string          `json:"actor"`
	Extractor *string          `json:"extractor"`
	Change    *string          `json:"change"`
	Tx        Time             `json:"tx" doc:"When it was logged."`
}

func version(v graph.Version) Version {
	return Version{
		ValidFrom: Time(v.Valid.From), ValidTo: Time(v.Valid.To), Precision: precision(v.Valid, v.Precision), TxFrom: Time(v.Tx.From),
		TxTo: Time(v.Tx.To), Object: string(v.Object), Text: v.Text, Change: optional(v.Begun), EndedBy: optional(v.Ended),
	}
}

func claim(c retrieval.ClaimDetail) Claim {
	episodes, quotes := sources(c.Sources)
	out := Claim{
		ID: string(c.ID), Kind: string(c.Kind), Supports: c.Supports, Subject: entity(c.SubjectNode), Predicate: c.Predicate, Text: c.Text,
		ValidFrom: Time(c.Valid.From), ValidTo: Time(c.Valid.To), Precision: claimPrecision(c.Claim), HoldsAt: Time(c.HoldsAt),
		Trust: string(c.Trust), Replaces: list(c.Replaces, str[graph.ClaimID]), Episodes: episodes, Quotes: quotes, Actor: optional(c.Actor),
		Extractor: optional(c.Extractor), Change: optional(c.Change), Tx: Time(c.Logged.Tx),
	}
	if c.Object != "" {
		out.Object = nullable(&c.ObjectNode, entity)
	}
	return out
}

// claimPrecision is precision for a claim: a "never" has no window whose begin could be unknown.
func claimPrecision(c graph.Claim) Precision {
	p := precision(c.Valid, c.Precision)
	if c.Kind == graph.Never && p.ValidFrom == string(temporal.Unknown) {
		p.ValidFrom = ""
	}
	return p
}

func (s *server) registerFacts(api huma.API) {
	const path, tag = "/v1/scopes/{scope}/facts", "facts"
	handle(api, operation(http.MethodPost, path, "post-facts", tag, "Assert or retract facts, in one transaction"), s.postFacts)
	handle(api, operation(http.MethodGet, path, "list-facts", tag, "List facts as of two times"), s.listFacts)
}

type postFactsInput struct {
	Scoped
	Keyed
	Body PostFacts
}

type postFactsOutput struct{ Body Asserted }

func (s *server) postFacts(ctx context.Context, in *postFactsInput) (*postFactsOutput, error) {
	claims := make([]ingest.ClaimInput, 0, len(in.Body.Facts))
	for i := range in.Body.Facts {
		claims = append(claims, in.Body.Facts[i].input())
	}
	answer, err := s.write.Assert(ctx, s.scope(in.Scope), claims, s.caller(in.IdempotencyKey, in.Body.DryRun))
	if err != nil {
		return nil, err
	}
	return &postFactsOutput{Asserted{Tx: Time(answer.Tx), Results: list(answer.Results, func(r ingest.Result) ClaimResult {
		return ClaimResult{Outcome: string(r.Outcome), Claim: string(r.Claim), Fact: nullable(r.Fact, fact), Ended: list(r.Ended, fact), Change: optional(r.Change)}
	})}}, nil
}

type listFactsInput struct {
	Scoped
	Subject      string `query:"subject" maxLength:"16384" doc:"An entity's id, name or alias."`
	Predicate    string `query:"predicate" pattern:"^[A-Za-z0-9_.:/-]{1,128}$" patternDescription:"1 to 128 of letters, digits and _ . : / -"`
	Object       string `query:"object" maxLength:"16384" doc:"An entity's id, name or alias."`
	Type         string `query:"type" maxLength:"128"`
	State        string `query:"state" enum:"current,past,future,disputed,retracted,forgotten"`
	BeginsFrom   string `query:"begins_from" maxLength:"64" doc:"begins_from <= valid_from"`
	BeginsBefore string `query:"begins_before" maxLength:"64" doc:"valid_from < begins_before"`
	EndsFrom     string `query:"ends_from" maxLength:"64" doc:"ends_from <= valid_to"`
	EndsBefore   string `query:"ends_before" maxLength:"64" doc:"valid_to < ends_before"`
	Dated
	Paged
}

type listFactsOutput struct{ Body FactList }

func (s *server) listFacts(ctx context.Context, in *listFactsInput) (*listFactsOutput, error) {
	page, err := s.read.Facts(ctx, s.scope(in.Scope), retrieval.FactQuery{
		At: in.at(), Subject: in.Subject, Predicate: in.Predicate, Object: in.Object, Type: in.Type, State: in.State,
		BeginsFrom: in.BeginsFrom, BeginsBefore: in.BeginsBefore, EndsFrom: in.EndsFrom, EndsBefore: in.EndsBefore, Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	return &listFactsOutput{FactList{Facts: list(page.Facts, fact), NextPageToken: page.Next, AsOf: asOf(page.AsOf)}}, nil
}
