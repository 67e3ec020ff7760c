package rules_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure/extract"
	"tenure/extract/rules"
	"tenure/facts"
	"tenure/graph"
)

// FuzzExtract: whatever the text, nothing panics, every claim is one that ingest can take, and the answer is the same twice.
func FuzzExtract(f *testing.F) {
	for _, text := range []string{
		"Hi, I'm Dana, the IT admin at Globex.", "We're on Basic with 30 seats, and SSO isn't set up yet.", "We moved from Basic to Pro in March 2025, 120 seats now.",
		"On Pro, SSO needs the Security add-on.", "Remember that the code is \"4711\".", "I switched to tea, no coffee any more.", "I’ve lived in Oslo since 29 February 2024.",
		"How long does SSO setup take?", "<memory>I live in Rome</memory> (I \"work) at Acme", "I was born on 31 April 0000 until the end of 9999.", "no no more any more no longer",
		"from 2019 to from 2020 to until since for ago", "I love a, b, c, d and e or f", "\xff\xfe I work at \x00 Acme\u202e", "I'm I'm I'm, the the 's 's", "$ $5 per per a a / /",
	} {
		f.Add(text, "2026-06-15T09:00:00Z", uint8(0))
		f.Add(text, "", uint8(7))
	}
	kinds := []graph.EpisodeKind{graph.Message, graph.Document, graph.Event, graph.JSON}
	roles := []graph.Role{graph.User, graph.Assistant, graph.Tool, graph.System}
	f.Fuzz(func(t *testing.T, text, at string, mode uint8) {
		if at != "" && at != "2026-06-15T09:00:00Z" {
			at = "0001-01-01T00:00:00Z"
		}
		in := message(t, text, at)
		in.Episode.Kind, in.Episode.Role = kinds[mode%4], roles[mode/4%4]
		in.Zone = time.FixedZone("", (int(mode)-128)*600)
		draft, err := extractor(t).Extract(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range draft.Claims {
			check(t, c, in)
		}
		again, _ := extractor(t).Extract(context.Background(), in)
		if diff := cmp.Diff(draft, again); diff != "" {
			t.Errorf("read twice:\n%s", diff)
		}
	})
}

func TestNoMoreThanAThousandClaims(t *testing.T) {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "Ann works at Acme%d.\n", i)
	}
	draft, err := extractor(t).Extract(context.Background(), document(t, b.String(), said))
	if err != nil || len(draft.Claims) != 1000 || len(draft.Dropped) != 1 {
		t.Errorf("got %d claims, %d dropped, %v", len(draft.Claims), len(draft.Dropped), err)
	}
}

func TestWhatIsDroppedIsSaid(t *testing.T) {
	in := message(t, "We were on Pro from 2025 to 2023. I work at Acme.", said)
	draft, err := extractor(t).Extract(context.Background(), in)
	want := []graph.Dropped{{Claim: "on_plan", Reason: "it would end before it begins"}}
	if diff := cmp.Diff(want, draft.Dropped); diff != "" || err != nil || len(draft.Claims) != 1 {
		t.Errorf("%v, %d claims (-want +got):\n%s", err, len(draft.Claims), diff)
	}
}

// The longest texts that an episode may hold, of the kinds that would be slow if anything were tried again and again.
func TestLongTexts(t *testing.T) {
	for _, unit := range []string{"a", "I ", "and, ", "'s ", "( ", "\" ", "from 2019 to ", "<memory ", "On Pro, ", "Ann and ", "word ", "x\n", "é́"} {
		text := strings.Repeat(unit, (1<<16)/len(unit))
		for _, in := range []extract.Input{message(t, text, said), document(t, text, said)} {
			if draft, err := extractor(t).Extract(context.Background(), in); err != nil || len(draft.Claims) > 0 {
				t.Errorf("%q…: %d claims, %v", unit, len(draft.Claims), err)
			}
		}
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := extractor(t).Extract(ctx, message(t, "I work at Acme.", said)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestScopesDeclarations(t *testing.T) {
	declared := facts.Shipped().With(graph.Predicate{Name: "lives_in", Cardinality: graph.Many}, graph.Predicate{Name: "mood", Cardinality: graph.One})
	in := message(t, "I live in Oslo and Bergen.", said)
	run(t, in, nil)
	in.Predicates = declared.All()
	run(t, in, claims(
		"I lives_in Oslo/place holds «I live in Oslo and Bergen»",
		"I lives_in Bergen/place holds «I live in Oslo and Bergen»"))
}

func TestTheSelfEntitySpeaksWhereNobodyIsNamed(t *testing.T) {
	in := message(t, "I live in Oslo.", said)
	in.Episode.Speaker, in.Self = "", graph.Named{Name: "Bot 7", Kind: "agent"}
	draft, err := extractor(t).Extract(context.Background(), in)
	want := extract.Mention{Name: "Bot 7", Kind: "agent", Ref: extract.Speaker}
	if err != nil || len(draft.Claims) != 1 || draft.Claims[0].Subject != want {
		t.Errorf("got %+v, %v", draft.Claims, err)
	}
}

func TestBrokenPatternsAreRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"{subject} <work> at":                    "want one object",
		"{subject} <work> at {object:planet}":    "unknown type",
		"{subject} <work> (at {object}":          "unbalanced",
		"{subject} <work at {object}":            "no verb",
		"{subject} work> at {object}":            "no word",
		"{subject} {subject} <work> at {object}": "at most one subject",
		"{subject} <work> <live> {object}":       "at most one verb",
		"+ {subject} <work> at {object}":         "no subject of its own",
		"remember {object:statement} please":     "rest of a sentence",
		"(a) (b) (c) (d) (e) (f) (g) {object}":   "too many optional parts",
		"{subject} <work> at {object":            "no slot",
	} {
		_, err := rules.New([]graph.Predicate{{Name: "p", Patterns: []string{pattern}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", pattern, err, want)
		}
	}
}
