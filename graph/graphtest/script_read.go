package graphtest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenure/belief"
	"tenure/graph"
	"tenure/temporal"
)

// difference says what a change began, ended and changed.
func (s *stage) difference(out *strings.Builder, r graph.Reader, d belief.Difference) error {
	lines := []string{}
	for _, f := range d.Begun {
		lines = append(lines, "  began "+row(f))
	}
	for _, f := range d.Ended {
		lines = append(lines, "  ended "+row(f))
	}
	for _, pair := range d.Changed {
		lines = append(lines, "  changed "+row(pair.Before)+" to "+row(pair.After))
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	return nil
}

// row is a fact on one line.
func row(f graph.Fact) string {
	line := fmt.Sprintf("%s %s %s %s (%s)", f.SubjectNode.Name, f.Predicate, f.ObjectNode.Name, span(f.Valid, f.Precision), f.Version.Fact)
	if f.Trust != graph.Stated {
		line += ", " + string(f.Trust)
	}
	if f.Hidden {
		line += ", hidden"
	}
	return line
}

// span is a window as a person writes it.
func span(p temporal.Period, precision graph.Bounds) string {
	spell := func(i temporal.Instant, exact temporal.Precision) string {
		if exact != "" {
			return temporal.Date{At: i, Precision: exact}.Format(nil)
		}
		return month(i, "")
	}
	switch {
	case p.From == 0 && p.To == 0:
		return "at all times"
	case p.From == 0:
		return "until " + spell(p.To, precision.To)
	case p.To == 0:
		return "since " + spell(p.From, precision.From)
	default:
		return "from " + spell(p.From, precision.From) + " to " + spell(p.To, precision.To)
	}
}

// view reads the scope as of what was known on a day of the story, or just after an operation.
func (s *stage) view(w words) (graph.Reader, error) {
	view := graph.View{Scope: s.scope}
	if known := w.option["known"]; known != "" {
		if tx, ok := s.requests[known]; ok {
			view.Tx = tx
		} else {
			d, err := day(known)
			if err != nil {
				return nil, fmt.Errorf("known %s: neither an operation nor a day", known)
			}
			view.Tx = 1
			for _, m := range s.said {
				if m.date <= d.At {
					view.Tx = m.tx
				}
			}
		}
	}
	return s.store.Snapshot(s.ctx, view)
}

// asOf is the as-of that a reading command names.
func (s *stage) asOf(w words, r graph.Reader) (temporal.AsOf, error) {
	d, err := day(w.option["at"])
	return temporal.AsOf{Valid: d.At, Any: d.At == 0, Tx: r.View().Tx}, err
}

func (s *stage) facts(w words) (string, error) {
	f := graph.VersionFilter{Gone: w.option["gone"] != "", Predicates: w.list("predicate")}
	if w.option["hidden"] != "" {
		f.Hidden = graph.OnlyHidden
	}
	for _, name := range w.list("of") {
		f.Subjects = append(f.Subjects, thing(name).ID)
	}
	for _, name := range w.list("object") {
		f.Objects = append(f.Objects, thing(name).ID)
	}
	var failed error
	for name, bound := range map[string]*temporal.Instant{
		"at": &f.Valid, "begins-from": &f.BeginsFrom, "begins-before": &f.BeginsBefore, "ends-from": &f.EndsFrom, "ends-before": &f.EndsBefore,
	} {
		d, err := day(w.option[name])
		*bound, failed = d.At, errors.Join(failed, err)
	}
	r, err := s.view(w)
	if err != nil || failed != nil {
		return "", errors.Join(err, failed)
	}
	versions, err := r.Versions(s.ctx, f)
	if err != nil {
		return "", err
	}
	at, err := s.asOf(w, r)
	if err != nil {
		return "", err
	}
	dressed, err := belief.Dress(s.ctx, r, versions, at)
	if err != nil {
		return "", err
	}
	return rows(dressed), nil
}

func rows(list []graph.Fact) string {
	var out strings.Builder
	for _, f := range list {
		fmt.Fprintln(&out, row(f))
	}
	if len(list) == 0 {
		fmt.Fprintln(&out, "none")
	}
	return out.String()
}

func (s *stage) disputed(w words) (string, error) {
	r, err := s.view(w)
	if err != nil {
		return "", err
	}
	at, err := s.asOf(w, r)
	if err != nil {
		return "", err
	}
	found, err := belief.DisputedFacts(s.ctx, r, graph.PlacementFilter{}, at)
	return rows(found), err
}

// history lists all that was ever believed of a subject's predicate, with the days of the story on which it was.
func (s *stage) history(w words) (string, error) {
	r, err := s.view(w)
	if err != nil {
		return "", err
	}
	var facts []graph.ClaimID
	for _, gone := range []bool{false, true} {
		found, err := r.Versions(s.ctx, graph.VersionFilter{Hidden: graph.WithHidden, Gone: gone})
		if err != nil {
			return "", err
		}
		for _, v := range found {
			facts = union(facts, []graph.ClaimID{v.Fact})
		}
	}
	versions, err := r.VersionsOf(s.ctx, facts)
	if err != nil {
		return "", err
	}
	versions = slices.DeleteFunc(versions, func(v graph.Version) bool { return v.Subject != thing(w.word(0)).ID || v.Predicate != w.word(1) })
	return s.known(r, versions)
}

// known lists versions with the days on which they were believed.
func (s *stage) known(r graph.Reader, versions []graph.Version) (string, error) {
	slices.SortStableFunc(versions, func(a, b graph.Version) int { return cmp.Or(temporal.Compare(a.Tx, b.Tx), byKey(a, b)) })
	dressed, err := belief.Dress(s.ctx, r, versions, temporal.AsOf{Any: true, Tx: r.View().Tx})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range dressed {
		tx := temporal.Period{From: s.dateOf(f.Tx.From), To: s.dateOf(f.Tx.To)}
		fmt.Fprintf(&out, "%s, known %s\n", row(f), span(tx, graph.Bounds{}))
	}
	return out.String(), nil
}

func (s *stage) dateOf(tx temporal.Instant) temporal.Instant {
	for _, m := range s.said {
		if m.tx == tx {
			return m.date
		}
	}
	return 0
}

// fact shows where an id leads, with all versions.
func (s *stage) fact(w words) (string, error) {
	r, err := s.view(w)
	if err != nil {
		return "", err
	}
	id, err := belief.Locate(s.ctx, r, graph.ClaimID(w.word(0)))
	if errors.Is(err, graph.ErrNotFound) {
		return err.Error() + "\n", nil
	}
	if err != nil {
		return "", err
	}
	versions, err := r.VersionsOf(s.ctx, []graph.ClaimID{id})
	if err != nil {
		return "", err
	}
	return s.known(r, versions)
}

// why shows what a fact rests on.
func (s *stage) why(w words) (string, error) {
	r, err := s.view(w)
	if err != nil {
		return "", err
	}
	versions, err := r.Versions(s.ctx, graph.VersionFilter{Hidden: graph.WithHidden})
	if err != nil {
		return "", err
	}
	versions = slices.DeleteFunc(versions, func(v graph.Version) bool { return string(v.Fact) != w.word(0) })
	dressed, err := belief.Dress(s.ctx, r, versions, temporal.AsOf{Any: true, Tx: r.View().Tx})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range dressed {
		fmt.Fprintf(&out, "%s: %q, %s, %g, claims %v", row(f), f.Text, f.Type, f.Importance, f.Claims)
		for _, source := range f.Sources {
			fmt.Fprintf(&out, ", episode %s %q", source.Episode, source.Quote)
		}
		if f.SupersededBy != "" {
			fmt.Fprintf(&out, ", superseded by %s", f.SupersededBy)
		}
		if len(f.Supersedes) > 0 {
			fmt.Fprintf(&out, ", supersedes %v", f.Supersedes)
		}
		if len(f.Conflicts) > 0 {
			fmt.Fprintf(&out, ", conflicts with %v", f.Conflicts)
		}
		fmt.Fprintln(&out)
	}
	return out.String(), nil
}

// listChanges lists what was done since an operation or a day.
func (s *stage) listChanges(w words) (string, error) {
	r, err := s.view(w)
	if err != nil {
		return "", err
	}
	f := graph.ChangeFilter{Since: s.requests[w.option["since"]]}
	if since := w.option["since"]; since != "" && f.Since == 0 {
		d, err := day(since)
		if err != nil {
			return "", err
		}
		for _, m := range s.said {
			if m.date < d.At {
				f.Since = m.tx
			}
		}
	}
	changes, err := r.ListChanges(s.ctx, f)
	if err != nil {
		return "", err
	}
	differences, err := belief.Differences(s.ctx, r, changes)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, d := range differences {
		fmt.Fprintf(&out, "%s %s", d.Kind, d.ID)
		if d.Episode != "" {
			fmt.Fprintf(&out, ", episode %s", d.Episode)
		}
		if !d.Standing {
			fmt.Fprint(&out, ", reverted")
		}
		fmt.Fprintln(&out)
		if err := s.difference(&out, r, d); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}
