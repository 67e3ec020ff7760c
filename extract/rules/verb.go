package rules

import "strings"

// form is how a verb stands: "work", "works", "worked", "worked" (has), "working".
type form uint8

const (
	base form = 1 << iota
	third
	simplePast
	participle
	gerund
	plural // "are", "were": of be only
	first  // "am"
)

// irregularVerbs are lemmas with their third person, past, participle and gerund, where rules would not give them.
var irregularVerbs = parseVerbs(`
have has had had having; do does did done doing; go goes went gone going; get gets got got|gotten getting; give gives gave given giving
buy buys bought bought buying; leave leaves left left leaving; become becomes became become becoming; begin begins began begun beginning
come comes came come coming; found founds founded founded founding; lead leads led led leading; speak speaks spoke spoken speaking
write writes wrote written writing; drink drinks drank drunk drinking; eat eats ate eaten eating; quit quits quit quit quitting
send sends sent sent sending; take takes took taken taking; make makes made made making; grow grows grew grown growing
cost costs cost cost costing; own owns owned owned owning; study studies studied studied studying; marry marries married married marrying
stop stops stopped stopped stopping; drop drops dropped dropped dropping; prefer prefers preferred preferred preferring
commit commits committed committed committing; cancel cancels cancelled|canceled cancelled|canceled cancelling|canceling; keep keeps kept kept keeping
run runs ran run running; know knows knew known knowing; see sees saw seen seeing; meet meets met met meeting; feel feels felt felt feeling
say says said said saying; tell tells told told telling; think thinks thought thought thinking; find finds found found finding
spend spends spent spent spending; hold holds held held holding; pay pays paid paid paying; read reads read read reading; set sets set set setting
put puts put put putting; let lets let let letting; plan plans planned planned planning; travel travels travelled|traveled travelled|traveled travelling|traveling
sell sells sold sold selling; teach teaches taught taught teaching; win wins won won winning; wear wears wore worn wearing; drive drives drove driven driving`)

func parseVerbs(list string) map[string]map[string]form {
	verbs := map[string]map[string]form{}
	for _, line := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == '\n' }) {
		f := strings.Fields(line)
		if len(f) != 5 {
			continue
		}
		forms := map[string]form{f[0]: base}
		for i, kind := range [...]form{third, simplePast, participle, gerund} {
			for _, w := range strings.Split(f[i+1], "|") {
				forms[w] |= kind
			}
		}
		verbs[f[0]] = forms
	}
	verbs["be"] = map[string]form{"be": base, "am": first, "is": third, "are": plural, "was": simplePast, "were": simplePast | plural, "been": participle, "being": gerund}
	return verbs
}

// inflect returns the forms of a verb.
func inflect(lemma string) map[string]form {
	if forms, ok := irregularVerbs[lemma]; ok {
		return forms
	}
	stem, thirdEnd := lemma, "s"
	switch {
	case strings.HasSuffix(lemma, "e"):
		stem = strings.TrimSuffix(lemma, "e")
	case consonantY(lemma):
		return map[string]form{lemma: base, lemma[:len(lemma)-1] + "ies": third, lemma[:len(lemma)-1] + "ied": simplePast | participle, lemma + "ing": gerund}
	case strings.HasSuffix(lemma, "s"), strings.HasSuffix(lemma, "x"), strings.HasSuffix(lemma, "ch"), strings.HasSuffix(lemma, "sh"):
		thirdEnd = "es"
	}
	return map[string]form{lemma: base, lemma + thirdEnd: third, stem + "ed": simplePast | participle, stem + "ing": gerund}
}

func consonantY(lemma string) bool {
	n := len(lemma)
	return n > 2 && lemma[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(lemma[n-2]))
}

// tense is when a statement places what it says.
type tense int

const (
	presentTense tense = iota
	pastTense
	usedTo
	perfect
	future
)

// verbGroup is a verb with what stands around it.
type verbGroup struct {
	tense       tense
	progressive bool
	not, never  bool
	starts      bool // "started working"
	stops       bool // "stopped working"
	either      bool // a form that may be present or past: "quit"
	person      form // the form of the finite verb, for agreement; 0 agrees with everybody
}

// verbReader reads the verb group that begins at token i of a verb with these forms.
type verbReader struct {
	toks  []token
	forms map[string]form
}

// skip passes over adverbials.
func (v verbReader) skip(i int) int {
	for i < len(v.toks) && v.toks[i].adverb != nil {
		i++
	}
	return i
}

func (v verbReader) low(i int) string {
	if i < len(v.toks) {
		return v.toks[i].low
	}
	return ""
}

func (v verbReader) form(i int) form { return v.forms[v.low(i)] }

// read returns the verb groups that begin at token i, with where each ends. A group with an auxiliary comes before the
// same word as a full verb ("have worked" before "have").
func (v verbReader) read(i int) (verbGroup, int, bool) {
	i = v.skip(i)
	switch low := v.low(i); low {
	case "used":
		if v.low(i+1) == "to" {
			if end := v.skip(i + 2); v.form(end)&base != 0 {
				return verbGroup{tense: usedTo}, end + 1, true
			}
		}
	case "do", "does", "did":
		if g, end, ok := v.afterDo(i); ok {
			return g, end, true
		}
	case "will", "shall":
		return v.afterWill(i)
	case "have", "has", "'s":
		if g, end, ok := v.afterHave(i); ok {
			return g, end, true
		}
	case "am", "is", "are", "was", "were":
		if g, end, ok := v.afterBe(i); ok {
			return g, end, true
		}
	case "never":
		if f := v.form(v.skip(i + 1)); f&(third|simplePast|base) != 0 {
			g := verbGroup{never: true, person: f &^ (participle | gerund), tense: presentTense}
			if f&simplePast != 0 {
				g.tense, g.person = pastTense, 0
			}
			return g, v.skip(i+1) + 1, true
		}
		return verbGroup{}, i, false
	}
	if g, end, ok := v.wrapped(i); ok {
		return g, end, true
	}
	return v.finite(i)
}

