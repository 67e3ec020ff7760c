package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// Assert takes structured claims, in order and in one transaction, and says what each did. No model is asked.
func (s *Service) Assert(ctx context.Context, scope graph.Scope, in []ClaimInput, who Caller) (Answer, error) {
	zone, err := s.zone(ctx, scope)
	if err != nil {
		return Answer{}, err
	}
	claims, err := readClaims(in, zone, who)
	if err != nil {
		return Answer{}, err
	}
	var answer Answer
	hash := hashOf("facts", in, who)
	err = s.update(ctx, scope, who, func(w graph.Writer, session *ledger.Session) error {
		if again, ok, err := s.replay(ctx, w, who, hash); err != nil || ok {
			answer = again
			return err
		}
		results, err := s.assertAll(ctx, w, session, claims)
		if err != nil {
			return err
		}
		if err := session.Commit(ctx); err != nil {
			return err
		}
		answer = Answer{Tx: w.Now()}
		if answer.Results, err = s.results(ctx, w, session, results); err != nil {
			return err
		}
		return s.remember(ctx, w, session, who, hash, results)
	})
	return answer, err
}

// told is a claim that was read from a request, its entities still being named.
type told struct {
	field   string // where in the request
	claim   graph.Claim
	op      ledger.Op
	subject graph.Named
	object  *graph.Named
	dated   bool // the begin was stated
}

// readClaims checks structured claims and reads their times. Every fault is named.
func readClaims(in []ClaimInput, zone *time.Location, who Caller) ([]told, error) {
	var c checks
	if len(in) < 1 || len(in) > maxItems {
		c.add("facts", "want 1 to 1000 claims")
		return nil, c.err()
	}
	out := make([]told, len(in))
	for i, x := range in {
		out[i] = x.read(&c, index("facts", i)+".", zone)
		out[i].claim.Actor, out[i].op.Actor = who.Actor, who.Actor
	}
	return out, c.err()
}

// read checks one structured claim.
func (in ClaimInput) read(c *checks, at string, zone *time.Location) told {
	t := told{
		field: at, subject: in.Subject, object: in.Object,
		op: ledger.Op{Change: graph.NewID[graph.Change]()},
		claim: graph.Claim{
			ID: graph.NewID[graph.Claim](), Kind: graph.Assert, Predicate: in.Predicate, Text: in.Text, Type: in.Type,
			Importance: in.Importance, Trust: in.Trust,
		},
	}
	c.named(at+"subject", in.Subject)
	if !predicateName.MatchString(in.Predicate) {
		c.add(at+"predicate", "want 1 to 128 of letters, digits and _ . : / -")
	}
	c.text(at+"text", in.Text, maxStatement)
	c.text(at+"quote", in.Quote, maxStatement)
	if len(in.Type) > 64 {
		c.add(at+"type", "want at most 64 characters")
	}
	if in.Importance != nil && !(*in.Importance >= 0 && *in.Importance <= 1) {
		c.add(at+"importance", "want a number from 0 to 1")
	}
	switch in.Trust {
	case "":
		t.claim.Trust = graph.Stated
	case graph.Stated, graph.Reported, graph.Inferred:
	default:
		c.add(at+"trust", "want stated, reported or inferred")
	}
	in.readObject(c, at, &t)
	in.readTimes(c, at, zone, &t)
	for i, e := range in.Episodes {
		c.id(at+index("episodes", i), string(e))
		t.claim.Sources = append(t.claim.Sources, graph.Source{Episode: e})
	}
	if len(in.Episodes) > 0 {
		t.claim.Sources[0].Quote, t.op.Episode = in.Quote, in.Episodes[0]
	}
	if in.Replaces != "" {
		t.claim.Replaces = []graph.ClaimID{in.Replaces}
		if in.Retract {
			c.add(at+"replaces", "a retraction replaces nothing")
		}
	}
	return t
}

// readObject reads what the claim is about. Without an object the statement itself is the value.
func (in ClaimInput) readObject(c *checks, at string, t *told) {
	switch {
	case in.Object != nil:
		c.named(at+"object", *in.Object)
	case in.Retract && !in.Never:
	case in.Text != "":
		t.object = &graph.Named{Name: in.Text, Kind: graph.KindValue}
	default:
		c.add(at+"object", "want an object, or a text that is itself the statement")
	}
	if in.Never && !in.Retract {
		c.add(at+"never", "stands beside retract: true")
	}
	if in.Retract {
		t.claim.Kind = graph.Retract
		if in.Never {
			t.claim.Kind = graph.Never
		}
	}
}

// readTimes reads the window. A retraction begins when what it denies ended.
func (in ClaimInput) readTimes(c *checks, at string, zone *time.Location, t *told) {
	end := c.date(at+"valid_to", in.ValidTo, zone)
	var begin temporal.Date
	if in.ValidFrom == "unknown" {
		t.dated, begin.Precision = true, temporal.Unknown
	} else {
		begin = c.date(at+"valid_from", in.ValidFrom, zone)
		t.dated = in.ValidFrom != ""
	}
	t.claim.HoldsAt = c.date(at+"holds_at", in.HoldsAt, zone).At
	switch t.claim.Kind {
	case graph.Never:
		t.dated = true
		return
	case graph.Retract:
		if in.ValidFrom != "" {
			c.add(at+"valid_from", "a retraction has only valid_to: when it ended")
		}
		t.claim.Valid.From, t.claim.Precision.From, t.dated = end.At, end.Precision, in.ValidTo != ""
		t.claim.HoldsAt = 0
		return
	}
	t.claim.Valid = temporal.Period{From: begin.At, To: end.At}
	t.claim.Precision = graph.Bounds{From: begin.Precision, To: end.Precision}
	if t.dated && t.claim.Valid.Valid() != nil {
		c.add(at+"valid_to", "want a time after valid_from")
	}
	if h := t.claim.HoldsAt; h != 0 && t.dated && !t.claim.Valid.Contains(h) {
		c.add(at+"holds_at", "want a time from valid_from to before valid_to")
	}
}

