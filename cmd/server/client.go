package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// client calls a server's API, as any program could.
type client struct {
	base string // as http://127.0.0.1:8080
	key  string // the API key, if the server has one
	http *http.Client
}

// call sends in, if that is not nil, and decodes the answer into out, or copies it if that is a *[]byte.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return &problem{request: method + " " + path, status: answer.StatusCode, body: string(data)}
	}
	if raw, ok := out.(*[]byte); ok {
		*raw = data
		return nil
	}
	return json.Unmarshal(data, out)
}

// get reads a route of a scope.
func (c *client) get(ctx context.Context, scope, route string, query url.Values, out any) error {
	return c.call(ctx, http.MethodGet, "/v1/scopes/"+url.PathEscape(scope)+"/"+route+"?"+query.Encode(), nil, out)
}

// post sends to a route of a scope.
func (c *client) post(ctx context.Context, scope, route string, in, out any) error {
	return c.call(ctx, http.MethodPost, "/v1/scopes/"+url.PathEscape(scope)+"/"+route, in, out)
}

// put sets what a scope says of itself.
func (c *client) put(ctx context.Context, scope string, in any) error {
	var out any
	return c.call(ctx, http.MethodPut, "/v1/scopes/"+url.PathEscape(scope), in, &out)
}

// problem is an answer of 400 or more.
type problem struct {
	request string
	status  int
	body    string
}

func (p *problem) Error() string { return fmt.Sprintf("%s: %d: %s", p.request, p.status, p.body) }

// The shapes of answers, as far as they are read here and in the tests.
type (
	node struct {
		Name string `json:"name"`
	}
	fact struct {
		ID        string     `json:"id"`
		Scope     string     `json:"scope"`
		Subject   node       `json:"subject"`
		Predicate string     `json:"predicate"`
		Object    node       `json:"object"`
		Text      string     `json:"text"`
		Trust     string     `json:"trust"`
		Support   int        `json:"support"`
		ValidFrom *time.Time `json:"valid_from"`
		ValidTo   *time.Time `json:"valid_to"`
		Precision struct {
			ValidFrom string `json:"valid_from"`
		} `json:"precision"`
		TxFrom   *time.Time `json:"tx_from"`
		State    string     `json:"state"`
		Episodes []string   `json:"episodes"`
		Quotes   []string   `json:"quotes"`
	}
	hop struct {
		From node `json:"from"`
		To   node `json:"to"`
	}
	found struct {
		fact
		Score   float64            `json:"score"`
		Signals map[string]float64 `json:"signals"`
		Path    []hop              `json:"path"`
	}
	change struct {
		Tx      string  `json:"tx"`
		Begun   []fact  `json:"begun"`
		Ended   []fact  `json:"ended"`
		Episode *string `json:"episode"`
	}
	asOf struct {
		ValidAt *time.Time `json:"valid_at"`
		TxAt    string     `json:"tx_at"`
	}
	episode struct {
		ID      string   `json:"id"`
		Status  string   `json:"status"`
		Text    string   `json:"text"`
		Changes []change `json:"changes"`
		Usage   struct {
			LLMCalls int `json:"llm_calls"`
		} `json:"usage"`
	}
	asked struct {
		Relation string  `json:"relation"`
		Answer   *string `json:"answer"`
		Facts    []fact  `json:"facts"`
	}
	recalled struct {
		Results    []found `json:"results"`
		Context    string  `json:"context"`
		Abstained  bool    `json:"abstained"`
		Suppressed struct {
			OutsideWindow int `json:"outside_window"`
		} `json:"suppressed"`
		AsOf asOf `json:"as_of"`
	}
	timeline struct {
		Slots []struct {
			Facts []fact `json:"facts"`
		} `json:"slots"`
	}
)
