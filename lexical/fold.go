package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxMarks is how many combining marks a character keeps. It is above what scripts stack,
// and below the count at which normalisation inserts joiners of its own.
const maxMarks = 8

// fold returns text in the one form in which words are compared: valid UTF-8, NFKC, case-folded, without invisible characters.
func fold(text string) string {
	if ascii(text) {
		return strings.ToLower(text)
	}
	text = strings.Map(cleaner(), text)
	text = cases.Fold().String(norm.NFKC.String(text))
	text = strings.ToLower(text)            // Fold exchanges the cases of Cherokee
	for strings.Contains(text, "i\u0307") { // what becomes of the Turkish capital, whose small letter is a plain i
		text = strings.ReplaceAll(text, "i\u0307", "i")
	}
	return strings.Map(cleaner(), norm.NFKC.String(text))
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// cleaner returns a mapping of runes, to be applied to a text in order, that drops what does not tell words apart
// and turns look-alike apostrophes into one. Invalid bytes arrive as U+FFFD and separate words.
func cleaner() func(rune) rune {
	marks := 0
	return func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			marks = 0
			return r
		case r == '\u2018' || r == '\u2019' || r == '\u201b' || r == '\u02bc':
			marks = 0
			return '\''
		case r == '\u200b' || r == '™' || r == '℠': // a place to break; signs that NFKC would glue on as letters
			marks = 0
			return ' '
		case invisible(r):
			return -1
		case unicode.Is(unicode.M, r):
			if marks++; marks > maxMarks {
				return -1
			}
			return r
		}
		marks = 0
		return r
	}
}

// invisible reports whether r only changes how its neighbours are drawn.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Me, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
