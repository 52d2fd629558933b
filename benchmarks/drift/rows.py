"""The rows of the drift table: what repeats, by strategy, transport and codec; the most telling first."""

EVERY = 4


def row(kind, sites=False, train=None, data=None, **strategy):
    """How it trains: keys of the job's strategy, train and data; sites: whether the workers stand at two."""
    return dict(strategy={"kind": kind, "transport": "tcp", "balance": "none", **strategy}, sites=sites, train=train or {}, data=data or {})


def rounds(kind, sites=False, **keys):
    return row(kind, sites, sync_every=EVERY, **keys)


def coded(codec, train=None, **keys):
    return row("data-parallel", True, train, compress=codec, **keys)


# The most telling first.
ROWS = {
    "data-parallel": row("data-parallel"),
    "data-parallel int8": coded("int8"),
    "local-sgd": rounds("local-sgd"),
    "diloco": rounds("diloco"),
    "hybrid": rounds("hybrid", True),
    "streamed": rounds("diloco", fragments=2, overlap=1),
    "parameter-server": rounds("parameter-server", sync="bulk"),
    "data-parallel, shared memory": row("data-parallel", transport="shared-memory"),
    "data-parallel, two sites": row("data-parallel", True),
    "diloco int8": rounds("diloco", True, compress="int8"),
    "data-parallel powersgd": coded("powersgd"),
    "data-parallel topk": coded("topk"),
    "data-parallel onebit": coded("onebit", {"clip_norm": 0}, exact_steps=4),
    "data-parallel int4": coded("int4"),
    "data-parallel bf16": coded("bf16"),
    "data-parallel fp16": coded("fp16"),
    "hybrid int4": rounds("hybrid", True, compress="int4"),
    "streamed int8": rounds("diloco", True, fragments=2, overlap=1, compress="int8"),
    "parameter-server, per site": rounds("parameter-server", True, sync="bulk", servers="per-site"),
    "diloco, outer adam": rounds("diloco", outer="adam"),
    "data-parallel, shards": row("data-parallel", data={"placement": "shards"}),
    "data-parallel, accumulate": row("data-parallel", train={"accumulate": 2}),
}
