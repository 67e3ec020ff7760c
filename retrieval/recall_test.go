package retrieval_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

const question = "Do we need the Security add-on for SSO?"

// texts are the statements of the facts, and the texts of the episodes, that a recall returned.
func texts(got retrieval.Recalled) []string {
	out := []string{}
	for _, r := range got.Results {
		if r.Fact != nil {
			out = append(out, r.Fact.Text)
		} else {
			out = append(out, r.Episode.Text)
		}
	}
	return out
}

func found(got retrieval.Recalled, text string) (retrieval.Found, bool) {
	i := slices.Index(texts(got), text)
	if i < 0 {
		return retrieval.Found{}, false
	}
	return got.Results[i], true
}

func TestRecallOfTheStory(t *testing.T) {
	m := globex(t)
	got := m.recall(retrieval.RecallQuery{Query: question, Speaker: "Dana", At: retrieval.At{ValidAt: asked.String()}})
	want := []string{
		"On Pro, SSO needs the Security add-on for teams under 50 seats.", "Globex is on the Pro plan.", "Globex has 120 seats.",
		"Dana works at Globex.", "Dana's role is IT admin.", "Dana prefers numbered steps.",
	}
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Fatalf("results (-want +got):\n%s", diff)
	}
	rule := got.Results[0]
	if rule.Scope.Name != "acme-kb" || rule.Fact.Sources[0].Episode != "page-1140" {
		t.Errorf("the rule is of %s and %v, want acme-kb and page-1140", rule.Scope, rule.Fact.Sources)
	}
	var path []string
	for _, h := range rule.Path {
		path = append(path, h.From.Name+" "+h.Predicate+" "+h.To.Name)
	}
	wantPath := []string{"Dana works_at Globex", "Globex on_plan Pro", "Pro has_rule SSO needs the Security add-on for teams under 50 seats"}
	if diff := cmp.Diff(wantPath, path); diff != "" {
		t.Errorf("path (-want +got):\n%s", diff)
	}
	for _, r := range got.Results {
		s := r.Signals
		if want := 0.6*max(s.Similarity, s.Walk) + 0.25*s.Recency + 0.15*s.Importance; math.Abs(want-r.Score) > 1e-9 {
			t.Errorf("score %v of %+v, want %v", r.Score, s, want)
		}
	}
	if got.Abstained || got.AsOf.Valid != asked || got.AsOf.Tx.IsZero() {
		t.Errorf("abstained %v as of %+v, want an answer as of %v and a tx", got.Abstained, got.AsOf, asked)
	}
}

func TestRecallAbstains(t *testing.T) {
	m := globex(t)
	for _, query := range []string{
		"quantum chromodynamics", "Does Dana like quantum chromodynamics?", "What is the capital of France?",
		"Which seats on a plane are the best for sleeping?", "who are they?", "?!", "Dana zebra telescope", "SSO trombone xylophone marmalade concerto",
	} {
		got := m.recall(retrieval.RecallQuery{Query: query, Facts: true, Episodes: true})
		if len(got.Results) != 0 || !got.Abstained || got.Context != "" {
			t.Errorf("%q: %q, abstained %v, want nothing", query, texts(got), got.Abstained)
		}
	}
	empty := m.of("empty")
	empty.settings(self("Ira", "person"))
	if got := empty.recall(retrieval.RecallQuery{Query: question}); !got.Abstained {
		t.Errorf("an empty scope answers %q", texts(got))
	}
}

func TestRecallFindsByWords(t *testing.T) {
	m := newMemory(t)
	m.told(
		claim("Alice", "noted", "x", "2026-01-01", text("Alice drinks coffee.")),
		claim("Bob", "noted", "y", "2026-01-01", text("Bob plays tennis on Sundays.")),
		claim("Carol", "noted", "z", "2026-01-01", text("Carol writes C++ in C:\\a\\b with tb- files.")),
		claim("Dan", "noted", "w", "2026-01-01", text("丹喜歡日本料理。")),
	)
	long := strings.Repeat("lorem ipsum dolor sit amet ", 60) + " Bob plays tennis on Sundays " + strings.Repeat("consectetur adipiscing elit sed ", 60)
	for query, want := range map[string]string{
		"coffee": "Alice drinks coffee.", "Alice coffee": "Alice drinks coffee.", "COFFEE!": "Alice drinks coffee.",
		"AND OR NOT + - && || ! ( ) { } [ ] ^ \" ~ * ? : \\ / tennis": "Bob plays tennis on Sundays.", "C++": "Carol writes C++ in C:\\a\\b with tb- files.",
		"tb-": "Carol writes C++ in C:\\a\\b with tb- files.", "日本料理": "丹喜歡日本料理。", long: "Bob plays tennis on Sundays.",
		"tell me what you know about tennis": "Bob plays tennis on Sundays.",
	} {
		got := m.recall(retrieval.RecallQuery{Query: query})
		if len(got.Results) == 0 || got.Results[0].Fact.Text != want {
			t.Errorf("%.40q: %q, want %q first", query, texts(got), want)
		}
	}
}

// TestRecallOfTheFirstFact finds the only fact there is, whose words are therefore in all of them.
func TestRecallOfTheFirstFact(t *testing.T) {
	m := newMemory(t)
	m.told(claim("Ann", "noted", "a", "2026-01-01", text("Ann drinks coffee.")))
	if got := m.recall(retrieval.RecallQuery{Query: "what would Ann prefer to drink this evening at home?"}); len(got.Results) != 1 {
		t.Errorf("%q, want the one fact", texts(got))
	}
	if got := m.recall(retrieval.RecallQuery{Query: "what is the tallest mountain that Ann climbed?"}); len(got.Results) != 0 {
		t.Errorf("%q, want nothing", texts(got))
	}
}

func TestRecallReadsOnlyWhatIsIncluded(t *testing.T) {
	m := newMemory(t)
	m.settings(includes(self("Ann", "person"), "shared", "missing"))
	m.of("shared").settings(includes(ingest.SettingsInput{}, "deeper"))
	m.told(claim("Ann", "uses", "Widget", "2026-01-01"))
	m.of("shared").told(claim("widget", "has_rule", "Widgets must be oiled", "2026-01-01", text("Widgets must be oiled weekly.")))
	m.of("deeper").told(claim("widget", "has_rule", "Widgets explode", "2026-01-01", text("Widgets explode when oiled.")))
	m.of("other").told(claim("Widget", "has_rule", "Widgets are forbidden", "2026-01-01", text("Oiled widgets are forbidden.")))
	got := m.recall(retrieval.RecallQuery{Query: "when are widgets oiled?"})
	if diff := cmp.Diff([]string{"Widgets must be oiled weekly.", "Ann uses Widget."}, texts(got)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if path := got.Results[0].Path; len(path) != 2 || path[0].From.Name != "Ann" || path[1].From.Name != "widget" {
		t.Errorf("path %v, want Ann → Widget → rule", path)
	}
}

func TestRecallJoinsScopesByNameAndKind(t *testing.T) {
	for _, c := range []struct {
		name, own, shared string
		joined            bool
	}{
		{"the same kind", "company", "company", true},
		{"no kind said", "", "company", true},
		{"contradicting kinds", "company", "fruit", false},
		{"a value", graph.KindValue, graph.KindValue, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(t)
			m.settings(includes(self("Ann", "person"), "shared"))
			m.told(claim("Ann", "likes", "Apple", "2026-01-01", kind("person", c.own)))
			m.of("shared").told(claim("APPLE", "noted", "x", "2026-01-01", kind(c.shared, ""), text("The quarterly dividend rises.")))
			got := m.recall(retrieval.RecallQuery{Query: "quarterly dividend"})
			_, walked := found(got, "Ann likes Apple.")
			if len(got.Results) == 0 || walked != c.joined {
				t.Errorf("results %q, want the dividend, and Ann's fact by the walk: %v", texts(got), c.joined)
			}
		})
	}
}

