package graph

import (
	"context"

	"tenure/temporal"
)

// A Store holds scopes. It is safe for concurrent use, also by several processes. Every method fails with the context's
// error once its context ends, and with ErrUnavailable after Close.
type Store interface {
	// Snapshot reads one scope at one transaction time: the view's, or the scope's latest if that is zero. A scope that
	// does not exist is ErrNotFound; a transaction time later than the scope's clock is read as the clock's, and the view
	// keeps the time asked for. The past of the transaction axis never changes (but by an erase), so a Reader is one snapshot
	// of facts however long it is used.
	Snapshot(ctx context.Context, view View) (Reader, error)
	// Update calls f with a Writer and commits what it wrote if f returns nil; otherwise nothing is written and f's error is
	// returned as it is. A scope begins with its first committed update. Updates of a scope run one after another, in the
	// order of their Now. f may run twice: it calls no model, reads no clock, mints no random id.
	Update(ctx context.Context, scope Scope, f func(Writer) error) error
	// Erase destroys a scope with all that is in it and says how much it was. A scope that does not exist is ErrNotFound.
	Erase(ctx context.Context, scope Scope) (Counts, error)
	// Scopes lists a tenant's scopes by name, those after the given name, at most limit.
	Scopes(ctx context.Context, tenant, after string, limit int) ([]Scope, error)
	// Backlog lists the scopes, of all tenants, that hold episodes not yet worked off.
	Backlog(ctx context.Context) ([]Scope, error)
	// Touch marks facts as used. Marks are no history: they may be lost in a crash.
	Touch(ctx context.Context, scope Scope, facts []ClaimID, at temporal.Instant) error
	// Close releases the store once running calls have ended. Closing twice is no error.
	Close() error
}

// View says what a Reader reads: one scope as of a transaction time. A zero Tx asks for the latest.
type View struct {
	Scope Scope
	Tx    temporal.Instant
}

// A Reader reads one scope as of its view. What it returns is the caller's to keep and change. Things asked for by id that
// are not in the scope are left out of the answer. An empty filter selects everything.
type Reader interface {
	ScopeReader
	EntityReader
	FactReader
	LogReader
	ChangeReader
	EpisodeReader
	Searcher
}

// ScopeReader reads what is known of the scope itself.
type ScopeReader interface {
	// View is the view that is read; its Tx is concrete, also where the latest was asked for.
	View() View
	Settings(ctx context.Context) (Settings, error)
	// Counts counts what is believed at the view's Tx: facts and versions; all entities, episodes and changes there are.
	Counts(ctx context.Context) (Counts, error)
	// Tombstones says which of the hashes an erase left behind.
	Tombstones(ctx context.Context, hashes []string) (map[string]bool, error)
	// Receipt returns the receipt of an idempotency key, or ErrNotFound.
	Receipt(ctx context.Context, key string) (Receipt, error)
}

// EntityReader reads entities. They carry no time; what is said of them does.
type EntityReader interface {
	Entities(ctx context.Context, ids []EntityID) (map[EntityID]Entity, error)
	// EntitiesByKey returns the entities that have one of the keys, by id.
	EntitiesByKey(ctx context.Context, keys []string) ([]Entity, error)
	// ListEntities lists by id.
	ListEntities(ctx context.Context, filter EntityFilter) ([]Entity, error)
}

// EntityFilter selects entities: those that have the key, are of the kind, and come after the id; at most Limit (0: all).
type EntityFilter struct {
	Key   string
	Kind  string
	After EntityID
	Limit int
}

// FactReader reads versions, as of the view's Tx.
type FactReader interface {
	// Versions lists the versions believed at Tx that pass the filter, by (begin, end, fact, id); an unknown begin first, an open end last.
	Versions(ctx context.Context, filter VersionFilter) ([]Version, error)
	// VersionsOf returns all versions of the facts that began at or before Tx, believed still or not, by (tx begin, begin, id).
	// The Tx and Ended of a version that ended later than the view's Tx are as they were then: open.
	VersionsOf(ctx context.Context, facts []ClaimID) ([]Version, error)
	// Around returns versions believed at Tx and holding at valid (unless that is zero) that have one of the entities as subject or object,
	// at most perEntity for each of them, most important first, then by id. Hidden ones are left out.
	Around(ctx context.Context, entities []EntityID, valid temporal.Instant, perEntity int) ([]Version, error)
	// Used returns when facts were last marked as used, those that were.
	Used(ctx context.Context, facts []ClaimID) (map[ClaimID]temporal.Instant, error)
}

// VersionFilter selects versions. Fields that are set must all hold; a list holds if one of it does.
type VersionFilter struct {
	Subjects   []EntityID
	Objects    []EntityID
	Predicates []string
	Types      []string
	Lanes      []Lane
	Hidden     Hiding
	// Valid selects windows that contain it; zero selects on none.
	Valid temporal.Instant
	// BeginsFrom <= begin < BeginsBefore and EndsFrom <= end < EndsBefore; zero is no bound. An unknown begin is earlier
	// and an open end later than any bound.
	BeginsFrom, BeginsBefore, EndsFrom, EndsBefore temporal.Instant
	// Gone selects, in place of what is believed, the last version of each fact that has no version at Tx any more.
	Gone  bool
	After *VersionKey // only what comes later in the order
	Limit int         // 0: all
}

// Hiding says which side of forgetting to read.
type Hiding int

// A filter leaves hidden versions out unless it says otherwise.
const (
	HideHidden Hiding = iota
	OnlyHidden
	WithHidden
)

// VersionKey is a version's place in the order of versions.
type VersionKey struct {
	Valid temporal.Period
	Fact  ClaimID
	ID    VersionID
}

