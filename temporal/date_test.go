package temporal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"tenure/temporal"
)

// zones have clocks that go wrong at midnight: it is skipped (São Paulo), comes twice (Havana), comes twice with some of
// the day before in between (St. John's), shifts by half an hour (Lord Howe), or a whole day is skipped (Apia) or comes twice (Juneau).
var zones = []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "America/St_Johns",
	"Australia/Lord_Howe", "Africa/Monrovia", "Pacific/Apia", "America/Juneau"}

func TestParseDate(t *testing.T) {
	for _, tt := range []struct{ in, zone, want string }{
		{"2026", "UTC", "2026-01-01T00:00:00Z year"},
		{"2026-06", "UTC", "2026-06-01T00:00:00Z month"},
		{"2026-06-15", "UTC", "2026-06-15T00:00:00Z day"},
		{"2024-02-29", "UTC", "2024-02-29T00:00:00Z day"},
		{"2026-06-15T09:30:00+02:00", "UTC", "2026-06-15T07:30:00Z exact"},
		{"2026-06-15T09:30:00.0000019Z", "Europe/Berlin", "2026-06-15T09:30:00.000001Z exact"},

		{"2026", "Europe/Berlin", "2025-12-31T23:00:00Z year"},
		{"2026-06", "Europe/Berlin", "2026-05-31T22:00:00Z month"},
		{"2026-06-15", "Europe/Berlin", "2026-06-14T22:00:00Z day"},

		{"2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z day"}, // begins at 01:00
		{"2016-11-06", "America/Havana", "2016-11-06T04:00:00Z day"},    // its first hour comes twice
		{"2010-11-07", "America/St_Johns", "2010-11-07T02:30:00Z day"},  // one minute of it, an hour of the day before, the rest
		{"2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z day"},      // skipped
		{"2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00Z day"},
		{"1972-01-07", "Africa/Monrovia", "1972-01-07T00:44:30Z day"}, // begins at 00:44:30

		{"0001", "UTC", "0001-01-01T00:00:00Z year"},
		{"0001-01-02", "Europe/Berlin", "0001-01-01T23:06:32Z day"},
		{"9998-12-31", "UTC", "9998-12-31T00:00:00Z day"},
		{"9998-12", "America/St_Johns", "9998-12-01T03:30:00Z month"},
	} {
		got, err := temporal.ParseDate(tt.in, location(t, tt.zone))
		if err != nil || fmt.Sprintf("%v %s", got.At, got.Precision) != tt.want {
			t.Errorf("ParseDate(%q, %s) = %v, %v, want %s", tt.in, tt.zone, got, err, tt.want)
		}
	}

	for _, in := range refusedTimes {
		got, err := temporal.ParseDate(in, time.UTC)
		if err == nil || got != (temporal.Date{}) {
			t.Errorf("ParseDate(%q) = %v, %v, want an error", in, got, err)
			continue
		}
		if want := "want RFC 3339 with an offset, or 2026, 2026-06, 2026-06-15; years 0001 to 9998"; err.Error() != want {
			t.Errorf("ParseDate(%q) says %q, want %q", in, err, want)
		}
	}

	for _, tt := range []struct {
		in     string
		offset int
	}{{"0001", 1}, {"0001-01", 1}, {"0001-01-01", 1}, {"9999", 1}, {"9999-01-01", 1}, {"0000-12-31", -86_399}, {"9998-12-31", -86_400}} {
		if got, err := temporal.ParseDate(tt.in, time.FixedZone("", tt.offset)); err == nil {
			t.Errorf("ParseDate(%q) at offset %d s = %v, want an error", tt.in, tt.offset, got)
		}
	}

	t.Run("no zone is UTC", func(t *testing.T) {
		got, err := temporal.ParseDate("2026-06-15", nil)
		if want := at(t, "2026-06-15T00:00:00Z"); err != nil || got.At != want {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
		if got := got.Format(nil); got != "15 June 2026" {
			t.Errorf("Format = %q", got)
		}
		if got, want := got.Next(nil).At, at(t, "2026-06-16T00:00:00Z"); got != want {
			t.Errorf("Next = %v, want %v", got, want)
		}
	})
}

func TestDateNext(t *testing.T) {
	for _, tt := range []struct{ in, zone, want string }{
		{"2026", "UTC", "2027"},
		{"2026-06", "UTC", "2026-07"},
		{"2026-12", "Europe/Berlin", "2027-01"},
		{"2026-02-28", "UTC", "2026-03-01"},
		{"2024-02-28", "UTC", "2024-02-29"},
		{"2026-12-31", "Europe/Berlin", "2027-01-01"},
		{"2040-12-31", "Europe/Berlin", "2041-01-01"}, // the last day of a leap year known only by rule
		{"2026-03-29", "Europe/Berlin", "2026-03-30"}, // of 23 hours
		{"2018-11-03", "America/Sao_Paulo", "2018-11-04"},
		{"2018-11-04", "America/Sao_Paulo", "2018-11-05"},
		{"2016-11-06", "America/Havana", "2016-11-07"},
		{"2010-11-06", "America/St_Johns", "2010-11-07"},
		{"2010-11-07", "America/St_Johns", "2010-11-08"},
		{"2011-12-29", "Pacific/Apia", "2011-12-31"},
		{"2026-06-15T09:30:00Z", "UTC", "2026-06-15T09:30:00.000001Z"},
	} {
		loc := location(t, tt.zone)
		if got, want := date(t, tt.in, loc).Next(loc), date(t, tt.want, loc); got != want {
			t.Errorf("Next of %s in %s = %v, want %v", tt.in, tt.zone, got, want)
		}
	}

	for _, tt := range []struct {
		name     string
		in, want temporal.Date
	}{
		{"hour", temporal.Date{At: at(t, "2026-06-15T09:00:00Z"), Precision: temporal.Hour}, temporal.Date{At: at(t, "2026-06-15T10:00:00Z"), Precision: temporal.Hour}},
		{"no precision is exact", temporal.Date{At: at(t, "2026-06-15T09:00:00Z")}, temporal.Date{At: at(t, "2026-06-15T09:00:00.000001Z")}},
		{"unknown", temporal.Date{Precision: temporal.Unknown}, temporal.Date{Precision: temporal.Unknown}},
		{"no time", temporal.Date{Precision: temporal.Year}, temporal.Date{Precision: temporal.Year}},
		{"last year", date(t, "9998", time.UTC), temporal.Date{At: temporal.Forever, Precision: temporal.Year}},
		{"last day", date(t, "9998-12-31", time.UTC), temporal.Date{At: temporal.Forever, Precision: temporal.Day}},
		{"last microsecond", temporal.Date{At: temporal.At(lastTime), Precision: temporal.Exact}, temporal.Date{At: temporal.Forever, Precision: temporal.Exact}},
		{"forever, by days", temporal.Date{At: temporal.Forever, Precision: temporal.Day}, temporal.Date{At: temporal.Forever, Precision: temporal.Day}},
		{"forever, by hours", temporal.Date{At: temporal.Forever, Precision: temporal.Hour}, temporal.Date{At: temporal.Forever, Precision: temporal.Hour}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			diff(t, tt.in.Next(time.UTC), tt.want)
		})
	}
}

