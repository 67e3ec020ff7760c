package retrieval

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tenure/belief"
	"tenure/graph"
	"tenure/temporal"
)

// Facts lists the facts of a scope by (valid_from, valid_to, id), a split one once for each window. It shows what is
// believed and visible, and holds at valid_at; a state asks for others: past and future are relative to valid_at, and
// disputed, retracted and forgotten windows are of any valid time unless valid_at is given.
func (s *Service) Facts(ctx context.Context, scope graph.Scope, q FactQuery) (FactPage, error) {
	of := listing("facts", scope, q.ValidAt, q.TxAt, q.Subject, q.Predicate, q.Object, q.Type, q.State,
		q.BeginsFrom, q.BeginsBefore, q.EndsFrom, q.EndsBefore)
	size, sizeErr := q.size()
	place, tokenErr := decode(q.Token, of)
	l, err := s.open(ctx, scope, q.At)
	if err != nil {
		return FactPage{}, err
	}
	if place != nil { // the snapshot of the first page
		l.at.Valid = temporal.Instant(place.Valid)
		if err := l.move(ctx, s.cfg.Store, temporal.Instant(place.Tx)); err != nil {
			return FactPage{}, err
		}
	}
	filter, filterErr := l.filter(q)
	if err := errors.Join(sizeErr, tokenErr, filterErr); err != nil {
		return FactPage{}, err
	}
	filter.After, filter.Limit = place.key(), size+1
	page := FactPage{AsOf: l.asOf()}
	page.Facts, err = l.list(ctx, q, filter)
	if err != nil {
		return FactPage{}, err
	}
	if len(page.Facts) > size {
		page.Facts = page.Facts[:size]
		last := page.Facts[size-1]
		page.Next = token{
			Of: of, Tx: int64(l.at.Tx), Valid: int64(l.at.Valid),
			From: int64(last.Valid.From), To: int64(last.Valid.To), ID: string(last.Version.Fact), Row: last.ID,
		}.encode()
	}
	return page, nil
}

// filter makes the store's filter of a query, except for its entities.
func (l *lens) filter(q FactQuery) (graph.VersionFilter, error) {
	var f graph.VersionFilter
	var errs []error
	for _, bound := range []struct {
		field, text string
		at          *temporal.Instant
	}{
		{"begins_from", q.BeginsFrom, &f.BeginsFrom}, {"begins_before", q.BeginsBefore, &f.BeginsBefore},
		{"ends_from", q.EndsFrom, &f.EndsFrom}, {"ends_before", q.EndsBefore, &f.EndsBefore},
	} {
		var err error
		*bound.at, err = readTime(bound.field, bound.text, l.zone)
		errs = append(errs, err)
	}
	if q.Type != "" {
		f.Types = []string{q.Type}
	}
	const next = 1 // microsecond: turns "at or before" into a half-open bound
	switch graph.State(q.State) {
	case "":
		f.Valid = l.point()
	case graph.Current:
		f.Valid = l.at.Valid
	case graph.Past:
		f.EndsBefore = earlier(f.EndsBefore, l.at.Valid+next)
	case graph.Future:
		f.BeginsFrom = max(f.BeginsFrom, l.at.Valid+next)
	case graph.StateDisputed, graph.StateRetracted, graph.StateForgotten:
		if q.ValidAt != "" {
			f.Valid = l.point()
		}
		f.Gone = graph.State(q.State) == graph.StateRetracted
		if f.Gone {
			f.Hidden = graph.WithHidden
		} else if graph.State(q.State) == graph.StateForgotten {
			f.Hidden = graph.OnlyHidden
		}
	default:
		errs = append(errs, graph.Invalid("state", "want current, past, future, disputed, retracted or forgotten"))
	}
	return f, errors.Join(errs...)
}

// earlier returns the earlier of two bounds, where zero is none.
func earlier(a, b temporal.Instant) temporal.Instant {
	if a.IsZero() {
		return b
	}
	return min(a, b)
}

