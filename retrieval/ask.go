package retrieval

import (
	"context"
	"slices"

	"tenure/graph"
	"tenure/lexical"
)

// worksAt joins a person to the organisation for which they say "we".
const worksAt = "works_at"

// Ask answers a question about a slot from the windows that are held, with no model: what the value is, was, will be, since
// and until when, for how long, and how it changed. Of a predicate with many values it answers what holds, held at a time, or ever held.
// Whatever it cannot answer so is "unknown", and comes with what recall finds.
func (s *Service) Ask(ctx context.Context, scope graph.Scope, q AskQuery) (Answer, error) {
	own, err := s.open(ctx, scope, q.At)
	if err != nil {
		return Answer{}, err
	}
	if q.Question == "" {
		return Answer{}, graph.Invalid("question", "is missing")
	}
	a := &asked{lens: own, speaker: q.Speaker, question: read(q.Question, own.world.Registry(), own.at.Valid, own.zone), text: q.Question}
	answer, ok, err := a.answer(ctx)
	if err != nil || ok {
		answer.AsOf = own.asOf()
		return answer, err
	}
	recalled, err := s.Recall(ctx, scope, RecallQuery{Query: q.Question, At: q.At, Speaker: q.Speaker})
	if err != nil {
		return Answer{}, err
	}
	answer = Answer{Relation: relUnknown, AsOf: recalled.AsOf}
	for _, r := range recalled.Results {
		answer.Facts = append(answer.Facts, *r.Fact)
	}
	return answer, nil
}

// asked is a question on its way to an answer.
type asked struct {
	*lens
	question
	text    string
	speaker string
	named   []graph.EntityID // whom or what the question names
	selves  []graph.EntityID // who asks
	jobs    []graph.Version  // of all these, at the as-of
}

// answer answers if the question names a predicate of which something is held about whom it is about. Of several readings
// the likeliest counts of which something is held.
func (a *asked) answer(ctx context.Context) (Answer, bool, error) {
	if err := a.meet(ctx); err != nil {
		return Answer{}, false, err
	}
	subjects := a.subjects()
	if len(subjects) == 0 {
		return Answer{}, false, nil
	}
	for _, predicate := range a.predicates {
		for _, subject := range subjects {
			windows, err := a.windows(ctx, subject, []string{predicate})
			if err != nil {
				return Answer{}, false, err
			}
			if len(windows) > 0 && a.about(subject, windows) {
				return a.compose(ctx, subject, predicate, windows)
			}
		}
	}
	if len(a.predicates) > 0 {
		return Answer{}, false, nil
	}
	return a.byValue(ctx, subjects)
}

// meet finds whom the question names, who asks it, and where they work.
func (a *asked) meet(ctx context.Context) error {
	j := newJoint([]*lens{a.lens})
	named, err := j.namedIn(ctx, a.text)
	if err != nil {
		return err
	}
	asker, err := a.lens.asker(ctx, a.speaker, j)
	if err != nil {
		return err
	}
	a.named, a.selves = ids(named), ids(asker)
	people := slices.Concat(a.named, a.selves)
	if len(people) == 0 {
		return nil
	}
	a.jobs, err = a.Versions(ctx, graph.VersionFilter{Subjects: people, Predicates: []string{worksAt}, Valid: a.at.Valid})
	return err
}

func ids(nodes []node) []graph.EntityID {
	out := make([]graph.EntityID, len(nodes))
	for i, n := range nodes {
		out[i] = n.id
	}
	return out
}

