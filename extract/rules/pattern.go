package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenure/graph"
)

// pattern is one way to say facts of a predicate, compiled from the language of docs/extraction.md. Its optional parts are
// decided: a pattern of the registry compiles to one for each choice, longest first.
type pattern struct {
	predicate int // in the set's predicates
	elements  []element
	addition  bool // "+": says more of the subject of the clause before
	question  bool // "?": read in questions, by its speaker
	timeless  bool // "!": tense does not bound it
	rest      bool // its object is the rest of the sentence
	dated     bool // adverbials are not folded: one of its slots may hold them
	object    string
	sentence  string
}

type elementKind int

const (
	literal elementKind = iota
	verb
	slot
)

// element is a word, a verb or a slot of a pattern.
type element struct {
	kind  elementKind
	words []string        // literal: one of these
	forms map[string]form // verb: of all its lemmas
	class verbClass
	name  string // slot: subject, object, old, _ or another to be quoted
	typ   string
	owner bool // slot: with 's
}

type verbClass int

const (
	state   verbClass = iota // what it says holds while its tense says so
	begins                   // "+": its past says that it holds from then on
	ends                     // "-": its past says that it no longer holds
	habit                    // "~": a state, but its past and its progressive tell of single times
	negated                  // "!": a habit or state whose negation is the statement
)

// optionalLimit bounds the choices that the optional parts of one pattern may make.
const optionalLimit = 64

