package ingest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// Remember stores episodes before anything else happens to them, all or none, and returns them as far as they got within
// the wait. What it returned without an error is kept for good and worked off once, in the order of the scope. The same id or
// idempotency key with the same content gives the same episodes, with other content ErrConflict.
func (s *Service) Remember(ctx context.Context, scope graph.Scope, in []EpisodeInput, wait Wait, who Caller) (Remembered, error) {
	zone, err := s.zone(ctx, scope)
	if err != nil {
		return Remembered{}, err
	}
	episodes, err := s.readEpisodes(in, zone)
	if err != nil {
		return Remembered{}, err
	}
	ids, err := s.keep(ctx, scope, episodes, who, hashOf("episodes", in, who.Actor))
	if err != nil {
		return Remembered{}, err
	}
	s.queue.add(scope)
	return s.await(ctx, scope, ids, wait)
}

// readEpisodes checks episodes and reads their times. Every fault is named.
func (s *Service) readEpisodes(in []EpisodeInput, zone *time.Location) ([]graph.Episode, error) {
	var c checks
	if len(in) < 1 || len(in) > maxItems {
		c.add("episodes", "want 1 to 1000 episodes")
		return nil, c.err()
	}
	out := make([]graph.Episode, len(in))
	seen := map[graph.EpisodeID]bool{}
	for i, x := range in {
		at := ""
		if len(in) > 1 {
			at = index("episodes", i) + "."
		}
		out[i] = x.read(&c, at, zone, s.clock.Now())
		if seen[out[i].ID] {
			c.add(at+"id", "another episode of the request has the id")
		}
		seen[out[i].ID] = true
	}
	return out, c.err()
}

// read checks one episode. A message, an event or JSON without a time happened when it was stated; a document without a
// time has none.
func (in EpisodeInput) read(c *checks, at string, zone *time.Location, now temporal.Instant) graph.Episode {
	e := graph.Episode{
		ID: graph.EpisodeID(in.ID), Kind: in.Kind, Conversation: in.Conversation, Speaker: in.Speaker, Role: in.Role, Text: in.Text,
		Metadata: in.Metadata, Extract: in.Extract == nil || *in.Extract, Hash: hashOf("episode", in), Status: graph.Pending,
	}
	if in.ID == "" {
		e.ID = graph.NewID[graph.Episode]()
	} else {
		c.id(at+"id", in.ID)
	}
	switch in.Kind {
	case "":
		e.Kind = graph.Message
	case graph.Message, graph.Document, graph.Event, graph.JSON:
	default:
		c.add(at+"kind", "want message, document, event or json")
	}
	switch in.Role {
	case "":
		if e.Kind == graph.Message {
			e.Role = graph.User
		}
	case graph.User, graph.Assistant, graph.System, graph.Tool:
	default:
		c.add(at+"role", "want user, assistant, system or tool")
	}
	if in.Text == "" {
		c.add(at+"text", "want a text")
	}
	c.text(at+"text", in.Text, maxText)
	for field, s := range map[string]string{"conversation": in.Conversation, "speaker": in.Speaker} {
		if utf8.RuneCountInString(s) > maxName {
			c.add(at+field, "want at most 512 characters")
		}
	}
	if len(in.Metadata) > maxMetadata {
		c.add(at+"metadata", "want at most 64 KiB")
	} else if len(in.Metadata) > 0 && (!json.Valid(in.Metadata) || !strings.HasPrefix(strings.TrimSpace(string(in.Metadata)), "{")) {
		c.add(at+"metadata", "want a JSON object")
	}
	in.readTime(c, at, zone, now, &e)
	if !e.Extract {
		e.Status = graph.Done
	}
	return e
}

// readTime reads when it happened, and the offset that relative words in it are read at.
func (in EpisodeInput) readTime(c *checks, at string, zone *time.Location, now temporal.Instant, e *graph.Episode) {
	d := c.date(at+"occurred_at", in.OccurredAt, zone)
	e.Occurred, e.Precision = d.At, d.Precision
	if t, err := time.Parse(time.RFC3339Nano, in.OccurredAt); err == nil && d.At != 0 {
		_, offset := t.Zone()
		e.Offset = &offset
	}
	if in.OccurredAt == "" && e.Kind != graph.Document {
		e.Occurred = now
	}
}

