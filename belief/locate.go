package belief

import (
	"context"
	"slices"

	"tenure/facts"
	"tenure/graph"
)

// Locate returns the id of the fact that the id of a fact or of any claim leads to now: the fact it is, the one that the
// claim supports, the one that outranks it, or what took its place. The id of a claim that nothing holds for leads to the
// fact it last supported. An id that is not in the scope is ErrNotFound.
func Locate(ctx context.Context, r graph.Reader, id graph.ClaimID) (graph.ClaimID, error) {
	// A claim leads to another only through its place in the log, so this ends; the bound guards against a fault.
	for range 100 {
		versions, err := r.VersionsOf(ctx, []graph.ClaimID{id})
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(versions, func(v graph.Version) bool { return v.Tx.Open() }) {
			return id, nil
		}
		next, err := leads(ctx, r, id)
		if err != nil {
			return "", err
		}
		switch {
		case next != "" && next != id:
			id = next
		case len(versions) > 0 || next == id:
			return id, nil
		default:
			return "", graph.NotFound("fact")
		}
	}
	return id, nil
}

// leads returns the fact that a claim supports, is outranked by, or last supported; "" if there is no such claim or it never counted.
func leads(ctx context.Context, r graph.Reader, id graph.ClaimID) (graph.ClaimID, error) {
	rows, err := r.ListPlacements(ctx, graph.PlacementFilter{Claims: []graph.ClaimID{id}})
	if err != nil {
		return "", err
	}
	rows = slices.DeleteFunc(rows, func(p graph.Placement) bool { return !p.Own })
	if len(rows) == 0 {
		return "", nil
	}
	last := slices.MaxFunc(rows, func(a, b graph.Placement) int {
		if a.To.IsZero() != b.To.IsZero() {
			if a.To.IsZero() {
				return 1
			}
			return -1
		}
		return a.To.Compare(b.To)
	})
	lane, err := r.ListPlacements(ctx, graph.PlacementFilter{Lanes: []graph.Lane{last.Lane}})
	if err != nil {
		return "", err
	}
	if last.To.IsZero() {
		return at(last, facts.Believe(now(lane))), nil
	}
	return at(last, facts.Believe(before(lane, last.To))), nil
}

// at returns the fact of the window that the placement supports, else of the first that holds where it would.
func at(p graph.Placement, windows []facts.Window) graph.ClaimID {
	var outranking graph.ClaimID
	for _, w := range windows {
		if slices.ContainsFunc(w.Support, func(q graph.Placement) bool { return q.Claim == p.Claim }) {
			return w.Fact
		}
		if outranking == "" && w.Valid.Overlaps(p.Valid) {
			outranking = w.Fact
		}
	}
	if outranking == "" {
		return p.Fact
	}
	return outranking
}

// now selects the placements that count.
func now(rows []graph.Placement) []graph.Placement {
	return slices.DeleteFunc(slices.Clone(rows), func(p graph.Placement) bool { return !p.To.IsZero() })
}

// before selects the placements that counted just before a place in the log.
func before(rows []graph.Placement, at graph.Pos) []graph.Placement {
	return slices.DeleteFunc(slices.Clone(rows), func(p graph.Placement) bool {
		return p.From.Compare(at) >= 0 || !p.To.IsZero() && p.To.Compare(at) < 0
	})
}

// after selects the placements that counted just after a place in the log.
func after(rows []graph.Placement, at graph.Pos) []graph.Placement {
	return slices.DeleteFunc(slices.Clone(rows), func(p graph.Placement) bool { return !p.CountsAfter(at) })
}
