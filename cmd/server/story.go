package main

// The scopes of the story: a customer, the product rules of the shop that serves it, and another customer.
const (
	customer = "globex"
	rulebook = "acme-kb"
	stranger = "initech"
)

// told is one thing that the memory is told.
type told struct {
	at      string // RFC 3339
	scope   string
	id      string
	kind    string
	speaker string
	role    string
	text    string
	leaves  int // how many facts it has to leave at least; -1 for none at all
}

// story is what happened to Globex, a customer of Acme, until the autumn.
var story = []told{
	{"2026-01-01T09:00:00Z", rulebook, "page-1140", "document", "", "", "On Pro, SSO needs the Security add-on for teams under 50 seats.", 1},
	{"2026-02-10T09:00:00Z", customer, "hello", "message", "Dana", "user", "Hi, I'm Dana, the IT admin at Globex.", 1},
	{"2026-02-10T09:01:00Z", customer, "feb", "message", "Dana", "user", "We're on Basic with 30 seats, and SSO isn't set up yet.", 2},
	{"2026-02-10T09:02:00Z", customer, "steps", "message", "Dana", "user", "Always give me numbered steps.", 1},
	{"2026-02-10T09:03:00Z", customer, "thanks", "message", "Dana", "user", "thanks", -1},
	{"2026-02-10T09:04:00Z", customer, "second", "message", "Dana", "user", "Yes, the second one.", -1},
	{"2026-06-15T09:00:00Z", customer, "june", "message", "Dana", "user", "We moved to Pro, 120 seats now.", 2},
	{"2026-07-04T09:00:00Z", customer, "invoice", "message", "Assistant", "assistant", "Helped Dana download Globex's June invoice.", 0},
	{"2026-08-01T09:00:00Z", customer, "howlong", "message", "Dana", "user", "How long does SSO setup take?", 0},
}

// sequel is what happened in the autumn.
var sequel = []told{
	{"2026-10-01T09:00:00Z", customer, "team", "message", "Dana", "user", "We moved to Team, 120 seats now.", 1},
	{"2026-10-20T09:00:00Z", customer, "again", "message", "Dana", "user", "We moved to Pro, 120 seats now.", 1},
}

// question is one question with its right answer.
type question struct {
	text    string
	validAt string // "" is the day the question is asked
	txAt    string
	note    string // to be written after the answer
	want    string // the object of the fact that is the answer
	window  string
	source  string // the episode that said so
}

// asOf is what a question asks for beside its text.
func (q question) asOf() string {
	switch {
	case q.txAt != "":
		return "on " + q.validAt + ", as known on " + q.txAt
	case q.validAt != "":
		return "on " + q.validAt
	}
	return "now"
}

// questions are asked on 13 September.
var questions = []question{
	{"what plan are we on?", "", "", "", "Pro", "since 2026-06-15", "june"},
	{"what plan were we on before?", "", "", "", "Basic", "2026-02-10 to 2026-06-15", "feb"},
	{"what plan are we on?", "2026-03-01", "", "", "Basic", "2026-02-10 to 2026-06-15", "feb"},
	{"what plan are we on?", "2026-07-01", "", "", "Pro", "since 2026-06-15", "june"},
	{"what plan are we on?", "2026-07-01", "2026-06-01", " (on 1 June nobody knew better)", "Basic", "since 2026-02-10", "feb"},
	{"how many seats do we have?", "", "", "", "120", "since 2026-06-15", "june"},
}

const (
	// askedAt is when the questions are asked.
	askedAt = "2026-09-13T12:00:00Z"
	// afterwards is when the sequel is looked back at.
	afterwards = "2026-11-01T12:00:00Z"
	// hard is the question that no single sentence answers.
	hard = "Do we need the Security add-on for SSO?"
)
