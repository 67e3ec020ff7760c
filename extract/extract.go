// Package extract turns an episode into what it claims, entities still being mentions.
package extract

import (
	"context"
	"time"

	"tenure/graph"
	"tenure/temporal"
)

// An Extractor reads episodes. It is safe for concurrent use and keeps nothing of what it read.
type Extractor interface {
	// Name is the extractor and the version of what it reads, "rules/1". Claims of another name are replaced when an
	// episode is read again.
	Name() string
	// Extract returns what the episode claims. That it claims nothing is no error; an error means that it was not read and
	// that reading it again may help.
	Extract(ctx context.Context, in Input) (Draft, error)
}

// Input is an episode and what is needed to read it.
type Input struct {
	Episode    graph.Episode
	Zone       *time.Location    // the episode's zone: its offset, else the scope's; nil is UTC
	Self       graph.Named       // the scope's self entity; the speaker is Episode.Speaker, else Self
	Predicates []graph.Predicate // those of the scope
}

// Draft is what an episode claims.
type Draft struct {
	// Claims are ordered: what resolving a later mention needs ("we", after "I'm the IT admin at Globex") comes first.
	Claims  []Claim
	Dropped []graph.Dropped // what was read but is no claim, and why
	Usage   graph.Usage
}

// Claim is a proposal. It becomes a graph.Claim when its mentions are resolved.
type Claim struct {
	Kind      graph.ClaimKind
	Subject   Mention
	Predicate string
	Object    Mention // zero in a retraction of whatever holds
	Text      string  // the statement; empty if a sentence is to be made from the triple
	Type      string  // fact type; empty for the predicate's
	// Importance is in [0,1]; nil for the predicate's.
	Importance *float64
	// Valid is the window as far as the text states it. With Stated a zero From is an unknown begin ("I used to live in
	// Rome"); without it the begin was not stated and is the episode's time, or unknown if the episode has none.
	Valid     temporal.Period
	Stated    bool
	Precision graph.Bounds     // of what Valid states
	HoldsAt   temporal.Instant // a time at which the text says it holds; zero if it does not say
	Trust     graph.Trust
	// Quote is the shortest clause of the episode's text that supports the claim: a substring of it, byte for byte.
	Quote string
}

// Mention is an entity as the text names it.
type Mention struct {
	Name string // as written; of a speaker the name the episode gives, which may be empty
	Kind string // empty if the text does not tell
	Ref  Ref
}

// IsZero reports whether nothing is mentioned.
func (m Mention) IsZero() bool { return m == Mention{} }

// Ref says how a mention finds its entity.
type Ref string

// A mention names an entity, or points at one that only the write path knows.
const (
	ByName    Ref = ""        // the entity of that name
	Speaker   Ref = "speaker" // "I", "my": who speaks in the episode, else the scope's self
	Group     Ref = "group"   // "we", "our": the organisation the speaker works at then
	ScopeSelf Ref = "self"    // the scope's self entity, whoever speaks
)
