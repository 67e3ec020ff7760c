package local

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tenure/embedding"
)

func readJSON[T any](t testing.TB, path string) (v T) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

func shipped(t testing.TB) *tokenizer {
	t.Helper()
	tk, err := newTokenizer(vocabularyFile)
	if err != nil {
		t.Fatal(err)
	}
	return tk
}

func TestTokensAreThoseOfTheReference(t *testing.T) {
	tk := shipped(t)
	type entry struct {
		Text string  `json:"text"`
		IDs  []int32 `json:"ids"`
	}
	for _, e := range readJSON[[]entry](t, "testdata/tokens.json") {
		if diff := cmp.Diff(e.IDs, tk.encode(embedding.Normal(e.Text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", e.Text, diff)
		}
	}
}

// The library drops these three as control characters, which joins the words they part.
func TestWhiteSpaceThatTheReferenceDropsPartsWords(t *testing.T) {
	tk := shipped(t)
	want := tk.encode("one two")
	for _, text := range []string{"one\vtwo", "one\ftwo", "one\u0085two"} {
		if got := tk.encode(embedding.Normal(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestAHugeTextHasThePiecesOfItsParts(t *testing.T) {
	tk := shipped(t)
	const part, times = "Ann's café in Zürich, open till 18:30 东京 🤔", 2000
	one := tk.pieces(nil, part)
	got := tk.pieces(nil, strings.TrimSpace(strings.Repeat(part+" ", times)))
	if want := slices.Repeat(one, times); !slices.Equal(got, want) {
		t.Errorf("%d pieces, want %d", len(got), len(want))
	}
}

func TestBytesThatAreNoTextAreDropped(t *testing.T) {
	tk := shipped(t)
	got, want := tk.encode(embedding.Normal("a\xff\xfeb \xc3 c\xed\xa0\x80d")), tk.encode("ab cd")
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestVocabularyIsChecked(t *testing.T) {
	for name, vocabulary := range map[string]string{
		"empty":           "",
		"a line too few":  vocabularyFile[:strings.LastIndex(strings.TrimSuffix(vocabularyFile, "\n"), "\n")+1],
		"a line too many": vocabularyFile + "more\n",
		"other markers":   strings.Replace(vocabularyFile, "[CLS]", "[cls]", 1),
	} {
		if _, err := newTokenizer(vocabulary); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzEncode(f *testing.F) {
	for _, text := range []string{"", "Hello, world", "e\u0301\u0301 東京", "\xff\u0000", "가나다라 ㅎㅏㄴ", strings.Repeat("x", 300)} {
		f.Add(text)
	}
	tk := shipped(f)
	f.Fuzz(func(t *testing.T, text string) {
		normal := embedding.Normal(text)
		ids := tk.encode(normal)
		if ids[0] != begin || ids[len(ids)-1] != end {
			t.Fatalf("%q: %v", text, ids)
		}
		if len(ids)-2 > len(normal) {
			t.Fatalf("%q: %d pieces of %d bytes", text, len(ids)-2, len(normal))
		}
		var joined []int32
		for _, chunk := range tk.chunks(normal) {
			if chunk == "" || !utf8.ValidString(chunk) {
				t.Fatalf("%q: chunk %q", text, chunk)
			}
			pieces := tk.pieces(nil, chunk)
			if len(pieces) > maxPieces {
				t.Fatalf("%q: a chunk of %d pieces", text, len(pieces))
			}
			joined = append(joined, pieces...)
		}
		if !slices.Equal(joined, ids[1:len(ids)-1]) {
			t.Fatalf("%q: the chunks have other pieces than the text", text)
		}
	})
}
