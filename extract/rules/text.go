package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/graph"
)

// block is a stretch of the text that is read by itself: a line of a message, a paragraph of a document.
type block struct{ from, to int }

// readable returns the text with everything that is not its author's own words blanked, byte for byte: recalled memories,
// code, quoted lines.
func readable(text string) string {
	if !strings.ContainsAny(text, "<`>") {
		return text
	}
	out := []byte(text)
	blankMemories(text, out)
	blankFences(text, out)
	return string(out)
}

// blankMemories blanks <memory …>…</memory …> as recall writes it. An envelope that is not closed goes on to the end.
func blankMemories(text string, out []byte) {
	low := asciiLower(text)
	for i := 0; ; {
		at := strings.Index(low[i:], "<memory")
		if at < 0 {
			return
		}
		from := i + at
		name := from + 1
		for name < len(low) && (low[name] == '-' || low[name] == '_' || 'a' <= low[name] && low[name] <= 'z' || '0' <= low[name] && low[name] <= '9') {
			name++
		}
		to := len(low)
		if at := strings.Index(low[name:], "</"+low[from+1:name]); at >= 0 {
			to = name + at
			if gt := strings.IndexByte(low[to:], '>'); gt >= 0 {
				to += gt + 1
			} else {
				to = len(low)
			}
		}
		blank(out[from:to])
		i = to
	}
}

// blankFences blanks what stands between lines of three backquotes.
func blankFences(text string, out []byte) {
	const fence = "```"
	for i := 0; ; {
		at := strings.Index(text[i:], fence)
		if at < 0 {
			return
		}
		from := i + at
		to := len(text)
		if end := strings.Index(text[from+len(fence):], fence); end >= 0 {
			to = from + 2*len(fence) + end
		}
		blank(out[from:to])
		i = to
	}
}

// blank makes line ends of the bytes, so that no sentence goes on over them.
func blank(out []byte) {
	for i := range out {
		out[i] = '\n'
	}
}

// asciiLower lowers A to Z only, so that offsets stay.
func asciiLower(s string) string {
	out := []byte(s)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// blocks cuts a readable text. A document's lines are joined where one is long and the next carries on; lines of tables and
// quotations are left out, and so is what others say in a transcript ("Ann: I live in Oslo").
func blocks(text string, kind graph.EpisodeKind, speaker string) []block {
	var out []block
	open := false
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		line := strings.TrimSpace(text[at:end])
		from := at
		if name, skip := saidBy(text[at:end]); name != "" {
			if !strings.EqualFold(name, speaker) {
				line = ""
			}
			from += skip
		}
		switch {
		case line == "" || strings.HasPrefix(line, ">") || strings.HasPrefix(line, "|"):
			open = false
		case open && kind == graph.Document && carriesOn(text[out[len(out)-1].from:out[len(out)-1].to], line):
			out[len(out)-1].to = end
		default:
			out = append(out, block{from, end})
			open = true
		}
		at = end + 1
	}
	return out
}

// carriesOn reports whether a line goes on with the sentence of the text before it.
func carriesOn(before, line string) bool {
	before = strings.TrimRightFunc(before, unicode.IsSpace)
	last := before[strings.LastIndexByte(before, '\n')+1:]
	end, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(line)
	if strings.ContainsRune(".!?:", end) || len(line) > 1 && strings.ContainsRune("-*•#", next) && line[1] == ' ' {
		return len(last) >= 60 && unicode.IsLetter(next) && end != ':'
	}
	return unicode.IsLower(next) || len(last) >= 60
}

// saidBy returns the name that a line of a transcript begins with, and how many bytes that takes.
func saidBy(line string) (string, int) {
	head, _, ok := strings.Cut(line, ":")
	name := strings.TrimSpace(strings.Trim(strings.TrimSpace(head), "*_"))
	words := strings.Fields(name)
	if !ok || len(words) == 0 || len(words) > 3 || len(head) > 60 {
		return "", 0
	}
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) && !unicode.IsDigit(r) {
			return "", 0
		}
	}
	toks := tokenize(name, 0, len(name))
	if phrase("opener", toks, 0) == len(toks) || len(toks) == 1 && announces[toks[0].low] {
		return "", 0
	}
	return name, len(head) + 1
}

// announces are words before a colon that name no speaker.
var announces = set("remember", "also", "edit", "fact", "name", "summary", "todo", "ps", "fyi", "tldr", "reminder", "attention")

// rawSentence is the tokens of a sentence, without the mark that ends it.
type rawSentence struct {
	toks     []token
	question bool
}

