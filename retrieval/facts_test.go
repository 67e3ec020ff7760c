package retrieval_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// facts lists facts, and fails the test if it cannot.
func (m *memory) facts(q retrieval.FactQuery) retrieval.FactPage {
	m.t.Helper()
	page, err := m.read.Facts(m.t.Context(), m.scope, q)
	if err != nil {
		m.t.Fatal(err)
	}
	return page
}

func TestFactsByState(t *testing.T) {
	m := newMemory(t)
	told := m.told(
		claim("Globex", "on_plan", "Basic", "2025", until("2026-02")),
		claim("Globex", "on_plan", "Pro", "2026-02"),
		claim("Globex", "on_plan", "Team", "2027"),
		claim("Globex", "on_plan", "Free", "2026-03", trust(graph.Inferred)),
		claim("Globex", "owner", "Ann", "2026-01", until("2026-03")),
		claim("Globex", "price", "$5", "2026-01"),
	)
	caller := ingest.Caller{}
	m.clock.Advance(1_000_000_000)
	if _, err := m.write.Retract(t.Context(), m.scope, told[4].Fact.Version.Fact, ingest.RetractInput{Never: true}, caller); err != nil {
		t.Fatal(err)
	}
	if _, err := m.write.Forget(t.Context(), m.scope, told[5].Fact.Version.Fact, "", caller); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		state string
		at    retrieval.At
		want  []string
	}{
		{"", retrieval.At{}, []string{"Pro"}},
		{"", retrieval.At{ValidAt: "2025-06"}, []string{"Basic"}},
		{"", retrieval.At{ValidAt: "any"}, []string{"Basic", "Pro", "Team"}},
		{"current", retrieval.At{}, []string{"Pro"}},
		{"current", retrieval.At{ValidAt: "any"}, []string{"Pro"}},
		{"past", retrieval.At{}, []string{"Basic"}},
		{"past", retrieval.At{ValidAt: "2026-02"}, []string{"Basic"}},
		{"past", retrieval.At{ValidAt: "2026-01-31"}, []string{}},
		{"future", retrieval.At{}, []string{"Team"}},
		{"future", retrieval.At{ValidAt: "2025-06"}, []string{"Pro", "Team"}},
		{"disputed", retrieval.At{}, []string{"Free"}},
		{"disputed", retrieval.At{ValidAt: "2025-06"}, []string{}},
		{"retracted", retrieval.At{}, []string{"Ann"}},
		{"retracted", retrieval.At{ValidAt: "2026-02"}, []string{"Ann"}},
		{"retracted", retrieval.At{ValidAt: "2026-04"}, []string{}},
		{"forgotten", retrieval.At{}, []string{"$5"}},
	} {
		page := m.facts(retrieval.FactQuery{At: c.at, Subject: "globex", State: c.state})
		if diff := cmp.Diff(c.want, values(page.Facts)); diff != "" {
			t.Errorf("state %q at %q (-want +got):\n%s", c.state, c.at.ValidAt, diff)
		}
		for _, f := range page.Facts {
			if c.state != "" && string(f.State) != c.state {
				t.Errorf("state %q lists a fact of state %s", c.state, f.State)
			}
		}
	}
}