// finite reads the verb itself: "work", "works", "worked", "are not".
func (v verbReader) finite(i int) (verbGroup, int, bool) {
	f := v.form(i)
	g := verbGroup{person: f & (base | third | plural | first), either: f&simplePast != 0 && f&base != 0}
	switch {
	case f&simplePast != 0 && !g.either:
		g.tense = pastTense
		g.person = f & plural
	case f&(base|third|plural|first) != 0:
	default:
		return verbGroup{}, i, false
	}
	end := i + 1
	if _, be := v.forms["am"]; be {
		if v.low(i) == "be" || v.low(i) == "been" {
			return verbGroup{}, i, false
		}
		if at := v.skip(end); v.low(at) == "not" {
			g.not, end = true, at+1
		} else if v.low(at) == "never" {
			g.never, end = true, at+1
		}
	}
	return g, end, true
}

func (v verbReader) afterDo(i int) (verbGroup, int, bool) {
	g := verbGroup{person: inflect("do")[v.low(i)]}
	if v.low(i) == "did" {
		g.tense, g.person = pastTense, 0
	}
	at := v.skip(i + 1)
	if v.low(at) == "not" {
		g.not, at = true, v.skip(at+1)
	}
	return g, at + 1, v.form(at)&base != 0
}

func (v verbReader) afterWill(i int) (verbGroup, int, bool) {
	g := verbGroup{tense: future}
	at := v.skip(i + 1)
	switch v.low(at) {
	case "not":
		g.not, at = true, v.skip(at+1)
	case "never":
		return g, i, false
	}
	if v.form(at)&base != 0 {
		return g, at + 1, true
	}
	if v.low(at) == "be" && v.form(v.skip(at+1))&gerund != 0 {
		return g, v.skip(at+1) + 1, true
	}
	return g, i, false
}

// afterHave reads the perfect: "have (not) worked", "has been working", "have started working".
func (v verbReader) afterHave(i int) (verbGroup, int, bool) {
	g := verbGroup{tense: perfect, person: third}
	if v.low(i) == "have" {
		g.person = base
	}
	at := v.skip(i + 1)
	switch v.low(at) {
	case "not":
		g.not, at = true, v.skip(at+1)
	case "never":
		g.never, at = true, v.skip(at+1)
	}
	if v.form(at)&participle != 0 {
		return g, at + 1, true
	}
	if v.low(at) == "been" && v.form(v.skip(at+1))&gerund != 0 {
		g.progressive = true
		return g, v.skip(at+1) + 1, true
	}
	if w, end, ok := v.wrapped(at); ok {
		g.starts, g.stops = w.starts, w.stops
		return g, end, true
	}
	return g, i, false
}

// afterBe reads "am (not) working" and "is going to work".
func (v verbReader) afterBe(i int) (verbGroup, int, bool) {
	low := v.low(i)
	g := verbGroup{progressive: true, person: irregularVerbs["be"][low] & (first | third | plural)}
	if low == "was" || low == "were" {
		g.tense = pastTense
	}
	at := v.skip(i + 1)
	if v.low(at) == "not" {
		g.not, at = true, v.skip(at+1)
	}
	if v.low(at) == "going" && v.low(at+1) == "to" && v.form(v.skip(at+2))&base != 0 && g.tense == presentTense {
		g.tense, g.progressive = future, false
		return g, v.skip(at+2) + 1, true
	}
	if v.form(at)&gerund != 0 && v.low(at) != "going" || v.forms["going"] != 0 && v.low(at) == "going" && v.low(at+1) != "to" {
		return g, at + 1, true
	}
	if low == "is" && v.low(at) == "been" { // "he's been"
		return v.afterHave(i)
	}
	return g, i, false
}

var (
	startVerbs = forms("start", "begin")
	stopVerbs  = forms("stop", "quit", "cease")
)

func forms(lemmas ...string) map[string]form {
	all := map[string]form{}
	for _, lemma := range lemmas {
		for w, f := range inflect(lemma) {
			all[w] |= f
		}
	}
	return all
}

// wrapped reads "started working", "started to work" and "stopped working", in the past or the perfect.
func (v verbReader) wrapped(i int) (verbGroup, int, bool) {
	low := v.low(i)
	g := verbGroup{tense: pastTense, starts: startVerbs[low]&(simplePast|participle) != 0, stops: stopVerbs[low]&(simplePast|participle) != 0}
	if !g.starts && !g.stops {
		return g, i, false
	}
	at := v.skip(i + 1)
	if v.form(at)&gerund != 0 {
		return g, at + 1, true
	}
	if g.starts && v.low(at) == "to" && v.form(at+1)&base != 0 {
		return g, at + 2, true
	}
	return g, i, false
}

// person is who a subject is, as far as a verb's ending depends on it.
type person int

const (
	anybody person = iota // not known
	me                    // I
	one                   // he, Ann
	several               // we, Ann and Bob
)

// agrees reports whether the group's finite verb can have a subject of that person.
func (g verbGroup) agrees(p person) bool {
	switch {
	case g.person == 0 || p == anybody:
		return true
	case p == me:
		return g.person&(base|first) != 0
	case p == one:
		return g.person&third != 0
	default:
		return g.person&(base|plural) != 0
	}
}