func TestDateFormat(t *testing.T) {
	berlin := location(t, "Europe/Berlin")
	for _, tt := range []struct {
		in   temporal.Date
		want string
	}{
		{date(t, "2026", berlin), "2026"},
		{date(t, "0476", berlin), "0476"},
		{date(t, "2026-06", berlin), "June 2026"},
		{date(t, "2026-06-15", berlin), "15 June 2026"},
		{date(t, "2026-06-05", berlin), "5 June 2026"},
		{temporal.Date{At: at(t, "2026-06-15T07:00:00Z"), Precision: temporal.Hour}, "15 June 2026, 09:00"},
		{date(t, "2026-06-15T07:30:59Z", berlin), "15 June 2026, 09:30"},
		{temporal.Date{At: at(t, "2026-06-15T07:30:00Z")}, "15 June 2026, 09:30"},
		{temporal.Date{Precision: temporal.Unknown}, ""},
		{temporal.Date{}, ""},
		{temporal.Date{At: temporal.Forever, Precision: temporal.Year}, "forever"},
	} {
		if got := tt.in.Format(berlin); got != tt.want {
			t.Errorf("Format of %v = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func ExampleDate_Format() {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		fmt.Println(err)
		return
	}
	june, err := temporal.ParseDate("2026-06", berlin)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("since", june.Format(berlin))
	fmt.Println(june.At, "until", june.Next(berlin).At)
	// Output:
	// since June 2026
	// 2026-05-31T22:00:00Z until 2026-06-30T22:00:00Z
}

// A day begins at the first instant at which its clocks show it or a later day.
func TestDayBegins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loc := location(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		day := midnights(loc).Draw(t, "day")
		in := day.Format(time.DateOnly)
		got, err := temporal.ParseDate(in, loc)
		if err != nil {
			t.Fatalf("ParseDate(%s): %v", in, err)
		}
		start := got.At.Time()
		if shows := clockOf(start, loc); shows.Before(day) {
			t.Fatalf("%s begins at %v, when the clocks show %v", in, start, shows)
		}
		if shows := clockOf(start.Add(-time.Microsecond), loc); !shows.Before(day) {
			t.Fatalf("%s begins at %v, but just before the clocks show %v", in, start, shows)
		}
		for earlier := start; earlier.After(day.Add(-50 * time.Hour)); earlier = earlier.Add(-5 * time.Minute) {
			if shows := clockOf(earlier, loc); earlier.Before(start) && !shows.Before(day) {
				t.Fatalf("%s begins at %v, but at %v the clocks show %v", in, start, earlier, shows)
			}
		}
	})
}

