package graphtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"tenure/belief"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// A history is a sequence of seeds, one for each request. What a seed makes depends on what came before, so that any part of a
// history is a history too.
type history struct {
	universe uint64
	weights  []int
	steps    []step
}

// A step is the seed of a request, and its number, which stays when others are left out.
type step struct {
	number int
	seed   uint64
}

// newHistory draws a history of n requests.
func newHistory(seed uint64, n int, weights []int) history {
	r := rand.New(rand.NewPCG(seed, 1))
	h := history{universe: r.Uint64(), weights: weights}
	for i := range n {
		h.steps = append(h.steps, step{i, r.Uint64()})
	}
	return h
}

// A player plays histories on a store and on the model, and compares.
type player struct {
	ctx   context.Context
	store graph.Store
	scope graph.Scope
	m     *model
	t     *teller
	log   []string // the requests, as a person reads them
	gone  []string // words that were erased and must not be read again
	tale  []told   // the requests that were done

	changes  []graph.Change  // as the store has them
	versions []graph.Version // as the store has them, of all transaction times
	old      graph.Reader    // a snapshot taken earlier
}

// told is a request that was done, with its transaction time.
type told struct {
	now        temporal.Instant
	again      temporal.Instant // when it was told again
	operations []operation
}

// play plays a history in a scope of its own and returns the first difference, with what had been done until then.
func play(ctx context.Context, store graph.Store, scope graph.Scope, h history) (string, error) {
	p, err := newPlayer(ctx, store, scope, h)
	if err != nil {
		return "", err
	}
	for _, s := range h.steps {
		p.turn(s)
		if err := p.request(p.t.request()); err != nil {
			return p.text(), err
		}
	}
	p.turn(step{number: len(h.steps), seed: h.universe})
	return p.text(), p.undo()
}

func newPlayer(ctx context.Context, store graph.Store, scope graph.Scope, h history) (*player, error) {
	p := &player{ctx: ctx, store: store, scope: scope, m: newModel(scope)}
	p.t = &teller{universe: newUniverse(rand.New(rand.NewPCG(h.universe, 2)), h.weights)}
	return p, p.begin()
}

// turn makes ready for a step.
func (p *player) turn(s step) {
	p.t.Rand, p.t.m, p.t.step, p.t.made = rand.New(rand.NewPCG(s.seed, 3)), p.m, s.number, 0
}

// undo reverts some changes in one order and reverts the reverts in another. Then all is believed again as it was.
func (p *player) undo() error {
	before := p.m.latest().windows()
	var ids []graph.ChangeID
	for _, c := range p.m.changes {
		if c.Kind != graph.ChangeErase && p.m.latest().stands(c.ID) {
			ids = append(ids, c.ID)
		}
	}
	for range 2 {
		p.t.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		ids = ids[:min(len(ids), 4)]
		for i, id := range ids {
			o := operation{deed: revert, change: id}
			o.op.Change = graph.ChangeID(p.t.mint("undo"))
			if err := p.request([]operation{o}); err != nil {
				return err
			}
			ids[i] = o.op.Change
		}
	}
	var now []graph.Version
	for _, v := range p.at(temporal.Forever - 1) {
		v.Tx = temporal.Period{}
		now = append(now, v)
	}
	return diff("believed after reverts were reverted", stripped(now), stripped(contents(before)))
}

func (p *player) text() string {
	out := ""
	for _, line := range p.log {
		out += "\t" + line + "\n"
	}
	return out
}

// begin writes what a history begins with.
func (p *player) begin() error {
	return p.store.Update(p.ctx, p.scope, func(w graph.Writer) error {
		var d graph.Delta
		for _, name := range slices.Concat(p.t.subjects, p.t.objects) {
			e := entity(name)
			p.m.entities[e.ID] = e
		}
		d.Entities = slices.Collect(maps.Values(p.m.entities))
		for i := range episodesToldOf {
			e := graph.Episode{
				ID: graph.EpisodeID(fmt.Sprintf("e%d", i)), Kind: graph.Message, Text: fmt.Sprintf("They said canary-e%d-yranac.", i),
				Recorded: graph.Pos{Tx: w.Now(), Seq: i}, Status: graph.Done,
			}
			p.m.episodes[e.ID] = e
			d.Episodes = append(d.Episodes, e)
		}
		return w.Write(p.ctx, d)
	})
}

