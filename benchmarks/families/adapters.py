"""Adapters of a model as large as GPT-2 (124 M parameters, drawn at random) beside all of its parameters: bytes a step.

Two workers on this machine, four steps of two windows of 16 tokens: what travels does not depend on the text. Needs no
package, 1 GB of disk and 10 GB of memory (4 with --only lora). Appends one JSON line a job; --result writes the page.

    python benchmarks/families/adapters.py adapters-runs.jsonl [--only lora] [--result]
"""
import argparse
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import results

MEDLEY = os.environ.get("MEDLEY", str(ROOT / "medley"))
WORDS, POSITIONS, WIDTH, BLOCKS = 50257, 1024, 768, 12
MODELS = {"lora": {"lora": {"rank": 8, "alpha": 16, "targets": ["qkv"]}}, "all": {}}


def arrays():
    yield "transformer.wte.weight", (WORDS, WIDTH)
    yield "transformer.wpe.weight", (POSITIONS, WIDTH)
    for block in range(BLOCKS):
        for name, shape in (("ln_1", (WIDTH,)), ("attn.c_attn", (WIDTH, 3 * WIDTH)), ("attn.c_proj", (WIDTH, WIDTH)),
                            ("ln_2", (WIDTH,)), ("mlp.c_fc", (WIDTH, 4 * WIDTH)), ("mlp.c_proj", (4 * WIDTH, WIDTH))):
            yield f"transformer.h.{block}.{name}.weight", shape
            yield f"transformer.h.{block}.{name}.bias", shape[-1:]
    yield "transformer.ln_f.weight", (WIDTH,)
    yield "transformer.ln_f.bias", (WIDTH,)


def size(shape):
    return shape[0] * (shape[1] if len(shape) > 1 else 1)


def weights(file):
    """In halves; drawn once, and cut in anew for each array."""
    header, at = {}, 0
    for name, shape in arrays():
        end = at + 2 * size(shape)
        header[name] = {"dtype": "F16", "shape": list(shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    draw = random.Random(1)
    drawn = struct.pack("<65536e", *(draw.gauss(0, 0.02) for _ in range(65536)))
    with file.open("wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for name, shape in arrays():
            left = 2 * size(shape)
            if len(shape) == 1:
                out.write((b"\x00\x3c" if "ln_" in name and name.endswith("weight") else b"\0\0") * (left // 2))
                continue
            while left > 0:
                begin = 2 * draw.randrange(1000)
                part = drawn[begin:begin + left]
                out.write(part)
                left -= len(part)


def tokenizer():
    """Of bytes and pairs of them, as many as the model has words."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    letters = [chr(byte if byte in plain else 256 + others.index(byte)) for byte in range(256)]
    words = {letter: code for code, letter in enumerate(letters)}
    pairs = [(a, b) for a in letters for b in letters][:WORDS - 1 - len(words)]
    words.update({a + b: len(words) + code for code, (a, b) in enumerate(pairs)})
    words["<|endoftext|>"] = WORDS - 1
    end = {"id": WORDS - 1, "content": "<|endoftext|>", "single_word": False, "lstrip": False, "rstrip": False,
           "normalized": False, "special": True}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    pair = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
            "fuse_unk": False, "byte_fallback": False, "vocab": words, "merges": [f"{a} {b}" for a, b in pairs]}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [end], "normalizer": None,
            "pre_tokenizer": level, "post_processor": level, "decoder": level, "model": pair}


def make(work):
    folder = work / "gpt2"
    folder.mkdir()
    config = {"model_type": "gpt2", "vocab_size": WORDS, "n_positions": POSITIONS, "n_ctx": POSITIONS, "n_embd": WIDTH,
              "n_layer": BLOCKS, "n_head": 12, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
              "architectures": ["GPT2LMHeadModel"], "tie_word_embeddings": True}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))
    weights(folder / "model.safetensors")
    (work / "text.txt").write_text("\n".join(f"What is drawn at random has little to say, line {i}." for i in range(400)))
    return folder


def run(work, folder, kind):
    job = {"name": kind, "data": {"train": str(work / "text.txt"), "text": {"context": 16}, "split": {"validation": 0.05}},
           "model": {"family": "pretrained", "from": str(folder), **MODELS[kind]},
           "train": {"steps": 4, "batch": 2, "optimizer": "sgd"}, "cluster": {"workers": 2}}
    file = work / f"{kind}.yaml"
    file.write_text(json.dumps(job))
    subprocess.run([MEDLEY, "train", str(file)], check=True, stdout=sys.stderr, cwd=work)
    steps = [json.loads(line) for path in (work / "runs").glob(f"{kind}-*/steps.jsonl") for line in path.open()]
    last = steps[-1]["workers"]
    return {"learns": kind, "parameters": sum(size(shape) for _, shape in arrays()), "steps": len(steps),
            "sent_a_step": [sum(worker["sentBytes"] for worker in step["workers"]) for step in steps],
            "resident": max(worker["residentBytes"] for worker in last), **results.provenance()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runs")
    parser.add_argument("--only", choices=list(MODELS))
    parser.add_argument("--result", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        folder = make(work)
        for kind in [asked.only] if asked.only else MODELS:
            results.append(asked.runs, run(work, folder, kind))
    rows = ["| what is learnt | sent in a step by both workers, MB | all parameters in FP32, MB | memory of a worker, GB |",
            "|---|---|---|---|"]
    for row in results.read(asked.runs):
        rows.append(f"| {row['learns']} | {max(row['sent_a_step']) / 1e6:,.2f} | {row['parameters'] * 4 / 1e6:,.1f} |"
                    f" {row['resident'] / 1e9:.1f} |")
    table = "\n".join(rows)
    print(table)
    if asked.result:
        text = f"{__doc__.splitlines()[0]} {results.hardware()}, two workers\n\n{table}\n"
        results.page("adapters", "Bytes of adapters", text)


if __name__ == "__main__":
    main()