// keep stores episodes that are not stored yet, in one transaction, and returns their ids.
func (s *Service) keep(ctx context.Context, scope graph.Scope, episodes []graph.Episode, who Caller, hash string) ([]graph.EpisodeID, error) {
	var ids []graph.EpisodeID
	err := s.update(ctx, scope, who, func(w graph.Writer, session *ledger.Session) error {
		receipt, ok, err := receiptOf(ctx, w, who, hash)
		if err != nil || ok {
			ids = receipt.Episodes
			return err
		}
		fresh, all, err := unheld(ctx, w, episodes)
		if err != nil {
			return err
		}
		ids = all
		delta := graph.Delta{Episodes: fresh}
		if who.Key != "" {
			delta.Receipts = []graph.Receipt{{Key: who.Key, Hash: hash, Tx: w.Now(), Episodes: ids}}
		}
		if len(delta.Episodes)+len(delta.Receipts) == 0 {
			return nil
		}
		if err := session.Commit(ctx); err != nil { // pins the scope's predicates if it begins
			return err
		}
		return w.Write(ctx, delta)
	})
	return ids, err
}

// unheld returns the episodes that the scope does not hold yet, with their place in the log, and the ids of all.
func unheld(ctx context.Context, w graph.Writer, episodes []graph.Episode) ([]graph.Episode, []graph.EpisodeID, error) {
	ids := make([]graph.EpisodeID, len(episodes))
	hashes := make([]string, len(episodes))
	for i, e := range episodes {
		ids[i], hashes[i] = e.ID, ledger.EpisodeTombstone(e.ID)
	}
	held, err := w.Episodes(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	erased, err := w.Tombstones(ctx, hashes)
	if err != nil {
		return nil, nil, err
	}
	var fresh []graph.Episode
	for i, e := range episodes {
		old, ok := held[e.ID]
		switch {
		case erased[hashes[i]]:
			return nil, nil, graph.Conflict("episode %d of the request: the episode of its id was erased: use a new id", i)
		case ok && old.Hash != e.Hash:
			return nil, nil, graph.Conflict("episode %d of the request: another episode has its id", i)
		case !ok:
			e.Recorded = graph.Pos{Tx: w.Now(), Seq: i}
			fresh = append(fresh, e)
		}
	}
	return fresh, ids, nil
}

// await reads the episodes once they are worked off or the wait is over.
func (s *Service) await(ctx context.Context, scope graph.Scope, ids []graph.EpisodeID, wait Wait) (Remembered, error) {
	deadline := s.queue.after(wait)
	for {
		progress := s.queue.progress() // before the read: what ends after it is heard of
		out, err := s.held(ctx, scope, ids)
		if err != nil || wait <= 0 || out.Finished() {
			return out, err
		}
		select {
		case <-progress:
		case <-deadline:
			wait = 0
		case <-ctx.Done():
			return out, nil // it is stored: the caller gets what there is
		}
	}
}

// held reads episodes in the order of their ids. Those erased meanwhile are left out.
func (s *Service) held(ctx context.Context, scope graph.Scope, ids []graph.EpisodeID) (Remembered, error) {
	r, err := s.store.Snapshot(context.WithoutCancel(ctx), graph.View{Scope: scope})
	if err != nil {
		return Remembered{}, err
	}
	found, err := r.Episodes(context.WithoutCancel(ctx), ids)
	if err != nil {
		return Remembered{}, err
	}
	var out Remembered
	for _, id := range ids {
		if e, ok := found[id]; ok {
			out.Episodes = append(out.Episodes, e)
		}
	}
	return out, nil
}

// RetryEpisode has a failed or dead episode worked off again.
func (s *Service) RetryEpisode(ctx context.Context, scope graph.Scope, id graph.EpisodeID) (graph.Episode, error) {
	if err := s.exists(ctx, scope); err != nil {
		return graph.Episode{}, err
	}
	var e graph.Episode
	err := s.store.Update(ctx, scope, func(w graph.Writer) error {
		found, err := w.Episodes(ctx, []graph.EpisodeID{id})
		if err != nil {
			return err
		}
		var ok bool
		if e, ok = found[id]; !ok {
			return graph.NotFound("episode")
		}
		if !slices.Contains([]graph.Status{graph.Failed, graph.Dead}, e.Status) {
			return graph.Conflict("the episode is %s: only a failed or dead one can be tried again", e.Status)
		}
		e.Status, e.Attempts, e.Error = graph.Pending, 0, ""
		return w.Write(ctx, graph.Delta{Episodes: []graph.Episode{e}})
	})
	if err == nil {
		s.queue.add(scope)
	}
	return e, err
}
