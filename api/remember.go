package api

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tenure/graph"
	"tenure/ingest"
)

// maxWait bounds how long a request waits for its episodes. Who asks for more gets this: a wait is a wish.
const maxWait = time.Minute

// NewEpisode is an episode as it is posted: one text, or a conversation of which each message becomes an episode.
type NewEpisode struct {
	ID           string       `json:"id,omitempty" minLength:"1" maxLength:"128" doc:"Chosen by the client; with messages, theirs are <id>/1, <id>/2 and so on."`
	Kind         string       `json:"kind,omitempty" enum:"message,document,event,json" doc:"Default message."`
	Conversation string       `json:"conversation,omitempty" maxLength:"512"`
	Speaker      string       `json:"speaker,omitempty" maxLength:"512"`
	Role         string       `json:"role,omitempty" enum:"user,assistant,system,tool"`
	Text         string       `json:"text,omitempty" doc:"At most 1 MiB."`
	Messages     []NewMessage `json:"messages,omitempty" minItems:"1" maxItems:"1000" doc:"In place of text. What a message does not say, it has from what stands beside messages."`
	OccurredAt   string       `json:"occurred_at,omitempty" minLength:"1" maxLength:"64" doc:"RFC 3339 with an offset, or a partial date."`
	Metadata     Object       `json:"metadata,omitempty" doc:"At most 64 KiB."`
	Extract      *bool        `json:"extract,omitempty" doc:"false keeps the text searchable and makes no facts. Default true."`
}

// NewMessage is one message of a conversation.
type NewMessage struct {
	Speaker string `json:"speaker,omitempty" maxLength:"512"`
	Role    string `json:"role,omitempty" enum:"user,assistant,system,tool"`
	Text    string `json:"text" minLength:"1" doc:"At most 1 MiB."`
	At      string `json:"at,omitempty" minLength:"1" maxLength:"64"`
}

// PostEpisodes is one episode, or up to 1000 of them.
type PostEpisodes struct {
	NewEpisode
	Episodes []NewEpisode `json:"episodes,omitempty" minItems:"1" maxItems:"1000"`
	Wait     string       `json:"wait,omitempty" minLength:"1" maxLength:"32" doc:"How long to wait for facts, as 5s; at most 60s."`
}

// Resolve checks what the schema cannot say.
func (b *PostEpisodes) Resolve(huma.Context) []error {
	var f faults
	if d, err := time.ParseDuration(b.Wait); b.Wait != "" && (err != nil || d < 0) {
		f.add("wait", "want a duration, as 5s")
	}
	if b.Episodes == nil {
		b.check(&f, "")
		return f
	}
	for _, name := range b.said() {
		f.add(name, "must not stand beside episodes")
	}
	total := 0
	for i := range b.Episodes {
		b.Episodes[i].check(&f, item("episodes", i)+".")
		total += max(len(b.Episodes[i].Messages), 1)
	}
	if total > maxItems {
		f.add("episodes", "want at most 1000 episodes, counting each message")
	}
	return f
}

// said returns the names of the fields that are set.
func (e *NewEpisode) said() (names []string) {
	set := map[string]bool{
		"id": e.ID != "", "kind": e.Kind != "", "conversation": e.Conversation != "", "speaker": e.Speaker != "", "role": e.Role != "",
		"text": e.Text != "", "messages": e.Messages != nil, "occurred_at": e.OccurredAt != "", "metadata": e.Metadata != nil, "extract": e.Extract != nil,
	}
	for name, is := range set {
		if is {
			names = append(names, name)
		}
	}
	return names
}

// check notes what is wrong with the episode; at is where its fields stand.
func (e *NewEpisode) check(f *faults, at string) {
	f.bytes(at+"text", e.Text, maxText)
	f.bytes(at+"metadata", string(e.Metadata), maxMetadata)
	switch {
	case e.Messages == nil && e.Text == "":
		f.add(at+"text", "is required, or messages")
	case e.Messages != nil && e.Text != "":
		f.add(at+"messages", "must not stand beside text")
	}
	if e.ID != "" && e.Messages != nil {
		f.characters(at+"id", e.messageID(len(e.Messages)-1), maxID)
	}
	for i, m := range e.Messages {
		f.bytes(at+item("messages", i)+".text", m.Text, maxText)
	}
}

