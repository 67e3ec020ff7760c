package temporal

import (
	"errors"
	"sort"
	"time"
)

// Precision says how exactly a time was stated. The zero Precision means Exact.
type Precision string

const (
	Exact   Precision = "exact"
	Hour    Precision = "hour"
	Day     Precision = "day"
	Month   Precision = "month"
	Year    Precision = "year"
	Unknown Precision = "unknown" // of a zero Instant only
)

// Date is a time with its precision: At is the start of the stated hour, day, month or year.
type Date struct {
	At        Instant
	Precision Precision
}

var errDate = errors.New("want RFC 3339 with an offset, or 2026, 2026-06, 2026-06-15; years 0001 to 9998")

// ParseDate reads what ParseInstant accepts as exact, and "2026", "2026-06" or "2026-06-15" as the start of that year, month
// or day in loc (nil is UTC). A day that does not begin at midnight in loc begins at its first instant; one that loc skips,
// where the next begins. Years are 0001 to 9998, as written and in UTC. Errors do not contain s.
func ParseDate(s string, loc *time.Location) (Date, error) {
	var precision Precision
	var layout string
	switch len(s) {
	case len("2026"):
		precision, layout = Year, "2006"
	case len("2026-06"):
		precision, layout = Month, "2006-01"
	case len("2026-06-15"):
		precision, layout = Day, "2006-01-02"
	default:
		i, err := ParseInstant(s)
		if err != nil {
			return Date{}, errDate
		}
		return Date{At: i, Precision: Exact}, nil
	}
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() > 9998 {
		return Date{}, errDate // not err: it echoes the value
	}
	start := startOfDay(t.Year(), t.Month(), t.Day(), loc)
	if start.IsZero() || start == Forever {
		return Date{}, errDate
	}
	return Date{At: start, Precision: precision}, nil
}

// Next returns the start of the period after d, at the same precision; an exact time is one microsecond long. loc is the zone
// d was read in (nil is UTC). What would begin after the last legal time is Forever; an unknown date stays unknown.
func (d Date) Next(loc *time.Location) Date {
	if d.At.IsZero() {
		return d
	}
	year, month, day := d.At.Time().In(zone(loc)).Date()
	switch d.Precision {
	case Year:
		d.At = startOfDay(year+1, time.January, 1, loc)
	case Month:
		d.At = startOfDay(year, month+1, 1, loc)
	case Day:
		d.At = startOfDay(year, month, day+1, loc)
	case Hour:
		d.At = d.At.Add(time.Hour)
	default:
		d.At = d.At.Add(time.Microsecond)
	}
	return d
}

// Format returns d as a person would write it: "2026", "June 2026", "15 June 2026", and for hours and exact times
// "15 June 2026, 09:30"; "" for an unknown date, "forever" for Forever. loc is the zone d was read in (nil is UTC).
func (d Date) Format(loc *time.Location) string {
	if d.At.IsZero() || d.At == Forever {
		return d.At.String()
	}
	layout := "2 January 2006, 15:04"
	switch d.Precision {
	case Year:
		layout = "2006"
	case Month:
		layout = "January 2006"
	case Day:
		layout = "2 January 2006"
	}
	return d.At.Time().In(zone(loc)).Format(layout)
}

// startOfDay returns the first instant at which the clocks of loc show the given day or a later one. It asks only for offsets:
// time.Date leaves open what it makes of a midnight that is skipped or comes twice, and Time.ZoneBounds errs on 31 December
// of leap years.
func startOfDay(year int, month time.Month, day int, loc *time.Location) Instant {
	midnight := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	t := midnight.Add(-48 * time.Hour).In(zone(loc)) // the day before, or earlier, in every zone
	for {
		_, offset := t.Zone()
		start := midnight.Add(time.Duration(-offset) * time.Second)
		if start.Before(t) {
			return At(t) // the clocks were put forward, past midnight
		}
		seconds := int(start.Sub(t) / time.Second)
		change := sort.Search(seconds+1, func(s int) bool {
			_, later := t.Add(time.Duration(s) * time.Second).Zone()
			return later != offset
		})
		if change > seconds {
			return At(start)
		}
		t = t.Add(time.Duration(change) * time.Second)
	}
}

func zone(loc *time.Location) *time.Location {
	if loc == nil {
		return time.UTC
	}
	return loc
}
