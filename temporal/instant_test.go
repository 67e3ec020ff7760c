package temporal_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tenure/temporal"
)

// firstTime and lastTime bound the legal times; both are legal.
var (
	firstTime = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(9998, time.December, 31, 23, 59, 59, 999_999_000, time.UTC)
)

// wantInstant is what is said of anything refused, whatever it was: an error that contained the value would differ.
const wantInstant = "want RFC 3339 with an offset, years 0001 to 9998"

// refusedTimes are accepted by no parser of this package.
var refusedTimes = []string{
	"", " ", "2026-02-30", "2026-02-29", "2026-00", "2026-13", "2026-06-00", "2026-06-31", "2026-6-1", "2026-6", "0000", "0000-12-31",
	"9999", "10000", "10000-01-01", "-0001", "-001", "+202", " 2026", "2026 ", "2026\n", "2026\x00", "２０２６", "2026-W10", "2026-W10-1", "2026-166",
	"20260615", "2026/06/15", "15-06-2026", "06-15-2026", "yesterday", "now", "unknown", "null", "1718444400",
	"2026-06-15T09:30:00", "2026-06-15 09:30", "2026-06-15 09:30:00Z", "2026-06-15T09:30Z", "2026-06-15T9:30:00Z",
	"2026-06-15t09:30:00Z", "2026-06-15T09:30:00z", "2026-06-15T25:00:00Z", "2026-06-15T24:00:00Z", "2026-06-15T09:60:00Z",
	"2026-06-15T09:30:60Z", "2016-12-31T23:59:60Z", "2026-06-15T09:30:00.Z", "2026-06-15T09:30:00,5Z", "2026-06-15T09:30:00.5",
	"2026-06-15T09:30:00+25:00", "2026-06-15T09:30:00+24:00", "2026-06-15T09:30:00+01:60", "2026-06-15T09:30:00+0100",
	"2026-06-15T09:30:00+01", "2026-06-15T09:30:00 Z", "2026-06-15T09:30:00Z ", "2026-06-15T09:30:00Z\x00", "2026-06-15T09:30:00Z\n",
	"2026-02-30T09:30:00Z", "2026-06-15T09:30:00ZZ", "2026-06-15T09:30:00CEST", "2026-06-15T09:30:00\u221201:00",
	"10000-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "-0001-01-01T00:00:00Z",
	"0001-01-01T00:00:00+00:01", "9998-12-31T23:59:59-00:01",
}

