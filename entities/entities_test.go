package entities_test

import (
	"testing"

	"pgregory.net/rapid"

	"tenure/entities"
	"tenure/graph"
)

func TestKey(t *testing.T) {
	same := [][2]string{
		{"Globex", "globex"}, {" Globex  Inc. ", "globex inc."}, {"Ångström", "A\u030angstro\u0308m"}, {"STRASSE", "straße"}, {"ﬁle", "FILE"},
	}
	for _, pair := range same {
		if entities.Key(pair[0]) != entities.Key(pair[1]) {
			t.Errorf("%q and %q have the keys %q and %q, want one", pair[0], pair[1], entities.Key(pair[0]), entities.Key(pair[1]))
		}
	}
	different := [][2]string{{"Apple Inc.", "apple (fruit)"}, {"OpenAI", "OpenAI Inc."}, {"é", "e"}, {"C++", "C"}}
	for _, pair := range different {
		if entities.Key(pair[0]) == entities.Key(pair[1]) {
			t.Errorf("%q and %q have one key, want two", pair[0], pair[1])
		}
	}
}

func TestValueKey(t *testing.T) {
	same := [][]string{
		{"$1M", "$1,000,000", "1000000 USD", "US$1 million", "1 million dollars"},
		{"120", "120.0", "0120"}, {"1,500", "1500"}, {"50%", "50 percent"}, {"3 seats", "3 Seats"}, {"€2k", "2000 eur"},
	}
	for _, group := range same {
		for _, text := range group[1:] {
			if entities.ValueKey(text) != entities.ValueKey(group[0]) {
				t.Errorf("%q has the key %q, want that of %q, %q", text, entities.ValueKey(text), group[0], entities.ValueKey(group[0]))
			}
		}
	}
	different := [][2]string{{"120", "120 seats"}, {"$5", "€5"}, {"5 m", "5000000"}, {"1.5", "15"}, {"1,50", "150"}, {"-5", "5"}, {"2026-06", "2026"}, {"v1", "1"}}
	for _, pair := range different {
		if entities.ValueKey(pair[0]) == entities.ValueKey(pair[1]) {
			t.Errorf("%q and %q have one key, want two", pair[0], pair[1])
		}
	}
}

func TestMoney(t *testing.T) {
	for text, want := range map[string]bool{"$1M": true, "€ 5": true, "20 dollars": true, "120": false, "5 m": false, "Euro": false, "Q42": false, "": false} {
		if got := entities.Money(text); got != want {
			t.Errorf("Money(%q) is %v, want %v", text, got, want)
		}
	}
}

func TestKeysOfNamesAndLiteralsDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "name"), rapid.String().Draw(t, "literal")
		if entities.Key(entities.Key(a)) != entities.Key(a) {
			t.Fatalf("the key of a key differs from it")
		}
		if a == b && entities.Key(a) == entities.ValueKey(b) {
			t.Fatalf("a name and a literal have one key")
		}
	})
}

func TestResolve(t *testing.T) {
	entity := func(id, name, kind string, aliases ...string) graph.Entity {
		e := graph.Entity{ID: graph.EntityID(id), Name: name, Kind: kind, Aliases: aliases, Keys: []string{entities.KeyOf(name, kind)}}
		for _, a := range aliases {
			e.Keys = append(e.Keys, entities.Key(a))
		}
		return e
	}
	company, fruit := entity("1", "Apple", "company"), entity("2", "Apple", "fruit")
	unknown := entity("3", "Globex", "")
	aliased := entity("4", "Globex Corporation", "company", "Globex")
	number := entity("5", "120", graph.KindValue)
	for _, c := range []struct {
		name       string
		mention    graph.Named
		candidates []graph.Entity
		want       graph.EntityID
	}{
		{"by name, any case", graph.Named{Name: "GLOBEX"}, []graph.Entity{unknown}, "3"},
		{"the kind decides between namesakes", graph.Named{Name: "apple", Kind: "fruit"}, []graph.Entity{company, fruit}, "2"},
		{"a name before an alias", graph.Named{Name: "globex"}, []graph.Entity{aliased, unknown}, "3"},
		{"an alias is enough", graph.Named{Name: "globex"}, []graph.Entity{aliased}, "4"},
		{"another kind is another thing", graph.Named{Name: "apple", Kind: "person"}, []graph.Entity{company, fruit}, ""},
		{"a literal is no thing of that name", graph.Named{Name: "120"}, []graph.Entity{number}, ""},
		{"a literal is the literal of that amount", graph.Named{Name: "120.0", Kind: graph.KindValue}, []graph.Entity{number}, "5"},
		{"a similar name never matches", graph.Named{Name: "Globe"}, []graph.Entity{unknown, aliased}, ""},
		{"without a kind the smaller id, in any order", graph.Named{Name: "apple"}, []graph.Entity{fruit, company}, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := entities.Resolve(c.mention, c.candidates)
			if got.ID != c.want || ok != (c.want != "") {
				t.Errorf("got %q, want %q", got.ID, c.want)
			}
		})
	}
}

func TestNewIsTheSameForTheSameMention(t *testing.T) {
	scope, other := graph.Scope{Tenant: "t", Name: "a"}, graph.Scope{Tenant: "t", Name: "b"}
	a, b := entities.New(scope, graph.Named{Name: " Globex "}), entities.New(scope, graph.Named{Name: "globex"})
	if a.ID != b.ID || a.Name != "Globex" {
		t.Errorf("got %+v and %+v, want one id and a trimmed name", a, b)
	}
	if c := entities.New(other, graph.Named{Name: "globex"}); c.ID == a.ID {
		t.Error("two scopes share an entity's id")
	}
	if c := entities.New(scope, graph.Named{Name: "globex", Kind: "company"}); c.ID == a.ID {
		t.Error("things of two kinds share an id")
	}
}
