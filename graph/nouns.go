package graph

import (
	"encoding/json"

	"tenure/temporal"
)

// KindValue is the kind of an entity that is a literal: "120", "numbered steps". Walks do not pass through it.
const KindValue = "value"

// An Entity is a thing with a name. It is found by the key of its name and of each alias.
type Entity struct {
	ID      EntityID
	Name    string
	Kind    string   // "" if nobody said
	Aliases []string // other names, as they were told
	// Keys are the normalised names it is found by (entities.Key), its name's first.
	Keys []string
}

// EpisodeKind says what kind of input an episode is.
type EpisodeKind string

// The kinds of episode.
const (
	Message  EpisodeKind = "message"
	Document EpisodeKind = "document"
	Event    EpisodeKind = "event"
	JSON     EpisodeKind = "json"
)

// Role says who speaks in a message.
type Role string

// The roles of a message.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	System    Role = "system"
	Tool      Role = "tool"
)

// Status says how far an episode has been worked off.
type Status string

// An episode is pending, processing, and then done; failed ones are tried again, dead ones wait for a person.
const (
	Pending    Status = "pending"
	Processing Status = "processing"
	Done       Status = "done"
	Failed     Status = "failed"
	Dead       Status = "dead"
)

// An Episode is one piece of raw input with its time. What was said never changes; Status and Outcome do.
type Episode struct {
	ID           EpisodeID
	Kind         EpisodeKind
	Conversation string
	Speaker      string
	Role         Role
	Text         string
	Occurred     temporal.Instant   // zero for a document without a time
	Precision    temporal.Precision // of Occurred
	// Offset is how far east of UTC, in seconds, its time was given; nil for the scope's zone.
	Offset   *int
	Metadata json.RawMessage // a JSON object, or nil
	Extract  bool            // make facts of it
	Hash     string          // of the request that posted it: the same id with another hash is a conflict
	Recorded Pos             // when the memory took it in; its place in the listing

	Status   Status
	Attempts int
	Error    string // of the last attempt
	Outcome  Outcome
}

// Outcome says what became of an episode.
type Outcome struct {
	Changes []ChangeID `json:"changes,omitempty"`
	Dropped []Dropped  `json:"dropped,omitempty"`
	Usage   Usage      `json:"usage"`
}

// Dropped is a claim that was read but not taken, and why. Claim describes it without its text.
type Dropped struct {
	Claim  string `json:"claim"`
	Reason string `json:"reason"`
}

// Usage is what an episode cost.
type Usage struct {
	LLMCalls  int `json:"llm_calls"`
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
}

// A Version is a window that was believed over a stretch of transaction time, with its content. A window that still is
// believed has an open Tx. Versions are derived from placements and rewritten only by an erase.
type Version struct {
	ID         VersionID
	Fact       ClaimID // the fact it is a window of
	Lane       Lane
	Subject    EntityID
	Predicate  string
	Object     EntityID
	Valid      temporal.Period
	Precision  Bounds
	Text       string
	Type       string
	Importance float64
	Trust      Trust
	Hidden     bool // all its claims are muted
	Tx         temporal.Period
	Begun      ChangeID // the change that began the version
	Ended      ChangeID // the change that ended it
}

// State says how a fact stands to the as-of it was read at.
type State string

// The states of a fact.
const (
	Current        State = "current"
	Past           State = "past"
	Future         State = "future"
	StateDisputed  State = "disputed"
	StateRetracted State = "retracted"
	StateForgotten State = "forgotten"
)

// A Fact is what a reader sees: a version with its entities, and with the claims that supported it at the as-of's transaction time.
type Fact struct {
	Version
	Scope        Scope
	SubjectNode  Entity
	ObjectNode   Entity
	State        State
	Claims       []ClaimID // those that support the window, the first recorded first
	Sources      []Source  // their episodes, the most telling first, each once, and the quotes
	Supersedes   []ClaimID // the facts whose window ends where this one begins
	SupersededBy ClaimID   // the fact whose window begins where this one ends
	Conflicts    []ClaimID // disputed claims that contradict it
	// Corroborated is the latest begin, holds_at or episode time among its claims: how fresh it is.
	Corroborated temporal.Instant
}

// Named is an entity as a caller names it: by id, or by name and perhaps kind.
type Named struct {
	ID   EntityID `json:"id,omitempty"`
	Name string   `json:"name,omitempty"`
	Kind string   `json:"kind,omitempty"`
}

// Settings are what a scope was told about itself. The zero value is a scope's default.
type Settings struct {
	Self      Named           `json:"self"`               // who "I" is when nobody is named
	Includes  []string        `json:"includes,omitempty"` // scopes of the same tenant, read along
	TimeZone  string          `json:"time_zone,omitempty"`
	Registry  string          `json:"registry,omitempty"` // version of the shipped predicates, pinned when the scope began
	Weights   *Weights        `json:"weights,omitempty"`
	Retention json.RawMessage `json:"retention,omitempty"`
}

// Weights are the parts of a recall's score.
type Weights struct {
	Similarity   float64 `json:"similarity"`
	Recency      float64 `json:"recency"`
	Importance   float64 `json:"importance"`
	HalfLifeDays float64 `json:"half_life_days"`
}

// Counts says how much a scope holds, or how much an erase destroyed.
type Counts struct {
	Episodes int `json:"episodes"`
	Entities int `json:"entities"`
	Facts    int `json:"facts"`
	Versions int `json:"versions"`
	Changes  int `json:"changes"`
}

// A Receipt remembers the answer to a request that carried an idempotency key, by ids only, so that the same request
// gives the same answer and an erase leaves no text in it.
type Receipt struct {
	Key     string
	Hash    string // of the request
	Tx      temporal.Instant
	Results []ReceiptResult
	// Episodes are the ids of a request that posted episodes.
	Episodes []EpisodeID
}

// ReceiptResult is the answer to one claim or operation of a request.
type ReceiptResult struct {
	Outcome string   `json:"outcome"`
	Claim   ClaimID  `json:"claim,omitempty"`
	Fact    Seen     `json:"fact,omitzero"`
	Ended   []Seen   `json:"ended,omitempty"`
	Change  ChangeID `json:"change,omitempty"`
}

// Seen names a version that was shown.
type Seen struct {
	Fact    ClaimID   `json:"fact"`
	Version VersionID `json:"version"`
}
