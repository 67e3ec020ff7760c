package rules

import (
	"time"

	"tenure/temporal"
)

// resolve reads w against the time a text is from. toward is the direction of the statement's tense, for months and weekdays
// that recur: -1 the past, 1 the future. Without a time only a date with a year can be read.
func (w when) resolve(from temporal.Instant, zone *time.Location, toward int) (temporal.Date, bool) {
	date, ok := w.start(from, zone, toward)
	if ok && w.end {
		date = date.Next(zone)
		ok = date.At != temporal.Forever
	}
	return date, ok
}

func (w when) start(from temporal.Instant, zone *time.Location, toward int) (temporal.Date, bool) {
	if w.year > 0 {
		return at(w.year, w.month, w.day, zone)
	}
	if from.IsZero() || from == temporal.Forever {
		return temporal.Date{}, false
	}
	if zone == nil {
		zone = time.UTC
	}
	now := from.Time().In(zone)
	switch {
	case w.month > 0:
		return w.ofYear(now, zone, toward)
	case w.weekday > 0:
		return w.ofWeek(now, zone, toward)
	}
	return w.shifted(from, now, zone)
}

// ofYear resolves a month, perhaps with a day, that has no year.
func (w when) ofYear(now time.Time, zone *time.Location, toward int) (temporal.Date, bool) {
	year, month, day := now.Date()
	order := func(m, d int) int { return 32*m + d }
	here, mine := order(int(month), 0), order(w.month, 0) // a month is compared with the month it is
	if w.day > 0 {
		here, mine = order(int(month), day), order(w.month, w.day)
	}
	switch {
	case w.turn == last && mine >= here, w.turn == nearest && toward < 0 && mine > here:
		year--
	case w.turn == next && mine <= here, w.turn == nearest && toward > 0 && (mine < here || mine == here && w.day == 0):
		year++
	}
	if !(when{year: year, month: w.month, day: w.day}).legal() { // 29 February
		return temporal.Date{}, false
	}
	return at(year, w.month, w.day, zone)
}

func (w when) ofWeek(now time.Time, zone *time.Location, toward int) (temporal.Date, bool) {
	days := w.weekday - monday(now) // to that day of this week
	switch {
	case w.turn == last && days >= 0, w.turn == nearest && toward < 0 && days > 0:
		days -= 7
	case w.turn == next && days <= 0, w.turn == nearest && toward > 0 && days < 0:
		days += 7
	}
	return onDay(now.AddDate(0, 0, days), zone)
}

// shifted resolves a number of units from now. A week has no precision of its own: "last week" is its Monday, "two weeks
// ago" the day.
func (w when) shifted(from temporal.Instant, now time.Time, zone *time.Location) (temporal.Date, bool) {
	switch w.unit {
	case "hour":
		hour := from.Add(time.Duration(w.shift) * time.Hour).Time().In(zone)
		hour = hour.Add(-time.Duration(hour.Minute())*time.Minute - time.Duration(hour.Second())*time.Second - time.Duration(hour.Nanosecond()))
		return temporal.Date{At: temporal.At(hour), Precision: temporal.Hour}, true
	case "day":
		return onDay(now.AddDate(0, 0, w.shift), zone)
	case "week":
		if w.shift*w.shift <= 1 {
			now = now.AddDate(0, 0, 1-monday(now))
		}
		return onDay(now.AddDate(0, 0, 7*w.shift), zone)
	case "month":
		first := time.Date(now.Year(), now.Month(), 1, 12, 0, 0, 0, time.UTC).AddDate(0, w.shift, 0)
		return at(first.Year(), int(first.Month()), 0, zone)
	case "year":
		return at(now.Year()+w.shift, 0, 0, zone)
	}
	return temporal.Date{}, false
}

func onDay(t time.Time, zone *time.Location) (temporal.Date, bool) {
	return at(t.Year(), int(t.Month()), t.Day(), zone)
}

// monday numbers the days of the week from Monday 1 to Sunday 7.
func monday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }
