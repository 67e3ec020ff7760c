package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// call sends a request and decodes its answer.
func call(s *server, method, path string, body, answer any) error {
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		in = bytes.NewReader(data)
	}
	req, err := http.NewRequest(method, s.url+path, in)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, data)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(data, answer)
}

// claim makes the i-th structured claim: five predicates, twenty facts a subject, words from a small vocabulary.
func claim(i int) map[string]any {
	predicates := []string{"uses", "noted", "manages", "knows_about", "visited"}
	words := []string{"amber", "harbour", "ledger", "meadow", "copper", "lantern", "orchard", "velvet", "granite", "willow"}
	object := words[i%10] + " " + words[i/10%10] + " " + strconv.Itoa(i/20)
	subject := "Person " + strconv.Itoa(i/20)
	return map[string]any{
		"subject": subject, "predicate": predicates[i%5], "object": object,
		"text":       subject + " speaks of the " + object + ".",
		"valid_from": fmt.Sprintf("2025-%02d-%02d", i%12+1, i%28+1),
	}
}

// post writes claims from..to in batches and returns how long that took.
func post(s *server, scope string, from, to, batch int, make func(int) map[string]any) (time.Duration, error) {
	begin := time.Now()
	for i := from; i < to; i += batch {
		var facts []map[string]any
		for j := i; j < min(i+batch, to); j++ {
			facts = append(facts, make(j))
		}
		if err := call(s, "POST", "/v1/scopes/"+scope+"/facts", map[string]any{"facts": facts}, nil); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}

// measureWrites says how many structured facts a second are stored, by the size of the request.
func measureWrites(ctx context.Context, path string) error {
	s, err := start(ctx, path)
	if err != nil {
		return err
	}
	defer s.close()
	for _, c := range []struct{ batch, n int }{{1, 500}, {100, 5000}, {1000, 20000}} {
		took, err := post(s, "batch-"+strconv.Itoa(c.batch), 0, c.n, c.batch, claim)
		if err != nil {
			return err
		}
		fmt.Printf("write  batches of %-5d %8.0f facts/s\n", c.batch, float64(c.n)/took.Seconds())
	}
	return nil
}

// measureLane says what a long lane costs: one slot told a new value every hour.
func measureLane(ctx context.Context, path string, n int) error {
	s, err := start(ctx, path)
	if err != nil {
		return err
	}
	defer s.close()
	first := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	in := func(i int) map[string]any {
		return map[string]any{"subject": "Globex", "predicate": "on_plan", "object": "Plan " + strconv.Itoa(i%97), "valid_from": first.Add(time.Duration(i) * time.Hour).Format(time.RFC3339)}
	}
	took, err := post(s, "lane", 0, n, 1000, in)
	if err != nil {
		return err
	}
	fmt.Printf("lane   %d claims in one slot, batches of 1000: %.1f s\n", n, took.Seconds())
	one, err := timed(20, func(i int) error { _, err := post(s, "lane", n+i, n+i+1, 1, in); return err })
	if err != nil {
		return err
	}
	fmt.Printf("lane   one more claim into it: %s\n", one)
	return nil
}

// measureReads says what reads cost at a number of facts in one scope, and how much room they take.
func measureReads(ctx context.Context, path string, n int) error {
	s, err := start(ctx, path)
	if err != nil {
		return err
	}
	if _, err := post(s, "reads", 0, n, 1000, claim); err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	file, err := os.Stat(path)
	if err != nil {
		return err
	}
	if s, err = start(ctx, path); err != nil {
		return err
	}
	defer s.close()
	fmt.Printf("reads  %d facts: start to ready %.0f ms, %d bytes a fact in the file\n", n, ms(s.ready), file.Size()/int64(n))
	random := rand.New(rand.NewPCG(1, 2))
	recall := func(int) error {
		i := random.IntN(n)
		query := fmt.Sprintf("what did %s say of the %s?", claim(i)["subject"], claim(i)["object"])
		return call(s, "POST", "/v1/scopes/reads/recall", map[string]any{"query": query}, nil)
	}
	first, err := timed(1, recall)
	if err != nil {
		return err
	}
	warm, err := timed(200, recall)
	if err != nil {
		return err
	}
	slot, err := timed(200, func(int) error {
		return call(s, "GET", "/v1/scopes/reads/facts?subject=Person%20"+strconv.Itoa(random.IntN(max(1, n/20)))+"&predicate=noted", nil, nil)
	})
	if err != nil {
		return err
	}
	page, err := timed(50, func(int) error { return call(s, "GET", "/v1/scopes/reads/facts?limit=50", nil, nil) })
	if err != nil {
		return err
	}
	fmt.Printf("       recall: first %.0f ms, then %s; GET facts of a subject: %s; a page of 50: %s\n", ms(first.took[0]), warm, slot, page)
	fmt.Printf("       memory: %s\n", memory())
	return nil
}

// times are measured durations.
type times struct{ took []time.Duration }

func timed(n int, f func(int) error) (times, error) {
	var t times
	for i := range n {
		begin := time.Now()
		if err := f(i); err != nil {
			return t, err
		}
		t.took = append(t.took, time.Since(begin))
	}
	slices.Sort(t.took)
	return t, nil
}

func (t times) String() string {
	return fmt.Sprintf("p50 %.1f ms, p95 %.1f ms", ms(t.took[len(t.took)/2]), ms(t.took[len(t.took)*95/100]))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// memory is what the process holds: the heap after a collection, and the resident set where the system tells.
func memory() string {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	out := fmt.Sprintf("heap %d MB", m.HeapAlloc>>20)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return out
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			out += ", resident " + strings.TrimSpace(rest)
		}
	}
	return out
}
