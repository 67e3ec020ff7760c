package graphtest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tenure/belief"
	"tenure/graph"
	"tenure/ledger"
	"tenure/temporal"
)

// scriptCommands are the commands of scripts. What stands in [] may be left out.
//
//	on DATE                                   the story goes on on that day
//	episode ID [at DATE] ["TEXT"]             an episode is stored
//	assert S P O [from DATE] [to DATE] [holds DATE] [in EPISODES] [trust T] [text "…"] [type T] [importance N] [quote "…"]
//	       [replaces FACT] [actor A] [by EXTRACTOR] [as LABEL]
//	deny S P [O] …                            a retraction among other statements; never: it never was so
//	correct FACT [when DATE] [object O] [text "…"] [from DATE] [to DATE] [importance N] [as LABEL]
//	end FACT [at DATE] [never] [as LABEL]     /retract
//	forget FACT, revert LABEL, erase FACT, erase-episode ID
//	declare P CARDINALITY [symmetric] [inverse P] [opposite P] [type T]
//	merge S into O
//	reextract EPISODES                        the + lines that follow are what is read in them now
//	facts [of S] [predicate P] [object O] [at DATE] [known DATE or LABEL] [hidden] [gone] [begins-from DATE] …
//	disputed, history S P, fact FACT, changes [since LABEL], why FACT
//
// A claim, and the change it makes, are called by their label; without one they are numbered.
const scriptCommands = "on episode assert deny correct end forget revert erase erase-episode declare merge reextract facts disputed history fact changes why"

// do does one request and returns what it answers.
func (s *stage) do(lines []string) (string, error) {
	first, err := split(lines[0])
	if err != nil {
		return "", err
	}
	switch first.name {
	case "on":
		d, err := day(first.word(0))
		s.date = d.At
		return "", err
	case "facts":
		return s.facts(first)
	case "disputed":
		return s.disputed(first)
	case "history":
		return s.history(first)
	case "fact":
		return s.fact(first)
	case "why":
		return s.why(first)
	case "changes":
		return s.listChanges(first)
	case "episode":
		return "", s.episode(first)
	}
	var ops []operation
	for i, line := range lines {
		w, err := split(line)
		if err != nil {
			return "", err
		}
		if i > 0 && ops[0].deed == reextract {
			c, err := s.claim(w, s.label(w))
			if err != nil {
				return "", err
			}
			ops[0].claims = append(ops[0].claims, c)
			ops[0].entities = append(ops[0].entities, things(c, w)...)
			continue
		}
		o, err := s.operation(w)
		if err != nil {
			return "", err
		}
		ops = append(ops, o)
	}
	return s.request(ops)
}

// label is what an operation is called.
func (s *stage) label(w words) string {
	s.made++
	if w.option["as"] != "" {
		return w.option["as"]
	}
	return strconv.Itoa(s.made)
}

func (s *stage) operation(w words) (operation, error) {
	label := s.label(w)
	o := operation{op: ledger.Op{Change: graph.ChangeID(label), Actor: w.option["actor"]}, fact: graph.ClaimID(w.word(0))}
	var err error
	switch w.name {
	case "assert", "deny":
		o.deed = say
		o.claim, err = s.claim(w, label)
		o.entities = things(o.claim, w)
		if len(o.claim.Sources) > 0 {
			o.op.Episode = o.claim.Sources[0].Episode
		}
	case "correct":
		o.deed = correct
		o.correction, err = s.correction(w, label)
		if name := w.option["object"]; name != "" {
			o.entities = []graph.Entity{thing(name)}
		}
	case "end":
		o.deed = end
		var d temporal.Date
		if d, err = day(w.option["at"]); d.At == 0 {
			d.At = s.date
		}
		o.end = ledger.End{ID: graph.ClaimID(label), At: d.At, Never: w.option["never"] != ""}
	case "forget":
		o.deed = forget
	case "revert":
		o.deed, o.change = revert, graph.ChangeID(w.word(0))
	case "erase":
		o.deed = eraseFact
	case "erase-episode":
		o.deed, o.episodes = eraseEpisode, []graph.EpisodeID{graph.EpisodeID(w.word(0))}
	case "declare":
		o.deed = declare
		o.predicate = graph.Predicate{
			Name: w.word(0), Cardinality: graph.Cardinality(w.word(1)), Symmetric: w.option["symmetric"] != "",
			Inverse: w.option["inverse"], Opposite: w.option["opposite"], Type: w.option["type"],
		}
	case "merge":
		o.deed, o.from, o.into = merge, thing(w.word(0)).ID, thing(w.option["into"]).ID
	case "reextract":
		o.deed = reextract
		for _, id := range strings.Split(w.word(0), ",") {
			o.episodes = append(o.episodes, graph.EpisodeID(id))
		}
	default:
		err = fmt.Errorf("no such command: %s; there are %s", w.name, scriptCommands)
	}
	return o, err
}

