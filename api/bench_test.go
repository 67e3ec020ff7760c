package api_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"tenure/api"
)

// BenchmarkPostFacts is what the form of 1000 claims costs before a service sees them, and of their answers after.
func BenchmarkPostFacts(b *testing.B) {
	s := filled()
	h, err := api.NewWith(api.Config{Log: slog.New(slog.NewTextHandler(io.Discard, nil))}, s, s)
	if err != nil {
		b.Fatal(err)
	}
	claim := `{"subject":"Globex","predicate":"on_plan","object":{"name":"Pro","kind":"plan"},"text":"Globex is on the Pro plan.","valid_from":"2026-06-15","importance":0.9,"episodes":["june"],"quote":"We moved to Pro"}`
	body := `{"facts":[` + strings.Repeat(claim+",", 999) + claim + `]}`
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if w := send(h, "POST", base+"/facts", body); w.Code != 200 {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}

// BenchmarkNew is what the start of a program waits for.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := api.NewWith(api.Config{}, filled(), filled()); err != nil {
			b.Fatal(err)
		}
	}
}
