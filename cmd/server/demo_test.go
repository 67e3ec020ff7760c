package main

import (
	"bytes"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// transcript is what the demo has to say, line by line and in this order; what stands between does not matter.
const transcript = `
TOLD
2026-01-01  (page-1140)  “On Pro, SSO needs the Security add-on for teams under 50 seats.”
2026-02-10  Dana         “Hi, I'm Dana, the IT admin at Globex.”
+ Dana works at Globex.
+ Globex is on the Basic plan.
+ Globex has 30 seats.
Dana         “thanks”
kept; no fact
2026-06-15  Dana         “We moved to Pro, 120 seats now.”
+ Globex is on the Pro plan.
- Globex is on the Basic plan. (2026-02-10 to 2026-06-15)
- Globex has 30 seats. (2026-02-10 to 2026-06-15)
ASKED
what plan are we on?  (now)
Pro, since 2026-06-15: “We moved to Pro”
what plan were we on before?  (now)
Basic, 2026-02-10 to 2026-06-15: “We're on Basic”
what plan are we on?  (on 2026-07-01, as known on 2026-06-01)
Basic, since 2026-02-10: “We're on Basic” (on 1 June nobody knew better)
PROFILE
Dana prefers numbered steps.
RECALLED
On Pro, SSO needs the Security add-on for teams under 50 seats. (since 2026-01-01, acme-kb)
Globex is on the Pro plan. (since 2026-06-15, globex)
Dana → Globex → Pro → SSO needs the Security add-on for teams under 50 seats
| <memory-NONCE>
| - Globex is on the Pro plan (since 15 June 2026; before: Basic) [june, 2026-06-15]
| </memory-NONCE>
CHANGED
2026-06-15  on_plan       Basic → Pro  “We moved to Pro”
2026-06-15  seat_count    30 → 120  “We moved to Pro, 120 seats now”
THEN
- Globex is on the Pro plan. (2026-06-15 to 2026-10-01)
- Globex is on the Team plan. (2026-10-01 to 2026-10-20)
WINDOWS
Feb Mar Apr May Jun Jul Aug Sep Oct Nov
Basic      |===============|
Pro                        |==============| |=====>
Team                                      |=|
what plan were we on before?  (now)
Team, 2026-10-01 to 2026-10-20: “We moved to Team”
ANOTHER CUSTOMER
0 results
All 26 checks passed.
NEXT
go run ./cmd/server
`

func TestDemoTellsTheStory(t *testing.T) {
	t.Parallel()
	var out, log bytes.Buffer
	if err := run(t.Context(), []string{"demo"}, func(string) string { return "" }, &out, &log); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	same(t, "", log.String())
	rest := regexp.MustCompile(`memory-[0-9a-f]{16}`).ReplaceAllString(out.String(), "memory-NONCE")
	for line := range strings.Lines(strings.TrimSpace(transcript)) {
		_, after, ok := strings.Cut(rest, strings.TrimSpace(line))
		if !ok {
			t.Fatalf("want %q in what follows:\n%s", line, rest)
		}
		rest = after
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("colours are for terminals")
	}
}

func TestDemoFailsOnAWrongAnswer(t *testing.T) {
	t.Parallel()
	var out, log bytes.Buffer
	d := &demo{out: &paper{w: &out, colours: true}}
	d.check(true, "be right")
	d.check(false, "be so")
	err := d.verdict(time.Second)
	if !errors.Is(err, errWrongAnswer) || report(err, &log) != 1 || log.Len() > 0 {
		t.Errorf("want exit code 1 and nothing more to say, got %v %q", err, log.String())
	}
	if !strings.Contains(out.String(), "\x1b[31mWRONG: be so\x1b[0m") || !strings.Contains(out.String(), "1 of 2 checks failed") {
		t.Errorf("got %q", out.String())
	}
}

// TestDemoTrialsWork runs what the demo says to try next.
func TestDemoTrialsWork(t *testing.T) {
	t.Parallel()
	m := start(t, nil, "--store", "sqlite:").memory(t, "me")
	var last string
	for _, trial := range trials {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.api.base+"/v1/scopes/me/"+trial.route, strings.NewReader(trial.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json") // as curl --json
		answer, err := m.api.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		_, _ = body.ReadFrom(answer.Body)
		answer.Body.Close()
		if answer.StatusCode >= 400 {
			t.Fatalf("%s: got %s %s", trial.route, answer.Status, body.String())
		}
		last = body.String()
	}
	if !strings.Contains(last, `"answer":"Oslo`) {
		t.Errorf("want Oslo, got %s", last)
	}
}
