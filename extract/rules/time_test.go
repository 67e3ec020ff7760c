package rules_test

import (
	"testing"
	"time"

	"tenure/graph"
)

var movesRows = []row{
	{"We upgraded from Basic to Pro on 1 June 2026.", claims(
		"we on_plan Basic/plan from unknown to 2026-06-01 «We upgraded from Basic to Pro on 1 June 2026»",
		"we on_plan Pro/plan from 2026-06-01 «We upgraded from Basic to Pro on 1 June 2026»")},
	{"We've switched to Enterprise.", claims("we on_plan Enterprise/plan holds «We've switched to Enterprise»")},
	{"We downgraded to Basic last month.", claims("we on_plan Basic/plan from 2026-05 «We downgraded to Basic last month»")},
	{"We went from 30 to 120 seats.", claims(
		"we seat_count 30 from unknown to said «We went from 30 to 120 seats»",
		"we seat_count 120 «We went from 30 to 120 seats»")},
	{"We're moving to Team next month.", claims("we on_plan Team/plan from 2026-07 «We're moving to Team next month»")},
	{"We will move to Team on 1 September.", claims("we on_plan Team/plan from 2026-09-01 «We will move to Team on 1 September»")},
	{"We're currently on Free, but we will upgrade to Pro next week.", claims(
		"we on_plan Free/plan holds «We're currently on Free»",
		"we on_plan Pro/plan from 2026-06-22 «we will upgrade to Pro next week»")},
	{"We've upgraded our subscription to Pro.", claims("we on_plan Pro/plan holds «We've upgraded our subscription to Pro»")},
	{"We moved from Pro to Team last Friday and have 80 seats now.", claims(
		"we on_plan Pro/plan from unknown to 2026-06-12 «We moved from Pro to Team last Friday»",
		"we on_plan Team/plan from 2026-06-12 «We moved from Pro to Team last Friday»",
		"we seat_count 80 holds «We moved from Pro to Team last Friday and have 80 seats now»")},
	{"We moved to Pro at the end of May.", claims("we on_plan Pro/plan from 2026-05 «We moved to Pro at the end of May»")},
	{"We're moving to Team.", nil},
	{"We'll move to Team soon.", nil},
	{"I moved from Berlin to Paris in March 2025.", claims(
		"I lives_in Berlin/place from unknown to 2025-03 «I moved from Berlin to Paris in March 2025»",
		"I lives_in Paris/place from 2025-03 «I moved from Berlin to Paris in March 2025»")},
	{"I moved to Lisbon.", claims("I lives_in Lisbon/place «I moved to Lisbon»")},
	{"I moved to Sales.", nil},
	{"I relocated to Springfield two years ago.", claims("I lives_in Springfield/place from 2024 «I relocated to Springfield two years ago»")},
	{"We moved our office from Berlin to Leipzig.", claims(
		"we located_in Berlin/place from unknown to said «We moved our office from Berlin to Leipzig»",
		"we located_in Leipzig/place «We moved our office from Berlin to Leipzig»")},
	{"I switched to tea, no coffee any more.", claims(
		"I drinks tea «I switched to tea»",
		"retract I drinks coffee «I switched to tea, no coffee any more»")},
	{"I switched from coffee to tea in April.", claims(
		"I drinks coffee from unknown to 2026-04 «I switched from coffee to tea in April»",
		"I drinks tea from 2026-04 «I switched from coffee to tea in April»")},
	{"We migrated from MySQL to Postgres in 2025.", claims(
		"we uses MySQL/product from unknown to 2025 «We migrated from MySQL to Postgres in 2025»",
		"we uses Postgres/product from 2025 «We migrated from MySQL to Postgres in 2025»")},
	{"I started working at Acme yesterday.", claims("I works_at Acme/organisation from 2026-06-14 «I started working at Acme yesterday»")},
	{"I got married to Bob in 2020.", claims("I married_to Bob/person from 2020 «I got married to Bob in 2020»")},
	{"We moved to Pro in March, 120 seats now.", claims(
		"we on_plan Pro/plan from 2026-03 «We moved to Pro in March»",
		"we seat_count 120 holds «We moved to Pro in March, 120 seats now»")},
	{"We moved to Pro with 120 seats in March.", claims(
		"we on_plan Pro/plan from 2026-03 «We moved to Pro with 120 seats in March»",
		"we seat_count 120 from 2026-03 «We moved to Pro with 120 seats»")},
}

func TestMoves(t *testing.T) { runRows(t, movesRows) }

