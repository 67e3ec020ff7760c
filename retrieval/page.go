package retrieval

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"

	"tenure/graph"
	"tenure/temporal"
)

const (
	defaultLimit = 50
	maxLimit     = 1000
)

// token is a place in a listing. It pins the as-of that the first page was read at, so that a sequence of pages sees one
// snapshot, and is good only for the listing, scope and filter that it was made for. It is no secret and grants nothing: what
// a page reads is decided by its request. The sum finds tokens that were cut or altered.
type token struct {
	Of    string          `json:"of"` // hash of listing, scope and filter
	Tx    int64           `json:"tx,omitempty"`
	Valid int64           `json:"valid,omitempty"`
	From  int64           `json:"from,omitempty"` // of the last window, or when the last item was recorded
	To    int64           `json:"to,omitempty"`
	Seq   int             `json:"seq,omitempty"`
	ID    string          `json:"id,omitempty"`
	Row   graph.VersionID `json:"row,omitempty"`
	Sum   string          `json:"sum"`
}

// hash is short because it guards against mistakes only.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}

// listing names a listing with its scope and filter. Parts may hold any text.
func listing(name string, scope graph.Scope, filter ...string) string {
	data, err := json.Marshal(append([]string{name, scope.Tenant, scope.Name}, filter...))
	if err != nil {
		panic(err) // strings always marshal
	}
	return hash(data)
}

// encode returns the token as callers see it.
func (t token) encode() string {
	t.Sum = ""
	data, err := json.Marshal(t)
	if err != nil {
		panic(err) // numbers and strings always marshal
	}
	t.Sum = hash(append([]byte("tenure page token 1\n"), data...))
	if data, err = json.Marshal(t); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

var errToken = graph.Invalid("page_token", "is not one that this listing gave; leave it out to begin again")

// decode reads a token of the listing; nil if text is empty. Whatever encode did not write is refused: so one text, and no
// other, stands for a place.
func decode(text, of string) (*token, error) {
	if text == "" {
		return nil, nil
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errToken
	}
	var t token
	d := json.NewDecoder(bytes.NewReader(data))
	if d.Decode(&t) != nil || t.encode() != text || t.Of != of {
		return nil, errToken
	}
	return &t, nil
}

// size returns how many items a page has.
func (p Page) size() (int, error) {
	switch {
	case p.Limit == 0:
		return defaultLimit, nil
	case p.Limit < 0 || p.Limit > maxLimit:
		return 0, graph.Invalid("limit", "want 1 to %d", maxLimit)
	}
	return p.Limit, nil
}

// key is the place of a version in a listing of versions.
func (t *token) key() *graph.VersionKey {
	if t == nil {
		return nil
	}
	return &graph.VersionKey{
		Valid: temporal.Period{From: temporal.Instant(t.From), To: temporal.Instant(t.To)},
		Fact:  graph.ClaimID(t.ID), ID: t.Row,
	}
}

// pos is the place in the log of an item recorded there.
func (t *token) pos() graph.Pos { return graph.Pos{Tx: temporal.Instant(t.From), Seq: t.Seq} }