// TestRecallKeepsHubsSmall hangs a hundred rules on one plan: the one asked for brings who is on the plan, not all the others.
func TestRecallKeepsHubsSmall(t *testing.T) {
	m := newMemory(t)
	m.settings(includes(self("Dana", "person"), "kb"))
	m.told(claim("Dana", "works_at", "Globex", "2026-02-10", kind("person", "organisation")), claim("Globex", "on_plan", "Pro", "2026-02-10", kind("organisation", "plan")))
	var rules []ingest.ClaimInput
	for i := range 100 {
		topic := fmt.Sprintf("topic%d", i)
		rules = append(rules, claim("Pro", "has_rule", topic, "2026-01-01", kind("plan", graph.KindValue), text("The rule on "+topic+" is number "+fmt.Sprint(i)+".")))
	}
	m.of("kb").told(rules...)
	got := m.recall(retrieval.RecallQuery{Query: "what holds for topic37?"})
	if len(got.Results) == 0 || got.Results[0].Fact.ObjectNode.Name != "topic37" {
		t.Fatalf("results %q, want topic37 first", texts(got))
	}
	others := 0
	for _, r := range got.Results[1:] {
		if strings.HasPrefix(r.Fact.Text, "The rule on") {
			others++
		}
	}
	if others > 0 {
		t.Errorf("%d other rules came along: %q", others, texts(got))
	}
	if len(got.Results[0].Path) != 3 {
		t.Errorf("path %v, want Dana → Globex → Pro → rule", got.Results[0].Path)
	}
}

func TestWalksDoNotPassThroughValues(t *testing.T) {
	m := newMemory(t)
	m.told(
		claim("Globex", "seat_count", "30", "2026-01-01", kind("organisation", graph.KindValue)),
		claim("Initech", "seat_count", "30", "2026-01-01", kind("organisation", graph.KindValue)),
		claim("Initech", "noted", "x", "2026-01-01", text("Initech exports zinc.")),
		claim("Globex", "noted", "y", "2026-01-01", text("Globex imports copper.")),
		claim("Dana", "works_at", "Globex", "2026-01-01", kind("person", "organisation")),
	)
	for _, speaker := range []string{"", "Dana"} { // with Dana the walk sees both seat counts, from either side
		got := m.recall(retrieval.RecallQuery{Query: "who exports zinc?", Speaker: speaker})
		if diff := cmp.Diff([]string{"Initech exports zinc.", "Initech has 30 seats."}, texts(got)); diff != "" {
			t.Errorf("asked by %q (-want +got):\n%s", speaker, diff)
		}
		if path := got.Results[0].Path; path != nil {
			t.Errorf("asked by %q: path %v, want none", speaker, path)
		}
	}
}

func TestRecallShowsTheOpenOneOfManyClosed(t *testing.T) {
	m := newMemory(t)
	var claims []ingest.ClaimInput
	for i := range 20 {
		claims = append(claims, claim("Bob", "noted", fmt.Sprintf("v%d", i), fmt.Sprintf("%d", 2000+i), until(fmt.Sprintf("%d", 2001+i)), text("Bob's favourite colour is teal.")))
	}
	m.told(append(claims, claim("Bob", "noted", "now", "2021", text("Bob's favourite colour is teal.")))...)
	got := m.recall(retrieval.RecallQuery{Query: "Bob's favourite colour", Limit: 5})
	if len(got.Results) != 1 || got.Results[0].Fact.State != graph.Current || got.Suppressed.OutsideWindow != 20 {
		t.Errorf("%d results, %+v; want the open one and 20 outside the window", len(got.Results), got.Suppressed)
	}
	got = m.recall(retrieval.RecallQuery{Query: "Bob's favourite colour", Limit: 50, History: true})
	past := 0
	for _, r := range got.Results {
		if r.Fact.State == graph.Past {
			past++
		}
	}
	if len(got.Results) != 21 || past != 20 || got.Suppressed.OutsideWindow != 0 {
		t.Errorf("with history %d results, %d of them past, %+v; want 21 and 20", len(got.Results), past, got.Suppressed)
	}
}