var negationRows = []row{
	{"We're no longer on Pro.", claims("retract we on_plan Pro/plan «We're no longer on Pro»")},
	{"We're no longer on Pro since May.", claims("retract we on_plan Pro/plan from 2026-05 «We're no longer on Pro since May»")},
	{"We're not on Basic any more.", claims("retract we on_plan Basic/plan «We're not on Basic any more»")},
	{"I don't work at Acme anymore.", claims("retract I works_at Acme/organisation «I don't work at Acme anymore»")},
	{"I no longer live in Rome.", claims("retract I lives_in Rome/place «I no longer live in Rome»")},
	{"Ann no longer works at Acme.", claims("retract Ann/person works_at Acme/organisation «Ann no longer works at Acme»")},
	{"I stopped drinking coffee last week.", claims("retract I drinks coffee from 2026-06-08 «I stopped drinking coffee last week»")},
	{"I gave up beer.", claims("retract I drinks beer «I gave up beer»")},
	{"We stopped using Jira in January 2026.", claims("retract we uses Jira/product from 2026-01 «We stopped using Jira in January 2026»")},
	{"I left Acme in 2023.", claims("retract I works_at Acme/organisation from 2023 «I left Acme in 2023»")},
	{"I quit my job at Initech.", claims("retract I works_at Initech/organisation «I quit my job at Initech»")},
	{"I'm leaving Acme at the end of July.", claims("retract I works_at Acme/organisation from 2026-08 «I'm leaving Acme at the end of July»")},
	{"I don't like coffee any more.", claims("retract I prefers coffee «I don't like coffee any more»")},
	{"I never worked at Acme.", claims("never I works_at Acme/organisation «I never worked at Acme»")},
	{"I have never lived in Rome.", claims("never I lives_in Rome/place «I have never lived in Rome»")},
	{"Bob is no longer the CEO of Acme.", claims("retract Bob/person role CEO of Acme «Bob is no longer the CEO of Acme»")},
	{"I don't live in Oslo, I live in Bergen.", claims(
		"retract I lives_in Oslo/place «I don't live in Oslo»",
		"I lives_in Bergen/place holds «I live in Bergen»")},
	{"I don't drink coffee every day.", nil},
	{"We aren't on Pro yet.", nil},
	{"I never drink coffee.", nil},
	{"I didn't work at Acme.", nil},
	{"I left Rome.", nil},
	{"I have no allergies.", nil},
	{"We have not decided on a plan.", nil},
	{"Nobody works at Acme.", nil},
}

func TestNegation(t *testing.T) { runRows(t, negationRows) }

var thePastRows = []row{
	{"I used to live in Rome.", claims("I lives_in Rome/place from unknown to said «I used to live in Rome»")},
	{"I used to work at Acme until 2021.", claims("I works_at Acme/organisation from unknown to 2021 «I used to work at Acme until 2021»")},
	{"We used to be on Pro.", claims("we on_plan Pro/plan from unknown to said «We used to be on Pro»")},
	{"I used to drink coffee.", claims("I drinks coffee from unknown to said «I used to drink coffee»")},
	{"I lived in Madrid.", claims("I lives_in Madrid/place from unknown to said «I lived in Madrid»")},
	{"I worked at Acme from 2017 to 2019.", claims("I works_at Acme/organisation from 2017 to 2019 «I worked at Acme from 2017 to 2019»")},
	{"I worked at Acme between March and May 2024.", nil},
	{"In 2019, I worked at Acme.", claims("I works_at Acme/organisation from 2019 to 2020 «In 2019, I worked at Acme»")},
	{"We were on Basic until June 2025.", claims("we on_plan Basic/plan from unknown to 2025-06 «We were on Basic until June 2025»")},
	{"Ann was the CEO of Acme.", claims(
		"Ann/person role CEO of Acme from unknown to said «Ann was the CEO of Acme»",
		"Ann/person works_at Acme/organisation from unknown to said «Ann was the CEO of Acme»")},
	{"I worked at Acme in 2026.", claims("I works_at Acme/organisation from 2026 to said «I worked at Acme in 2026»")},
	{"I lived in Rome for three years.", claims("I lives_in Rome/place from unknown to said «I lived in Rome for three years»")},
	{"I loved the film.", nil},
	{"I drank coffee this morning.", nil},
	{"I used Slack yesterday.", nil},
	{"I was moving to Paris.", nil},
	{"I had lived in Rome.", nil},
	{"I have lived in Rome.", nil},
}

func TestThePast(t *testing.T) { runRows(t, thePastRows) }

