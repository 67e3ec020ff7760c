package facts

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"tenure/graph"
)

// The fact types that shipped predicates use. A scope may declare others.
const (
	Semantic   = DefaultType  // what is so
	Episodic   = "episodic"   // that something happened: a question, a decision, a promise
	Procedural = "procedural" // how things are done: a rule
	Preference = "preference" // what somebody likes or wants
)

//go:embed predicates.yaml
var shippedFile []byte

// file is the form of predicates.yaml.
type file struct {
	Version    string            `yaml:"version"`
	Predicates []graph.Predicate `yaml:"predicates"`
}

var shipped = sync.OnceValues(func() (*Registry, error) { return load(shippedFile) })

// Registry is a scope's predicates: the shipped ones, overlaid by the scope's declarations. It is immutable and safe for
// concurrent use; what it returns is the caller's to keep and change.
type Registry struct {
	version   string
	base      map[string]graph.Predicate // as shipped
	declared  map[string]graph.Predicate // shipped and the scope's
	inverses  map[string]string          // inverse name → declared name
	opposites map[string]string          // both directions
	nouns     map[string][]string        // noun, singular → names
}

// Load returns the registry of the embedded file, parsed once, or what is wrong with the file.
func Load() (*Registry, error) { return shipped() }

// Shipped is Load for callers that run after start, when the file is known to be right; it panics if it is not.
func Shipped() *Registry {
	r, err := Load()
	if err != nil {
		panic(err)
	}
	return r
}

// ShippedVersion is the version of the embedded file. A scope pins it (graph.Settings.Registry) when it begins.
func ShippedVersion() string { return Shipped().version }

func load(data []byte) (*Registry, error) {
	var f file
	if err := yaml.UnmarshalWithOptions(data, &f, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("predicates.yaml: %w", err)
	}
	if f.Version == "" {
		return nil, errors.New("predicates.yaml: no version")
	}
	base := make(map[string]graph.Predicate, len(f.Predicates))
	for _, p := range f.Predicates {
		if err := Validate(p); err != nil {
			return nil, fmt.Errorf("predicates.yaml: %s: %w", p.Name, err)
		}
		if _, twice := base[p.Name]; twice {
			return nil, fmt.Errorf("predicates.yaml: %s is there twice", p.Name)
		}
		base[p.Name] = p
	}
	r := index(f.Version, base, base)
	for _, p := range r.All() {
		if err := r.conflicts(p); err != nil {
			return nil, fmt.Errorf("predicates.yaml: %s: %w", p.Name, err)
		}
	}
	return r, nil
}

// With returns r overlaid by the declarations, the later of two of one name wins. A declaration replaces what is there
// whole, except that what it leaves empty of Sentence, Patterns, Nouns and kinds is as shipped. So a scope that puts a
// shipped declaration back has the shipped predicate again.
//
// With does not judge: declarations are checked by the package's Validate, and the result by the registry's.
func (r *Registry) With(declared ...graph.Predicate) *Registry {
	if len(declared) == 0 {
		return r
	}
	all := maps.Clone(r.declared)
	for _, p := range declared {
		p = clone(p)
		p.Cardinality = cmp.Or(p.Cardinality, graph.Many)
		shipped := r.base[p.Name]
		p.Sentence = cmp.Or(p.Sentence, shipped.Sentence)
		p.Patterns = either(p.Patterns, shipped.Patterns)
		p.Nouns = either(p.Nouns, shipped.Nouns)
		p.SubjectKinds = either(p.SubjectKinds, shipped.SubjectKinds)
		p.ObjectKinds = either(p.ObjectKinds, shipped.ObjectKinds)
		all[p.Name] = p
	}
	return index(r.version, r.base, all)
}

// index builds the look-ups of a registry. Where declarations contradict each other it stays deterministic: a declared
// name is never an inverse, a predicate's own word on its opposite comes first, and names are taken in order.
func index(version string, base, declared map[string]graph.Predicate) *Registry {
	r := &Registry{version: version, base: base, declared: declared,
		inverses: map[string]string{}, opposites: map[string]string{}, nouns: map[string][]string{}}
	names := slices.Sorted(maps.Keys(declared))
	for _, name := range names {
		p := declared[name]
		if _, own := declared[p.Inverse]; p.Inverse != "" && !own && r.inverses[p.Inverse] == "" {
			r.inverses[p.Inverse] = name
		}
		if p.Opposite != "" {
			r.opposites[name] = p.Opposite
		}
		for _, noun := range append([]string{strings.Join(words(name), " ")}, p.Nouns...) {
			noun = singular(noun)
			if !slices.Contains(r.nouns[noun], name) {
				r.nouns[noun] = append(r.nouns[noun], name)
			}
		}
	}
	for _, name := range names {
		if other := declared[name].Opposite; other != "" && r.opposites[other] == "" {
			r.opposites[other] = name
		}
	}
	return r
}

