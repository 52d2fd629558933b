"""The rows of the quality table: one axis varied at a time, the most telling first."""
from dataclasses import dataclass


BOTH = ("fashion-cnn", "shakespeare-gpt")
FASHION = ("fashion-cnn",)


@dataclass(frozen=True)
class Row:
    """One way to train.

    strategy: keys of the job's strategy. train: further keys of its train. efficiency: kind, syncEvery and compress of the entry
    of the table of efficiencies that this row measures; None where the table has no such entry. short: the tasks for which it is in
    the table of two hours; all others are run with --all-rows. That one has each strategy and each codec once for fashion-cnn, and what
    the planner decides between most for shakespeare-gpt, whose runs take three times as long.
    """
    name: str
    strategy: dict
    train: dict
    efficiency: tuple
    short: tuple


def row(name, kind, efficiency=None, short=(), train=None, **keys):
    return Row(name, dict(kind=kind, **keys), train or {}, efficiency, short)


def coded(codec, **keys):
    return row(f"data-parallel {codec}", "data-parallel", ("DATA_PARALLEL", 1, codec.upper()), FASHION, compress=codec, **keys)


def rounds(kind, every, codec=None, short=(), **stream):
    """Local steps; hybrid and diloco with the same number of steps differ in who steps as one. stream: overlap and fragments."""
    keys = dict(sync_every=every, **stream, **({"compress": codec} if codec else {}))
    name = " ".join([kind, str(every)] + ([codec] if codec else []) + [f"{k} {v}" for k, v in stream.items()])
    return row(name, kind, (kind.upper().replace("-", "_"), every, (codec or "none").upper()), short, **keys)


def outer(every, rate, momentum, codec="int8"):
    """diloco with another common step than the usual 0.7, 0.9."""
    return row(f"diloco {every} {codec} outer {rate} {momentum}", "diloco", ("DILOCO", every, codec.upper()), sync_every=every,
               compress=codec, outer_lr=rate, outer_momentum=momentum)


def server(sync, efficiency=None, short=(), **keys):
    name = f"parameter-server {sync}{' ' + str(keys['staleness']) if keys else ''}"
    return row(name, "parameter-server", efficiency, short, sync=sync, **keys)


REFERENCE = Row("single process", None, {}, None, BOTH)
DATA_PARALLEL = row("data-parallel", "data-parallel", ("DATA_PARALLEL", 1, "NONE"), BOTH)

ROWS = [
    REFERENCE,
    rounds("diloco", 64, "int8"),
    rounds("diloco", 16, "int8", BOTH),
    rounds("diloco", 32, "int8"),
    rounds("hybrid", 64),
    rounds("hybrid", 16, "int8", BOTH),
    rounds("hybrid", 8, "int4"),
    outer(16, 1.0, 0.5),
    outer(32, 1.0, 0.5),
    outer(16, 1.0, 0.5, "int4"),
    DATA_PARALLEL,
    rounds("diloco", 64),
    rounds("local-sgd", 16, short=FASHION),
    server("stale", ("PARAMETER_SERVER", 32, "NONE"), FASHION, staleness=4),
    row("gossip", "gossip", ("GOSSIP", 32, "NONE"), FASHION),
    coded("int8"),
    rounds("diloco", 16),
    rounds("diloco", 32),
    rounds("diloco", 64, "int4"),
    row("data-parallel precision auto", "data-parallel", train={"precision": "auto"}),
    coded("int4"),
    coded("bf16"),
    coded("topk"),
    coded("powersgd"),
    coded("onebit", exact_steps=100),
    rounds("local-sgd", 64),
    rounds("diloco", 256),
    rounds("diloco", 16, "int8", overlap=4),
    rounds("diloco", 32, "int8", overlap=8),
    rounds("diloco", 64, overlap=8),
    rounds("diloco", 64, overlap=8, fragments=4),
    server("async", short=FASHION),
    server("bulk"),
    rounds("diloco", 64, "bf16"),
    coded("fp16"),
]
