// Package lexical turns text into terms, by which an in-memory index ranks documents.
package lexical

import (
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// Terms returns the searchable terms of text, in order and repeated as they occur:
// its Words without the English stop words, those in Latin script stemmed as English.
// A text made only of stop words gives those words, so that it can still be found.
func Terms(text string) []string { return termsOf(text, stem) }

func termsOf(text string, stem func(string) string) []string {
	words := Words(text)
	terms := make([]string, 0, len(words))
	for _, word := range words {
		if !stopWords[word] {
			terms = append(terms, stem(word))
		}
	}
	if len(terms) == 0 {
		return words
	}
	return terms
}

// Words returns the folded words of text, in order and repeated as they occur, unstemmed and with stop words kept.
//
// A word is a run of letters and digits, NFKC-normalised and case-folded; invisible characters inside it are left out.
// A possessive or a contracted verb is left out ("Ada's" is "ada", "they've" is "they") and "n't" is joined ("dont").
// Text in a script written without spaces, and in Hangul, gives overlapping bigrams, a lone character itself;
// so the words of a phrase, unless it is one such character, follow each other in the words of a text around it.
// Emoji and other pictographs are words of one character; skin tones and presentation selectors do not tell them apart.
// A word longer than 64 characters is several words of at most 64.
//
// Words of words joined by spaces are the same words.
func Words(text string) []string { return split(fold(text)) }

// Stop reports whether word is an English stop word, in any case and with or without its apostrophe.
func Stop(word string) bool {
	if stopWords[word] {
		return true
	}
	words := Words(word)
	return len(words) == 1 && stopWords[words[0]]
}

// stem returns the English stem of a folded word, or the word where it is not made of Latin letters.
func stem(word string) string {
	for _, r := range word {
		if ('a' <= r && r <= 'z') || (r >= 0x80 && unicode.Is(unicode.Latin, r)) {
			continue
		}
		return word
	}
	if stemmed := english.Stem(word, true); stemmed != "" {
		return stemmed
	}
	return word
}

// stemmer remembers stems: stemming takes longer than all else that makes terms of a text.
type stemmer map[string]string

// maxStems bounds what a stemmer remembers. The words of a language are so unevenly common that it is enough.
const maxStems = 1 << 14

func (s stemmer) stem(word string) string {
	if stemmed, ok := s[word]; ok {
		return stemmed
	}
	if len(s) == maxStems {
		clear(s)
	}
	word = strings.Clone(word) // it may be a part of a whole text
	stemmed := stem(word)
	s[word] = stemmed
	return stemmed
}

// stopWords is short on purpose: longer lists lost more questions than they won.
// Words that are also names or months ("will", "may") are not in it.
var stopWords = set(
	"a", "an", "the", "and", "or", "but", "if", "so", "as", "than", "then", "too", "very", "just", "not", "no",
	"of", "at", "by", "for", "with", "about", "to", "from", "in", "on", "into",
	"i", "me", "my", "we", "our", "you", "your", "he", "him", "his", "she", "her", "it", "its", "they", "them", "their",
	"this", "that", "these", "those", "there", "here",
	"what", "which", "who", "whom", "whose", "when", "where", "why", "how",
	"am", "is", "are", "was", "were", "be", "been", "being", "do", "does", "did", "doing", "have", "has", "had", "having",
	"can", "could", "would", "should",
	"isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt", "havent", "hasnt", "hadnt",
	"cant", "couldnt", "wont", "wouldnt", "shouldnt",
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
