package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenure/temporal"
)

func TestRestartKeepsEverything(t *testing.T) {
	t.Parallel()
	store := "sqlite:" + filepath.Join(t.TempDir(), "tenure.db")
	server := start(t, nil, "--store", store)
	m := server.memory(t, "s")
	send[object](m, http.MethodPut, "", object{"self": object{"name": "Ann", "kind": "person"}, "time_zone": "Europe/Berlin"})
	m.declare("drives", "one", "nouns", []string{"car"})
	m.tell("e1", "Ann", "I work at Acme. We're on the Pro plan.", "2026-01-01T09:00:00Z", "metadata", object{"a": object{"b": []any{1, object{"c": 2}}}})
	m.tell("e2", "Ann", "We moved to the Team plan.", "2026-02-01T09:00:00Z")
	m.assert(claim("Ann", "drives", "a Saab", "valid_from", "2019"), claim("Ann", "drives", "a Volvo", "valid_from", "2024-06"))
	saab := m.facts("subject", "Ann", "predicate", "drives", "valid_at", "2020")[0]
	send[object](m, http.MethodPatch, "facts/"+saab.ID, object{"valid_from": "2018", "reason": "a year earlier"})
	send[object](m, http.MethodPost, "facts/"+m.facts("predicate", "on_plan")[0].ID+"/retract", object{"at": "2026-03-01"})
	post := object{"facts": []object{claim("Ann", "uses", "Emacs")}, "dry_run": false}
	first := keyed(m, "key-1", post)
	before, question := snapshot(m), m.ask("what car does Ann drive?")
	server.stop()

	again := start(t, nil, "--store", store)
	m = again.memory(t, "s")
	same(t, before, snapshot(m))
	same(t, names(question.Facts), names(m.ask("what car does Ann drive?").Facts))
	same(t, first, keyed(m, "key-1", post)) // the same key answers the same, and writes nothing
	same(t, before, snapshot(m))
	found := slices.ContainsFunc(m.recall("Which car does Ann drive?").Results, func(f found) bool {
		return f.Object.Name == "a Volvo" && f.Signals["similarity"] > 0
	})
	if !found {
		t.Error("want the word index to find the Volvo")
	}
	again.stop()
	t.Run("export writes the same from the file", func(t *testing.T) {
		var out, log output
		if err := run(t.Context(), []string{"export", "--store", store, "--scope", "s"}, func(string) string { return "" }, &out, &log); err != nil {
			t.Fatal(err)
		}
		same(t, before["export"], out.String())
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("not a line of JSON: %s", line)
			}
		}
		err := run(t.Context(), []string{"export", "--store", store, "--scope", "none"}, func(string) string { return "" }, &out, &log)
		if err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("an unknown scope: got %v", err)
		}
	})
}

// keyed posts facts with an Idempotency-Key.
func keyed(m memory, key string, body object) string {
	m.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		m.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(m.t.Context(), http.MethodPost, m.api.base+"/v1/scopes/"+m.scope+"/facts", strings.NewReader(string(data)))
	if err != nil {
		m.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	answer, err := m.api.http.Do(r)
	if err != nil {
		m.t.Fatal(err)
	}
	defer answer.Body.Close()
	var out output
	if _, err := fmt.Fprint(&out, answer.StatusCode, " "); err != nil {
		m.t.Fatal(err)
	}
	var raw json.RawMessage
	if err := json.NewDecoder(answer.Body).Decode(&raw); err != nil {
		m.t.Fatal(err)
	}
	return out.String() + string(raw)
}

// child is a server in a process of its own.
type child struct {
	*client
	command *exec.Cmd
	log     *output // its standard error
	out     *output // its standard output
}

// spawn starts this test binary as a server.
func spawn(t *testing.T, variable, value string) *child {
	t.Helper()
	c := &child{log: &output{}, out: &output{}, command: exec.Command(os.Args[0])}
	c.command.Env = append(os.Environ(), variable+"="+value)
	c.command.Stdout, c.command.Stderr = c.out, c.log
	if err := c.command.Start(); err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = c.command.Process.Kill() // unless the test has ended it
		_ = c.command.Wait()
	})
	c.client = &client{base: "http://" + c.log.await(t, `addr=(\S+)`)[1], http: &http.Client{Transport: transport}}
	return c
}

