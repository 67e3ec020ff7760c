package graphtest_test

import (
	"cmp"
	"context"
	"slices"

	"tenure/graph"
	"tenure/temporal"
)

// memoryReader reads what a scope holds at the time of the call; the transaction time it reads as of is fixed.
type memoryReader struct {
	view graph.View
	tx   temporal.Instant
	read func(context.Context, func(*contents)) error
}

func (r *memoryReader) View() graph.View { return r.view }

func (r *memoryReader) Settings(ctx context.Context) (out graph.Settings, err error) {
	err = r.read(ctx, func(c *contents) { out = deepCopy(c.Settings) })
	return out, err
}

func (r *memoryReader) Counts(ctx context.Context) (out graph.Counts, err error) {
	err = r.read(ctx, func(c *contents) { out = c.counts(r.believed) })
	return out, err
}

func (r *memoryReader) Tombstones(ctx context.Context, hashes []string) (map[string]bool, error) {
	out := map[string]bool{}
	err := r.read(ctx, func(c *contents) {
		for _, h := range hashes {
			if c.Tombstones[h] {
				out[h] = true
			}
		}
	})
	return out, err
}

func (r *memoryReader) Receipt(ctx context.Context, key string) (out graph.Receipt, err error) {
	found := false
	err = r.read(ctx, func(c *contents) {
		out, found = c.Receipts[key]
		out = deepCopy(out)
	})
	if err == nil && !found {
		err = graph.NotFound("receipt")
	}
	return out, err
}

// byID picks from a map.
func byID[K comparable, V any](ctx context.Context, r *memoryReader, ids []K, of func(*contents) map[K]V) (map[K]V, error) {
	out := map[K]V{}
	err := r.read(ctx, func(c *contents) {
		for _, id := range ids {
			if v, ok := of(c)[id]; ok {
				out[id] = deepCopy(v)
			}
		}
	})
	return out, err
}

// list selects from a map and sorts.
func list[K comparable, V any](ctx context.Context, r *memoryReader, of func(*contents) map[K]V, limit int, compare func(a, b V) int, keep func(V) bool) ([]V, error) {
	var out []V
	err := r.read(ctx, func(c *contents) {
		for _, v := range of(c) {
			if keep(v) {
				out = append(out, v)
			}
		}
		out = first(out, limit, compare)
	})
	return out, err
}

func (r *memoryReader) Entities(ctx context.Context, ids []graph.EntityID) (map[graph.EntityID]graph.Entity, error) {
	return byID(ctx, r, ids, func(c *contents) map[graph.EntityID]graph.Entity { return c.Entities })
}

func (r *memoryReader) EntitiesByKey(ctx context.Context, keys []string) ([]graph.Entity, error) {
	return r.listEntities(ctx, 0, func(e graph.Entity) bool {
		return slices.ContainsFunc(e.Keys, func(k string) bool { return slices.Contains(keys, k) })
	})
}

func (r *memoryReader) ListEntities(ctx context.Context, f graph.EntityFilter) ([]graph.Entity, error) {
	return r.listEntities(ctx, f.Limit, func(e graph.Entity) bool {
		return (f.Key == "" || slices.Contains(e.Keys, f.Key)) && (f.Kind == "" || e.Kind == f.Kind) && e.ID > f.After
	})
}

func (r *memoryReader) listEntities(ctx context.Context, limit int, keep func(graph.Entity) bool) ([]graph.Entity, error) {
	return list(ctx, r, func(c *contents) map[graph.EntityID]graph.Entity { return c.Entities }, limit,
		func(a, b graph.Entity) int { return cmp.Compare(a.ID, b.ID) }, keep)
}

func (r *memoryReader) believed(v graph.Version) bool { return v.Tx.Contains(r.tx) }

// asThen is a version as it was at the reader's transaction time.
func (r *memoryReader) asThen(v graph.Version) graph.Version {
	if v.Tx.End() > r.tx {
		v.Tx.To, v.Ended = 0, ""
	}
	return v
}

func versionsOf(c *contents) map[graph.VersionID]graph.Version { return c.Versions }

func compareKeys(a, b graph.VersionKey) int {
	return cmp.Or(temporal.Compare(a.Valid, b.Valid), cmp.Compare(a.Fact, b.Fact), cmp.Compare(a.ID, b.ID))
}

func (r *memoryReader) Versions(ctx context.Context, f graph.VersionFilter) ([]graph.Version, error) {
	gone := map[graph.VersionID]bool{}
	if f.Gone {
		if err := r.read(ctx, func(c *contents) { gone = r.gone(c) }); err != nil {
			return nil, err
		}
	}
	out, err := list(ctx, r, versionsOf, f.Limit, func(a, b graph.Version) int { return compareKeys(a.Key(), b.Key()) }, func(v graph.Version) bool {
		return (f.Gone && gone[v.ID] || !f.Gone && r.believed(v)) && passes(f, v)
	})
	for i := range out {
		out[i] = r.asThen(out[i])
	}
	return out, err
}

