package graph

import (
	"cmp"

	"tenure/temporal"
)

// Trust says how a claim came to be known.
type Trust string

// Stated outranks Reported outranks Inferred at an equal begin; an inferred claim counts only where no other covers.
const (
	Stated   Trust = "stated"   // a structured call, or a person's own words with a verified quote
	Reported Trust = "reported" // documents, tools, an assistant's words
	Inferred Trust = "inferred" // derived, or without a verified quote
)

// Rank orders trust: the higher is believed first.
func (t Trust) Rank() int {
	switch t {
	case Stated:
		return 2
	case Reported:
		return 1
	default:
		return 0
	}
}

// ClaimKind says what a claim does.
type ClaimKind string

// A claim asserts that something holds, or denies it from a time on, or says that it never was so.
const (
	Assert  ClaimKind = "assert"
	Retract ClaimKind = "retract"
	Never   ClaimKind = "never"
)

// Pos is a place in a scope's log: the transaction time, then the place within it. The zero Pos is absent.
type Pos struct {
	Tx  temporal.Instant
	Seq int
}

// Compare orders places in the log.
func (p Pos) Compare(q Pos) int { return cmp.Or(cmp.Compare(p.Tx, q.Tx), cmp.Compare(p.Seq, q.Seq)) }

// IsZero reports whether the place is absent.
func (p Pos) IsZero() bool { return p == Pos{} }

// Bounds holds the precision of both ends of a window. Empty means exact, or that there is no such end.
type Bounds struct {
	From, To temporal.Precision
}

// Source is an episode that a claim rests on, with the words of it that support the claim, if they are known.
type Source struct {
	Episode EpisodeID
	Quote   string
}

// A Claim is what an extractor or a caller said, as it was said: entities before any merge, the predicate before an
// inverse is rewritten. It never changes once it is logged (erasing its source is the one exception).
type Claim struct {
	ID        ClaimID
	Kind      ClaimKind
	Subject   EntityID
	Predicate string
	Object    EntityID // empty in a retraction of whatever holds
	Text      string   // the statement; empty if a sentence is to be made from the triple
	Type      string   // fact type; empty if the caller did not say
	// Importance is in [0,1]; nil if the caller did not say.
	Importance *float64
	Valid      temporal.Period // a zero From is an unknown begin, a zero To "until further notice"
	Precision  Bounds
	HoldsAt    temporal.Instant // a time at which the source says it holds; zero if it does not say
	Trust      Trust
	Sources    []Source
	Replaces   []ClaimID // the facts, of any lane, that this claim ends
	// Origin is the id of the fact that this claim carries on, for a correction or a re-extraction; else empty.
	Origin     ClaimID
	Correction bool   // made by correcting a fact: its text, type and importance come first
	Actor      string // who said it: an API key's name, or empty
	Extractor  string // name and version of the extractor; empty for a structured claim

	Change ChangeID // the change that logged it; empty if it altered nothing
	Logged Pos      // when it was logged
	Rec    Pos      // its place among claims; that of its predecessor if it was re-extracted, else Logged
}

// Fact is the id of the fact that the claim begins when it is the first to support a window.
func (c Claim) Fact() ClaimID { return cmp.Or(c.Origin, c.ID) }

// A Lane is what a claim may affect: for a predicate with one value the slot (subject, predicate), with an empty Object;
// for one with many values the triple. Lanes never affect one another.
type Lane struct {
	Subject   EntityID
	Predicate string
	Object    EntityID
}

// Compare orders lanes; a store takes locks in this order.
func (l Lane) Compare(m Lane) int {
	return cmp.Or(cmp.Compare(l.Subject, m.Subject), cmp.Compare(l.Predicate, m.Predicate), cmp.Compare(l.Object, m.Object))
}

// A Placement says that a claim counts in a lane, from one place in the log to another. It repeats of the claim what
// facts.Believe needs, so that a lane is read at once. Placements are derived: from the claim, the effects on it, merges and declarations.
type Placement struct {
	ID    PlacementID
	Claim ClaimID
	Fact  ClaimID // the id that a window begun by this claim has
	Rec   Pos
	Kind  ClaimKind
	Trust Trust

	Lane      Lane
	Subject   EntityID
	Predicate string
	Object    EntityID // empty in a retraction of whatever holds
	Own       bool     // in the claim's own lane; false for what it retracts in another one

	Valid     temporal.Period
	Precision Bounds
	HoldsAt   temporal.Instant
	// Narrowed is the stretch in which the placement counts after a correction took the rest; the zero Period is all of time.
	Narrowed temporal.Period
	Muted    bool // forgotten: it counts, but does not show

	From, To Pos // it counts for From <= place < To; a zero To is until further notice
}