// kill ends the process as kill -9 does.
func (c *child) kill(t *testing.T) {
	t.Helper()
	if err := c.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.command.Wait() // says that it was killed
}

func TestKilledServerLosesNothing(t *testing.T) {
	t.Parallel()
	t.Run("Graphiti 1707 killed between the answer and the extraction", func(t *testing.T) {
		store := "sqlite:" + filepath.Join(t.TempDir(), "tenure.db")
		c := spawn(t, childBlock, store)
		m := memory{t, c.client, "s"}
		post := object{"id": "e1", "speaker": "Ann", "text": "I work at Acme.", "occurred_at": "2024-01-01T00:00:00Z"}
		posted := send[struct{ Episodes []episode }](m, http.MethodPost, "episodes", post)
		same(t, "pending", posted.Episodes[0].Status)
		c.out.await(t, `extracting (e1)`)
		c.kill(t)
		for range 2 { // the second start finds nothing to do
			server := start(t, nil, "--store", store)
			m = server.memory(t, "s")
			post["wait"] = "30s" // the same post again waits for what was acknowledged
			worked := send[struct{ Episodes []episode }](m, http.MethodPost, "episodes", post)
			same(t, "done", worked.Episodes[0].Status)
			same(t, 1, len(m.facts("subject", "Ann", "predicate", "works_at", "valid_at", "any")))
			same(t, 1, m.facts("subject", "Ann", "predicate", "works_at")[0].Support)
			same(t, 1, len(read[struct{ Changes []change }](m, "changes").Changes))
			server.stop()
		}
	})
	t.Run("Graphiti 1707 killed while it works off a queue", func(t *testing.T) {
		const n = 40
		store := "sqlite:" + filepath.Join(t.TempDir(), "tenure.db")
		c := spawn(t, childArgs, strings.Join([]string{"serve", "--addr", "127.0.0.1:0", "--store", store}, "\n"))
		m := memory{t, c.client, "s"}
		for i := range n {
			send[object](m, http.MethodPost, "episodes", queued(i))
		}
		c.kill(t)
		m = start(t, nil, "--store", store).memory(t, "s")
		for i := range n {
			post := queued(i)
			post["wait"] = "30s"
			worked := send[struct{ Episodes []episode }](m, http.MethodPost, "episodes", post)
			same(t, "done", worked.Episodes[0].Status)
		}
		all := m.facts("predicate", "works_at", "valid_at", "any")
		same(t, n, len(all))
		for _, f := range all {
			same(t, 1, f.Support)
		}
		same(t, n, len(read[struct{ Changes []change }](m, "changes", "limit", "1000").Changes))
	})
}

func queued(i int) object {
	name := "Ann" + strings.Repeat("a", i+1) // names, not numbers, so that rules read them as people
	return object{"id": "e" + strconv.Itoa(i), "speaker": name, "text": "I work at Acme.", "occurred_at": "2024-01-01T00:00:00Z"}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	t.Run("SIGTERM ends the server with 0", func(t *testing.T) {
		c := spawn(t, childArgs, "--addr\n127.0.0.1:0\n--store\nsqlite:")
		memory{t, c.client, "s"}.tell("e1", "Ann", "I work at Acme.", "2024-01-01T00:00:00Z")
		if err := c.command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := c.command.Wait(); err != nil {
			t.Errorf("got %v\n%s", err, c.log)
		}
		c.log.await(t, `msg=(stopped)`)
		same(t, "", c.out.String())
	})
	t.Run("a second SIGTERM kills it", func(t *testing.T) {
		c := spawn(t, childBlock, "sqlite:"+filepath.Join(t.TempDir(), "tenure.db"))
		waiting := make(chan error, 1)
		go func() {
			var out object
			waiting <- c.post(context.Background(), "s", "episodes", object{"id": "e1", "text": "I work at Acme.", "wait": "60s"}, &out)
		}()
		c.out.await(t, `extracting (e1)`)
		ended := make(chan error, 1)
		go func() { ended <- c.command.Wait() }()
		_ = c.command.Process.Signal(syscall.SIGTERM)
		c.log.await(t, `msg="(stopping)`)
		// One that comes before the program has let go of signals is of no effect, so they go on.
		again := time.NewTicker(10 * time.Millisecond)
		defer again.Stop()
		for running := true; running; {
			_ = c.command.Process.Signal(syscall.SIGTERM) // unless it has just ended
			select {
			case <-ended:
				running = false
			case <-again.C:
			}
		}
		if status, ok := c.command.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGTERM {
			t.Errorf("want it killed by the signal, got %v", c.command.ProcessState)
		}
		if err := <-waiting; err == nil {
			t.Error("want the request broken off")
		}
	})
}

func TestShutdownLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	extractor := &gatedExtractor{begun: make(chan string, 1), open: make(chan struct{})}
	server := startWith(t, temporal.SystemClock{}, extractor)
	type answer struct {
		Episodes []episode
		err      error
	}
	waiting := make(chan answer, 1)
	go func() {
		var a answer
		a.err = server.post(context.Background(), "s", "episodes", object{"id": "e1", "text": "I work at Acme.", "wait": "30s"}, &a)
		waiting <- a
	}()
	<-extractor.begun
	stopped := make(chan struct{})
	go func() { defer close(stopped); server.stop() }()
	server.log.await(t, `msg="(stopping)`)
	refused(t, strings.TrimPrefix(server.base, "http://"))
	close(extractor.open)
	a := <-waiting
	if a.err != nil || len(a.Episodes) != 1 || a.Episodes[0].Status != "done" {
		t.Errorf("want the request answered, got %+v", a)
	}
	<-stopped
}

// refused wants no new connections to be accepted, as soon as the listener is closed.
func refused(t *testing.T, address string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		conn.Close()
	}
	t.Error("connections are still accepted")
}

// TestShutdownIsBounded has one request that ends when it is told to, and one that does not even then.
func TestShutdownIsBounded(t *testing.T) {
	t.Parallel()
	log := &output{}
	begun, release := make(chan string, 2), make(chan struct{})
	s := &server{
		work: func(ctx context.Context) error { <-ctx.Done(); return nil },
		handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			begun <- r.URL.Path
			<-r.Context().Done()
			if r.URL.Path == "/stubborn" {
				<-release
			}
		}),
		log: newLog(config{}, log), drain: 20 * time.Millisecond, cut: 20 * time.Millisecond,
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx, listener) }()
	transport := &http.Transport{}
	answers := make(chan error, 2)
	for _, path := range []string{"/patient", "/stubborn"} {
		go func() {
			var out []byte
			answers <- (&client{base: "http://" + listener.Addr().String(), http: &http.Client{Transport: transport}}).call(context.Background(), http.MethodGet, path, nil, &out)
		}()
	}
	<-begun
	<-begun
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("got %v", err)
	}
	log.await(t, `(they are told to end)[^$]*their connections are closed`)
	close(release)
	if first, second := <-answers, <-answers; (first == nil) == (second == nil) {
		t.Errorf("want one answered and one broken off, got %v and %v", first, second)
	}
	transport.CloseIdleConnections()
}

func TestLogLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, first string }{
		{"--log-format=text --log-level=info", `^time=\S+ level=INFO msg=serving addr=127\.0\.0\.1:\d+ store=sqlite: version=\S+\n`},
		{"--log-format=text --log-level=error", `^time=\S+ level=INFO msg=serving addr=127\.0\.0\.1:\d+ store=sqlite: version=\S+\n$`},
	} {
		server := start(t, nil, append([]string{"--store", "sqlite:"}, strings.Fields(c.args)...)...)
		server.memory(t, "s").tell("e1", "Ann", "I work at Acme.", "2024-01-01T00:00:00Z")
		server.stop()
		server.log.await(t, c.first)
		if strings.Contains(server.log.String(), "Acme") {
			t.Errorf("the log tells what was said:\n%s", server.log)
		}
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	server := start(t, nil, "--store", "sqlite:")
	for _, c := range [][2]string{
		{"/healthz", `"ok"`}, {"/readyz", `"ready"`}, {"/v1/version", `"tenure"`}, {"/openapi.json", `"3.1`}, {"/docs", "<html"},
		{"/metrics", "tenure_http_requests_total"}, // counts those before it
	} {
		path, want := c[0], c[1]
		var body []byte
		if err := server.call(t.Context(), http.MethodGet, path, nil, &body); err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: want %s, got %v %.200s", path, want, err, body)
		}
	}
}
