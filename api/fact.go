package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// Correction corrects a fact: what is absent stays, and null differs from absent.
type Correction struct {
	Text       Patch[string]  `json:"text,omitempty" minLength:"1" doc:"At most 16 KiB."`
	Object     Patch[Named]   `json:"object,omitempty"`
	ValidFrom  Patch[string]  `json:"valid_from,omitempty" minLength:"1" maxLength:"64" doc:"null, like unknown, is an unknown begin."`
	ValidTo    Patch[string]  `json:"valid_to,omitempty" minLength:"1" maxLength:"64" doc:"null is an open end."`
	Importance Patch[float64] `json:"importance,omitempty" minimum:"0" maximum:"1"`
	Reason     string         `json:"reason,omitempty" maxLength:"4096"`
	ValidAt    string         `json:"valid_at,omitempty" minLength:"1" maxLength:"64" doc:"Picks one of several windows."`
	DryRun     bool           `json:"dry_run,omitempty" doc:"Answer what would happen and write nothing."`
}

// Resolve checks what the schema cannot say.
func (b *Correction) Resolve(huma.Context) []error {
	var f faults
	b.Object.Value.check(&f, "object", true)
	f.bytes("text", b.Text.Value, maxStatement)
	return f
}

// Retraction ends a fact.
type Retraction struct {
	At     string `json:"at,omitempty" minLength:"1" maxLength:"64" doc:"From when on it does not hold; default now."`
	Never  bool   `json:"never,omitempty" doc:"It never was so."`
	Reason string `json:"reason,omitempty" maxLength:"4096"`
	DryRun bool   `json:"dry_run,omitempty" doc:"Answer what would happen and write nothing."`
}

// Reasoned is the body of an operation that needs nothing more than perhaps a reason.
type Reasoned struct {
	Reason string `json:"reason,omitempty" maxLength:"4096"`
}

// Done is the answer to an operation on one fact.
type Done struct {
	Fact   Nullable[Fact] `json:"fact" doc:"null if nothing of it holds any more."`
	Change *string        `json:"change" doc:"null if nothing changed."`
}

// Reverted is the answer to a revert.
type Reverted struct {
	Change *string `json:"change" doc:"The change that the revert is."`
}

// FactNamed is the fact of a route.
type FactNamed struct {
	ID string `path:"id" minLength:"1" maxLength:"128" doc:"The id of a fact, or of any of its claims."`
}

func (s *server) registerFact(api huma.API) {
	const path, tag = "/v1/scopes/{scope}/facts/{id}", "facts"
	handle(api, operation(http.MethodGet, path, "get-fact", tag, "Read a fact and why it holds"), s.getFact)
	handle(api, operation(http.MethodPatch, path, "correct-fact", tag, "Correct a fact; it then holds exactly as asked"), s.correct)
	handle(api, operation(http.MethodDelete, path, "erase-fact", tag, "Erase a fact and every claim that supports it, for good"), s.eraseFact)
	handle(api, operation(http.MethodPost, path+"/retract", "retract-fact", tag, "End a fact"), s.retract)
	handle(api, operation(http.MethodPost, path+"/forget", "forget-fact", tag, "Hide a fact; reverting the change brings it back"), s.forget)
	handle(api, operation(http.MethodPost, "/v1/scopes/{scope}/changes/{id}/revert", "revert-change", "changes", "Undo a change"), s.revert)
}

type getFactInput struct {
	Scoped
	FactNamed
	Dated
}

type getFactOutput struct{ Body FactDetail }

func (s *server) getFact(ctx context.Context, in *getFactInput) (*getFactOutput, error) {
	detail, err := s.read.Fact(ctx, s.scope(in.Scope), graph.ClaimID(in.ID), in.at())
	if err != nil {
		return nil, err
	}
	return &getFactOutput{factDetail(detail)}, nil
}

func factDetail(d retrieval.FactDetail) FactDetail {
	return FactDetail{Fact: fact(d.Fact), Versions: list(d.Versions, version), Claims: list(d.Claims, claim), AsOf: asOf(d.AsOf)}
}

type correctInput struct {
	Scoped
	FactNamed
	Keyed
	Body Correction
}

type doneOutput struct{ Body Done }

func done(d ingest.Done, err error) (*doneOutput, error) {
	if err != nil {
		return nil, err
	}
	return &doneOutput{Done{Fact: nullable(d.Fact, fact), Change: optional(d.Change)}}, nil
}

func (s *server) correct(ctx context.Context, in *correctInput) (*doneOutput, error) {
	b := &in.Body
	return done(s.write.Correct(ctx, s.scope(in.Scope), graph.ClaimID(in.ID), ingest.CorrectInput{
		Text: patch(b.Text, same[string]), Object: patch(b.Object, func(n Named) graph.Named { return n.named }),
		ValidFrom: patch(b.ValidFrom, same[string]), ValidTo: patch(b.ValidTo, same[string]),
		Importance: patch(b.Importance, same[float64]), Reason: b.Reason, ValidAt: b.ValidAt,
	}, s.caller(in.IdempotencyKey, b.DryRun)))
}

type retractInput struct {
	Scoped
	FactNamed
	Keyed
	Body *Retraction
}

func (s *server) retract(ctx context.Context, in *retractInput) (*doneOutput, error) {
	b := orZero(in.Body)
	return done(s.write.Retract(ctx, s.scope(in.Scope), graph.ClaimID(in.ID), ingest.RetractInput{At: b.At, Never: b.Never, Reason: b.Reason},
		s.caller(in.IdempotencyKey, b.DryRun)))
}

type forgetInput struct {
	Scoped
	FactNamed
	Body *Reasoned
}

func (s *server) forget(ctx context.Context, in *forgetInput) (*doneOutput, error) {
	return done(s.write.Forget(ctx, s.scope(in.Scope), graph.ClaimID(in.ID), orZero(in.Body).Reason, s.caller("", false)))
}

type factInput struct {
	Scoped
	FactNamed
}

func (s *server) eraseFact(ctx context.Context, in *factInput) (*erasedOutput, error) {
	receipt, err := s.write.EraseFact(ctx, s.scope(in.Scope), graph.ClaimID(in.ID))
	if err != nil {
		return nil, err
	}
	return &erasedOutput{erased(receipt)}, nil
}

type revertInput struct {
	Scoped
	ID   string `path:"id" minLength:"1" maxLength:"128"`
	Body *Reasoned
}

type revertOutput struct{ Body Reverted }

func (s *server) revert(ctx context.Context, in *revertInput) (*revertOutput, error) {
	id, err := s.write.Revert(ctx, s.scope(in.Scope), graph.ChangeID(in.ID), orZero(in.Body).Reason, s.caller("", false))
	if err != nil {
		return nil, err
	}
	return &revertOutput{Reverted{optional(id)}}, nil
}

// orZero is what a body says that may be absent.
func orZero[T any](body *T) T {
	if body == nil {
		var zero T
		return zero
	}
	return *body
}
