#!/usr/bin/env python3
"""Record what the tests compare with: tokens of the tokenizers library, vectors in float32 from the weights before rounding.

usage: reference.py MODEL_DIRECTORY      (with model.safetensors and tokenizer.json; see ../minilm/README.md)

Reads texts.json beside this file; writes tokens.json and vectors.json there. Needs numpy and tokenizers (0.23.3).
The forward pass is written from the description of BERT, in numpy; it shares no code with the package.
"""
import json
import math
import pathlib
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH = 6, 12, 384


def read_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(data[start:end], "<f4").reshape(entry["shape"])
    return tensors


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2))).astype(np.float32)


def encode(tensors, ids):
    def linear(x, name):
        return x @ tensors[name + ".weight"].T + tensors[name + ".bias"]

    def normal(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12)
        return x * tensors[name + ".weight"] + tensors[name + ".bias"]

    def split(x):
        return x.reshape(len(ids), HEADS, WIDTH // HEADS).transpose(1, 0, 2)

    words, places, kinds = (tensors[f"embeddings.{n}_embeddings.weight"] for n in ("word", "position", "token_type"))
    x = normal(words[ids] + places[: len(ids)] + kinds[0], "embeddings.LayerNorm")
    for i in range(LAYERS):
        layer = f"encoder.layer.{i}."
        query, key, value = (split(linear(x, layer + "attention.self." + n)) for n in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(WIDTH // HEADS))
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed = (weights @ value).transpose(1, 0, 2).reshape(len(ids), WIDTH)
        x = normal(x + linear(mixed, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
        wide = gelu(linear(x, layer + "intermediate.dense"))
        x = normal(x + linear(wide, layer + "output.dense"), layer + "output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def write(path, entries):
    lines = (json.dumps(e, ensure_ascii=True, separators=(",", ":")) for e in entries)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def main():
    here, model = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1])
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # A marker in a text is text: the library is asked not to see special tokens in it.
    tokenizer.encode_special_tokens = True
    tensors = read_safetensors(model / "model.safetensors")
    texts = json.loads((here / "texts.json").read_text())
    write(here / "tokens.json", [{"text": t, "ids": tokenizer.encode(t).ids} for t in texts["tokens"]])
    vectors = [encode(tensors, tokenizer.encode(t).ids) for t in texts["vectors"]]
    write(here / "vectors.json", [{"text": t, "vector": [round(float(x), 4) for x in v]} for t, v in zip(texts["vectors"], vectors)])


main()
