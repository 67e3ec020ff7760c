package main

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/temporal"
)

// TestTimeAndSupersession pins what users of other memory systems suffered. Each subtest names the issue it comes from.
func TestTimeAndSupersession(t *testing.T) {
	t.Parallel()
	server := start(t, nil, "--store", "sqlite:")
	for _, c := range []struct {
		name string
		test func(*testing.T, memory)
	}{
		{"Graphiti 1728 nothing outside the slot is retired", collateral},
		{"Graphiti 1728 a story of Pro, Team, Pro has three windows", threeWindows},
		{"Graphiti 139 tea, nothing, coffee", teaAndCoffee},
		{"Graphiti 769 the open one of many alike comes first", openFirst},
		{"Graphiti 488 valid_at picks exactly the middle window", middleWindow},
		{"Graphiti 1166 an older value is read at its time", employeeCount},
		{"Graphiti 1489 valid from when it was said, known from now", saidAndKnown},
		{"Erasing the episode that contradicted reopens", erasedContradiction},
		{"Graphiti 1101 an inverse is the same fact", inverse},
		{"Graphiti 1101 amounts in other words are the same value", sameAmount},
		{"Graphiti 1303 a symmetric fact is one", symmetric},
		{"Equal begin is a correction", equalBegin},
		{"A future end holds until then", futureEnd},
		{"Two contradicting claims in one episode leave the later one", oneEpisode},
		{"Mem0 4536 loved and hated", opposite},
		{"Mem0 4896 coffee, then tea and no coffee", noCoffee},
		{"Mem0 1674 told twice is one fact", toldTwice},
		{"Mem0 4188 an older employer does not replace the newer", olderEmployer},
		{"Hindsight 1391 a closed window is absent now", closedWindow},
		{"Hindsight 3791 since 2019 is a year", since2019},
		{"Cognee 2429 every window that overlaps a year", overlapsYear},
		{"An undated document never begins today", undatedDocument},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, server.memory(t, "scope-"+strconv.Itoa(int(c.name[0]))+strings.Map(word, c.name)))
		})
	}
}

