"""Makes the fixtures of the tokenizers' tests: `python make_tokens.py FOLDER`, with tokenizers installed."""
import json
import sys
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

CORPUS = (
    "The quick brown fox jumps over the lazy dog. The dog doesn't mind; it's lazy, they'll say.\n"
    "Le renard brun saute par-dessus le chien paresseux, où qu'il soit — déjà vu, naïve façade.\n"
    "1234 numbers, 12.5 % of 10,000 € and x_1 = y^2;\n\n\n  indented   text\twith\ttabs\n"
    "Der schnelle Fuchs über dem Hund. 世界 你好 こんにちは мир 🙂🙂 👩‍👩‍👧\n"
) * 3 + "def f(x):\n    return x + 1\n" * 4
TEXTS = [
    "The quick brown fox", " leading space", "trailing space  ", "it's they'll don't DON'T I'm",
    "a  b   c\n\n\nd \n e\t\tf", "déjà vu où naïve", "世界 你好", "🙂👩‍👩‍👧 🙂", "x_1=y^2;12.5%", "", "\n", " ",
    "unseen wörds, Ünïcode ½ ² \u00a0nbsp \u3000wide", "end<|endoftext|>begin <|endoftext|>", "A" * 50,
    "Quick BROWN fox's [MASK] jumps, 10,000!", "tab\there\u200bzero", "ﬁ ligature İstanbul straße",
]


def byte_pairs(special):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, min_frequency=2, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=special)
    tokenizer.train_from_iterator([CORPUS], trainer)
    return tokenizer


def word_pieces():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=300, show_progress=False, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.train_from_iterator([CORPUS], trainer)
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", sep), ("[CLS]", cls))
    return tokenizer


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "corpus.txt").write_text(CORPUS, encoding="utf-8")
    learnt = byte_pairs([])
    learnt.save(str(folder / "learnt.json"))
    pairs = byte_pairs(["<|endoftext|>"])
    pairs.save(str(folder / "pairs.json"))
    words = word_pieces()
    words.save(str(folder / "words.json"))
    cases = [
        {"text": t, "pairs": pairs.encode(t).ids, "words": words.encode(t, add_special_tokens=False).ids}
        for t in TEXTS
    ]
    (folder / "expected.json").write_text(json.dumps(cases, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