// request does the operations in one update, on the store and on the model, and compares.
func (p *player) request(ops []operation) error {
	for i, o := range ops {
		joint := "  "
		if i > 0 {
			joint = "+ "
		}
		p.log = append(p.log, joint+o.String())
	}
	done, err := p.commit(ops)
	next := p.m.clone()
	next.now, next.seq = done.now, 0
	for i, o := range ops {
		want := o.predict(next, done.located)
		if ended, problem := judgeAnswer(o, want, err, done.results, i); problem != nil {
			return problem
		} else if ended {
			break
		}
	}
	if err != nil {
		p.log[len(p.log)-1] += "\t→ " + err.Error()
		return p.compare() // nothing may have changed
	}
	words := erasedWords(p.m, next)
	p.m = next
	p.tale = append(p.tale, told{now: done.now, operations: ops})
	for _, o := range ops {
		for _, c := range append(slices.Clone(o.claims), o.claim) {
			p.know(c.ID)
		}
		p.know(o.correction.ID)
		p.know(o.end.ID)
	}
	if len(words) > 0 {
		p.old = nil // the past was rewritten
		p.gone = append(p.gone, words...)
		if err := p.searchErased(words); err != nil {
			return err
		}
	}
	if err := p.compare(); err != nil {
		return err
	}
	return p.checkSettled(done)
}

// committed is what the store answered to a request.
type committed struct {
	now     temporal.Instant
	results []answer
	settled []graph.Version                 // the windows that the answers name, as they were committed
	located map[graph.ClaimID]graph.ClaimID // what the ids led to that the operations name
}

// commit does operations in one update of the store.
func (p *player) commit(ops []operation) (done committed, err error) {
	err = p.store.Update(p.ctx, p.scope, func(w graph.Writer) (err error) {
		done = committed{now: w.Now()}
		if done.located, err = p.locate(w, ops); err != nil {
			return err
		}
		s, err := ledger.Begin(p.ctx, w)
		if err != nil {
			return err
		}
		for _, o := range ops {
			r, err := o.apply(p.ctx, s)
			if err != nil {
				return err
			}
			done.results = append(done.results, r)
		}
		if err := p.checkHolding(s, ops); err != nil {
			return err
		}
		if err := s.Commit(p.ctx); err != nil {
			return err
		}
		for _, r := range done.results {
			if r.Fact != nil {
				done.settled = append(done.settled, s.Settled(*r.Fact))
			}
		}
		return nil
	})
	return done, err
}

// know remembers the id of a claim that was logged.
func (p *player) know(id graph.ClaimID) {
	if _, ok := p.m.claim(id); ok && !slices.Contains(p.t.known, id) {
		p.t.known = append(p.t.known, id)
	}
}

// locate asks what the ids that operations name lead to, before any of them is done.
func (p *player) locate(r graph.Reader, ops []operation) (map[graph.ClaimID]graph.ClaimID, error) {
	out := map[graph.ClaimID]graph.ClaimID{}
	var ids []graph.ClaimID
	for _, o := range ops {
		ids = append(ids, o.names()...)
		if o.deed == correct {
			for _, c := range p.m.claims {
				ids = append(ids, c.Replaces...)
			}
		}
	}
	for _, id := range ids {
		fact, err := belief.Locate(p.ctx, r, id)
		if err != nil && !errors.Is(err, graph.ErrNotFound) {
			return nil, err
		}
		out[id] = fact
	}
	return out, nil
}

// judgeAnswer compares what an operation of a request answered with what it must, and reports whether the request ended here.
func judgeAnswer(o operation, want verdict, err error, results []answer, i int) (bool, error) {
	if want.err != nil {
		if !errors.Is(err, want.err) {
			return true, fmt.Errorf("%s: got error %v, want %v", o.deed, err, want.err)
		}
		return true, nil
	}
	if i >= len(results) {
		return true, fmt.Errorf("%s: got error %w, want none", o.deed, err)
	}
	got := results[i]
	if got.Change != want.change {
		return true, fmt.Errorf("%s: got change %q, want %q", o.deed, got.Change, want.change)
	}
	if want.outcome != "" && got.Outcome != want.outcome {
		return true, fmt.Errorf("%s: got outcome %q, want %q", o.deed, got.Outcome, want.outcome)
	}
	if o.deed == eraseFact || o.deed == eraseEpisode {
		got.erased.Counts.Versions = 0 // how many versions were taken together is the ledger's to say
		if err := diff("erased", got.erased.Counts, want.erased); err != nil {
			return true, err
		}
	}
	if want.claim != "" && o.deed == say && got.Claim != want.claim {
		return true, fmt.Errorf("%s: got claim %q, want %q", o.deed, got.Claim, want.claim)
	}
	return false, nil
}

// erasedWords are the canaries of what the model held and holds no more.
func erasedWords(was, is *model) []string {
	var out []string
	for _, c := range was.claims {
		if _, ok := is.claim(c.ID); !ok {
			out = append(out, canary(string(c.ID)))
		}
	}
	for id := range was.episodes {
		if _, ok := is.episodes[id]; !ok {
			out = append(out, canary(string(id)))
		}
	}
	return out
}
