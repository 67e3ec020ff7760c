package graphtest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// deed is a kind of operation.
type deed int

const (
	say deed = iota
	correct
	end
	forget
	revert
	declare
	merge
	reextract
	eraseFact
	eraseEpisode
)

func (d deed) String() string {
	return [...]string{"say", "correct", "end", "forget", "revert", "declare", "merge", "reextract", "erase fact", "erase episode"}[d]
}

// An operation is one line of a history, with all ids minted.
type operation struct {
	deed
	op         ledger.Op
	claim      graph.Claim // said
	fact       graph.ClaimID
	correction ledger.Correction
	end        ledger.End
	change     graph.ChangeID // reverted
	predicate  graph.Predicate
	from, into graph.EntityID // merged
	episodes   []graph.EpisodeID
	claims     []graph.Claim  // extracted
	entities   []graph.Entity // that the claims name
}

// An answer is what the ledger says to an operation.
type answer struct {
	ledger.Result
	erased ledger.Erasure
}

// apply does the operation in a session.
func (o operation) apply(ctx context.Context, s *ledger.Session) (a answer, err error) {
	s.AddEntities(o.entities...)
	switch o.deed {
	case eraseFact:
		a.erased, err = s.EraseFact(ctx, o.op, o.fact)
	case eraseEpisode:
		a.erased, err = s.EraseEpisode(ctx, o.op, o.episodes[0])
	default:
		a.Result, err = o.do(ctx, s)
	}
	return a, err
}

// do does an operation that erases nothing.
func (o operation) do(ctx context.Context, s *ledger.Session) (ledger.Result, error) {
	switch o.deed {
	case say:
		return s.Assert(ctx, o.op, o.claim)
	case correct:
		return s.Correct(ctx, o.op, o.fact, o.correction)
	case end:
		return s.Retract(ctx, o.op, o.fact, o.end)
	case forget:
		return s.Forget(ctx, o.op, o.fact)
	case revert:
		return s.Revert(ctx, o.op, o.change)
	case declare:
		return s.Declare(ctx, o.op, o.predicate)
	case merge:
		return s.Merge(ctx, o.op, o.from, o.into)
	default:
		return s.Reextract(ctx, o.op, o.episodes, o.claims)
	}
}

// predict does the operation on the model. located says what the ids of claims lead to.
func (o operation) predict(m *model, located map[graph.ClaimID]graph.ClaimID) verdict {
	for _, e := range o.entities {
		m.entities[e.ID] = e
	}
	missing := false
	locate := func(id graph.ClaimID) graph.ClaimID {
		missing = missing || located[id] == ""
		return located[id]
	}
	v := o.predictWith(m, located, locate)
	if missing {
		return verdict{err: graph.ErrNotFound}
	}
	return v
}

func (o operation) predictWith(m *model, located map[graph.ClaimID]graph.ClaimID, locate func(graph.ClaimID) graph.ClaimID) verdict {
	switch o.deed {
	case say:
		if v, ok := m.said(o.claim); ok {
			return v
		}
		var targets []graph.ClaimID
		for _, id := range o.claim.Replaces {
			targets = append(targets, locate(id))
		}
		return m.say(o.op, o.claim, targets)
	case correct:
		return m.correct(o.op, locate(o.fact), o.correction, func(id graph.ClaimID) graph.ClaimID { return located[id] })
	case end:
		return m.end(o.op, locate(o.fact), o.end)
	case forget:
		return m.forget(o.op, locate(o.fact))
	case revert:
		return m.revert(o.op, o.change)
	case declare:
		return m.declare(o.op, o.predicate)
	case merge:
		return m.merge(o.op, o.from, o.into)
	case reextract:
		return m.reextract(o.op, o.episodes, o.claims)
	case eraseFact:
		return m.eraseFact(o.op, locate(o.fact))
	default:
		return m.eraseEpisode(o.op, o.episodes[0])
	}
}

// String is the operation as a person reads it.
func (o operation) String() string {
	switch o.deed {
	case say:
		return fmt.Sprintf("%s: %s", o.op.Change, spell(o.claim))
	case correct:
		in := o.correction
		var b strings.Builder
		fmt.Fprintf(&b, "%s: correct %s (window at %s) by %s", o.op.Change, o.fact, in.At, in.ID)
		if in.Text != nil {
			fmt.Fprintf(&b, " text=%q", *in.Text)
		}
		if in.Object != nil {
			fmt.Fprintf(&b, " object=%s", *in.Object)
		}
		if in.From != nil {
			fmt.Fprintf(&b, " from=%s", month(in.From.At, "unknown"))
		}
		if in.To != nil {
			fmt.Fprintf(&b, " to=%s", month(in.To.At, "open"))
		}
		return b.String()
	case end:
		return fmt.Sprintf("%s: end %s at %s never=%v by %s", o.op.Change, o.fact, month(o.end.At, "-"), o.end.Never, o.end.ID)
	case forget, eraseFact:
		return fmt.Sprintf("%s: %s %s", o.op.Change, o.deed, o.fact)
	case revert:
		return fmt.Sprintf("%s: revert %s", o.op.Change, o.change)
	case declare:
		p := o.predicate
		return fmt.Sprintf("%s: declare %s %s symmetric=%v inverse=%q opposite=%q type=%q", o.op.Change, p.Name, p.Cardinality, p.Symmetric, p.Inverse, p.Opposite, p.Type)
	case merge:
		return fmt.Sprintf("%s: merge %s into %s", o.op.Change, o.from, o.into)
	default:
		var told []string
		for _, c := range o.claims {
			told = append(told, spell(c))
		}
		return fmt.Sprintf("%s: %s %v %s", o.op.Change, o.deed, o.episodes, strings.Join(told, "; "))
	}
}

// spell is a claim as a person reads it.
func spell(c graph.Claim) string {
	out := fmt.Sprintf("%s %s %s(%s, %s) [%s, %s) %s", c.ID, c.Kind, c.Predicate, c.Subject, c.Object,
		month(c.Valid.From, "unknown"), month(c.Valid.To, "open"), c.Trust)
	if c.HoldsAt != 0 {
		out += " holds " + month(c.HoldsAt, "")
	}
	for _, s := range c.Sources {
		out += " in " + string(s.Episode)
	}
	if len(c.Replaces) > 0 {
		out += fmt.Sprintf(" replaces %v", c.Replaces)
	}
	if c.Extractor != "" {
		out += " by " + c.Extractor
	}
	if c.Text != "" {
		out += fmt.Sprintf(" %q", c.Text)
	}
	return out
}

func month(i temporal.Instant, absent string) string {
	if i.IsZero() {
		return absent
	}
	return strings.TrimSuffix(i.String(), "T00:00:00Z")
}

// names are the ids of facts and claims that the operation speaks of.
func (o operation) names() []graph.ClaimID {
	out := slices.Clone(o.claim.Replaces)
	if o.fact != "" {
		out = append(out, o.fact)
	}
	return out
}
