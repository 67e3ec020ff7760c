package retrieval

import (
	"bufio"
	"context"
	"encoding/json"
	"io"

	"tenure/graph"
	"tenure/temporal"
)

// exportFormat is the version of the format of an export. A reader refuses what it does not know.
const exportFormat = 1

// exportPage is how many rows of a kind are read at a time.
const exportPage = 500

// Export writes the scope as NDJSON, lossless on both axes: a header, then settings, entities, episodes, declarations,
// merges, changes, and the claims, each followed by its effects, placements and by the versions of the facts it began. It is one
// snapshot: what is logged while it is written is not in it. Times are RFC 3339 to the microsecond; an unknown begin and an
// open end are null. Whether a change stands follows from the changes that revert it, so it is not written.
func (s *Service) Export(ctx context.Context, scope graph.Scope, w io.Writer) error {
	r, err := s.cfg.Store.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	x := &export{Reader: r, tx: r.View().Tx, out: json.NewEncoder(buffered), facts: map[graph.ClaimID]bool{}}
	x.out.SetEscapeHTML(false)
	x.write(row{"kind": "header", "format": exportFormat, "scope": scope.Name, "tx_at": x.tx})
	for _, part := range []func(context.Context) error{x.settings, x.entities, x.episodes, x.laws, x.changes, x.claims} {
		if err := part(ctx); err != nil {
			return err
		}
		if x.err != nil {
			return x.err
		}
	}
	return buffered.Flush()
}

// row is one line of an export; encoding/json writes its fields by name.
type row map[string]any

// export is an export under way.
type export struct {
	graph.Reader
	tx    temporal.Instant
	out   *json.Encoder
	facts map[graph.ClaimID]bool // whose versions are written
	err   error                  // of the first write that failed
}

func (x *export) write(line row) {
	if x.err == nil {
		x.err = x.out.Encode(line)
	}
}

func (x *export) settings(ctx context.Context) error {
	settings, err := x.Settings(ctx)
	x.write(row{"kind": "settings", "settings": settings})
	return err
}

func (x *export) entities(ctx context.Context) error {
	var after graph.EntityID
	for {
		page, err := x.ListEntities(ctx, graph.EntityFilter{After: after, Limit: exportPage})
		if err != nil {
			return err
		}
		for _, e := range page {
			x.write(row{"kind": "entity", "id": e.ID, "name": e.Name, "entity_kind": e.Kind, "aliases": list(e.Aliases), "keys": list(e.Keys)})
		}
		if len(page) < exportPage || x.err != nil {
			return nil
		}
		after = page[len(page)-1].ID
	}
}

// list makes an absent list an empty one, which JSON shows.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func (x *export) episodes(ctx context.Context) error {
	var after *graph.Episode
	for {
		page, err := x.ListEpisodes(ctx, graph.EpisodeFilter{After: after, Limit: exportPage})
		if err != nil {
			return err
		}
		for _, e := range page {
			if e.Recorded.Tx > x.tx {
				continue
			}
			x.write(row{
				"kind": "episode", "id": e.ID, "episode_kind": e.Kind, "conversation": e.Conversation, "speaker": e.Speaker, "role": e.Role,
				"text": e.Text, "occurred_at": e.Occurred, "precision": e.Precision, "offset": e.Offset, "metadata": e.Metadata,
				"extract": e.Extract, "hash": e.Hash, "recorded": place(e.Recorded), "status": e.Status, "attempts": e.Attempts,
				"error": e.Error, "outcome": e.Outcome,
			})
		}
		if len(page) < exportPage || x.err != nil {
			return nil
		}
		after = &page[len(page)-1]
	}
}

// laws writes declarations and merges.
func (x *export) laws(ctx context.Context) error {
	declared, err := x.Declarations(ctx)
	if err != nil {
		return err
	}
	for _, d := range declared {
		if d.At.Tx <= x.tx {
			x.write(row{"kind": "declaration", "change": d.Change, "predicate": d.Predicate, "at": place(d.At)})
		}
	}
	merged, err := x.Merges(ctx, nil)
	for _, m := range merged {
		if m.At.Tx <= x.tx {
			x.write(row{"kind": "merge", "change": m.Change, "from": m.From, "into": m.Into, "at": place(m.At)})
		}
	}
	return err
}

func (x *export) changes(ctx context.Context) error {
	var after *graph.Change
	for {
		page, err := x.ListChanges(ctx, graph.ChangeFilter{Until: x.tx, After: after, Limit: exportPage})
		if err != nil {
			return err
		}
		for _, c := range page {
			lanes := make([]row, len(c.Lanes))
			for i, l := range c.Lanes {
				lanes[i] = lane(l)
			}
			x.write(row{
				"kind": "change", "id": c.ID, "at": place(c.At), "change_kind": c.Kind, "claim": c.Claim, "episode": c.Episode, "actor": c.Actor,
				"reason": c.Reason, "reverts": c.Reverts, "lanes": lanes, "counts": c.Counts,
			})
		}
		if len(page) < exportPage || x.err != nil {
			return nil
		}
		after = &page[len(page)-1]
	}
}

