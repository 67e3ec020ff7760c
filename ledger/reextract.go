package ledger

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"tenure/graph"
)

// Reextract has the claims of a newer extractor take the place of those that extractors made of these episodes before. A
// claim equal in triple to an old one takes its place in the log, its fact's id, and what later operations did to it; one
// that an erase left a tombstone of is left out. Structured claims stay.
func (s *Session) Reextract(ctx context.Context, op Op, episodes []graph.EpisodeID, claims []graph.Claim) (Result, error) {
	if len(episodes) == 0 {
		return Result{Outcome: Unchanged}, nil
	}
	old, err := s.extracted(ctx, episodes)
	if err != nil {
		return Result{}, err
	}
	var touched []graph.ClaimID
	for _, c := range old {
		touched = append(touched, c.ID)
	}
	claims, err = s.buried(ctx, claims)
	if err != nil {
		return Result{}, err
	}
	st := s.start(op, graph.ChangeReextract)
	for _, c := range old {
		s.effect(st, graph.Effect{Claim: c.ID, Kind: graph.Limit})
	}
	for _, c := range claims {
		if i := slices.IndexFunc(old, func(o graph.Claim) bool { return s.sameTriple(o, c) }); i >= 0 {
			c.Rec, c.Origin, c.Correction = old[i].Rec, old[i].Fact(), old[i].Correction
			s.inherit(old[i].ID, c.ID, func(e graph.Effect) bool { return s.changes[e.Change].Kind != graph.ChangeReextract })
			s.inheritReverts(old[i], c.ID)
			old = slices.Delete(old, i, i+1)
		}
		logged, err := s.log(ctx, st, c)
		if err != nil {
			return Result{}, err
		}
		s.delta.Claims = append(s.delta.Claims, s.claims[c.ID])
		touched = append(touched, logged...)
		st.forced = true
	}
	if err := s.relive(ctx, st, touched...); err != nil {
		return Result{}, err
	}
	d, change, err := s.finish(ctx, st)
	return Result{Ended: d.Ended, Change: change}, err
}

// extracted returns the claims that extractors made of episodes, with all that decides where they count loaded. Of several that say
// the same, the one to take the place of comes first: the one that counts, else the latest.
func (s *Session) extracted(ctx context.Context, episodes []graph.EpisodeID) ([]graph.Claim, error) {
	old, err := s.w.ListClaims(ctx, graph.ClaimFilter{Episodes: episodes})
	if err != nil {
		return nil, err
	}
	old = slices.DeleteFunc(old, func(c graph.Claim) bool { return c.Extractor == "" })
	var ids []graph.ClaimID
	for _, c := range old {
		s.claims[c.ID] = c
		ids = append(ids, c.ID)
	}
	if err := s.loadLives(ctx, ids); err != nil {
		return nil, err
	}
	var changes []graph.ChangeID
	for _, c := range old {
		if c.Change != "" {
			changes = append(changes, c.Change)
		}
		for _, e := range s.effects[c.ID] {
			changes = append(changes, e.Change)
		}
	}
	if err := s.loadChanges(ctx, changes); err != nil {
		return nil, err
	}
	slices.SortStableFunc(old, func(a, b graph.Claim) int {
		return cmp.Or(s.ends(a.ID)-s.ends(b.ID), b.Logged.Compare(a.Logged))
	})
	return old, nil
}

// inheritReverts lets a claim not count while the change that logged the claim it takes the place of is reverted: what a
// person undid is not done again by a machine.
func (s *Session) inheritReverts(old graph.Claim, id graph.ClaimID) {
	if s.changes[old.Change].Kind == graph.ChangeReextract {
		return
	}
	for _, r := range s.reverts[old.Change] {
		e := graph.Effect{Change: r.ID, Claim: id, Kind: graph.Limit, At: r.At}
		s.effects[id] = append(s.effects[id], e)
		s.delta.Effects = append(s.delta.Effects, e)
	}
}

// ends is 0 for a claim that counts and 1 for one that does not.
func (s *Session) ends(id graph.ClaimID) int {
	if slices.ContainsFunc(s.lives[id], func(p graph.Placement) bool { return p.Own && p.To.IsZero() }) {
		return 0
	}
	return 1
}

// sameTriple reports whether two claims say the same of the same things, whatever their times.
func (s *Session) sameTriple(a, b graph.Claim) bool {
	_, _, ao, al := s.World().Triple(a.Subject, a.Predicate, a.Object)
	_, _, bo, bl := s.World().Triple(b.Subject, b.Predicate, b.Object)
	return a.Kind == b.Kind && ao == bo && al == bl
}

// buried leaves out the claims that an erase left a tombstone of.
func (s *Session) buried(ctx context.Context, claims []graph.Claim) ([]graph.Claim, error) {
	var hashes []string
	for _, c := range claims {
		hashes = append(hashes, s.tombstones(c)...)
	}
	dead, err := s.w.Tombstones(ctx, hashes)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c graph.Claim) bool {
		return slices.ContainsFunc(s.tombstones(c), func(h string) bool { return dead[h] })
	}), nil
}

// tombstones are the hashes that an erased claim leaves: two for each episode that said so, of what it said and of what that means
// now. Either finds it again, whatever is merged or declared in between.
func (s *Session) tombstones(c graph.Claim) []string {
	_, _, object, lane := s.World().Triple(c.Subject, c.Predicate, c.Object)
	var out []string
	for _, source := range c.Sources {
		out = append(out,
			hash("claim", string(source.Episode), string(lane.Subject), lane.Predicate, string(lane.Object), string(object)),
			hash("told", string(source.Episode), string(c.Subject), c.Predicate, string(c.Object)))
	}
	return out
}

// EpisodeTombstone is the hash that an erased episode leaves of its id.
func EpisodeTombstone(id graph.EpisodeID) string { return hash("episode", string(id)) }

func hash(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(strconv.Itoa(len(part)) + ":" + part)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}
