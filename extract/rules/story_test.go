package rules_test

import (
	"testing"

	"tenure/graph"
)

func TestTheStory(t *testing.T) {
	for _, m := range []struct {
		at, text string
		want     []string
	}{
		{"2026-02-10T08:59:00Z", "Hi, I'm Dana, the IT admin at Globex.", claims(
			"I works_at Globex/organisation holds «I'm Dana, the IT admin at Globex»",
			"I role IT admin at Globex holds «I'm Dana, the IT admin at Globex»")},
		{"2026-02-10T09:00:00Z", "We're on Basic with 30 seats, and SSO isn't set up yet.", claims(
			"we on_plan Basic/plan holds «We're on Basic»",
			"we seat_count 30 holds «We're on Basic with 30 seats»")},
		{"2026-02-10T09:01:00Z", "Always give me numbered steps.", claims(
			"I prefers numbered steps holds «Always give me numbered steps»")},
		{"2026-02-10T09:02:00Z", "thanks", nil},
		{"2026-02-10T09:03:00Z", "Yes, the second one.", nil},
		{"2026-06-15T09:00:00Z", "We moved to Pro, 120 seats now.", claims(
			"we on_plan Pro/plan «We moved to Pro»",
			"we seat_count 120 holds «We moved to Pro, 120 seats now»")},
		{"2026-08-01T09:00:00Z", "How long does SSO setup take?", claims(
			"I asked_about SSO setup «How long does SSO setup take»")},
		{"2026-10-01T09:00:00Z", "We moved to Team, 120 seats now.", claims(
			"we on_plan Team/plan «We moved to Team»",
			"we seat_count 120 holds «We moved to Team, 120 seats now»")},
	} {
		run(t, message(t, m.text, m.at), m.want)
	}
	assistant := message(t, "Helped Dana download Globex's June invoice.", "2026-07-04T09:00:00Z")
	assistant.Episode.Role, assistant.Episode.Speaker = graph.Assistant, "Assistant"
	run(t, assistant, nil)
	run(t, document(t, "On Pro, SSO needs the Security add-on for teams under 50 seats.", "2026-01-01T00:00:00Z"), claims(
		"Pro/plan has_rule SSO needs the Security add-on for teams under 50 seats reported = On Pro, SSO needs the Security add-on for teams under 50 seats. «On Pro, SSO needs the Security add-on for teams under 50 seats»"))
}
