"""Makes tiny models with random weights and their logits: `python make_models.py FOLDER`.

Needs torch, transformers, tokenizers and safetensors. The tests compare Medley's logits with these.
"""
import json
import shutil
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertForSequenceClassification, GPT2Config, GPT2LMHeadModel

PROMPT = "The lazy dog"
TOKENS = Path(__file__).resolve().parents[5] / "data" / "src" / "test" / "resources" / "tokens"


def spread(model):
    """Norms and biases that are not 1 and 0, so that a test sees them."""
    for name, parameter in model.named_parameters():
        with torch.no_grad():
            parameter.add_(torch.randn_like(parameter) * 0.1)


def save(model, folder, tokenizer):
    model.save_pretrained(folder)
    shutil.copy(TOKENS / tokenizer, folder / "tokenizer.json")
    for other in folder.glob("generation_config.json"):
        other.unlink()


def expected(file, **values):
    file.write_text(json.dumps(values) + "\n", encoding="utf-8")


def rounded(tensor):
    """Six decimals, which is closer than the tests look."""
    return json.loads(json.dumps(tensor.tolist()), parse_float=lambda f: round(float(f), 6))


def gpt2(folder):
    torch.manual_seed(1)
    config = GPT2Config(vocab_size=400, n_positions=24, n_embd=16, n_layer=2, n_head=2)
    model = GPT2LMHeadModel(config).eval()
    spread(model)
    save(model, folder, "pairs.json")
    tokens = torch.tensor([[5, 300, 7, 0, 12, 399, 44, 3]])
    with torch.no_grad():
        logits = model(tokens).logits
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        prompt = torch.tensor([tokenizer.encode(PROMPT).ids])
        text = model.generate(prompt, max_new_tokens=12, do_sample=False, eos_token_id=-1, pad_token_id=0)
    expected(
        folder / "expected.json", tokens=tokens.tolist(), logits=rounded(logits),
        prompt=PROMPT, continued=text[0, prompt.shape[1]:].tolist())


def bert(folder):
    torch.manual_seed(2)
    config = BertConfig(
        vocab_size=300, max_position_embeddings=16, hidden_size=16, num_hidden_layers=2,
        num_attention_heads=2, intermediate_size=24, num_labels=3)
    model = BertForSequenceClassification(config).eval()
    spread(model)
    save(model, folder, "words.json")
    tokens = torch.tensor([[2, 41, 57, 9, 88, 3, 0, 0], [2, 11, 12, 13, 14, 15, 16, 3]])
    mask = torch.tensor([[1, 1, 1, 1, 1, 1, 0, 0], [1] * 8])
    with torch.no_grad():
        logits = model(tokens, attention_mask=mask).logits
    expected(folder / "expected.json", tokens=tokens.tolist(), mask=mask.tolist(), logits=rounded(logits))


def narrow(folder):
    """The same weights in half the bytes, and the logits of the narrowed weights."""
    model = GPT2LMHeadModel.from_pretrained(folder, dtype=torch.bfloat16)
    weights = {k: v.clone() for k, v in model.state_dict().items() if k != "lm_head.weight"}
    save_file(weights, folder / "bf16.safetensors", metadata={"format": "pt"})
    known = json.loads((folder / "expected.json").read_text())
    with torch.no_grad():
        logits = model.float().eval()(torch.tensor(known["tokens"])).logits
    expected(folder / "bf16.json", last=rounded(logits[:, -1]))


if __name__ == "__main__":
    out = Path(sys.argv[1])
    gpt2(out / "gpt2")
    bert(out / "bert")
    narrow(out / "gpt2")