// Next leads to where the following period begins: the days of a month end where it ends, the months of a year likewise.
func TestDateNextWalks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loc := location(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		year, month := rapid.IntRange(1850, 2100).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month")
		for _, tt := range []struct{ whole, part string }{
			{fmt.Sprintf("%04d", year), fmt.Sprintf("%04d-01", year)},
			{fmt.Sprintf("%04d-%02d", year, month), fmt.Sprintf("%04d-%02d-01", year, month)},
		} {
			end := date(t, tt.whole, loc).Next(loc).At
			part := date(t, tt.part, loc)
			for part.At < end {
				next := part.Next(loc)
				if next.At <= part.At || next.Precision != part.Precision {
					t.Fatalf("after %v comes %v", part, next)
				}
				part = next
			}
			if part.At != end {
				t.Errorf("%s ends at %v, its last %s at %v", tt.whole, end, part.Precision, part.At)
			}
		}
	})
}

func FuzzParseDate(f *testing.F) {
	for i, s := range append([]string{"2026", "2026-06", "2026-06-15", "2024-02-29", "2018-11-04", "0001", "9998-12-31", "2026-06-15T09:30:00+02:00"}, refusedTimes...) {
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, s string, zone uint8) {
		loc := location(t, zones[int(zone)%len(zones)])
		got, err := temporal.ParseDate(s, loc)
		if exact, ok := readInstant(s); ok {
			if want := (temporal.Date{At: exact, Precision: temporal.Exact}); err != nil || got != want {
				t.Fatalf("ParseDate(%q) = %v, %v, want %v", s, got, err, want)
			}
			return
		}
		day, precision, ok := readDay(s)
		if !ok {
			if err == nil {
				t.Fatalf("ParseDate(%q) = %v, want an error", s, got)
			}
			return
		}
		if err != nil {
			if day.Year() > 1 && day.Year() < 9999 {
				t.Fatalf("ParseDate(%q) refuses: %v", s, err)
			}
			return
		}
		if got.Precision != precision || clockOf(got.At.Time(), loc).Before(day) {
			t.Fatalf("ParseDate(%q) = %v, want the start of the %s in %v", s, got, precision, loc)
		}
		if next := got.Next(loc); next.At <= got.At {
			t.Errorf("after %v comes %v", got, next)
		}
		if got.Format(loc) == "" {
			t.Errorf("Format of %v is empty", got)
		}
	})
}

// readDay reads a partial date by another way: what it stands for begins with a day that formats as it.
func readDay(s string) (time.Time, temporal.Precision, bool) {
	precision, ok := map[int]temporal.Precision{4: temporal.Year, 7: temporal.Month, 10: temporal.Day}[len(s)]
	if !ok {
		return time.Time{}, "", false
	}
	var year, month, day int
	full := s + strings.TrimPrefix("0000-01-01", "0000-01-01"[:len(s)])
	if _, err := fmt.Sscanf(full, "%4d-%2d-%2d", &year, &month, &day); err != nil {
		return time.Time{}, "", false
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t, precision, year > 0 && t.Format(time.DateOnly) == full
}

// clockOf returns what the clocks of loc show at t, as if it were UTC.
func clockOf(t time.Time, loc *time.Location) time.Time {
	_, offset := t.In(loc).Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// midnights draws days in UTC: any, or one near a change of the clocks of loc.
func midnights(loc *time.Location) *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		day := time.Date(rapid.IntRange(1850, 2100).Draw(t, "year"), time.January, rapid.IntRange(1, 366).Draw(t, "day"), 0, 0, 0, 0, time.UTC)
		if _, change := day.In(loc).ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "near a change") {
			day = change.UTC().Truncate(24*time.Hour).AddDate(0, 0, rapid.IntRange(-1, 1).Draw(t, "days after"))
		}
		return day
	})
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func location(t fataler, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return loc
}

func date(t fataler, s string, loc *time.Location) temporal.Date {
	t.Helper()
	d, err := temporal.ParseDate(s, loc)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return d
}
