package graphtest

import (
	"context"
	"encoding/json"
	"errors"

	"tenure/graph"
)

// dump is all that can be read of a scope, as text.
func dump(ctx context.Context, r graph.Reader) (string, error) {
	var failed error
	keep := func(v any, err error) any {
		if failed == nil {
			failed = err
		}
		return v
	}
	var facts []graph.ClaimID
	var versions []graph.Version
	for _, gone := range []bool{false, true} {
		found, err := r.Versions(ctx, graph.VersionFilter{Hidden: graph.WithHidden, Gone: gone})
		keep(nil, err)
		versions = append(versions, found...)
	}
	for _, v := range versions {
		facts = append(facts, v.Fact)
	}
	text, err := json.Marshal([]any{
		versions, keep(r.VersionsOf(ctx, facts)), keep(r.ListEntities(ctx, graph.EntityFilter{})), keep(r.Settings(ctx)),
		keep(r.ListClaims(ctx, graph.ClaimFilter{})), keep(r.ListPlacements(ctx, graph.PlacementFilter{})),
		keep(r.ListEffects(ctx, graph.EffectFilter{})), keep(r.ListChanges(ctx, graph.ChangeFilter{})),
		keep(r.Declarations(ctx)), keep(r.Merges(ctx, nil)), keep(r.ListEpisodes(ctx, graph.EpisodeFilter{})),
	})
	return string(text), errors.Join(failed, err)
}
