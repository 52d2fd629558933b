"""The rows of the quality table: one axis varied at a time, the most telling first."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One way to train.

    strategy: keys of the job's strategy. train: further keys of its train. efficiency: kind, syncEvery and compress of the entry
    of the table of efficiencies that this row measures; None where the table has no such entry. short: whether shakespeare-gpt,
    whose runs take three times as long, is run too.
    """
    name: str
    strategy: dict
    train: dict
    efficiency: tuple
    short: bool


def row(name, kind, efficiency=None, short=False, train=None, **keys):
    return Row(name, dict(kind=kind, **keys), train or {}, efficiency, short)


def coded(codec, short=False):
    return row(f"data-parallel {codec}", "data-parallel", ("DATA_PARALLEL", 1, codec.upper()), short, compress=codec)


def rounds(kind, every, codec=None, short=False):
    """Local steps; hybrid and diloco with the same number of steps differ in who steps as one."""
    keys = dict(sync_every=every, **({"compress": codec} if codec else {}))
    return row(f"{kind} {every}{' ' + codec if codec else ''}", kind, (kind.upper().replace("-", "_"), every, (codec or "none").upper()),
               short, **keys)


def server(sync, efficiency=None, short=False, **keys):
    return row(f"parameter-server {sync}{' ' + str(keys['staleness']) if keys else ''}", "parameter-server", efficiency, short, sync=sync, **keys)


REFERENCE = Row("single process", None, {}, None, True)
DATA_PARALLEL = row("data-parallel", "data-parallel", ("DATA_PARALLEL", 1, "NONE"), short=True)

ROWS = [
    REFERENCE,
    rounds("diloco", 64, "int8", short=True),
    rounds("hybrid", 64, short=True),
    DATA_PARALLEL,
    rounds("diloco", 64, short=True),
    rounds("local-sgd", 16, short=True),
    server("stale", ("PARAMETER_SERVER", 32, "NONE"), short=True, staleness=4),
    row("gossip", "gossip", ("GOSSIP", 32, "NONE"), short=True),
    coded("int8", short=True),
    rounds("diloco", 16),
    rounds("diloco", 64, "int4"),
    row("data-parallel precision auto", "data-parallel", train={"precision": "auto"}),
    coded("int4"),
    coded("bf16"),
    coded("topk"),
    coded("powersgd"),
    rounds("local-sgd", 64),
    rounds("diloco", 256),
    row("diloco 64 overlap 8", "diloco", sync_every=64, overlap=8),
    row("diloco 64 overlap 8 fragments 4", "diloco", sync_every=64, fragments=4, overlap=8),
    server("async"),
    server("bulk"),
    rounds("diloco", 64, "bf16"),
    coded("fp16"),
]
