package graph

import (
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Scope names one isolated memory of one tenant. It is comparable; nothing crosses scopes but an explicit include, and
// nothing crosses tenants.
type Scope struct {
	Tenant string
	Name   string
}

// String names the scope in errors and logs.
func (s Scope) String() string { return "scope " + s.Name }

// ID identifies a T. Ids of different nouns are different types; the empty ID is absent.
type ID[T any] string

// The ids of the nouns. A fact's id is the id of the claim that began it, so facts are identified by a ClaimID too.
type (
	EntityID    = ID[Entity]
	EpisodeID   = ID[Episode]
	ClaimID     = ID[Claim]
	ChangeID    = ID[Change]
	VersionID   = ID[Version]
	PlacementID = ID[Placement]
)

// NewID mints a random id that sorts by time of minting. It must not be called inside an update, which may run twice.
func NewID[T any]() ID[T] { return ID[T](uuid.Must(uuid.NewV7()).String()) }

// space is the name space of derived ids.
var space = uuid.MustParse("9f0d2b1e-6c1f-4c55-9a0e-3f6c1d0b7a52")

// DeriveID returns the id that belongs to these parts, the same for the same parts always. The parts may hold any text.
func DeriveID[T any](scope Scope, parts ...string) ID[T] {
	var b strings.Builder
	for _, part := range append([]string{scope.Tenant, scope.Name}, parts...) {
		// A length before each part keeps ("a", "bc") and ("ab", "c") apart.
		b.WriteString(strconv.Itoa(len(part)) + ":")
		b.WriteString(part)
	}
	return ID[T](uuid.NewSHA1(space, []byte(b.String())).String())
}
