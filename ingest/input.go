package ingest

import (
	"encoding/json"
	"time"

	"tenure/graph"
	"tenure/temporal"
)

// Caller says who makes a request, and how.
type Caller struct {
	Actor  string // the name of the API key, or ""
	Key    string // Idempotency-Key, or ""
	DryRun bool   // say what would happen and write nothing
}

// A Patch is a field of a request that may be absent, null or set.
type Patch[T any] struct {
	Present bool
	Null    bool // only with Present
	Value   T
}

// ClaimInput is a structured claim as a caller writes it. Times are as they came: RFC 3339, a partial date, or "".
type ClaimInput struct {
	Subject    graph.Named
	Predicate  string
	Object     *graph.Named // nil if absent
	Text       string
	ValidFrom  string // may be "unknown"
	ValidTo    string
	HoldsAt    string
	Retract    bool
	Never      bool // only with Retract
	Replaces   graph.ClaimID
	Type       string
	Importance *float64
	Trust      graph.Trust // "" is stated
	Episodes   []graph.EpisodeID
	Quote      string
}

// EpisodeInput is an episode as a caller writes it.
type EpisodeInput struct {
	ID           string // "" has one made
	Kind         graph.EpisodeKind
	Conversation string
	Speaker      string
	Role         graph.Role
	Text         string
	OccurredAt   string
	Metadata     json.RawMessage
	Extract      *bool // nil is true
}

// SettingsInput is what PUT of a scope says; what is absent stays.
type SettingsInput struct {
	Self      Patch[graph.Named]
	Includes  Patch[[]string]
	TimeZone  Patch[string]
	Weights   Patch[graph.Weights]
	Retention Patch[json.RawMessage]
}

// CorrectInput is what PATCH of a fact says.
type CorrectInput struct {
	Text       Patch[string]
	Object     Patch[graph.Named]
	ValidFrom  Patch[string] // null, like "unknown", is an unknown begin
	ValidTo    Patch[string] // null is an open end
	Importance Patch[float64]
	Reason     string
	ValidAt    string // picks a window of the fact
}

// RetractInput is what POST …/retract of a fact says.
type RetractInput struct {
	At     string // "" is now
	Never  bool
	Reason string
}

// Outcome says what a claim did.
type Outcome string

// The outcomes of a claim.
const (
	Asserted     Outcome = "asserted"
	Corroborated Outcome = "corroborated"
	Superseded   Outcome = "superseded"
	Corrected    Outcome = "corrected"
	Retracted    Outcome = "retracted"
	Disputed     Outcome = "disputed"
	Shadowed     Outcome = "shadowed"
	Unchanged    Outcome = "unchanged"
)

// Result is the answer to one claim.
type Result struct {
	Outcome Outcome
	Claim   graph.ClaimID
	Fact    *graph.Fact // nil if nothing holds
	Ended   []graph.Fact
	Change  graph.ChangeID // "" if nothing changed
}

// Answer is the answer to structured claims.
type Answer struct {
	Results []Result
	Tx      temporal.Instant
}

// Done is the answer to an operation on one fact.
type Done struct {
	Fact   *graph.Fact
	Change graph.ChangeID
}

// Erased is the receipt of an erase.
type Erased struct {
	Counts graph.Counts
	At     temporal.Instant
	// OtherFacts are facts of the same subject, predicate and object that remain.
	OtherFacts []graph.ClaimID
	// EpisodesStillSayingIt are the episodes that the erased facts came from and that are still held.
	EpisodesStillSayingIt []graph.EpisodeID
}

// Remembered is the answer to posted episodes.
type Remembered struct {
	Episodes []graph.Episode // in the order they were posted, as far as they got
}

// Finished reports whether all episodes were worked off.
func (r Remembered) Finished() bool {
	for _, e := range r.Episodes {
		if e.Status == graph.Pending || e.Status == graph.Processing || e.Status == graph.Failed {
			return false
		}
	}
	return true
}

// Wait bounds how long Remember waits for its episodes; zero does not wait.
type Wait = time.Duration
