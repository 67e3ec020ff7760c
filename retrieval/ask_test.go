package retrieval_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/graph"
	"tenure/retrieval"
)

func TestAskTheStory(t *testing.T) {
	m := globex(t)
	for _, c := range []struct {
		question string
		at       retrieval.At
		relation string
		answer   string
		values   []string
	}{
		{"what plan were we on before?", retrieval.At{}, "previous", "Basic (2026-02-10 to 2026-06-15)", []string{"Basic"}},
		{"what plan are we on?", retrieval.At{}, "current", "Pro (since 2026-06-15)", []string{"Pro"}},
		{"What plan are we on?", retrieval.At{ValidAt: "2026-03-01"}, "current", "Basic (2026-02-10 to 2026-06-15)", []string{"Basic"}},
		{"which tier is Globex on?", retrieval.At{}, "current", "Pro (since 2026-06-15)", []string{"Pro"}},
		{"what is Dana's plan?", retrieval.At{}, "current", "Pro (since 2026-06-15)", []string{"Pro"}},
		{"which plan was globex on in March 2026?", retrieval.At{}, "at", "Basic (2026-02-10 to 2026-06-15)", []string{"Basic"}},
		{"what plan were we on on 2026-06-14?", retrieval.At{}, "at", "Basic (2026-02-10 to 2026-06-15)", []string{"Basic"}},
		{"what plan were we on in June 2026?", retrieval.At{}, "at", "Basic (2026-02-10 to 2026-06-15); Pro (since 2026-06-15)", []string{"Basic", "Pro"}},
		{"what plan were we on in 2025?", retrieval.At{}, "at", "nothing on record", []string{}},
		{"what plan were we on before June 15, 2026?", retrieval.At{}, "previous", "Basic (2026-02-10 to 2026-06-15)", []string{"Basic"}},
		{"since when are we on this plan?", retrieval.At{}, "since", "since 2026-06-15 (Pro)", []string{"Pro"}},
		{"when did we move to Pro?", retrieval.At{}, "since", "since 2026-06-15 (Pro)", []string{"Pro"}},
		{"since when were we on Basic?", retrieval.At{}, "since", "since 2026-02-10 (Basic)", []string{"Basic"}},
		{"until when did we have the Basic plan?", retrieval.At{}, "until", "until 2026-06-15 (Basic)", []string{"Basic"}},
		{"when does our plan end?", retrieval.At{}, "until", "until further notice (Pro)", []string{"Pro"}},
		{"how long have we been on Pro?", retrieval.At{}, "duration", "2 months (Pro, since 2026-06-15)", []string{"Pro"}},
		{"how long were we on the Basic plan?", retrieval.At{}, "duration", "4 months (Basic, 2026-02-10 to 2026-06-15)", []string{"Basic"}},
		{"what is the history of our plan?", retrieval.At{}, "history", "Basic (2026-02-10 to 2026-06-15); Pro (since 2026-06-15)", []string{"Basic", "Pro"}},
		{"when did our plan change?", retrieval.At{}, "changed", "Basic → Pro (2026-06-15)", []string{"Basic", "Pro"}},
		{"has our plan changed since July 2026?", retrieval.At{}, "changed", "no change on record", []string{}},
		{"how did our seats change in June 2026?", retrieval.At{}, "changed", "30 → 120 (2026-06-15)", []string{"30", "120"}},
		{"what is our next plan?", retrieval.At{}, "next", "nothing on record", []string{}},
		{"what is our next plan?", retrieval.At{ValidAt: "2026-03-01"}, "next", "Pro (from 2026-06-15)", []string{"Pro"}},
		{"what plan came before Pro?", retrieval.At{}, "previous", "Basic (2026-02-10 to 2026-06-15)", []string{"Basic"}},
		{"how many seats do we have?", retrieval.At{}, "current", "120 (since 2026-06-15)", []string{"120"}},
		{"what is my role?", retrieval.At{}, "current", "IT admin (since 2026-02-10)", []string{"IT admin"}},
		{"where do I work?", retrieval.At{}, "current", "Globex (since 2026-02-10)", []string{"Globex"}},
		{"what plan are we on?", retrieval.At{ValidAt: "2026-01-01"}, "unknown", "", []string{}},
	} {
		t.Run(c.question, func(t *testing.T) {
			got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: c.question, At: c.at})
			if err != nil {
				t.Fatal(err)
			}
			if got.Relation != c.relation || got.Answer != c.answer {
				t.Errorf("got %s: %q, want %s: %q", got.Relation, got.Answer, c.relation, c.answer)
			}
			if diff := cmp.Diff(c.values, values(got.Facts)); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAskShowsItsEvidence(t *testing.T) {
	m := globex(t)
	got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: "what plan were we on before?"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Facts) != 1 || len(got.Facts[0].Sources) != 1 || got.Facts[0].Sources[0].Episode != "feb" {
		t.Errorf("facts %+v, want the one of February", got.Facts)
	}
	if got.Subject == nil || got.Subject.Name != "Globex" || got.Predicate != "on_plan" {
		t.Errorf("answered of %v %s, want Globex on_plan", got.Subject, got.Predicate)
	}
}

// TestAskBeforeLooksBackFromWhereItStands moves plans again: the one before is the last other one.
func TestAskBeforeLooksBackFromWhereItStands(t *testing.T) {
	m := globex(t)
	m.told(
		claim("Globex", "on_plan", "Team", "2026-10-01", kind("organisation", "plan")),
		claim("Globex", "on_plan", "Pro", "2026-10-20", kind("organisation", "plan")),
	)
	for at, want := range map[string]string{
		"2026-05-01": "", "2026-09-01": "Basic", "2026-10-10": "Pro", "2026-11-01": "Team",
	} {
		got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: "what plan were we on before?", At: retrieval.At{ValidAt: at}})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" && len(got.Facts) == 0 && got.Answer == "nothing on record" {
			continue
		}
		if len(got.Facts) != 1 || got.Facts[0].ObjectNode.Name != want {
			t.Errorf("before, asked at %s: %q %v, want %s", at, got.Answer, values(got.Facts), want)
		}
	}
}

