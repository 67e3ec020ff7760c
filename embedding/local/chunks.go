package local

import (
	"strings"
	"unicode/utf8"
)

// place says how good a place for a cut is.
type place int

const (
	inWord     place = iota // between words that no space parts
	atSpace                 //
	atSentence              // the end of one
)

// span is a part of a text that is not cut, with the space after it.
type span struct {
	end    int // in the text, without the space
	pieces int
	after  place
}

// chunks cuts a text in Normal form into parts of at most maxPieces.
func (t *tokenizer) chunks(text string) []string {
	var all []string
	for text != "" {
		n := t.cut(text)
		all = append(all, text[:n])
		text = strings.TrimPrefix(text[n:], " ")
	}
	return all
}

// cut returns where the first chunk of a text in Normal form ends. It looks at no more than two chunks, which bounds what a
// huge text costs and is enough to cut the last two in the middle, so that no stray sentence is left over.
func (t *tokenizer) cut(text string) int {
	if len(text) <= maxPieces { // a piece has a byte at least
		return len(text)
	}
	spans, total := t.spans(text, 2*maxPieces)
	if total <= maxPieces {
		return len(text)
	}
	target := min(maxPieces, (total+1)/2)
	var best span
	distance, sum := 0, 0
	for _, s := range spans {
		sum += s.pieces
		if sum > maxPieces {
			break
		}
		d := max(target-sum, sum-target)
		switch {
		case 2*sum <= target: // too short: only if nothing else fits
			s.after = inWord
		case s.after < best.after, s.after == best.after && d > distance:
			continue
		}
		best, distance = s, d
	}
	return best.end
}

// spans returns the spans of a text, and how many pieces they have, up to the one that reaches limit.
func (t *tokenizer) spans(text string, limit int) (spans []span, total int) {
	var ids []int32
	for from := 0; from < len(text) && total < limit; {
		to := len(text)
		if n := strings.IndexByte(text[from:], ' '); n >= 0 {
			to = from + n
		}
		ids = t.pieces(ids[:0], text[from:to])
		if len(ids) <= maxPieces {
			spans = append(spans, span{end: to, pieces: len(ids), after: after(text[from:to])})
		} else {
			spans = t.wordSpans(spans, text, from, to)
		}
		total += len(ids)
		from = to + 1
	}
	return spans, total
}

// wordSpans appends the spans of text[from:to], which has no space and too many pieces for a chunk.
func (t *tokenizer) wordSpans(spans []span, text string, from, to int) []span {
	start := from
	add := func(end int) {
		if start < end {
			s := span{end: end, pieces: len(t.pieces(nil, text[start:end]))}
			if p := after(text[start:end]); end == to || p == atSentence {
				s.after = p
			}
			spans = append(spans, s)
			start = end
		}
	}
	for i, r := range text[from:to] {
		if alone(r) {
			add(from + i)
			add(from + i + utf8.RuneLen(r))
		}
	}
	add(to)
	return spans
}

// after tells what place is behind a field of text.
func after(field string) place {
	switch r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(field, `"'”’»)]`)); r {
	case '.', '!', '?', '…', '。', '！', '？', '।', '؟':
		return atSentence
	}
	return atSpace
}
