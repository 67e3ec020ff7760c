package sqlite

import (
	"cmp"
	"context"
	"strings"

	"tenure/graph"
)

func placementArgs(p graph.Placement) []param {
	to := end(p.To.Tx)
	return []param{
		arg("id", string(p.ID)), arg("claim", string(p.Claim)), arg("fact", string(p.Fact)),
		arg("rec_tx", begin(p.Rec.Tx)), arg("rec_seq", p.Rec.Seq), arg("kind", string(p.Kind)), arg("trust", string(p.Trust)),
		arg("lane_subject", string(p.Lane.Subject)), arg("lane_predicate", p.Lane.Predicate), arg("lane_object", string(p.Lane.Object)),
		arg("subject", string(p.Subject)), arg("predicate", p.Predicate), arg("object", string(p.Object)), arg("own", p.Own),
		arg("valid_from", begin(p.Valid.From)), arg("valid_to", end(p.Valid.To)),
		arg("precision_from", string(p.Precision.From)), arg("precision_to", string(p.Precision.To)),
		arg("holds_at", begin(p.HoldsAt)), arg("narrowed_from", begin(p.Narrowed.From)), arg("narrowed_to", end(p.Narrowed.To)),
		arg("muted", p.Muted), arg("from_tx", begin(p.From.Tx)), arg("from_seq", p.From.Seq),
		arg("to_tx", to), arg("to_seq", p.To.Seq),
	}
}

func scanPlacement(row scanner) (graph.Placement, error) {
	var p graph.Placement
	err := row.Scan(
		(*string)(&p.ID), (*string)(&p.Claim), (*string)(&p.Fact), beginColumn{&p.Rec.Tx}, &p.Rec.Seq, (*string)(&p.Kind), (*string)(&p.Trust),
		(*string)(&p.Lane.Subject), &p.Lane.Predicate, (*string)(&p.Lane.Object), (*string)(&p.Subject), &p.Predicate, (*string)(&p.Object), &p.Own,
		beginColumn{&p.Valid.From}, endColumn{&p.Valid.To}, (*string)(&p.Precision.From), (*string)(&p.Precision.To),
		beginColumn{&p.HoldsAt}, beginColumn{&p.Narrowed.From}, endColumn{&p.Narrowed.To},
		&p.Muted, beginColumn{&p.From.Tx}, &p.From.Seq, endColumn{&p.To.Tx}, &p.To.Seq,
	)
	return p, err
}

// byLane is the order of placements.
func byLane(a, b graph.Placement) int {
	return cmp.Or(
		a.Lane.Compare(b.Lane), a.Rec.Compare(b.Rec), a.From.Compare(b.From), strings.Compare(string(a.ID), string(b.ID)),
	)
}

// ListPlacements implements graph.LogReader.
func (r *reader) ListPlacements(ctx context.Context, f graph.PlacementFilter) ([]graph.Placement, error) {
	lanes := triples(f.Lanes)
	lists := []listing{
		{placementListByLane, arg("lanes", filter(lanes)), len(lanes)},
		{placementListByClaim, arg("claims", filter(f.Claims)), len(f.Claims)},
		{placementListBySubject, arg("subjects", filter(f.Subjects)), len(f.Subjects)},
		{placementListByObject, arg("objects", filter(f.Objects)), len(f.Objects)},
		{placementListByPredicate, arg("predicates", filter(f.Predicates)), len(f.Predicates)},
	}
	statement, args := choose(lists, placementList, []param{arg("tx", moment(f.CountsAt))})
	if statement == placementList && f.Trust == graph.Inferred {
		statement = placementListInferred
	} else {
		args = append(args, arg("trust", optional(string(f.Trust))))
	}
	found, err := fetch(ctx, r, statement, scanPlacement, args...)
	if err != nil {
		return nil, err
	}
	return ordered(found, byLane, 0), nil
}
