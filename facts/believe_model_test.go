package facts_test

import (
	"cmp"
	"slices"

	"tenure/facts"
	"tenure/graph"
	"tenure/temporal"
)

// The model is the rule of the design, written down without regard to cost: the placements that cover a time are listed and
// read from the top, at every time at which anything changes.

// modelClaim is a placement in the words of the rule.
type modelClaim struct {
	graph.Placement
	rec       int // its place in the order of record
	a, b      temporal.Instant
	trust     int
	closed    temporal.Instant
	statedEnd bool
}

// modelLive returns what counts once nevers, unknown begins and told ends are seen to. Trust below least counts as least.
func modelLive(placed []graph.Placement, least graph.Trust) []*modelClaim {
	sorted := slices.SortedFunc(slices.Values(placed), func(p, q graph.Placement) int {
		return cmp.Or(p.Rec.Compare(q.Rec), cmp.Compare(p.Claim, q.Claim), temporal.Compare(p.Narrowed, q.Narrowed),
			cmp.Compare(p.Kind, q.Kind), cmp.Compare(p.Object, q.Object), cmp.Compare(p.ID, q.ID))
	})
	var live []*modelClaim
	for i, p := range sorted {
		c := &modelClaim{Placement: p, rec: i, a: p.Valid.From, b: p.Valid.End(), trust: max(p.Trust.Rank(), least.Rank()),
			closed: temporal.Forever, statedEnd: !p.Valid.Open()}
		if p.Kind != graph.Never {
			live = append(live, c)
			continue
		}
		live = slices.DeleteFunc(live, func(x *modelClaim) bool {
			return x.Object == c.Object && x.trust <= c.trust
		})
	}
	modelDateUnknown(live)
	modelCloseOpen(live)
	return live
}

func modelDateUnknown(live []*modelClaim) {
	var dated []*modelClaim
	for _, x := range live {
		if x.Kind == graph.Assert && x.a != 0 && x.trust > 0 {
			dated = append(dated, x)
		}
	}
	for _, c := range live {
		if c.Kind != graph.Assert || c.a != 0 {
			continue
		}
		for _, x := range dated {
			if x.Object == c.Object && x.Valid.From < c.b {
				c.a = max(c.a, x.Valid.From)
			}
		}
	}
}

func modelCloseOpen(live []*modelClaim) {
	for _, c := range live {
		if c.b != temporal.Forever || c.Kind != graph.Assert || c.Narrowed != (temporal.Period{}) {
			continue
		}
		for _, x := range live {
			if x.Kind == graph.Assert && x.Object == c.Object && x.Claim != c.Claim && x.statedEnd &&
				x.b > max(c.a, c.HoldsAt) && x.trust >= c.trust {
				c.closed = min(c.closed, x.b)
			}
		}
	}
}

func (c *modelClaim) lo() temporal.Instant { return max(c.a, c.Narrowed.From) }
func (c *modelClaim) hi() temporal.Instant { return min(c.b, c.Narrowed.End()) }

func (c *modelClaim) begun(t temporal.Instant) temporal.Instant {
	if c.HoldsAt != 0 && c.HoldsAt <= t {
		return c.HoldsAt
	}
	return c.a
}

// modelHead returns the claims that hold together at t, the highest first.
func modelHead(live []*modelClaim, t temporal.Instant) []*modelClaim {
	var cover []*modelClaim
	for _, c := range live {
		if c.lo() <= t && t < c.hi() {
			cover = append(cover, c)
		}
	}
	firm := func(c *modelClaim) int { return min(c.trust, 1) }
	slices.SortFunc(cover, func(x, c *modelClaim) int {
		return cmp.Or(cmp.Compare(firm(c), firm(x)), cmp.Compare(c.begun(t), x.begun(t)), cmp.Compare(c.a, x.a),
			cmp.Compare(c.trust, x.trust), cmp.Compare(c.rec, x.rec))
	})
	denied := map[graph.EntityID]bool{}
	var head []*modelClaim
	var over *modelClaim
	for _, c := range cover {
		otherHead := len(head) > 0 && c.Object != head[0].Object
		switch {
		case c.Kind == graph.Retract:
			if len(head) > 0 || c.Object == "" {
				return head
			}
			denied[c.Object] = true
		case t >= c.closed:
			if otherHead {
				return head
			}
			if over == nil {
				over = c
			}
		case len(head) == 0 && (denied[c.Object] || over != nil && over.Object != c.Object):
			return nil
		case otherHead:
			return head
		default:
			head = append(head, c)
		}
	}
	return head
}

