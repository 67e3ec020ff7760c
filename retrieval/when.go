package retrieval

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tenure/temporal"
)

// dated is a time named in a question: a stretch as long as it is precise.
type dated struct {
	temporal.Date
	span temporal.Period
	word string // the preposition before it: "in", "since", "before", …, or ""
}

const (
	inWord  = `(?:\b(?P<word>in|on|at|of|during|since|before|after|until|till|by|from|for|as of)\s+(?:the\s+)?)?`
	inMust  = `\b(?P<word>in|on|of|during|since|before|after|until|till|by|from|for|as of)\s+`
	inMonth = `(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
	inDay   = `(?P<day>\d{1,2})(?:st|nd|rd|th)?`
	inYear  = `(?P<year>[12]\d{3})`
)

// dates are the forms in which a question may name a time, the most exact first. Neither a month nor a year is read without
// a preposition or its neighbours: "may" is a verb and "2019" a number.
var dates = []*regexp.Regexp{
	regexp.MustCompile(`(?i)` + inWord + `\b` + inYear + `-(?P<number>\d\d)-(?P<day>\d\d)\b`),
	regexp.MustCompile(`(?i)` + inWord + `\b` + inYear + `-(?P<number>\d\d)(?:[^\d-]|$)`),
	regexp.MustCompile(`(?i)` + inWord + `\b` + inDay + `(?:\s+of)?\s+` + inMonth + `,?\s+` + inYear + `\b`),
	regexp.MustCompile(`(?i)` + inWord + `\b` + inMonth + `\s+` + inDay + `,?\s+` + inYear + `\b`),
	regexp.MustCompile(`(?i)` + inWord + `\b` + inMonth + `,?\s+(?:of\s+)?` + inYear + `\b`),
	regexp.MustCompile(`(?i)` + inMust + inDay + `(?:\s+of)?\s+` + inMonth + `\b`),
	regexp.MustCompile(`(?i)` + inMust + inMonth + `\s+` + inDay + `\b`),
	regexp.MustCompile(`(?i)` + inMust + inMonth + `\b`),
	regexp.MustCompile(`(?i)\b(?P<word>in|during|since|before|after|until|till)\s+` + inYear + `\b`),
	regexp.MustCompile(`(?i)` + inWord + `\b(?P<ago>\d{1,4}|an?|one|two|three|four|five|six)\s+(?P<unit>day|week|month|year)s?\s+ago\b`),
	regexp.MustCompile(`(?i)` + inWord + `\b(?P<which>last|this)\s+(?P<unit>week|month|year)\b`),
	regexp.MustCompile(`(?i)` + inWord + `\b(?P<unit>yesterday|today)\b`),
}

// findDate returns the time that a question asked at a moment names, and the question without it. A month or a day without a
// year is the latest that has begun by then.
func findDate(text string, moment temporal.Instant, zone *time.Location) (*dated, string) {
	now := moment.Time().In(zone)
	for _, form := range dates {
		m := form.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		part := func(name string) string {
			if i := 2 * form.SubexpIndex(name); i > 0 && m[i] >= 0 {
				return strings.ToLower(text[m[i]:m[i+1]])
			}
			return ""
		}
		if d, ok := readDate(part, now, zone); ok {
			d.word = part("word")
			return &d, strings.TrimSpace(text[:m[0]] + " " + text[m[1]:])
		}
	}
	return nil, text
}

// readDate makes a date of the named parts of a form.
func readDate(part func(string) string, now time.Time, zone *time.Location) (dated, bool) {
	switch unit := part("unit"); {
	case part("ago") != "":
		n := slices.Index([]string{"", "one", "two", "three", "four", "five", "six"}, part("ago"))
		if n < 0 {
			n, _ = strconv.Atoi(part("ago"))
		}
		if strings.HasPrefix(part("ago"), "a") {
			n = 1
		}
		return stretchOf(unit, n, now, zone)
	case part("which") == "last":
		return stretchOf(unit, 1, now, zone)
	case part("which") == "this", unit == "today":
		return stretchOf(unit, 0, now, zone)
	case unit == "yesterday":
		return stretchOf("day", 1, now, zone)
	}
	month := part("number")
	if name := part("month"); name != "" {
		month = strconv.Itoa(1 + slices.Index(months, name[:3]))
	}
	text := cmp.Or(part("year"), strconv.Itoa(now.Year()))
	for _, p := range []string{month, part("day")} {
		if p != "" {
			text += "-" + strings.Repeat("0", max(0, 2-len(p))) + p
		}
	}
	d, err := temporal.ParseDate(text, zone)
	if err == nil && part("year") == "" && d.At > temporal.At(now) {
		d, err = temporal.ParseDate(strconv.Itoa(now.Year()-1)+text[4:], zone)
	}
	if err != nil {
		return dated{}, false
	}
	return dated{Date: d, span: temporal.Period{From: d.At, To: d.Next(zone).At}}, true
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// stretchOf returns the day, week, month or year that lies n of them before now. Weeks begin on Monday.
func stretchOf(unit string, n int, now time.Time, zone *time.Location) (dated, bool) {
	layout, from, to := time.DateOnly, now, 1
	switch unit {
	case "day", "today":
		from = now.AddDate(0, 0, -n)
	case "week":
		from, to = now.AddDate(0, 0, -7*n-(int(now.Weekday())+6)%7), 7
	case "month":
		layout, from = "2006-01", time.Date(now.Year(), now.Month()-time.Month(n), 1, 12, 0, 0, 0, zone)
	case "year":
		layout, from = "2006", now.AddDate(-n, 0, 0)
	}
	d, err := temporal.ParseDate(from.Format(layout), zone)
	if err != nil {
		return dated{}, false
	}
	end := d
	for range to {
		end = end.Next(zone)
	}
	return dated{Date: d, span: temporal.Period{From: d.At, To: end.At}}, true
}
