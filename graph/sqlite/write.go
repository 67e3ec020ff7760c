package sqlite

import (
	"context"

	"tenure/graph"
)

// Write implements graph.Writer.
func (w *writer) Write(ctx context.Context, delta graph.Delta) error {
	if err := w.enter(ctx); err != nil {
		return err
	}
	defer w.leave()
	if empty(delta) {
		return nil
	}
	if err := w.wants(ctx); err != nil {
		return err
	}
	for _, write := range []func(context.Context, graph.Delta) error{
		w.writeScope, w.writeEntities, w.writeEpisodes, w.writeClaims, w.writeOperations, w.writeChanges, w.writeDerived,
	} {
		if err := write(ctx, delta); err != nil {
			return err
		}
	}
	return nil
}

func empty(d graph.Delta) bool {
	return d.Settings == nil && len(d.Entities) == 0 && len(d.Episodes) == 0 && len(d.Claims) == 0 && len(d.Effects) == 0 &&
		len(d.Merges) == 0 && len(d.Declarations) == 0 && len(d.Placements) == 0 && len(d.Versions) == 0 && len(d.Changes) == 0 &&
		len(d.Receipts) == 0 && len(d.Tombstones) == 0
}

func (w *writer) writeScope(ctx context.Context, delta graph.Delta) error {
	if delta.Settings != nil {
		if _, err := w.put(ctx, scopeSetSettings, arg("settings", encode(*delta.Settings))); err != nil {
			return err
		}
	}
	for _, r := range delta.Receipts {
		if _, err := w.put(ctx, receiptPut, receiptArgs(r)...); err != nil {
			return err
		}
	}
	for _, hash := range delta.Tombstones {
		if _, err := w.put(ctx, tombstoneAdd, arg("hash", hash)); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) writeEntities(ctx context.Context, delta graph.Delta) error {
	for _, e := range delta.Entities {
		args := append(entityArgs(e), w.stamp())
		isNew, err := w.put(ctx, entityAdd, args...)
		if err == nil && !isNew {
			err = w.replace(ctx, nameDestroy, string(e.ID), entityPut, args)
		}
		if err != nil {
			return err
		}
		for _, key := range e.Keys {
			if _, err := w.put(ctx, nameAdd, arg("key", key), arg("entity", string(e.ID))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) writeEpisodes(ctx context.Context, delta graph.Delta) error {
	for _, e := range delta.Episodes {
		if _, err := w.put(ctx, episodePut, append(episodeArgs(e), w.stamp())...); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) writeClaims(ctx context.Context, delta graph.Delta) error {
	for _, c := range delta.Claims {
		args := claimArgs(c)
		isNew, err := w.put(ctx, claimAdd, args...)
		if err == nil && !isNew {
			err = w.replace(ctx, claimEpisodeDestroy, string(c.ID), claimPut, args)
		}
		if err != nil {
			return err
		}
		for _, source := range c.Sources {
			if _, err := w.put(ctx, claimEpisodeAdd, arg("episode", string(source.Episode)), arg("claim", string(c.ID)),
				arg("logged_tx", begin(c.Logged.Tx)), arg("logged_seq", c.Logged.Seq)); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeOperations writes what changes did beside logging a claim.
func (w *writer) writeOperations(ctx context.Context, delta graph.Delta) error {
	for _, e := range delta.Effects {
		if _, err := w.put(ctx, effectAdd, effectArgs(e)...); err != nil {
			return err
		}
	}
	for _, m := range delta.Merges {
		if _, err := w.put(ctx, mergePut, mergeArgs(m)...); err != nil {
			return err
		}
	}
	for _, d := range delta.Declarations {
		if _, err := w.put(ctx, declarationPut, declarationArgs(d)...); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) writeChanges(ctx context.Context, delta graph.Delta) error {
	for _, c := range delta.Changes {
		args := changeArgs(c)
		isNew, err := w.put(ctx, changeAdd, args...)
		if err == nil && !isNew {
			stands, failed := w.put(ctx, changeStand, args...)
			if stands {
				continue // its lanes are the same
			}
			if err = failed; err == nil {
				err = w.replace(ctx, changeLaneDestroy, string(c.ID), changePut, args)
			}
		}
		if err != nil {
			return err
		}
		for _, l := range c.Lanes {
			if _, err := w.put(ctx, changeLaneAdd, arg("subject", string(l.Subject)), arg("predicate", l.Predicate), arg("object", string(l.Object)),
				arg("at_tx", begin(c.At.Tx)), arg("at_seq", c.At.Seq), arg("change", string(c.ID))); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeDerived writes what follows from the log. Most of it is new, and most of the rest only ends.
func (w *writer) writeDerived(ctx context.Context, delta graph.Delta) error {
	for _, p := range delta.Placements {
		if err := w.first(ctx, placementArgs(p), placementAdd, placementEnd, placementPut); err != nil {
			return err
		}
	}
	for _, v := range delta.Versions {
		if err := w.first(ctx, append(versionArgs(v), w.stamp()), versionAdd, versionEnd, versionPut); err != nil {
			return err
		}
	}
	return nil
}

// stamp says of a row that a word index must read it again.
func (w *writer) stamp() param { return arg("stamp", begin(w.tx)) }

// put runs a statement that writes a row of the scope, and reports whether it did.
func (w *writer) put(ctx context.Context, statement string, args ...param) (bool, error) {
	n, err := w.db.exec(ctx, statement, append(args, arg("scope", w.scope))...)
	return n > 0, err
}

// first runs the first of the statements that fits the row; those before it do nothing.
func (w *writer) first(ctx context.Context, args []param, statements ...string) error {
	for _, statement := range statements {
		if done, err := w.put(ctx, statement, args...); done || err != nil {
			return err
		}
	}
	return nil
}

// replace replaces a row, after it has taken away the rows that lead to it.
func (w *writer) replace(ctx context.Context, unlink, id, put string, args []param) error {
	if _, err := w.put(ctx, unlink, arg("ids", list([]string{id}))); err != nil {
		return err
	}
	_, err := w.put(ctx, put, args...)
	return err
}

// Destroy implements graph.Writer. It takes the marks of the facts along that the claims began.
func (w *writer) Destroy(ctx context.Context, rows graph.Destruction) error {
	if err := w.enter(ctx); err != nil {
		return err
	}
	defer w.leave()
	if w.scope == 0 {
		return nil
	}
	var total int64
	for _, step := range destruction(rows) {
		if step.ids == "[]" {
			continue
		}
		n, err := w.db.exec(ctx, step.statement, arg("scope", w.scope), arg(step.name, step.ids))
		if err != nil {
			return err
		}
		total += n
	}
	if total == 0 {
		return nil
	}
	w.destroyed = true
	return w.wants(ctx)
}

// A step destroys rows of one table: those of a list, which is a parameter.
type step struct{ statement, name, ids string }

// destruction returns the steps of a Destroy. What leads to a row goes before the row that says where it stands.
func destruction(rows graph.Destruction) []step {
	claims, changes, episodes, entities := list(rows.Claims), list(rows.Changes), list(rows.Episodes), list(rows.Entities)
	lanes := list(triples(rows.Lanes))
	return []step{
		{claimEpisodeDestroy, "ids", claims}, {claimDestroy, "ids", claims},
		{effectDestroyByClaim, "claims", claims}, {effectDestroyByCause, "causes", claims}, {markDestroy, "facts", claims},
		{changeLaneDestroy, "ids", changes}, {changeDestroy, "ids", changes},
		{effectDestroyByChange, "changes", changes}, {mergeDestroy, "changes", changes}, {declarationDestroy, "changes", changes},
		{episodeDestroy, "ids", episodes},
		{nameDestroy, "ids", entities}, {entityDestroy, "ids", entities},
		{placementDestroy, "lanes", lanes}, {versionDestroy, "lanes", lanes},
	}
}
