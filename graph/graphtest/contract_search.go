package graphtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenure/graph"
	"tenure/lexical"
	"tenure/temporal"
)

// testSearch checks searches by what must be so in any ranking: one store may be exact and another not.
func testSearch(t *testing.T, store graph.Store) {
	t.Run("finds what was planted nearest first", func(t *testing.T) { testNearest(t, store) })
	t.Run("finds nothing outside the as-of", func(t *testing.T) { testSearchAsOf(t, store) })
	t.Run("takes any text as words", func(t *testing.T) { testHostile(t, store) })
	t.Run("says how rare terms are", func(t *testing.T) { testRarity(t, store) })
	t.Run("finds at once what was written, and no more what was destroyed", func(t *testing.T) { testAtOnce(t, store) })
}

// statement is a version that says a text, of a fact and in a lane of its own.
func statement(n int, text string, now temporal.Instant) graph.Version {
	return graph.Version{
		ID: graph.VersionID(fmt.Sprintf("v%d", n)), Fact: graph.ClaimID(fmt.Sprintf("c%d", n)), Subject: "the Ann", Predicate: "said", Object: "the Ann",
		Lane: graph.Lane{Subject: "the Ann", Predicate: "said", Object: graph.EntityID(fmt.Sprint(n))}, Text: text, Type: "semantic",
		Valid: temporal.Period{From: seasons[0]}, Trust: graph.Stated, Tx: temporal.Period{From: now},
	}
}

// fillers are statements about nothing in particular.
func fillers(from, n int, now temporal.Instant) []graph.Version {
	words := strings.Fields("meeting invoice budget report weather lunch train office garden letter window paper")
	var out []graph.Version
	for i := range n {
		a, b := words[i%len(words)], words[(i*5+3)%len(words)]
		out = append(out, statement(from+i, fmt.Sprintf("The %s was about the %s, number %d.", a, b, i), now))
	}
	return out
}

func told1(n int, text string, now temporal.Instant) graph.Episode {
	return graph.Episode{ID: graph.EpisodeID(fmt.Sprintf("e%d", n)), Kind: graph.Message, Text: text, Occurred: seasons[1], Recorded: graph.Pos{Tx: now, Seq: n}, Status: graph.Done}
}

func searchFacts(t *testing.T, r graph.Reader, q graph.Query) []graph.FactHit {
	t.Helper()
	hits, err := r.SearchFacts(t.Context(), q)
	if err != nil {
		t.Fatalf("%.60q: %v", q.Text, err)
	}
	seen := map[string]bool{}
	for i, h := range hits {
		key := fmt.Sprint(h.Version.Fact, h.Version.Valid)
		if i > 0 && hits[i-1].Score < h.Score || seen[key] || h.Version.Hidden || q.Valid != 0 && !h.Version.Valid.Contains(q.Valid) ||
			len(q.Types) > 0 && !slices.Contains(q.Types, h.Version.Type) || !h.Version.Tx.Contains(r.View().Tx) {
			t.Errorf("%.60q: hit %d is %+v after %d others", q.Text, i, h, len(seen))
		}
		seen[key] = true
	}
	if q.Limit > 0 && len(hits) > q.Limit {
		t.Errorf("%.60q: %d hits, at most %d were asked for", q.Text, len(hits), q.Limit)
	}
	return hits
}

func searchEpisodes(t *testing.T, r graph.Reader, q graph.Query) []graph.EpisodeHit {
	t.Helper()
	hits, err := r.SearchEpisodes(t.Context(), q)
	if err != nil {
		t.Fatalf("%.60q: %v", q.Text, err)
	}
	seen := map[graph.EpisodeID]bool{}
	for i, h := range hits {
		if i > 0 && hits[i-1].Score < h.Score || seen[h.Episode.ID] || q.Valid != 0 && h.Episode.Occurred > q.Valid {
			t.Errorf("%.60q: hit %d is %+v", q.Text, i, h)
		}
		seen[h.Episode.ID] = true
	}
	if q.Limit > 0 && len(hits) > q.Limit {
		t.Errorf("%.60q: %d hits, at most %d were asked for", q.Text, len(hits), q.Limit)
	}
	return hits
}

