package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a punctuation mark, or an adverbial that was folded into one (adverb is set).
type token struct {
	low        string // lower case, straight apostrophes; contractions are spelled out: 'm is "am", n't is "not"
	start, end int    // bytes of the text
	word       bool   // a word or number, not punctuation
	upper      bool   // begins with a capital, or has one inside, or is a number
	first      bool   // first of its sentence, where a capital says nothing
	quoted     bool   // within quotation marks
	spaced     bool   // white space before it
	adverb     *adverbial
}

// tokenize splits text[from:to] into tokens.
func tokenize(text string, from, to int) []token {
	var out []token
	spaced := true
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(text[i:to])
		switch {
		case unicode.IsSpace(r) || invisible(r) || ornament(r):
			spaced = spaced || unicode.IsSpace(r)
			i += size
			continue
		case wordRune(r) || currency(r) && digitAt(text[i+size:to]) || r == '+' && digitAt(text[i+size:to]):
			end := wordEnd(text[:to], i+size)
			out = appendWord(out, text, i, end, spaced)
			i = end
		case apostrophe(r) && len(out) > 0 && !spaced && out[len(out)-1].word && out[len(out)-1].end == i: // Chris'
			out = append(out, token{low: "'s", start: i, end: i + size, word: true})
			i += size
		default:
			out = append(out, token{low: text[i : i+size], start: i, end: i + size, spaced: spaced})
			i += size
		}
		spaced = false
	}
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func apostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

// ornament reports whether r is a picture or emphasis.
func ornament(r rune) bool {
	return r == '*' || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r != '^' && r != '`'
}

func currency(r rune) bool { return unicode.Is(unicode.Sc, r) }

// invisible reports whether r shows nothing: joiners, marks of direction, a byte order mark.
func invisible(r rune) bool { return unicode.Is(unicode.Cf, r) }

func digitAt(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// wordEnd returns where the word ends that has begun before text[i]. Signs within words belong to them ("add-on", "AT&T",
// "a@b.org", "9:30"), as do the plus signs, percent sign and hash at the end of "C++", "20%", "C#".
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case wordRune(r) || invisible(r):
		case strings.HasPrefix(text[i:], "://"):
			size = len("://")
		case r == ',' || r == ':': // 1,200 and 9:30, but not "tea,coffee"
			if !digitAt(text[i-1:]) || !digitAt(text[i+size:]) {
				return i
			}
		case strings.ContainsRune("'’ʼ-‑.&@/_+%#", r) && wordRune(next), r == '+', r == '%', r == '#':
		default:
			return i
		}
		i += size
	}
	return i
}

// contracted are the endings that a word is split from.
var contracted = map[string]string{"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s"}

// spelled are contractions that do not split into word and ending.
var spelled = map[string][2]string{"can't": {"can", "not"}, "cannot": {"can", "not"}, "won't": {"will", "not"}, "shan't": {"shall", "not"},
	"dont": {"do", "not"}, "doesnt": {"does", "not"}, "isnt": {"is", "not"}, "im": {"i", "am"}, "ive": {"i", "have"}, "gonna": {"going", "to"}}

// isAfter are the words after which 's is "is" and no possessive.
var isAfter = set("it", "he", "she", "that", "there", "here", "who", "what", "where", "when", "how", "everything")

// appendWord appends the word text[start:end], a contraction as its two words.
func appendWord(out []token, text string, start, end int, spaced bool) []token {
	low := lower(text[start:end])
	first, _ := utf8.DecodeRuneInString(text[start:end])
	t := token{low: low, start: start, end: end, word: true, spaced: spaced,
		upper: unicode.IsUpper(first) || unicode.IsTitle(first) || unicode.IsDigit(first) || strings.ContainsFunc(text[start:end], unicode.IsUpper)}
	if pair, ok := spelled[low]; ok {
		return append(out, split(t, pair[0]), token{low: pair[1], start: end, end: end, word: true})
	}
	for ending, word := range contracted {
		stem := strings.TrimSuffix(low, ending)
		if stem == low || stem == "" || ending == "n't" && !auxiliary[stem] {
			continue
		}
		at := end - suffixLen(text[start:end], ending)
		if word == "'s" && isAfter[stem] {
			word = "is"
		}
		head := split(t, stem)
		head.end = at
		return append(out, head, token{low: word, start: at, end: end, word: true})
	}
	return append(out, t)
}

func split(t token, low string) token {
	t.low = low
	return t
}

// suffixLen returns how many bytes of word its ending takes; apostrophes have different lengths.
func suffixLen(word, ending string) int {
	n := len(word)
	for range utf8.RuneCountInString(ending) {
		_, size := utf8.DecodeLastRuneInString(word[:n])
		n -= size
	}
	return len(word) - n
}

// lower folds case and apostrophes, and drops what is invisible.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case apostrophe(r):
			return '\''
		case r == '‑':
			return '-'
		case invisible(r):
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// auxiliary are the forms that help a verb.
var auxiliary = set("am", "is", "are", "was", "were", "be", "been", "do", "does", "did", "have", "has", "had", "will", "shall", "would", "could",
	"should", "can", "may", "might", "must", "need")
