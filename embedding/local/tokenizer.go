package local

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The tokens that are no text. Their names in a text are text: "[SEP]" is three pieces.
const (
	unknown = 100 // [UNK]
	begin   = 101 // [CLS]
	end     = 102 // [SEP]
)

const (
	maxTokens    = 256           // of a text: what the model was made for
	maxPieces    = maxTokens - 2 // without begin and end
	maxWordRunes = 100           // a longer word is unknown
)

// tokenizer cuts text into the pieces of a vocabulary: BERT's uncased WordPiece, as the tokenizers library of Hugging Face has
// it (BertNormalizer, BertPreTokenizer, WordPiece). Texts are in Normal form.
type tokenizer struct {
	heads   map[string]int32 // the pieces that begin a word
	tails   map[string]int32 // the others, without "##"
	longest int              // of all pieces, in bytes
}

// newTokenizer reads a vocabulary: one piece a line, its number being its token.
func newTokenizer(vocabulary string) (*tokenizer, error) {
	lines := strings.Split(strings.TrimSuffix(vocabulary, "\n"), "\n")
	if len(lines) != vocabularySize {
		return nil, fmt.Errorf("%d pieces, want %d", len(lines), vocabularySize)
	}
	for token, name := range map[int]string{unknown: "[UNK]", begin: "[CLS]", end: "[SEP]"} {
		if lines[token] != name {
			return nil, fmt.Errorf("token %d is not %s", token, name)
		}
	}
	t := &tokenizer{heads: make(map[string]int32, len(lines)), tails: make(map[string]int32, len(lines)/4)}
	for token, piece := range lines {
		t.longest = max(t.longest, len(piece))
		if tail, ok := strings.CutPrefix(piece, "##"); ok {
			t.tails[tail] = int32(token)
		} else {
			t.heads[piece] = int32(token)
		}
	}
	return t, nil
}

// encode returns the tokens of a chunk.
func (t *tokenizer) encode(chunk string) []int32 {
	return append(t.pieces([]int32{begin}, chunk), end)
}

// pieces appends the pieces of a text to ids.
func (t *tokenizer) pieces(ids []int32, text string) []int32 {
	for field := range strings.FieldsSeq(text) {
		for word := range words(fold(field)) {
			ids = t.wordPieces(ids, word)
		}
	}
	return ids
}

// wordPieces appends the pieces of a word: the longest that begins it, then the longest that goes on from there.
// A word that cannot be made up so is unknown as a whole.
func (t *tokenizer) wordPieces(ids []int32, word string) []int32 {
	if len(word) > maxWordRunes && utf8.RuneCountInString(word) > maxWordRunes {
		return append(ids, unknown)
	}
	before := len(ids)
	known := t.heads
	for rest := word; rest != ""; known = t.tails {
		n := min(len(rest), t.longest)
		for n > 0 {
			if token, ok := known[rest[:n]]; ok {
				ids = append(ids, token)
				break
			}
			n--
		}
		if n == 0 {
			return append(ids[:before], unknown)
		}
		rest = rest[n:]
	}
	return ids
}

// fold returns text as the vocabulary spells it: decomposed, without control characters and accents, in lower case.
func fold(text string) string {
	text = strings.Map(func(r rune) rune {
		if dropped(r) {
			return -1
		}
		return r
	}, text)
	if !slices.ContainsFunc([]byte(text), func(b byte) bool { return b >= utf8.RuneSelf }) {
		return strings.ToLower(text)
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
}

// words yields the words of a folded text without white space; runes that stand alone are words.
func words(folded string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range folded {
			if !alone(r) {
				continue
			}
			after := i + utf8.RuneLen(r)
			if start < i && !yield(folded[start:i]) || !yield(folded[i:after]) {
				return
			}
			start = after
		}
		if start < len(folded) {
			yield(folded[start:])
		}
	}
}

// alone reports whether a rune is a word of its own.
func alone(r rune) bool { return punctuation(r) || ideograph(r) }

// punctuation reports whether BERT counts a rune as punctuation: of ASCII all that is no letter, digit or space.
func punctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	}
	return unicode.Is(unicode.P, r)
}

// ideograph reports whether BERT counts a rune as a Chinese character. The ranges are those of the library.
func ideograph(r rune) bool {
	return r >= 0x3400 && (r <= 0x4DBF ||
		0x4E00 <= r && r <= 0x9FFF ||
		0xF900 <= r && r <= 0xFAFF ||
		0x20000 <= r && r <= 0x2A6DF ||
		0x2A700 <= r && r <= 0x2B73F ||
		0x2B740 <= r && r <= 0x2B81F ||
		0x2B920 <= r && r <= 0x2CEAF ||
		0x2F800 <= r && r <= 0x2FA1F)
}

// dropped reports whether a rune is left out: a control or format character, one of private use, or U+FFFD.
func dropped(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7F
	}
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}
