// Package local embeds texts with a model that is part of the binary, so that it needs no key, no network and no cgo.
//
// The model is sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0, see minilm/NOTICE) with weights of eight bits;
// minilm/convert.py makes them. Each file has one job: tokenizer.go and chunks.go read text, weights.go reads the model's file,
// encoder.go and attention.go compute, kernels.go holds the loops that take the time, kernels_* the same in assembly.
//
// A text has the same vector, bit for bit, on every processor. Integer products are exact in any order. Sums of floats
// have one order, eight partial sums folded in pairs, and no product is fused with a sum: hence the conversions float32(x*y) in
// this package, which forbid it to the compiler, and no FMA in the assembly. So a file of vectors can move between machines.
// The tests hold this against a recorded hash; to run those of another processor:
//
//	GOARCH=arm64 go test -exec 'qemu-aarch64-static -cpu max' ./embedding/local          (dot products of bytes: SDOT)
//	GOARCH=arm64 go test -exec 'qemu-aarch64-static -cpu cortex-a53' ./embedding/local   (NEON without them)
//
// testdata/reference.py records what the tokenizer and the vectors are tested against.
package local