// Get returns the predicate's declaration; that of an undeclared one says that it has many values, and no more.
func (r *Registry) Get(name string) graph.Predicate {
	if p, ok := r.declared[name]; ok {
		return clone(p)
	}
	return graph.Predicate{Name: name, Cardinality: graph.Many}
}

// Declared reports whether the predicate is shipped or declared by the scope.
func (r *Registry) Declared(name string) bool {
	_, ok := r.declared[name]
	return ok
}

// All returns the declared predicates by name.
func (r *Registry) All() []graph.Predicate {
	all := make([]graph.Predicate, 0, len(r.declared))
	for _, name := range slices.Sorted(maps.Keys(r.declared)) {
		all = append(all, clone(r.declared[name]))
	}
	return all
}

// Canonical rewrites an inverse to the declared direction and leaves every other triple as it is. Without an object there
// is nothing to turn round: the triple stays, on a predicate that nobody declared.
func (r *Registry) Canonical(subject graph.EntityID, predicate string, object graph.EntityID) (graph.EntityID, string, graph.EntityID) {
	if name, ok := r.inverses[predicate]; ok && object != "" {
		return object, name, subject
	}
	return subject, predicate, object
}

// Lane returns the lane of a triple, in whichever direction it is told: the slot of a predicate with one value, else the
// triple; both directions of a symmetric predicate are the lane of the two ids in order.
func (r *Registry) Lane(subject graph.EntityID, predicate string, object graph.EntityID) graph.Lane {
	subject, predicate, object = r.Canonical(subject, predicate, object)
	p := r.declared[predicate]
	switch {
	case p.Cardinality == graph.One:
		object = ""
	case p.Symmetric && object != "" && object < subject:
		subject, object = object, subject
	}
	return graph.Lane{Subject: subject, Predicate: predicate, Object: object}
}

// Opposite returns the predicate that asserting this one retracts of the same object, or "". It is mutual: declared on
// one side it holds for both.
func (r *Registry) Opposite(predicate string) string { return r.opposites[predicate] }

// ByNoun returns the predicates that a question's noun may mean, by name. Case, and singular or plural, make no
// difference; a predicate's own name, as words, is one of its nouns.
func (r *Registry) ByNoun(noun string) []string { return slices.Clone(r.nouns[singular(noun)]) }

// IsValue reports whether objects of the predicate are literals: its only object kind is graph.KindValue.
func (r *Registry) IsValue(predicate string) bool {
	kinds := r.declared[predicate].ObjectKinds
	return len(kinds) == 1 && kinds[0] == graph.KindValue
}

func either(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return slices.Clone(b)
}

func clone(p graph.Predicate) graph.Predicate {
	p.SubjectKinds = slices.Clone(p.SubjectKinds)
	p.ObjectKinds = slices.Clone(p.ObjectKinds)
	p.Nouns = slices.Clone(p.Nouns)
	p.Patterns = slices.Clone(p.Patterns)
	if p.Importance != nil {
		importance := *p.Importance
		p.Importance = &importance
	}
	return p
}

// Sentence states a fact: the predicate's template with both names put in, or, without one, "subject words object." with
// the words of the predicate's name. It ends with a full stop unless the object already ends the sentence.
func (r *Registry) Sentence(p graph.Predicate, subject, object string) string {
	template := cmp.Or(p.Sentence, "{subject} "+strings.Join(words(p.Name), " ")+" {object}.")
	text := strings.NewReplacer("{subject}", subject, "{object}", object).Replace(template) // one pass: names are not templates
	if stopped := strings.TrimSuffix(text, "."); stopped != text && endsSentence(stopped) {
		return stopped
	}
	if !endsSentence(text) {
		text += "."
	}
	return text
}

