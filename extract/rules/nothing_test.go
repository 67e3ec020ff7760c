package rules_test

import (
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	for _, r := range []row{
		{"On Pro, audit logs are kept for 90 days.", claims(
			"Pro/plan has_rule audit logs are kept for 90 days reported = On Pro, audit logs are kept for 90 days. «On Pro, audit logs are kept for 90 days»")},
		{"On the Basic plan, you can invite up to 10 guests if the owner agrees.", claims(
			"Basic/plan has_rule you can invite up to 10 guests if the owner agrees reported = On the Basic plan, you can invite up to 10 guests if the owner agrees. «On the Basic plan, you can invite up to 10 guests if the owner agrees»")},
		{"With Enterprise, SCIM is included.", claims(
			"Enterprise/plan has_rule SCIM is included reported = With Enterprise, SCIM is included. «With Enterprise, SCIM is included»")},
		{"On Monday, the office is closed.", nil},
		{"On Pro, we had 30 seats.", nil},
		{"On Pro, everything worked.", nil},
		{"On Pro, SSO needed the add-on until May.", nil},
		{"On Windows, press F5.", nil},
	} {
		run(t, document(t, r.text, said), r.want)
	}
}

var rememberRows = []row{
	{"Remember that I work at Acme.", claims("I works_at Acme/organisation holds «I work at Acme»")},
	{"Please remember that the door code is 4711.", claims("I noted the door code is 4711 holds «the door code is 4711»")},
	{"Remember that Ann said the invoice was wrong.", claims("I noted Ann said the invoice was wrong holds «Ann said the invoice was wrong»")},
	{"Remember: staging resets every night.", claims("I noted staging resets every night holds «staging resets every night»")},
	{"Don't forget that my locker is \"B 12\".", claims("I noted my locker is \"B 12\" holds «my locker is \"B 12\"»")},
	{"Remember I'm allergic to nuts.", claims("I allergic_to nuts holds «I'm allergic to nuts»")},
	{"Keep in mind that we moved to Pro and the budget is tight.", claims(
		"we on_plan Pro/plan «we moved to Pro»",
		"I noted we moved to Pro and the budget is tight holds «we moved to Pro and the budget is tight»")},
	{"Remember that I prefer tea and that I hate coffee.", claims(
		"I prefers tea holds «I prefer tea»",
		"I noted I prefer tea and that I hate coffee holds «I prefer tea and that I hate coffee»")},
	{"Remember to call Ann.", nil},
	{"Remember when we were on Basic?", nil},
	{"Do you remember that I work at Acme?", nil},
	{"I remember that place.", nil},
	{"Remember that " + strings.Repeat("long ", 100) + "statement.", claims(
		"I noted " + strings.TrimSpace(strings.Repeat("long ", 100)) + " statement holds «" + strings.Repeat("long ", 100) + "statement»")},
}

func TestRemember(t *testing.T) { runRows(t, rememberRows) }

var questionsRows = []row{
	{"How much does the Security add-on cost?", claims("I asked_about Security add-on «How much does the Security add-on cost»")},
	{"How do I set up SSO for my team?", claims("I asked_about SSO «How do I set up SSO»")},
	{"Do we need the Security add-on for SSO?", claims("I asked_about Security add-on «Do we need the Security add-on»")},
	{"how does SCIM provisioning work", claims("I asked_about SCIM provisioning «how does SCIM provisioning work»")},
	{"How long does it take?", nil},
	{"Am I on Pro?", nil},
	{"I work at Acme, right?", nil},
	{"Where do I live?", nil},
	{"What plan are we on?", nil},
	{"Is Ann the CEO of Acme?", nil},
	{"Did I mention that I live in Oslo?", nil},
	{"Why does Ann work at Acme?", nil},
}

func TestQuestions(t *testing.T) { runRows(t, questionsRows) }

func TestSmallTalk(t *testing.T) {
	var rows []row
	for _, text := range []string{"thanks", "Thanks a lot!", "Hi!", "Hello there.", "Good morning, team.", "ok", "Yes, please.", "Sounds good.", "Great, that works.",
		"No problem.", "See you tomorrow.", "Yes, the second one.", "I like that.", "I love it!", "I like your idea.", "I'd like the second option.", "Give me a minute.",
		"John is here.", "lol", "👍", "", "   ", "...", "?!", "I am happy.", "I'm fine, thanks.", "I'm tired.", "I'm on it.", "I'm in.", "I have a question.",
		"I use it every day.", "I need help.", "We have a problem.", "I work from home.", "I live for this.", "It works at night.", "I'm a bit lost.", "I'm the one who asked.",
		"I want to move to Paris.", "I'm a good cook.", "I drink too much.", "Call me later.", "My plan is simple.", "My name is mud."} {
		rows = append(rows, row{text: text})
	}
	runRows(t, rows)
}