func TestFactsByBoundsAndNames(t *testing.T) {
	m := newMemory(t)
	m.told(
		claim("A", "married_to", "B", "2018", until("2020")),
		claim("C", "employs", "D", "2019", kind("organisation", "person")),
		claim("A", "tested_with", "E", "2019-06", until("2019-07")),
		claim("A", "tested_with", "30", "2021"),
	)
	any := retrieval.At{ValidAt: "any"}
	for name, c := range map[string]struct {
		q    retrieval.FactQuery
		want []string
	}{
		"all that overlaps 2019":       {retrieval.FactQuery{At: any, BeginsBefore: "2020", EndsFrom: "2019-01-01T00:00:00.000001Z"}, []string{"A B", "D C", "A E"}},
		"begins within":                {retrieval.FactQuery{At: any, BeginsFrom: "2019", BeginsBefore: "2020"}, []string{"D C", "A E"}},
		"ends before":                  {retrieval.FactQuery{At: any, EndsBefore: "2020"}, []string{"A E"}},
		"ends at the bound":            {retrieval.FactQuery{At: any, EndsFrom: "2020", EndsBefore: "9000"}, []string{"A B"}},
		"a symmetric one by its other": {retrieval.FactQuery{At: any, Subject: "b"}, []string{"A B"}},
		"the same by the object":       {retrieval.FactQuery{At: any, Object: "a", Predicate: "married_to"}, []string{"A B"}},
		"by an inverse":                {retrieval.FactQuery{At: any, Subject: "C", Predicate: "employs"}, []string{"D C"}},
		"by the declared direction":    {retrieval.FactQuery{At: any, Subject: "D", Predicate: "works_at", Object: "c"}, []string{"D C"}},
		"a number":                     {retrieval.FactQuery{At: any, Object: "30"}, []string{"A 30"}},
		"an unknown name":              {retrieval.FactQuery{At: any, Subject: "nobody"}, []string{}},
		"an unknown predicate":         {retrieval.FactQuery{At: any, Predicate: "nothing"}, []string{}},
		"by type":                      {retrieval.FactQuery{At: any, Type: "nothing"}, []string{}},
	} {
		got := []string{}
		for _, f := range m.facts(c.q).Facts {
			got = append(got, f.SubjectNode.Name+" "+f.ObjectNode.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, q := range []retrieval.FactQuery{
		{State: "gone"}, {BeginsFrom: "soon"}, {At: retrieval.At{TxAt: "9000"}}, {At: retrieval.At{ValidAt: "2026-02-30"}},
		{Page: retrieval.Page{Limit: -1}}, {Page: retrieval.Page{Limit: 1001}},
	} {
		if _, err := m.read.Facts(t.Context(), m.scope, q); !errors.Is(err, graph.ErrInvalid) {
			t.Errorf("%+v: %v, want invalid", q, err)
		}
	}
}

func TestFactsInPagesSeeOneSnapshot(t *testing.T) {
	m := newMemory(t)
	var claims []ingest.ClaimInput
	for i := range 25 {
		claims = append(claims, claim("Pat", "likes", fmt.Sprintf("thing %02d", i), "2026-01-01"))
	}
	m.told(claims...)
	q := retrieval.FactQuery{Subject: "Pat", Page: retrieval.Page{Limit: 7}}
	whole := m.facts(retrieval.FactQuery{Subject: "Pat"})
	var got []graph.Fact
	asOf := m.facts(q).AsOf
	for {
		page := m.facts(q)
		got = append(got, page.Facts...)
		if len(page.Facts) > 7 {
			t.Fatalf("a page of %d", len(page.Facts))
		}
		if page.AsOf != asOf {
			t.Errorf("a page as of %+v, want the first one's %+v", page.AsOf, asOf)
		}
		if q.Token = page.Next; q.Token == "" {
			break
		}
		m.clock.Advance(3_600_000_000_000)
		m.told(claim("Pat", "likes", fmt.Sprint("late ", len(got)), "2026-01-01"), claim("Pat", "dislikes", fmt.Sprintf("thing %02d", len(got)), ""))
	}
	if diff := cmp.Diff(whole.Facts, got); diff != "" {
		t.Errorf("all pages (-one listing +pages):\n%s", diff)
	}
}

func TestPageTokensAreOfOneListing(t *testing.T) {
	m := newMemory(t)
	for _, name := range []string{"globex", "other"} {
		for i := range 5 {
			m.of(name).told(claim("Pat", "likes", fmt.Sprintf("thing %d", i), "2026-01-01"))
			m.of(name).episode(fmt.Sprint("e", i), "Pat", "hello", "2026-01-01T00:00:00Z")
		}
	}
	ctx := t.Context()
	facts := retrieval.FactQuery{Subject: "Pat", Page: retrieval.Page{Limit: 2}}
	token := m.facts(facts).Next
	list := map[string]func(scope graph.Scope, page retrieval.Page) error{
		"facts": func(s graph.Scope, p retrieval.Page) error {
			_, err := m.read.Facts(ctx, s, retrieval.FactQuery{Subject: "Pat", Page: p})
			return err
		},
		"facts of another filter": func(s graph.Scope, p retrieval.Page) error {
			_, err := m.read.Facts(ctx, s, retrieval.FactQuery{Subject: "pat", Page: p})
			return err
		},
		"changes": func(s graph.Scope, p retrieval.Page) error {
			_, err := m.read.Changes(ctx, s, retrieval.ChangeQuery{Page: p})
			return err
		},
		"episodes": func(s graph.Scope, p retrieval.Page) error {
			_, _, err := m.read.Episodes(ctx, s, retrieval.EpisodeQuery{Page: p})
			return err
		},
		"entities": func(s graph.Scope, p retrieval.Page) error {
			_, err := m.read.Entities(ctx, s, "", "", p)
			return err
		},
		"scopes": func(s graph.Scope, p retrieval.Page) error {
			_, _, err := m.read.Scopes(ctx, s.Tenant, p)
			return err
		},
	}
	for name, f := range list {
		for _, scope := range []graph.Scope{m.scope, m.of("other").scope} {
			if name == "facts" && scope == m.scope {
				continue
			}
			if err := f(scope, retrieval.Page{Limit: 2, Token: token}); !errors.Is(err, graph.ErrInvalid) {
				t.Errorf("%s of %s with a token of facts: %v, want invalid", name, scope, err)
			}
		}
	}
	other := graph.Scope{Tenant: "other", Name: m.scope.Name}
	if err := list["facts"](other, retrieval.Page{Token: token}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("another tenant: %v, want not found", err)
	}
	for _, bad := range []string{"garbage", "AAAA", token[:len(token)-2], token + "A", "e30", "../../x", "\x00", strings.ToUpper(token), token[:9] + "B" + token[10:]} {
		if bad == token {
			continue
		}
		if err := list["facts"](m.scope, retrieval.Page{Limit: 2, Token: bad}); !errors.Is(err, graph.ErrInvalid) || strings.Contains(err.Error(), bad) {
			t.Errorf("token %.20q: %v, want invalid without the value", bad, err)
		}
	}
	// It holds no secret of the process: a server that was restarted takes it.
	again, err := retrieval.New(retrieval.Config{Store: m.store, Clock: m.clock})
	if err != nil {
		t.Fatal(err)
	}
	facts.Token = token
	if page, err := again.Facts(ctx, m.scope, facts); err != nil || len(page.Facts) != 2 {
		t.Errorf("after a restart: %v", err)
	}
}

// FuzzPageToken asks for pages by any text: what is no token is refused as invalid, and so is whatever is cut or added to one.
func FuzzPageToken(f *testing.F) {
	m := newMemory(f)
	for i := range 4 {
		m.told(claim("Pat", "likes", fmt.Sprintf("thing %d", i), "2026-01-01"))
	}
	q := retrieval.FactQuery{Subject: "Pat", Page: retrieval.Page{Limit: 2}}
	token := m.facts(q).Next
	f.Add(token)
	f.Add("e30")
	f.Add("eyJvZiI6IiJ9")
	f.Fuzz(func(t *testing.T, text string) {
		page := func(text string) error {
			q := q
			q.Token = text
			_, err := m.read.Facts(t.Context(), m.scope, q)
			return err
		}
		if err := page(text); err != nil && !errors.Is(err, graph.ErrInvalid) {
			t.Errorf("%q: %v, want invalid", text, err)
		} else if err != nil || text == "" {
			return
		}
		for _, altered := range []string{text[:len(text)-1], text[1:], text + "A", text + "=", " " + text, strings.ToLower(text)} {
			if err := page(altered); altered != "" && altered != text && !errors.Is(err, graph.ErrInvalid) {
				t.Errorf("%q is taken for %q: %v", altered, text, err)
			}
		}
	})
}

func TestFactByAnyClaim(t *testing.T) {
	m := globex(t)
	again := m.told(claim("Globex", "on_plan", "Pro", "2026-07-01", kind("organisation", "plan")))
	pro := again[0].Fact.Version.Fact
	if again[0].Claim == pro {
		t.Fatal("the claim began a fact of its own")
	}
	ctx := t.Context()
	got, err := m.read.Fact(ctx, m.scope, again[0].Claim, retrieval.At{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Fact.Version.Fact != pro || got.Fact.State != graph.Current || len(got.Versions) != 1 {
		t.Errorf("fact %s %s with %d versions, want %s current with one", got.Fact.Version.Fact, got.Fact.State, len(got.Versions), pro)
	}
	supports := []bool{}
	var told []string
	for _, c := range got.Claims {
		supports = append(supports, c.Supports)
		told = append(told, c.SubjectNode.Name+" "+c.Predicate+" "+c.ObjectNode.Name)
	}
	wantTold := []string{"Globex on_plan Basic", "Globex on_plan Pro", "Globex on_plan Pro"}
	if diff := cmp.Diff(wantTold, told); diff != "" || !slices.Equal(supports, []bool{false, true, true}) {
		t.Errorf("supports %v; claims (-want +got):\n%s", supports, diff)
	}
	if _, err := m.read.Fact(ctx, m.scope, "no-such-fact", retrieval.At{}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("an unknown id: %v, want not found", err)
	}
	if _, err := m.read.Fact(ctx, m.of("acme-kb").scope, pro, retrieval.At{}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("the id of another scope: %v, want not found", err)
	}
	if _, err := m.read.Fact(ctx, m.scope, pro, retrieval.At{TxAt: "2020"}); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("before it was known: %v, want not found", err)
	}
}

// TestFactShowsTheWindowAskedFor splits a fact by a trial: it has two windows under one id.
func TestFactShowsTheWindowAskedFor(t *testing.T) {
	m := newMemory(t)
	told := m.told(
		claim("Globex", "on_plan", "Basic", "2024"),
		claim("Globex", "on_plan", "Pro", "2025-03", until("2025-04")),
	)
	basic := told[0].Fact.Version.Fact
	for at, want := range map[string]string{"2024-06": "2024-01-01T00:00:00Z", "2025-06": "2025-04-01T00:00:00Z", "2025-03-05": "2025-04-01T00:00:00Z", "any": "2025-04-01T00:00:00Z"} {
		got, err := m.read.Fact(t.Context(), m.scope, basic, retrieval.At{ValidAt: at})
		if err != nil {
			t.Fatal(err)
		}
		if from := got.Fact.Valid.From.String(); from != want || got.Fact.Version.Fact != basic {
			t.Errorf("at %s the window from %s is shown, want %s", at, from, want)
		}
	}
	if listed := m.facts(retrieval.FactQuery{At: retrieval.At{ValidAt: "any"}}).Facts; len(listed) != 3 {
		t.Errorf("%d windows are listed, want 3", len(listed))
	}
}

func TestFactThatIsNotBelievedAnyMore(t *testing.T) {
	m := newMemory(t)
	told := m.told(claim("Globex", "on_plan", "Pro", "2026-01"))
	before := told[0].Fact.Tx.From
	m.clock.Advance(1_000_000_000)
	if _, err := m.write.Retract(t.Context(), m.scope, told[0].Fact.Version.Fact, ingest.RetractInput{Never: true}, ingest.Caller{}); err != nil {
		t.Fatal(err)
	}
	for tx, want := range map[string]graph.State{"": graph.StateRetracted, before.String(): graph.Current} {
		got, err := m.read.Fact(t.Context(), m.scope, told[0].Claim, retrieval.At{TxAt: tx})
		if err != nil {
			t.Fatal(err)
		}
		if got.Fact.State != want || len(got.Claims) == 0 {
			t.Errorf("at tx %q: %s with %d claims, want %s with some", tx, got.Fact.State, len(got.Claims), want)
		}
	}
}
