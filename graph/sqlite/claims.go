package sqlite

import (
	"cmp"
	"context"
	"strings"

	"tenure/graph"
)

func claimArgs(c graph.Claim) []param {
	sources := make([][2]string, len(c.Sources))
	for i, s := range c.Sources {
		sources[i] = [2]string{string(s.Episode), s.Quote}
	}
	var importance any
	if c.Importance != nil {
		importance = *c.Importance
	}
	return []param{
		arg("id", string(c.ID)), arg("kind", string(c.Kind)), arg("subject", string(c.Subject)), arg("predicate", c.Predicate),
		arg("object", string(c.Object)), arg("text", c.Text), arg("type", c.Type), arg("importance", importance),
		arg("valid_from", begin(c.Valid.From)), arg("valid_to", end(c.Valid.To)),
		arg("precision_from", string(c.Precision.From)), arg("precision_to", string(c.Precision.To)),
		arg("holds_at", begin(c.HoldsAt)), arg("trust", string(c.Trust)), arg("sources", list(sources)),
		arg("replaces", list(c.Replaces)), arg("origin", string(c.Origin)), arg("correction", c.Correction),
		arg("actor", c.Actor), arg("extractor", c.Extractor), arg("change", string(c.Change)),
		arg("logged_tx", begin(c.Logged.Tx)), arg("logged_seq", c.Logged.Seq),
		arg("rec_tx", begin(c.Rec.Tx)), arg("rec_seq", c.Rec.Seq),
	}
}

func scanClaim(row scanner) (graph.Claim, error) {
	var c graph.Claim
	var sources [][2]string
	err := row.Scan(
		(*string)(&c.ID), (*string)(&c.Kind), (*string)(&c.Subject), &c.Predicate, (*string)(&c.Object), &c.Text, &c.Type, &c.Importance,
		beginColumn{&c.Valid.From}, endColumn{&c.Valid.To}, (*string)(&c.Precision.From), (*string)(&c.Precision.To),
		beginColumn{&c.HoldsAt}, (*string)(&c.Trust), jsonColumn{&sources}, jsonColumn{&c.Replaces}, (*string)(&c.Origin), &c.Correction,
		&c.Actor, &c.Extractor, (*string)(&c.Change),
		beginColumn{&c.Logged.Tx}, &c.Logged.Seq, beginColumn{&c.Rec.Tx}, &c.Rec.Seq,
	)
	for _, s := range sources {
		c.Sources = append(c.Sources, graph.Source{Episode: graph.EpisodeID(s[0]), Quote: s[1]})
	}
	return c, err
}

func claimID(c graph.Claim) graph.ClaimID { return c.ID }

// byLogged is the order of claims.
func byLogged(a, b graph.Claim) int {
	return cmp.Or(a.Logged.Compare(b.Logged), strings.Compare(string(a.ID), string(b.ID)))
}

// Claims implements graph.LogReader.
func (r *reader) Claims(ctx context.Context, ids []graph.ClaimID) (map[graph.ClaimID]graph.Claim, error) {
	return byID(ctx, r, claimGet, scanClaim, claimID, ids)
}

// ListClaims implements graph.LogReader.
func (r *reader) ListClaims(ctx context.Context, f graph.ClaimFilter) ([]graph.Claim, error) {
	after := place{}
	if f.After != nil {
		after = place{f.After.Logged, string(f.After.ID)}
	}
	args := append(after.args(), arg("limit", bound(f.Limit)))
	if len(f.Facts)+len(f.Changes) > 0 {
		args = after.args() // these are few, and read whole
	}
	lists := []listing{
		{claimListByFact, arg("facts", filter(f.Facts)), len(f.Facts)},
		{claimListByChange, arg("changes", filter(f.Changes)), len(f.Changes)},
		{claimListByEpisode, arg("episodes", filter(f.Episodes)), len(f.Episodes)},
		{claimListByEntity, arg("entities", filter(f.Entities)), len(f.Entities)},
		{claimListByPredicate, arg("predicates", filter(f.Predicates)), len(f.Predicates)},
	}
	statement, args := choose(lists, claimList, args)
	found, err := fetch(ctx, r, statement, scanClaim, args...)
	if err != nil {
		return nil, err
	}
	return ordered(found, byLogged, f.Limit), nil
}
