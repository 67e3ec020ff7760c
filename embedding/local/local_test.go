package local

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var model = sync.OnceValues(New)

func open(t testing.TB) *Model {
	t.Helper()
	m, err := model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// with returns the model with other kernels.
func with(t testing.TB, k kernels) *Model {
	m := open(t)
	other := &Model{tokenizer: m.tokenizer, weights: m.weights, gelu: m.gelu, kernels: k}
	other.scratch.New = m.scratch.New
	return other
}

func embed(t testing.TB, m *Model, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func cosine(a, b []float32) (c float64) {
	for i := range a {
		c += float64(a[i]) * float64(b[i])
	}
	return c
}

type reference struct {
	Text   string    `json:"text"`
	Vector []float32 `json:"vector"`
}

func references(t testing.TB) (texts []string, vectors [][]float32) {
	t.Helper()
	for _, r := range readJSON[[]reference](t, "testdata/vectors.json") {
		texts, vectors = append(texts, r.Text), append(vectors, r.Vector)
	}
	return texts, vectors
}

// In a text of one word the rounding of weights has nothing to average out over: the float32 model is further away there.
func TestVectorsAreNearThoseOfTheReference(t *testing.T) {
	texts, want := references(t)
	sum, least := 0.0, 1.0
	for i, got := range embed(t, open(t), texts...) {
		bound := 0.99
		if len(strings.Fields(texts[i])) == 1 {
			bound = 0.97
		}
		c := cosine(got, want[i]) / math.Sqrt(cosine(want[i], want[i]))
		if c < bound {
			t.Errorf("%.50q: cosine %.4f", texts[i], c)
		}
		sum, least = sum+c, min(least, c)
	}
	t.Logf("cosine: mean %.4f, least %.4f", sum/float64(len(texts)), least)
	if mean := sum / float64(len(texts)); mean < 0.995 {
		t.Errorf("mean cosine %.4f", mean)
	}
}

// The hash is of all bits of some vectors. If it changes, stored vectors no longer compare with new ones: id has to change too.
func TestVectorsAreTheSameEverywhere(t *testing.T) {
	const want = id + " bf77b632ac4d0213"
	texts, _ := references(t)
	texts = append(texts[:4:4], texts[12]) // few, since portable kernels are slow; the last is longer than a block of multiply
	for _, k := range available() {
		t.Run(k.name, func(t *testing.T) {
			h := sha256.New()
			for _, v := range embed(t, with(t, k), texts...) {
				for _, x := range v {
					_ = binary.Write(h, binary.LittleEndian, x)
				}
			}
			if got := id + " " + hex.EncodeToString(h.Sum(nil))[:16]; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func TestAVectorDoesNotDependOnItsBatch(t *testing.T) {
	m := open(t)
	texts, _ := references(t)
	together := embed(t, m, texts...) // two packs
	for i, text := range texts[:12] {
		if alone := embed(t, m, text)[0]; !slices.Equal(alone, together[i]) {
			t.Errorf("%.50q has another vector alone", text)
		}
	}
}

func TestVectorsHaveLengthOneAndTheDimension(t *testing.T) {
	m := open(t)
	for _, text := range oddTexts {
		v := embed(t, m, text)[0]
		if len(v) != m.Dimension() {
			t.Errorf("%.40q: %d dimensions", text, len(v))
		}
		if n := cosine(v, v); math.Abs(n-1) > 1e-5 {
			t.Errorf("%.40q: length² %v", text, n)
		}
	}
}

var oddTexts = []string{
	"a", "[SEP]", "東京", "Привет, мир", "مرحبا", "हिन्दी", "naïve café", "🤔 yes", "a\xffb", "!", "\u0301a", strings.Repeat("word", 40) + " end",
	strings.Repeat("many words ", 20_000), strings.Repeat("x", 1<<20) + " y",
}

func TestATextInWhichNothingIsKnownHasTheZeroVector(t *testing.T) {
	m := open(t)
	texts := []string{"", " \n\t", "\u200b", "🤔", "🥰 🤔", strings.Repeat("x", 101), "\xff", "ሰላም"}
	for i, v := range embed(t, m, append(texts, "known")...) {
		if zero := slices.Equal(v, make([]float32, width)); zero != (i < len(texts)) {
			t.Errorf("text %d: zero is %v", i, zero)
		}
	}
}

func TestTextsOfOneKeyHaveOneVector(t *testing.T) {
	m := open(t)
	vectors := embed(t, m, "one two", " one\u00a0\n two\t", "One two.")
	if !slices.Equal(vectors[0], vectors[1]) {
		t.Error("white space makes another vector")
	}
	if slices.Equal(vectors[0], vectors[2]) {
		t.Error("another text has the same vector")
	}
}

func TestALongTextHasTheVectorOfItsFirstChunk(t *testing.T) {
	m := open(t)
	text := sentences(10) + " " + strings.ReplaceAll(sentences(10), "cat", "hen")
	chunks := m.Chunks(text)
	if len(chunks) != 2 {
		t.Fatalf("%d chunks", len(chunks))
	}
	if v := embed(t, m, text, chunks[0], chunks[1]); !slices.Equal(v[0], v[1]) || slices.Equal(v[0], v[2]) {
		t.Error("another vector")
	}
}

func TestVectorsBelongToTheCaller(t *testing.T) {
	m := open(t)
	first := embed(t, m, "kept by the caller", "and this one too")
	kept := slices.Clone(first[0])
	clear(first[1])
	if again := embed(t, m, "kept by the caller", "something else"); !slices.Equal(first[0], kept) || !slices.Equal(again[0], kept) {
		t.Error("a later call or a write to a neighbour changed a vector")
	}
	if v := embed(t, m); len(v) != 0 {
		t.Errorf("no texts: %d vectors", len(v))
	}
}

func TestEmbedIsSafeForConcurrentUse(t *testing.T) {
	m := open(t)
	texts, _ := references(t)
	texts = texts[:6]
	want := embed(t, m, texts...)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range texts {
				n := (i + g) % len(texts)
				got, err := m.Embed(t.Context(), texts[n:n+1])
				if err != nil || !slices.Equal(got[0], want[n]) {
					t.Errorf("%.50q: another vector, error %v", texts[n], err)
				}
			}
		})
	}
	wg.Wait()
}

func TestEmbedStopsWhenTheContextIsDone(t *testing.T) {
	m := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, texts := range [][]string{nil, {"a"}} {
		if v, err := m.Embed(ctx, texts); !errors.Is(err, context.Canceled) || v != nil {
			t.Errorf("%d texts: %v, %v", len(texts), v, err)
		}
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	long := slices.Repeat([]string{sentences(12)}, 5000) // minutes of work
	if v, err := m.Embed(ctx, long); !errors.Is(err, context.DeadlineExceeded) || v != nil {
		t.Errorf("in a batch: %d vectors, %v", len(v), err)
	}
}

const twelveWords = "My sister moved to Oslo last spring and works at the hospital."

func BenchmarkText(b *testing.B) {
	m := open(b)
	for b.Loop() {
		embed(b, m, twelveWords)
	}
}

func BenchmarkTextPortable(b *testing.B) {
	m := with(b, portable())
	for b.Loop() {
		embed(b, m, twelveWords)
	}
}

func BenchmarkBatch(b *testing.B) {
	m := open(b)
	texts := slices.Repeat([]string{twelveWords}, 64)
	for b.Loop() {
		embed(b, m, texts...)
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}

func BenchmarkLongestChunk(b *testing.B) {
	m := open(b)
	for b.Loop() {
		embed(b, m, sentences(12))
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	m := open(b)
	for b.Loop() {
		m.tokens(twelveWords)
	}
}
