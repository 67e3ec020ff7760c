#!/usr/bin/env python3
"""Turn the weights of all-MiniLM-L6-v2 (float32, safetensors) into the file that this package reads.

usage: convert.py model.safetensors minilm.bin vocab.txt [WEIGHT_BOUND [EMBEDDING_BITS]]        (64 5 made minilm.bin)

The same input gives the same bytes; README.md has the hashes of both. Needs numpy.

Layout, all little-endian, without gaps:
  "BRT1", then as uint32 the number of layers, WEIGHT_BOUND, EMBEDDING_BITS
  table of words; table of positions, into which the row of token type 0 is added; layer norm
  for each layer:
    linear 1152x384 (query, key, value), linear 384x384, layer norm, linear 1536x384, linear 384x1536, layer norm
where
  table       float32 scale of each row, then int8 rows (words of EMBEDDING_BITS, positions of 8)
  linear      float32 scale of each row, then int8 rows of [out][in], at most WEIGHT_BOUND in size; float32 bias
  layer norm  float32 gain, float32 bias

A row is divided by its scale (its largest number over the largest integer) and rounded to the nearest integer, ties to even.
With weights up to 64, two products with an unsigned byte fit in 16 bits, which the kernels rely on.
"""
import json
import struct
import sys

import numpy as np


def read_safetensors(path):
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        data = f.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = np.frombuffer(data[start:end], "<f4").reshape(entry["shape"])
    return tensors


def rows(matrix, largest):
    """Scales, then rows of integers up to largest in size."""
    scales = (np.abs(matrix).max(1) / np.float32(largest)).astype("<f4")
    scales[scales == 0] = 1
    integers = np.clip(np.round(matrix / scales[:, None]), -largest, largest).astype(np.int8)
    return scales.tobytes() + integers.tobytes()


def convert(tensors, bound, bits):
    def floats(name):
        return tensors[name].astype("<f4").tobytes()

    def linear(*names):
        weights = rows(np.concatenate([tensors[n + ".weight"] for n in names]), bound)
        return weights + b"".join(floats(n + ".bias") for n in names)

    def norm(name):
        return floats(name + ".weight") + floats(name + ".bias")

    layers = 1 + max(int(n.split(".")[2]) for n in tensors if n.startswith("encoder.layer."))
    yield b"BRT1" + struct.pack("<3I", layers, bound, bits)
    words, places, kinds = (tensors[f"embeddings.{n}_embeddings.weight"] for n in ("word", "position", "token_type"))
    yield rows(words, 2 ** (bits - 1) - 1)
    yield rows(places + kinds[0], 127)
    yield norm("embeddings.LayerNorm")
    for i in range(layers):
        layer = f"encoder.layer.{i}."
        yield linear(*(layer + "attention.self." + n for n in ("query", "key", "value")))
        yield linear(layer + "attention.output.dense")
        yield norm(layer + "attention.output.LayerNorm")
        yield linear(layer + "intermediate.dense")
        yield linear(layer + "output.dense")
        yield norm(layer + "output.LayerNorm")


def main(source, target, vocabulary, bound="64", bits="5"):
    tensors = read_safetensors(source)
    with open(vocabulary, encoding="utf-8") as f:
        pieces = len(f.read().splitlines())
    words = len(tensors["embeddings.word_embeddings.weight"])
    if pieces != words:
        sys.exit(f"{vocabulary} has {pieces} pieces, {source} has {words} words")
    with open(target, "wb") as f:
        for part in convert(tensors, int(bound), int(bits)):
            f.write(part)


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
