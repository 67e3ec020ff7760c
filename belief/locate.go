package belief

import (
	"cmp"
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

// leads returns the fact that a claim supports, is outranked by, or last supported; "" if there is no such claim.
func leads(ctx context.Context, r graph.Reader, id graph.ClaimID) (graph.ClaimID, error) {
	rows, err := r.ListPlacements(ctx, graph.PlacementFilter{Claims: []graph.ClaimID{id}})
	if err != nil {
		return "", err
	}
	rows = slices.DeleteFunc(rows, func(p graph.Placement) bool { return !p.Own })
	if len(rows) == 0 { // it is none, or carries on one that had ended already
		claims, err := r.Claims(ctx, []graph.ClaimID{id})
		return claims[id].Origin, err
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
	rows = now(lane)
	if !last.To.IsZero() {
		rows = before(lane, last.To)
	}
	if fact := at(last, facts.Believe(rows)); fact != "" {
		return fact, nil
	}
	return denied(ctx, r, last)
}

// at returns the fact of the window that the placement supports; else of the first that holds where it would; else, and of a
// denial at once, of the first that it is about.
func at(p graph.Placement, windows []facts.Window) graph.ClaimID {
	var outranking, about graph.ClaimID
	for _, w := range windows {
		if slices.ContainsFunc(w.Support, func(q graph.Placement) bool { return q.Claim == p.Claim }) {
			return w.Fact
		}
		if outranking == "" && p.Kind == graph.Assert && w.Valid.Overlaps(p.Valid) {
			outranking = w.Fact
		}
		if about == "" && (w.Object == p.Object || p.Object == "" && w.Valid.Meets(p.Valid)) {
			about = w.Fact
		}
	}
	return cmp.Or(outranking, about)
}

// denied returns the last fact that said the same as the placement, which never held: it was denied with it. If there is none,
// the claim leads to itself.
func denied(ctx context.Context, r graph.Reader, p graph.Placement) (graph.ClaimID, error) {
	gone, err := r.Versions(ctx, graph.VersionFilter{Lanes: []graph.Lane{p.Lane}, Hidden: graph.WithHidden, Gone: true})
	if err != nil {
		return "", err
	}
	gone = slices.DeleteFunc(gone, func(v graph.Version) bool { return v.Object != p.Object && v.Fact != p.Fact })
	if len(gone) == 0 || slices.ContainsFunc(gone, func(v graph.Version) bool { return v.Fact == p.Fact }) {
		return p.Fact, nil
	}
	return slices.MaxFunc(gone, func(a, b graph.Version) int { return cmp.Compare(a.Tx.To, b.Tx.To) }).Fact, nil
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
