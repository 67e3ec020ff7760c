package lexical

import (
	"unicode"
	"unicode/utf8"
)

// maxWord is the length in characters, marks not counted, above which a word is cut into several.
const maxWord = 64

// class is what a rune of folded text is to its neighbours.
type class uint8

const (
	gap    class = iota // between words
	letter              // in a word of a script with spaces; digits too
	glyph               // in a run of a script without spaces
	symbol              // a word by itself
	mark                // part of the letter or glyph before it
)

// unspaced are the scripts that become bigrams. Hangul has spaces, but its particles are written onto the word.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Javanese,
}

func classify(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return letter
		}
		return gap
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.IsDigit(r):
		return letter
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		if r == 'ー' || r > 0x0e00 && unicode.In(r, unspaced...) {
			return glyph
		}
		return letter
	case pictograph(r):
		return symbol
	}
	return gap
}

// pictograph reports whether r is an emoji or a sign like one. Lines, blocks and signs of typography are not.
func pictograph(r rune) bool {
	return r >= 0x2190 && unicode.Is(unicode.So, r) && r < 0xfff0 && (r < 0x2400 || r >= 0x25a0) || r >= 0x1f000 && unicode.Is(unicode.So, r)
}

// split returns the words of folded text.
func split(text string) []string {
	words := make([]string, 0, len(text)/5+1)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch c := classify(r); c {
		case letter:
			end := runEnd(text, i, letter)
			word, next := contract(text, i, end)
			words = appendPieces(words, word)
			i = next
		case glyph:
			end := runEnd(text, i, glyph)
			words = appendBigrams(words, text[i:end])
			i = end
		case symbol:
			words = append(words, text[i:i+size])
			i += size
		default:
			i += size
		}
	}
	return words
}

// runEnd returns where the run of class c that begins at start ends, the marks on it included.
func runEnd(text string, start int, c class) int {
	for i, r := range text[start:] {
		if k := classify(r); k != c && k != mark {
			return start + i
		}
	}
	return len(text)
}

// contract returns the word text[start:end] with its contraction undone, and where the text after it begins.
func contract(text string, start, end int) (word string, next int) {
	word = text[start:end]
	if end == len(text) || text[end] != '\'' {
		return word, end
	}
	tail := runEnd(text, end+1, letter)
	switch text[end+1 : tail] {
	case "s", "d", "m", "ll", "re", "ve":
		return word, tail
	case "t":
		if word[len(word)-1] == 'n' {
			return word + "t", tail
		}
	}
	return word, end
}

// appendPieces appends word, cut before each character that would be one too many.
func appendPieces(words []string, word string) []string {
	if len(word) <= maxWord {
		return append(words, word)
	}
	start, n := 0, 0
	for i, r := range word {
		if unicode.Is(unicode.M, r) {
			continue
		}
		if n == maxWord {
			words = append(words, word[start:i])
			start, n = i, 0
		}
		n++
	}
	return append(words, word[start:])
}

// appendBigrams appends each two neighbouring glyphs of a run with the marks on them, or the glyph that is alone.
func appendBigrams(words []string, run string) []string {
	before, at, n := 0, 0, 0
	for i, r := range run {
		if unicode.Is(unicode.M, r) {
			continue
		}
		if n++; n > 2 {
			words = append(words, run[before:i])
		}
		if n > 1 {
			before, at = at, i
		}
	}
	return append(words, run[before:])
}
