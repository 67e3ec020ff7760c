package facts

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure/graph"
)

func TestShippedRegistry(t *testing.T) {
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if ShippedVersion() != "1" {
		t.Errorf("version %q", ShippedVersion())
	}
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
	for _, p := range r.All() {
		if p.Sentence == "" || len(p.Nouns) == 0 || len(p.Patterns) == 0 {
			t.Errorf("%s has no sentence, no nouns or no patterns", p.Name)
		}
		if !slices.Contains([]string{"", Semantic, Episodic, Procedural, Preference}, p.Type) {
			t.Errorf("%s is of type %q", p.Name, p.Type)
		}
	}
	for _, name := range strings.Fields(`on_plan seat_count works_at role lives_in born_on email phone prefers dislikes married_to owns uses manages
		reports_to located_in part_of has_feature requires price status owner deadline allergic_to speaks name age decided committed_to asked_about noted`) {
		if !r.Declared(name) {
			t.Errorf("%s is not shipped", name)
		}
	}
}

func TestGet(t *testing.T) {
	r := Shipped()
	if got := r.Get("on_plan"); got.Cardinality != graph.One || !slices.Contains(got.Nouns, "tier") || got.Importance == nil || *got.Importance != 0.9 {
		t.Errorf("on_plan: %+v", got)
	}
	want := graph.Predicate{Name: "administers", Cardinality: graph.Many}
	if diff := cmp.Diff(want, r.Get("administers")); diff != "" || r.Declared("administers") {
		t.Errorf("undeclared (-want +got):\n%s", diff)
	}
}

func TestAllIsByName(t *testing.T) {
	all := Shipped().All()
	if !slices.IsSortedFunc(all, func(a, b graph.Predicate) int { return strings.Compare(a.Name, b.Name) }) || len(all) < 40 {
		t.Errorf("%d predicates", len(all))
	}
}