// assertAll resolves the claims' entities and times and logs them in order.
func (s *Service) assertAll(ctx context.Context, w graph.Writer, session *ledger.Session, in []told) ([]ledger.Result, error) {
	sources, err := s.sources(ctx, w, in)
	if err != nil {
		return nil, err
	}
	in = slices.Clone(in) // the update may run twice
	var mentions []graph.Named
	cast, err := newCast(ctx, w, session, nil)
	if err != nil {
		return nil, err
	}
	for i, t := range in {
		var object graph.Named
		if t.object != nil {
			object = *t.object
		}
		in[i].subject, object = cast.kinded(t.claim.Predicate, t.subject, object)
		mentions = append(mentions, in[i].subject)
		if t.object != nil {
			in[i].object = &object
			mentions = append(mentions, object)
		}
	}
	if err := cast.read(ctx, mentions); err != nil {
		return nil, err
	}
	claims := make([]graph.Claim, len(in))
	lanes := make([]graph.Lane, len(in))
	for i, t := range in {
		if claims[i], err = resolved(cast, session, t, sources); err != nil {
			return nil, err
		}
		_, _, _, lanes[i] = session.World().Triple(claims[i].Subject, claims[i].Predicate, claims[i].Object)
	}
	if err := session.Load(ctx, lanes); err != nil {
		return nil, err
	}
	results := make([]ledger.Result, len(in))
	for i, c := range claims {
		if results[i], err = session.Assert(ctx, in[i].op, c); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// sources reads the episodes that claims cite. One that is not in the scope is a fault.
func (s *Service) sources(ctx context.Context, w graph.Writer, in []told) (map[graph.EpisodeID]graph.Episode, error) {
	var ids []graph.EpisodeID
	for _, t := range in {
		for _, src := range t.claim.Sources {
			ids = append(ids, src.Episode)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	found, err := w.Episodes(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	var c checks
	for _, t := range in {
		for i, src := range t.claim.Sources {
			if _, ok := found[src.Episode]; !ok {
				c.add(t.field+index("episodes", i), "no episode of this scope has the id: post it first")
			}
		}
	}
	return found, c.err()
}

// resolved is the claim with its entities, and with the begin that it has without stating one.
func resolved(cast *cast, session *ledger.Session, t told, sources map[graph.EpisodeID]graph.Episode) (graph.Claim, error) {
	c := t.claim
	var err error
	if c.Subject, err = cast.entity(t.field+"subject", t.subject); err != nil {
		return c, err
	}
	if t.object != nil {
		if c.Object, err = cast.entity(t.field+"object", *t.object); err != nil {
			return c, err
		}
	} else if session.World().Registry().Get(c.Predicate).Cardinality != graph.One {
		return c, graph.Invalid(t.field+"object", "want an object: the predicate holds many values")
	}
	if t.dated {
		return c, nil
	}
	c.Valid.From, c.Precision.From = session.Now(), ""
	if len(c.Sources) > 0 {
		c.Valid.From, c.Precision.From = earliest(c.Sources, sources)
	}
	if c.Valid.Valid() != nil {
		return c, graph.Invalid(t.field+"valid_to", "want a time after the claim's begin: state valid_from as well")
	}
	return c, nil
}

// earliest is when the first of the episodes happened; unknown if none has a time.
func earliest(sources []graph.Source, episodes map[graph.EpisodeID]graph.Episode) (temporal.Instant, temporal.Precision) {
	var at temporal.Instant
	precision := temporal.Unknown
	for _, src := range sources {
		if e := episodes[src.Episode]; e.Occurred != 0 && (at == 0 || e.Occurred < at) {
			at, precision = e.Occurred, e.Precision
		}
	}
	return at, precision
}

// results dresses what the claims did.
func (s *Service) results(ctx context.Context, w graph.Writer, session *ledger.Session, in []ledger.Result) ([]Result, error) {
	var versions []graph.Version
	for _, r := range in {
		if r.Fact != nil {
			versions = append(versions, *r.Fact)
		}
		versions = append(versions, r.Ended...)
	}
	dressed, err := s.show(ctx, w, session, versions)
	if err != nil {
		return nil, err
	}
	next := func() graph.Fact {
		f := dressed[0]
		dressed = dressed[1:]
		return f
	}
	out := make([]Result, len(in))
	for i, r := range in {
		out[i] = Result{Outcome: Outcome(r.Outcome), Claim: r.Claim, Change: r.Change}
		if r.Fact != nil {
			f := next()
			out[i].Fact = &f
		}
		for range r.Ended {
			out[i].Ended = append(out[i].Ended, next())
		}
	}
	return out, nil
}

// hashOf is the hash of a request, by which the same one is known again.
func hashOf(what string, parts ...any) string {
	h := sha256.New()
	// Encoding a request's plain values cannot fail.
	_ = json.NewEncoder(h).Encode(append([]any{what}, parts...))
	return hex.EncodeToString(h.Sum(nil))
}
