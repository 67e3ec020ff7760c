package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"tenure/graph"
)

func episodeArgs(e graph.Episode) []param {
	var east any
	if e.Offset != nil {
		east = *e.Offset
	}
	return []param{
		arg("id", string(e.ID)), arg("kind", string(e.Kind)), arg("conversation", e.Conversation), arg("speaker", e.Speaker),
		arg("role", string(e.Role)), arg("text", e.Text), arg("occurred", begin(e.Occurred)), arg("precision", string(e.Precision)),
		arg("east", east), arg("metadata", string(e.Metadata)), arg("extract", e.Extract), arg("hash", e.Hash),
		arg("recorded_tx", begin(e.Recorded.Tx)), arg("recorded_seq", e.Recorded.Seq), arg("status", string(e.Status)),
		arg("attempts", e.Attempts), arg("error", e.Error), arg("outcome", encode(e.Outcome)),
	}
}

func scanEpisode(row scanner) (graph.Episode, error) { return scanEpisodeAfter(row) }

// scanEpisodeAfter scans an episode whose columns come after others.
func scanEpisodeAfter(row scanner, others ...any) (graph.Episode, error) {
	var e graph.Episode
	var metadata string
	err := row.Scan(append(others,
		(*string)(&e.ID), (*string)(&e.Kind), &e.Conversation, &e.Speaker, (*string)(&e.Role), &e.Text, beginColumn{&e.Occurred}, (*string)(&e.Precision),
		&e.Offset, &metadata, &e.Extract, &e.Hash, beginColumn{&e.Recorded.Tx}, &e.Recorded.Seq, (*string)(&e.Status),
		&e.Attempts, &e.Error, jsonColumn{&e.Outcome},
	)...)
	if metadata != "" {
		e.Metadata = json.RawMessage(metadata)
	}
	e.Outcome.Changes, e.Outcome.Dropped = slices.Clip(e.Outcome.Changes), slices.Clip(e.Outcome.Dropped)
	return e, err
}

func episodeID(e graph.Episode) graph.EpisodeID { return e.ID }

// byRecorded is the order of episodes.
func byRecorded(a, b graph.Episode) int {
	return cmp.Or(a.Recorded.Compare(b.Recorded), strings.Compare(string(a.ID), string(b.ID)))
}

// Episodes implements graph.EpisodeReader.
func (r *reader) Episodes(ctx context.Context, ids []graph.EpisodeID) (map[graph.EpisodeID]graph.Episode, error) {
	return byID(ctx, r, episodeGet, scanEpisode, episodeID, ids)
}

// ListEpisodes implements graph.EpisodeReader.
func (r *reader) ListEpisodes(ctx context.Context, f graph.EpisodeFilter) ([]graph.Episode, error) {
	var after place
	if f.After != nil {
		after = place{f.After.Recorded, string(f.After.ID)}
	}
	args := append(after.args(), arg("since", moment(f.Since)), arg("until", moment(f.Until)), arg("limit", bound(f.Limit)))
	switch {
	case f.Conversation != "":
		args = append(args, arg("conversation", f.Conversation), arg("statuses", filter(f.Statuses)))
		return fetch(ctx, r, episodeListByConversation, scanEpisode, args...)
	case len(f.Statuses) > 0:
		found, err := fetch(ctx, r, episodeListByStatus, scanEpisode, append(args, arg("statuses", distinct(f.Statuses)))...)
		if err != nil {
			return nil, err
		}
		return ordered(found, byRecorded, f.Limit), nil
	}
	return fetch(ctx, r, episodeList, scanEpisode, args...)
}

// A place is where a listing by a place in the log goes on. The zero place is before everything.
type place struct {
	pos graph.Pos
	id  string
}

func (p place) args() []param {
	return []param{arg("after_tx", begin(p.pos.Tx)), arg("after_seq", p.seq()), arg("after_id", p.id)}
}

func (p place) seq() int64 {
	if p == (place{}) {
		return math.MinInt64
	}
	return int64(p.pos.Seq)
}

// distinct is list without repetitions, in the order of the items: each stands for one seek.
func distinct[T cmp.Ordered](items []T) string {
	items = slices.Clone(items)
	slices.Sort(items)
	return list(slices.Compact(items))
}
