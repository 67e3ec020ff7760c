package sqlite

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"tenure/graph"
	"tenure/temporal"
)

func versionArgs(v graph.Version) []param {
	return []param{
		arg("id", string(v.ID)), arg("fact", string(v.Fact)),
		arg("lane_subject", string(v.Lane.Subject)), arg("lane_predicate", v.Lane.Predicate), arg("lane_object", string(v.Lane.Object)),
		arg("subject", string(v.Subject)), arg("predicate", v.Predicate), arg("object", string(v.Object)),
		arg("valid_from", begin(v.Valid.From)), arg("valid_to", end(v.Valid.To)),
		arg("precision_from", string(v.Precision.From)), arg("precision_to", string(v.Precision.To)),
		arg("text", v.Text), arg("type", v.Type), arg("importance", v.Importance), arg("trust", string(v.Trust)),
		arg("hidden", v.Hidden), arg("tx_from", begin(v.Tx.From)), arg("tx_to", end(v.Tx.To)),
		arg("begun", string(v.Begun)), arg("ended", string(v.Ended)),
	}
}

// version returns what scans a version as it was known at the reader's time, after other columns.
func (r *reader) version(row scanner, others ...any) (graph.Version, error) {
	var v graph.Version
	err := row.Scan(append(others,
		(*string)(&v.ID), (*string)(&v.Fact), (*string)(&v.Lane.Subject), &v.Lane.Predicate, (*string)(&v.Lane.Object), (*string)(&v.Subject), &v.Predicate, (*string)(&v.Object),
		beginColumn{&v.Valid.From}, endColumn{&v.Valid.To}, (*string)(&v.Precision.From), (*string)(&v.Precision.To),
		&v.Text, &v.Type, &v.Importance, (*string)(&v.Trust), &v.Hidden,
		beginColumn{&v.Tx.From}, endColumn{&v.Tx.To}, (*string)(&v.Begun), (*string)(&v.Ended),
	)...)
	if v.Tx.To > r.tx { // at that time nobody knew that it would end
		v.Tx.To, v.Ended = 0, ""
	}
	return v, err
}

func (r *reader) scanVersion(row scanner) (graph.Version, error) { return r.version(row) }

// byValid is the order of versions.
func byValid(a, b graph.Version) int {
	return cmp.Or(temporal.Compare(a.Valid, b.Valid), cmp.Compare(a.Fact, b.Fact), cmp.Compare(a.ID, b.ID))
}

// Versions implements graph.FactReader.
//
// The last version of a fact that is gone is the one that was believed last; of several that ended at once, the last by
// (tx begin, begin, id).
func (r *reader) Versions(ctx context.Context, f graph.VersionFilter) ([]graph.Version, error) {
	lanes := triples(f.Lanes)
	lists := []listing{
		{versionListByLane, arg("lanes", filter(lanes)), len(lanes)},
		{versionListBySubject, arg("subjects", filter(f.Subjects)), len(f.Subjects)},
		{versionListByObject, arg("objects", filter(f.Objects)), len(f.Objects)},
		{versionListByPredicate, arg("predicates", filter(f.Predicates)), len(f.Predicates)},
		{versionListByType, arg("types", filter(f.Types)), len(f.Types)},
	}
	whole := versionList
	if f.Gone {
		gone := []string{versionListGoneByLane, versionListGoneBySubject, versionListGoneByObject, versionListGoneByPredicate, versionListGoneByType}
		for i := range lists {
			lists[i].statement = gone[i]
		}
		whole = versionListGone
	}
	args := r.versionArgs(f)
	if len(lanes) == 0 { // the versions of lanes are few, and read whole
		args = append(args, arg("limit", bound(f.Limit)))
	}
	statement, args := choose(lists, whole, args)
	found, err := fetch(ctx, r, statement, r.scanVersion, args...)
	if err != nil {
		return nil, err
	}
	return ordered(found, byValid, f.Limit), nil
}

// versionArgs returns the parameters that every listing of versions has.
func (r *reader) versionArgs(f graph.VersionFilter) []param {
	after := []param{arg("after_from", begin(f.BeginsFrom)), arg("after_to", never), arg("after_fact", ""), arg("after_id", "")}
	if f.After != nil && f.After.Valid.From >= f.BeginsFrom {
		after = []param{
			arg("after_from", begin(f.After.Valid.From)), arg("after_to", end(f.After.Valid.To)),
			arg("after_fact", string(f.After.Fact)), arg("after_id", string(f.After.ID)),
		}
	}
	var hidden any
	switch f.Hidden {
	case graph.HideHidden:
		hidden = false
	case graph.OnlyHidden:
		hidden = true
	}
	return append(after,
		arg("tx", begin(r.tx)), arg("begins_before", end(f.BeginsBefore)), arg("valid", moment(f.Valid)),
		arg("ends_from", moment(f.EndsFrom)), arg("ends_before", moment(f.EndsBefore)), arg("hidden", hidden),
	)
}

// VersionsOf implements graph.FactReader.
func (r *reader) VersionsOf(ctx context.Context, facts []graph.ClaimID) ([]graph.Version, error) {
	if len(facts) == 0 {
		return nil, r.check(ctx)
	}
	found, err := fetch(ctx, r, versionHistory, r.scanVersion, arg("facts", distinct(facts)), arg("tx", begin(r.tx)))
	if err != nil {
		return nil, err
	}
	return ordered(found, func(a, b graph.Version) int {
		return cmp.Or(cmp.Compare(a.Tx.From, b.Tx.From), cmp.Compare(a.Valid.From, b.Valid.From), cmp.Compare(a.ID, b.ID))
	}, 0), nil
}

// byImportance is the order of the versions around an entity.
func byImportance(a, b graph.Version) int {
	return cmp.Or(cmp.Compare(b.Importance, a.Importance), cmp.Compare(a.ID, b.ID))
}

// Around implements graph.FactReader. The answer as a whole is ordered like the part of each entity, and has a version once. A
// perEntity of 0 is no bound.
func (r *reader) Around(ctx context.Context, entities []graph.EntityID, valid temporal.Instant, perEntity int) ([]graph.Version, error) {
	if len(entities) == 0 {
		return nil, r.check(ctx)
	}
	of := map[graph.EntityID][]graph.Version{}
	_, err := fetch(ctx, r, versionListAround, func(row scanner) (struct{}, error) {
		var entity graph.EntityID
		v, err := r.version(row, &entity)
		of[entity] = append(of[entity], v)
		return struct{}{}, err
	}, arg("entities", distinct(entities)), arg("tx", begin(r.tx)), arg("valid", moment(valid)), arg("limit", bound(perEntity)))
	if err != nil {
		return nil, err
	}
	var out []graph.Version
	for _, entity := range slices.Sorted(maps.Keys(of)) {
		out = append(out, ordered(of[entity], byImportance, perEntity)...)
	}
	return ordered(out, byImportance, 0), nil
}

// Used implements graph.FactReader.
func (r *reader) Used(ctx context.Context, facts []graph.ClaimID) (map[graph.ClaimID]temporal.Instant, error) {
	out := make(map[graph.ClaimID]temporal.Instant, len(facts))
	if len(facts) == 0 {
		return out, r.check(ctx)
	}
	_, err := fetch(ctx, r, markFind, func(row scanner) (struct{}, error) {
		var fact graph.ClaimID
		var used temporal.Instant
		err := row.Scan(&fact, beginColumn{&used})
		out[fact] = used
		return struct{}{}, err
	}, arg("facts", list(facts)))
	if err != nil {
		return nil, err
	}
	return out, nil
}
