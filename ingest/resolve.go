package ingest

import (
	"context"
	"slices"
	"strings"

	"tenure/entities"
	"tenure/graph"
	"tenure/ledger"
)

// cast finds the entities that a request names, or begins them, within one update.
type cast struct {
	w       graph.Writer
	session *ledger.Session
	byID    map[graph.EntityID]graph.Entity
	byKey   map[string][]graph.Entity
}

// newCast reads all entities that the mentions may be in one go.
func newCast(ctx context.Context, w graph.Writer, session *ledger.Session, mentions []graph.Named) (*cast, error) {
	c := &cast{w: w, session: session, byID: map[graph.EntityID]graph.Entity{}, byKey: map[string][]graph.Entity{}}
	return c, c.read(ctx, mentions)
}

func (c *cast) read(ctx context.Context, mentions []graph.Named) error {
	var keys []string
	var ids []graph.EntityID
	for _, m := range mentions {
		if m.ID != "" {
			ids = append(ids, m.ID)
		} else {
			keys = append(keys, entities.KeyOf(m.Name, m.Kind))
		}
	}
	slices.Sort(keys)
	if len(keys) > 0 {
		found, err := c.w.EntitiesByKey(ctx, slices.Compact(keys))
		if err != nil {
			return err
		}
		for _, e := range found {
			c.know(e)
		}
	}
	if len(ids) > 0 {
		found, err := c.w.Entities(ctx, ids)
		if err != nil {
			return err
		}
		for _, e := range found {
			c.know(e)
		}
	}
	return nil
}

// know keeps an entity, in place of an earlier reading of it.
func (c *cast) know(e graph.Entity) {
	c.byID[e.ID] = e
	for _, key := range e.Keys {
		same := func(o graph.Entity) bool { return o.ID == e.ID }
		c.byKey[key] = append(slices.DeleteFunc(c.byKey[key], same), e)
	}
	c.session.Know(e)
}

// entity returns the entity that is meant, beginning it if nobody spoke of it before. One that is named by an id that is
// not in the scope is a fault of the field.
func (c *cast) entity(field string, m graph.Named) (graph.EntityID, error) {
	if m.ID != "" {
		e, ok := c.byID[m.ID]
		if !ok {
			return "", graph.Invalid(field+".id", "no entity of this scope has the id")
		}
		return e.ID, nil
	}
	if id, ok := c.find(m); ok {
		if e := c.byID[id]; e.Kind == "" && m.Kind != "" { // now its kind is known
			e.Kind = m.Kind
			c.add(e)
		}
		return id, nil
	}
	e := entities.New(c.w.View().Scope, m)
	c.add(e)
	return e.ID, nil
}

// find returns the entity of that name that somebody spoke of before.
func (c *cast) find(m graph.Named) (graph.EntityID, bool) {
	e, ok := entities.Resolve(m, c.byKey[entities.KeyOf(m.Name, m.Kind)])
	return e.ID, ok
}

func (c *cast) add(e graph.Entity) {
	c.know(e)
	c.session.AddEntities(e)
}

// kinded gives the mentions of a triple the kinds that the predicate tells: a literal where it holds only literals, and a
// kind where there is only one that it can be. An amount of money is a literal anywhere.
func (c *cast) kinded(predicate string, subject, object graph.Named) (graph.Named, graph.Named) {
	p := c.session.World().Registry().Get(predicate)
	if p.Name != predicate { // told by its inverse
		p.SubjectKinds, p.ObjectKinds = p.ObjectKinds, p.SubjectKinds
	}
	only := func(m graph.Named, kinds []string) graph.Named {
		if m.ID == "" && m.Kind == "" && len(kinds) == 1 {
			m.Kind = strings.ToLower(kinds[0])
		}
		return m
	}
	if object.ID == "" && object.Kind == "" && entities.Money(object.Name) {
		object.Kind = graph.KindValue
	}
	return only(subject, p.SubjectKinds), only(object, p.ObjectKinds)
}