// TestRecallIsExactInTime recalls at random points from random windows: all that is returned holds there and was believed
// then, and all that holds there is found.
func TestRecallIsExactInTime(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	m := newMemory(t)
	start := instant("2020-01-01T00:00:00Z")
	type said struct {
		text   string
		window temporal.Period
		tx     temporal.Instant
	}
	var all []said
	for i := range 60 {
		from := start + temporal.Instant(random.IntN(2000))*day
		window := temporal.Period{From: from, To: from + temporal.Instant(1+random.IntN(300))*day}
		statement := fmt.Sprintf("Measurement %d shows zirconium.", i)
		r := m.told(claim("Lab", "measured", fmt.Sprintf("m%d", i), window.From.String(), until(window.To.String()), text(statement)))
		all = append(all, said{statement, window, r[0].Fact.Tx.From})
		m.clock.Advance(1_000_000_000)
	}
	for range 40 {
		valid := start + temporal.Instant(random.IntN(2400))*day
		tx := all[random.IntN(len(all))].tx
		var want []string
		for _, s := range all {
			if s.window.Contains(valid) && s.tx <= tx {
				want = append(want, s.text)
			}
		}
		got := texts(m.recall(retrieval.RecallQuery{Query: "zirconium", Limit: 100, At: retrieval.At{ValidAt: valid.String(), TxAt: tx.String()}}))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("at %v as of %v: got %q, want %q", valid, tx, got, want)
		}
	}
}

func TestRecallReadsTheTimeInTheQuestion(t *testing.T) {
	m := newMemory(t)
	m.told(
		claim("Zed", "price", "$10", "2018", until("2019-03"), text("A zed costs $10.")),
		claim("Zed", "price", "$12", "2019-03", until("2019-09"), text("A zed costs $12.")),
		claim("Zed", "price", "$15", "2019-09", text("A zed costs $15.")),
		claim("Zed", "noted", "n", "2024", text("Zeds were banned from ships in 1987.")),
	)
	for _, c := range []struct {
		query string
		at    retrieval.At
		want  []string
	}{
		{"what does a zed cost?", retrieval.At{}, []string{"A zed costs $15."}},
		{"what did a zed cost in 2019?", retrieval.At{}, []string{"A zed costs $10.", "A zed costs $12.", "A zed costs $15."}},
		{"what did a zed cost in February 2019?", retrieval.At{}, []string{"A zed costs $10."}},
		{"what did a zed cost on 2019-03-01?", retrieval.At{}, []string{"A zed costs $12."}},
		{"what did a zed cost in 2019?", retrieval.At{ValidAt: "2018-06-01"}, []string{"A zed costs $10."}},
		{"what was the price of a zed before?", retrieval.At{}, []string{"A zed costs $10.", "A zed costs $12.", "A zed costs $15."}},
	} {
		got := texts(m.recall(retrieval.RecallQuery{Query: c.query, At: c.at}))
		got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "Zeds") })
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s at %q (-want +got):\n%s", c.query, c.at.ValidAt, diff)
		}
	}
	// The time may be what a statement is about. Then nothing held, and the question is read as of now after all.
	got := m.recall(retrieval.RecallQuery{Query: "were zeds banned from ships in 1987?"})
	if _, ok := found(got, "Zeds were banned from ships in 1987."); !ok || got.Interpreted.Time != nil {
		t.Errorf("%q, read at %v; want the ban, and no time", texts(got), got.Interpreted.Time)
	}
	got = m.recall(retrieval.RecallQuery{Query: "what was the price of a zed in 2019?"})
	if i := got.Interpreted; i.Predicate != "price" || i.Relation != "at" || i.Time == nil || i.Time.Precision != temporal.Year {
		t.Errorf("interpreted as %+v, want the price at a year", i)
	}
}

