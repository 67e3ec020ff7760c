package temporal_test

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tenure/temporal"
)

func TestNewPeriod(t *testing.T) {
	const open = 0
	for _, tt := range []struct {
		name     string
		from, to temporal.Instant
		want     temporal.Period
		err      error
	}{
		{"bounded", 3, 5, temporal.Period{From: 3, To: 5}, nil},
		{"one microsecond", 3, 4, temporal.Period{From: 3, To: 4}, nil},
		{"until further notice", 3, open, temporal.Period{From: 3}, nil},
		{"unknown begin", 0, 5, temporal.Period{To: 5}, nil},
		{"always", 0, open, temporal.Period{}, nil},
		{"an end of Forever is open", 3, temporal.Forever, temporal.Period{From: 3}, nil},
		{"empty", 3, 3, temporal.Period{}, temporal.ErrPeriod},
		{"backward", 5, 3, temporal.Period{}, temporal.ErrPeriod},
		{"never begins", temporal.Forever, open, temporal.Period{}, temporal.ErrPeriod},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := temporal.NewPeriod(tt.from, tt.to)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("NewPeriod(%d, %d) = %v, %v, want %v, %v", tt.from, tt.to, got, err, tt.want, tt.err)
			}
			wantValid := tt.err == nil && tt.to != temporal.Forever
			if err := (temporal.Period{From: tt.from, To: tt.to}).Valid(); (err == nil) != wantValid {
				t.Errorf("Valid = %v, want valid %v", err, wantValid)
			}
		})
	}
}

func TestPeriodEnd(t *testing.T) {
	for _, tt := range []struct {
		p    temporal.Period
		end  temporal.Instant
		open bool
	}{
		{temporal.Period{From: 3, To: 5}, 5, false},
		{temporal.Period{From: 3}, temporal.Forever, true},
		{temporal.Period{}, temporal.Forever, true},
	} {
		if tt.p.End() != tt.end || tt.p.Open() != tt.open {
			t.Errorf("%v ends at %d, open %v, want %d, %v", tt.p, tt.p.End(), tt.p.Open(), tt.end, tt.open)
		}
	}
}

func TestPeriodMinus(t *testing.T) {
	type periods = []temporal.Period
	always := temporal.Period{}
	for _, tt := range []struct {
		name string
		p, q temporal.Period
		want periods
	}{
		{"a trial in an open period", temporal.Period{From: 2}, temporal.Period{From: 4, To: 6}, periods{{From: 2, To: 4}, {From: 6}}},
		{"its begin", temporal.Period{From: 2, To: 8}, temporal.Period{To: 4}, periods{{From: 4, To: 8}}},
		{"its end", temporal.Period{From: 2, To: 8}, temporal.Period{From: 4}, periods{{From: 2, To: 4}}},
		{"all of it", temporal.Period{From: 2, To: 8}, always, nil},
		{"what it meets", temporal.Period{From: 2, To: 4}, temporal.Period{From: 4}, periods{{From: 2, To: 4}}},
		{"a part of always", always, temporal.Period{From: 2, To: 4}, periods{{To: 2}, {From: 4}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			diff(t, tt.p.Minus(tt.q), tt.want)
		})
	}
}

// points is a period as the set of instants it contains, out of: unknown (0), 1 to 8, and a time after all these (9).
type points uint16

const latest = 9

func set(p temporal.Period) points {
	var s points
	for i := range latest + 1 {
		if int(p.From) <= i && (p.To == 0 || i < int(p.To)) {
			s |= 1 << i
		}
	}
	return s
}

func (s points) first() int { return bits.TrailingZeros16(uint16(s)) }
func (s points) last() int  { return bits.Len16(uint16(s)) - 1 }

// periods draws valid periods that begin and end within 0 to 8, or are open.
func periods() *rapid.Generator[temporal.Period] {
	return rapid.Custom(func(t *rapid.T) temporal.Period {
		from := rapid.IntRange(0, latest-2).Draw(t, "from")
		to := rapid.OneOf(rapid.Just(0), rapid.IntRange(from+1, latest-1)).Draw(t, "to")
		return temporal.Period{From: temporal.Instant(from), To: temporal.Instant(to)}
	})
}

func TestPeriodIsTheSetOfItsInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := periods().Draw(t, "p"), periods().Draw(t, "q")
		a, b := set(p), set(q)

		if err := p.Valid(); err != nil {
			t.Errorf("Valid = %v", err)
		}
		for i := range latest + 1 {
			if got, want := p.Contains(temporal.Instant(i)), a&(1<<i) != 0; got != want {
				t.Errorf("Contains(%d) = %v", i, got)
			}
		}
		if p.Contains(temporal.Forever) {
			t.Error("Contains(Forever)")
		}
		if got, want := p.Overlaps(q), a&b != 0; got != want {
			t.Errorf("Overlaps = %v", got)
		}
		if got, want := p.Covers(q), b&^a == 0; got != want {
			t.Errorf("Covers = %v", got)
		}
		if got, want := p.Meets(q), a.last()+1 == b.first(); got != want {
			t.Errorf("Meets = %v", got)
		}
		if got, want := temporal.Compare(p, q), cmp.Or(cmp.Compare(a.first(), b.first()), cmp.Compare(a.last(), b.last())); got != want {
			t.Errorf("Compare = %d, want %d", got, want)
		}

		common, ok := p.Intersect(q)
		switch {
		case ok != (a&b != 0):
			t.Errorf("Intersect = %v, %v", common, ok)
		case ok && (set(common) != a&b || common.Valid() != nil):
			t.Errorf("Intersect = %v", common)
		case !ok && common != temporal.Period{}:
			t.Errorf("Intersect = %v of nothing", common)
		}

		rest := p.Minus(q)
		var union points
		for _, r := range rest {
			if r.Valid() != nil || set(r)&union != 0 {
				t.Errorf("Minus = %v", rest)
			}
			union |= set(r)
		}
		if union != a&^b || len(rest) > 2 || !slices.IsSortedFunc(rest, temporal.Compare) {
			t.Errorf("Minus = %v", rest)
		}
		if len(rest) == 2 && rest[0].Meets(rest[1]) {
			t.Errorf("Minus cut %v where nothing was taken out", rest)
		}
	})
}

// What is true of small periods is true of those in any years: the operations only compare.
func TestPeriodPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := rapid.SliceOfNDistinct(legalInstants(), 4, 4, rapid.ID).Draw(t, "bounds")
		p, q := spanning(bounds[0], bounds[1]), spanning(bounds[2], bounds[3])
		if rapid.Bool().Draw(t, "p is open") {
			p.To = 0
		}
		if rapid.Bool().Draw(t, "q is open") {
			q.To = 0
		}
		parts := p.Minus(q)
		if common, ok := p.Intersect(q); ok {
			parts = append(parts, common)
		}
		slices.SortFunc(parts, temporal.Compare)
		for i := 1; i < len(parts); i++ {
			if !parts[i-1].Meets(parts[i]) {
				t.Errorf("between %v and %v something is lost", parts[i-1], parts[i])
			}
		}
		if first, last := parts[0], parts[len(parts)-1]; first.From != p.From || last.To != p.To {
			t.Errorf("%v add up to other than %v", parts, p)
		}
	})
}

func spanning(i, j temporal.Instant) temporal.Period {
	return temporal.Period{From: min(i, j), To: max(i, j)}
}
