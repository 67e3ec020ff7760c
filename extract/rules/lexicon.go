package rules

import (
	_ "embed"
	"strings"
)

//go:embed lexicon.txt
var lexiconFile string

// maxPhrase is how many tokens a phrase of the lexicon may have.
const maxPhrase = 5

// words are the phrases of a kind, the tokens of each joined by single spaces, and the first tokens of them.
type words struct{ phrases, firsts map[string]bool }

// lexicon holds the phrases by kind. It does not change after start.
var lexicon = parseLexicon(lexiconFile)

func parseLexicon(text string) map[string]words {
	kinds := map[string]words{}
	for line := range strings.Lines(text) {
		kind, phrases, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if _, ok := kinds[kind]; !ok {
			kinds[kind] = words{phrases: map[string]bool{}, firsts: map[string]bool{}}
		}
		for phrase := range strings.SplitSeq(phrases, ",") {
			spelled := spelling(phrase)
			first, _, _ := strings.Cut(spelled, " ")
			kinds[kind].phrases[spelled], kinds[kind].firsts[first] = true, true
		}
	}
	return kinds
}

// given reports whether the word is a person's first name.
func given(low string) bool {
	return lexicon["female"].phrases[low] || lexicon["male"].phrases[low] || lexicon["given"].phrases[low]
}

// spelling puts a phrase in the form in which tokens are compared: "st. louis" is the tokens "st" and "louis".
func spelling(phrase string) string {
	toks := tokenize(phrase, 0, len(phrase))
	return joined(unpunctuated(toks))
}

func unpunctuated(toks []token) []token {
	kept := toks[:0:0]
	for _, t := range toks {
		if t.word {
			kept = append(kept, t)
		}
	}
	return kept
}

// joined is the tokens' words with single spaces between them.
func joined(toks []token) string {
	words := make([]string, len(toks))
	for i, t := range toks {
		words[i] = t.low
	}
	return strings.Join(words, " ")
}

// phrase returns where the longest phrase of the kind that begins at token i ends; i if there is none.
func phrase(kind string, toks []token, i int) int {
	if i >= len(toks) || !lexicon[kind].firsts[toks[i].low] {
		return i
	}
	for n := min(maxPhrase, len(toks)-i); n > 0; n-- {
		if lexicon[kind].phrases[joined(toks[i:i+n])] {
			return i + n
		}
	}
	return i
}

// is reports whether the tokens are, together, a phrase of the kind.
func is(kind string, toks []token) bool {
	return len(toks) > 0 && len(toks) <= maxPhrase && lexicon[kind].phrases[joined(toks)]
}