func TestARegistryDoesNotChange(t *testing.T) {
	r := Shipped()
	before := r.All()
	spoil := func(p graph.Predicate) {
		*p.Importance = 0
		p.Nouns[0], p.Patterns[0], p.SubjectKinds[0], p.ObjectKinds[0] = "x", "x", "x", "x"
	}
	spoil(r.Get("on_plan"))
	spoil(r.All()[slices.IndexFunc(before, func(p graph.Predicate) bool { return p.Name == "on_plan" })])
	r.ByNoun("plan")[0] = "x"
	declared := r.Get("works_at")
	s := r.With(declared)
	spoil(declared)
	if diff := cmp.Diff(before, r.All()); diff != "" {
		t.Errorf("shipped (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before, s.All()); diff != "" {
		t.Errorf("overlaid (-before +after):\n%s", diff)
	}
}

func TestWith(t *testing.T) {
	half := 0.5
	r := Shipped()
	t.Run("a declaration replaces the shipped one but for what it leaves empty of words and kinds", func(t *testing.T) {
		got := r.With(graph.Predicate{Name: "works_at", Cardinality: graph.Many, Nouns: []string{"firm"}, TTLDays: 3}).Get("works_at")
		shipped := r.Get("works_at")
		want := graph.Predicate{Name: "works_at", Cardinality: graph.Many, TTLDays: 3, Nouns: []string{"firm"},
			Sentence: shipped.Sentence, Patterns: shipped.Patterns, SubjectKinds: shipped.SubjectKinds, ObjectKinds: shipped.ObjectKinds}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("the later of two wins, and keeps nothing of the earlier", func(t *testing.T) {
		got := r.With(graph.Predicate{Name: "mood", Cardinality: graph.One, Nouns: []string{"temper"}, Sentence: "{subject} feels {object}."},
			graph.Predicate{Name: "mood", Cardinality: graph.Many, Importance: &half})
		want := graph.Predicate{Name: "mood", Cardinality: graph.Many, Importance: &half}
		if diff := cmp.Diff(want, got.Get("mood")); diff != "" || len(got.ByNoun("temper")) != 0 {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("putting the shipped declaration back gives the shipped predicate", func(t *testing.T) {
		other := graph.Predicate{Name: "prefers", Cardinality: graph.One, Nouns: []string{"taste"}, Sentence: "{object}!"}
		got := r.With(other).With(r.Get("prefers"))
		if diff := cmp.Diff(r.All(), got.All()); diff != "" {
			t.Errorf("(-shipped +got):\n%s", diff)
		}
		bare := r.Get("prefers") // as it comes back over the wire: without patterns
		bare.Patterns = nil
		if diff := cmp.Diff(r.All(), r.With(other, bare).All()); diff != "" {
			t.Errorf("(-shipped +got):\n%s", diff)
		}
	})
	t.Run("the registry it is called on stays", func(t *testing.T) {
		r.With(graph.Predicate{Name: "works_at", Cardinality: graph.Many})
		if r.Get("works_at").Cardinality != graph.One {
			t.Error("works_at changed")
		}
	})
	if got := r.With(graph.Predicate{Name: "mood"}).Get("mood").Cardinality; got != graph.Many {
		t.Errorf("no cardinality said: %q, want many", got)
	}
}

func TestCanonicalAndLane(t *testing.T) {
	r := Shipped().With(graph.Predicate{Name: "boss_of", Cardinality: graph.One, Inverse: "has_boss"})
	for _, c := range []struct {
		s, p, o string
		triple  [3]string
		lane    graph.Lane
	}{
		{"ann", "works_at", "acme", [3]string{"ann", "works_at", "acme"}, graph.Lane{Subject: "ann", Predicate: "works_at"}},
		{"acme", "employs", "ann", [3]string{"ann", "works_at", "acme"}, graph.Lane{Subject: "ann", Predicate: "works_at"}},
		{"ann", "has_boss", "bob", [3]string{"bob", "boss_of", "ann"}, graph.Lane{Subject: "bob", Predicate: "boss_of"}},
		{"ann", "uses", "go", [3]string{"ann", "uses", "go"}, graph.Lane{Subject: "ann", Predicate: "uses", Object: "go"}},
		{"ann", "married_to", "bob", [3]string{"ann", "married_to", "bob"}, graph.Lane{Subject: "ann", Predicate: "married_to", Object: "bob"}},
		{"bob", "married_to", "ann", [3]string{"bob", "married_to", "ann"}, graph.Lane{Subject: "ann", Predicate: "married_to", Object: "bob"}},
		{"bench", "tested_with", "a", [3]string{"bench", "tested_with", "a"}, graph.Lane{Subject: "bench", Predicate: "tested_with", Object: "a"}},
		{"ann", "works_at", "", [3]string{"ann", "works_at", ""}, graph.Lane{Subject: "ann", Predicate: "works_at"}},
		{"acme", "employs", "", [3]string{"acme", "employs", ""}, graph.Lane{Subject: "acme", Predicate: "employs"}},
	} {
		s, p, o := r.Canonical(graph.EntityID(c.s), c.p, graph.EntityID(c.o))
		if got := [3]string{string(s), p, string(o)}; got != c.triple {
			t.Errorf("%s %s %s: got %v, want %v", c.s, c.p, c.o, got, c.triple)
		}
		told := r.Lane(graph.EntityID(c.s), c.p, graph.EntityID(c.o))
		if canonical := r.Lane(s, p, o); told != c.lane || canonical != c.lane {
			t.Errorf("%s %s %s: got lanes %v and %v, want %v", c.s, c.p, c.o, told, canonical, c.lane)
		}
	}
}

func TestADeclaredNameIsNoInverse(t *testing.T) {
	r := Shipped().With(graph.Predicate{Name: "employs", Cardinality: graph.Many})
	if s, p, o := r.Canonical("acme", "employs", "ann"); s != "acme" || p != "employs" || o != "ann" {
		t.Errorf("got %s %s %s", s, p, o)
	}
}

func TestOpposite(t *testing.T) {
	r := Shipped().With(graph.Predicate{Name: "trusts", Cardinality: graph.Many, Opposite: "distrusts"})
	for predicate, want := range map[string]string{"prefers": "dislikes", "dislikes": "prefers", "trusts": "distrusts", "distrusts": "trusts", "uses": "", "": ""} {
		if got := r.Opposite(predicate); got != want {
			t.Errorf("%s: got %q, want %q", predicate, got, want)
		}
	}
	one := Shipped().With(graph.Predicate{Name: "prefers", Cardinality: graph.Many}) // dislikes still says so
	if one.Opposite("prefers") != "dislikes" || one.Opposite("dislikes") != "prefers" {
		t.Error("declared on one side it must hold for both")
	}
}

func TestByNoun(t *testing.T) {
	r := Shipped().With(graph.Predicate{Name: "favourite_color", Cardinality: graph.One}, graph.Predicate{Name: "usesTool"}, graph.Predicate{Name: "mood", Nouns: []string{"tempers"}})
	for noun, want := range map[string][]string{
		"plan": {"on_plan"}, "Plans": {"on_plan"}, "tier": {"on_plan"}, "subscriptions": {"on_plan"}, "seat": {"seat_count"}, "seats": {"seat_count"},
		"job": {"role", "works_at"}, "employer": {"works_at"}, "companies": {"works_at"}, "cities": {"lives_in"}, "status": {"status"}, "statuses": {"status"},
		"addresses": {"address"}, "email  addresses": {"email"}, "wives": {"married_to"}, "children": {"parent_of"}, "hobbies": {"interested_in"},
		"favourite colors": {"favourite_color"}, "on plan": {"on_plan"}, "uses tool": {"usesTool"}, "temper": {"mood"}, "prices": {"price"}, "": nil, "nonsense": nil,
	} {
		if diff := cmp.Diff(want, r.ByNoun(noun)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", noun, diff)
		}
	}
}

func TestSentence(t *testing.T) {
	r := Shipped()
	for _, c := range []struct{ predicate, subject, object, want string }{
		{"on_plan", "Globex", "Pro", "Globex is on the Pro plan."},
		{"seat_count", "Globex", "120", "Globex has 120 seats."},
		{"role", "Dana", "IT admin at Globex", "Dana's role is IT admin at Globex."},
		{"prefers", "Dana", "numbered steps", "Dana prefers numbered steps."},
		{"works_at", "Ann", "Acme Inc.", "Ann works at Acme Inc."},
		{"noted", "Ann", "Is it on?", "Ann noted: Is it on?"},
		{"noted", "Ann", `He said "stop."`, `Ann noted: He said "stop."`},
		{"has_rule", "Pro", "SSO is included", "Rule of Pro: SSO is included."},
		{"tested_with", "bench", "A", "bench tested with A."},
		{"worksAt", "Ann", "Acme", "Ann works at Acme."},
		{"P54", "Ann", "Q1", "Ann P54 Q1."},
		{"works_at", "{object}", "{subject}", "{object} works at {subject}."},
	} {
		if got := r.Sentence(r.Get(c.predicate), c.subject, c.object); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if got := r.Sentence(graph.Predicate{Name: "p", Sentence: "{subject} likes {object}"}, "Ann", "tea"); got != "Ann likes tea." {
		t.Errorf("a sentence without a full stop: %q", got)
	}
}

func TestIsValue(t *testing.T) {
	for predicate, want := range map[string]bool{"seat_count": true, "noted": true, "prefers": true, "on_plan": false, "owns": false, "undeclared": false} {
		if got := Shipped().IsValue(predicate); got != want {
			t.Errorf("%s: got %v", predicate, got)
		}
	}
}

func TestValidate(t *testing.T) {
	number := func(f float64) *float64 { return &f }
	many := func(change func(*graph.Predicate)) graph.Predicate {
		p := graph.Predicate{Name: "p", Cardinality: graph.Many}
		change(&p)
		return p
	}
	for _, c := range []struct {
		name   string
		p      graph.Predicate
		fields []string
	}{
		{"as it may be", graph.Predicate{Name: "A-z0.9_:/", Cardinality: graph.One, Inverse: "q", Opposite: "r", Importance: number(1), TTLDays: 1, Type: "semantic",
			Nouns: []string{"n"}, Sentence: "{object}", SubjectKinds: []string{"person"}}, nil},
		{"no name", many(func(p *graph.Predicate) { p.Name = "" }), []string{"name"}},
		{"a space", many(func(p *graph.Predicate) { p.Name = "has space" }), []string{"name"}},
		{"a line end", many(func(p *graph.Predicate) { p.Name = "p\n" }), []string{"name"}},
		{"too long a name", many(func(p *graph.Predicate) { p.Name = strings.Repeat("p", 129) }), []string{"name"}},
		{"not ASCII", many(func(p *graph.Predicate) { p.Name = "größe" }), []string{"name"}},
		{"no cardinality", graph.Predicate{Name: "p"}, []string{"cardinality"}},
		{"few", graph.Predicate{Name: "p", Cardinality: "few"}, []string{"cardinality"}},
		{"symmetric, one", graph.Predicate{Name: "p", Cardinality: graph.One, Symmetric: true}, []string{"symmetric"}},
		{"symmetric with an inverse", many(func(p *graph.Predicate) { p.Symmetric, p.Inverse = true, "q" }), []string{"inverse"}},
		{"its own inverse", many(func(p *graph.Predicate) { p.Inverse = "p" }), []string{"inverse"}},
		{"its own opposite", many(func(p *graph.Predicate) { p.Opposite = "p" }), []string{"opposite"}},
		{"names that are none", many(func(p *graph.Predicate) { p.Inverse, p.Opposite = "a b", "c;d" }), []string{"inverse", "opposite"}},
		{"inverse and opposite", many(func(p *graph.Predicate) { p.Inverse, p.Opposite = "q", "q" }), []string{"opposite"}},
		{"importance", many(func(p *graph.Predicate) { p.Importance = number(1.1) }), []string{"importance"}},
		{"importance below", many(func(p *graph.Predicate) { p.Importance = number(-0.1) }), []string{"importance"}},
		{"importance that is none", many(func(p *graph.Predicate) { p.Importance = number(math.NaN()) }), []string{"importance"}},
		{"ttl", many(func(p *graph.Predicate) { p.TTLDays = -1 }), []string{"ttl_days"}},
		{"ttl above", many(func(p *graph.Predicate) { p.TTLDays = 36_501 }), []string{"ttl_days"}},
		{"type", many(func(p *graph.Predicate) { p.Type = strings.Repeat("t", 65) }), []string{"type"}},
		{"sentence", many(func(p *graph.Predicate) { p.Sentence = "{subject} exists." }), []string{"sentence"}},
		{"nouns", many(func(p *graph.Predicate) { p.Nouns = []string{"a", " ", "a"} }), []string{"nouns[1]", "nouns[2]"}},
		{"too many nouns", many(func(p *graph.Predicate) { p.Nouns = make([]string, 33) }), []string{"nouns"}},
		{"kinds", many(func(p *graph.Predicate) {
			p.SubjectKinds, p.ObjectKinds = []string{""}, []string{strings.Repeat("k", 65)}
		}), []string{"subject_kinds[0]", "object_kinds[0]"}},
	} {
		got := fields(Validate(c.p))
		if diff := cmp.Diff(c.fields, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// fields returns the fields of the FieldErrors that err joins.
func fields(err error) []string {
	var out []string
	var one *graph.FieldError
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			out = append(out, fields(e)...)
		}
	} else if errors.As(err, &one) {
		out = append(out, one.Field)
	}
	return out
}

func TestValidateWhole(t *testing.T) {
	for _, c := range []struct {
		name     string
		declared []graph.Predicate
		fields   []string
	}{
		{"shipped", nil, nil},
		{"a new one", []graph.Predicate{{Name: "p", Inverse: "q"}}, nil},
		{"an inverse that is declared", []graph.Predicate{{Name: "p", Inverse: "uses"}}, []string{"inverse"}},
		{"a declared inverse", []graph.Predicate{{Name: "employs"}}, []string{"inverse"}},
		{"a cycle", []graph.Predicate{{Name: "p", Inverse: "q"}, {Name: "q", Inverse: "p"}}, []string{"inverse", "inverse"}},
		{"an inverse of two", []graph.Predicate{{Name: "p", Inverse: "employs"}}, []string{"inverse"}},
		{"an opposite of two", []graph.Predicate{{Name: "loathes", Opposite: "prefers"}}, []string{"opposite"}},
		{"opposites that agree", []graph.Predicate{{Name: "p", Opposite: "q"}, {Name: "q", Opposite: "p"}}, nil},
		{"opposites that do not", []graph.Predicate{{Name: "p", Opposite: "q"}, {Name: "q", Opposite: "r"}}, []string{"opposite"}},
		{"the opposite of an inverse", []graph.Predicate{{Name: "p", Opposite: "employs"}}, []string{"opposite"}},
	} {
		for i := range c.declared {
			c.declared[i].Cardinality = graph.Many
		}
		if diff := cmp.Diff(c.fields, fields(Shipped().With(c.declared...).Validate())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	for file, want := range map[string]string{
		"predicates: []": "no version",
		"version: \"1\"\npredicates: [{name: p, cardinality: one}, {name: p, cardinality: one}]":                             "twice",
		"version: \"1\"\npredicates: [{name: p}]":                                                                            "cardinality",
		"version: \"1\"\npredicates: [{name: p, cardinality: one, colour: red}]":                                             "colour",
		"version: \"1\"\npredicates: [{name: p, cardinality: many, inverse: q}, {name: q, cardinality: one}]":                "inverse",
		"version: \"1\"\npredicates: [{name: p, cardinality: many, opposite: q}, {name: q, cardinality: many, opposite: r}]": "opposite",
		"version: [": "predicates.yaml",
	} {
		if _, err := load([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want one with %q", file, err, want)
		}
	}
}