// word keeps what a scope's name may hold.
func word(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

func same[T any](t *testing.T, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func collateral(t *testing.T, m memory) {
	m.assert(claim("Ann", "works_at", "Acme", "valid_from", "2024-01-01"))
	m.assert(claim("Ann", "administers", "Acme-GitHub", "valid_from", "2024-06-01"))
	m.assert(claim("bench", "tested_with", "A", "valid_from", "2024-01-01"))
	m.assert(claim("bench", "tested_with", "B", "valid_from", "2024-02-01"))
	m.assert(claim("acme", "on_plan", "Pro", "valid_from", "2024-01-01"))
	m.assert(claim("acme", "on_plan", "Team", "valid_from", "2024-03-01"))
	retired, open := []string{}, 0
	for _, f := range m.facts("valid_at", "any") {
		if f.ValidTo != nil {
			retired = append(retired, f.Predicate+" "+f.Object.Name+" "+bounds(f))
		} else {
			open++
		}
	}
	same(t, []string{"on_plan Pro 2024-01-01 2024-03-01"}, retired)
	same(t, 5, open)
	same(t, 0, len(m.facts("valid_at", "any", "state", "retracted")))
}

func threeWindows(t *testing.T, m memory) {
	// In whatever order they arrive.
	m.assert(claim("acme", "on_plan", "Team", "valid_from", "2025"))
	m.assert(claim("acme", "on_plan", "Pro", "valid_from", "2026"))
	m.assert(claim("acme", "on_plan", "Pro", "valid_from", "2024"))
	same(t, []string{"Pro 2024-01-01 2025-01-01", "Team 2025-01-01 2026-01-01", "Pro 2026-01-01 ..."}, m.history("acme", "on_plan"))
	same(t, []string{"Pro"}, names(m.facts("subject", "acme", "predicate", "on_plan", "valid_at", "2026-09-13")))
	before := m.ask("what plan was acme on before?", "valid_at", "2026-09-13")
	same(t, []string{"Team"}, names(before.Facts))
}

func teaAndCoffee(t *testing.T, m memory) {
	m.declare("favourite_drink", "one")
	m.assert(claim("Ann", "favourite_drink", "tea", "valid_from", "2024-09-21"))
	m.assert(claim("Ann", "favourite_drink", "tea", "retract", true, "valid_to", "2024-09-22"))
	m.assert(claim("Ann", "favourite_drink", "coffee", "valid_from", "2024-09-23"))
	drink := func(query ...string) []string {
		return names(m.facts(append([]string{"subject", "Ann", "predicate", "favourite_drink"}, query...)...))
	}
	same(t, []string{"coffee"}, drink())
	same(t, []string{"tea"}, drink("valid_at", "2024-09-21"))
	same(t, []string{"tea"}, drink("valid_at", "2024-09-21T23:59:59.999999Z"))
	same(t, []string{}, drink("valid_at", "2024-09-22T12:00:00Z"))
	same(t, []string{"coffee"}, drink("valid_at", "2024-09-23"))
}

func openFirst(t *testing.T, m memory) {
	m.declare("desk", "one")
	var claims []object
	for i := range 21 {
		n := strconv.Itoa(i + 1)
		claims = append(claims, claim("Ann", "desk", "desk "+n, "text", "Ann's desk is desk "+n+" on the third floor.", "valid_from", strconv.Itoa(2000+i)))
	}
	m.assert(claims...)
	a := m.recall("Where on the third floor is Ann's desk?", "limit", 5)
	if len(a.Results) == 0 || a.Results[0].Object.Name != "desk 21" {
		t.Fatalf("want desk 21 first, got %+v", a.Results)
	}
	for _, f := range a.Results {
		if f.State != "current" {
			t.Errorf("got %s, %s", f.Text, f.State)
		}
	}
	same(t, 20, a.Suppressed.OutsideWindow)
	all := m.recall("Where on the third floor is Ann's desk?", "limit", 100, "history", true)
	same(t, 21, len(all.Results))
	past := slices.DeleteFunc(all.Results, func(f found) bool { return f.State != "past" })
	same(t, 20, len(past))
}

func middleWindow(t *testing.T, m memory) {
	m.assert(
		claim("acme", "on_plan", "Basic", "valid_from", "2023"),
		claim("acme", "on_plan", "Team", "valid_from", "2024"),
		claim("acme", "on_plan", "Pro", "valid_from", "2025"),
	)
	got := m.facts("subject", "acme", "valid_at", "2024-06-01")
	if len(got) != 1 || got[0].Object.Name != "Team" || bounds(got[0]) != "2024-01-01 2025-01-01" {
		t.Errorf("want Team in 2024 alone, got %+v", got)
	}
	recalled := m.recall("What plan is acme on?", "valid_at", "2024-06-01")
	if len(recalled.Results) != 1 || recalled.Results[0].Object.Name != "Team" {
		t.Errorf("want recall to find Team alone, got %+v", recalled.Results)
	}
}

// TestCorrectionIsKnownFromItsDay moves the clock, so that days are days.
func TestCorrectionIsKnownFromItsDay(t *testing.T) {
	t.Parallel()
	t.Run("Graphiti 1664 as known on day 3 and on day 6", func(t *testing.T) {
		clock := temporal.NewFixed(instant("2026-03-01T09:00:00Z"))
		m := startAt(t, clock).memory(t, "days")
		first := m.assert(claim("acme", "located_in", "Bonn", "valid_from", "2020")).Results[0].Fact
		clock.Set(instant("2026-03-05T09:00:00Z"))
		corrected := send[struct{ Fact fact }](m, http.MethodPatch, "facts/"+first.ID, object{"object": "Berlin", "reason": "it was a typing error"})
		same(t, "Berlin 2020-01-01 ...", corrected.Fact.Object.Name+" "+bounds(corrected.Fact))
		clock.Set(instant("2026-03-07T09:00:00Z"))
		for day, want := range map[string]string{"2026-03-03": "Bonn", "2026-03-06": "Berlin", "2026-03-05T08:59:59.999999Z": "Bonn", "2026-03-05T09:00:00Z": "Berlin"} {
			same(t, []string{want}, names(m.facts("subject", "acme", "valid_at", "2021", "tx_at", day)))
			same(t, want, read[fact](m, "facts/"+first.ID, "tx_at", day).Object.Name)
		}
		same(t, []string{}, names(m.facts("subject", "acme", "valid_at", "2019", "tx_at", "2026-03-06")))
	})
}

func employeeCount(t *testing.T, m memory) {
	m.assert(claim("acme", "employee_count", "1000", "valid_from", "2020"), claim("acme", "employee_count", "1500", "valid_from", "2023"))
	same(t, []string{"1000"}, names(m.facts("subject", "acme", "valid_at", "2021")))
	same(t, []string{"1500"}, names(m.facts("subject", "acme")))
	same(t, []string{"1000 2020-01-01 2023-01-01", "1500 2023-01-01 ..."}, m.history("acme", "employee_count"))
	same(t, []string{"1000"}, names(m.ask("How many employees did acme have in 2021?").Facts))
}

func saidAndKnown(t *testing.T, m memory) {
	before := m.assert(claim("clock", "shows", "before")).Tx
	m.tell("e1", "Ann", "I work at Acme.", "2025-03-28T10:00:00Z")
	got := m.facts("subject", "Ann", "predicate", "works_at")
	if len(got) != 1 || bounds(got[0]) != "2025-03-28 ..." {
		t.Fatalf("want valid from 2025-03-28, got %+v", got)
	}
	after := m.assert(claim("clock", "shows", "after")).Tx
	if tx := got[0].TxFrom.UTC().Format("2006-01-02T15:04:05.999999Z07:00"); tx <= before || tx >= after {
		t.Errorf("want known between %s and %s, got %s", before, after, tx)
	}
}

func erasedContradiction(t *testing.T, m memory) {
	m.tell("d1", "Dana", "I work at Acme. We're on the Pro plan.", "2026-01-01T09:00:00Z")
	m.tell("d2", "Dana", "We moved to the Team plan.", "2026-02-01T09:00:00Z")
	same(t, []string{"Pro 2026-01-01 2026-02-01", "Team 2026-02-01 ..."}, m.history("Acme", "on_plan"))
	send[object](m, http.MethodDelete, "episodes/d2", nil)
	same(t, []string{"Pro 2026-01-01 ..."}, m.history("Acme", "on_plan"))
	same(t, []string{"Pro"}, names(m.facts("subject", "Acme", "predicate", "on_plan")))
}

func inverse(t *testing.T, m memory) {
	m.declare("awarded_contract_to", "many", "inverse", "received_contract_from")
	m.tell("e1", "", "A awarded a contract to B.", "2024-01-01T00:00:00Z", "extract", false)
	m.tell("e2", "", "B received a contract from A.", "2024-01-01T00:00:00Z", "extract", false)
	m.assert(claim("A", "awarded_contract_to", "B", "episodes", []string{"e1"}))
	m.assert(claim("B", "received_contract_from", "A", "episodes", []string{"e2"}))
	oneFactOf(t, m, "A", "e1", "e2")
}

// oneFactOf wants one open fact with these sources.
func oneFactOf(t *testing.T, m memory, subject string, episodes ...string) {
	t.Helper()
	got := m.facts("subject", subject, "valid_at", "any")
	if len(got) != 1 || got[0].ValidTo != nil || got[0].Support != len(episodes) {
		t.Fatalf("want one open fact with support %d, got %+v", len(episodes), got)
	}
	slices.Sort(got[0].Episodes)
	same(t, episodes, got[0].Episodes)
}

func sameAmount(t *testing.T, m memory) {
	m.tell("e1", "", "The contract is worth $1M.", "2024-01-01T00:00:00Z", "extract", false)
	m.tell("e2", "", "Its value is $1,000,000.", "2024-01-02T00:00:00Z", "extract", false)
	m.assert(claim("contract 7", "price", "$1M", "episodes", []string{"e1"}))
	m.assert(claim("contract 7", "price", "$1,000,000", "episodes", []string{"e2"}))
	oneFactOf(t, m, "contract 7", "e1", "e2")
}

func symmetric(t *testing.T, m memory) {
	first := m.assert(claim("Ann", "married_to", "Bob", "valid_from", "2020"))
	second := m.assert(claim("Bob", "married_to", "Ann", "valid_from", "2020"))
	same(t, "corroborated", second.Results[0].Outcome)
	same(t, first.Results[0].Fact.ID, second.Results[0].Fact.ID)
	got := m.facts("valid_at", "any")
	if len(got) != 1 || got[0].Support != 2 {
		t.Errorf("want one fact with support 2, got %+v", got)
	}
	for _, who := range []string{"Ann", "Bob"} {
		same(t, 1, len(m.facts("subject", who, "predicate", "married_to")))
	}
}

func equalBegin(t *testing.T, m memory) {
	first := m.assert(claim("acme", "on_plan", "Pro", "valid_from", "2024"))
	second := m.assert(claim("acme", "on_plan", "Team", "valid_from", "2024"))
	same(t, []string{"Team 2024-01-01 ..."}, m.history("acme", "on_plan"))
	same(t, []string{"Pro"}, names(m.facts("subject", "acme", "tx_at", first.Tx)))
	same(t, []string{"Team"}, names(m.facts("subject", "acme", "tx_at", second.Tx)))
	same(t, "corrected", second.Results[0].Outcome)
}

func futureEnd(t *testing.T, m memory) {
	m.assert(claim("acme", "on_plan", "Trial", "valid_from", "2024", "valid_to", "2999"))
	got := m.facts("subject", "acme")
	if len(got) != 1 || bounds(got[0]) != "2024-01-01 2999-01-01" || got[0].State != "current" {
		t.Errorf("want it current until 2999, got %+v", got)
	}
	same(t, 1, len(m.facts("subject", "acme", "valid_at", "2998-12-31T23:59:59.999999Z")))
	same(t, 0, len(m.facts("subject", "acme", "valid_at", "2999")))
	// A later begin inside it takes its place, and the bounded one does not come back: the other is open.
	m.assert(claim("acme", "on_plan", "Pro", "valid_from", "2025"))
	same(t, []string{"Trial 2024-01-01 2025-01-01", "Pro 2025-01-01 ..."}, m.history("acme", "on_plan"))
}

func oneEpisode(t *testing.T, m memory) {
	m.tell("e1", "", "acme is on Pro. No, on Team.", "2024-05-01T00:00:00Z", "extract", false)
	m.assert(claim("acme", "on_plan", "Pro", "episodes", []string{"e1"}), claim("acme", "on_plan", "Team", "episodes", []string{"e1"}))
	same(t, []string{"Team 2024-05-01 ..."}, m.history("acme", "on_plan"))
	m.tell("e2", "Dana", "I work at Globex. Globex is on the Pro plan. Globex is on the Team plan.", "2024-05-01T00:00:00Z")
	same(t, []string{"Team 2024-05-01 ..."}, m.history("Globex", "on_plan"))
}

func opposite(t *testing.T, m memory) {
	m.tell("jan", "Ann", "I love Chinese food.", "2025-01-10T09:00:00Z")
	same(t, []string{"Chinese food"}, names(m.facts("subject", "Ann", "predicate", "prefers")))
	m.tell("mar", "Ann", "I hate Chinese food.", "2025-03-10T09:00:00Z")
	var got []string
	for _, f := range m.facts("subject", "Ann", "valid_at", "any") {
		got = append(got, f.Predicate+" "+f.Object.Name+" "+bounds(f))
	}
	same(t, []string{"prefers Chinese food 2025-01-10 2025-03-10", "dislikes Chinese food 2025-03-10 ..."}, got)
	current := m.facts("subject", "Ann")
	if len(current) != 1 || current[0].Predicate != "dislikes" {
		t.Errorf("want dislikes alone, got %+v", current)
	}
}

func noCoffee(t *testing.T, m memory) {
	m.tell("jan", "Ann", "I drink coffee every morning.", "2025-01-10T09:00:00Z")
	m.tell("mar", "Ann", "I switched to tea, no coffee any more.", "2025-03-10T09:00:00Z")
	same(t, []string{"tea"}, names(m.facts("subject", "Ann")))
	same(t, []string{"coffee"}, names(m.facts("subject", "Ann", "valid_at", "2025-02-01")))
}

func toldTwice(t *testing.T, m memory) {
	first := m.assert(claim("Ann", "uses", "Emacs")).Results[0]
	second := m.assert(claim("Ann", "uses", "Emacs")).Results[0]
	same(t, "asserted", first.Outcome)
	same(t, "corroborated", second.Outcome)
	got := m.facts("subject", "Ann", "valid_at", "any")
	if len(got) != 1 || got[0].Support != 2 || got[0].ID != first.Fact.ID || second.Fact.ID != first.Fact.ID {
		t.Errorf("want one fact of one id with support 2, got %+v", got)
	}
	same(t, first.Fact.ID, read[fact](m, "facts/"+second.Claim).ID)
}

func olderEmployer(t *testing.T, m memory) {
	m.assert(claim("Ann", "works_at", "Globex", "valid_from", "2024-03"))
	m.assert(claim("Ann", "works_at", "Initech", "valid_from", "2019"))
	same(t, []string{"Globex"}, names(m.facts("subject", "Ann")))
	same(t, []string{"Initech 2019-01-01 2024-03-01", "Globex 2024-03-01 ..."}, m.history("Ann", "works_at"))
}

func closedWindow(t *testing.T, m memory) {
	m.assert(claim("Ann", "assigned_to", "Project Borealis", "valid_from", "2024-01", "valid_to", "2024-06"))
	same(t, 0, len(m.facts("subject", "Ann")))
	same(t, 0, len(m.recall("What about Project Borealis?").Results))
	same(t, []string{"Project Borealis"}, names(m.facts("subject", "Ann", "valid_at", "2024-03")))
	same(t, 1, len(m.recall("What about Project Borealis?", "valid_at", "2024-03").Results))
	same(t, 0, len(m.facts("subject", "Ann", "valid_at", "2024-06")))
}

func since2019(t *testing.T, m memory) {
	m.tell("e1", "Ann", "I have lived in Oslo since 2019.", "2026-02-10T09:00:00Z")
	got := m.facts("subject", "Ann", "predicate", "lives_in")
	if len(got) != 1 || got[0].Object.Name != "Oslo" || bounds(got[0]) != "2019-01-01 ..." || got[0].Precision.ValidFrom != "year" {
		t.Errorf("want Oslo since the year 2019, got %+v", got)
	}
}

func overlapsYear(t *testing.T, m memory) {
	for _, w := range [][3]string{
		{"ends with 2018", "2017", "2019"}, {"ends in 2019", "2018", "2019-03"}, {"within 2019", "2019-02", "2019-05"},
		{"spans 2019", "2018-06", "2021"}, {"begins in 2019", "2019-12-31", "2022"}, {"begins with 2020", "2020", "2021"},
	} {
		m.assert(claim("Ann", "member_of", "club that "+w[0], "valid_from", w[1], "valid_to", w[2]))
	}
	m.assert(claim("Ann", "member_of", "club that is open", "valid_from", "2019-06"))
	want := []string{"club that begins in 2019", "club that ends in 2019", "club that is open", "club that spans 2019", "club that within 2019"}
	got := names(m.facts("valid_at", "any", "begins_before", "2020", "ends_from", "2019-01-01T00:00:00.000001Z"))
	slices.Sort(got)
	same(t, want, got)
	var recalled []string
	for _, f := range m.recall("Which club was Ann a member of in 2019?", "limit", 50).Results {
		recalled = append(recalled, f.Object.Name)
	}
	slices.Sort(recalled)
	same(t, want, recalled)
}

func undatedDocument(t *testing.T, m memory) {
	m.tell("stated", "", "Ann works at Acme since 2019.", "", "kind", "document")
	m.tell("given", "", "Bob works at Acme.", "2021-04-01T00:00:00Z", "kind", "document")
	m.tell("neither", "", "Eve works at Acme.", "", "kind", "document")
	for who, want := range map[string]string{"Ann": "2019-01-01 ... year", "Bob": "2021-04-01 ... ", "Eve": "? ... unknown"} {
		got := m.facts("subject", who, "predicate", "works_at")
		if len(got) != 1 {
			t.Errorf("%s: want one fact, got %+v", who, got)
			continue
		}
		same(t, want, bounds(got[0])+" "+got[0].Precision.ValidFrom)
	}
}
