package sqlite

import (
	"context"
	"hash/maphash"
	"sync"

	"tenure/graph"
	"tenure/lexical"
	"tenure/temporal"
)

// nameWeight is how much an occurrence of a word in an entity's name counts, next to one in the text of a version.
const nameWeight = 0.5

// An index holds the words of one scope: a document for each version, also those that are believed no longer, and for each
// episode. It follows the file: what was written after its clock is read before a search.
type index struct {
	turn chan struct{} // held by the one call that reads what is new

	mu        sync.RWMutex
	built     bool
	clock     int64 // everything written up to here is in it
	facts     *lexical.Index[int64]
	versions  map[int64]versionDoc // by row
	episodes  *lexical.Index[int64]
	occurred  map[int64]temporal.Instant // of the episodes, by row
	types     map[string]string          // each type once
	lastBytes int                        // as it was last counted; kept by indexes
}

// A versionDoc is what decides whether a version may be found.
type versionDoc struct {
	fact   uint64 // a hash
	kind   string
	hidden bool
	valid  temporal.Period
	tx     temporal.Period
}

// versionBytes is about what a version takes in memory beside its words, an episode less.
const versionBytes = 160

// factSeed makes the hashes of facts, which tell facts apart within one search.
var factSeed = maphash.MakeSeed()

func newIndex() *index { return &index{turn: make(chan struct{}, 1)} }

// scopeClocks is what an index of a scope has to keep up with.
type scopeClocks struct{ clock, destroyed int64 }

func readClocks(ctx context.Context, db *session, scope int64) (c scopeClocks, err error) {
	return c, db.row(ctx, "scope", scopeState, []any{&c.clock, &c.destroyed}, arg("scope", scope))
}

// fresh reports whether nothing was written to the scope after what is in the index. The caller holds mu.
func (x *index) fresh(c scopeClocks) bool { return x.built && x.clock >= c.clock }

// follow brings the index up to date with the file: of many calls one does it, the others wait.
func (x *index) follow(ctx context.Context, db *session, scope int64) error {
	clocks, err := readClocks(ctx, db, scope)
	if err != nil {
		return err
	}
	x.mu.RLock()
	fresh := x.fresh(clocks)
	x.mu.RUnlock()
	if fresh {
		return nil
	}
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	// Another call may have done it meanwhile. The clocks come before the rows: a row written in between is read again by the
	// next call, which does no harm.
	if clocks, err = readClocks(ctx, db, scope); err != nil || x.fresh(clocks) {
		return err // only the one who has the turn writes to the index, so it may read it without the lock
	}
	return x.read(ctx, db, scope, clocks)
}

// read reads what is new, or everything: at first, and after rows were destroyed, of which no trace is left to follow.
func (x *index) read(ctx context.Context, db *session, scope int64, clocks scopeClocks) error {
	since, next := x.clock, x
	if rebuild := !x.built || clocks.destroyed > x.clock; rebuild {
		since = never
		next = &index{
			facts: lexical.New[int64](), versions: map[int64]versionDoc{},
			episodes: lexical.New[int64](), occurred: map[int64]temporal.Instant{}, types: map[string]string{},
		}
	}
	versions, episodes, err := readDocs(ctx, db, scope, since)
	if err != nil {
		return err
	}
	if next != x {
		next.put(versions, episodes) // nobody sees it yet
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if next != x {
		x.facts, x.versions, x.episodes, x.occurred, x.types = next.facts, next.versions, next.episodes, next.occurred, next.types
	} else {
		x.put(versions, episodes)
	}
	x.built, x.clock = true, clocks.clock
	return nil
}

// A versionText is a version with its words, an episodeText an episode with its own.
type (
	versionText struct {
		row                   int64
		fact                  graph.ClaimID
		doc                   versionDoc
		text, subject, object string
	}
	episodeText struct {
		row           int64
		occurred      temporal.Instant
		speaker, text string
	}
)

func readDocs(ctx context.Context, db *session, scope, since int64) ([]versionText, []episodeText, error) {
	scan := func(row scanner) (v versionText, err error) {
		return v, row.Scan(&v.row, &v.fact, &v.doc.kind, &v.doc.hidden, beginColumn{&v.doc.valid.From}, endColumn{&v.doc.valid.To},
			beginColumn{&v.doc.tx.From}, endColumn{&v.doc.tx.To}, &v.text, &v.subject, &v.object)
	}
	args := []param{arg("scope", scope), arg("stamp", since)}
	versions, err := all(ctx, db, versionListStamped, scan, args...)
	if err != nil {
		return nil, nil, err
	}
	if since != never { // else all of them were written after
		renamed, err := all(ctx, db, versionListRenamed, scan, args...)
		if err != nil {
			return nil, nil, err
		}
		versions = append(versions, renamed...)
	}
	episodes, err := all(ctx, db, episodeListStamped, func(row scanner) (e episodeText, err error) {
		return e, row.Scan(&e.row, beginColumn{&e.occurred}, &e.speaker, &e.text)
	}, args...)
	return versions, episodes, err
}

// put adds or replaces documents.
func (x *index) put(versions []versionText, episodes []episodeText) {
	for _, v := range versions {
		x.facts.Put(v.row, lexical.Field{Text: v.text, Weight: 1},
			lexical.Field{Text: v.subject, Weight: nameWeight}, lexical.Field{Text: v.object, Weight: nameWeight})
		if kind, ok := x.types[v.doc.kind]; ok {
			v.doc.kind = kind
		} else {
			x.types[v.doc.kind] = v.doc.kind
		}
		v.doc.fact = maphash.String(factSeed, string(v.fact))
		x.versions[v.row] = v.doc
	}
	for _, e := range episodes {
		x.episodes.Put(e.row, lexical.Field{Text: e.text, Weight: 1}, lexical.Field{Text: e.speaker, Weight: 1})
		x.occurred[e.row] = e.occurred
	}
}

// bytes estimates the memory the index takes.
func (x *index) bytes() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.built {
		return 0
	}
	return x.facts.Bytes() + x.episodes.Bytes() + versionBytes*(len(x.versions)+len(x.occurred))
}