// endsSentence reports whether the last thing in text, closing quotes and brackets aside, ends a sentence.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "\"'”’»)]")
	for _, end := range []string{".", "!", "?", "…", "。", "！", "？"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// words splits a predicate's name: works_at and worksAt are "works", "at".
func words(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if i > 0 && 'A' <= c && c <= 'Z' && 'a' <= name[i-1] && name[i-1] <= 'z' {
			b.WriteByte(' ')
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return strings.FieldsFunc(b.String(), func(c rune) bool { return strings.ContainsRune(" _.:/-", c) })
}

// irregular are plurals of question nouns that no rule makes singular.
var irregular = map[string]string{"people": "person", "children": "child", "wives": "wife", "statuses": "status"}

// singular is the form in which nouns are compared: lower case, single spaces, the last word without its plural ending. It
// need not be a word ("news" is "new"), since both sides are put through it.
func singular(noun string) string {
	fields := strings.Fields(strings.ToLower(noun))
	if len(fields) == 0 {
		return ""
	}
	last := fields[len(fields)-1]
	if one, ok := irregular[last]; ok {
		last = one
	}
	stem := strings.TrimSuffix(last, "s")
	switch {
	case stem == last || len(stem) < 3 || strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "u") || strings.HasSuffix(stem, "i"):
		// not a plural: age, address, status, basis
	case strings.HasSuffix(stem, "ie"):
		last = strings.TrimSuffix(stem, "ie") + "y"
	case strings.HasSuffix(stem, "sse"), strings.HasSuffix(stem, "xe"), strings.HasSuffix(stem, "che"), strings.HasSuffix(stem, "she"):
		last = strings.TrimSuffix(stem, "e")
	default:
		last = stem
	}
	fields[len(fields)-1] = last
	return strings.Join(fields, " ")
}

const (
	maxName     = 128
	maxWord     = 64
	maxWords    = 32
	maxSentence = 512
	maxTTLDays  = 36_500
)

// Validate returns what is wrong with a declaration by itself, every faulty field a graph.FieldError.
func Validate(p graph.Predicate) error {
	errs := []error{ValidateName("name", p.Name)}
	wrong := func(field, problem string) { errs = append(errs, graph.Invalid(field, "%s", problem)) }
	if p.Cardinality != graph.One && p.Cardinality != graph.Many {
		wrong("cardinality", "want one or many")
	}
	if p.Symmetric && p.Cardinality == graph.One {
		wrong("symmetric", "a symmetric predicate has many values")
	}
	if p.Symmetric && p.Inverse != "" {
		wrong("inverse", "a symmetric predicate is its own inverse")
	}
	for _, other := range []struct{ field, name string }{{"inverse", p.Inverse}, {"opposite", p.Opposite}} {
		switch {
		case other.name == "":
		case other.name == p.Name:
			wrong(other.field, "want another predicate")
		default:
			errs = append(errs, ValidateName(other.field, other.name))
		}
	}
	if p.Inverse != "" && p.Inverse == p.Opposite {
		wrong("opposite", "is the inverse")
	}
	if p.Importance != nil && !(*p.Importance >= 0 && *p.Importance <= 1) { // so that NaN is refused
		wrong("importance", "want a number from 0 to 1")
	}
	if p.TTLDays < 0 || p.TTLDays > maxTTLDays {
		wrong("ttl_days", fmt.Sprintf("want 0 to %d", maxTTLDays))
	}
	if len(p.Type) > maxWord || strings.TrimSpace(p.Type) != p.Type {
		wrong("type", fmt.Sprintf("want at most %d bytes, without spaces around them", maxWord))
	}
	if p.Sentence != "" && (len(p.Sentence) > maxSentence || !strings.Contains(p.Sentence, "{object}")) {
		wrong("sentence", fmt.Sprintf("want at most %d bytes that contain {object}", maxSentence))
	}
	errs = append(errs, validateWords("subject_kinds", p.SubjectKinds), validateWords("object_kinds", p.ObjectKinds), validateWords("nouns", p.Nouns))
	return errors.Join(errs...)
}

// ValidateName returns a graph.FieldError for the field unless name can be a predicate's.
func ValidateName(field, name string) error {
	ok := name != "" && len(name) <= maxName
	for i := range len(name) {
		c := name[i]
		ok = ok && ('A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("_.:/-", c) >= 0)
	}
	if !ok {
		return graph.Invalid(field, "want 1 to %d of A-Z a-z 0-9 _ . : / -", maxName)
	}
	return nil
}

func validateWords(field string, list []string) error {
	if len(list) > maxWords {
		return graph.Invalid(field, "want at most %d", maxWords)
	}
	var errs []error
	for i, word := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		switch {
		case strings.TrimSpace(word) == "" || len(word) > maxWord:
			errs = append(errs, graph.Invalid(at, "want 1 to %d bytes", maxWord))
		case slices.Contains(list[:i], word):
			errs = append(errs, graph.Invalid(at, "is there twice"))
		}
	}
	return errors.Join(errs...)
}

// Validate returns what in the scope's predicates contradicts each other, as graph.FieldErrors.
func (r *Registry) Validate() error {
	var errs []error
	for _, p := range r.All() {
		errs = append(errs, r.conflicts(p))
	}
	return errors.Join(errs...)
}

// conflicts returns how p contradicts the other predicates. Inverses cannot form a cycle, since none is declared.
func (r *Registry) conflicts(p graph.Predicate) error {
	var errs []error
	if p.Inverse != "" {
		if r.Declared(p.Inverse) {
			errs = append(errs, graph.Invalid("inverse", "is declared as a predicate of its own"))
		} else if r.inverses[p.Inverse] != p.Name {
			errs = append(errs, graph.Invalid("inverse", "is the inverse of another predicate"))
		}
	}
	if p.Opposite != "" {
		if _, inverse := r.inverses[p.Opposite]; inverse {
			errs = append(errs, graph.Invalid("opposite", "is the inverse of a predicate: name that one"))
		}
		if r.opposites[p.Opposite] != p.Name {
			errs = append(errs, graph.Invalid("opposite", "has another opposite"))
		}
	}
	return errors.Join(errs...)
}
