package api_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contract is every route of the contract that is served.
var contract = strings.Fields(`
	GET/v1/scopes PUT/v1/scopes/{scope} GET/v1/scopes/{scope} DELETE/v1/scopes/{scope} GET/v1/scopes/{scope}/export
	GET/v1/scopes/{scope}/predicates GET/v1/scopes/{scope}/predicates/{name} PUT/v1/scopes/{scope}/predicates/{name}
	POST/v1/scopes/{scope}/episodes GET/v1/scopes/{scope}/episodes GET/v1/scopes/{scope}/episodes/{id} DELETE/v1/scopes/{scope}/episodes/{id} POST/v1/scopes/{scope}/episodes/{id}/retry
	POST/v1/scopes/{scope}/facts GET/v1/scopes/{scope}/facts GET/v1/scopes/{scope}/facts/{id} PATCH/v1/scopes/{scope}/facts/{id} DELETE/v1/scopes/{scope}/facts/{id}
	POST/v1/scopes/{scope}/facts/{id}/retract POST/v1/scopes/{scope}/facts/{id}/forget
	POST/v1/scopes/{scope}/recall POST/v1/scopes/{scope}/ask GET/v1/scopes/{scope}/timeline GET/v1/scopes/{scope}/changes POST/v1/scopes/{scope}/changes/{id}/revert
	GET/v1/scopes/{scope}/follow GET/v1/scopes/{scope}/graph GET/v1/scopes/{scope}/profile GET/v1/scopes/{scope}/diff
	GET/v1/scopes/{scope}/entities GET/v1/scopes/{scope}/entities/{id} GET/healthz GET/readyz GET/v1/version`)

func TestDocument(t *testing.T) {
	h, _ := handler(t, &services{}, withKey("k"))
	w := send(h, "GET", "/openapi.json", "")
	var doc map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%v, %s", err, w.Header())
	}
	if !strings.HasPrefix(doc["openapi"].(string), "3.1.") {
		t.Errorf("openapi = %v", doc["openapi"])
	}
	var routes []string
	ids := map[string]bool{}
	for path, methods := range doc["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			routes = append(routes, strings.ToUpper(method)+path)
			checkOperation(t, method+path, path, op.(map[string]any), ids)
		}
	}
	for _, route := range contract {
		if !slices.Contains(routes, route) {
			t.Errorf("%s is not in the document", route)
		}
	}
	for _, route := range routes {
		if !slices.Contains(contract, route) {
			t.Errorf("%s is not in the contract", route)
		}
	}
	checkSchemas(t, doc, doc, "#")
	if strings.Contains(w.Body.String(), "$schema") || strings.Contains(w.Body.String(), `"422"`) {
		t.Error("the document promises what is not answered")
	}
}

func checkOperation(t *testing.T, name, path string, op map[string]any, ids map[string]bool) {
	t.Helper()
	id, _ := op["operationId"].(string)
	if id == "" || ids[id] || op["summary"] == "" || op["summary"] == nil {
		t.Errorf("%s: operationId %q or summary %v", name, id, op["summary"])
	}
	ids[id] = true
	var inPath []string
	params, _ := op["parameters"].([]any)
	for _, p := range params {
		if p := p.(map[string]any); p["in"] == "path" {
			inPath = append(inPath, "{"+p["name"].(string)+"}")
		}
	}
	want := regexp.MustCompile(`\{\w+\}`).FindAllString(path, -1)
	slices.Sort(inPath)
	slices.Sort(want)
	if !slices.Equal(inPath, want) {
		t.Errorf("%s: path parameters %v, want %v", name, inPath, want)
	}
	answers := op["responses"].(map[string]any)
	problem, _ := json.Marshal(answers["default"])
	if !strings.Contains(string(problem), `"application/problem+json"`) || !strings.Contains(string(problem), `"$ref":"#/components/schemas/Problem"`) {
		t.Errorf("%s: the default answer is %s, want a Problem", name, problem)
	}
	if len(answers) < 2 {
		t.Errorf("%s: no answer but a problem", name)
	}
}

// checkSchemas looks at every node of the document: references lead somewhere, types are types of JSON Schema, required
// fields are there.
func checkSchemas(t *testing.T, doc map[string]any, node any, at string) {
	t.Helper()
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			checkSchemas(t, doc, child, at)
		}
	case map[string]any:
		if ref, ok := node["$ref"].(string); ok && lookup(doc, ref) == nil {
			t.Errorf("%s: %s leads nowhere", at, ref)
		}
		types := []string{"string", "number", "integer", "boolean", "object", "array", "null", "http"}
		switch kind := node["type"].(type) {
		case string:
			if !slices.Contains(types, kind) {
				t.Errorf("%s: type %q", at, kind)
			}
		case []any:
			for _, one := range kind {
				if !slices.Contains(types, one.(string)) {
					t.Errorf("%s: type %q", at, kind)
				}
			}
		}
		properties, _ := node["properties"].(map[string]any)
		required, _ := node["required"].([]any)
		for _, name := range required {
			if properties[name.(string)] == nil {
				t.Errorf("%s: %s is required but not described", at, name)
			}
		}
		for name, child := range node {
			checkSchemas(t, doc, child, at+"/"+name)
		}
	}
}

func lookup(doc map[string]any, ref string) any {
	var node any = doc
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		children, _ := node.(map[string]any)
		node = children[step]
	}
	return node
}

// TestUnionsAreDescribed pins the shapes that huma does not make by itself.
func TestUnionsAreDescribed(t *testing.T) {
	h, _ := handler(t, &services{})
	var doc map[string]any
	if err := json.Unmarshal(send(h, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"NewClaim/properties/subject":    `{"oneOf":[{"minLength":1,"type":"string"},{"additionalProperties":false,"properties":{"id":{"maxLength":128,"type":"string"},"kind":{"maxLength":64,"type":"string"},"name":{"minLength":1,"type":"string"}},"type":"object"}]}`,
		"Correction/properties/valid_to": `{"description":"null is an open end.","maxLength":64,"minLength":1,"type":["string","null"]}`,
		"ClaimResult/properties/fact":    `{"anyOf":[{"$ref":"#/components/schemas/Fact"},{"type":"null"}]}`,
		"Recalled/properties/results":    `{"items":{"oneOf":[{"$ref":"#/components/schemas/RecalledFact"},{"$ref":"#/components/schemas/RecalledEpisode"}]},"type":"array"}`,
		"Fact/properties/valid_to":       `{"format":"date-time","type":["string","null"]}`,
		"Fact/properties/superseded_by":  `{"type":["string","null"]}`,
		"NewClaim/additionalProperties":  `false`,
	} {
		got, _ := json.Marshal(lookup(doc, "#/components/schemas/"+ref))
		if string(got) != want {
			t.Errorf("%s is %s,\nwant %s", ref, got, want)
		}
	}
}

func TestDocsPage(t *testing.T) {
	h, _ := handler(t, &services{})
	w := send(h, "GET", "/docs", "")
	text := w.Body.String()
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || strings.Contains(text, "<script") || strings.Contains(text, "//") && regexp.MustCompile(`(src|href)="https?:`).MatchString(text) {
		t.Errorf("the page loads something: %d %.300s", w.Code, text)
	}
	for _, want := range []string{"POST /v1/scopes/{scope}/recall", `id="shape-Fact"`, `href="#shape-Recalled"`, `id="not_found"`, `id="internal"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
