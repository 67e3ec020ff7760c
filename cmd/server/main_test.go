package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tenure/extract"
	"tenure/temporal"
)

// A test that needs a process to kill starts this binary again, with these variables saying what it is then.
const (
	childArgs  = "TENURE_TEST_ARGS"  // be the program, with these arguments, one a line
	childBlock = "TENURE_TEST_BLOCK" // serve this store, and never get done with an extraction
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

func TestMain(m *testing.M) {
	if args := os.Getenv(childArgs); args != "" {
		os.Args = append(os.Args[:1], strings.Split(args, "\n")...)
		main()
		return
	}
	if store := os.Getenv(childBlock); store != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		context.AfterFunc(ctx, stop)
		blocked := &gatedExtractor{begun: make(chan string, 1), open: make(chan struct{})}
		go func() { fmt.Println("extracting", <-blocked.begun) }()
		cfg := config{Addr: "127.0.0.1:0", Workers: 1, place: place{Store: store, Tenant: "default"}}
		os.Exit(report(serve(ctx, cfg, temporal.SystemClock{}, blocked, newLog(cfg, os.Stderr), nil), os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

// gatedExtractor extracts nothing, and only once it is opened.
type gatedExtractor struct {
	begun chan string   // gets the id of each episode whose extraction begins
	open  chan struct{} // closed to let extractions go on
}

func (*gatedExtractor) Name() string { return "gated/1" }

func (x *gatedExtractor) Extract(ctx context.Context, in extract.Input) (extract.Draft, error) {
	x.begun <- string(in.Episode.ID)
	select {
	case <-x.open:
		return extract.Draft{}, nil
	case <-ctx.Done():
		return extract.Draft{}, ctx.Err()
	}
}

// output is what a program has written, for several goroutines.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed and replaced with each write
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.more != nil {
		close(o.more)
	}
	o.more = make(chan struct{})
	return o.text.Write(p)
}

// await returns the submatches of a pattern as soon as the output has it.
func (o *output) await(t *testing.T, pattern string) []string {
	t.Helper()
	want, deadline := regexp.MustCompile(pattern), time.After(patience)
	for {
		o.mu.Lock()
		if o.more == nil {
			o.more = make(chan struct{})
		}
		text, more := o.text.String(), o.more
		o.mu.Unlock()
		if m := want.FindStringSubmatch(text); m != nil {
			return m
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("no %s in:\n%s", pattern, text)
		}
	}
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// running is a server that runs in this process.
type running struct {
	*client
	log  *output
	stop func() // ends it as a signal would, and fails the test if it ends with an error
}

// start runs the program with --addr 127.0.0.1:0 and further arguments until the test ends or stops it.
func start(t *testing.T, env map[string]string, args ...string) *running {
	t.Helper()
	log := &output{}
	args = append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)
	return background(t, log, func(ctx context.Context) error {
		return run(ctx, args, func(name string) string { return env[name] }, io.Discard, log)
	})
}

// startAt serves a throw-away store whose clock the test moves.
func startAt(t *testing.T, clock temporal.Clock) *running {
	t.Helper()
	extractor, err := newExtractor()
	if err != nil {
		t.Fatal(err)
	}
	return startWith(t, clock, extractor)
}

// startWith serves a throw-away store with any extractor.
func startWith(t *testing.T, clock temporal.Clock, extractor extract.Extractor) *running {
	t.Helper()
	log := &output{}
	cfg := config{Addr: "127.0.0.1:0", Workers: 2, LogLevel: "info", place: place{Store: "sqlite:", Tenant: "default"}}
	return background(t, log, func(ctx context.Context) error {
		return serve(ctx, cfg, clock, extractor, slog.New(slog.NewTextHandler(log, nil)), func(net.Addr) {})
	})
}

func background(t *testing.T, log *output, serve func(context.Context) error) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() {
		err := serve(ctx)
		if err != nil {
			fmt.Fprintln(log, "addr=none", err) // so that nobody waits for the address
		}
		ended <- err
	}()
	transport := &http.Transport{}
	stop := sync.OnceFunc(func() {
		cancel()
		transport.CloseIdleConnections()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with: %v", err)
		}
	})
	t.Cleanup(stop)
	address := log.await(t, `addr=(\S+)`)[1]
	return &running{client: &client{base: "http://" + address, http: &http.Client{Transport: transport}}, log: log, stop: stop}
}

// memory is a scope as a test sees it: what must not fail fails the test.
type memory struct {
	t     *testing.T
	api   *client
	scope string
}

func (r *running) memory(t *testing.T, scope string) memory { return memory{t, r.client, scope} }

// object is a JSON object.
type object = map[string]any

// read gets a route of the scope.
func read[T any](m memory, route string, query ...string) T {
	m.t.Helper()
	var out T
	if err := m.api.get(m.t.Context(), m.scope, route, values(query), &out); err != nil {
		m.t.Fatal(err)
	}
	return out
}

// values makes a query of names and values that follow each other.
func values(pairs []string) url.Values {
	out := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		out.Set(pairs[i], pairs[i+1])
	}
	return out
}