// subjects returns whom the question may be about, the likeliest first: whom it names, then who asks; for "we" the
// organisation that they work at before them. A person stands for the organisation too, since a person who is asked about
// a plan or seats speaks for it.
func (a *asked) subjects() []graph.EntityID {
	order := [][]graph.EntityID{a.named, a.selves, a.employers(a.selves), a.employers(a.named)}
	if a.hasAny("we", "our", "us", "ours") {
		order[1], order[2] = order[2], order[1]
	}
	var out []graph.EntityID
	for _, id := range slices.Concat(order...) {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// employers returns the organisations that people work at, the one they joined last first.
func (a *asked) employers(people []graph.EntityID) []graph.EntityID {
	var out []graph.EntityID
	for _, job := range slices.Backward(a.jobs) {
		if slices.Contains(people, job.Subject) {
			out = append(out, job.Object)
		}
	}
	return out
}

// about reports whether windows of a subject can be what the question is about: all that it names is the subject, who speaks
// for it, or one of the values. So "what is Initech's plan?" is not answered with ours.
func (a *asked) about(subject graph.EntityID, windows []graph.Version) bool {
	return !slices.ContainsFunc(a.named, func(named graph.EntityID) bool {
		return named != subject &&
			!slices.Contains(a.selves, named) && !slices.Contains(a.employers(a.selves), named) &&
			!slices.Contains(a.employers([]graph.EntityID{named}), subject) &&
			!slices.ContainsFunc(windows, func(w graph.Version) bool { return w.Object == named })
	})
}

// byValue answers a question that names no predicate, but the value of a slot: "since when are we on Pro?"
func (a *asked) byValue(ctx context.Context, subjects []graph.EntityID) (Answer, bool, error) {
	for _, subject := range subjects {
		windows, err := a.windows(ctx, subject, nil)
		if err != nil {
			return Answer{}, false, err
		}
		objects, err := a.names(ctx, windows)
		if err != nil {
			return Answer{}, false, err
		}
		for _, w := range windows {
			if a.relation == relCurrent || !slot(a.world.Registry(), w.Predicate) || !a.says(objects[w.Object].Name) {
				continue
			}
			windows = slices.DeleteFunc(windows, func(v graph.Version) bool { return v.Lane != w.Lane })
			if !a.about(subject, windows) {
				return Answer{}, false, nil
			}
			return a.compose(ctx, subject, w.Predicate, windows)
		}
	}
	return Answer{}, false, nil
}

// windows returns the visible windows of a subject's predicates, of any valid time, in order.
func (a *asked) windows(ctx context.Context, subject graph.EntityID, predicates []string) ([]graph.Version, error) {
	return a.versions(ctx, graph.VersionFilter{Subjects: []graph.EntityID{subject}, Predicates: predicates})
}

// names returns the objects of windows.
func (a *asked) names(ctx context.Context, windows []graph.Version) (map[graph.EntityID]graph.Entity, error) {
	var ids []graph.EntityID
	for _, w := range windows {
		ids = append(ids, w.Object)
	}
	slices.Sort(ids)
	return a.Reader.Entities(ctx, slices.Compact(ids))
}

// says reports whether the question says a name.
func (a *asked) says(name string) bool {
	return contains(lexical.Words(a.text), lexical.Words(name))
}

// compose makes the answer of the windows of a subject's predicate.
func (a *asked) compose(ctx context.Context, subject graph.EntityID, predicate string, windows []graph.Version) (Answer, bool, error) {
	objects, err := a.names(ctx, windows)
	if err != nil {
		return Answer{}, false, err
	}
	t := &telling{at: a.at.Valid, zone: a.zone, windows: windows, objects: objects, date: a.date, about: -1, single: slot(a.world.Registry(), predicate)}
	for i, w := range windows { // the latest window of a value that the question names
		if a.says(objects[w.Object].Name) && (t.about < 0 || w.Valid.From <= t.at) {
			t.about = i
		}
	}
	text, shown, ok := t.tell(a.relation)
	if !ok {
		return Answer{}, false, nil
	}
	answer := Answer{Relation: a.relation, Answer: text, Predicate: predicate}
	nodes, err := a.Reader.Entities(ctx, []graph.EntityID{subject})
	if err != nil {
		return Answer{}, false, err
	}
	if e, ok := nodes[subject]; ok {
		answer.Subject = &e
	}
	answer.Facts, err = a.dress(ctx, shown)
	return answer, true, err
}
