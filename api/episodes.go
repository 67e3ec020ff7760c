package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
	"tenure/retrieval"
)

// Episode is an episode with what became of it.
type Episode struct {
	ID           string           `json:"id"`
	Kind         string           `json:"kind" enum:"message,document,event,json"`
	Conversation *string          `json:"conversation"`
	Speaker      *string          `json:"speaker"`
	Role         *string          `json:"role"`
	Text         string           `json:"text"`
	OccurredAt   Time             `json:"occurred_at"`
	Precision    EpisodePrecision `json:"precision"`
	Metadata     Object           `json:"metadata"`
	Extract      bool             `json:"extract"`
	Tx           Time             `json:"tx" doc:"When the memory took it in."`
	Status       string           `json:"status" enum:"pending,processing,done,failed,dead"`
	Attempts     int              `json:"attempts"`
	Error        *string          `json:"error"`
	Changes      []Change         `json:"changes"`
	Dropped      []Dropped        `json:"dropped"`
	Usage        Usage            `json:"usage"`
}

// EpisodePrecision says how exactly an episode's time was given, if not exactly.
type EpisodePrecision struct {
	OccurredAt string `json:"occurred_at,omitempty" enum:"hour,day,month,year"`
}

// Dropped is a claim that was read but not taken.
type Dropped struct {
	Claim  string `json:"claim"`
	Reason string `json:"reason"`
}

// Usage is what an episode cost.
type Usage struct {
	LLMCalls  int `json:"llm_calls"`
	TokensIn  int `json:"tokens_in"`
	TokensOut int `json:"tokens_out"`
}

func episode(e graph.Episode, changes []Change) Episode {
	return Episode{
		ID: string(e.ID), Kind: string(e.Kind), Conversation: optional(e.Conversation), Speaker: optional(e.Speaker), Role: optional(e.Role),
		Text: e.Text, OccurredAt: Time(e.Occurred), Precision: EpisodePrecision{OccurredAt: inexact(e.Precision)}, Metadata: Object(e.Metadata),
		Extract: e.Extract, Tx: Time(e.Recorded.Tx), Status: string(e.Status), Attempts: e.Attempts, Error: optional(e.Error),
		Changes: changes, Dropped: dropped(e.Outcome), Usage: Usage(e.Outcome.Usage),
	}
}

func episodeDetail(d retrieval.EpisodeDetail) Episode {
	return episode(d.Episode, list(d.Changes, change))
}

func dropped(o graph.Outcome) []Dropped {
	return list(o.Dropped, func(d graph.Dropped) Dropped { return Dropped(d) })
}

// EpisodeList is a page of episodes in the order they were taken in.
type EpisodeList struct {
	Episodes      []Episode `json:"episodes"`
	NextPageToken string    `json:"next_page_token,omitempty"`
}

// Remembered says how far posted episodes have got.
type Remembered struct {
	Episodes []EpisodeProgress `json:"episodes" doc:"In the order they were posted."`
}

// EpisodeProgress says how far a posted episode has got. What became of it is there once it is done.
type EpisodeProgress struct {
	ID       string    `json:"id"`
	Status   string    `json:"status" enum:"pending,processing,done,failed,dead"`
	Changes  []Change  `json:"changes,omitzero"`
	Dropped  []Dropped `json:"dropped,omitzero"`
	Usage    *Usage    `json:"usage,omitempty"`
	Error    string    `json:"error,omitempty"`
	Attempts int       `json:"attempts,omitempty"`
}

// EpisodeNamed is the episode of a route.
type EpisodeNamed struct {
	ID string `path:"id" minLength:"1" maxLength:"128"`
}

func (s *server) registerEpisodes(api huma.API) {
	const path, tag = "/v1/scopes/{scope}/episodes", "episodes"
	post := operation(http.MethodPost, path, "post-episodes", tag, "Remember episodes; with wait, answer once they are worked off")
	post.DefaultStatus = http.StatusAccepted
	handle(api, post, s.postEpisodes)
	answers := api.OpenAPI().Paths[path].Post.Responses
	answers["201"] = &huma.Response{Description: "Worked off within the wait.", Content: answers["202"].Content}
	handle(api, operation(http.MethodGet, path, "list-episodes", tag, "List episodes"), s.listEpisodes)
	handle(api, operation(http.MethodGet, path+"/{id}", "get-episode", tag, "Read an episode and what became of it"), s.getEpisode)
	handle(api, operation(http.MethodDelete, path+"/{id}", "erase-episode", tag, "Erase an episode and the facts that rest on it alone, for good"), s.eraseEpisode)
	retry := operation(http.MethodPost, path+"/{id}/retry", "retry-episode", tag, "Work an episode off again")
	retry.DefaultStatus = http.StatusAccepted
	handle(api, retry, s.retryEpisode)
}

