package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"tenure/extract"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// maxAttempts is how often an episode is tried; after the last attempt it is dead.
const maxAttempts = 5

// open are the statuses of an episode that is to be worked off. One found processing was left so by a process that died.
var open = []graph.Status{graph.Pending, graph.Processing, graph.Failed}

// Run works off the episodes that are not done, those acknowledged by an earlier process too, until ctx ends. It returns
// nil then, or the store's error if the backlog cannot be read.
func (s *Service) Run(ctx context.Context) error {
	scopes, err := s.store.Backlog(ctx)
	if err != nil {
		return err
	}
	for _, scope := range scopes {
		s.queue.add(scope)
	}
	g, ctx := errgroup.WithContext(ctx)
	for range s.workers {
		g.Go(func() error {
			for {
				scope, err := s.queue.next(ctx)
				if err != nil {
					return nil // ctx ended
				}
				more, pause := s.workOff(ctx, scope)
				s.queue.done(scope, more && pause == 0)
				if more && pause > 0 {
					g.Go(func() error { return s.later(ctx, scope, pause) })
				}
			}
		})
	}
	return g.Wait()
}

// later has a scope looked at after a pause.
func (s *Service) later(ctx context.Context, scope graph.Scope, pause time.Duration) error {
	select {
	case <-time.After(pause):
		s.queue.add(scope)
	case <-ctx.Done():
	}
	return nil
}

// workOff takes the oldest episode of a scope that is not done. It reports whether to look at the scope again, and after what pause.
func (s *Service) workOff(ctx context.Context, scope graph.Scope) (bool, time.Duration) {
	e, input, err := s.oldest(ctx, scope)
	if errors.Is(err, graph.ErrNotFound) {
		return false, 0 // nothing is left, or the scope is gone
	}
	if err != nil {
		return s.trouble(ctx, scope, "episode not read", err)
	}
	draft, err := s.extractor.Extract(ctx, input)
	if err == nil {
		err = s.apply(ctx, scope, e, draft)
	}
	if err == nil || errors.Is(err, graph.ErrNotFound) {
		return true, 0
	}
	if errors.Is(err, graph.ErrUnavailable) || ctx.Err() != nil {
		return s.trouble(ctx, scope, "episode not worked off", err)
	}
	s.log.Error("episode failed", "scope", scope.Name, "episode", e.ID, "attempt", e.Attempts+1, "error", err)
	if err := s.fail(ctx, scope, e.ID, err); err != nil {
		return s.trouble(ctx, scope, "failure not written", err)
	}
	return true, s.pause << e.Attempts
}

// trouble reports what keeps a scope's episodes waiting. They are tried again, without counting an attempt.
func (s *Service) trouble(ctx context.Context, scope graph.Scope, what string, err error) (bool, time.Duration) {
	if ctx.Err() == nil {
		s.log.Error(what, "scope", scope.Name, "error", err)
	}
	return true, s.pause
}

// oldest reads the first episode of a scope that is not done, with what its extraction needs.
func (s *Service) oldest(ctx context.Context, scope graph.Scope) (graph.Episode, extract.Input, error) {
	r, err := s.store.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		return graph.Episode{}, extract.Input{}, err
	}
	list, err := r.ListEpisodes(ctx, graph.EpisodeFilter{Statuses: open, Limit: 1})
	if err != nil {
		return graph.Episode{}, extract.Input{}, err
	}
	if len(list) == 0 {
		return graph.Episode{}, extract.Input{}, graph.NotFound("episode")
	}
	settings, err := r.Settings(ctx)
	if err != nil {
		return graph.Episode{}, extract.Input{}, err
	}
	zone, err := ZoneOf(settings)
	if err != nil {
		return graph.Episode{}, extract.Input{}, err
	}
	e := list[0]
	if e.Offset != nil {
		zone = time.FixedZone("", *e.Offset)
	}
	predicates, err := s.predicates(ctx, r)
	return e, extract.Input{Episode: e, Zone: zone, Self: settings.Self, Predicates: predicates}, err
}

// apply writes what an episode claims and marks it done, in one update. An episode that is done already is left alone.
func (s *Service) apply(ctx context.Context, scope graph.Scope, e graph.Episode, draft extract.Draft) error {
	return s.update(ctx, scope, Caller{}, func(w graph.Writer, session *ledger.Session) error {
		found, err := w.Episodes(ctx, []graph.EpisodeID{e.ID})
		if err != nil {
			return err
		}
		held, ok := found[e.ID]
		if !ok || held.Status == graph.Done || held.Status == graph.Dead {
			return nil
		}
		a := application{w: w, session: session, episode: held, extractor: s.extractor.Name(), draft: draft}
		outcome, err := a.run(ctx)
		if err != nil {
			return err
		}
		if err := session.Commit(ctx); err != nil {
			return err
		}
		held.Status, held.Error, held.Outcome = graph.Done, "", outcome
		return w.Write(ctx, graph.Delta{Episodes: []graph.Episode{held}})
	})
}

// fail notes a failed attempt.
func (s *Service) fail(ctx context.Context, scope graph.Scope, id graph.EpisodeID, cause error) error {
	return s.store.Update(ctx, scope, func(w graph.Writer) error {
		found, err := w.Episodes(ctx, []graph.EpisodeID{id})
		if err != nil {
			return err
		}
		e, ok := found[id]
		if !ok || e.Status == graph.Done {
			return nil
		}
		e.Attempts++
		e.Status, e.Error = graph.Failed, cause.Error()
		if e.Attempts >= maxAttempts {
			e.Status = graph.Dead
		}
		return w.Write(ctx, graph.Delta{Episodes: []graph.Episode{e}})
	})
}

// unknownGroup is why a claim about "us" is dropped.
const unknownGroup = `"we" is the organisation the speaker works at, and none is known for that time`

// application is the application of one episode's draft to the log.
type application struct {
	w         graph.Writer
	session   *ledger.Session
	cast      *cast
	episode   graph.Episode
	extractor string
	draft     extract.Draft
}

// run logs the claims in order: what a later one needs to know of an earlier one is known by then.
func (a *application) run(ctx context.Context) (graph.Outcome, error) {
	out := graph.Outcome{Dropped: a.draft.Dropped, Usage: a.draft.Usage}
	var err error
	if a.cast, err = newCast(ctx, a.w, a.session, nil); err != nil {
		return out, err
	}
	for i, proposed := range a.draft.Claims {
		claim, why, err := a.claim(ctx, i, proposed)
		if err != nil {
			return out, err
		}
		if why != "" {
			out.Dropped = append(out.Dropped, graph.Dropped{Claim: fmt.Sprintf("%d: %s", i, proposed.Predicate), Reason: why})
			continue
		}
		op := ledger.Op{Change: graph.DeriveID[graph.Change](a.w.View().Scope, "extracted", string(claim.ID)), Episode: a.episode.ID}
		r, err := a.session.Assert(ctx, op, claim)
		if err != nil {
			return out, err
		}
		if r.Change != "" {
			out.Changes = append(out.Changes, r.Change)
		}
	}
	return out, nil
}

// claim resolves a proposed claim; a reason says why it is dropped.
func (a *application) claim(ctx context.Context, i int, p extract.Claim) (graph.Claim, string, error) {
	c := graph.Claim{
		ID:   graph.DeriveID[graph.Claim](a.w.View().Scope, "claim", string(a.episode.ID), a.extractor, fmt.Sprint(i)),
		Kind: p.Kind, Predicate: p.Predicate, Text: p.Text, Type: p.Type, Importance: p.Importance,
		Valid: p.Valid, Precision: p.Precision, HoldsAt: p.HoldsAt, Trust: p.Trust, Extractor: a.extractor,
		Sources: []graph.Source{{Episode: a.episode.ID, Quote: p.Quote}},
	}
	if p.Quote == "" || !strings.Contains(a.episode.Text, p.Quote) {
		c.Trust, c.Sources[0].Quote = graph.Inferred, "" // nobody can check it against the text
	}
	if !p.Stated {
		c.Valid.From, c.Precision.From = a.episode.Occurred, a.episode.Precision
		if c.Valid.From == 0 {
			c.Precision.From = temporal.Unknown
		}
	}
	if c.Valid.Valid() != nil {
		return c, "the window would end before it begins", nil
	}
	at := max(c.HoldsAt, c.Valid.From)
	var why string
	var err error
	var subject, object graph.Named
	if subject, why, err = a.mention(ctx, p.Subject, at); err != nil || why != "" {
		return c, why, err
	}
	if !p.Object.IsZero() {
		if object, why, err = a.mention(ctx, p.Object, at); err != nil || why != "" {
			return c, why, err
		}
	}
	return a.resolve(ctx, c, subject, object)
}

// resolve finds or begins the entities of a claim.
func (a *application) resolve(ctx context.Context, c graph.Claim, subject, object graph.Named) (graph.Claim, string, error) {
	subject, object = a.cast.kinded(c.Predicate, subject, object)
	named := []graph.Named{subject}
	if object != (graph.Named{}) {
		named = append(named, object)
	}
	var faults checks
	for _, m := range named {
		faults.named("entity", m)
	}
	if err := faults.err(); err != nil {
		return c, err.Error(), nil
	}
	if err := a.cast.read(ctx, named); err != nil {
		return c, "", err
	}
	var err error
	if c.Subject, err = a.cast.entity("subject", subject); err != nil {
		return c, "", err
	}
	if len(named) > 1 {
		c.Object, err = a.cast.entity("object", object)
	}
	return c, "", err
}

// mention turns what a draft mentions into a name. "We" is the organisation that the speaker works at at that time.
func (a *application) mention(ctx context.Context, m extract.Mention, at temporal.Instant) (graph.Named, string, error) {
	self := a.session.Settings().Self
	speaker := self
	if a.episode.Speaker != "" {
		speaker = graph.Named{Name: a.episode.Speaker, Kind: "person"}
	}
	switch m.Ref {
	case extract.ByName:
		return graph.Named{Name: m.Name, Kind: m.Kind}, "", nil
	case extract.ScopeSelf:
		speaker = self
	}
	if speaker == (graph.Named{}) {
		return speaker, "the episode names no speaker and the scope no self", nil
	}
	if m.Ref != extract.Group {
		return speaker, "", nil
	}
	if err := a.cast.read(ctx, []graph.Named{speaker}); err != nil {
		return speaker, "", err
	}
	person, ok := a.cast.find(speaker)
	if !ok {
		return speaker, unknownGroup, nil
	}
	employers, err := a.session.Holding(ctx, person, "works_at", at)
	if err != nil {
		return speaker, "", err
	}
	if len(employers) != 1 {
		return speaker, unknownGroup, nil
	}
	return graph.Named{ID: employers[0].Object}, "", a.cast.read(ctx, []graph.Named{{ID: employers[0].Object}})
}
