package api

import (
	"bytes"
	"encoding/json"
	"html/template"
	"slices"
	"strings"
)

// docsPage makes the page at /docs from the OpenAPI document. It is plain HTML made once: a viewer would load scripts from
// somewhere else, into a page that can reach somebody's memory.
func docsPage(document []byte) ([]byte, error) {
	var doc struct {
		Info  struct{ Description, Version string }
		Paths map[string]map[string]docsOperation
		// Components holds the shapes that operations refer to.
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, err
	}
	var operations []docsOperation
	for path, methods := range doc.Paths {
		for method, op := range methods {
			op.Method, op.Path = strings.ToUpper(method), path
			operations = append(operations, op)
		}
	}
	slices.SortFunc(operations, func(a, b docsOperation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	schemas := make(map[string]string, len(doc.Components.Schemas))
	for name, raw := range doc.Components.Schemas {
		schemas[name] = indent(raw)
	}
	var problems []Problem
	for _, kind := range append(slices.Clone(problemKinds), internal) {
		if !slices.ContainsFunc(problems, func(p Problem) bool { return p.Code == kind.code }) {
			problems = append(problems, Problem{Status: kind.status, Code: kind.code, Title: kind.title})
		}
	}
	var page bytes.Buffer
	err := docsTemplate.Execute(&page, map[string]any{
		"Info": doc.Info, "Operations": operations, "Schemas": schemas, "Problems": problems,
	})
	return page.Bytes(), err
}

// docsOperation is one operation of the document.
type docsOperation struct {
	Method, Path string `json:"-"`
	Summary      string
	Parameters   []struct{ Name, In, Description string }
	RequestBody  *struct {
		Content map[string]struct{ Schema json.RawMessage }
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema json.RawMessage }
	}
}

func indent(raw json.RawMessage) string {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return string(raw)
	}
	return out.String()
}

// reference is the name of the shape that a schema refers to.
func reference(raw json.RawMessage) string {
	var schema struct {
		Ref string `json:"$ref"`
	}
	if err := json.Unmarshal(raw, &schema); err != nil {
		return ""
	}
	return schema.Ref[strings.LastIndexByte(schema.Ref, '/')+1:]
}

var docsTemplate = template.Must(template.New("docs").Funcs(template.FuncMap{"reference": reference}).Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tenure API</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { background: #f5f5f5; padding: .75rem; overflow-x: auto }
summary { cursor: pointer }
details { margin: .4rem 0 }
td, th { text-align: left; padding: .1rem 1rem .1rem 0; vertical-align: top }
</style>
<h1>Tenure API {{.Info.Version}}</h1>
<p>{{.Info.Description}}</p>
<p>The same for programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p>
<h2>Routes</h2>
{{range .Operations}}<details><summary><code>{{.Method}} {{.Path}}</code> {{.Summary}}</summary>
{{with .Parameters}}<table><tr><th>parameter<th>in<th>{{range .}}<tr><td><code>{{.Name}}</code><td>{{.In}}<td>{{.Description}}{{end}}</table>{{end}}
{{with .RequestBody}}{{range .Content}}{{with reference .Schema}}<p>Body: <a href="#shape-{{.}}">{{.}}</a></p>{{end}}{{end}}{{end}}
<table>{{range $status, $answer := .Responses}}<tr><td>{{$status}}<td>{{$answer.Description}}<td>{{range $answer.Content}}{{with reference .Schema}}<a href="#shape-{{.}}">{{.}}</a>{{end}}{{end}}{{end}}</table>
</details>
{{end}}
<h2>Shapes</h2>
{{range $name, $schema := .Schemas}}<details id="shape-{{$name}}" open><summary><code>{{$name}}</code></summary><pre>{{$schema}}</pre></details>
{{end}}
<h2>Problems</h2>
<p>Every answer of 400 or more is a Problem. Its errors name the faulty fields; no answer repeats a value.</p>
<table>{{range .Problems}}<tr id="{{.Code}}"><td>{{.Status}}<td><code>{{.Code}}</code><td>{{.Title}}{{end}}</table>
`))