func TestAskAsOfWhatWasKnown(t *testing.T) {
	m := newMemory(t)
	m.settings(self("Dana", "person"))
	first := m.told(
		claim("Dana", "works_at", "Globex", "2026-02-10", kind("person", "organisation")),
		claim("Globex", "on_plan", "Basic", "2026-02-10"),
	)
	then := first[1].Fact.Tx.From
	m.clock.Advance(1_000_000_000)
	m.told(claim("Globex", "on_plan", "Pro", "2026-06-15"))
	for tx, want := range map[string]string{then.String(): "Basic", "": "Pro"} {
		got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: "what plan are we on?", At: retrieval.At{ValidAt: "2026-07-01", TxAt: tx}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{want}, values(got.Facts)); diff != "" {
			t.Errorf("at tx %q (-want +got):\n%s", tx, diff)
		}
	}
}

func TestAskOfGapsAndPartialDates(t *testing.T) {
	m := newMemory(t)
	m.told(
		claim("Ann", "status", "away", "2019", until("2020-06")),
		claim("Ann", "status", "active", "2021-03", until("2022")),
		claim("Ann", "status", "retired", "2030"),
	)
	for question, want := range map[string]string{
		"what is Ann's status?":                    "current: nothing on record",
		"what was Ann's previous status?":          "previous: active (2021-03 to 2022)",
		"what will Ann's status be?":               "next: retired (from 2030)",
		"what was Ann's status in 2020?":           "at: away (2019 to 2020-06)",
		"what was Ann's status in December 2020?":  "at: nothing on record",
		"how has Ann's status changed over time?":  "changed: away → active (2021-03)",
		"since when was Ann away as a status?":     "since: since 2019 (away)",
		"until when was the status of Ann active?": "until: until 2022 (active)",
		"how long was the status of Ann active?":   "duration: 10 months (active, 2021-03 to 2022)",
		"How long will the status of Ann be away?": "duration: 17 months (away, 2019 to 2020-06)",
		"Is there a timeline of Ann's status, ok?": "history: away (2019 to 2020-06); active (2021-03 to 2022); retired (from 2030)",
	} {
		got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: question})
		if err != nil {
			t.Fatal(err)
		}
		if s := got.Relation + ": " + got.Answer; s != want {
			t.Errorf("%s\n got %s\nwant %s", question, s, want)
		}
	}
}

