package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
)

// Predicate is how facts of one predicate behave.
type Predicate struct {
	Name         string   `json:"name"`
	Cardinality  string   `json:"cardinality" enum:"one,many"`
	Symmetric    bool     `json:"symmetric"`
	Inverse      *string  `json:"inverse"`
	Opposite     *string  `json:"opposite"`
	SubjectKinds []string `json:"subject_kinds"`
	ObjectKinds  []string `json:"object_kinds"`
	Type         *string  `json:"type"`
	Importance   *float64 `json:"importance"`
	TTLDays      *int     `json:"ttl_days"`
	Nouns        []string `json:"nouns"`
	Sentence     *string  `json:"sentence" doc:"How a fact is said: {subject} is on the {object} plan."`
}

func predicate(p graph.Predicate) Predicate {
	out := Predicate{
		Name: p.Name, Cardinality: string(p.Cardinality), Symmetric: p.Symmetric, Inverse: optional(p.Inverse), Opposite: optional(p.Opposite),
		SubjectKinds: list(p.SubjectKinds, str[string]), ObjectKinds: list(p.ObjectKinds, str[string]), Type: optional(p.Type),
		Importance: p.Importance, Nouns: list(p.Nouns, str[string]), Sentence: optional(p.Sentence),
	}
	if p.TTLDays > 0 {
		out.TTLDays = &p.TTLDays
	}
	return out
}

// Declaration declares a predicate. It replaces the one before it whole.
type Declaration struct {
	Name         string   `json:"name,omitempty" doc:"That of the path, so that what was read can be put back."`
	Cardinality  string   `json:"cardinality" enum:"one,many"`
	Symmetric    bool     `json:"symmetric,omitempty"`
	Inverse      string   `json:"inverse,omitempty" pattern:"^[A-Za-z0-9_.:/-]{1,128}$" patternDescription:"1 to 128 of letters, digits and _ . : / -"`
	Opposite     string   `json:"opposite,omitempty" pattern:"^[A-Za-z0-9_.:/-]{1,128}$" patternDescription:"1 to 128 of letters, digits and _ . : / -"`
	SubjectKinds []string `json:"subject_kinds,omitempty" maxItems:"100" minLength:"1" maxLength:"128"`
	ObjectKinds  []string `json:"object_kinds,omitempty" maxItems:"100" minLength:"1" maxLength:"128"`
	Type         string   `json:"type,omitempty" maxLength:"128"`
	Importance   *float64 `json:"importance,omitempty" minimum:"0" maximum:"1"`
	TTLDays      Whole    `json:"ttl_days,omitempty" minimum:"1" maximum:"36500"`
	Nouns        []string `json:"nouns,omitempty" maxItems:"100" minLength:"1" maxLength:"128"`
	Sentence     string   `json:"sentence,omitempty" maxLength:"512"`
}

// PredicateList holds the predicates that are declared in a scope, the shipped ones too.
type PredicateList struct {
	Predicates []Predicate `json:"predicates"`
}

// Declared is a predicate with what its declaration did to the facts held.
type Declared struct {
	Predicate Predicate `json:"predicate"`
	Changes   []Change  `json:"changes"`
}

// PredicateNamed is the predicate of a route.
type PredicateNamed struct {
	Name string `path:"name" pattern:"^[A-Za-z0-9_.:/-]{1,128}$" patternDescription:"1 to 128 of letters, digits and _ . : / -"`
}

func (s *server) registerPredicates(api huma.API) {
	const path, tag = "/v1/scopes/{scope}/predicates", "predicates"
	handle(api, operation(http.MethodGet, path, "list-predicates", tag, "List predicates"), s.listPredicates)
	handle(api, operation(http.MethodGet, path+"/{name}", "get-predicate", tag, "Read a predicate"), s.getPredicate)
	handle(api, operation(http.MethodPut, path+"/{name}", "declare-predicate", tag, "Declare a predicate; facts held are folded anew"), s.declare)
}

type listPredicatesOutput struct{ Body PredicateList }

func (s *server) listPredicates(ctx context.Context, in *scopeInput) (*listPredicatesOutput, error) {
	all, err := s.read.Predicates(ctx, s.scope(in.Scope))
	if err != nil {
		return nil, err
	}
	return &listPredicatesOutput{PredicateList{list(all, predicate)}}, nil
}

type predicateInput struct {
	Scoped
	PredicateNamed
}

type predicateOutput struct{ Body Predicate }

func (s *server) getPredicate(ctx context.Context, in *predicateInput) (*predicateOutput, error) {
	p, err := s.read.Predicate(ctx, s.scope(in.Scope), in.Name)
	if err != nil {
		return nil, err
	}
	return &predicateOutput{predicate(p)}, nil
}

type declareInput struct {
	Scoped
	PredicateNamed
	Body Declaration
}

type declareOutput struct{ Body Declared }

func (s *server) declare(ctx context.Context, in *declareInput) (*declareOutput, error) {
	b := in.Body
	if b.Name != "" && b.Name != in.Name {
		return nil, graph.Invalid("name", "must be the name in the path")
	}
	p, changes, err := s.write.Declare(ctx, s.scope(in.Scope), graph.Predicate{
		Name: in.Name, Cardinality: graph.Cardinality(b.Cardinality), Symmetric: b.Symmetric, Inverse: b.Inverse, Opposite: b.Opposite,
		SubjectKinds: b.SubjectKinds, ObjectKinds: b.ObjectKinds, Type: b.Type, Importance: b.Importance, TTLDays: int(b.TTLDays),
		Nouns: b.Nouns, Sentence: b.Sentence,
	}, s.caller("", false))
	if err != nil {
		return nil, err
	}
	return &declareOutput{Declared{Predicate: predicate(p), Changes: list(changes, change)}}, nil
}
