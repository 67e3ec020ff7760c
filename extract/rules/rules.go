package rules

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tenure/extract"
	"tenure/graph"
)

// Name is the extractor's name and the version of what it reads.
const Name = "rules/1"

// Extractor reads by rules. It holds compiled patterns only, and is safe for concurrent use.
type Extractor struct {
	shipped *patternSet
}

var _ extract.Extractor = (*Extractor)(nil)

// New compiles the patterns of the shipped predicates; a pattern that is wrong is an error.
func New(shipped []graph.Predicate) (*Extractor, error) {
	set, err := newPatternSet(shipped)
	if err != nil {
		return nil, err
	}
	return &Extractor{shipped: set}, nil
}

// Name implements extract.Extractor.
func (e *Extractor) Name() string { return Name }

// Extract implements extract.Extractor. It fails only with the context's error or for a pattern that cannot be compiled.
func (e *Extractor) Extract(ctx context.Context, in extract.Input) (extract.Draft, error) {
	set, err := e.setFor(in.Predicates)
	if err != nil {
		return extract.Draft{}, err
	}
	var draft extract.Draft
	if in.Episode.Role == graph.System || in.Episode.Kind == graph.JSON {
		return draft, nil
	}
	s := newScan(set, in, &draft)
	text := readable(in.Episode.Text)
	for _, b := range blocks(text, in.Episode.Kind, s.speakerName) {
		s.mentioned = ""
		for _, sentence := range sentences(text, b) {
			if err := ctx.Err(); err != nil {
				return extract.Draft{}, err
			}
			s.sentence(sentence)
		}
	}
	orderClaims(draft.Claims)
	return draft, nil
}

// setFor returns the patterns of a scope's predicates. Patterns are shipped, so that only what a scope declared about
// cardinality and kinds makes another set.
func (e *Extractor) setFor(predicates []graph.Predicate) (*patternSet, error) {
	if len(predicates) == 0 || slices.EqualFunc(predicates, e.shipped.predicates, samePatterns) {
		return e.shipped, nil
	}
	return newPatternSet(predicates)
}

func samePatterns(a, b graph.Predicate) bool {
	return a.Name == b.Name && a.Cardinality == b.Cardinality && slices.Equal(a.SubjectKinds, b.SubjectKinds) &&
		slices.Equal(a.ObjectKinds, b.ObjectKinds) && slices.Equal(a.Patterns, b.Patterns)
}

func newScan(set *patternSet, in extract.Input, draft *extract.Draft) *scan {
	s := &scan{set: set, episode: in.Episode, text: in.Episode.Text, zone: in.Zone, draft: draft, seen: map[string]bool{}}
	if s.zone == nil {
		s.zone = time.UTC
	}
	s.speakerName, s.speakerKind = cmp.Or(in.Episode.Speaker, in.Self.Name), "person"
	if s.speakerName == in.Self.Name {
		s.speakerKind = cmp.Or(in.Self.Kind, s.speakerKind)
	}
	s.firstPerson = in.Episode.Kind == graph.Message && s.userRole()
	return s
}

// sentence reads one sentence, in the first way that fits.
func (s *scan) sentence(words rawSentence) {
	toks := opened(words.toks)
	if len(toks) == 0 || s.full {
		return
	}
	if words.question || asks[toks[0].low] && !(len(toks) > 1 && toks[1].low == "not") {
		if prose(toks) {
			s.question(newClause(toks))
		}
		return
	}
	if s.remember(clause{toks: toks, raw: toks}) || !prose(toks) {
		return
	}
	c := newClause(toks)
	if !s.rule(c) {
		s.statement(c)
	}
	s.remembered(c)
}

// asks are words that begin a question, also where its mark is left out.
var asks = set("how", "what", "why", "when", "where", "who", "whose", "which", "do", "does", "did", "is", "are", "am", "was", "were", "can", "could", "will",
	"would", "should", "shall", "may", "might", "have", "has")

// Sentences longer than this are lists, or no prose.
const (
	maxWords = 80 // tokens
	maxBytes = 2 << 10
	maxWord  = 256 // bytes of one token
)

// prose reports whether the tokens can be a sentence that somebody wrote, and not code, a table or data.
func prose(toks []token) bool {
	if len(toks) > maxWords || toks[len(toks)-1].end-toks[0].start > maxBytes {
		return false
	}
	return !slices.ContainsFunc(toks, func(t token) bool {
		switch t.low {
		case "{", "}", "<", ">", "=", "|", "\\", "~", "^":
			return true
		}
		return t.end-t.start > maxWord
	})
}

// orderClaims puts where a speaker works before everything that may speak of the organisation as "we".
func orderClaims(claims []extract.Claim) {
	slices.SortStableFunc(claims, func(a, b extract.Claim) int { return cmp.Compare(rank(a), rank(b)) })
}

func rank(c extract.Claim) int {
	if c.Predicate == "works_at" && c.Subject.Ref == extract.Speaker {
		return 0
	}
	return 1
}
