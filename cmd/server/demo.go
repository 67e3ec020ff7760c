package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"tenure/temporal"
)

// errWrongAnswer is why a demo fails that got every answer, but not the right one.
var errWrongAnswer = errors.New("an answer is wrong")

// runDemo tells the story to a server of its own and writes what comes of it. It is a check too: errWrongAnswer says that
// an answer is not the right one. The server's clock stands where the story is, so that "as known on 1 June" means it.
func runDemo(ctx context.Context, out *paper) error {
	extractor, err := newExtractor()
	if err != nil {
		return err
	}
	clock := temporal.NewFixed(instant(story[0].at))
	cfg := config{Addr: "127.0.0.1:0", Workers: 2, place: place{Store: "sqlite:", Tenant: "default"}}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	g, serving := errgroup.WithContext(serving)
	address := make(chan net.Addr, 1)
	g.Go(func() error {
		return serve(serving, cfg, clock, extractor, slog.New(slog.DiscardHandler), func(a net.Addr) { address <- a })
	})
	g.Go(func() error {
		defer stop()
		select {
		case a := <-address:
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			d := &demo{out: out, clock: clock, api: &client{base: "http://" + a.String(), http: &http.Client{Transport: transport}}}
			return d.play(serving)
		case <-serving.Done():
			return nil // serve says why
		}
	})
	return g.Wait()
}

// demo is a demo under way.
type demo struct {
	out   *paper
	api   *client
	clock *temporal.Fixed
	asked int
	wrong int
}

// play plays all of it.
func (d *demo) play(ctx context.Context) error {
	began := time.Now()
	d.out.printf("%s\n", d.out.bold("Tenure: what a customer said, when it was true, and when it was known"))
	d.out.printf("%s\n", d.out.dim("Told and asked over HTTP on "+d.api.base+", a throw-away store. No language model, no other service."))
	for _, part := range []func(context.Context) error{
		d.begin, d.tell, d.ask, d.profile, d.recall, d.changes, d.sequel, d.isolation,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return d.verdict(time.Since(began))
}

// verdict says whether all was right.
func (d *demo) verdict(took time.Duration) error {
	if d.wrong > 0 {
		d.out.printf("\n%s\n", d.out.red(fmt.Sprintf("%d of %d checks failed.", d.wrong, d.asked)))
		return errors.Join(d.out.err, errWrongAnswer)
	}
	d.out.printf("\n%s%s\n", d.out.green(fmt.Sprintf("All %d checks passed.", d.asked)), d.out.dim(fmt.Sprintf("  (%d ms)", took.Milliseconds())))
	d.next()
	return d.out.err
}

// begin makes the scopes.
func (d *demo) begin(ctx context.Context) error {
	type self struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
	}
	return errors.Join(
		d.api.put(ctx, rulebook, struct{}{}),
		d.api.put(ctx, stranger, map[string]any{"self": self{"Ira", "person"}}),
		d.api.put(ctx, customer, map[string]any{"self": self{"Dana", "person"}, "includes": []string{rulebook}}),
	)
}

// tell tells the story.
func (d *demo) tell(ctx context.Context) error {
	d.out.title("TOLD", "each sentence as it was said, below it the facts it begins (+) and ends (-)")
	return d.tellAll(ctx, story)
}

func (d *demo) tellAll(ctx context.Context, all []told) error {
	last := ""
	for _, t := range all {
		d.clock.Set(instant(t.at))
		var answer struct {
			Episodes []episode `json:"episodes"`
		}
		said := map[string]any{"id": t.id, "kind": t.kind, "conversation": "c-1", "text": t.text, "occurred_at": t.at, "wait": "10s"}
		if t.speaker != "" {
			said["speaker"], said["role"] = t.speaker, t.role
		}
		if err := d.api.post(ctx, t.scope, "episodes", said, &answer); err != nil {
			return err
		}
		if len(answer.Episodes) != 1 {
			return fmt.Errorf("episode %s: the server answered with %d", t.id, len(answer.Episodes))
		}
		date := t.at[:len(time.DateOnly)]
		if date == last {
			date = ""
		} else {
			last = date
		}
		who := t.speaker
		if who == "" {
			who = "(" + t.id + ")"
		}
		d.out.printf("  %s  %s  %s\n", d.out.bold(pad(date, 10)), pad(who, 11), "\u201c"+t.text+"\u201d")
		d.left(t, answer.Episodes[0])
	}
	return nil
}