// send calls a route of the scope with a method and a body, nil for none.
func send[T any](m memory, method, route string, in any) T {
	m.t.Helper()
	var out T
	path := "/v1/scopes/" + url.PathEscape(m.scope)
	if route != "" {
		path += "/" + route
	}
	if err := m.api.call(m.t.Context(), method, path, in, &out); err != nil {
		m.t.Fatal(err)
	}
	return out
}

// status is the status of an answer and its body.
func (m memory) status(method, route string, in any) (int, string) {
	m.t.Helper()
	var out []byte
	path := "/v1/scopes/" + url.PathEscape(m.scope)
	if route != "" {
		path += "/" + route
	}
	err := m.api.call(m.t.Context(), method, path, in, &out)
	if p := (*problem)(nil); errors.As(err, &p) {
		return p.status, p.body
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return http.StatusOK, string(out)
}

// said is the answer to posted facts.
type said struct {
	Results []struct {
		Outcome string  `json:"outcome"`
		Claim   string  `json:"claim"`
		Fact    *fact   `json:"fact"`
		Ended   []fact  `json:"ended"`
		Change  *string `json:"change"`
	} `json:"results"`
	Tx string `json:"tx"`
}

// assert posts claims in one request.
func (m memory) assert(claims ...object) said {
	m.t.Helper()
	return send[said](m, http.MethodPost, "facts", object{"facts": claims})
}

// claim is a claim of a triple, with further fields and their values.
func claim(subject, predicate, value string, more ...any) object {
	c := object{"subject": subject, "predicate": predicate, "object": value}
	for i := 0; i < len(more); i += 2 {
		c[more[i].(string)] = more[i+1]
	}
	return c
}

// declare declares a predicate by what differs from many.
func (m memory) declare(name, cardinality string, more ...any) {
	m.t.Helper()
	p := object{"cardinality": cardinality}
	for i := 0; i < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	send[object](m, http.MethodPut, "predicates/"+name, p)
}

// tell posts a message and waits until its facts are made.
func (m memory) tell(id, speaker, text, at string, more ...any) episode {
	m.t.Helper()
	e := object{"id": id, "speaker": speaker, "text": text, "wait": "30s"}
	if at != "" {
		e["occurred_at"] = at
	}
	for i := 0; i < len(more); i += 2 {
		e[more[i].(string)] = more[i+1]
	}
	posted := send[struct{ Episodes []episode }](m, http.MethodPost, "episodes", e).Episodes
	if len(posted) != 1 || posted[0].Status != "done" {
		m.t.Fatalf("%s: want it done, got %+v", id, posted)
	}
	return posted[0]
}

// facts reads all facts that a query selects.
func (m memory) facts(query ...string) []fact {
	m.t.Helper()
	return read[struct{ Facts []fact }](m, "facts", append([]string{"limit", "1000"}, query...)...).Facts
}

// names are the objects of facts.
func names(facts []fact) []string {
	out := []string{}
	for _, f := range facts {
		out = append(out, f.Object.Name)
	}
	return out
}

// history is a slot's windows, as "Pro 2024-01-01 2025-01-01".
func (m memory) history(subject, predicate string) []string {
	m.t.Helper()
	out := []string{}
	for _, slot := range read[timeline](m, "timeline", "subject", subject, "predicate", predicate).Slots {
		for _, f := range slot.Facts {
			out = append(out, f.Object.Name+" "+bounds(f))
		}
	}
	return out
}

// bounds is a fact's window by its days: "2024-01-01 2025-01-01", "? ..." for what is unknown and open.
func bounds(f fact) string {
	from, to := "?", "..."
	if f.ValidFrom != nil {
		from = day(f.ValidFrom)
	}
	if f.ValidTo != nil {
		to = day(f.ValidTo)
	}
	return from + " " + to
}

func (m memory) ask(question string, more ...string) asked {
	m.t.Helper()
	body := object{"question": question}
	for i := 0; i < len(more); i += 2 {
		body[more[i]] = more[i+1]
	}
	return send[asked](m, http.MethodPost, "ask", body)
}

func (m memory) recall(query string, more ...any) recalled {
	m.t.Helper()
	body := object{"query": query}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return send[recalled](m, http.MethodPost, "recall", body)
}