// modelCuts returns the times at which a head may change.
func modelCuts(live []*modelClaim) []temporal.Instant {
	var cuts []temporal.Instant
	for _, c := range live {
		cuts = append(cuts, c.lo(), c.hi(), c.closed)
		if c.HoldsAt != 0 {
			cuts = append(cuts, c.HoldsAt)
		}
	}
	slices.Sort(cuts)
	return slices.DeleteFunc(slices.Compact(cuts), func(t temporal.Instant) bool { return t == temporal.Forever })
}

func modelBelieve(placed []graph.Placement) []facts.Window {
	live := modelLive(placed, graph.Inferred)
	return modelWindows(live, modelCuts(live), func(t temporal.Instant) []*modelClaim { return modelHead(live, t) })
}

func modelDisputed(placed []graph.Placement) []facts.Window {
	live, raised := modelLive(placed, graph.Inferred), modelLive(placed, graph.Reported)
	cuts := slices.Concat(modelCuts(live), modelCuts(raised))
	slices.Sort(cuts)
	windows := modelWindows(raised, slices.Compact(cuts), func(t temporal.Instant) []*modelClaim {
		holds, head := modelHead(live, t), modelHead(raised, t)
		firm := slices.ContainsFunc(head, func(c *modelClaim) bool { return c.Trust != graph.Inferred })
		if len(holds) == 0 || len(head) == 0 || firm || holds[0].Object == head[0].Object {
			return nil
		}
		return head
	})
	for i, w := range windows {
		windows[i].Fact = w.Support[0].Claim
	}
	return windows
}

// modelWindows joins the heads of neighbouring stretches.
func modelWindows(live []*modelClaim, cuts []temporal.Instant, headAt func(temporal.Instant) []*modelClaim) []facts.Window {
	type window struct {
		from, to temporal.Instant
		support  []*modelClaim
	}
	var joined []window
	for i, t := range cuts {
		end := temporal.Forever
		if i+1 < len(cuts) {
			end = cuts[i+1]
		}
		head := headAt(t)
		if len(head) == 0 {
			continue
		}
		if n := len(joined) - 1; n >= 0 && joined[n].to == t && joined[n].support[0].Object == head[0].Object {
			joined[n].to = end
			joined[n].support = append(joined[n].support, head...)
			continue
		}
		joined = append(joined, window{t, end, head})
	}
	var out []facts.Window
	for _, j := range joined {
		slices.SortFunc(j.support, func(a, b *modelClaim) int { return cmp.Compare(a.rec, b.rec) })
		j.support = slices.Compact(j.support)
		w := facts.Window{Object: j.support[0].Object, Valid: temporal.Period{From: j.from}, Fact: j.support[0].Fact, Muted: true}
		if j.to != temporal.Forever {
			w.Valid.To = j.to
		}
		for _, c := range j.support {
			w.Support = append(w.Support, c.Placement)
			w.Muted = w.Muted && c.Muted
		}
		w.Precision = graph.Bounds{From: modelFrom(w, live), To: modelTo(w, live)}
		out = append(out, w)
	}
	return out
}

func modelFrom(w facts.Window, live []*modelClaim) temporal.Precision {
	from := w.Valid.From
	if from == 0 {
		return temporal.Unknown
	}
	for _, p := range w.Support {
		if p.Valid.From == from {
			return p.Precision.From
		}
	}
	for _, p := range w.Support {
		if p.HoldsAt == from {
			return ""
		}
	}
	return modelBound(from, live)
}

func modelTo(w facts.Window, live []*modelClaim) temporal.Precision {
	to := w.Valid.To
	if to == 0 {
		return ""
	}
	for _, p := range w.Support {
		if p.Valid.To == to {
			return p.Precision.To
		}
	}
	return modelBound(to, live)
}

func modelBound(t temporal.Instant, live []*modelClaim) temporal.Precision {
	for _, c := range live {
		if c.Valid.To == t {
			return c.Precision.To
		}
	}
	for _, c := range live {
		if c.Valid.From == t {
			return c.Precision.From
		}
	}
	return ""
}