// list reads the facts of a query, as many as the filter limits them to.
func (l *lens) list(ctx context.Context, q FactQuery, filter graph.VersionFilter) ([]graph.Fact, error) {
	subjects, objects, ok, err := l.ends(ctx, q.Subject, q.Object)
	if err != nil || !ok {
		return nil, err
	}
	predicate, turned := l.canonical(q.Predicate)
	if turned {
		subjects, objects = objects, subjects
	}
	filter.Subjects, filter.Objects = subjects, objects
	if predicate != "" {
		filter.Predicates = []string{predicate}
	}
	if graph.State(q.State) == graph.StateDisputed {
		return l.disputed(ctx, filter)
	}
	versions, err := l.versions(ctx, filter)
	if err != nil {
		return nil, err
	}
	out, err := l.dress(ctx, versions)
	if filter.Gone {
		for i := range out {
			out[i].State = graph.StateRetracted
		}
	}
	return out, err
}

// ends finds the entities of both ends of a query; ok is false if one of them is named and there is none of that name.
func (l *lens) ends(ctx context.Context, subject, object string) (subjects, objects []graph.EntityID, ok bool, err error) {
	for _, end := range []struct {
		word string
		ids  *[]graph.EntityID
	}{{subject, &subjects}, {object, &objects}} {
		if end.word == "" {
			continue
		}
		if *end.ids, err = l.find(ctx, end.word); err != nil || len(*end.ids) == 0 {
			return nil, nil, false, err
		}
	}
	return subjects, objects, true, nil
}

// canonical returns the declared name of a predicate, and whether the name is the inverse of that, so that the ends change sides.
func (l *lens) canonical(predicate string) (name string, turned bool) {
	subject, name, _ := l.world.Registry().Canonical("s", predicate, "o")
	return name, subject != "s"
}

// versions reads the versions that a filter selects. A fact of a symmetric predicate is found from either end.
func (l *lens) versions(ctx context.Context, filter graph.VersionFilter) ([]graph.Version, error) {
	found, err := l.Versions(ctx, filter)
	if err != nil || len(filter.Subjects)+len(filter.Objects) == 0 {
		return found, err
	}
	turned := filter
	turned.Subjects, turned.Objects = filter.Objects, filter.Subjects
	turned.Predicates = l.symmetric(filter.Predicates)
	if len(turned.Predicates) == 0 {
		return found, nil
	}
	more, err := l.Versions(ctx, turned)
	if err != nil || len(more) == 0 {
		return found, err
	}
	found = append(found, more...)
	slices.SortFunc(found, byWindow)
	found = slices.CompactFunc(found, func(a, b graph.Version) bool { return a.ID == b.ID })
	if filter.Limit > 0 && len(found) > filter.Limit {
		found = found[:filter.Limit]
	}
	return found, nil
}

// symmetric returns those of the predicates that are symmetric; of all there are if none is named.
func (l *lens) symmetric(names []string) []string {
	registry := l.world.Registry()
	if len(names) > 0 {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !registry.Get(name).Symmetric })
	}
	for _, p := range registry.All() {
		if p.Symmetric {
			names = append(names, p.Name)
		}
	}
	return names
}

// byWindow orders versions as stores list them.
func byWindow(a, b graph.Version) int {
	return cmp.Or(temporal.Compare(a.Valid, b.Valid), cmp.Compare(a.Fact, b.Fact), cmp.Compare(a.ID, b.ID))
}

// disputed lists disputed windows. They are computed, not stored, so the filter is applied here.
func (l *lens) disputed(ctx context.Context, filter graph.VersionFilter) ([]graph.Fact, error) {
	at := l.at
	if filter.Valid.IsZero() {
		at.Any = true
	}
	found, err := belief.DisputedFacts(ctx, l.Reader, graph.PlacementFilter{
		Subjects: filter.Subjects, Predicates: filter.Predicates, Objects: filter.Objects, CountsAt: l.at.Tx,
	}, at)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f graph.Fact) bool { return !passes(f.Version, filter) })
	slices.SortFunc(found, func(a, b graph.Fact) int { return byWindow(a.Version, b.Version) })
	return found[:min(len(found), filter.Limit)], nil
}

// passes reports whether a version is of the type, within the bounds, and after the place that a filter names.
func passes(v graph.Version, f graph.VersionFilter) bool {
	switch {
	case len(f.Types) > 0 && !slices.Contains(f.Types, v.Type),
		!f.Valid.IsZero() && !v.Valid.Contains(f.Valid),
		v.Valid.From < f.BeginsFrom, !f.BeginsBefore.IsZero() && v.Valid.From >= f.BeginsBefore,
		v.Valid.End() < f.EndsFrom, !f.EndsBefore.IsZero() && v.Valid.End() >= f.EndsBefore:
		return false
	}
	return f.After == nil || byWindow(v, graph.Version{Valid: f.After.Valid, Fact: f.After.Fact, ID: f.After.ID}) > 0
}

