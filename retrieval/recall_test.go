package retrieval_test

import (
	"testing"

	"tenure/retrieval"
)

func TestRecallOfTheStory(t *testing.T) {
	m := globex(t)
	got := m.recall(retrieval.RecallQuery{Query: "Do we need the Security add-on for SSO?", Speaker: "Dana", At: retrieval.At{ValidAt: "2026-09-13T12:00:00Z"}, Explain: true})
	for _, r := range got.Results {
		t.Logf("%.3f %+v %s %v", r.Score, r.Signals, r.Fact.Text, r.Arms)
		for _, h := range r.Path {
			t.Logf("      %s -%s-> %s", h.From.Name, h.Predicate, h.To.Name)
		}
	}
	t.Log("\n" + got.Context)
	t.Logf("%+v", got.Suppressed)
	for _, q := range []string{"what plan were we on before?", "what plan are we on?", "how many seats do we have?", "since when are we on Pro?", "how long have we been on Pro?", "What is my role?", "what plan was Globex on in March 2026?", "plan history", "when did our plan change?", "who am I?", "where do I work?"} {
		a, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: q})
		t.Logf("%s → %s: %s %v %v", q, a.Relation, a.Answer, values(a.Facts), err)
	}
	p, err := m.read.Profile(t.Context(), m.scope, retrieval.At{}, 0)
	t.Log(p.Text, err)
}
