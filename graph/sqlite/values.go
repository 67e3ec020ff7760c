package sqlite

import (
	"encoding/json"
	"math"

	"tenure/graph"
	"tenure/temporal"
)

// The times that stand for what is not a time. They never leave the store.
const (
	never   int64 = math.MinInt64 // an unknown begin, an absent time
	forever int64 = math.MaxInt64 // an open end
)

// begin is how a begin, or any time that may be absent, is stored.
func begin(i temporal.Instant) int64 {
	if i.IsZero() {
		return never
	}
	return i.UnixMicro()
}

// end is how the end of a period is stored.
func end(i temporal.Instant) int64 {
	if i.IsZero() || i == temporal.Forever {
		return forever
	}
	return i.UnixMicro()
}

// A beginColumn scans what begin stored, an endColumn what end stored.
type (
	beginColumn struct{ at *temporal.Instant }
	endColumn   struct{ at *temporal.Instant }
)

// Scan implements sql.Scanner.
func (c beginColumn) Scan(value any) error {
	us, err := integer(value)
	if *c.at = temporal.FromUnixMicro(us); us == never {
		*c.at = 0
	}
	return err
}

// Scan implements sql.Scanner.
func (c endColumn) Scan(value any) error {
	us, err := integer(value)
	if *c.at = temporal.FromUnixMicro(us); us == forever {
		*c.at = 0
	}
	return err
}

func integer(value any) (int64, error) {
	us, ok := value.(int64)
	if !ok {
		return 0, errColumn
	}
	return us, nil
}

// A jsonColumn scans JSON text into what it points to. The empty text leaves that alone.
type jsonColumn struct{ into any }

// Scan implements sql.Scanner.
func (c jsonColumn) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return errColumn
	}
	if text == "" || text == "[]" {
		return nil
	}
	return json.Unmarshal([]byte(text), c.into)
}

// encode returns the JSON text of a value that has one.
func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("sqlite: " + err.Error()) // only for types that JSON has no form for
	}
	return string(text)
}

// list returns the JSON text of a list, "[]" if it is empty.
func list[T any](items []T) string {
	if len(items) == 0 {
		return "[]"
	}
	return encode(items)
}

// filter is list for a filter that selects everything when it is empty: then it is NULL.
func filter[T any](items []T) any {
	if len(items) == 0 {
		return nil
	}
	return encode(items)
}

// optional is a value that is NULL when it is the zero value.
func optional[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

// moment is a time that selects on nothing, NULL, when it is zero.
func moment(i temporal.Instant) any {
	if i.IsZero() {
		return nil
	}
	return i.UnixMicro()
}

// bound is the limit of a query: zero or less means all.
func bound(limit int) int {
	if limit <= 0 {
		return -1
	}
	return limit
}

// triples returns lanes as their JSON lists [subject, predicate, object].
func triples(lanes []graph.Lane) [][3]string {
	out := make([][3]string, len(lanes))
	for i, l := range lanes {
		out[i] = [3]string{string(l.Subject), l.Predicate, string(l.Object)}
	}
	return out
}

// spans returns periods as their JSON lists [from, to].
func spans(periods []temporal.Period) [][2]int64 {
	out := make([][2]int64, len(periods))
	for i, p := range periods {
		out[i] = [2]int64{begin(p.From), end(p.To)}
	}
	return out
}