func TestWhatMayNotBeSo(t *testing.T) {
	var rows []row
	for _, text := range []string{
		"If we were on Pro, we'd have SSO.", "We might move to Pro.", "We should move to Pro.", "Maybe I live in Rome.", "I would work at Acme.", "We could be on Pro.",
		"Suppose I work at Acme.", "Imagine we're on Enterprise.", "Unless we're on Pro, it fails.", "I wish I lived in Rome.", "I hope we are on Pro.",
		"Ann said she works at Acme.", "Bob told me that I work at Acme.", "I think Ann works at Acme.", "I heard that Globex is on Pro.", "Ann works at Acme, I guess.",
		"According to Bob, Ann lives in Rome.", "Apparently Ann works at Acme.", "Ann probably works at Acme.", "We're almost on Pro.", "I live in Oslo or Bergen.",
		"In the film, John lives in Rome.", "For example, Ann works at Acme.", "I wonder whether we're on Pro.", "I work at Acme if you ask my boss.",
		"I'm not sure I work at Acme.", "I want to work at Acme.", "I'm considering Pro.", "Pretend I live in Paris.", "I use Slack when I travel.",
		"We're on Pro, hopefully.", "I work at Acme, probably.", "We use Slack, Jira or Notion.", "I like tea or coffee.", "You work at Acme.", "You are on Pro.", "As far as I know, we're on Pro.", "It seems that we're on Pro.", "Once we're on Pro, SSO works.",
		"When I lived in Rome, I worked at Acme.", "Let's say we're on Pro.", "It is not true that I live in Bergen.", "Say I moved to Berlin.", "I rarely drink coffee.", "We may move to Team in July."} {
		rows = append(rows, row{text: text})
	}
	runRows(t, rows)
}

var quotesAndOtherPeoplesWordsRows = []row{
	{`"I live in Rome," said Ann.`, nil},
	{`John shouted "I work at Acme" at me.`, nil},
	{`“We are on Pro. I live in Rome.”`, nil},
	{`'I live in Rome' was the title.`, nil},
	{"> I live in Rome.\nI live in Oslo.", claims("I lives_in Oslo/place holds «I live in Oslo»")},
	{"Ann: I live in Rome.\nDana: I live in Oslo.", claims("I lives_in Oslo/place holds «I live in Oslo»")},
	{"```\nI live in Rome.\n```\nI live in Oslo.", claims("I lives_in Oslo/place holds «I live in Oslo»")},
	{"<memory nonce=\"7f\">\nDana lives in Rome. I work at Acme.\n</memory>\nthanks", nil},
	{"<memory-7f>Dana lives in Rome.</memory-7f> I live in Oslo.", claims("I lives_in Oslo/place holds «I live in Oslo»")},
	{"<MEMORY>Dana lives in Rome.", nil},
	{"I live in Oslo (Ann lives in Rome).", claims("I lives_in Oslo/place holds «I live in Oslo»")},
	{"| I live in Rome | I work at Acme |", nil},
	{"x = {I live in Rome}", nil},
}

func TestQuotesAndOtherPeoplesWords(t *testing.T) { runRows(t, quotesAndOtherPeoplesWordsRows) }

var sentencesAndFormsRows = []row{
	{"I’m the IT admin at Globex — we’re on Pro.", claims(
		"I works_at Globex/organisation holds «I’m the IT admin at Globex»",
		"I role IT admin at Globex holds «I’m the IT admin at Globex»",
		"we on_plan Pro/plan holds «we’re on Pro»")},
	{"- I live in Oslo\n- I work at Acme", claims(
		"I works_at Acme/organisation holds «I work at Acme»",
		"I lives_in Oslo/place holds «I live in Oslo»")},
	{"1. I live in Oslo. 2. I work at Acme.", claims(
		"I works_at Acme/organisation holds «I work at Acme»",
		"I lives_in Oslo/place holds «I live in Oslo»")},
	{"I live in St. Louis. I work for Acme Inc. It's great.", claims(
		"I works_at Acme Inc/organisation holds «I work for Acme Inc»",
		"I lives_in St. Louis/place holds «I live in St. Louis»")},
	{"**I live in Oslo** 😀", claims("I lives_in Oslo/place holds «I live in Oslo»")},
	{"I   live\tin Oslo!!!", claims("I lives_in Oslo/place holds «I   live\tin Oslo»")},
	{"By the way, I live in Oslo; also, Ann lives in Rome.", claims(
		"I lives_in Oslo/place holds «I live in Oslo»",
		"Ann/person lives_in Rome/place holds «Ann lives in Rome»")},
	{"I live in Oslo, Norway, and Ann lives in Rome.", claims(
		"I lives_in Oslo/place holds «I live in Oslo»",
		"Ann/person lives_in Rome/place holds «Ann lives in Rome»")},
	{"I work at Acme. I work at Acme. I work at Acme.", claims("I works_at Acme/organisation holds «I work at Acme»")},
	{"I live in Oslo because the fjord is near.", claims("I lives_in Oslo/place holds «I live in Oslo»")},
	{"I work at Procter & Gamble.", claims("I works_at Procter & Gamble/organisation holds «I work at Procter & Gamble»")},
	{"I WORK AT HOME AND LOVE IT", nil},
	{"I work at the Bank of Ghana.", claims("I works_at Bank of Ghana/organisation holds «I work at the Bank of Ghana»")},
	{"Dana from Globex here, we moved to Pro.", claims("we on_plan Pro/plan «we moved to Pro»")},
}

func TestSentencesAndForms(t *testing.T) { runRows(t, sentencesAndFormsRows) }

func TestWrappedLines(t *testing.T) {
	run(t, document(t, "The company handbook says nothing on this, but it is well known by all that\nAnn works at Acme and has done so since\n2019.\n\nBob works at Initech.", said),
		claims("Bob/person works_at Initech/organisation reported «Bob works at Initech»"))
}
