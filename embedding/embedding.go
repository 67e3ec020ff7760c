// Package embedding turns texts into vectors that lie near each other where the texts mean nearly the same.
package embedding

import "context"

// A Model embeds texts. It is safe for concurrent use and keeps nothing of what it embedded.
type Model interface {
	// ID names the model and all that shapes its vectors: they compare with vectors of the same ID, and with no others.
	ID() string
	// Dimension is the length of every vector.
	Dimension() int
	// Calibration says what the cosines of the model's vectors mean.
	Calibration() Calibration
	// Chunks cuts the Normal form of a text into pieces that Embed reads whole, at ends of sentences where it can.
	// In order they are all of the text but white space, and nothing twice. A short text is one chunk, an empty one none.
	//
	// A text of several chunks has the vector of each, each under its own Key: it is as near to a question as its nearest chunk.
	Chunks(text string) []string
	// Embed returns the vectors of texts, in their order; they belong to the caller. What is embedded is the Normal form,
	// so that texts of one Key have one vector. A text that Chunks would cut has the vector of its first chunk: what
	// a call costs is bounded by the number of its texts.
	//
	// A vector has length 1, so that a dot product is a cosine. One of a text in which the model knows nothing (an empty one,
	// one in a script it never saw) is all zeros: near nothing, not even to another such text.
	//
	// An error means that nothing was embedded; if ctx is done, it is the error of ctx.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