// Fact returns the fact that an id, of a fact or of any claim, leads to: with its window at valid_at, else its last; as
// retracted if nothing of it is believed any more. An id that leads nowhere, or only to what was not yet known at tx_at, is
// ErrNotFound.
func (s *Service) Fact(ctx context.Context, scope graph.Scope, id graph.ClaimID, at At) (FactDetail, error) {
	l, err := s.open(ctx, scope, at)
	if err != nil {
		return FactDetail{}, err
	}
	versions, err := l.VersionsOf(ctx, []graph.ClaimID{id})
	if err != nil {
		return FactDetail{}, err
	}
	if !slices.ContainsFunc(versions, l.believed) {
		// It is a claim's id, or what it began was taken over since.
		leads, err := belief.Locate(ctx, l.Reader, id)
		if err != nil {
			return FactDetail{}, err
		}
		if leads != id {
			if versions, err = l.VersionsOf(ctx, []graph.ClaimID{leads}); err != nil {
				return FactDetail{}, err
			}
		}
	}
	if len(versions) == 0 {
		return FactDetail{}, graph.NotFound("fact")
	}
	shown, held := l.show(versions)
	dressed, err := l.dress(ctx, []graph.Version{shown})
	if err != nil {
		return FactDetail{}, err
	}
	detail := FactDetail{Fact: dressed[0], Versions: versions, AsOf: l.asOf()}
	if !held {
		detail.Fact.State = graph.StateRetracted
	}
	detail.Claims, err = l.claims(ctx, detail.Fact)
	return detail, err
}

// believed reports whether a version is believed at the lens's transaction time.
func (l *lens) believed(v graph.Version) bool { return v.Tx.Contains(l.at.Tx) }

// show picks the version to show of a fact: of those believed the one at valid_at, else the last; held is false if none is
// believed, and the last one that was is shown.
func (l *lens) show(versions []graph.Version) (shown graph.Version, held bool) {
	for _, v := range versions {
		if !l.believed(v) {
			continue
		}
		if !held || v.Valid.Contains(l.at.Valid) || !shown.Valid.Contains(l.at.Valid) && temporal.Compare(v.Valid, shown.Valid) > 0 {
			shown, held = v, true
		}
	}
	if held {
		return shown, true
	}
	return slices.MaxFunc(versions, func(a, b graph.Version) int {
		return cmp.Or(cmp.Compare(a.Tx.End(), b.Tx.End()), byWindow(a, b))
	}), false
}

// claims returns why a fact holds: the claims that count in its lane and bear on its window, in the order in which they were
// recorded. Of a fact that is not believed any more they are the claims that were made for it.
func (l *lens) claims(ctx context.Context, f graph.Fact) ([]ClaimDetail, error) {
	placed, err := l.ListPlacements(ctx, graph.PlacementFilter{Lanes: []graph.Lane{f.Lane}, CountsAt: l.at.Tx})
	if err != nil {
		return nil, err
	}
	ids := slices.Clone(f.Claims)
	for _, p := range placed {
		if p.Valid.Overlaps(f.Valid) {
			ids = append(ids, p.Claim)
		}
	}
	slices.Sort(ids)
	known, err := l.Reader.Claims(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	if f.State == graph.StateRetracted {
		told, err := l.ListClaims(ctx, graph.ClaimFilter{Facts: []graph.ClaimID{f.Version.Fact}})
		if err != nil {
			return nil, err
		}
		for _, c := range told {
			if c.Logged.Tx <= l.at.Tx {
				known[c.ID] = c
			}
		}
	}
	var names []graph.EntityID
	for _, c := range known {
		names = append(names, c.Subject)
		if c.Object != "" {
			names = append(names, c.Object)
		}
	}
	slices.Sort(names)
	nodes, err := l.Reader.Entities(ctx, slices.Compact(names))
	if err != nil {
		return nil, err
	}
	out := make([]ClaimDetail, 0, len(known))
	for _, c := range known {
		out = append(out, ClaimDetail{
			Claim: c, SubjectNode: nodes[c.Subject], ObjectNode: nodes[c.Object], Supports: slices.Contains(f.Claims, c.ID),
		})
	}
	slices.SortFunc(out, func(a, b ClaimDetail) int { return cmp.Or(a.Rec.Compare(b.Rec), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}
