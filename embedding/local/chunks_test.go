package local

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenure/embedding"
)

// sentences returns a text of n sentences of 20 pieces.
func sentences(n int) string {
	return strings.TrimSpace(strings.Repeat("The red cat and the old dog sat on a mat in the sun, as they had for ages. ", n))
}

func TestAShortTextIsOneChunk(t *testing.T) {
	tk := shipped(t)
	if got := tk.chunks(""); len(got) != 0 {
		t.Errorf("empty: %q", got)
	}
	for _, text := range []string{"a", "Two sentences. In one chunk.", sentences(12), strings.Repeat("é", 5000)} {
		if got := tk.chunks(text); !slices.Equal(got, []string{text}) {
			t.Errorf("%.40q…: %d chunks", text, len(got))
		}
	}
}

func TestCutsAreAtEndsOfSentences(t *testing.T) {
	tk := shipped(t)
	for _, n := range []int{13, 14, 25, 26, 100} {
		for i, chunk := range tk.chunks(sentences(n)) {
			if !strings.HasPrefix(chunk, "The") || !strings.HasSuffix(chunk, "ages.") {
				t.Errorf("%d sentences, chunk %d: %q", n, i, chunk)
			}
		}
	}
}

func TestNoStraySentenceIsLeftOver(t *testing.T) {
	tk := shipped(t)
	for n := 13; n < 80; n++ {
		for i, chunk := range tk.chunks(sentences(n)) {
			if got := len(tk.pieces(nil, chunk)); got < maxPieces/4 {
				t.Errorf("%d sentences: chunk %d has %d pieces", n, i, got)
			}
		}
	}
}

func TestWhereNoSentenceEndsCutsAreAtSpacesElseBetweenWords(t *testing.T) {
	tk := shipped(t)
	for _, chunk := range tk.chunks(strings.TrimSpace(strings.Repeat("alpha-beta ", 400))) {
		if !strings.HasPrefix(chunk, "alpha-beta") || !strings.HasSuffix(chunk, "alpha-beta") {
			t.Errorf("%q", chunk)
		}
	}
	han := strings.Repeat("我喜欢喝茶", 400)
	if got := tk.chunks(han); len(got) < 8 || strings.Join(got, "") != han {
		t.Errorf("%d chunks", len(got))
	}
	for _, chunk := range tk.chunks(strings.Repeat("我喜欢喝茶。", 400)) {
		if !strings.HasSuffix(chunk, "。") {
			t.Errorf("%q", chunk)
		}
	}
}

func TestChunksAreAllOfTheTextAndNothingTwice(t *testing.T) {
	tk := shipped(t)
	parts := []string{
		"word", "Sentence.", "why?", "(so!)", "naïve", "e\u0301", "東京", "。", "한국어", "🤔", strings.Repeat("x", 150), "a-b-c-d-e-f-g-h",
		strings.Repeat("漢字、", 120), strings.Repeat("a/", 300), "\u200b", "\ufffd", "supercalifragilistic",
	}
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20 {
		var b strings.Builder
		for range r.IntN(600) {
			b.WriteString(parts[r.IntN(len(parts))])
			if r.IntN(4) > 0 {
				b.WriteByte(' ')
			}
		}
		text := embedding.Normal(b.String())
		chunks := tk.chunks(text)
		rest := text
		for _, chunk := range chunks {
			if n := len(tk.pieces(nil, chunk)); n > maxPieces || chunk == "" || chunk != embedding.Normal(chunk) {
				t.Fatalf("seed %d: a chunk of %d pieces: %q", seed, n, chunk)
			}
			after, ok := strings.CutPrefix(strings.TrimPrefix(rest, " "), chunk)
			if !ok {
				t.Fatalf("seed %d: chunk %q does not begin the rest %.60q", seed, chunk, rest)
			}
			rest = after
		}
		if rest != "" {
			t.Fatalf("seed %d: left over: %q", seed, rest)
		}
	}
}