func testNearest(t *testing.T, store graph.Store) {
	scope, other := newScope(), newScope()
	for _, s := range []graph.Scope{scope, other} {
		write(t, store, s, func(now temporal.Instant) graph.Delta {
			d := graph.Delta{Entities: []graph.Entity{entity("Ann")}, Versions: fillers(0, 200, now)}
			d.Versions = append(d.Versions, statement(1000, "Ann drinks strong coffee every morning.", now), statement(1001, "The office has a coffee machine.", now))
			d.Versions[200].Type = "preference"
			d.Episodes = []graph.Episode{told1(0, "I drink strong coffee every morning, says Ann.", now), told1(1, "The coffee machine is broken.", now), told1(2, "Nothing new.", now)}
			return d
		})
	}
	r := snapshot(t, store, graph.View{Scope: scope})
	for _, limit := range []int{1, 2, 20} {
		hits := searchFacts(t, r, graph.Query{Text: "strong coffee in the morning", Limit: limit})
		if len(hits) == 0 || hits[0].Version.Fact != "c1000" {
			t.Errorf("limit %d: the planted fact is not first: %v", limit, hits)
		}
		episodes := searchEpisodes(t, r, graph.Query{Text: "strong coffee in the morning", Limit: limit})
		if len(episodes) == 0 || episodes[0].Episode.ID != "e0" {
			t.Errorf("limit %d: the planted episode is not first: %v", limit, episodes)
		}
	}
	if hits := searchFacts(t, r, graph.Query{Text: "coffee", Types: []string{"preference"}, Limit: 20}); len(hits) != 1 {
		t.Errorf("of one type: %d hits", len(hits))
	}
	if hits := searchFacts(t, r, graph.Query{Text: "coffee", Types: []string{"none", "Preference"}, Limit: 20}); len(hits) != 0 {
		t.Errorf("of no such type: %d hits", len(hits))
	}
	if hits := searchFacts(t, r, graph.Query{Text: "quantum chromodynamics", Limit: 20}); len(hits) != 0 {
		t.Errorf("of words that nobody said: %v", hits)
	}
	if hits := searchFacts(t, r, graph.Query{Text: "COFFEE Machines", Limit: 1}); len(hits) != 1 || hits[0].Version.Fact != "c1001" {
		t.Errorf("in another case and number: %v", hits)
	}
}

func testSearchAsOf(t *testing.T, store graph.Store) {
	scope := newScope()
	v := statement(1, "Ann keeps a zebra.", 0)
	one := write(t, store, scope, func(now temporal.Instant) graph.Delta {
		v.Valid = temporal.Period{From: seasons[1], To: seasons[3]}
		v.Tx.From = now
		hidden := statement(2, "Ann keeps a zebra in secret.", now)
		hidden.Hidden = true
		undated := statement(3, "The zebra is striped.", now)
		undated.Valid = temporal.Period{}
		return graph.Delta{
			Entities: []graph.Entity{entity("Ann")}, Versions: append(fillers(10, 20, now), v, hidden, undated), Episodes: []graph.Episode{told1(0, "A zebra!", now)},
		}
	})
	two := write(t, store, scope, func(now temporal.Instant) graph.Delta {
		v.Tx.To = now // the same window in other words
		next := v
		next.ID, next.Text, next.Tx = "v1b", "Ann keeps an okapi.", temporal.Period{From: now}
		return graph.Delta{Versions: []graph.Version{v, next}}
	})
	find := func(tx, valid temporal.Instant, text string) string {
		var out []string
		for _, h := range searchFacts(t, snapshot(t, store, graph.View{Scope: scope, Tx: tx}), graph.Query{Text: text, Valid: valid, Limit: 10}) {
			if h.Version.Ended != "" || h.Version.Tx.To != 0 {
				t.Errorf("as of %v a version is found as it was later: %+v", tx, h.Version)
			}
			out = append(out, string(h.Version.ID))
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		tx, valid temporal.Instant
		text      string
		want      string
	}{
		{0, 0, "zebra", "v3"}, {two, 0, "zebra okapi", "v1b v3"}, {one, 0, "zebra", "v1 v3"}, {two - 1, 0, "zebra", "v1 v3"}, {one, 0, "okapi", ""}, {one - 1, 0, "zebra", ""},
		{one, seasons[1] - 1, "zebra", "v3"}, {one, seasons[1], "zebra", "v1 v3"}, {one, seasons[3] - 1, "zebra", "v1 v3"}, {one, seasons[3], "zebra", "v3"},
		{0, seasons[2], "okapi", "v1b"}, {0, seasons[3], "okapi", ""},
	} {
		if got := find(c.tx, c.valid, c.text); got != c.want {
			t.Errorf("%q as of (%v, %v): got %q, want %q", c.text, c.valid, c.tx, got, c.want)
		}
	}
	r := snapshot(t, store, graph.View{Scope: scope})
	for valid, want := range map[temporal.Instant]int{0: 1, seasons[1]: 1, seasons[1] - 1: 0, seasons[4]: 1} {
		if hits := searchEpisodes(t, r, graph.Query{Text: "zebra", Valid: valid, Limit: 5}); len(hits) != want {
			t.Errorf("episodes by %v: %d hits, want %d", valid, len(hits), want)
		}
	}
}

// hostile are texts that a query language would read as something else than words, with a word that each of them holds.
var hostile = map[string]string{
	`alpha AND OR NOT + - && || ! ( ) { } [ ] ^ " ~ * ? : \ /`: "alpha", `"beta`: "beta", `gamma*`: "gamma", `(delta`: "delta", `epsilon:zeta`: "zeta",
	`C++ eta`: "eta", `C:\theta\b`: "theta", `tb-iota`: "iota", `kappa'; DROP TABLE versions; --`: "kappa", `lambda NEAR/2 mu`: "mu", `{"nu": 1}`: "nu",
	`-xi`: "xi", `omicron^2~`: "omicron", `+pi -rho`: "rho", `sigma /* tau */`: "tau", `$upsilon ${phi}`: "phi", "chi\x00psi": "psi", "omega\u202e": "omega",
}

func testHostile(t *testing.T, store graph.Store) {
	scope := newScope()
	texts := []string{"东京是日本的首都", "北京是中国的首都", "Она живёт в Осло", "Straße nach Zürich", "naïve café", "한국어 문장입니다"}
	long := ""
	for i := range 500 {
		long += fmt.Sprintf("filler%d ", i)
	}
	texts = append(texts, long+"needle")
	queries := map[string]int{"首都 东京": 0, "中国": 1, "осло": 2, "zürich": 3, "café": 4, "한국어": 5, long: 6, "needle": 6}
	for text, word := range hostile {
		queries[text], queries[word] = len(texts), len(texts)
		texts = append(texts, strings.ReplaceAll(text, "\x00", " "))
	}
	write(t, store, scope, func(now temporal.Instant) graph.Delta {
		d := graph.Delta{Entities: []graph.Entity{entity("Ann")}}
		for i, text := range texts {
			d.Versions = append(d.Versions, statement(i, text, now))
			d.Episodes = append(d.Episodes, told1(i, text, now))
		}
		return d
	})
	r := snapshot(t, store, graph.View{Scope: scope})
	for query, want := range queries {
		hits := searchFacts(t, r, graph.Query{Text: query, Limit: 3})
		if len(hits) == 0 || string(hits[0].Version.Fact) != fmt.Sprintf("c%d", want) {
			t.Errorf("%.60q: first of %d hits is not %.60q", query, len(hits), texts[want])
		}
		episodes := searchEpisodes(t, r, graph.Query{Text: query, Limit: 3})
		if len(episodes) == 0 || string(episodes[0].Episode.ID) != fmt.Sprintf("e%d", want) {
			t.Errorf("%.60q: first of %d episodes is not %.60q", query, len(episodes), texts[want])
		}
	}
	for _, nothing := range []string{"", " ", "*", `"`, "()", "\\", "😶‍🌫️", "the", strings.Repeat("(", 5000)} {
		if hits := searchFacts(t, r, graph.Query{Text: nothing, Limit: 3}); len(hits) > 0 {
			t.Errorf("%.20q: found %v", nothing, hits)
		}
		searchEpisodes(t, r, graph.Query{Text: nothing, Limit: 3})
	}
}

func testRarity(t *testing.T, store graph.Store) {
	scope := newScope()
	write(t, store, scope, func(now temporal.Instant) graph.Delta {
		d := graph.Delta{Entities: []graph.Entity{entity("Ann")}}
		for i := range 30 {
			text := "Everybody likes apples."
			if i%5 == 0 {
				text += " Some like quinces."
			}
			if i == 7 {
				text += " One likes medlars."
			}
			d.Versions = append(d.Versions, statement(i, text, now))
		}
		d.Episodes = []graph.Episode{told1(0, "A durian, and an apple.", now)}
		return d
	})
	term := func(word string) string { return lexical.Terms(word)[0] }
	apple, quince, medlar, durian, none := term("apples"), term("quinces"), term("medlars"), term("durian"), term("kumquat")
	got, err := snapshot(t, store, graph.View{Scope: scope}).Rarity(t.Context(), []string{apple, quince, medlar, durian, none, none})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 5 || !(0 < got[apple] && got[apple] < got[quince] && got[quince] < got[medlar] && got[medlar] < got[none] && got[durian] < got[none]) {
		t.Errorf("of %q, %q, %q and %q, rarer each: %v", apple, quince, medlar, none, got)
	}
	if got, err := snapshot(t, store, graph.View{Scope: scope}).Rarity(t.Context(), nil); err != nil || len(got) > 0 {
		t.Errorf("of no term: %v, %v", got, err)
	}
}

func testAtOnce(t *testing.T, store graph.Store) {
	scope := newScope()
	find := func(word string) (int, int) {
		r := snapshot(t, store, graph.View{Scope: scope})
		return len(searchFacts(t, r, graph.Query{Text: word, Limit: 50})), len(searchEpisodes(t, r, graph.Query{Text: word, Limit: 50}))
	}
	for i := range 15 {
		word := fmt.Sprintf("wombat%d", i)
		write(t, store, scope, func(now temporal.Instant) graph.Delta {
			return graph.Delta{
				Entities: []graph.Entity{entity("Ann")}, Versions: []graph.Version{statement(i, "Here is "+word+" of all wombats.", now)},
				Episodes: []graph.Episode{told1(i, "Look, "+word+" among wombats.", now)},
			}
		})
		if facts, episodes := find(word); facts != 1 || episodes != 1 {
			t.Errorf("%s: found %d facts and %d episodes right after they were written", word, facts, episodes)
		}
		if facts, episodes := find("wombats"); facts != i+1 || episodes != i+1 {
			t.Errorf("found %d facts and %d episodes of %d", facts, episodes, i+1)
		}
	}
	if err := store.Update(t.Context(), scope, func(w graph.Writer) error {
		return w.Destroy(t.Context(), graph.Destruction{
			Claims: []graph.ClaimID{"c3"}, Lanes: []graph.Lane{statement(3, "", 0).Lane}, Episodes: []graph.EpisodeID{"e3"},
		})
	}); err != nil {
		t.Fatal(err)
	}
	if facts, episodes := find("wombat3"); facts+episodes != 0 {
		t.Errorf("found %d facts and %d episodes that were destroyed", facts, episodes)
	}
	if facts, episodes := find("wombats"); facts != 14 || episodes != 14 {
		t.Errorf("found %d facts and %d episodes of the 14 that are left", facts, episodes)
	}
}