func TestParseInstant(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"2026-06-15T09:30:00Z", "2026-06-15T09:30:00Z"},
		{"2026-06-15T09:30:00+02:00", "2026-06-15T07:30:00Z"},
		{"2026-06-15T09:30:00-00:00", "2026-06-15T09:30:00Z"},
		{"2026-06-15T00:00:00+23:59", "2026-06-14T00:01:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"2026-06-15T09:30:00.000000Z", "2026-06-15T09:30:00Z"},
		{"2026-06-15T09:30:00.120Z", "2026-06-15T09:30:00.12Z"},
		{"2026-06-15T09:30:00.123456999Z", "2026-06-15T09:30:00.123456Z"},
		{"2026-06-15T09:30:00.9999999999999Z", "2026-06-15T09:30:00.999999Z"},
		{"1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"0000-12-31T23:30:00-01:00", "0001-01-01T00:30:00Z"},
		{"9999-01-01T00:30:00+01:00", "9998-12-31T23:30:00Z"},
		{"9998-12-31T23:59:59.999999Z", "9998-12-31T23:59:59.999999Z"},
	} {
		got, err := temporal.ParseInstant(tt.in)
		if err != nil || got.String() != tt.want {
			t.Errorf("ParseInstant(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}

	for _, in := range append([]string{"2026", "2026-06", "2026-06-15"}, refusedTimes...) {
		got, err := temporal.ParseInstant(in)
		if err == nil || got != 0 {
			t.Errorf("ParseInstant(%q) = %v, %v, want an error", in, got, err)
			continue
		}
		if err.Error() != wantInstant {
			t.Errorf("ParseInstant(%q) says %q, want %q", in, err, wantInstant)
		}
	}
}

func TestAt(t *testing.T) {
	berlin := location(t, "Europe/Berlin")
	for _, tt := range []struct {
		name string
		in   time.Time
		want string
	}{
		{"drops the zone", time.Date(2026, time.June, 15, 9, 30, 0, 0, berlin), "2026-06-15T07:30:00Z"},
		{"floors to the microsecond", time.Date(2026, time.June, 15, 9, 30, 0, 1_999, time.UTC), "2026-06-15T09:30:00.000001Z"},
		{"floors before 1970 too", time.Date(1969, time.December, 31, 23, 59, 59, 999_999_999, time.UTC), "1969-12-31T23:59:59.999999Z"},
		{"takes the zero time as the first", time.Time{}, "0001-01-01T00:00:00Z"},
		{"takes the last", lastTime, "9998-12-31T23:59:59.999999Z"},
		{"knows no time before the first", firstTime.Add(-1), ""},
		{"goes by UTC at the first year", time.Date(1, time.January, 1, 0, 0, 0, 0, time.FixedZone("", 60)), ""},
		{"knows no time after the last", lastTime.Add(time.Microsecond), "forever"},
		{"does not overflow backward", time.Date(-1_000_000, time.January, 1, 0, 0, 0, 0, time.UTC), ""},
		{"does not overflow forward", time.Date(1_000_000, time.January, 1, 0, 0, 0, 0, time.UTC), "forever"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := temporal.At(tt.in).String(); got != tt.want {
				t.Errorf("At(%v) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestInstantOrder(t *testing.T) {
	instants := []temporal.Instant{0, temporal.At(firstTime), at(t, "1969-12-31T23:59:59.9Z"), at(t, "1970-01-01T00:00:00Z"),
		at(t, "2026-06-15T09:30:00Z"), at(t, "2026-06-15T09:30:00.1Z"), temporal.At(lastTime), temporal.Forever}
	if !slices.IsSorted(instants) || len(slices.Compact(slices.Clone(instants))) != len(instants) {
		t.Errorf("%v is not in order", instants)
	}
	for _, i := range instants {
		if got, want := i.IsZero(), i == instants[0]; got != want {
			t.Errorf("(%v).IsZero() = %v, want %v", i, got, want)
		}
	}
}

func TestInstantUnixMicro(t *testing.T) {
	if got := at(t, "1970-01-01T00:00:00.000001Z").UnixMicro(); got != 1 {
		t.Errorf("UnixMicro one microsecond into 1970 = %d", got)
	}
	for _, us := range []int64{math.MaxInt64, math.MaxInt64 - 1} {
		if got := temporal.FromUnixMicro(us); got != temporal.Forever {
			t.Errorf("FromUnixMicro(%d) = %d, want Forever", us, got)
		}
	}
}

func TestInstantAdd(t *testing.T) {
	noon := at(t, "2026-06-15T12:00:00Z")
	for _, tt := range []struct {
		name string
		in   temporal.Instant
		d    time.Duration
		want temporal.Instant
	}{
		{"forward", noon, time.Hour, at(t, "2026-06-15T13:00:00Z")},
		{"backward", noon, -time.Microsecond, at(t, "2026-06-15T11:59:59.999999Z")},
		{"less than a microsecond forward", noon, 999, noon},
		{"less than a microsecond backward", noon, -1, at(t, "2026-06-15T11:59:59.999999Z")},
		{"to the first", temporal.At(firstTime) + 1, -time.Microsecond, temporal.At(firstTime)},
		{"before the first", temporal.At(firstTime), -time.Microsecond, 0},
		{"far before the first", temporal.At(firstTime), math.MinInt64, 0},
		{"to the last", temporal.At(lastTime) - 1, time.Microsecond, temporal.At(lastTime)},
		{"after the last", temporal.At(lastTime), time.Microsecond, temporal.Forever},
		{"far after the last", temporal.At(lastTime), math.MaxInt64, temporal.Forever},
		{"to zero", 0, time.Hour, 0},
		{"far from zero", 0, math.MaxInt64, 0},
		{"to Forever", temporal.Forever, time.Hour, temporal.Forever},
		{"back from Forever", temporal.Forever, -time.Hour, temporal.Forever},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Add(tt.d); got != tt.want {
				t.Errorf("(%v).Add(%v) = %v, want %v", tt.in, tt.d, got, tt.want)
			}
		})
	}
}

func TestInstantSub(t *testing.T) {
	noon := at(t, "2026-06-15T12:00:00Z")
	for _, tt := range []struct {
		name string
		i, j temporal.Instant
		want time.Duration
	}{
		{"later", noon + 1, noon, time.Microsecond},
		{"earlier", noon, noon + 1, -time.Microsecond},
		{"equal", noon, noon, 0},
		{"too far after", temporal.At(lastTime), noon, math.MaxInt64},
		{"too far before", temporal.At(firstTime), noon, math.MinInt64},
		{"Forever", temporal.Forever, 0, math.MaxInt64},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.i.Sub(tt.j); got != tt.want {
				t.Errorf("(%v).Sub(%v) = %v, want %v", tt.i, tt.j, got, tt.want)
			}
		})
	}
}

func TestInstantJSON(t *testing.T) {
	type window struct {
		From temporal.Instant `json:"from"`
		To   temporal.Instant `json:"to,omitzero"`
	}
	for _, tt := range []struct {
		in   window
		want string
	}{
		{window{}, `{"from":null}`},
		{window{From: at(t, "2026-06-15T09:30:00.5Z"), To: temporal.At(lastTime)}, `{"from":"2026-06-15T09:30:00.5Z","to":"9998-12-31T23:59:59.999999Z"}`},
		{window{To: temporal.Forever}, `{"from":null,"to":null}`},
	} {
		got, err := json.Marshal(tt.in)
		if err != nil || string(got) != tt.want {
			t.Errorf("Marshal(%v) = %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}

	t.Run("null is zero, whatever was there", func(t *testing.T) {
		got := window{From: 1, To: 1}
		if err := json.Unmarshal([]byte(`{"from": null, "to": "2026-06-15T09:30:00+02:00"}`), &got); err != nil {
			t.Fatal(err)
		}
		if want := (window{To: at(t, "2026-06-15T07:30:00Z")}); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	})

	t.Run("what is not a time is refused, and not echoed", func(t *testing.T) {
		for _, in := range []string{`"secret"`, `""`, `"2026"`, `1718444400`, `1e999`, `true`, `{"secret": 1}`, `["2026-06-15T09:30:00Z"]`} {
			got := temporal.Instant(7)
			err := json.Unmarshal([]byte(in), &got)
			if err == nil || err.Error() != wantInstant || got != 7 {
				t.Errorf("Unmarshal(%s) = %v, %v, want %q and no change", in, got, err, wantInstant)
			}
		}
	})
}

func TestInstantRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := instants().Draw(t, "i")
		if got := temporal.At(i.Time()); got != i {
			t.Errorf("At(Time()) = %v", got)
		}
		if got := temporal.FromUnixMicro(i.UnixMicro()); got != i {
			t.Errorf("FromUnixMicro(UnixMicro()) = %v", got)
		}
		data, err := json.Marshal(i)
		if err != nil {
			t.Fatal(err)
		}
		var got temporal.Instant
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		want := i
		if i == temporal.Forever {
			want = 0
		}
		if got != want {
			t.Errorf("by JSON %s = %v, want %v", data, got, want)
		}
	})
}

func TestInstantArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, j := legalInstants().Draw(t, "i"), legalInstants().Draw(t, "j")
		d := time.Duration(rapid.Int64().Draw(t, "d"))
		if got, want := i.Add(d), temporal.At(i.Time().Add(d)); got != want {
			t.Errorf("Add = %v, want %v", got, want)
		}
		if got, want := i.Sub(j), i.Time().Sub(j.Time()); got != want {
			t.Errorf("Sub = %v, want %v", got, want)
		}
		if got, want := i < j, i.Time().Before(j.Time()); got != want {
			t.Errorf("i < j = %v, want %v", got, want)
		}
	})
}

