package rules_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure/extract"
	"tenure/extract/rules"
	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// said is when the episodes of the tables happened: a Monday.
const said = "2026-06-15T09:00:00Z"

// row is a text and what it claims, one line a claim as line writes it.
type row struct {
	text string
	want []string
}

// claims is short for the wanted lines of a row.
func claims(lines ...string) []string { return lines }

var shipped = sync.OnceValues(func() (*rules.Extractor, error) { return rules.New(facts.Shipped().All()) })

func extractor(t testing.TB) *rules.Extractor {
	t.Helper()
	e, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// message is what Dana says at that time.
func message(t testing.TB, text, at string) extract.Input {
	t.Helper()
	in := extract.Input{Zone: time.UTC, Self: graph.Named{Name: "Dana", Kind: "person"}, Predicates: facts.Shipped().All()}
	in.Episode = graph.Episode{Kind: graph.Message, Role: graph.User, Speaker: "Dana", Text: text}
	if at != "" {
		instant, err := temporal.ParseInstant(at)
		if err != nil {
			t.Fatal(err)
		}
		in.Episode.Occurred = instant
	}
	return in
}

// document is a document with a time, or without one.
func document(t testing.TB, text, at string) extract.Input {
	in := message(t, text, at)
	in.Episode.Kind, in.Episode.Role, in.Episode.Speaker = graph.Document, "", "Docs"
	return in
}

// run extracts and compares the claims, each as a line.
func run(t *testing.T, in extract.Input, want []string) {
	t.Helper()
	draft, err := extractor(t).Extract(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range draft.Claims {
		got = append(got, line(c, in))
		check(t, c, in)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-want +got):\n%s", in.Episode.Text, diff)
	}
}

func runRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		run(t, message(t, r.text, said), r.want)
	}
}

// line writes a claim in full: kind unless it asserts, triple with kinds other than value, begin and end if stated, "holds"
// if it says it holds when it was said, trust unless stated, text, quote.
func line(c extract.Claim, in extract.Input) string {
	var b strings.Builder
	if c.Kind != graph.Assert {
		fmt.Fprintf(&b, "%s ", c.Kind)
	}
	fmt.Fprintf(&b, "%s %s %s", mention(c.Subject, in), c.Predicate, mention(c.Object, in))
	if c.Stated {
		fmt.Fprintf(&b, " from %s", bound(c.Valid.From, c.Precision.From, in))
	}
	if !c.Valid.To.IsZero() {
		fmt.Fprintf(&b, " to %s", bound(c.Valid.To, c.Precision.To, in))
	}
	switch {
	case c.HoldsAt.IsZero():
	case c.HoldsAt == in.Episode.Occurred:
		b.WriteString(" holds")
	default:
		fmt.Fprintf(&b, " holds at %s", c.HoldsAt)
	}
	if c.Trust != graph.Stated {
		fmt.Fprintf(&b, " %s", c.Trust)
	}
	if c.Type != "" || c.Importance != nil {
		fmt.Fprintf(&b, " type %s", c.Type)
	}
	if c.Text != "" {
		fmt.Fprintf(&b, " = %s", c.Text)
	}
	fmt.Fprintf(&b, " «%s»", c.Quote)
	return b.String()
}

func mention(m extract.Mention, in extract.Input) string {
	switch {
	case m.Ref == extract.Speaker && m == extract.Mention{Name: in.Episode.Speaker, Kind: "person", Ref: extract.Speaker}:
		return "I"
	case m == extract.Mention{Kind: "organisation", Ref: extract.Group}:
		return "we"
	case m.Ref != extract.ByName:
		return fmt.Sprintf("%+v", m)
	case m.Kind == graph.KindValue:
		return m.Name
	}
	return m.Name + "/" + m.Kind
}

func bound(i temporal.Instant, p temporal.Precision, in extract.Input) string {
	switch {
	case i.IsZero() && p == temporal.Unknown:
		return "unknown"
	case i == in.Episode.Occurred && p == "":
		return "said"
	}
	day := strings.TrimSuffix(i.String(), "T00:00:00Z")
	switch {
	case p == temporal.Year && strings.HasSuffix(day, "-01-01"):
		return strings.TrimSuffix(day, "-01-01")
	case p == temporal.Month && strings.HasSuffix(day, "-01"):
		return strings.TrimSuffix(day, "-01")
	case p == temporal.Day && len(day) == len("2026-06-15"):
		return day
	}
	return day + "~" + string(p)
}

// check is what holds of every claim.
func check(t testing.TB, c extract.Claim, in extract.Input) {
	t.Helper()
	switch {
	case c.Quote == "" || !strings.Contains(in.Episode.Text, c.Quote):
		t.Errorf("quote %q is no part of %q", c.Quote, in.Episode.Text)
	case c.Valid.Valid() != nil:
		t.Errorf("%q: period %v", in.Episode.Text, c.Valid)
	case !c.Stated && !c.Valid.From.IsZero():
		t.Errorf("%q: a begin that is not stated: %v", in.Episode.Text, c.Valid)
	case c.Stated && c.Valid.From.IsZero() != (c.Precision.From == temporal.Unknown):
		t.Errorf("%q: precision %q of begin %v", in.Episode.Text, c.Precision.From, c.Valid.From)
	case !c.HoldsAt.IsZero() && !c.Valid.Contains(c.HoldsAt):
		t.Errorf("%q: holds at %v outside %v", in.Episode.Text, c.HoldsAt, c.Valid)
	case c.Predicate == "" || c.Subject.IsZero() || c.Object.Name == "":
		t.Errorf("%q: incomplete claim %+v", in.Episode.Text, c)
	}
}