// sentences cuts a block.
func sentences(text string, b block) []rawSentence {
	toks := tokenize(text, b.from, b.to)
	markQuoted(text, toks)
	var out []rawSentence
	from := 0
	add := func(to int, question bool) {
		if to > from {
			out = append(out, rawSentence{toks: plain(text, toks[from:to]), question: question})
		}
	}
	for i := 0; i < len(toks); i++ {
		if toks[i].word || !enders[toks[i].low] || toks[i].low == "." && inside(text, toks, from, i) {
			continue
		}
		question := false
		to := i
		for ; i < len(toks) && !toks[i].word && (enders[toks[i].low] || toks[i].low == "\"" || toks[i].low == "”" || toks[i].low == ")" && toks[i-1].low != "("); i++ {
			question = question || toks[i].low == "?" || toks[i].low == "？"
		}
		add(to, question)
		from, i = i, i-1
	}
	add(len(toks), false)
	return out
}

var enders = set(".", "!", "?", "。", "！", "？")

// abbreviations are words whose full stop ends no sentence, whatever follows.
var abbreviations = set("mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "approx", "no", "jr", "sr", "fig", "dept", "est")

// companies are abbreviations at the end of a company's name, which the sentence may end with too.
var companies = set("inc", "ltd", "corp", "co", "llc", "bros", "plc")

// inside reports whether the full stop at token i belongs to the word before it: an abbreviation, an initial, a number of
// a list.
func inside(text string, toks []token, from, i int) bool {
	if i == from || i+1 >= len(toks) || toks[i].spaced {
		return i == from && i+1 < len(toks)
	}
	before, next := toks[i-1], toks[i+1]
	if !next.word || !next.spaced {
		return next.word
	}
	switch {
	case abbreviations[before.low]:
		return before.low != "no" || digitAt(next.low)
	case companies[before.low]:
		return !next.upper && next.low != "i" && !speaks[next.low]
	case monthsShort[before.low] > 0 && before.low != "may":
		return digitAt(next.low)
	case i-1 == from && digitAt(before.low): // "1. First"
		return true
	}
	r, size := utf8.DecodeRuneInString(text[before.start:before.end])
	return size == before.end-before.start && unicode.IsUpper(r) && before.low != "i" && next.upper && i-1 > from
}

// plain returns the tokens without full stops that end nothing, and without the number or bullet of a list item. In a
// sentence all of capitals a capital says nothing.
func plain(text string, toks []token) []token {
	kept := toks[:0:0]
	shouting, letters := true, 0
	for i, t := range toks {
		if !t.word && t.low == "." {
			if i == 1 && digitAt(toks[0].low) {
				kept = kept[:0]
			}
			continue
		}
		if t.word {
			word := text[t.start:t.end]
			letters += len(word)
			shouting = shouting && strings.ToUpper(word) == word
		}
		kept = append(kept, t)
	}
	shouting = shouting && letters > 12
	for i, t := range kept {
		if other, ok := capitals[text[t.start:t.end]]; ok && !shouting {
			kept[i].low = other
		}
		kept[i].upper = t.upper && !shouting
	}
	for len(kept) > 0 && (kept[0].low == "-" || kept[0].low == "•" || kept[0].low == "#") {
		kept = kept[1:]
	}
	return kept
}

// capitals are pronouns in all capitals, and what they are then.
var capitals = map[string]string{"IT": "i.t", "US": "u.s", "WHO": "w.h.o"}

// markQuoted marks the tokens within quotation marks. A mark that nothing closes quotes the rest of its block.
func markQuoted(text string, toks []token) {
	var closing string
	for i := range toks {
		t := &toks[i]
		if closing != "" {
			t.quoted = true
			if strings.Contains(closing, t.low) {
				closing = ""
			}
			continue
		}
		switch t.low {
		case "\"":
			if i > 0 && !t.spaced && digitAt(text[toks[i-1].start:toks[i-1].end]) {
				continue // 27"
			}
			closing = "\"”"
		case "“", "„":
			closing = "\"”“"
		case "«":
			closing = "»"
		case "'", "‘", "’":
			if (i == 0 || t.spaced) && closedLater(toks, i) {
				closing = "'’'s"
			}
		}
		t.quoted = closing != ""
	}
}

// closedLater reports whether a single quotation mark opened at token i is closed.
func closedLater(toks []token, i int) bool {
	for k := i + 1; k < len(toks) && k < i+maxWords; k++ {
		if low := toks[k].low; (low == "'" || low == "’") || low == "'s" && toks[k].end-toks[k].start < len("’s") {
			return true
		}
	}
	return false
}
