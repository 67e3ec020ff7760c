package ingest

import (
	"context"
	"time"

	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// operation is one operation on a fact, within a session.
type operation func(cast *cast, session *ledger.Session) (ledger.Result, error)

// operate runs an operation on what a scope holds, once for an idempotency key, and shows the fact as it is afterwards.
func (s *Service) operate(ctx context.Context, scope graph.Scope, who Caller, hash string, f operation) (Done, error) {
	if err := s.exists(ctx, scope); err != nil {
		return Done{}, err
	}
	var done Done
	err := s.update(ctx, scope, who, func(w graph.Writer, session *ledger.Session) error {
		if again, ok, err := s.replay(ctx, w, who, hash); err != nil || ok {
			if len(again.Results) > 0 {
				done = Done{Fact: again.Results[0].Fact, Change: again.Results[0].Change}
			}
			return err
		}
		cast, err := newCast(ctx, w, session, nil)
		if err != nil {
			return err
		}
		r, err := f(cast, session)
		if err != nil {
			return err
		}
		if err := session.Commit(ctx); err != nil {
			return err
		}
		results, err := s.results(ctx, w, session, []ledger.Result{r})
		if err != nil {
			return err
		}
		done = Done{Fact: results[0].Fact, Change: r.Change}
		return s.remember(ctx, w, session, who, hash, []ledger.Result{r})
	})
	return done, err
}

// Correct has a fact say exactly what the input says; ErrConflict names the fact in the way, and then nothing is written.
func (s *Service) Correct(ctx context.Context, scope graph.Scope, fact graph.ClaimID, in CorrectInput, who Caller) (Done, error) {
	zone, err := s.zone(ctx, scope)
	if err != nil {
		return Done{}, err
	}
	correction, err := in.read(zone)
	if err != nil {
		return Done{}, err
	}
	correction.ID = graph.NewID[graph.Claim]()
	if correction.At == 0 {
		correction.At = s.clock.Now()
	}
	op := ledger.Op{Change: graph.NewID[graph.Change](), Actor: who.Actor, Reason: in.Reason}
	return s.operate(ctx, scope, who, hashOf("correct", fact, in, who), func(cast *cast, session *ledger.Session) (ledger.Result, error) {
		correction := correction
		if in.Object.Present {
			object, err := s.newObject(ctx, cast, session, fact, in.Object.Value)
			if err != nil {
				return ledger.Result{}, err
			}
			correction.Object = &object
		}
		return session.Correct(ctx, op, fact, correction)
	})
}

// newObject resolves the object that a fact is corrected to, of the kind that the fact's predicate holds.
func (s *Service) newObject(ctx context.Context, cast *cast, session *ledger.Session, fact graph.ClaimID, m graph.Named) (graph.EntityID, error) {
	predicate, err := session.PredicateOf(ctx, fact)
	if err != nil {
		return "", err
	}
	_, m = cast.kinded(predicate, graph.Named{}, m)
	if err := cast.read(ctx, []graph.Named{m}); err != nil {
		return "", err
	}
	return cast.entity("object", m)
}

func (in CorrectInput) read(zone *time.Location) (ledger.Correction, error) {
	var c checks
	var out ledger.Correction
	if in.Text.Present {
		c.text("text", in.Text.Value, maxStatement)
		out.Text = &in.Text.Value
	}
	if in.Object.Present {
		if in.Object.Null {
			c.add("object", "want an object: to end the fact, retract it")
		} else {
			c.named("object", in.Object.Value)
		}
	}
	if in.ValidFrom.Present {
		d := temporal.Date{Precision: temporal.Unknown}
		if !in.ValidFrom.Null && in.ValidFrom.Value != "unknown" {
			d = c.need("valid_from", in.ValidFrom.Value, zone)
		}
		out.From = &d
	}
	if in.ValidTo.Present {
		var d temporal.Date
		if !in.ValidTo.Null {
			d = c.need("valid_to", in.ValidTo.Value, zone)
		}
		out.To = &d
	}
	if in.Importance.Present {
		if in.Importance.Null || !(in.Importance.Value >= 0 && in.Importance.Value <= 1) {
			c.add("importance", "want a number from 0 to 1")
		}
		out.Importance = &in.Importance.Value
	}
	c.text("reason", in.Reason, maxReason)
	out.At = c.date("valid_at", in.ValidAt, zone).At
	if !in.Text.Present && !in.Object.Present && !in.ValidFrom.Present && !in.ValidTo.Present && !in.Importance.Present {
		c.add("body", "want at least one of text, object, valid_from, valid_to, importance")
	}
	return out, c.err()
}

// Retract ends a fact at a time, or as if it had never been.
func (s *Service) Retract(ctx context.Context, scope graph.Scope, fact graph.ClaimID, in RetractInput, who Caller) (Done, error) {
	zone, err := s.zone(ctx, scope)
	if err != nil {
		return Done{}, err
	}
	var c checks
	c.text("reason", in.Reason, maxReason)
	at := c.date("at", in.At, zone)
	if in.Never && in.At != "" {
		c.add("at", "stands without never: what never was has no end")
	}
	if err := c.err(); err != nil {
		return Done{}, err
	}
	end := ledger.End{ID: graph.NewID[graph.Claim](), At: at.At, Exact: at.Precision, Never: in.Never}
	if end.At == 0 {
		end.At = s.clock.Now()
	}
	op := ledger.Op{Change: graph.NewID[graph.Change](), Actor: who.Actor, Reason: in.Reason}
	return s.operate(ctx, scope, who, hashOf("retract", fact, in, who), func(_ *cast, session *ledger.Session) (ledger.Result, error) {
		return session.Retract(ctx, op, fact, end)
	})
}

// Forget hides a fact from default reads until the change is reverted.
func (s *Service) Forget(ctx context.Context, scope graph.Scope, fact graph.ClaimID, reason string, who Caller) (Done, error) {
	var c checks
	c.text("reason", reason, maxReason)
	if err := c.err(); err != nil {
		return Done{}, err
	}
	op := ledger.Op{Change: graph.NewID[graph.Change](), Actor: who.Actor, Reason: reason}
	return s.operate(ctx, scope, who, hashOf("forget", fact, reason, who), func(_ *cast, session *ledger.Session) (ledger.Result, error) {
		return session.Forget(ctx, op, fact)
	})
}

// Revert undoes a change, however old, and returns the change that does; "" if it had been undone already.
func (s *Service) Revert(ctx context.Context, scope graph.Scope, change graph.ChangeID, reason string, who Caller) (graph.ChangeID, error) {
	var c checks
	c.text("reason", reason, maxReason)
	if err := c.err(); err != nil {
		return "", err
	}
	op := ledger.Op{Change: graph.NewID[graph.Change](), Actor: who.Actor, Reason: reason}
	done, err := s.operate(ctx, scope, who, hashOf("revert", change, reason, who), func(_ *cast, session *ledger.Session) (ledger.Result, error) {
		return session.Revert(ctx, op, change)
	})
	return done.Change, err
}

// EraseFact destroys a fact with every claim that supports it. It cannot be undone.
func (s *Service) EraseFact(ctx context.Context, scope graph.Scope, fact graph.ClaimID) (Erased, error) {
	return s.erase(ctx, scope, func(session *ledger.Session, op ledger.Op) (ledger.Erasure, error) {
		return session.EraseFact(ctx, op, fact)
	})
}

// EraseEpisode destroys an episode and the facts whose only source it was; what those had ended is open again.
func (s *Service) EraseEpisode(ctx context.Context, scope graph.Scope, id graph.EpisodeID) (Erased, error) {
	return s.erase(ctx, scope, func(session *ledger.Session, op ledger.Op) (ledger.Erasure, error) {
		return session.EraseEpisode(ctx, op, id)
	})
}

func (s *Service) erase(ctx context.Context, scope graph.Scope, f func(*ledger.Session, ledger.Op) (ledger.Erasure, error)) (Erased, error) {
	if err := s.exists(ctx, scope); err != nil {
		return Erased{}, err
	}
	op := ledger.Op{Change: graph.NewID[graph.Change]()}
	var receipt ledger.Erasure
	err := s.update(ctx, scope, Caller{}, func(_ graph.Writer, session *ledger.Session) error {
		var err error
		if receipt, err = f(session, op); err != nil {
			return err
		}
		return session.Commit(ctx)
	})
	return Erased{Counts: receipt.Counts, At: receipt.At, OtherFacts: receipt.Others, EpisodesStillSayingIt: receipt.Episodes}, err
}