// messageID is the id of a message: the same for the same place in the same episode, so that posting it again is no new one.
func (e *NewEpisode) messageID(i int) string {
	if e.ID == "" {
		return ""
	}
	return e.ID + "/" + strconv.Itoa(i+1)
}

// expand returns the episodes of the request in order, and where in it each stands.
func (b *PostEpisodes) expand() (episodes []ingest.EpisodeInput, places []place) {
	add := func(e *NewEpisode, at string) {
		one := ingest.EpisodeInput{
			ID: e.ID, Kind: graph.EpisodeKind(e.Kind), Conversation: e.Conversation, Speaker: e.Speaker, Role: graph.Role(e.Role), Text: e.Text,
			OccurredAt: e.OccurredAt, Metadata: json.RawMessage(e.Metadata), Extract: e.Extract,
		}
		if one.Kind == "" {
			one.Kind = graph.Message
		}
		if e.Messages == nil {
			episodes, places = append(episodes, one), append(places, place{at: at})
			return
		}
		for i, m := range e.Messages {
			own := one
			own.ID, own.Text = e.messageID(i), m.Text
			in := place{at: at + item("messages", i) + ".", outer: at, own: map[string]string{"text": "text"}}
			in.say(&own.Speaker, m.Speaker, "speaker", "speaker")
			in.say((*string)(&own.Role), m.Role, "role", "role")
			in.say(&own.OccurredAt, m.At, "occurred_at", "at")
			episodes, places = append(episodes, own), append(places, in)
		}
	}
	if b.Episodes == nil {
		add(&b.NewEpisode, "")
	}
	for i := range b.Episodes {
		add(&b.Episodes[i], item("episodes", i)+".")
	}
	return episodes, places
}

// place says where in a request an episode stands, and of a message, which fields are its own and not its conversation's.
type place struct {
	at    string            // prefix of its fields
	outer string            // of a message: prefix of the fields it shares
	own   map[string]string // of a message: its own fields, by their names in an episode; nil otherwise
}

// say sets a field that a message says itself.
func (p *place) say(field *string, value, name, own string) {
	if value != "" {
		*field = value
		p.own[name] = own
	}
}

func (p place) field(name string) string {
	if p.own == nil {
		return p.at + name
	}
	if own, ok := p.own[name]; ok {
		return p.at + own
	}
	return p.outer + name
}

// episodeFields are the fields of an episode that the write path may find fault with.
var episodeFields = []string{"id", "kind", "conversation", "speaker", "role", "text", "occurred_at", "metadata", "extract"}

var episodeField = regexp.MustCompile(`^episodes\[(\d{1,4})\]\.(.+)$`)

// replace names the faulty fields of expanded episodes as the caller wrote them. The write path names them by their place
// among the expanded ones ("episodes[3].occurred_at"), and those of a single one without a place ("occurred_at").
func replace(err error, places []place) error {
	if !errors.Is(err, graph.ErrInvalid) {
		return err
	}
	found := faultsOf(err)
	if len(found) == 0 {
		return err
	}
	var replaced []error
	for _, fault := range found {
		at := fault.Location
		if m := episodeField.FindStringSubmatch(at); m != nil {
			if i, err := strconv.Atoi(m[1]); err == nil && i < len(places) {
				at = places[i].field(m[2])
			}
		} else if len(places) == 1 && slices.Contains(episodeFields, at) {
			at = places[0].field(at)
		}
		replaced = append(replaced, graph.Invalid(at, "%s", fault.Detail))
	}
	return errors.Join(replaced...)
}

// wait is how long to wait for the episodes.
func (b *PostEpisodes) wait() ingest.Wait {
	d, err := time.ParseDuration(b.Wait)
	if err != nil {
		return 0 // absent: Resolve has refused what is no duration
	}
	return min(d, maxWait)
}

// preferredWait reads the wait of a Prefer header (RFC 7240), and what to say was applied. What it does not know it ignores,
// as that standard wants.
func preferredWait(prefer string) (ingest.Wait, string) {
	for part := range strings.SplitSeq(prefer, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		seconds, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 16)
		if !strings.EqualFold(name, "wait") || err != nil {
			continue
		}
		d := min(time.Duration(seconds)*time.Second, maxWait)
		return d, "wait=" + strconv.Itoa(int(d/time.Second))
	}
	return 0, ""
}