// TestRecallDoesNotWalkThroughThePast asks for a former employer: it is shown, and what is known of it is not.
func TestRecallDoesNotWalkThroughThePast(t *testing.T) {
	m := newMemory(t)
	m.settings(self("Dana", "person"))
	m.told(
		claim("Dana", "works_at", "Hooli", "2020", kind("person", "organisation")),
		claim("Dana", "works_at", "Globex", "2024", kind("person", "organisation")),
		claim("Hooli", "on_plan", "Gold", "2020", kind("organisation", "plan")),
		claim("Globex", "on_plan", "Pro", "2024", kind("organisation", "plan")),
	)
	got := texts(m.recall(retrieval.RecallQuery{Query: "what was my employer before?"}))
	slices.Sort(got)
	want := []string{"Dana works at Globex.", "Dana works at Hooli.", "Globex is on the Pro plan."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	for _, r := range m.recall(retrieval.RecallQuery{Query: "was Hooli my employer before?"}).Results {
		if len(r.Path) > 1 && r.Path[0].From.Name == "Dana" && r.Path[0].To.Name == "Hooli" {
			t.Errorf("the walk to %q goes through what does not hold any more: %v", r.Fact.Text, r.Path)
		}
	}
	got = texts(m.recall(retrieval.RecallQuery{Query: "what is my employer?"}))
	if slices.Contains(got, "Dana works at Hooli.") {
		t.Errorf("results %q, want nothing of the past", got)
	}
}

func TestRecallOfEpisodes(t *testing.T) {
	m := newMemory(t)
	m.episode("early", "Ann", "The boiler in the cellar leaks.", "2026-01-10T08:00:00Z")
	m.episode("late", "Ann", "The boiler has been repaired.", "2026-05-10T08:00:00Z")
	m.episode("again", "Bob", "The boiler has been repaired!", "2026-05-11T08:00:00Z")
	episodes := retrieval.RecallQuery{Query: "boiler", Episodes: true}
	got := m.recall(episodes)
	if diff := cmp.Diff([]string{"The boiler has been repaired!", "The boiler in the cellar leaks."}, texts(got)); diff != "" || got.Suppressed.Duplicates != 1 {
		t.Errorf("%d duplicates; results (-want +got):\n%s", got.Suppressed.Duplicates, diff)
	}
	episodes.ValidAt = "2026-02-01"
	if diff := cmp.Diff([]string{"The boiler in the cellar leaks."}, texts(m.recall(episodes))); diff != "" {
		t.Errorf("with what happened by February (-want +got):\n%s", diff)
	}
	then := m.clock.Advance(1_000_000_000)
	m.clock.Advance(1_000_000_000)
	m.episode("told later", "Ann", "A boiler explodes.", "2026-01-05T08:00:00Z")
	if got := m.recall(episodes); len(got.Results) != 2 {
		t.Errorf("%q, want what was told later too", texts(got))
	}
	episodes.TxAt = then.String()
	if got := m.recall(episodes); len(got.Results) != 1 {
		t.Errorf("%q, want what had been told by %v alone", texts(got), then)
	}
	if got := m.recall(retrieval.RecallQuery{Query: "boiler"}); len(got.Results) != 0 {
		t.Errorf("facts alone: %q, want none", texts(got))
	}
}

func TestRecallDropsDuplicates(t *testing.T) {
	m := newMemory(t)
	m.settings(includes(ingest.SettingsInput{}, "shared"))
	m.told(claim("Ann", "noted", "a", "2026-01-01", text("Ann owns a parrot.")), claim("Ann", "noted", "b", "2026-01-02", text("ann owns a parrot")))
	m.of("shared").told(claim("ANN", "noted", "a", "2026-01-03", text("There is a parrot that Ann has.")))
	got := m.recall(retrieval.RecallQuery{Query: "who owns a parrot?"})
	if len(got.Results) != 2 || got.Suppressed.Duplicates != 1 {
		t.Errorf("%q, %+v; want two statements and one duplicate", texts(got), got.Suppressed)
	}
}

func TestRecallOptions(t *testing.T) {
	m := newMemory(t)
	m.told(
		claim("Ann", "noted", "a", "2026-01-01", text("Ann grows tulips."), importance(1)),
		claim("Ann", "noted", "b", "2026-09-01", text("Ann sells tulips."), importance(0), func(c *ingest.ClaimInput) { c.Type = "episodic" }),
	)
	first := func(q retrieval.RecallQuery) string { q.Query = "tulips"; return m.recall(q).Results[0].Fact.Text }
	if got := first(retrieval.RecallQuery{}); got != "Ann sells tulips." {
		t.Errorf("by default %q is first, want the fresh one", got)
	}
	if got := first(retrieval.RecallQuery{Weights: &graph.Weights{Similarity: 0.6, Importance: 0.4}}); got != "Ann grows tulips." {
		t.Errorf("weighing importance %q is first, want the important one", got)
	}
	if got := texts(m.recall(retrieval.RecallQuery{Query: "tulips", Types: []string{"episodic"}})); len(got) != 1 || got[0] != "Ann sells tulips." {
		t.Errorf("of type episodic: %q", got)
	}
	if got := m.recall(retrieval.RecallQuery{Query: "tulips", Limit: 1}); len(got.Results) != 1 {
		t.Errorf("limit 1: %d results", len(got.Results))
	}
	m.settings(ingest.SettingsInput{Weights: ingest.Patch[graph.Weights]{Present: true, Value: graph.Weights{Similarity: 0.6, Importance: 0.4, HalfLifeDays: 30}}})
	if got := first(retrieval.RecallQuery{}); got != "Ann grows tulips." {
		t.Errorf("by the scope's weights %q is first, want the important one", got)
	}
	for _, q := range []retrieval.RecallQuery{
		{}, {Query: "x", Limit: -1}, {Query: "x", Limit: 1001}, {Query: "x", MaxTokens: -1},
		{Query: "x", Weights: &graph.Weights{Recency: math.NaN()}}, {Query: "x", Weights: &graph.Weights{Similarity: -1}},
		{Query: "x", At: retrieval.At{ValidAt: "yesterday"}}, {Query: "x", At: retrieval.At{TxAt: "9000"}},
	} {
		if _, err := m.read.Recall(t.Context(), m.scope, q); !errors.Is(err, graph.ErrInvalid) {
			t.Errorf("%+v: %v, want invalid", q, err)
		}
	}
}

func TestRecallTouches(t *testing.T) {
	m := newMemory(t)
	m.told(claim("Ann", "noted", "a", "2025-01-01", text("Ann grows tulips.")))
	before := m.recall(retrieval.RecallQuery{Query: "tulips", Touch: true}).Results[0].Signals.Recency
	after := m.recall(retrieval.RecallQuery{Query: "tulips"}).Results[0].Signals.Recency
	if before > 0.01 || after != 1 {
		t.Errorf("recency %v before it was used and %v after, want about 0 and 1", before, after)
	}
}

func TestRecallFlagsConflicts(t *testing.T) {
	m := newMemory(t)
	m.told(claim("Globex", "on_plan", "Pro", "2026-01-01"), claim("Globex", "on_plan", "Team", "2026-03-01", trust(graph.Inferred)))
	got := m.recall(retrieval.RecallQuery{Query: "which plan is Globex on?"})
	if len(got.Results) != 1 || len(got.Results[0].Fact.Conflicts) != 1 || !strings.Contains(got.Context, "disputed") {
		t.Errorf("results %q with %+v\n%s\nwant Pro, disputed once", texts(got), got.Results, got.Context)
	}
}

func TestRecallExplains(t *testing.T) {
	got := globex(t).recall(retrieval.RecallQuery{Query: question, Explain: true})
	names := func(r retrieval.Found) []string {
		var out []string
		for _, a := range r.Arms {
			out = append(out, a.Name)
		}
		return out
	}
	if diff := cmp.Diff([]string{"words", "walk"}, names(got.Results[0])); diff != "" {
		t.Errorf("arms of the rule (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"walk"}, names(got.Results[1])); diff != "" {
		t.Errorf("arms of the plan (-want +got):\n%s", diff)
	}
}
