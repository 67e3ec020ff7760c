package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tenure/temporal"
)

// when is a date as a text gives it, before it is read against the time the text is from. One of year, month, weekday and
// unit is set; a month and day may stand with or without a year.
type when struct {
	year, month, day int
	weekday          int    // 1 Monday … 7 Sunday
	unit             string // hour, day, week, month, year: shift of them from now
	shift            int
	turn             turn // of a month or weekday without a year
	end              bool // "the end of": where the period ends
}

// turn says which of the recurring months or weekdays is meant.
type turn int

const (
	nearest turn = iota // the nearest in the direction of the statement's tense
	this
	last
	next
)

var months = index("january february march april may june july august september october november december")
var monthsShort = index("jan feb mar apr may jun jul aug sep oct nov dec")
var weekdays = index("monday tuesday wednesday thursday friday saturday sunday")
var numbers = index("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
var units = map[string]string{"hour": "hour", "hours": "hour", "day": "day", "days": "day", "week": "week", "weeks": "week", "fortnight": "fortnight",
	"month": "month", "months": "month", "year": "year", "years": "year", "decade": "decade", "decades": "decade"}

// index numbers words from 1.
func index(words string) map[string]int {
	m := map[string]int{}
	for i, w := range strings.Fields(words) {
		m[w] = i + 1
	}
	return m
}

// dateForms are the ways to write a date, those that say more first.
var dateForms = [...]func(dates, int) (when, int, bool){
	dates.iso, dates.monthFirst, dates.dayFirst, dates.season, dates.yearOnly, dates.weekdayName, dates.turned, dates.counted, dates.named,
}

// dates reads dates from tokens.
type dates struct{ toks []token }

func (d dates) low(i int) string {
	if i < 0 || i >= len(d.toks) || d.toks[i].quoted {
		return ""
	}
	return d.toks[i].low
}

// read returns the date that begins at token i and where it ends.
func (d dates) read(i int) (when, int, bool) {
	if d.low(i) == "the" {
		i++
	}
	for _, part := range [...]string{"end", "beginning", "start", "middle"} {
		if d.low(i) == part && d.low(i+1) == "of" {
			w, end, ok := d.read(i + 2)
			w.end = part == "end"
			return w, end, ok && !(w.end && (w.unit == "hour" || w.unit == "week"))
		}
	}
	if low := d.low(i); low == "early" || low == "mid" || low == "late" {
		w, end, ok := d.read(i + 1)
		return w, end, ok && w.day == 0 && (w.year > 0 || w.month > 0)
	}
	for _, form := range dateForms {
		if w, end, ok := form(d, i); ok {
			return w, d.clock(end), true
		}
	}
	return when{}, i, false
}

// iso reads 2026-06-15, 2026-06 and 2026/06/15. Other figures with slashes or dots mean different days in different
// countries and are no dates.
func (d dates) iso(i int) (when, int, bool) {
	parts := strings.FieldsFunc(d.low(i), func(r rune) bool { return r == '-' || r == '/' })
	if len(parts) < 2 || len(parts) > 3 || len(parts[0]) != 4 {
		return when{}, i, false
	}
	var n [3]int
	for k, part := range parts {
		v, err := strconv.Atoi(part)
		if err != nil || v < 1 || k > 0 && len(part) != 2 {
			return when{}, i, false
		}
		n[k] = v
	}
	w := when{year: n[0], month: n[1], day: n[2]}
	return w, i + 1, w.legal()
}

// monthFirst reads "June", "June 2026", "June 15", "June 15th, 2026".
func (d dates) monthFirst(i int) (when, int, bool) {
	m, i, ok := d.monthName(i)
	if !ok {
		return when{}, i, false
	}
	w := when{month: m}
	if day, ok := d.dayNumber(i); ok {
		w.day = day
		i++
	}
	w.year, i = d.yearAfter(i)
	return w, i, w.legal()
}

// dayFirst reads "15 June", "15th of June 2026".
func (d dates) dayFirst(i int) (when, int, bool) {
	day, ok := d.dayNumber(i)
	if !ok {
		return when{}, i, false
	}
	i++
	if d.low(i) == "of" {
		i++
	}
	m, i, ok := d.monthName(i)
	if !ok {
		return when{}, i, false
	}
	w := when{month: m, day: day}
	w.year, i = d.yearAfter(i)
	return w, i, w.legal()
}

// monthName reads a month; a short one may have a full stop, and needs a figure beside it (the caller's day, or one after).
func (d dates) monthName(i int) (int, int, bool) {
	if m, ok := months[d.low(i)]; ok {
		return m, i + 1, true
	}
	low := d.low(i)
	if low == "sept" {
		low = "sep"
	}
	m, ok := monthsShort[low]
	if !ok {
		return 0, i, false
	}
	i++
	if d.low(i) == "." {
		i++
	}
	_, day := d.dayNumber(i)
	year, _ := d.yearAfter(i)
	before := i >= 2 && digitAt(d.low(i-2))
	return m, i, day || year > 0 || before
}

// dayNumber reads 1 to 31, "3rd" too.
func (d dates) dayNumber(i int) (int, bool) {
	low := d.low(i)
	for _, suffix := range [...]string{"st", "nd", "rd", "th"} {
		low = strings.TrimSuffix(low, suffix)
	}
	n, err := strconv.Atoi(low)
	return n, err == nil && len(low) <= 2 && n >= 1 && n <= 31
}

// yearAfter reads a year at token i, perhaps after a comma or "of"; 0 if there is none.
func (d dates) yearAfter(i int) (int, int) {
	at := i
	if d.low(at) == "," || d.low(at) == "of" {
		at++
	}
	if y, ok := year(d.low(at)); ok {
		return y, at + 1
	}
	return 0, i
}

// year reads a year that no count is likely to be.
func year(low string) (int, bool) {
	n, err := strconv.Atoi(low)
	return n, err == nil && len(low) == 4 && n >= 1800 && n <= 2199
}

func (d dates) yearOnly(i int) (when, int, bool) {
	low := d.low(i)
	for _, part := range [...]string{"early-", "mid-", "late-"} {
		low = strings.TrimPrefix(low, part)
	}
	y, ok := year(low)
	return when{year: y}, i + 1, ok
}

// season reads "summer 2025", "the summer of 2025" and "Q3 2026". A season is no more precise than its year.
func (d dates) season(i int) (when, int, bool) {
	switch low := d.low(i); low {
	case "spring", "summer", "autumn", "fall", "winter":
		y, end := d.yearAfter(i + 1)
		return when{year: y}, end, y > 0
	case "q1", "q2", "q3", "q4":
		y, end := d.yearAfter(i + 1)
		return when{year: y, month: 3*int(low[1]-'1') + 1}, end, y > 0
	}
	return when{}, i, false
}

func (d dates) weekdayName(i int) (when, int, bool) {
	n, ok := weekdays[d.low(i)]
	return when{weekday: n}, i + 1, ok
}

// turned reads "last month", "next Monday", "this year", "last June".
func (d dates) turned(i int) (when, int, bool) {
	var t turn
	shift := 0
	switch d.low(i) {
	case "last", "past", "previous":
		t, shift = last, -1
	case "next", "coming":
		t, shift = next, 1
	case "this":
		t = this
	default:
		return when{}, i, false
	}
	if w, end, ok := d.monthFirst(i + 1); ok && w.year == 0 && w.day == 0 {
		w.turn = t
		return w, end, true
	}
	if w, end, ok := d.weekdayName(i + 1); ok {
		w.turn = t
		return w, end, true
	}
	switch low := d.low(i + 1); {
	case low == "week" || low == "month" || low == "year":
		return when{unit: low, shift: shift}, i + 2, true
	case t == last && low == "night":
		return when{unit: "day", shift: -1}, i + 2, true
	case t == this && (low == "morning" || low == "afternoon" || low == "evening"):
		return when{unit: "day"}, i + 2, true
	}
	return when{}, i, false
}

// counted reads "two weeks ago", "a year ago", "three months from now".
func (d dates) counted(i int) (when, int, bool) {
	n, unit, end, ok := d.span(i)
	if !ok {
		return when{}, i, false
	}
	switch {
	case d.low(end) == "ago":
		return when{unit: unit, shift: -n}, end + 1, true
	case d.low(end) == "from" && d.low(end+1) == "now":
		return when{unit: unit, shift: n}, end + 2, true
	}
	return when{}, i, false
}

// span reads a length of time: "two weeks", "a year", "10 days".
func (d dates) span(i int) (n int, unit string, end int, ok bool) {
	low := d.low(i)
	n, err := strconv.Atoi(low)
	switch {
	case err == nil && n > 0 && n < 1000:
	case low == "a" || low == "an":
		n = 1
		if d.low(i+1) == "couple" && d.low(i+2) == "of" {
			n, i = 2, i+2
		}
	default:
		if n = numbers[low]; n == 0 {
			return 0, "", i, false
		}
	}
	unit, ok = units[d.low(i+1)]
	switch unit {
	case "fortnight":
		n, unit = 2*n, "week"
	case "decade":
		n, unit = 10*n, "year"
	}
	return n, unit, i + 2, ok
}

// named reads "yesterday" and its like.
func (d dates) named(i int) (when, int, bool) {
	switch d.low(i) {
	case "today", "tonight":
		return when{unit: "day"}, i + 1, true
	case "yesterday":
		return when{unit: "day", shift: -1}, i + 1, true
	case "tomorrow":
		return when{unit: "day", shift: 1}, i + 1, true
	case "day":
		if d.low(i+1) == "before" && d.low(i+2) == "yesterday" {
			return when{unit: "day", shift: -2}, i + 3, true
		}
		if d.low(i+1) == "after" && d.low(i+2) == "tomorrow" {
			return when{unit: "day", shift: 2}, i + 3, true
		}
	}
	return when{}, i, false
}

// clock skips a time of day after a date ("at 5pm", "at 09:30"): windows are no finer than the day.
func (d dates) clock(i int) int {
	at := i
	if d.low(at) == "at" || d.low(at) == "around" {
		at++
	}
	low := d.low(at)
	if at == i || !(digitAt(low) && (strings.HasSuffix(low, "am") || strings.HasSuffix(low, "pm") || strings.Contains(low, ":")) || low == "noon" || low == "midnight") {
		return i
	}
	return at + 1
}

func (w when) legal() bool {
	if w.month > 12 || w.year > 9998 {
		return false
	}
	if w.day == 0 {
		return true
	}
	y := w.year
	if y == 0 {
		y = 2024 // a leap year: 29 February is a date
	}
	t := time.Date(y, time.Month(w.month), w.day, 0, 0, 0, 0, time.UTC)
	return t.Day() == w.day
}

// dated formats the start of a year, month or day for temporal.ParseDate.
func dated(year, month, day int) string {
	switch {
	case month == 0:
		return fmt.Sprintf("%04d", year)
	case day == 0:
		return fmt.Sprintf("%04d-%02d", year, month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// at makes the Date of a calendar date; false if there is none.
func at(year, month, day int, zone *time.Location) (temporal.Date, bool) {
	if year < 1 || year > 9998 {
		return temporal.Date{}, false
	}
	d, err := temporal.ParseDate(dated(year, month, day), zone)
	return d, err == nil
}
