package retrieval

import (
	"time"

	"tenure/belief"
	"tenure/graph"
	"tenure/temporal"
)

// At is the as-of of a request as it came: RFC 3339 or a partial date; ValidAt "" is now, or "any"; TxAt "" is the latest.
type At struct{ ValidAt, TxAt string }

// AsOf is the as-of that a read used. Valid is zero if it asked for any.
type AsOf = temporal.AsOf

// Page asks for a part of a listing. Limit 0 is the default.
type Page struct {
	Limit int
	Token string
}

// ScopeInfo is a scope with its settings and how much it holds.
type ScopeInfo struct {
	Scope    graph.Scope
	Settings graph.Settings
	Counts   graph.Counts
}

// FactQuery filters a listing of facts. Subject and Object match an entity's id, name or alias.
type FactQuery struct {
	At
	Subject, Predicate, Object, Type, State        string
	BeginsFrom, BeginsBefore, EndsFrom, EndsBefore string
	Page
}

// FactPage is a page of facts by (valid_from, valid_to, id).
type FactPage struct {
	Facts []graph.Fact
	Next  string
	AsOf  AsOf
}

// FactDetail is one fact with why it holds.
type FactDetail struct {
	Fact     graph.Fact
	Versions []graph.Version
	Claims   []ClaimDetail
	AsOf     AsOf
}

// ClaimDetail is a claim with its entities; Supports says whether it supports the fact, or is outranked by it.
type ClaimDetail struct {
	graph.Claim
	SubjectNode, ObjectNode graph.Entity
	Supports                bool
}

// EpisodeQuery filters a listing of episodes.
type EpisodeQuery struct {
	Conversation, Status, Since, Until string
	Page
}

// EpisodeDetail is an episode with what became of it.
type EpisodeDetail struct {
	graph.Episode
	Changes []belief.Difference
}

// RecallQuery asks what bears on a text. Zero values are the defaults of the contract.
type RecallQuery struct {
	Query string
	At
	Limit     int // default 8
	MaxTokens int // default 1200; bounds Context alone
	Facts     bool
	Episodes  bool
	History   bool
	Types     []string
	Speaker   string
	Weights   *graph.Weights // over the scope's
	Touch     bool
	Explain   bool
}

// Signals are the parts of a score, each in [0,1].
type Signals struct{ Similarity, Recency, Importance, Walk float64 }

// Hop is one step of a walk.
type Hop struct {
	From, To  graph.Entity
	Predicate string
	Fact      graph.ClaimID
}

// Found is a fact or an episode that a recall returns; one of the two is set.
type Found struct {
	Fact    *graph.Fact
	Episode *graph.Episode
	Scope   graph.Scope
	Score   float64
	Signals Signals
	Path    []Hop
	Arms    []Arm // with Explain
}

// Arm says how one arm of the search saw a result.
type Arm struct {
	Name  string
	Rank  int
	Score float64
}

// Suppressed counts what a recall found and did not return.
type Suppressed struct{ OutsideWindow, Duplicates, BelowFloor int }

// Interpreted is what was read in a question.
type Interpreted struct {
	Relation  string
	Predicate string
	Time      *temporal.Date
}

// Recalled is the answer to a recall.
type Recalled struct {
	Results     []Found
	Profile     []graph.Fact
	Context     string
	Suppressed  Suppressed
	Abstained   bool
	Interpreted Interpreted
	AsOf        AsOf
	Took        time.Duration
}

// AskQuery is a question about a slot.
type AskQuery struct {
	Question string
	Speaker  string
	At
}

// Answer is the answer to a question; relation "unknown" carries the recalled facts and no answer.
type Answer struct {
	Relation  string
	Answer    string
	Facts     []graph.Fact
	Subject   *graph.Entity
	Predicate string
	AsOf      AsOf
}

// Slot is the history of one lane, or of one (subject, predicate) with many values.
type Slot struct {
	Subject   graph.Entity
	Predicate string
	Facts     []graph.Fact // by (valid_from, valid_to, id)
}

// ChangeQuery filters a listing of changes: since < tx <= until.
type ChangeQuery struct {
	Since, Until, Subject string
	Page
}

// ChangePage is a page of changes in the order of transactions.
type ChangePage struct {
	Changes []belief.Difference
	Next    string
}

// Followed is the answer to a walk along given predicates.
type Followed struct {
	Paths     [][]graph.Fact
	Ends      []graph.Entity
	Truncated bool // there are more paths than are shown
	AsOf      AsOf
}

// Graph is a part of the graph around an entity.
type Graph struct {
	Entities  []graph.Entity
	Facts     []graph.Fact
	Truncated bool // there is more within the hops than is shown
	AsOf      AsOf
}

// Profile is what an agent should always have at hand.
type Profile struct {
	Facts     []graph.Fact
	Text      string
	Truncated bool
	AsOf      AsOf
}

// DiffQuery compares two as-of points on one axis.
type DiffQuery struct{ FromValidAt, ToValidAt, FromTxAt, ToTxAt string }

// Diff is what one as-of point has and the other has not.
type Diff struct{ Begun, Ended []graph.Fact }

// EntityPage is a page of entities by id.
type EntityPage struct {
	Entities []graph.Entity
	Next     string
}

// EntityDetail is an entity with what is known of it.
type EntityDetail struct {
	graph.Entity
	MergedInto  graph.EntityID // set if it was merged into another
	Suggestions []graph.Entity // that may be the same; never merged by themselves
	Facts       int            // facts that hold now with it on either side
}
