package temporal

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"time"
)

// Instant is a point in time on either axis, in microseconds UTC. Instants compare with the operators of int64.
//
// The zero Instant is absent: as the begin of a period it is unknown and sorts before all times, as its end it is open.
// Instants are counted from 0000-01-01T00:00:00Z, so that no legal time (years 0001 to 9998, in UTC) is zero.
// An Instant is zero, a legal time or Forever; this package makes no other.
type Instant int64

// Forever compares after every time. It is what an open end counts as, and the zero Instant in JSON: it never leaves the core.
const Forever Instant = math.MaxInt64

const (
	perDay    Instant = 24 * 60 * 60 * 1_000_000
	first             = 366 * perDay         // 0001-01-01T00:00:00Z
	last              = 3_652_060*perDay - 1 // 9998-12-31T23:59:59.999999Z
	unixEpoch         = 719_528 * perDay     // 1970-01-01T00:00:00Z
)

var errInstant = errors.New("want RFC 3339 with an offset, years 0001 to 9998")

// rfc3339 is the form of RFC 3339; time.Parse, lax about it (https://go.dev/issue/54580), checks the calendar.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// At returns t without its zone and monotonic part, floored to the microsecond. Order is kept beyond the legal years too:
// a time before year 0001 is the zero Instant, one after year 9998 is Forever. The zero time.Time is the first legal time.
func At(t time.Time) Instant {
	switch year := t.UTC().Year(); {
	case year < 1:
		return 0
	case year > 9998:
		return Forever
	}
	return FromUnixMicro(t.UnixMicro())
}

// FromUnixMicro is the inverse of UnixMicro. A count that does not fit an Instant is Forever.
func FromUnixMicro(us int64) Instant {
	if us > int64(Forever-unixEpoch) {
		return Forever
	}
	return Instant(us) + unixEpoch
}

// ParseInstant reads RFC 3339 with an offset, upper-case T and Z, and floors fractions to the microsecond. It refuses leap
// seconds, and what is outside years 0001 to 9998 in UTC. Errors do not contain s.
func ParseInstant(s string) (Instant, error) {
	if !rfc3339.MatchString(s) {
		return 0, errInstant
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return 0, errInstant // not err: it echoes the value
	}
	i := At(t)
	if i.IsZero() || i == Forever {
		return 0, errInstant
	}
	return i, nil
}

// UnixMicro returns the microseconds since 1970-01-01T00:00:00Z, also for zero and Forever.
func (i Instant) UnixMicro() int64 { return int64(i - unixEpoch) }

// Time returns i in UTC. At gives i back, also for zero and Forever, which lie outside the legal years.
func (i Instant) Time() time.Time { return time.UnixMicro(i.UnixMicro()).UTC() }

// IsZero reports whether i is absent.
func (i Instant) IsZero() bool { return i == 0 }

// Add returns At(i.Time().Add(d)) for a legal i. Zero and Forever stay what they are.
func (i Instant) Add(d time.Duration) Instant {
	if i.IsZero() || i == Forever {
		return i
	}
	us := d / time.Microsecond
	if d%time.Microsecond < 0 {
		us--
	}
	i += Instant(us)
	switch {
	case i < first:
		return 0
	case i > last:
		return Forever
	}
	return i
}

// Sub returns the time from j to i, or the nearest Duration when that does not fit one (about 292 years).
func (i Instant) Sub(j Instant) time.Duration {
	const limit = Instant(math.MaxInt64 / time.Microsecond)
	switch us := i - j; {
	case us > limit:
		return math.MaxInt64
	case us < -limit:
		return math.MinInt64
	default:
		return time.Duration(us) * time.Microsecond
	}
}

// String returns i in RFC 3339, in UTC, with as many fractional digits as it needs (at most six); "" for zero, "forever" for Forever.
func (i Instant) String() string {
	switch i {
	case 0:
		return ""
	case Forever:
		return "forever"
	}
	return i.Time().Format("2006-01-02T15:04:05.999999Z07:00")
}

// MarshalJSON writes String, or null for zero and Forever.
func (i Instant) MarshalJSON() ([]byte, error) {
	if i.IsZero() || i == Forever {
		return []byte("null"), nil
	}
	return []byte(`"` + i.String() + `"`), nil
}

// UnmarshalJSON reads what ParseInstant accepts, or null as zero. Errors do not contain the value.
func (i *Instant) UnmarshalJSON(data []byte) error {
	var s *string
	if err := json.Unmarshal(data, &s); err != nil {
		return errInstant
	}
	if s == nil {
		*i = 0
		return nil
	}
	parsed, err := ParseInstant(*s)
	if err != nil {
		return err
	}
	*i = parsed
	return nil
}