// left writes what a sentence left.
func (d *demo) left(t told, e episode) {
	const margin = "                           "
	begun, ended := 0, 0
	for _, c := range e.Changes {
		for _, f := range c.Begun {
			begun++
			d.out.printf("%s%s %s\n", margin, d.out.green("+"), f.Text)
		}
		for _, f := range c.Ended {
			ended++
			d.out.printf("%s%s %s %s\n", margin, d.out.red("-"), f.Text, d.out.dim("("+window(f)+")"))
		}
	}
	if begun+ended == 0 {
		d.out.printf("%s%s\n", margin, d.out.dim("kept; no fact"))
	}
	d.check(e.Status == "done" && begun >= t.leaves && (t.leaves >= 0 || begun == 0), "should be done, with other facts than these; it is "+e.Status)
}

// ask asks the questions of September.
func (d *demo) ask(ctx context.Context) error {
	d.clock.Set(instant(askedAt))
	d.out.title("ASKED", "on 2026-09-13, answered from the windows, each with its source")
	for _, q := range questions {
		if err := d.question(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

func (d *demo) question(ctx context.Context, q question) error {
	body := map[string]string{"question": q.text, "speaker": "Dana"}
	for name, value := range map[string]string{"valid_at": q.validAt, "tx_at": q.txAt} {
		if value != "" {
			body[name] = value
		}
	}
	var a asked
	if err := d.api.post(ctx, customer, "ask", body, &a); err != nil {
		return err
	}
	d.out.printf("  %s  %s\n", q.text, d.out.dim("("+q.asOf()+")"))
	if a.Answer == nil || len(a.Facts) == 0 {
		d.out.printf("      no answer\n")
		d.check(false, "should be "+q.want)
		return nil
	}
	f := a.Facts[0]
	d.out.printf("      %s%s\n", d.out.bold(f.Object.Name), d.out.dim(", "+window(f)+quoted(f)+q.note))
	d.check(f.Object.Name == q.want && window(f) == q.window && slices.Contains(f.Episodes, q.source),
		fmt.Sprintf("should be %s, %s, from %s", q.want, q.window, q.source))
	return nil
}

// quoted is what was said of a fact, if it is known.
func quoted(f fact) string {
	if len(f.Quotes) == 0 {
		return ""
	}
	return ": \u201c" + f.Quotes[0] + "\u201d"
}

// profile shows what is always at hand.
func (d *demo) profile(ctx context.Context) error {
	var p struct {
		Facts []fact `json:"facts"`
		Text  string `json:"text"`
	}
	if err := d.api.get(ctx, customer, "profile", nil, &p); err != nil {
		return err
	}
	d.out.title("PROFILE", "what an assistant should always know, no question asked")
	for _, f := range p.Facts {
		d.out.printf("  %s\n", f.Text)
	}
	d.check(strings.Contains(p.Text, "IT admin") && strings.Contains(p.Text, "numbered steps"), "should know the IT admin and the numbered steps")
	return nil
}

// recall asks what no single sentence answers.
func (d *demo) recall(ctx context.Context) error {
	var a recalled
	if err := d.api.post(ctx, customer, "recall", map[string]any{"query": hard, "speaker": "Dana"}, &a); err != nil {
		return err
	}
	d.out.title("RECALLED", "\u201c"+hard+"\u201d")
	rule := -1
	for i, f := range a.Results {
		d.out.printf("  %.3f  %s %s\n", f.Score, f.Text, d.out.dim("("+window(f.fact)+", "+f.Scope+")"))
		if slices.Contains(f.Episodes, "page-1140") {
			rule = i
		}
	}
	walk := ""
	if rule >= 0 {
		walk = path(a.Results[rule].Path)
		d.out.printf("\n  %s\n  %s\n", "The rule is of another scope and names neither Dana nor Globex; the walk to it:", d.out.bold(walk))
	}
	has := func(predicate, object string) bool {
		return slices.ContainsFunc(a.Results, func(f found) bool { return f.Predicate == predicate && f.Object.Name == object })
	}
	d.check(strings.Contains(walk, "Dana") && strings.Contains(walk, "Globex") && strings.Contains(walk, "Pro"), "should walk Dana, Globex, Pro, the rule of page 1140")
	d.check(has("on_plan", "Pro") && has("seat_count", "120"), "should find Pro and 120 seats")
	d.check(!has("on_plan", "Basic") && !has("seat_count", "30"), "should find neither Basic nor 30 seats")
	d.out.printf("\n  %s\n", "The same, ready for a prompt (data in an envelope, never instructions):")
	for line := range strings.Lines(strings.TrimRight(a.Context, "\n")) {
		d.out.printf("  %s %s\n", d.out.dim("|"), strings.TrimRight(line, "\n"))
	}
	d.check(a.Context != "", "should have a context")
	return nil
}

// path writes a walk in one line.
func path(hops []hop) string {
	if len(hops) == 0 {
		return ""
	}
	out := hops[0].From.Name
	for _, h := range hops {
		out += " \u2192 " + h.To.Name
	}
	return out
}

// changes shows what is new since June began.
func (d *demo) changes(ctx context.Context) error {
	var c struct {
		Changes []change `json:"changes"`
	}
	if err := d.api.get(ctx, customer, "changes", url.Values{"since": {"2026-06-01"}}, &c); err != nil {
		return err
	}
	d.out.title("CHANGED", "since 2026-06-01, as a program that syncs would ask")
	moved := map[string]bool{}
	for _, one := range c.Changes {
		if len(one.Begun) != 1 || len(one.Ended) != 1 || one.Episode == nil {
			continue
		}
		old, now := one.Ended[0], one.Begun[0]
		d.out.printf("  %s  %s  %s \u2192 %s  %s\n", one.Tx[:len(time.DateOnly)], pad(now.Predicate, 12), old.Object.Name, d.out.bold(now.Object.Name), d.out.dim(strings.TrimPrefix(quoted(now), ": ")))
		moved[now.Predicate+" "+old.Object.Name+" "+now.Object.Name] = true
	}
	d.check(moved["on_plan Basic Pro"] && moved["seat_count 30 120"] && len(moved) == 2, "should be plan Basic to Pro and seats 30 to 120")
	return nil
}

// sequel tells of the autumn and shows the windows of the plan.
func (d *demo) sequel(ctx context.Context) error {
	d.out.title("THEN", "the customer changes its mind, twice")
	if err := d.tellAll(ctx, sequel); err != nil {
		return err
	}
	d.clock.Set(instant(afterwards))
	var t timeline
	if err := d.api.get(ctx, customer, "timeline", url.Values{"subject": {"Globex"}, "predicate": {"on_plan"}}, &t); err != nil {
		return err
	}
	d.out.title("WINDOWS", "the plan of Globex in 2026; \u201c>\u201d is until further notice")
	var got []string
	for _, slot := range t.Slots {
		d.out.chart(slot.Facts, temporal.Instant(instant(afterwards)).Time())
		for _, f := range slot.Facts {
			got = append(got, f.Object.Name+" "+window(f))
		}
	}
	want := []string{"Basic 2026-02-10 to 2026-06-15", "Pro 2026-06-15 to 2026-10-01", "Team 2026-10-01 to 2026-10-20", "Pro since 2026-10-20"}
	d.check(slices.Equal(got, want), "should be "+strings.Join(want, ", "))
	d.out.printf("\n")
	return d.question(ctx, question{text: "what plan were we on before?", want: "Team", window: "2026-10-01 to 2026-10-20", source: "team"})
}

// isolation shows that another customer sees nothing of it.
func (d *demo) isolation(ctx context.Context) error {
	var a recalled
	if err := d.api.post(ctx, stranger, "recall", map[string]any{"query": hard, "include": []string{"facts", "episodes"}, "history": true}, &a); err != nil {
		return err
	}
	d.out.title("ANOTHER CUSTOMER", "the same question in scope \u201c"+stranger+"\u201d")
	d.out.printf("  %d results\n", len(a.Results))
	d.check(len(a.Results) == 0 && a.Abstained, "should see nothing")
	return nil
}

// trials are what to try next, on a server of one's own.
var trials = []struct{ route, body string }{
	{"episodes", `{"speaker":"Ann","text":"I have lived in Oslo since 2019.","wait":"5s"}`},
	{"ask", `{"speaker":"Ann","question":"where do I live?"}`},
}

// next says what to try now.
func (d *demo) next() {
	d.out.title("NEXT", "a server of your own on 127.0.0.1:8080, with its store in tenure.db")
	d.out.printf("  go run ./cmd/server\n")
	for _, t := range trials {
		d.out.printf("  curl -s 127.0.0.1:8080/v1/scopes/me/%s --json '%s'\n", t.route, t.body)
	}
	d.out.printf("  and all of its routes at http://127.0.0.1:8080/docs\n")
}

// check counts an answer and says so if it is wrong.
func (d *demo) check(right bool, should string) {
	d.asked++
	if !right {
		d.wrong++
		d.out.printf("  %s\n", d.out.red("WRONG: "+should))
	}
}

// instant reads a time of the story.
func instant(rfc3339 string) temporal.Instant {
	t, err := time.Parse(time.RFC3339, rfc3339)
	if err != nil {
		panic(err) // the story is ours
	}
	return temporal.At(t)
}
