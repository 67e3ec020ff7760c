package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenure/retrieval"
)

// Timeline is the history of an entity's slots.
type Timeline struct {
	Slots []Slot `json:"slots"`
	AsOf  AsOf   `json:"as_of"`
}

// Slot is what one subject had of one predicate, one after the other.
type Slot struct {
	Subject   Entity `json:"subject"`
	Predicate string `json:"predicate"`
	Facts     []Fact `json:"facts" doc:"By valid_from, valid_to and id."`
}

// ChangeList is a page of changes in the order of transactions.
type ChangeList struct {
	Changes       []Change `json:"changes"`
	NextPageToken string   `json:"next_page_token,omitempty"`
}

// Diff is what one as-of point has and the other has not.
type Diff struct {
	Begun []Fact `json:"begun"`
	Ended []Fact `json:"ended"`
}

func (s *server) registerHistory(api huma.API) {
	const path, tag = "/v1/scopes/{scope}", "reading"
	handle(api, operation(http.MethodGet, path+"/timeline", "timeline", tag, "Read what held one after the other"), s.timeline)
	handle(api, operation(http.MethodGet, path+"/changes", "list-changes", "changes", "List changes"), s.listChanges)
	handle(api, operation(http.MethodGet, path+"/diff", "diff", tag, "Compare two times, on either axis"), s.diff)
}

type timelineInput struct {
	Scoped
	Subject   string `query:"subject" maxLength:"16384" doc:"An entity's id, name or alias."`
	Predicate string `query:"predicate" pattern:"^[A-Za-z0-9_.:/-]{1,128}$" patternDescription:"1 to 128 of letters, digits and _ . : / -"`
	TxAt      string `query:"tx_at" maxLength:"64"`
}

type timelineOutput struct{ Body Timeline }

func (s *server) timeline(ctx context.Context, in *timelineInput) (*timelineOutput, error) {
	slots, at, err := s.read.Timeline(ctx, s.scope(in.Scope), in.Subject, in.Predicate, in.TxAt)
	if err != nil {
		return nil, err
	}
	return &timelineOutput{Timeline{AsOf: asOf(at), Slots: list(slots, func(t retrieval.Slot) Slot {
		return Slot{Subject: entity(t.Subject), Predicate: t.Predicate, Facts: list(t.Facts, fact)}
	})}}, nil
}

type listChangesInput struct {
	Scoped
	Since   string `query:"since" maxLength:"64" doc:"since < tx"`
	Until   string `query:"until" maxLength:"64" doc:"tx <= until"`
	Subject string `query:"subject" maxLength:"16384" doc:"An entity's id, name or alias."`
	Paged
}

type listChangesOutput struct{ Body ChangeList }

func (s *server) listChanges(ctx context.Context, in *listChangesInput) (*listChangesOutput, error) {
	page, err := s.read.Changes(ctx, s.scope(in.Scope), retrieval.ChangeQuery{Since: in.Since, Until: in.Until, Subject: in.Subject, Page: in.page()})
	if err != nil {
		return nil, err
	}
	return &listChangesOutput{ChangeList{Changes: list(page.Changes, change), NextPageToken: page.Next}}, nil
}

type diffInput struct {
	Scoped
	FromValidAt string `query:"from_valid_at" maxLength:"64"`
	ToValidAt   string `query:"to_valid_at" maxLength:"64"`
	FromTxAt    string `query:"from_tx_at" maxLength:"64"`
	ToTxAt      string `query:"to_tx_at" maxLength:"64"`
}

type diffOutput struct{ Body Diff }

func (s *server) diff(ctx context.Context, in *diffInput) (*diffOutput, error) {
	d, err := s.read.Diff(ctx, s.scope(in.Scope), retrieval.DiffQuery{
		FromValidAt: in.FromValidAt, ToValidAt: in.ToValidAt, FromTxAt: in.FromTxAt, ToTxAt: in.ToTxAt,
	})
	if err != nil {
		return nil, err
	}
	return &diffOutput{Diff{Begun: list(d.Begun, fact), Ended: list(d.Ended, fact)}}, nil
}
