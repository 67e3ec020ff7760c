package api

import (
	"context"
	"io"

	"tenure/belief"
	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// scopeWriter is what the routes of scopes and predicates write with.
type scopeWriter interface {
	PutScope(ctx context.Context, scope graph.Scope, in ingest.SettingsInput, who ingest.Caller) (graph.Settings, error)
	EraseScope(ctx context.Context, scope graph.Scope) (ingest.Erased, error)
	Declare(ctx context.Context, scope graph.Scope, p graph.Predicate, who ingest.Caller) (graph.Predicate, []belief.Difference, error)
}

// episodeWriter is what the routes of episodes write with.
type episodeWriter interface {
	Remember(ctx context.Context, scope graph.Scope, in []ingest.EpisodeInput, wait ingest.Wait, who ingest.Caller) (ingest.Remembered, error)
	RetryEpisode(ctx context.Context, scope graph.Scope, id graph.EpisodeID) (graph.Episode, error)
	EraseEpisode(ctx context.Context, scope graph.Scope, id graph.EpisodeID) (ingest.Erased, error)
}

// factWriter is what the routes of facts and changes write with.
type factWriter interface {
	Assert(ctx context.Context, scope graph.Scope, in []ingest.ClaimInput, who ingest.Caller) (ingest.Answer, error)
	Correct(ctx context.Context, scope graph.Scope, fact graph.ClaimID, in ingest.CorrectInput, who ingest.Caller) (ingest.Done, error)
	Retract(ctx context.Context, scope graph.Scope, fact graph.ClaimID, in ingest.RetractInput, who ingest.Caller) (ingest.Done, error)
	Forget(ctx context.Context, scope graph.Scope, fact graph.ClaimID, reason string, who ingest.Caller) (ingest.Done, error)
	Revert(ctx context.Context, scope graph.Scope, change graph.ChangeID, reason string, who ingest.Caller) (graph.ChangeID, error)
	EraseFact(ctx context.Context, scope graph.Scope, fact graph.ClaimID) (ingest.Erased, error)
}

// writer is the write path as this package uses it.
type writer interface {
	scopeWriter
	episodeWriter
	factWriter
}

// scopeReader is what the routes of scopes and predicates read with.
type scopeReader interface {
	Scope(ctx context.Context, scope graph.Scope) (retrieval.ScopeInfo, error)
	Scopes(ctx context.Context, tenant string, page retrieval.Page) ([]retrieval.ScopeInfo, string, error)
	Predicates(ctx context.Context, scope graph.Scope) ([]graph.Predicate, error)
	Predicate(ctx context.Context, scope graph.Scope, name string) (graph.Predicate, error)
	Export(ctx context.Context, scope graph.Scope, w io.Writer) error
}

// episodeReader is what the routes of episodes read with.
type episodeReader interface {
	Episode(ctx context.Context, scope graph.Scope, id graph.EpisodeID) (retrieval.EpisodeDetail, error)
	Episodes(ctx context.Context, scope graph.Scope, q retrieval.EpisodeQuery) ([]retrieval.EpisodeDetail, string, error)
}

// factReader is what the routes of facts and of their history read with.
type factReader interface {
	Facts(ctx context.Context, scope graph.Scope, q retrieval.FactQuery) (retrieval.FactPage, error)
	Fact(ctx context.Context, scope graph.Scope, id graph.ClaimID, at retrieval.At) (retrieval.FactDetail, error)
	Timeline(ctx context.Context, scope graph.Scope, subject, predicate, txAt string) ([]retrieval.Slot, retrieval.AsOf, error)
	Changes(ctx context.Context, scope graph.Scope, q retrieval.ChangeQuery) (retrieval.ChangePage, error)
	Diff(ctx context.Context, scope graph.Scope, q retrieval.DiffQuery) (retrieval.Diff, error)
}

// graphReader is what the routes of entities and walks read with.
type graphReader interface {
	Entities(ctx context.Context, scope graph.Scope, name, kind string, page retrieval.Page) (retrieval.EntityPage, error)
	Entity(ctx context.Context, scope graph.Scope, id graph.EntityID) (retrieval.EntityDetail, error)
	Follow(ctx context.Context, scope graph.Scope, start string, path []string, at retrieval.At) (retrieval.Followed, error)
	Graph(ctx context.Context, scope graph.Scope, entity string, hops, limit int, at retrieval.At) (retrieval.Graph, error)
}

// recaller is what answers a text.
type recaller interface {
	Recall(ctx context.Context, scope graph.Scope, q retrieval.RecallQuery) (retrieval.Recalled, error)
	Ask(ctx context.Context, scope graph.Scope, q retrieval.AskQuery) (retrieval.Answer, error)
	Profile(ctx context.Context, scope graph.Scope, at retrieval.At, maxTokens int) (retrieval.Profile, error)
}

// reader is the read path as this package uses it.
type reader interface {
	scopeReader
	episodeReader
	factReader
	graphReader
	recaller
}

var (
	_ writer = (*ingest.Service)(nil)
	_ reader = (*retrieval.Service)(nil)
)