type postEpisodesInput struct {
	Scoped
	Keyed
	Prefer string `header:"Prefer" doc:"wait=5 is as wait in the body; the body's wins."`
	Body   PostEpisodes
}

type postEpisodesOutput struct {
	Status  int
	Applied string `header:"Preference-Applied"`
	Body    Remembered
}

func (s *server) postEpisodes(ctx context.Context, in *postEpisodesInput) (*postEpisodesOutput, error) {
	episodes, places := in.Body.expand()
	wait, applied := in.Body.wait(), ""
	if in.Body.Wait == "" {
		wait, applied = preferredWait(in.Prefer)
	}
	scope := s.scope(in.Scope)
	remembered, err := s.write.Remember(ctx, scope, episodes, wait, s.caller(in.IdempotencyKey, false))
	if err != nil {
		return nil, replace(err, places)
	}
	out := &postEpisodesOutput{Status: http.StatusAccepted, Applied: applied}
	whole := true
	out.Body.Episodes = list(remembered.Episodes, func(e graph.Episode) EpisodeProgress {
		progress, ok := s.progress(ctx, scope, e)
		whole = whole && ok
		return progress
	})
	if wait > 0 && whole && remembered.Finished() {
		out.Status = http.StatusCreated
	}
	return out, nil
}

// progress renders an acknowledged episode. The write path answers with the ids of changes; what they did is read here. It
// reports whether that could be read: if not, the answer leaves the changes out instead of failing, because the episode is
// kept and a caller who is told otherwise would post it again.
func (s *server) progress(ctx context.Context, scope graph.Scope, e graph.Episode) (EpisodeProgress, bool) {
	p := EpisodeProgress{ID: string(e.ID), Status: string(e.Status), Error: e.Error}
	if e.Error != "" {
		p.Attempts = e.Attempts
	}
	if e.Status != graph.Done {
		return p, true
	}
	usage := Usage(e.Outcome.Usage)
	p.Dropped, p.Usage = dropped(e.Outcome), &usage
	if len(e.Outcome.Changes) == 0 {
		p.Changes = []Change{}
		return p, true
	}
	detail, err := s.read.Episode(ctx, scope, e.ID)
	if err != nil {
		return p, false
	}
	p.Changes = list(detail.Changes, change)
	return p, true
}

type listEpisodesInput struct {
	Scoped
	Conversation string `query:"conversation" maxLength:"512"`
	Status       string `query:"status" enum:"pending,processing,done,failed,dead"`
	Since        string `query:"since" maxLength:"64" doc:"since <= occurred_at"`
	Until        string `query:"until" maxLength:"64" doc:"occurred_at < until"`
	Paged
}

type listEpisodesOutput struct{ Body EpisodeList }

func (s *server) listEpisodes(ctx context.Context, in *listEpisodesInput) (*listEpisodesOutput, error) {
	episodes, next, err := s.read.Episodes(ctx, s.scope(in.Scope), retrieval.EpisodeQuery{
		Conversation: in.Conversation, Status: in.Status, Since: in.Since, Until: in.Until, Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	return &listEpisodesOutput{EpisodeList{Episodes: list(episodes, episodeDetail), NextPageToken: next}}, nil
}

type episodeInput struct {
	Scoped
	EpisodeNamed
}

type episodeOutput struct{ Body Episode }

func (s *server) getEpisode(ctx context.Context, in *episodeInput) (*episodeOutput, error) {
	detail, err := s.read.Episode(ctx, s.scope(in.Scope), graph.EpisodeID(in.ID))
	if err != nil {
		return nil, err
	}
	return &episodeOutput{episodeDetail(detail)}, nil
}

type erasedOutput struct{ Body Erased }

func (s *server) eraseEpisode(ctx context.Context, in *episodeInput) (*erasedOutput, error) {
	receipt, err := s.write.EraseEpisode(ctx, s.scope(in.Scope), graph.EpisodeID(in.ID))
	if err != nil {
		return nil, err
	}
	return &erasedOutput{erased(receipt)}, nil
}

type retryOutput struct{ Body EpisodeProgress }

func (s *server) retryEpisode(ctx context.Context, in *episodeInput) (*retryOutput, error) {
	scope := s.scope(in.Scope)
	e, err := s.write.RetryEpisode(ctx, scope, graph.EpisodeID(in.ID))
	if err != nil {
		return nil, err
	}
	progress, _ := s.progress(ctx, scope, e)
	return &retryOutput{progress}, nil
}

// item is the place of one of several in a request.
func item(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }
