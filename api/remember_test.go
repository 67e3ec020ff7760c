package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/api"
	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
)

// putSpy keeps the settings, which the read that follows would overwrite.
type putSpy struct {
	*services
	settings ingest.SettingsInput
}

func (p *putSpy) PutScope(_ context.Context, _ graph.Scope, in ingest.SettingsInput, _ ingest.Caller) (graph.Settings, error) {
	p.settings = in
	return graph.Settings{}, nil
}

// unread writes, but cannot be read.
type unread struct{ *services }

func (unread) Episode(context.Context, graph.Scope, graph.EpisodeID) (retrieval.EpisodeDetail, error) {
	return retrieval.EpisodeDetail{}, graph.ErrUnavailable
}

func handlerOver(s interface {
	api.Writer
	api.Reader
}) (http.Handler, error) {
	return api.NewWith(api.Config{}, s, s)
}

func TestEpisodesExpand(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	no := false
	for _, c := range []struct {
		name, body string
		want       []ingest.EpisodeInput
	}{
		{"one", `{"id":"a","kind":"document","conversation":"c","speaker":"Dana","role":"tool","text":"T","occurred_at":"2026","metadata":{"k":[1.0]},"extract":false}`, []ingest.EpisodeInput{
			{ID: "a", Kind: graph.Document, Conversation: "c", Speaker: "Dana", Role: graph.Tool, Text: "T", OccurredAt: "2026", Metadata: json.RawMessage(`{"k":[1.0]}`), Extract: &no}}},
		{"the least", `{"text":"T"}`, []ingest.EpisodeInput{{Kind: graph.Message, Text: "T"}}},
		{"nulls are absent", `{"text":"T","id":null,"kind":null,"metadata":null,"extract":null,"messages":null,"episodes":null,"wait":null}`, []ingest.EpisodeInput{{Kind: graph.Message, Text: "T"}}},
		{"several", `{"episodes":[{"text":"A"},{"id":"b","text":"B","kind":"event"}]}`, []ingest.EpisodeInput{{Kind: graph.Message, Text: "A"}, {ID: "b", Kind: graph.Event, Text: "B"}}},
		{"messages", `{"id":"m","conversation":"c","speaker":"Dana","occurred_at":"2026-01-01","messages":[{"text":"A"},{"speaker":"Bot","role":"assistant","text":"B","at":"2026-01-02"}]}`, []ingest.EpisodeInput{
			{ID: "m/1", Kind: graph.Message, Conversation: "c", Speaker: "Dana", Text: "A", OccurredAt: "2026-01-01"},
			{ID: "m/2", Kind: graph.Message, Conversation: "c", Speaker: "Bot", Role: graph.Assistant, Text: "B", OccurredAt: "2026-01-02"}}},
		{"messages without an id", `{"messages":[{"text":"A"}]}`, []ingest.EpisodeInput{{Kind: graph.Message, Text: "A"}}},
		{"messages among several", `{"episodes":[{"text":"A"},{"id":"x","messages":[{"text":"B"},{"text":"C"}]}]}`, []ingest.EpisodeInput{
			{Kind: graph.Message, Text: "A"}, {ID: "x/1", Kind: graph.Message, Text: "B"}, {ID: "x/2", Kind: graph.Message, Text: "C"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			*s = services{}
			if w := send(h, "POST", base+"/episodes", c.body, "Idempotency-Key", "k"); w.Code != 202 || w.Body.String() != "{\"episodes\":[]}\n" {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(any(c.want), s.got); diff != "" {
				t.Errorf("episodes (-want +got):\n%s", diff)
			}
			if s.who.Key != "k" {
				t.Errorf("caller = %+v", s.who)
			}
		})
	}
}

func TestFaultsOfEpisodesStandWhereTheyWereWritten(t *testing.T) {
	s := &services{}
	h, _ := handler(t, s)
	for _, c := range []struct{ body, field, place string }{
		{`{"text":"x"}`, "episodes[0].occurred_at", "occurred_at"},
		{`{"text":"x"}`, "occurred_at", "occurred_at"},
		{`{"messages":[{"text":"x","at":"soon"}]}`, "occurred_at", "messages[0].at"},
		{`{"episodes":[{"text":"x"}]}`, "occurred_at", "episodes[0].occurred_at"},
		{`{"episodes":[{"text":"x"},{"text":"y"}]}`, "episodes[1].occurred_at", "episodes[1].occurred_at"},
		{`{"messages":[{"text":"x"},{"text":"y","at":"soon"}]}`, "episodes[1].occurred_at", "messages[1].at"},
		{`{"messages":[{"text":"x"},{"text":"y"}],"occurred_at":"soon"}`, "episodes[1].occurred_at", "occurred_at"},
		{`{"messages":[{"text":"x"},{"text":"y"}],"speaker":"s"}`, "episodes[1].speaker", "speaker"},
		{`{"messages":[{"text":"x","speaker":"s"}]}`, "episodes[0].speaker", "messages[0].speaker"},
		{`{"episodes":[{"text":"x"},{"messages":[{"text":"y"},{"text":"z"}]}]}`, "episodes[2].text", "episodes[1].messages[1].text"},
		{`{"text":"x"}`, "Idempotency-Key", "Idempotency-Key"},
		{`{"text":"x"}`, "episodes[7].text", "episodes[7].text"},
	} {
		s.err = errors.Join(graph.Invalid(c.field, "no"), graph.Invalid("other", "no"))
		refused(t, send(h, "POST", base+"/episodes", c.body), c.place, "other")
	}
	s.err = graph.Conflict("the id was posted before with another body")
	if w := send(h, "POST", base+"/episodes", `{"text":"x"}`); w.Code != 409 || problem(t, w).Code != "conflict" {
		t.Errorf("a conflict = %d %s", w.Code, w.Body)
	}
}

func TestAnAcknowledgedWriteIsNoError(t *testing.T) {
	h, err := handlerOver(unread{&services{episodes: episodes()[:1]}})
	if err != nil {
		t.Fatal(err)
	}
	w := send(h, "POST", base+"/episodes", `{"text":"x","wait":"5s"}`)
	if w.Code != 202 || !strings.Contains(w.Body.String(), `"id":"june","status":"done","dropped"`) {
		t.Errorf("got %d %s, want 202 without the changes", w.Code, w.Body)
	}
}