// CountsAt reports whether the placement counts for the reader of that transaction time.
func (p Placement) CountsAt(tx temporal.Instant) bool {
	return p.From.Tx <= tx && (p.To.IsZero() || tx < p.To.Tx)
}

// CountsAfter reports whether the placement counts just after that place in the log.
func (p Placement) CountsAfter(at Pos) bool {
	return p.From.Compare(at) <= 0 && (p.To.IsZero() || at.Compare(p.To) < 0)
}

// EffectKind says what an operation did to a claim that was there.
type EffectKind string

// What can happen to a claim.
const (
	Limit    EffectKind = "limit"    // of the stretch Within, it counts only in Keep from now on
	Unhold   EffectKind = "unhold"   // it no longer says that it holds at its HoldsAt
	Mute     EffectKind = "mute"     // it is forgotten
	Displace EffectKind = "displace" // it also retracts Object in another lane, from Within.From on
)

// An Effect is what a change did to a claim. It acts as long as the change stands and its cause counts, so that any
// change can be reverted, in any order, however old.
type Effect struct {
	Change ChangeID
	Claim  ClaimID // whom it touches
	Kind   EffectKind
	Cause  ClaimID // the claim for whose sake it was done, if any: it acts only while that claim counts
	Within temporal.Period
	Keep   []temporal.Period
	// Subject, Predicate and Object are the triple that a Displace retracts.
	Subject   EntityID
	Predicate string
	Object    EntityID
	At        Pos
}

// A Merge redirects one entity to another while its change stands.
type Merge struct {
	Change     ChangeID
	From, Into EntityID
	At         Pos
}

// A Declaration is a predicate's declaration in a scope; the latest whose change stands is in force.
type Declaration struct {
	Change    ChangeID
	Predicate Predicate
	At        Pos
}

// Cardinality says how many values a predicate holds at one time.
type Cardinality string

// A predicate holds one value at a time (its lane is a slot) or many (each triple is a lane).
const (
	One  Cardinality = "one"
	Many Cardinality = "many"
)

// Predicate declares how facts of one predicate behave. Nothing said means: many values, nothing special.
type Predicate struct {
	Name         string      `json:"name" yaml:"name"`
	Cardinality  Cardinality `json:"cardinality" yaml:"cardinality"`
	Symmetric    bool        `json:"symmetric,omitempty" yaml:"symmetric,omitempty"` // many only: both directions are one lane
	Inverse      string      `json:"inverse,omitempty" yaml:"inverse,omitempty"`     // (s Inverse o) is rewritten to (o Name s)
	Opposite     string      `json:"opposite,omitempty" yaml:"opposite,omitempty"`   // asserting one retracts the other of the same object
	SubjectKinds []string    `json:"subject_kinds,omitempty" yaml:"subject_kinds,omitempty"`
	ObjectKinds  []string    `json:"object_kinds,omitempty" yaml:"object_kinds,omitempty"`
	Type         string      `json:"type,omitempty" yaml:"type,omitempty"`             // fact type of its facts
	Importance   *float64    `json:"importance,omitempty" yaml:"importance,omitempty"` // default importance
	TTLDays      int         `json:"ttl_days,omitempty" yaml:"ttl_days,omitempty"`
	Nouns        []string    `json:"nouns,omitempty" yaml:"nouns,omitempty"` // what a question calls it: "plan", "tier"
	// Sentence states a fact: "{subject} is on the {object} plan."
	Sentence string `json:"sentence,omitempty" yaml:"sentence,omitempty"`
	// Patterns are what offline extraction reads; see docs/extraction.md.
	Patterns []string `json:"-" yaml:"patterns,omitempty"`
}

// ChangeKind says what a change was.
type ChangeKind string

// The kinds of change.
const (
	ChangeAssert    ChangeKind = "assert"
	ChangeSupersede ChangeKind = "supersede"
	ChangeCorrect   ChangeKind = "correct"
	ChangeRetract   ChangeKind = "retract"
	ChangeRevert    ChangeKind = "revert"
	ChangeMerge     ChangeKind = "merge"
	ChangeDeclare   ChangeKind = "declare"
	ChangeForget    ChangeKind = "forget"
	ChangeReextract ChangeKind = "reextract"
	ChangeErase     ChangeKind = "erase"
)

// A Change is one operation on the log. What it began, ended and changed is not stored: it is the difference of what its
// lanes give just before and just after it.
type Change struct {
	ID       ChangeID
	At       Pos
	Kind     ChangeKind
	Claim    ClaimID   // the claim it logged, if any
	Episode  EpisodeID // the episode it came from, if any
	Actor    string
	Reason   string
	Reverts  ChangeID // the change that a revert undoes
	Standing bool     // no standing change reverts it
	Lanes    []Lane   // the lanes it touched
	Counts   *Counts  // of an erase: how much went
}
