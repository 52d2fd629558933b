#!/usr/bin/env python3
"""Brings public spot logs into one folder, one sub-folder a market, as `medley fleet spot` reads them.

    python3 benchmarks/fleet/spot_logs.py FOLDER --traces CLONE --nomad CLONE --aws LOGS.tar.gz

CLONE of --traces: github.com/skypilot-org/spot-traces at 221da1ab; of --nomad: github.com/andylizf/skynomad-artifact
at 62b9aaa; bare ones do. LOGS: of "Analysis and Exploitation of Dynamic Pricing in the Public Cloud for ML Training".
Prices of the first are not in it: they are those of p3.2xlarge and p2.xlarge (times the GPUs), constant.
"""
import argparse
import datetime
import io
import json
import pathlib
import subprocess
import tarfile

ON_DEMAND = {"v100_1": 3.06, "v100_8": 24.48, "k80_1": 0.90, "k80_8": 7.20}
SPOT = {"v100_1": 0.918, "v100_8": 7.344, "k80_1": 0.27, "k80_8": 2.16}
TRACES = {
    "v100-2022-10": "availability/1-node/aws-10-26-2022/*_v100_1.json",
    "v100x8-2022-10": "availability/1-node/aws-10-26-2022/*_v100_8.json",
    "k80-2022-10": "availability/1-node/aws-10-26-2022/*_k80_1.json",
    "k80x8-2022-10": "availability/1-node/aws-10-26-2022/*_k80_8.json",
    "v100-2023-04": "preemption/1-node/aws-04-22-2023/*_v100_1.json",
    "v100-4nodes-2023-08": "preemption/4-node/aws-08-03-2023/*_v100_1.json",
    "v100-16nodes-2023-08": "availability/16-node/aws-08-27-2023/*_v100_1.json",
}


def shown(clone, path):
    return subprocess.run(["git", "-C", clone, "show", f"HEAD:{path}"], check=True, capture_output=True).stdout


def listed(clone, pattern):
    names = subprocess.run(["git", "-C", clone, "ls-tree", "-r", "--name-only", "HEAD"],
                           check=True, capture_output=True, text=True).stdout.split()
    return [name for name in names if pathlib.PurePath(name).match(pattern)]


def write(folder, zone, trace):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{zone}.json").write_text(json.dumps(trace))


def from_traces(out, clone):
    for market, pattern in TRACES.items():
        nodes = 16 if "16nodes" in market else 4 if "4nodes" in market else 1
        for name in listed(clone, pattern):
            zone, kind, gpus = pathlib.PurePath(name).stem.split("_")
            trace = json.loads(shown(clone, name))
            trace["data"] = [int(up >= nodes) for up in trace["data"]]
            trace["metadata"]["on_demand_price"] = nodes * ON_DEMAND[f"{kind}_{gpus}"]
            trace["metadata"]["spot_price"] = nodes * SPOT[f"{kind}_{gpus}"]
            write(out / market, zone, trace)


def from_nomad(out, clone):
    """V100 with its prices tick by tick; H100 with list prices by zone."""
    prices = json.loads(shown(clone, "data/v100_spot_prices.json"))
    for name in listed(clone, "data/real/availability/2023-02-15/processed/*.csv"):
        key = pathlib.PurePath(name).stem
        rows = [line.split(",") for line in shown(clone, name).decode().split("\n")[1:] if line]
        begin = datetime.datetime.fromisoformat(rows[0][0] + "+00:00").timestamp()
        ticks = prices[key]
        trace = {"metadata": {"gap_seconds": 195, "start_s": begin, "on_demand_price": 3.06},
                 "data": [int(up) for _, up in rows][:len(ticks)], "prices": ticks}
        write(out / "v100-2023-02", key.split("_")[0], trace)
    packed = shown(clone, "data/converted_multi_region_aligned_h100_16_merged.tar.gz")
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        for member in tar:
            if member.name.endswith("/full.json"):
                trace = json.load(tar.extractfile(member))
                about = trace["metadata"]
                kept = {"gap_seconds": about["gap_seconds"], "spot_price": about["price_info"]["price"],
                        "on_demand_price": about["price_info"]["on_demand_price"]}
                # 1 means taken away there.
                write(out / "h100-2025-10", about["zone"],
                      {"metadata": kept, "data": [1 - gone for gone in trace["data"]]})


def from_aws(out, packed):
    """Price histories of US regions, whose on-demand price is known; each type in a folder."""
    with tarfile.open(packed) as tar:
        for member in tar:
            path = pathlib.PurePath(member.name)
            if path.match("logs/aws/cost/us-*/*.json"):
                kind = ".".join(path.stem.split(".")[-2:])
                folder = out / f"aws-{kind}-2020" / path.parent.name
                folder.mkdir(parents=True, exist_ok=True)
                (folder / path.name).write_bytes(tar.extractfile(member).read())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--traces")
    parser.add_argument("--nomad")
    parser.add_argument("--aws")
    given = parser.parse_args()
    if given.traces:
        from_traces(given.folder, given.traces)
    if given.nomad:
        from_nomad(given.folder, given.nomad)
    if given.aws:
        from_aws(given.folder, given.aws)
