package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tenure/graph"
	"tenure/temporal"
)

// nothing is the answer where it is known that no value is held.
const nothing = "nothing on record"

// telling puts windows into an answer.
type telling struct {
	at      temporal.Instant
	zone    *time.Location
	windows []graph.Version // of one subject and predicate, in order
	objects map[graph.EntityID]graph.Entity
	date    *dated
	about   int  // the window of the value that the question names; -1 if it names none
	single  bool // the predicate holds one value at a time
}

// tell answers what a relation asks, with the windows that the answer rests on; false if the relation has no answer of a
// predicate with many values.
func (t *telling) tell(relation string) (string, []graph.Version, bool) {
	if t.date != nil {
		return t.told(relation, t.date.span)
	}
	switch relation {
	case relCurrent:
		return t.list(t.within(moment(t.at)))
	case relHistory:
		return t.list(t.windows)
	}
	if !t.single {
		return "", nil, false
	}
	switch relation {
	case relPrevious:
		return t.list(t.beside(-1))
	case relNext:
		return t.list(t.beside(1))
	case relChanged:
		return t.changes(temporal.Period{To: t.at + 1})
	}
	w, ok := t.meant()
	if !ok {
		return nothing, nil, true
	}
	return t.bound(relation, w), []graph.Version{w}, true
}

// told answers a question that names a time.
func (t *telling) told(relation string, span temporal.Period) (string, []graph.Version, bool) {
	switch {
	case relation == relChanged && t.single && t.date.word == "since":
		return t.changes(temporal.Period{From: span.From, To: t.at + 1})
	case relation == relChanged && t.single:
		return t.changes(span)
	case relation == relPrevious && t.date.word == "before":
		return t.list(t.within(moment(span.From - 1)))
	case relation == relPrevious, relation == relNext:
		if !t.single {
			return "", nil, false
		}
		moved := *t
		moved.at = span.From
		return moved.list(moved.beside(map[string]int{relPrevious: -1, relNext: 1}[relation]))
	}
	if t.date.word == "since" {
		span.To = max(span.To, t.at+1)
	}
	return t.list(t.within(span))
}

// within returns the windows that overlap a span.
func (t *telling) within(span temporal.Period) []graph.Version {
	var out []graph.Version
	for _, w := range t.windows {
		if w.Valid.Overlaps(span) {
			out = append(out, w)
		}
	}
	return out
}

// beside returns the window before, or after, the one that is meant; where nothing holds, the last that ended or the first to begin.
func (t *telling) beside(direction int) []graph.Version {
	around := moment(t.at)
	if w, ok := t.meant(); ok {
		around = w.Valid
	}
	if direction < 0 {
		for _, w := range slices.Backward(t.windows) {
			if w.Valid.End() <= around.From {
				return []graph.Version{w}
			}
		}
		return nil
	}
	for _, w := range t.windows {
		if w.Valid.From >= around.End() {
			return []graph.Version{w}
		}
	}
	return nil
}

// meant returns the window of the value that the question names, else the one that holds.
func (t *telling) meant() (graph.Version, bool) {
	if t.about >= 0 {
		return t.windows[t.about], true
	}
	for _, w := range t.windows {
		if w.Valid.Contains(t.at) {
			return w, true
		}
	}
	return graph.Version{}, false
}

// list tells windows one after the other.
func (t *telling) list(windows []graph.Version) (string, []graph.Version, bool) {
	if len(windows) == 0 {
		return nothing, nil, true
	}
	parts := make([]string, len(windows))
	for i, w := range windows {
		parts[i] = t.value(w)
		if stretch := t.stretch(w); stretch != "" {
			parts[i] += " (" + stretch + ")"
		}
	}
	return strings.Join(parts, "; "), windows, true
}

func (t *telling) value(w graph.Version) string { return t.objects[w.Object].Name }

// stretch says when a window holds: "since 2026-06-15", "2026-02-10 to 2026-06-15".
func (t *telling) stretch(w graph.Version) string {
	from, to := t.day(w.Valid.From, w.Precision.From), t.day(w.Valid.To, w.Precision.To)
	if from == to && from != "" { // within one day, or with bounds that were told no better
		from, to = t.minute(w.Valid.From), t.minute(w.Valid.To)
	}
	switch {
	case from == "" && to == "":
		return ""
	case from == "":
		return "until " + to
	case to == "" && w.Valid.From > t.at:
		return "from " + from
	case to == "":
		return "since " + from
	}
	return from + " to " + to
}

// day writes a bound as precisely as it was told, to the day at most.
func (t *telling) day(i temporal.Instant, precision temporal.Precision) string {
	if i.IsZero() {
		return ""
	}
	layout := time.DateOnly
	switch precision {
	case temporal.Year:
		layout = "2006"
	case temporal.Month:
		layout = "2006-01"
	}
	return i.Time().In(t.zone).Format(layout)
}

func (t *telling) minute(i temporal.Instant) string { return i.Time().In(t.zone).Format(time.RFC3339) }

// bound answers since when, until when and how long a window holds.
func (t *telling) bound(relation string, w graph.Version) string {
	from, to := t.day(w.Valid.From, w.Precision.From), t.day(w.Valid.To, w.Precision.To)
	if from == "" {
		from = "an unknown time"
	}
	switch relation {
	case relSince:
		return fmt.Sprintf("since %s (%s)", from, t.value(w))
	case relUntil:
		if to == "" {
			return fmt.Sprintf("until further notice (%s)", t.value(w))
		}
		return fmt.Sprintf("until %s (%s)", to, t.value(w))
	}
	if w.Valid.From.IsZero() {
		return fmt.Sprintf("not known: begun at %s (%s)", from, t.value(w))
	}
	end := min(w.Valid.End(), max(t.at, w.Valid.From))
	return fmt.Sprintf("%s (%s, %s)", lasting(w.Valid.From.Time().In(t.zone), end.Time().In(t.zone)), t.value(w), t.stretch(w))
}

// lasting says how long it is between two times: in days up to two months, in months up to two years, then in years.
func lasting(from, to time.Time) string {
	months := (to.Year()-from.Year())*12 + int(to.Month()-from.Month())
	if from.AddDate(0, months, 0).After(to) {
		months--
	}
	switch {
	case months < 2:
		return count(int(to.Sub(from)/(24*time.Hour)), "day")
	case months < 24:
		return count(months, "month")
	case months%12 == 0:
		return count(months/12, "year")
	}
	return count(months/12, "year") + ", " + count(months%12, "month")
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// changes tells where one value took another's place within a span, and where one ended with none after it.
func (t *telling) changes(span temporal.Period) (string, []graph.Version, bool) {
	var parts []string
	var shown []graph.Version
	show := func(w graph.Version) {
		if len(shown) == 0 || shown[len(shown)-1].ID != w.ID {
			shown = append(shown, w)
		}
	}
	for i, w := range t.windows {
		if i > 0 && span.Contains(w.Valid.From) {
			before := t.windows[i-1]
			show(before)
			show(w)
			parts = append(parts, fmt.Sprintf("%s → %s (%s)", t.value(before), t.value(w), t.day(w.Valid.From, w.Precision.From)))
		}
		if i == len(t.windows)-1 && !w.Valid.Open() && span.Contains(w.Valid.To) {
			show(w)
			parts = append(parts, fmt.Sprintf("%s ended (%s)", t.value(w), t.day(w.Valid.To, w.Precision.To)))
		}
	}
	if len(parts) == 0 {
		return "no change on record", nil, true
	}
	return strings.Join(parts, "; "), shown, true
}