// claim reads what is said. What has no begin begins on the day of the story.
func (s *stage) claim(w words, label string) (graph.Claim, error) {
	c := graph.Claim{
		ID: graph.ClaimID(label), Kind: graph.Assert, Subject: thing(w.word(0)).ID, Predicate: w.word(1),
		Text: w.option["text"], Type: w.option["type"], Trust: graph.Stated, Actor: w.option["actor"], Extractor: w.option["by"],
	}
	if w.name == "deny" {
		c.Kind = graph.Retract
	}
	if name := w.word(2); name != "" {
		c.Object = thing(name).ID
	}
	if w.option["trust"] != "" {
		c.Trust = graph.Trust(w.option["trust"])
	}
	for _, id := range w.list("in") {
		c.Sources = append(c.Sources, graph.Source{Episode: graph.EpisodeID(id), Quote: w.option["quote"]})
	}
	for _, id := range w.list("replaces") {
		c.Replaces = append(c.Replaces, graph.ClaimID(id))
	}
	if text := w.option["importance"]; text != "" {
		importance, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return c, err
		}
		c.Importance = &importance
	}
	from, err1 := day(w.option["from"])
	to, err2 := day(w.option["to"])
	holds, err3 := day(w.option["holds"])
	if w.option["from"] == "" {
		from.At = s.date
	}
	c.Valid, c.Precision, c.HoldsAt = temporal.Period{From: from.At, To: to.At}, graph.Bounds{From: from.Precision, To: to.Precision}, holds.At
	if w.option["never"] != "" {
		c.Kind, c.Valid, c.Precision = graph.Never, temporal.Period{}, graph.Bounds{}
	}
	return c, errors.Join(err1, err2, err3, c.Valid.Valid())
}

// things are the entities that a claim names.
func things(c graph.Claim, w words) []graph.Entity {
	out := []graph.Entity{thing(w.word(0))}
	if c.Object != "" {
		out = append(out, thing(w.word(2)))
	}
	return out
}

func (s *stage) correction(w words, label string) (ledger.Correction, error) {
	in := ledger.Correction{ID: graph.ClaimID(label)}
	when, err := day(w.option["when"])
	in.At = when.At
	if in.At == 0 {
		in.At = s.date
	}
	if text, ok := w.option["text"]; ok {
		in.Text = &text
	}
	if name := w.option["object"]; name != "" {
		id := thing(name).ID
		in.Object = &id
	}
	for _, end := range []struct {
		name string
		date **temporal.Date
	}{{"from", &in.From}, {"to", &in.To}} {
		if text, ok := w.option[end.name]; ok {
			d, failed := day(text)
			*end.date, err = &d, errors.Join(err, failed)
		}
	}
	if text := w.option["importance"]; text != "" {
		importance, failed := strconv.ParseFloat(text, 64)
		in.Importance, err = &importance, errors.Join(err, failed)
	}
	return in, err
}

func (s *stage) episode(w words) error {
	at, err := day(w.option["at"])
	if at.At == 0 {
		at.At = s.date
	}
	return errors.Join(err, s.store.Update(s.ctx, s.scope, func(u graph.Writer) error {
		s.said = append(s.said, moment{u.Now(), s.date})
		return u.Write(s.ctx, graph.Delta{Episodes: []graph.Episode{{
			ID: graph.EpisodeID(w.word(0)), Kind: graph.Message, Text: w.word(1), Occurred: at.At, Recorded: graph.Pos{Tx: u.Now()}, Status: graph.Done,
		}}})
	}))
}

// request does operations in one update and says what came of it: of each the outcome, and what it changed.
func (s *stage) request(ops []operation) (string, error) {
	var results []answer
	var now temporal.Instant
	err := s.store.Update(s.ctx, s.scope, func(w graph.Writer) error {
		results, now = nil, w.Now()
		session, err := ledger.Begin(s.ctx, w)
		if err != nil {
			return err
		}
		for _, o := range ops {
			r, err := o.apply(s.ctx, session)
			if err != nil {
				return err
			}
			results = append(results, r)
		}
		return session.Commit(s.ctx)
	})
	for _, kind := range []error{graph.ErrConflict, graph.ErrNotFound, graph.ErrInvalid} {
		if errors.Is(err, kind) {
			return err.Error() + "\n", nil
		}
	}
	if err != nil {
		return "", err
	}
	s.said = append(s.said, moment{now, s.date})
	r, err := s.store.Snapshot(s.ctx, graph.View{Scope: s.scope})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for i, result := range results {
		s.requests[string(ops[i].op.Change)] = now
		if err := s.answer(&out, r, ops[i], result); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// answer says what one operation did.
func (s *stage) answer(out *strings.Builder, r graph.Reader, o operation, result answer) error {
	changes, err := r.Changes(s.ctx, []graph.ChangeID{result.Change})
	if err != nil {
		return err
	}
	word := string(result.Outcome)
	change, changed := changes[result.Change]
	switch {
	case o.deed == eraseFact || o.deed == eraseEpisode:
		word = "erased"
	case word == "" && changed:
		word = string(change.Kind)
	case word == "":
		word = "nothing"
	}
	fmt.Fprintln(out, word)
	if !changed {
		return nil
	}
	differences, err := belief.Differences(s.ctx, r, []graph.Change{change})
	if err != nil {
		return err
	}
	return s.difference(out, r, differences[0])
}
