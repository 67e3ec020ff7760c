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

// Timeline returns what is visible of a subject's past, present and future as it was known at tx_at: a slot for each
// predicate (or for the one that is named), by (predicate, subject). A word that names several entities gives the slots of each.
func (s *Service) Timeline(ctx context.Context, scope graph.Scope, subject, predicate, txAt string) ([]Slot, AsOf, error) {
	l, err := s.open(ctx, scope, At{ValidAt: "any", TxAt: txAt})
	if err != nil {
		return nil, AsOf{}, err
	}
	if subject == "" {
		return nil, AsOf{}, graph.Invalid("subject", "is missing")
	}
	ids, err := l.find(ctx, subject)
	if err != nil || len(ids) == 0 {
		return nil, l.asOf(), err
	}
	filter := graph.VersionFilter{Subjects: ids}
	if predicate != "" {
		name, turned := l.canonical(predicate)
		filter.Predicates = []string{name}
		if turned {
			filter.Subjects, filter.Objects = nil, ids
		}
	}
	versions, err := l.versions(ctx, filter)
	if err != nil {
		return nil, AsOf{}, err
	}
	dressed, err := l.dress(ctx, versions)
	if err != nil {
		return nil, AsOf{}, err
	}
	return l.slots(dressed, ids), l.asOf(), nil
}

// slots sorts facts into slots; of a fact that was found from its object's end, as that of an inverse or of a symmetric
// predicate, the object is the slot's subject.
func (l *lens) slots(found []graph.Fact, asked []graph.EntityID) []Slot {
	type key struct {
		predicate string
		subject   graph.EntityID
	}
	slots := map[key]*Slot{}
	var order []key
	for _, f := range found {
		subject := f.SubjectNode
		if !slices.Contains(asked, f.Subject) {
			subject = f.ObjectNode
		}
		k := key{f.Predicate, subject.ID}
		if slots[k] == nil {
			slots[k] = &Slot{Subject: subject, Predicate: f.Predicate}
			order = append(order, k)
		}
		slots[k].Facts = append(slots[k].Facts, f)
	}
	slices.SortFunc(order, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.predicate, b.predicate), cmp.Compare(a.subject, b.subject))
	})
	out := make([]Slot, len(order))
	for i, k := range order {
		out[i] = *slots[k]
	}
	return out
}

// Changes lists what happened to the log, since < tx <= until, in that order, with what each change did. A sequence of
// pages sees the log as it was at the first. A subject selects the changes of lanes that have it, or one that was merged
// into it, on either side.
func (s *Service) Changes(ctx context.Context, scope graph.Scope, q ChangeQuery) (ChangePage, error) {
	of := listing("changes", scope, q.Since, q.Until, q.Subject)
	l, err := s.open(ctx, scope, At{ValidAt: "any"})
	if err != nil {
		return ChangePage{}, err
	}
	since, sinceErr := readTime("since", q.Since, l.zone)
	until, untilErr := readTime("until", q.Until, l.zone)
	size, sizeErr := q.size()
	place, tokenErr := decode(q.Token, of)
	if err := errors.Join(sinceErr, untilErr, sizeErr, tokenErr); err != nil {
		return ChangePage{}, err
	}
	filter := graph.ChangeFilter{Since: since, Until: earlier(until, l.at.Tx), Limit: size + 1}
	if place != nil {
		filter.Until = temporal.Instant(place.Tx)
		filter.After = &graph.Change{ID: graph.ChangeID(place.ID), At: place.pos()}
	}
	if q.Subject != "" {
		ids, err := l.find(ctx, q.Subject)
		if err != nil || len(ids) == 0 {
			return ChangePage{}, err
		}
		filter.Entities = l.ever(ids)
	}
	changes, err := l.ListChanges(ctx, filter)
	if err != nil {
		return ChangePage{}, err
	}
	var page ChangePage
	if len(changes) > size {
		changes = changes[:size]
		last := changes[size-1]
		page.Next = token{
			Of: of, Tx: int64(filter.Until), From: int64(last.At.Tx), Seq: last.At.Seq, ID: string(last.ID),
		}.encode()
	}
	page.Changes, err = belief.Differences(ctx, l.Reader, changes)
	return page, err
}

// Diff compares two points: what holds at the second and not at the first began, what holds at the first and not at the
// second ended. A point that leaves out its valid time is now, one that leaves out its transaction time is the latest.
// A fact that says the same at both points is no difference, whatever happened between them.
func (s *Service) Diff(ctx context.Context, scope graph.Scope, q DiffQuery) (Diff, error) {
	if q.FromValidAt == "" && q.FromTxAt == "" {
		// Looked for after the scope, so that an unknown scope is not found whatever is asked of it.
		if _, err := s.open(ctx, scope, At{}); err != nil {
			return Diff{}, err
		}
		return Diff{}, graph.Invalid("from_valid_at", "want from_valid_at or from_tx_at")
	}
	from, err := s.point(ctx, scope, "from_", At{q.FromValidAt, q.FromTxAt})
	if err != nil {
		return Diff{}, err
	}
	to, err := s.point(ctx, scope, "to_", At{q.ToValidAt, q.ToTxAt})
	if err != nil {
		return Diff{}, err
	}
	type said struct {
		fact                     graph.ClaimID
		subject, object          graph.EntityID
		predicate, text, purpose string
	}
	of := func(f graph.Fact) said {
		return said{f.Version.Fact, f.Subject, f.Object, f.Predicate, f.Text, f.Type}
	}
	without := func(all, others []graph.Fact) []graph.Fact {
		there := map[said]bool{}
		for _, f := range others {
			there[of(f)] = true
		}
		return slices.DeleteFunc(slices.Clone(all), func(f graph.Fact) bool { return there[of(f)] })
	}
	return Diff{Begun: without(to, from), Ended: without(from, to)}, nil
}

// point reads all that is visible and holds at one point.
func (s *Service) point(ctx context.Context, scope graph.Scope, prefix string, at At) ([]graph.Fact, error) {
	l, err := s.open(ctx, scope, at)
	if field := (*graph.FieldError)(nil); errors.As(err, &field) {
		return nil, graph.Invalid(prefix+field.Field, "%s", field.Problem)
	}
	if err != nil {
		return nil, err
	}
	if l.at.Any {
		return nil, graph.Invalid(prefix+"valid_at", "want a time")
	}
	versions, err := l.Versions(ctx, graph.VersionFilter{Valid: l.at.Valid})
	if err != nil {
		return nil, err
	}
	return l.dress(ctx, versions)
}