// Key is the version's place in the order of versions.
func (v Version) Key() VersionKey { return VersionKey{v.Valid, v.Fact, v.ID} }

// LogReader reads the log: all of it, whatever the view's Tx.
type LogReader interface {
	Claims(ctx context.Context, ids []ClaimID) (map[ClaimID]Claim, error)
	// ListClaims lists by (Logged, id).
	ListClaims(ctx context.Context, filter ClaimFilter) ([]Claim, error)
	// ListPlacements lists by (lane, Rec, From, id).
	ListPlacements(ctx context.Context, filter PlacementFilter) ([]Placement, error)
	// ListEffects lists by (At, claim, kind) and otherwise in the order of writing.
	ListEffects(ctx context.Context, filter EffectFilter) ([]Effect, error)
}

// ClaimFilter selects claims; lists hold if one of them does, and all that are set must hold.
type ClaimFilter struct {
	Episodes   []EpisodeID
	Predicates []string   // as told
	Entities   []EntityID // as told, on either side
	Changes    []ChangeID // that logged them
	Facts      []ClaimID  // whose id or Origin is one of these
	After      *Claim     // only what comes later in the order
	Limit      int        // 0: all
}

// PlacementFilter selects placements; lists hold if one of them does, and all that are set must hold.
type PlacementFilter struct {
	Lanes      []Lane
	Claims     []ClaimID
	Subjects   []EntityID
	Predicates []string
	Objects    []EntityID
	Trust      Trust
	// CountsAt selects those that count at this transaction time; zero selects those of all times.
	CountsAt temporal.Instant
}

// EffectFilter selects effects; those that match one of the lists, all if every list is empty.
type EffectFilter struct {
	Claims  []ClaimID
	Causes  []ClaimID
	Changes []ChangeID
}

// ChangeReader reads the operations on the log, whatever the view's Tx.
type ChangeReader interface {
	Changes(ctx context.Context, ids []ChangeID) (map[ChangeID]Change, error)
	// ListChanges lists by (At, id).
	ListChanges(ctx context.Context, filter ChangeFilter) ([]Change, error)
	// Declarations returns the scope's declarations by At, reverted ones too.
	Declarations(ctx context.Context) ([]Declaration, error)
	// Merges returns the merges that have one of the entities on either side, all if none is named, by At, reverted ones too.
	Merges(ctx context.Context, entities []EntityID) ([]Merge, error)
}

// ChangeFilter selects changes: Since < tx <= Until.
type ChangeFilter struct {
	Since, Until temporal.Instant // zero: no bound
	Entities     []EntityID       // one of which is subject or object of a lane it touched
	Lanes        []Lane           // one of which it touched
	Episodes     []EpisodeID
	Claims       []ClaimID
	Reverts      []ChangeID
	After        *Change // only what comes later in the order
	Limit        int     // 0: all
}

// EpisodeReader reads episodes, whatever the view's Tx.
type EpisodeReader interface {
	Episodes(ctx context.Context, ids []EpisodeID) (map[EpisodeID]Episode, error)
	// ListEpisodes lists by (Recorded, id).
	ListEpisodes(ctx context.Context, filter EpisodeFilter) ([]Episode, error)
}

// EpisodeFilter selects episodes; Since <= occurred < Until, where an episode without a time passes no bound.
type EpisodeFilter struct {
	Conversation string
	Statuses     []Status
	Since, Until temporal.Instant
	After        *Episode // only what comes later in the order
	Limit        int      // 0: all
}

// Searcher finds by words. Text is anybody's: it is taken as words, never as a query language. Scores order one answer; they
// mean nothing across searches.
type Searcher interface {
	// SearchFacts returns versions believed at the view's Tx, best first, at most one for each (fact, window).
	SearchFacts(ctx context.Context, query Query) ([]FactHit, error)
	SearchEpisodes(ctx context.Context, query Query) ([]EpisodeHit, error)
	// Rarity says of each term (lexical.Terms) how telling it is among the scope's facts and episodes, as BM25's idf; a term of
	// no document has the greatest rarity.
	Rarity(ctx context.Context, terms []string) (map[string]float64, error)
}

// Query is a search. Valid selects versions whose window contains it, and episodes that occurred at or before it; zero
// selects on none. Hidden versions are never found.
type Query struct {
	Text  string
	Valid temporal.Instant
	Types []string
	Limit int
}

// FactHit is a version found by a search.
type FactHit struct {
	Version Version
	Score   float64
}

// EpisodeHit is an episode found by a search.
type EpisodeHit struct {
	Episode Episode
	Score   float64
}

// A Writer reads and writes one scope within an update. It reads what it has written. It is not safe for concurrent use.
type Writer interface {
	Reader
	// Now is the update's transaction time: later than that of every update of the store committed before.
	Now() temporal.Instant
	// Write adds the rows of the delta, replacing those of the same id.
	Write(ctx context.Context, delta Delta) error
	// Destroy removes rows for good: an erase.
	Destroy(ctx context.Context, rows Destruction) error
}

// Delta is what an update writes.
type Delta struct {
	Settings     *Settings
	Entities     []Entity
	Episodes     []Episode
	Claims       []Claim
	Effects      []Effect // always new
	Merges       []Merge
	Declarations []Declaration
	Placements   []Placement
	Versions     []Version
	Changes      []Change
	Receipts     []Receipt
	Tombstones   []string
}

// Destruction names what an erase removes: the things of these ids, effects on, by or caused by them, merges and declarations
// of these changes, and every placement and version of these lanes (the eraser writes those that remain anew).
type Destruction struct {
	Claims   []ClaimID
	Changes  []ChangeID
	Episodes []EpisodeID
	Entities []EntityID
	Lanes    []Lane
}
