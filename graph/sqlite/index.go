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

	mu       sync.RWMutex
	built    bool
	clock    int64 // everything written up to here is in it
	facts    *lexical.Index[int64]
	versions map[int64]versionDoc // by row
	episodes *lexical.Index[int64]
	occurred map[int64]temporal.Instant // of the episodes, by row
	types    map[string]string          // each type once
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

// read reads everything at first, then what is new. Of rows that were destroyed nothing is left to follow: then those that are
// still there are counted over.
func (x *index) read(ctx context.Context, db *session, scope int64, clocks scopeClocks) error {
	if !x.built {
		return x.build(ctx, db, scope, clocks)
	}
	var gone destroyed
	if clocks.destroyed > x.clock {
		var err error
		if gone, err = x.missing(ctx, db, scope); err != nil {
			return err
		}
	}
	args := []param{arg("scope", scope), arg("stamp", x.clock)}
	versions, err := all(ctx, db, versionListStamped, scanVersionText, args...)
	if err != nil {
		return err
	}
	renamed, err := all(ctx, db, versionListRenamed, scanVersionText, args...)
	if err != nil {
		return err
	}
	episodes, err := all(ctx, db, episodeListStamped, scanEpisodeText, args...)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.delete(gone)
	x.putVersions(versions)
	x.putVersions(renamed)
	x.putEpisodes(episodes)
	x.clock = clocks.clock
	return nil
}

// build reads everything into an index that nobody sees until it is whole.
func (x *index) build(ctx context.Context, db *session, scope int64, clocks scopeClocks) error {
	next := &index{
		facts: lexical.New[int64](), versions: map[int64]versionDoc{},
		episodes: lexical.New[int64](), occurred: map[int64]temporal.Instant{}, types: map[string]string{},
	}
	args := []param{arg("scope", scope), arg("stamp", never)}
	if err := stream(ctx, db, versionListStamped, scanVersionText, next.putVersions, args...); err != nil {
		return err
	}
	if err := stream(ctx, db, episodeListStamped, scanEpisodeText, next.putEpisodes, args...); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.facts, x.versions, x.episodes, x.occurred, x.types = next.facts, next.versions, next.episodes, next.occurred, next.types
	x.built, x.clock = true, clocks.clock
	return nil
}

// stream hands the rows of a query to put, in parts, while it reads on.
func stream[T any](ctx context.Context, db *session, text string, scan func(scanner) (T, error), put func([]T), args ...param) error {
	const part = 1000
	parts := make(chan []T, 2)
	var err error
	go func() {
		defer close(parts)
		var items []T
		err = db.each(ctx, text, func(row scanner) error {
			item, err := scan(row)
			if items = append(items, item); len(items) == part {
				parts <- items
				items = nil
			}
			return err
		}, args...)
		parts <- items
	}()
	for items := range parts {
		put(items)
	}
	return err
}

// destroyed are rows that are in an index and in the file no more.
type destroyed struct{ versions, episodes []int64 }

func (x *index) missing(ctx context.Context, db *session, scope int64) (gone destroyed, err error) {
	if gone.versions, err = missing(ctx, db, versionListRows, scope, x.versions); err != nil {
		return gone, err
	}
	gone.episodes, err = missing(ctx, db, episodeListRows, scope, x.occurred)
	return gone, err
}

func missing[T any](ctx context.Context, db *session, text string, scope int64, held map[int64]T) (gone []int64, err error) {
	there := make(map[int64]bool, len(held))
	if err := db.each(ctx, text, func(row scanner) error {
		var number int64
		err := row.Scan(&number)
		there[number] = true
		return err
	}, arg("scope", scope)); err != nil {
		return nil, err
	}
	for number := range held {
		if !there[number] {
			gone = append(gone, number)
		}
	}
	return gone, nil
}

func (x *index) delete(gone destroyed) {
	for _, row := range gone.versions {
		x.facts.Delete(row)
		delete(x.versions, row)
	}
	for _, row := range gone.episodes {
		x.episodes.Delete(row)
		delete(x.occurred, row)
	}
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

func scanVersionText(row scanner) (v versionText, err error) {
	return v, row.Scan(&v.row, (*string)(&v.fact), &v.doc.kind, &v.doc.hidden, beginColumn{&v.doc.valid.From}, endColumn{&v.doc.valid.To},
		beginColumn{&v.doc.tx.From}, endColumn{&v.doc.tx.To}, &v.text, &v.subject, &v.object)
}

func scanEpisodeText(row scanner) (e episodeText, err error) {
	return e, row.Scan(&e.row, beginColumn{&e.occurred}, &e.speaker, &e.text)
}

// putVersions adds or replaces documents.
func (x *index) putVersions(versions []versionText) {
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
}

// putEpisodes adds or replaces documents.
func (x *index) putEpisodes(episodes []episodeText) {
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
