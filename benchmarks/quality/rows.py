"""The rows of the quality table: one axis varied at a time, the most telling first."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One way to train.

    strategy: keys of the job's strategy. train: further keys of its train. efficiency: kind, syncEvery and compress of the entry
    of the table of efficiencies that this row measures; None where the table has no such entry. both: whether shakespeare-gpt,
    whose runs take three times as long, is run too.
    """
    name: str
    strategy: dict
    train: dict
    efficiency: tuple
    both: bool


def row(name, kind, efficiency=None, both=False, train=None, **keys):
    return Row(name, dict(kind=kind, **keys), train or {}, efficiency, both)


def coded(codec):
    return row(f"data-parallel {codec}", "data-parallel", ("DATA_PARALLEL", 1, codec.upper()), compress=codec)


def rounds(kind, every, codec=None, both=False, **stream):
    """Local steps; hybrid and diloco with the same number of steps differ in who steps as one. stream: overlap and fragments."""
    keys = dict(sync_every=every, **stream, **({"compress": codec} if codec else {}))
    name = " ".join([kind, str(every)] + ([codec] if codec else []) + [f"{k} {v}" for k, v in stream.items()])
    return row(name, kind, (kind.upper().replace("-", "_"), every, (codec or "none").upper()), both, **keys)


def outer(every, rate, momentum, codec="int8"):
    """diloco with another common step than the usual 0.7, 0.9."""
    return row(f"diloco {every} {codec} outer {rate} {momentum}", "diloco", ("DILOCO", every, codec.upper()), both=True, sync_every=every,
               compress=codec, outer_lr=rate, outer_momentum=momentum)


def server(sync, efficiency=None, **keys):
    return row(f"parameter-server {sync}{' ' + str(keys['staleness']) if keys else ''}", "parameter-server", efficiency, sync=sync, **keys)


REFERENCE = Row("single process", None, {}, None, True)
DATA_PARALLEL = row("data-parallel", "data-parallel", ("DATA_PARALLEL", 1, "NONE"), both=True)

ROWS = [
    REFERENCE,
    rounds("diloco", 64, "int8", both=True),
    rounds("diloco", 16, "int8", both=True),
    rounds("diloco", 32, "int8", both=True),
    rounds("hybrid", 64, both=True),
    rounds("hybrid", 16, "int8", both=True),
    rounds("hybrid", 8, "int4", both=True),
    outer(16, 1.0, 0.5),
    outer(32, 1.0, 0.5),
    outer(16, 1.0, 0.5, "int4"),
    DATA_PARALLEL,
    rounds("diloco", 64),
    rounds("local-sgd", 16, both=True),
    server("stale", ("PARAMETER_SERVER", 32, "NONE"), staleness=4),
    row("gossip", "gossip", ("GOSSIP", 32, "NONE")),
    coded("int8"),
    rounds("diloco", 16),
    rounds("diloco", 32),
    rounds("diloco", 64, "int4"),
    row("data-parallel precision auto", "data-parallel", train={"precision": "auto"}),
    coded("int4"),
    coded("bf16"),
    coded("topk"),
    coded("powersgd"),
    row("data-parallel onebit", "data-parallel", ("DATA_PARALLEL", 1, "ONEBIT"), compress="onebit", exact_steps=100),
    rounds("local-sgd", 64),
    rounds("diloco", 256),
    rounds("diloco", 16, "int8", overlap=4),
    rounds("diloco", 32, "int8", overlap=8),
    rounds("diloco", 64, overlap=8),
    rounds("diloco", 64, overlap=8, fragments=4),
    server("async"),
    server("bulk"),
    rounds("diloco", 64, "bf16"),
    coded("fp16"),
]
