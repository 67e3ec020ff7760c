package retrieval_test

import (
	"testing"

	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

// TestTimesInQuestions is asked on Sunday, 13 September 2026.
func TestTimesInQuestions(t *testing.T) {
	m := newMemory(t)
	m.told(claim("Zoe", "noted", "z", "unknown", text("Zoe collects zeppelins.")))
	for question, want := range map[string]string{
		"which zeppelins on 2026-03-01?":            "2026-03-01 day",
		"which zeppelins in 2026-03?":               "2026-03-01 month",
		"which zeppelins on 5 May 2024?":            "2024-05-05 day",
		"which zeppelins on the 5th of May 2024":    "2024-05-05 day",
		"which zeppelins on May 5, 2024?":           "2024-05-05 day",
		"which zeppelins on Sept. 5th, 2024?":       "2024-09-05 day",
		"which zeppelins in March 2026?":            "2026-03-01 month",
		"which zeppelins in march of 2026?":         "2026-03-01 month",
		"which zeppelins in March?":                 "2026-03-01 month",
		"which zeppelins in December?":              "2025-12-01 month",
		"which zeppelins on 3 September?":           "2026-09-03 day",
		"which zeppelins on September 20?":          "2025-09-20 day",
		"which zeppelins in 2019?":                  "2019-01-01 year",
		"which zeppelins since 2019?":               "2019-01-01 year",
		"which zeppelins yesterday?":                "2026-09-12 day",
		"which zeppelins today?":                    "2026-09-13 day",
		"which zeppelins last week?":                "2026-08-31 day",
		"which zeppelins this week?":                "2026-09-07 day",
		"which zeppelins last month?":               "2026-08-01 month",
		"which zeppelins last year?":                "2025-01-01 year",
		"which zeppelins three days ago?":           "2026-09-10 day",
		"which zeppelins 20 months ago?":            "2025-01-01 month",
		"which zeppelins a year ago?":               "2025-01-01 year",
		"which zeppelins?":                          "",
		"which zeppelins may march?":                "",
		"which of the 2019 zeppelins?":              "",
		"which zeppelins on 2026-02-30?":            "",
		"which zeppelins on 31 June 2026?":          "2026-06-01 month", // what can be read of it
		"which zeppelins in 9999 days?":             "",
		"which zeppelins 9999 years ago?":           "",
		"which zeppelins on 99 May 2024?":           "2024-05-01 month",
		"which zeppelins, the last one of the year": "",
	} {
		got := m.recall(retrieval.RecallQuery{Query: question})
		read := ""
		if d := got.Interpreted.Time; d != nil {
			read = d.At.String()[:len("2026-03-01")] + " " + string(d.Precision)
		}
		if read != want {
			t.Errorf("%s: %q, want %q", question, read, want)
		}
	}
}

func TestTimesInQuestionsAreInTheZoneOfTheScope(t *testing.T) {
	m := newMemory(t)
	m.settings(ingest.SettingsInput{TimeZone: ingest.Patch[string]{Present: true, Value: "Pacific/Auckland"}})
	m.told(claim("Zoe", "noted", "z", "unknown", text("Zoe collects zeppelins.")))
	// At noon in Greenwich it is the next day there.
	got := m.recall(retrieval.RecallQuery{Query: "which zeppelins today?"}).Interpreted.Time
	if want := (temporal.Date{At: instant("2026-09-13T12:00:00Z"), Precision: temporal.Day}); got == nil || *got != want {
		t.Errorf("today is %+v, want %+v", got, want)
	}
}

func FuzzQuestion(f *testing.F) {
	m := globex(f)
	for _, seed := range []string{
		"what plan were we on before?", "since when are we on Pro?", "in 2019-13", "31 february 2020", "0 days ago", "last", "when",
		"will", "how long", "\x00\xff", "what plan on 9999-12-31", "before 1000", "前 プラン",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, question string) {
		got, err := m.read.Ask(t.Context(), m.scope, retrieval.AskQuery{Question: question})
		if question == "" {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, fact := range got.Facts {
			if fact.Scope.Name != "globex" && fact.Scope.Name != "acme-kb" {
				t.Errorf("a fact of %v", fact.Scope)
			}
		}
		if (got.Relation == "unknown") != (got.Answer == "") {
			t.Errorf("relation %s with answer %q", got.Relation, got.Answer)
		}
	})
}
