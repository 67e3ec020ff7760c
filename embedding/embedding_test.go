package embedding_test

import (
	"crypto/sha256"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"tenure/embedding"
)

func TestNormalIsTheTextAsEmbedded(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		" \t\r\n\u00a0\u2003\u3000":           "",
		"one":                                 "one",
		"  one \n\n two\u00a0three\u2028four": "one two three four",
		"Ünchanged Café 東京 🤔\u200b":           "Ünchanged Café 東京 🤔\u200b",
		"a\xff\xfeb":                          "a\ufffdb",
		"e\u0301 is not \u00e9":               "e\u0301 is not \u00e9",
	} {
		if got := embedding.Normal(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzNormal(f *testing.F) {
	for _, text := range []string{"", " a  b ", "\xff \xfe", "x\u0085y\u2029"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := embedding.Normal(text)
		if embedding.Normal(got) != got {
			t.Errorf("%q: the normal form of %q is another", text, got)
		}
		if !utf8.ValidString(got) || strings.TrimSpace(got) != got {
			t.Errorf("%q: %q", text, got)
		}
	})
}

func TestTextsHaveOneKeyIfTheirNormalFormIsOne(t *testing.T) {
	if got, want := embedding.KeyOf(" one\n two "), embedding.Key(sha256.Sum256([]byte("one two"))); got != want {
		t.Errorf("%x, want %x", got, want)
	}
	if embedding.KeyOf("one two") == embedding.KeyOf("One two") {
		t.Error("case makes no other key")
	}
	if embedding.KeyOf("one two") == embedding.KeyOf("onetwo") {
		t.Error("a space makes no other key")
	}
}

func TestSimilarityIsLinearBetweenFloorAndFull(t *testing.T) {
	c := embedding.Calibration{Floor: 0.2, Full: 0.6, Duplicate: 0.97}
	for cosine, want := range map[float64]float64{-1: 0, 0: 0, 0.2: 0, 0.3: 0.25, 0.4: 0.5, 0.6: 1, 1: 1} {
		if got := c.Similarity(cosine); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", cosine, got, want)
		}
	}
	if got := c.Similarity(math.NaN()); got != 0 {
		t.Errorf("NaN: %v", got)
	}
}