func FuzzParseInstant(f *testing.F) {
	for _, s := range append([]string{"2026-06-15T09:30:00Z", "2024-02-29T23:59:59.123456789+05:45", "2026"}, refusedTimes...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := temporal.ParseInstant(s)
		want, ok := readInstant(s)
		if got != want || ok != (err == nil) {
			t.Fatalf("ParseInstant(%q) = %v, %v, want %v, %v", s, got, err, want, ok)
		}
		if !ok {
			return
		}
		if again, err := temporal.ParseInstant(got.String()); err != nil || again != got {
			t.Errorf("ParseInstant(%q) = %v, %v, want %v", got, again, err, got)
		}
	})
}

// readInstant is ParseInstant by another way: field by field, and calendar by normalisation.
func readInstant(s string) (temporal.Instant, bool) {
	ok := true
	cut := func(n int) string {
		if len(s) < n {
			ok = false
			return strings.Repeat("0", n)
		}
		head := s[:n]
		s = s[n:]
		return head
	}
	number := func(digits, least, most int) int {
		n := 0
		for _, c := range []byte(cut(digits)) {
			ok = ok && '0' <= c && c <= '9'
			n = n*10 + int(c-'0')
		}
		ok = ok && least <= n && n <= most
		return n
	}
	literal := func(want string) { ok = cut(1) == want && ok }

	year := number(4, 0, 9999)
	literal("-")
	month := number(2, 1, 12)
	literal("-")
	day := number(2, 1, 31)
	literal("T")
	hour := number(2, 0, 23)
	literal(":")
	minute := number(2, 0, 59)
	literal(":")
	second := number(2, 0, 59)
	micro := 0
	if strings.HasPrefix(s, ".") {
		literal(".")
		scale := 100_000
		micro = scale * number(1, 0, 9)
		for s != "" && '0' <= s[0] && s[0] <= '9' {
			scale /= 10
			micro += scale * number(1, 0, 9)
		}
	}
	offset := 0
	if sign := cut(1); sign != "Z" {
		ok = ok && (sign == "+" || sign == "-")
		offset = 60 * number(2, 0, 23)
		literal(":")
		offset += number(2, 0, 59)
		if sign == "-" {
			offset = -offset
		}
	}
	local := time.Date(year, time.Month(month), day, hour, minute, second, micro*1000, time.UTC)
	utc := local.Add(-time.Duration(offset) * time.Minute)
	if !ok || s != "" || local.Day() != day || utc.Before(firstTime) || utc.After(lastTime) {
		return 0, false
	}
	return temporal.FromUnixMicro(utc.UnixMicro()), true
}

// instants draws legal times, zero and Forever.
func instants() *rapid.Generator[temporal.Instant] {
	return rapid.OneOf(legalInstants(), rapid.SampledFrom([]temporal.Instant{0, temporal.Forever}))
}

func legalInstants() *rapid.Generator[temporal.Instant] {
	return rapid.Custom(func(t *rapid.T) temporal.Instant {
		return temporal.FromUnixMicro(rapid.Int64Range(firstTime.UnixMicro(), lastTime.UnixMicro()).Draw(t, "us"))
	})
}

func at(t *testing.T, s string) temporal.Instant {
	t.Helper()
	i, err := temporal.ParseInstant(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return i
}

func diff(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("got (+), want (-):\n%s", d)
	}
}
