package sqlite

import (
	"cmp"
	"context"

	"tenure/graph"
	"tenure/temporal"
)

func effectArgs(e graph.Effect) []param {
	return []param{
		arg("change", string(e.Change)), arg("claim", string(e.Claim)), arg("kind", string(e.Kind)), arg("cause", string(e.Cause)),
		arg("within_from", begin(e.Within.From)), arg("within_to", end(e.Within.To)), arg("keep", list(spans(e.Keep))),
		arg("subject", string(e.Subject)), arg("predicate", e.Predicate), arg("object", string(e.Object)),
		arg("at_tx", begin(e.At.Tx)), arg("at_seq", e.At.Seq),
	}
}

// A numbered effect is one with its place in the order of writing.
type numbered struct {
	row    int64
	effect graph.Effect
}

func scanEffect(row scanner) (numbered, error) {
	var n numbered
	var keep [][2]int64
	e := &n.effect
	err := row.Scan(
		&n.row, (*string)(&e.Change), (*string)(&e.Claim), (*string)(&e.Kind), (*string)(&e.Cause), beginColumn{&e.Within.From}, endColumn{&e.Within.To}, jsonColumn{&keep},
		(*string)(&e.Subject), &e.Predicate, (*string)(&e.Object), beginColumn{&e.At.Tx}, &e.At.Seq,
	)
	for _, span := range keep {
		var p temporal.Period
		_ = beginColumn{&p.From}.Scan(span[0]) // an integer always scans
		_ = endColumn{&p.To}.Scan(span[1])
		e.Keep = append(e.Keep, p)
	}
	return n, err
}

// ListEffects implements graph.LogReader.
func (r *reader) ListEffects(ctx context.Context, f graph.EffectFilter) ([]graph.Effect, error) {
	statement, args := effectList, []param{}
	if len(f.Claims)+len(f.Causes)+len(f.Changes) > 0 {
		statement = effectFind
		args = []param{arg("claims", distinct(f.Claims)), arg("causes", distinct(f.Causes)), arg("changes", distinct(f.Changes))}
	}
	found, err := fetch(ctx, r, statement, scanEffect, args...)
	if err != nil {
		return nil, err
	}
	found = ordered(found, func(a, b numbered) int {
		return cmp.Or(
			a.effect.At.Compare(b.effect.At), cmp.Compare(a.effect.Claim, b.effect.Claim),
			cmp.Compare(a.effect.Kind, b.effect.Kind), cmp.Compare(a.row, b.row),
		)
	}, 0)
	out := make([]graph.Effect, len(found))
	for i, n := range found {
		out[i] = n.effect
	}
	return out, nil
}
