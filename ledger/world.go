package ledger

import (
	"context"
	"slices"

	"tenure/graph"
)

// Declare has a predicate behave as declared from now on; facts already held are folded anew. A declaration that is in
// force already changes nothing.
func (s *Session) Declare(ctx context.Context, op Op, p graph.Predicate) (Result, error) {
	if r := s.World().Registry(); r.Declared(p.Name) && samePredicate(r.Get(p.Name), r.With(p).Get(p.Name)) {
		return Result{Outcome: Unchanged}, nil
	}
	st := s.start(op, graph.ChangeDeclare)
	d := graph.Declaration{Change: op.Change, Predicate: p, At: st.at}
	before := s.related(p.Name)
	s.laws.Declarations = append(s.laws.Declarations, d)
	s.delta.Declarations = append(s.delta.Declarations, d)
	s.worlds = s.laws.Worlds()
	return s.refold(ctx, st, appendNew(before, s.related(p.Name)), nil)
}

// Merge has one entity stand for another, in all that was and will be said of it. Merging what is merged already changes nothing.
func (s *Session) Merge(ctx context.Context, op Op, from, into graph.EntityID) (Result, error) {
	found, err := s.w.Entities(ctx, []graph.EntityID{from, into})
	if err != nil {
		return Result{}, err
	}
	if len(found) < 2 && from != into {
		return Result{}, graph.NotFound("entity")
	}
	from = s.World().Resolve(from)
	if from == s.World().Resolve(into) {
		return Result{Outcome: Unchanged}, nil
	}
	// Into stays as it was named: should a merge of it be undone, what was merged into it goes back with it.
	st := s.start(op, graph.ChangeMerge)
	m := graph.Merge{Change: op.Change, From: from, Into: into, At: st.at}
	s.laws.Merges = append(s.laws.Merges, m)
	s.delta.Merges = append(s.delta.Merges, m)
	s.worlds = s.laws.Worlds()
	return s.refold(ctx, st, nil, s.mergedInto(from))
}

// refold finishes a declaration or a merge: the claims of these predicates, or about these entities, are placed anew.
func (s *Session) refold(ctx context.Context, st *step, predicates []string, entities []graph.EntityID) (Result, error) {
	st.forced = true
	touched, err := s.about(ctx, st, predicates, entities)
	if err != nil {
		return Result{}, err
	}
	if err := s.relive(ctx, st, touched...); err != nil {
		return Result{}, err
	}
	d, change, err := s.finish(ctx, st)
	return Result{Ended: d.Ended, Change: change}, err
}

// remake has the worlds follow from which declarations and merges stand now, and returns the claims that one of them is about.
func (s *Session) remake(ctx context.Context, st *step, change graph.Change) ([]graph.ClaimID, error) {
	var predicates []string
	var entities []graph.EntityID
	for _, d := range s.laws.Declarations {
		if d.Change == change.ID {
			predicates = s.related(d.Predicate.Name)
		}
	}
	for _, m := range s.laws.Merges {
		if m.Change == change.ID {
			entities = s.mergedInto(m.From)
		}
	}
	s.worlds = s.laws.Worlds()
	for _, d := range s.laws.Declarations {
		if d.Change == change.ID {
			predicates = appendNew(predicates, s.related(d.Predicate.Name))
		}
	}
	return s.about(ctx, st, predicates, entities)
}

// about returns the claims of these predicates or about these entities, and touches the lanes they are in: even where they
// stay, what the windows say may differ.
func (s *Session) about(ctx context.Context, st *step, predicates []string, entities []graph.EntityID) ([]graph.ClaimID, error) {
	st.anew = true
	var ids []graph.ClaimID
	var filters []graph.PlacementFilter
	if len(predicates) > 0 {
		filters = append(filters, graph.PlacementFilter{Predicates: predicates})
	}
	if len(entities) > 0 {
		filters = append(filters, graph.PlacementFilter{Subjects: entities}, graph.PlacementFilter{Objects: entities})
	}
	for _, f := range filters {
		rows, err := s.w.ListPlacements(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, p := range rows {
			ids = append(ids, p.Claim)
		}
	}
	for _, f := range []graph.ClaimFilter{{Predicates: predicates}, {Entities: entities}} {
		if len(f.Predicates)+len(f.Entities) == 0 {
			continue
		}
		claims, err := s.w.ListClaims(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			s.claims[c.ID] = c
			ids = append(ids, c.ID)
		}
	}
	ids = missing(ids, map[graph.ClaimID]bool{})
	if err := s.loadLives(ctx, ids); err != nil {
		return nil, err
	}
	var keys []graph.Lane
	for _, id := range ids {
		for _, p := range s.lives[id] {
			if p.Own && p.To.IsZero() {
				keys = append(keys, p.Lane)
			}
		}
	}
	if err := s.Load(ctx, keys); err != nil {
		return nil, err
	}
	for _, key := range keys {
		st.touch(s.lanes[key])
	}
	return ids, nil
}

// related returns the predicates whose lanes a declaration of this one decides.
func (s *Session) related(name string) []string {
	registry := s.World().Registry()
	out := []string{name}
	if inverse := registry.Get(name).Inverse; inverse != "" {
		out = append(out, inverse)
	}
	if opposite := registry.Opposite(name); opposite != "" {
		out = append(out, opposite)
	}
	return out
}

// mergedInto returns the entity and all that were ever merged into it.
func (s *Session) mergedInto(e graph.EntityID) []graph.EntityID {
	out := []graph.EntityID{e}
	for i := 0; i < len(out); i++ {
		for _, m := range s.laws.Merges {
			if m.Into == out[i] {
				out = appendNew(out, []graph.EntityID{m.From})
			}
		}
	}
	return out
}

// samePredicate reports whether two declarations say the same.
func samePredicate(a, b graph.Predicate) bool {
	importance := func(p graph.Predicate) float64 {
		if p.Importance == nil {
			return -1
		}
		return *p.Importance
	}
	return a.Cardinality == b.Cardinality && a.Symmetric == b.Symmetric && a.Inverse == b.Inverse && a.Opposite == b.Opposite &&
		a.Type == b.Type && a.TTLDays == b.TTLDays && importance(a) == importance(b) && slices.Equal(a.Nouns, b.Nouns) &&
		slices.Equal(a.SubjectKinds, b.SubjectKinds) && slices.Equal(a.ObjectKinds, b.ObjectKinds)
}