// compile parses a pattern of a predicate.
func compile(source string, p graph.Predicate) ([]pattern, error) {
	var head pattern
	rest := strings.TrimSpace(source)
	for {
		mark, after, ok := strings.Cut(rest, " ")
		switch {
		case !ok:
		case mark == "+":
			head.addition = true
		case mark == "?":
			head.question = true
		case mark == "!":
			head.timeless = true
		default:
			ok = false
		}
		if !ok {
			break
		}
		rest = strings.TrimSpace(after)
	}
	if body, template, ok := strings.Cut(rest, "=>"); ok {
		rest, head.sentence = strings.TrimSpace(body), strings.TrimSpace(template)
	} else if body, template, ok := strings.Cut(rest, " = "); ok {
		rest, head.object = strings.TrimSpace(body), strings.TrimSpace(template)
	}
	choices, err := choose(strings.Fields(rest))
	if err != nil {
		return nil, err
	}
	var out []pattern
	for _, choice := range choices {
		one := head
		for _, word := range choice {
			parsed, err := parseElement(word, p)
			if err != nil {
				return nil, err
			}
			one.elements = append(one.elements, parsed...)
		}
		if err := one.check(); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// choose returns the word lists that optional parts allow, those with more words first. Parentheses stand at the edge of a
// word and may nest.
func choose(words []string) ([][]string, error) {
	out := [][]string{nil}
	for i := 0; i < len(words); i++ {
		if !strings.HasPrefix(words[i], "(") || words[i] == "(" {
			for k := range out {
				out[k] = append(slices.Clip(out[k]), words[i])
			}
			continue
		}
		depth, j := 0, i
		for ; j < len(words); j++ {
			depth += strings.Count(words[j], "(") - strings.Count(words[j], ")")
			if depth == 0 {
				break
			}
		}
		if depth != 0 {
			return nil, errors.New("unbalanced parentheses")
		}
		inner := slices.Clone(words[i : j+1])
		inner[0] = strings.TrimPrefix(inner[0], "(")
		inner[len(inner)-1] = strings.TrimSuffix(inner[len(inner)-1], ")")
		choices, err := choose(inner)
		if err != nil {
			return nil, err
		}
		var next [][]string
		for _, before := range out {
			for _, choice := range choices {
				next = append(next, append(slices.Clip(before), choice...))
			}
			next = append(next, before)
		}
		if out = next; len(out) > optionalLimit {
			return nil, errors.New("too many optional parts")
		}
		i = j
	}
	return out, nil
}

func parseElement(word string, p graph.Predicate) ([]element, error) {
	switch {
	case strings.HasPrefix(word, "<"):
		return parseVerb(word)
	case strings.HasPrefix(word, "{"):
		return parseSlot(word, p)
	case strings.ContainsAny(word, "<>{}()"):
		return nil, fmt.Errorf("%q is no word", word)
	}
	words := strings.Split(word, "|")
	if slices.Contains(words, "a") && !slices.Contains(words, "an") {
		words = append(words, "an")
	}
	return []element{{kind: literal, words: words}}, nil
}

func parseVerb(word string) ([]element, error) {
	body, ok := strings.CutSuffix(strings.TrimPrefix(word, "<"), ">")
	if !ok || len(body) < 2 {
		return nil, fmt.Errorf("%q is no verb", word)
	}
	e := element{kind: verb}
	classes := map[byte]verbClass{'+': begins, '-': ends, '~': habit, '!': negated}
	if class, marked := classes[body[0]]; marked {
		e.class, body = class, body[1:]
	}
	e.forms = forms(strings.Split(body, "|")...)
	return []element{e}, nil
}

func parseSlot(word string, p graph.Predicate) ([]element, error) {
	body, ok := strings.CutSuffix(strings.TrimPrefix(word, "{"), "}")
	if !ok {
		return nil, fmt.Errorf("%q is no slot", word)
	}
	e := element{kind: slot}
	e.name, e.typ, _ = strings.Cut(body, ":")
	if name, owner := strings.CutSuffix(e.name, "'s"); owner {
		e.name, e.owner = name, true
	}
	switch {
	case e.typ == "" && e.name == "subject" || e.owner && e.typ == "":
		e.typ = anyone
	case e.typ == "" && len(p.ObjectKinds) == 1 && p.ObjectKinds[0] == graph.KindValue:
		e.typ = "text"
	case e.typ == "":
		e.typ = "name"
	}
	if readerOf(e.typ) == nil && !(e.owner && e.typ == "named") {
		return nil, fmt.Errorf("%q has an unknown type", word)
	}
	return []element{e}, nil
}

// check refuses what could never be matched as it was meant, and notes what the matcher wants to know.
func (p *pattern) check() error {
	objects, subjects, verbs := 0, 0, 0
	for i, e := range p.elements {
		switch {
		case e.kind == verb:
			verbs++
		case e.kind != slot:
			continue
		case e.name == "object":
			objects++
			p.rest = e.typ == "statement" || e.typ == "fact" || e.typ == "rule"
		case e.name == "subject":
			subjects++
		}
		switch e.typ {
		case "date", "birthday", "action", "statement", "fact", "rule":
			p.dated = true
		}
		if p.rest && i != len(p.elements)-1 {
			return errors.New("nothing can follow the rest of a sentence")
		}
	}
	if p.addition && subjects > 0 {
		return errors.New("an addition has no subject of its own")
	}
	if subjects > 1 || verbs > 1 || objects > 1 || objects == 0 && p.object == "" {
		return errors.New("want one object, at most one subject and at most one verb")
	}
	return nil
}

// hasSubject reports whether a slot says who the subject is; else it is the speaker, or that of the clause before.
func (p *pattern) hasSubject() bool {
	return slices.ContainsFunc(p.elements, func(e element) bool { return e.kind == slot && e.name == "subject" })
}

// more reports whether the pattern says more than its triple.
func (p *pattern) more() bool {
	return slices.ContainsFunc(p.elements, func(e element) bool { return e.kind == slot && e.name == "_" })
}

// common are words that do not tell patterns apart.
var common = set("a", "an", "the", "to", "on", "in", "at", "with", "for", "of", "me", "by", "from", "i", "we", "please", "now", "my", "and",
	"be", "am", "is", "are", "was", "were", "been")

// anchors are words of which a sentence must have one for the pattern to match: those of its most telling element.
func (p *pattern) anchors() []string {
	var best []string
	cost := 0
	for _, e := range p.elements {
		var words []string
		switch e.kind {
		case literal:
			words = e.words
		case verb:
			for w := range e.forms {
				words = append(words, w)
			}
		default:
			continue
		}
		c := len(words)
		for _, w := range words {
			if common[w] {
				c += 100
			}
		}
		if best == nil || c < cost {
			best, cost = words, c
		}
	}
	return best
}
