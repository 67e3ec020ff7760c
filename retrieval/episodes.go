package retrieval

import (
	"context"
	"errors"
	"slices"

	"tenure/belief"
	"tenure/graph"
)

var statuses = []graph.Status{graph.Pending, graph.Processing, graph.Done, graph.Failed, graph.Dead}

// Episode returns an episode with what became of it, or ErrNotFound.
func (s *Service) Episode(ctx context.Context, scope graph.Scope, id graph.EpisodeID) (EpisodeDetail, error) {
	r, err := s.cfg.Store.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		return EpisodeDetail{}, err
	}
	found, err := r.Episodes(ctx, []graph.EpisodeID{id})
	if err != nil {
		return EpisodeDetail{}, err
	}
	e, ok := found[id]
	if !ok {
		return EpisodeDetail{}, graph.NotFound("episode")
	}
	details, err := detail(ctx, r, []graph.Episode{e})
	if err != nil {
		return EpisodeDetail{}, err
	}
	return details[0], nil
}

// Episodes lists a scope's episodes in the order in which they were recorded.
func (s *Service) Episodes(ctx context.Context, scope graph.Scope, q EpisodeQuery) ([]EpisodeDetail, string, error) {
	r, err := s.cfg.Store.Snapshot(ctx, graph.View{Scope: scope})
	if err != nil {
		return nil, "", err
	}
	settings, err := r.Settings(ctx)
	if err != nil {
		return nil, "", err
	}
	of := listing("episodes", scope, q.Conversation, q.Status, q.Since, q.Until)
	filter := graph.EpisodeFilter{Conversation: q.Conversation}
	var errs [4]error
	zone := zoneOf(settings)
	filter.Since, errs[0] = readTime("since", q.Since, zone)
	filter.Until, errs[1] = readTime("until", q.Until, zone)
	size, sizeErr := q.size()
	errs[2] = sizeErr
	place, tokenErr := decode(q.Token, of)
	errs[3] = tokenErr
	if q.Status != "" {
		filter.Statuses = []graph.Status{graph.Status(q.Status)}
		if !slices.Contains(statuses, graph.Status(q.Status)) {
			return nil, "", graph.Invalid("status", "want pending, processing, done, failed or dead")
		}
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, "", err
	}
	if place != nil {
		filter.After = &graph.Episode{ID: graph.EpisodeID(place.ID), Recorded: place.pos()}
	}
	filter.Limit = size + 1
	episodes, err := r.ListEpisodes(ctx, filter)
	if err != nil {
		return nil, "", err
	}
	var next string
	if len(episodes) > size {
		episodes = episodes[:size]
		last := episodes[size-1]
		next = token{Of: of, ID: string(last.ID), From: int64(last.Recorded.Tx), Seq: last.Recorded.Seq}.encode()
	}
	details, err := detail(ctx, r, episodes)
	return details, next, err
}

// detail adds to episodes the changes that were made because of them.
func detail(ctx context.Context, r graph.Reader, episodes []graph.Episode) ([]EpisodeDetail, error) {
	var ids []graph.ChangeID
	for _, e := range episodes {
		ids = append(ids, e.Outcome.Changes...)
	}
	differences := map[graph.ChangeID]belief.Difference{}
	if len(ids) > 0 {
		slices.Sort(ids)
		found, err := r.Changes(ctx, slices.Compact(ids))
		if err != nil {
			return nil, err
		}
		changes := make([]graph.Change, 0, len(found))
		for _, c := range found {
			changes = append(changes, c)
		}
		slices.SortFunc(changes, byPlace)
		made, err := belief.Differences(ctx, r, changes)
		if err != nil {
			return nil, err
		}
		for _, d := range made {
			differences[d.ID] = d
		}
	}
	out := make([]EpisodeDetail, len(episodes))
	for i, e := range episodes {
		out[i].Episode = e
		for _, id := range e.Outcome.Changes {
			if d, ok := differences[id]; ok {
				out[i].Changes = append(out[i].Changes, d)
			}
		}
	}
	return out, nil
}

// byPlace orders changes by their place in the log.
func byPlace(a, b graph.Change) int {
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	return compareID(a.ID, b.ID)
}