func TestAskOfManyValues(t *testing.T) {
	m := newMemory(t)
	m.settings(self("Ann", "person"))
	m.told(claim("Ann", "speaks", "Norwegian", "2001"), claim("Ann", "speaks", "Thai", "2015"), claim("Ann", "speaks", "Latin", "1999", until("2003")))
	for question, want := range map[string]string{
		"which languages do I speak?":              "current: Norwegian (since 2001); Thai (since 2015)",
		"which languages did I speak in 2002?":     "at: Latin (1999 to 2003); Norwegian (since 2001)",
		"which languages have I spoken over time?": "history: Latin (1999 to 2003); Norwegian (since 2001); Thai (since 2015)",
		"which language did I speak before?":       "unknown: ",
	} {
		got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: question})
		if err != nil {
			t.Fatal(err)
		}
		if s := got.Relation + ": " + got.Answer; s != want {
			t.Errorf("%s\n got %s\nwant %s", question, s, want)
		}
	}
}

// TestAskIsNotAnsweredOfSomebodyElse asks about what is known by name, of whom nothing of the kind is held.
func TestAskIsNotAnsweredOfSomebodyElse(t *testing.T) {
	m := globex(t)
	m.told(claim("Initech", "located_in", "Texas", "2020", kind("organisation", "place")), claim("Ira", "works_at", "Initech", "2020", kind("person", "organisation")))
	for _, question := range []string{"what is Initech's plan?", "do we know which plan Initech is on?", "which plan is Ira on?"} {
		got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: question})
		if err != nil {
			t.Fatal(err)
		}
		if got.Relation != "unknown" {
			t.Errorf("%s: %s %q, want unknown", question, got.Relation, got.Answer)
		}
	}
}

func TestAskWhoAsks(t *testing.T) {
	m := newMemory(t)
	m.settings(self("Dana", "person"))
	m.told(claim("Dana", "role", "admin", "2020", kind("person", graph.KindValue)), claim("Eve", "role", "cook", "2020", kind("person", graph.KindValue)))
	for speaker, want := range map[string]string{"": "current: admin (since 2020)", "Eve": "current: cook (since 2020)", "eve": "current: cook (since 2020)", "Stranger": "unknown: "} {
		got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: "what is my role?", Speaker: speaker})
		if err != nil {
			t.Fatal(err)
		}
		if s := got.Relation + ": " + got.Answer; s != want {
			t.Errorf("asked by %q: got %s, want %s", speaker, s, want)
		}
	}
}

func TestAskUnknownCarriesWhatRecallFinds(t *testing.T) {
	m := globex(t)
	got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: "do we need the Security add-on for SSO?"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Relation != "unknown" || got.Answer != "" || len(got.Facts) == 0 {
		t.Errorf("got %s %q with %d facts, want unknown with facts", got.Relation, got.Answer, len(got.Facts))
	}
	if _, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{}); !errors.Is(err, graph.ErrInvalid) {
		t.Errorf("no question: %v, want invalid", err)
	}
	if _, err := m.of("nowhere").read.Ask(t.Context(), graph.Scope{Tenant: "default", Name: "nowhere"}, retrieval.AskQuery{Question: "x"}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("no scope: %v, want not found", err)
	}
}
