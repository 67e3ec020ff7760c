package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure/graph"
)

const (
	defaultProfile = 600 // tokens
	profileShare   = 300 // tokens of the profile that comes along with a recall
	// scanned bounds how many facts are looked at where nobody is the scope's self.
	scanned = 2000
	// episodic facts say that something happened; they are no traits.
	episodic = "episodic"
)

// Profile returns what an agent should always have at hand of the scope's self: what is visible, current and stated by a
// person, the most important first, as much as fits the tokens. Where the scope has no self it is of everybody.
func (s *Service) Profile(ctx context.Context, scope graph.Scope, at At, maxTokens int) (Profile, error) {
	l, err := s.open(ctx, scope, at)
	if err != nil {
		return Profile{}, err
	}
	if maxTokens < 0 {
		return Profile{}, graph.Invalid("max_tokens", "want a number that is not negative")
	}
	found, err := l.profile(ctx)
	if err != nil {
		return Profile{}, err
	}
	out := Profile{AsOf: l.asOf()}
	fit, lines := fits(found, cmp.Or(maxTokens, defaultProfile))
	out.Truncated, out.Text = len(fit) < len(found), strings.Join(lines, "\n")
	out.Facts, err = l.dress(ctx, fit)
	return out, err
}

// alwaysLoaded returns the profile that comes along with a recall; none where the scope has no self.
func (l *lens) alwaysLoaded(ctx context.Context, maxTokens int) ([]graph.Fact, error) {
	if l.settings.Self == (graph.Named{}) {
		return nil, nil
	}
	found, err := l.profile(ctx)
	if err != nil {
		return nil, err
	}
	fit, _ := fits(found, maxTokens)
	return l.dress(ctx, fit)
}

// profile returns the versions that a profile is made of, the most important first, then the latest.
func (l *lens) profile(ctx context.Context) ([]graph.Version, error) {
	filter := graph.VersionFilter{Valid: l.at.Valid, Limit: scanned}
	if l.settings.Self != (graph.Named{}) {
		ids, err := l.named(ctx, l.settings.Self)
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		filter = graph.VersionFilter{Valid: l.at.Valid, Subjects: ids}
	}
	found, err := l.versions(ctx, filter)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(v graph.Version) bool { return v.Trust != graph.Stated || v.Type == episodic })
	slices.SortFunc(found, func(a, b graph.Version) int {
		return cmp.Or(cmp.Compare(b.Importance, a.Importance), cmp.Compare(b.Valid.From, a.Valid.From), byWindow(a, b))
	})
	return found, nil
}

// fits returns the first of the versions whose lines fit the tokens, and the lines. Statements are written as data, like in
// a context.
func fits(found []graph.Version, maxTokens int) ([]graph.Version, []string) {
	var lines []string
	used := 0
	for i, v := range found {
		line := "- " + harmless(v.Text)
		if used += len([]rune(line)) + 1; (used+3)/4 > maxTokens {
			return found[:i], lines
		}
		lines = append(lines, line)
	}
	return found, lines
}
