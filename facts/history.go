package facts

import (
	"maps"
	"slices"

	"tenure/graph"
	"tenure/temporal"
)

// Epochs returns the transaction times at which what counts in a lane changed, in order.
func Epochs(rows []graph.Placement) []temporal.Instant {
	times := map[temporal.Instant]bool{}
	for _, p := range rows {
		times[p.From.Tx] = true
		if !p.To.IsZero() {
			times[p.To.Tx] = true
		}
	}
	return slices.Sorted(maps.Keys(times))
}

// At returns the placements that count for the reader of a transaction time.
func At(rows []graph.Placement, tx temporal.Instant) []graph.Placement {
	var out []graph.Placement
	for _, p := range rows {
		if p.CountsAt(tx) {
			out = append(out, p)
		}
	}
	return out
}

// History returns the versions of one lane over all of transaction time: what was believed at T is Believe of the placements
// that count at T. content puts a window in words, as of a transaction time; versions come without ids and changes. also are
// transaction times at which the words may change though the placements do not: those of the worlds. It costs a Believe for
// each epoch.
func History(rows []graph.Placement, also []temporal.Instant, content func(temporal.Instant, Window) graph.Version) []graph.Version {
	var done, open []graph.Version
	epochs := slices.Concat(Epochs(rows), also)
	slices.Sort(epochs)
	for _, tx := range slices.Compact(epochs) {
		var next []graph.Version
		for _, w := range Believe(At(rows, tx)) {
			v := content(tx, w)
			v.Tx = temporal.Period{From: tx}
			next = append(next, v)
		}
		for _, v := range open {
			if i := slices.IndexFunc(next, func(n graph.Version) bool { return SameWindow(n, v) }); i >= 0 {
				next[i] = v // it goes on
				continue
			}
			v.Tx.To = tx
			done = append(done, v)
		}
		open = next
	}
	return append(done, open...)
}