// gone are the last versions of the facts that have none at the reader's transaction time any more.
func (r *memoryReader) gone(c *contents) map[graph.VersionID]bool {
	last, held := map[graph.ClaimID]graph.Version{}, map[graph.ClaimID]bool{}
	for _, v := range c.Versions {
		held[v.Fact] = held[v.Fact] || r.believed(v)
		if v.Tx.End() > r.tx {
			continue
		}
		l, ok := last[v.Fact]
		if !ok || cmp.Or(cmp.Compare(v.Tx.To, l.Tx.To), cmp.Compare(v.Tx.From, l.Tx.From), cmp.Compare(v.Valid.From, l.Valid.From), cmp.Compare(v.ID, l.ID)) > 0 {
			last[v.Fact] = v
		}
	}
	out := map[graph.VersionID]bool{}
	for fact, v := range last {
		if !held[fact] {
			out[v.ID] = true
		}
	}
	return out
}

func passes(f graph.VersionFilter, v graph.Version) bool {
	switch {
	case f.Hidden == graph.HideHidden && v.Hidden, f.Hidden == graph.OnlyHidden && !v.Hidden:
		return false
	case f.Valid != 0 && !v.Valid.Contains(f.Valid):
		return false
	case f.BeginsFrom != 0 && v.Valid.From < f.BeginsFrom, f.BeginsBefore != 0 && v.Valid.From >= f.BeginsBefore:
		return false
	case f.EndsFrom != 0 && v.Valid.End() < f.EndsFrom, f.EndsBefore != 0 && v.Valid.End() >= f.EndsBefore:
		return false
	case f.After != nil && compareKeys(v.Key(), *f.After) <= 0:
		return false
	}
	return among(f.Subjects, v.Subject) && among(f.Objects, v.Object) && among(f.Predicates, v.Predicate) &&
		among(f.Types, v.Type) && among(f.Lanes, v.Lane)
}

func (r *memoryReader) VersionsOf(ctx context.Context, facts []graph.ClaimID) ([]graph.Version, error) {
	out, err := list(ctx, r, versionsOf, 0, func(a, b graph.Version) int {
		return cmp.Or(cmp.Compare(a.Tx.From, b.Tx.From), cmp.Compare(a.Valid.From, b.Valid.From), cmp.Compare(a.ID, b.ID))
	}, func(v graph.Version) bool { return slices.Contains(facts, v.Fact) && v.Tx.From <= r.tx })
	for i := range out {
		out[i] = r.asThen(out[i])
	}
	return out, err
}

func (r *memoryReader) Around(ctx context.Context, entities []graph.EntityID, valid temporal.Instant, perEntity int) ([]graph.Version, error) {
	byImportance := func(a, b graph.Version) int {
		return cmp.Or(cmp.Compare(b.Importance, a.Importance), cmp.Compare(a.ID, b.ID))
	}
	var out []graph.Version
	for _, e := range entities {
		near, err := list(ctx, r, versionsOf, perEntity, byImportance, func(v graph.Version) bool {
			return r.believed(v) && !v.Hidden && (valid == 0 || v.Valid.Contains(valid)) && (v.Subject == e || v.Object == e)
		})
		if err != nil {
			return nil, err
		}
		for _, v := range near {
			if !slices.ContainsFunc(out, func(o graph.Version) bool { return o.ID == v.ID }) {
				out = append(out, r.asThen(v))
			}
		}
	}
	slices.SortFunc(out, byImportance)
	return out, r.read(ctx, func(*contents) {})
}

func (r *memoryReader) Used(ctx context.Context, facts []graph.ClaimID) (map[graph.ClaimID]temporal.Instant, error) {
	return byID(ctx, r, facts, func(c *contents) map[graph.ClaimID]temporal.Instant { return c.Used })
}

func (r *memoryReader) Changes(ctx context.Context, ids []graph.ChangeID) (map[graph.ChangeID]graph.Change, error) {
	return byID(ctx, r, ids, func(c *contents) map[graph.ChangeID]graph.Change { return c.Changes })
}

func (r *memoryReader) ListChanges(ctx context.Context, f graph.ChangeFilter) ([]graph.Change, error) {
	compare := comparePos(func(c graph.Change) graph.Pos { return c.At }, func(c graph.Change) string { return string(c.ID) })
	return list(ctx, r, func(c *contents) map[graph.ChangeID]graph.Change { return c.Changes }, f.Limit, compare, func(c graph.Change) bool {
		var touched []graph.EntityID
		for _, l := range c.Lanes {
			touched = append(touched, l.Subject)
			if l.Object != "" {
				touched = append(touched, l.Object)
			}
		}
		return (f.Since == 0 || f.Since < c.At.Tx) && (f.Until == 0 || c.At.Tx <= f.Until) && among(f.Entities, touched...) &&
			among(f.Lanes, c.Lanes...) && among(f.Episodes, c.Episode) && among(f.Claims, c.Claim) && among(f.Reverts, c.Reverts) &&
			(f.After == nil || compare(c, *f.After) > 0)
	})
}

func (r *memoryReader) Declarations(ctx context.Context) (out []graph.Declaration, err error) {
	err = r.read(ctx, func(c *contents) {
		out = first(slices.Clone(c.Declarations), 0, func(a, b graph.Declaration) int { return a.At.Compare(b.At) })
	})
	return out, err
}

func (r *memoryReader) Merges(ctx context.Context, entities []graph.EntityID) (out []graph.Merge, err error) {
	err = r.read(ctx, func(c *contents) {
		all := slices.DeleteFunc(slices.Clone(c.Merges), func(m graph.Merge) bool { return !among(entities, m.From, m.Into) })
		out = first(all, 0, func(a, b graph.Merge) int { return a.At.Compare(b.At) })
	})
	return out, err
}
