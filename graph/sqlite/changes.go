package sqlite

import (
	"cmp"
	"context"
	"math"
	"strings"

	"tenure/graph"
)

func changeArgs(c graph.Change) []param {
	counts := ""
	if c.Counts != nil {
		counts = encode(c.Counts)
	}
	return []param{
		arg("id", string(c.ID)), arg("at_tx", begin(c.At.Tx)), arg("at_seq", c.At.Seq), arg("kind", string(c.Kind)),
		arg("claim", string(c.Claim)), arg("episode", string(c.Episode)), arg("actor", c.Actor), arg("reason", c.Reason),
		arg("reverts", string(c.Reverts)), arg("standing", c.Standing), arg("lanes", list(triples(c.Lanes))), arg("counts", counts),
	}
}

func scanChange(row scanner) (graph.Change, error) {
	var c graph.Change
	var lanes [][3]string
	err := row.Scan(
		(*string)(&c.ID), beginColumn{&c.At.Tx}, &c.At.Seq, (*string)(&c.Kind), (*string)(&c.Claim), (*string)(&c.Episode), &c.Actor, &c.Reason, (*string)(&c.Reverts), &c.Standing,
		jsonColumn{&lanes}, jsonColumn{&c.Counts},
	)
	for _, l := range lanes {
		c.Lanes = append(c.Lanes, graph.Lane{Subject: graph.EntityID(l[0]), Predicate: l[1], Object: graph.EntityID(l[2])})
	}
	return c, err
}

func changeID(c graph.Change) graph.ChangeID { return c.ID }

// byAt is the order of changes.
func byAt(a, b graph.Change) int {
	return cmp.Or(a.At.Compare(b.At), strings.Compare(string(a.ID), string(b.ID)))
}

// Changes implements graph.ChangeReader.
func (r *reader) Changes(ctx context.Context, ids []graph.ChangeID) (map[graph.ChangeID]graph.Change, error) {
	return byID(ctx, r, changeGet, scanChange, changeID, ids)
}

// ListChanges implements graph.ChangeReader.
func (r *reader) ListChanges(ctx context.Context, f graph.ChangeFilter) ([]graph.Change, error) {
	after := place{}
	if f.After != nil {
		after = place{f.After.At, string(f.After.ID)}
	}
	if !f.Since.IsZero() && f.Since >= after.pos.Tx {
		after = place{graph.Pos{Tx: f.Since, Seq: math.MaxInt}, ""} // after all that happened at Since
	}
	args := append(after.args(), arg("until", end(f.Until)), arg("limit", bound(f.Limit)))
	lanes := triples(f.Lanes)
	lists := []listing{
		{changeListByLane, arg("lanes", filter(lanes)), len(lanes)},
		{changeListByClaim, arg("claims", filter(f.Claims)), len(f.Claims)},
		{changeListByReverts, arg("reverts", filter(f.Reverts)), len(f.Reverts)},
		{changeListByEpisode, arg("episodes", filter(f.Episodes)), len(f.Episodes)},
		{changeListByEntity, arg("entities", filter(f.Entities)), len(f.Entities)},
	}
	statement, args := choose(lists, changeList, args)
	found, err := fetch(ctx, r, statement, scanChange, args...)
	if err != nil {
		return nil, err
	}
	return ordered(found, byAt, f.Limit), nil
}

// A listing is a statement that reads by the items of a list. It takes the lists after its own as filters.
type listing struct {
	statement string
	list      param
	items     int
}

// choose returns the first listing whose list has items, or the statement for none, with its parameters.
func choose(lists []listing, none string, args []param) (statement string, all []param) {
	for i, l := range lists {
		if l.items == 0 {
			continue
		}
		for _, filter := range lists[i:] {
			args = append(args, filter.list)
		}
		return l.statement, args
	}
	return none, args
}

func declarationArgs(d graph.Declaration) []param {
	return []param{
		arg("change", string(d.Change)), arg("name", d.Predicate.Name), arg("at_tx", begin(d.At.Tx)), arg("at_seq", d.At.Seq),
		arg("predicate", encode(predicate{d.Predicate, d.Predicate.Patterns})),
	}
}

// A predicate is a graph.Predicate with what its JSON leaves out.
type predicate struct {
	graph.Predicate
	Patterns []string `json:"patterns,omitempty"`
}

// Declarations implements graph.ChangeReader.
func (r *reader) Declarations(ctx context.Context) ([]graph.Declaration, error) {
	found, err := fetch(ctx, r, declarationList, func(row scanner) (graph.Declaration, error) {
		var d graph.Declaration
		var p predicate
		err := row.Scan((*string)(&d.Change), jsonColumn{&p}, beginColumn{&d.At.Tx}, &d.At.Seq)
		d.Predicate = p.Predicate
		d.Predicate.Patterns = p.Patterns
		return d, err
	})
	if err != nil {
		return nil, err
	}
	return ordered(found, func(a, b graph.Declaration) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Change, b.Change), cmp.Compare(a.Predicate.Name, b.Predicate.Name))
	}, 0), nil
}

func mergeArgs(m graph.Merge) []param {
	return []param{
		arg("change", string(m.Change)), arg("from_entity", string(m.From)), arg("into_entity", string(m.Into)),
		arg("at_tx", begin(m.At.Tx)), arg("at_seq", m.At.Seq),
	}
}

func scanMerge(row scanner) (graph.Merge, error) {
	var m graph.Merge
	err := row.Scan((*string)(&m.Change), (*string)(&m.From), (*string)(&m.Into), beginColumn{&m.At.Tx}, &m.At.Seq)
	return m, err
}

// Merges implements graph.ChangeReader.
func (r *reader) Merges(ctx context.Context, entities []graph.EntityID) ([]graph.Merge, error) {
	statement, args := mergeList, []param{}
	if len(entities) > 0 {
		statement, args = mergeFind, []param{arg("entities", distinct(entities))}
	}
	found, err := fetch(ctx, r, statement, scanMerge, args...)
	if err != nil {
		return nil, err
	}
	return ordered(found, func(a, b graph.Merge) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Change, b.Change), cmp.Compare(a.From, b.From), cmp.Compare(a.Into, b.Into))
	}, 0), nil
}