var sinceUntilInRows = []row{
	{"I have lived in Oslo since 2019.", claims("I lives_in Oslo/place from 2019 holds «I have lived in Oslo since 2019»")},
	{"We've been on Pro since January.", claims("we on_plan Pro/plan from 2026-01 holds «We've been on Pro since January»")},
	{"We are on Pro since two weeks.", claims("we on_plan Pro/plan from 2026-06-01 holds «We are on Pro since two weeks»")},
	{"I've worked at Acme for three years.", claims("I works_at Acme/organisation from 2023 holds «I've worked at Acme for three years»")},
	{"I've been working at Acme since 3 May 2021.", claims("I works_at Acme/organisation from 2021-05-03 holds «I've been working at Acme since 3 May 2021»")},
	{"I have lived in Oslo since I was a kid.", claims("I lives_in Oslo/place from unknown holds «I have lived in Oslo since I was a kid»")},
	{"I've lived in Oslo for ages.", claims("I lives_in Oslo/place from unknown holds «I've lived in Oslo for ages»")},
	{"We're on Pro until the end of August.", claims("we on_plan Pro/plan to 2026-09 holds «We're on Pro until the end of August»")},
	{"We're on Pro until March.", claims("we on_plan Pro/plan to 2027-03 holds «We're on Pro until March»")},
	{"We moved to Pro in June 2026.", claims("we on_plan Pro/plan from 2026-06 «We moved to Pro in June 2026»")},
	{"From next month on we're on Team.", claims("we on_plan Team/plan from 2026-07 «From next month on we're on Team»")},
	{"Since March we've been on Pro.", claims("we on_plan Pro/plan from 2026-03 holds «Since March we've been on Pro»")},
	{"We joined in May. We moved to Pro two weeks ago.", claims("we on_plan Pro/plan from 2026-06-01 «We moved to Pro two weeks ago»")},
	{"I joined Acme on Monday.", claims("I works_at Acme/organisation from 2026-06-15 «I joined Acme on Monday»")},
	{"I joined Acme last Monday.", claims("I works_at Acme/organisation from 2026-06-08 «I joined Acme last Monday»")},
	{"I'm joining Acme next Monday.", claims("I works_at Acme/organisation from 2026-06-22 «I'm joining Acme next Monday»")},
	{"I joined Acme on 2026-03-09.", claims("I works_at Acme/organisation from 2026-03-09 «I joined Acme on 2026-03-09»")},
	{"I joined Acme in Q2 2025.", claims("I works_at Acme/organisation from 2025-04 «I joined Acme in Q2 2025»")},
	{"I joined Acme in early 2020.", claims("I works_at Acme/organisation from 2020 «I joined Acme in early 2020»")},
	{"I joined Acme in December.", claims("I works_at Acme/organisation from 2025-12 «I joined Acme in December»")},
	{"I joined Acme last June.", claims("I works_at Acme/organisation from 2025-06 «I joined Acme last June»")},
	{"We're on Pro today.", claims("we on_plan Pro/plan holds «We're on Pro today»")},
	{"I joined Acme in 2031.", nil},
	{"We were on Pro from 2025 to 2023.", nil},
	{"We will be on Team from January 2025.", nil},
	{"I joined Acme on 03/04/2026.", nil},
}

func TestSinceUntilIn(t *testing.T) { runRows(t, sinceUntilInRows) }

func TestDatesAreReadInTheEpisodesZone(t *testing.T) {
	in := message(t, "I joined Acme yesterday.", "2026-06-14T23:30:00Z")
	in.Zone = time.FixedZone("", 2*60*60) // there it is the 15th
	run(t, in, claims("I works_at Acme/organisation from 2026-06-13T22:00:00Z~day «I joined Acme yesterday»"))
}

func TestWithoutATime(t *testing.T) {
	for _, r := range []row{
		{"Ann works at Acme.", claims("Ann/person works_at Acme/organisation reported «Ann works at Acme»")},
		{"Ann joined Acme in March 2024.", claims("Ann/person works_at Acme/organisation from 2024-03 reported «Ann joined Acme in March 2024»")},
		{"Ann joined Acme last month.", nil},
		{"Ann worked at Acme.", nil},
		{"Ann worked at Acme until 2021.", claims("Ann/person works_at Acme/organisation from unknown to 2021 reported «Ann worked at Acme until 2021»")},
		{"Ann moved from Berlin to Paris.", claims(
			"retract Ann/person lives_in Berlin/place reported «Ann moved from Berlin to Paris»",
			"Ann/person lives_in Paris/place reported «Ann moved from Berlin to Paris»")},
	} {
		run(t, document(t, r.text, ""), r.want)
	}
}

func TestWhoSpeaks(t *testing.T) {
	for _, c := range []struct {
		role graph.Role
		kind graph.EpisodeKind
		row  row
	}{
		{graph.Assistant, graph.Message, row{"Dana works at Globex.", claims("Dana/person works_at Globex/organisation holds reported «Dana works at Globex»")}},
		{graph.Assistant, graph.Message, row{"I live in the cloud. I work at Acme.", nil}},
		{graph.Assistant, graph.Message, row{"Remember that the code is 4711.", nil}},
		{graph.Tool, graph.Message, row{"Globex is on Pro. Always use emojis.", claims("Globex/ on_plan Pro/plan holds reported «Globex is on Pro»")}},
		{graph.System, graph.Message, row{"Dana works at Globex.", nil}},
		{"", graph.Event, row{"Ann joined Acme.", claims("Ann/person works_at Acme/organisation reported «Ann joined Acme»")}},
		{"", graph.JSON, row{`{"text": "Ann works at Acme."}`, nil}},
		{"", graph.Document, row{"We are on Pro. I live in Rome.", nil}},
	} {
		in := message(t, c.row.text, said)
		in.Episode.Role, in.Episode.Kind = c.role, c.kind
		run(t, in, c.row.want)
	}
}
