package local

import (
	"context"
	"fmt"
	"sync"

	"tenure/embedding"
)

var _ embedding.Model = (*Model)(nil)

// id changes when a vector of any text does: TestVectorsAreTheSameEverywhere pins the vectors that go with it.
const id = "all-minilm-l6-v2/int8-1"

// packTokens is how many tokens go through the encoder together. It bounds the memory of a call, some three megabytes; a larger
// pack would save little, since the weights pass once for each block of tokens (see multiply).
const packTokens = maxTokens

// Model embeds texts on the calling goroutine; callers that want more cores call it from several.
type Model struct {
	tokenizer *tokenizer
	weights   *weights
	kernels   kernels
	gelu      *geluTable
	scratch   sync.Pool // of *scratch
}

// New returns the model. It reads the weights once, which takes some tens of milliseconds.
func New() (*Model, error) { return load(weightsFile, vocabularyFile, available()[0]) }

// load returns the model of a file of weights and a vocabulary that computes with the kernels k.
func load(file, vocabulary string, k kernels) (*Model, error) {
	t, err := newTokenizer(vocabulary)
	if err != nil {
		return nil, fmt.Errorf("vocabulary: %w", err)
	}
	w, err := parse(file)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	m := &Model{tokenizer: t, weights: w, kernels: k, gelu: newGELUTable()}
	m.scratch.New = func() any { return new(scratch) }
	return m, nil
}

// ID implements embedding.Model.
func (m *Model) ID() string { return id }

// Dimension implements embedding.Model.
func (m *Model) Dimension() int { return width }

// Calibration implements embedding.Model.
func (m *Model) Calibration() embedding.Calibration { return calibration }

// Chunks implements embedding.Model. A chunk has at most 254 pieces of the vocabulary, 256 tokens with those around them.
func (m *Model) Chunks(text string) []string { return m.tokenizer.chunks(embedding.Normal(text)) }

// Embed implements embedding.Model. It looks at ctx before every text and every pack of texts.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	vectors := make([][]float32, len(texts))
	var waiting pack
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = make([]float32, width)
		ids := m.tokens(text)
		if len(waiting.ids)+len(ids) > packTokens {
			m.encode(&waiting, s)
		}
		waiting.add(ids, vectors[i])
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.encode(&waiting, s)
	return vectors, nil
}

// tokens returns what the encoder reads of a text: its first chunk, or nothing if no piece of it is known. The reference has a
// vector for a text of unknown pieces, which is the same for all of them: each would be a near duplicate of the others.
func (m *Model) tokens(text string) []int32 {
	text = embedding.Normal(text)
	ids := m.tokenizer.encode(text[:m.tokenizer.cut(text)])
	for _, id := range ids[1 : len(ids)-1] {
		if id != unknown {
			return ids
		}
	}
	return nil
}