func (x *export) claims(ctx context.Context) error {
	var after *graph.Claim
	for {
		page, err := x.ListClaims(ctx, graph.ClaimFilter{After: after, Limit: exportPage})
		if err != nil {
			return err
		}
		var ids, begun []graph.ClaimID
		for _, c := range page {
			if c.Logged.Tx > x.tx {
				continue
			}
			x.claim(c)
			ids = append(ids, c.ID)
			if !x.facts[c.Fact()] {
				x.facts[c.Fact()] = true
				begun = append(begun, c.Fact())
			}
		}
		if len(ids) > 0 {
			if err := x.consequences(ctx, ids, begun); err != nil {
				return err
			}
		}
		if len(page) < exportPage || x.err != nil {
			return nil
		}
		after = &page[len(page)-1]
	}
}

func (x *export) claim(c graph.Claim) {
	sources := make([]row, len(c.Sources))
	for i, s := range c.Sources {
		sources[i] = row{"episode": s.Episode, "quote": s.Quote}
	}
	x.write(row{
		"kind": "claim", "id": c.ID, "claim_kind": c.Kind, "subject": c.Subject, "predicate": c.Predicate, "object": c.Object,
		"text": c.Text, "type": c.Type, "importance": c.Importance, "valid_from": c.Valid.From, "valid_to": c.Valid.To,
		"precision": bounds(c.Precision), "holds_at": c.HoldsAt, "trust": c.Trust, "sources": sources, "replaces": list(c.Replaces),
		"origin": c.Origin, "correction": c.Correction, "actor": c.Actor, "extractor": c.Extractor, "change": c.Change,
		"logged": place(c.Logged), "rec": place(c.Rec),
	})
}

// consequences writes what followed from claims: effects on them, their placements, and the versions of facts that begin with them.
func (x *export) consequences(ctx context.Context, claims, begun []graph.ClaimID) error {
	effects, err := x.ListEffects(ctx, graph.EffectFilter{Claims: claims})
	if err != nil {
		return err
	}
	for _, e := range effects {
		if e.At.Tx > x.tx {
			continue
		}
		keep := make([]row, len(e.Keep))
		for i, p := range e.Keep {
			keep[i] = period(p)
		}
		x.write(row{
			"kind": "effect", "change": e.Change, "claim": e.Claim, "effect_kind": e.Kind, "cause": e.Cause, "within": period(e.Within), "keep": keep,
			"subject": e.Subject, "predicate": e.Predicate, "object": e.Object, "at": place(e.At),
		})
	}
	placements, err := x.ListPlacements(ctx, graph.PlacementFilter{Claims: claims})
	if err != nil {
		return err
	}
	for _, p := range placements {
		if p.From.Tx > x.tx {
			continue
		}
		if p.To.Tx > x.tx {
			p.To = graph.Pos{}
		}
		x.write(row{
			"kind": "placement", "id": p.ID, "claim": p.Claim, "fact": p.Fact, "rec": place(p.Rec), "claim_kind": p.Kind, "trust": p.Trust,
			"lane": lane(p.Lane), "subject": p.Subject, "predicate": p.Predicate, "object": p.Object, "own": p.Own,
			"valid_from": p.Valid.From, "valid_to": p.Valid.To, "precision": bounds(p.Precision), "holds_at": p.HoldsAt,
			"narrowed": period(p.Narrowed), "muted": p.Muted, "from": place(p.From), "to": place(p.To),
		})
	}
	if len(begun) == 0 {
		return nil
	}
	versions, err := x.VersionsOf(ctx, begun)
	for _, v := range versions {
		x.write(row{
			"kind": "version", "id": v.ID, "fact": v.Fact, "lane": lane(v.Lane), "subject": v.Subject, "predicate": v.Predicate, "object": v.Object,
			"valid_from": v.Valid.From, "valid_to": v.Valid.To, "precision": bounds(v.Precision), "text": v.Text, "type": v.Type,
			"importance": v.Importance, "trust": v.Trust, "hidden": v.Hidden, "tx_from": v.Tx.From, "tx_to": v.Tx.To, "begun": v.Begun, "ended": v.Ended,
		})
	}
	return err
}

// place writes a place in the log; null if it is absent.
func place(p graph.Pos) any {
	if p.IsZero() {
		return nil
	}
	return row{"tx": p.Tx, "seq": p.Seq}
}

func period(p temporal.Period) row { return row{"from": p.From, "to": p.To} }

func bounds(b graph.Bounds) row { return row{"from": b.From, "to": b.To} }

func lane(l graph.Lane) row {
	return row{"subject": l.Subject, "predicate": l.Predicate, "object": l.Object}
}
