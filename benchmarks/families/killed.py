"""Kills a worker in the middle of a run of each family, and compares what comes out with an undisturbed run.

Three workers of one thread on this machine, the same seed. When half of the steps (rounds, iterations) are through, one
worker gets SIGKILL. Told are the metric of both runs, the longest time between two steps after the kill less the usual
one, and the seconds of both whole commands. Appends one JSON line a pair; prints the table of all.

    MEDLEY_SHARED=../shared python benchmarks/families/killed.py killed-runs.jsonl [--only boosting,linear] [--result]
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import results

SHARED = pathlib.Path(os.environ.get("MEDLEY_SHARED", ROOT.parent / "shared")) / "data"
MEDLEY = os.environ.get("MEDLEY", str(ROOT / "medley"))


def adult(**more):
    data = {part: str(SHARED / "uci-adult" / f"adult.{end}.gz") for part, end in (("train", "data"), ("validation", "test"))}
    return {"data": {**data, "label": "income"}, **more}


def series(work, model, **train):
    table = work / "ETTh1.csv"
    table.write_bytes(gzip.decompress((SHARED / "ett" / "ETTh1.csv.gz").read_bytes()))
    spec = {"time": "date", "look_back": 96, "horizon": 24, "validation": "2017-06-26", "test": "2017-10-24", "until": "2018-02-21"}
    return {"data": {"train": str(table), "series": spec}, "model": model, "train": train}


def blobs(work):
    draw = random.Random(1)
    centres = [[draw.uniform(-20, 20) for _ in range(8)] for _ in range(20)]
    table = work / "blobs.csv"
    with table.open("w") as out:
        out.write(",".join(f"x{i}" for i in range(8)) + "\n")
        for _ in range(100_000):
            out.write(",".join(f"{value + draw.gauss(0, 3):.4f}" for value in draw.choice(centres)) + "\n")
    return {"data": {"train": str(table)}, "model": {"family": "kmeans", "k": 20, "restarts": 10}}


def ratings(work):
    draw = random.Random(1)
    users, items = ([[draw.gauss(0, 0.6) for _ in range(4)] for _ in range(count)] for count in (3000, 800))
    table = work / "ratings.csv"
    with table.open("w") as out:
        out.write("user,item,rating\n")
        for u, user in enumerate(users):
            for i in draw.sample(range(len(items)), 40):
                rating = 3 + sum(a * b for a, b in zip(user, items[i])) + draw.gauss(0, 0.3)
                out.write(f"u{u},i{i},{rating:.3f}\n")
    return {"data": {"train": str(table), "label": "rating"}}


FAMILIES = {
    "boosting": lambda work: adult(model={"family": "boosting", "rounds": 200}, train={"metrics": "auc", "stop": {"patience": 0}}),
    "forest": lambda work: adult(model={"family": "forest"}, train={"metrics": "auc"}),
    "linear": lambda work: adult(model="linear", train={"metrics": "auc", "steps": 2000}),
    "linear by L-BFGS": lambda work: adult(model="linear", train={"metrics": "auc", "optimizer": {"kind": "lbfgs", "weight_decay": 3e-5, "tolerance": 1e-9}}),
    "mlp": lambda work: adult(model="mlp", train={"metrics": "auc", "steps": 600}),
    "linear forecast": lambda work: series(work, "linear", steps=1000),
    "gru forecast": lambda work: series(work, {"family": "gru", "width": 32, "layers": 1}, steps=400),
    "encoder forecast": lambda work: series(
        work, {"family": "transformer", "form": "encoder", "width": 16, "layers": 1, "patch": 16, "patch_stride": 8}, steps=300
    ),
    "kmeans": blobs,
    "factorization": lambda work: {**ratings(work), "model": {"family": "factorization", "user": "user", "item": "item"}},
    "factorization by als": lambda work: {
        **ratings(work),
        "model": {"family": "factorization", "user": "user", "item": "item", "solver": "als"},
    },
}


def steps(run):
    path = run / "steps.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return found


def workers(command):
    """The worker processes that the command has started."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"WorkerMain" in (entry / "cmdline").read_bytes():
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                while parent > 1 and parent != command:
                    parent = int(pathlib.Path(f"/proc/{parent}/stat").read_text().rsplit(")", 1)[1].split()[1])
                if parent == command:
                    found.append(int(entry.name))
        except OSError:
            continue
    return sorted(found)


def trained(job, work, name, half=None):
    """Trains the job; where half is given, kills a worker as soon as so many steps are through."""
    path = work / f"{name}.json"
    path.write_text(json.dumps({"name": name, "cluster": {"workers": 3, "threads": 1}, **job}))
    begun = time.monotonic()
    log = (work / f"{name}.log").open("w")
    command = subprocess.Popen([MEDLEY, "train", str(path), "--run-dir", str(work / name)], stdout=log, stderr=subprocess.STDOUT)
    killed = None
    while half is not None and command.poll() is None and killed is None:
        time.sleep(0.02)
        run = next(iter((work / name).glob("*")), None) if (work / name).exists() else None
        done = steps(run) if run else []
        if done and done[-1]["step"] >= half:
            killed = done[-1]["step"]
            os.kill(workers(command.pid)[-1], signal.SIGKILL)
    if command.wait(600) != 0:
        sys.exit((work / f"{name}.log").read_text()[-3000:])
    whole = time.monotonic() - begun
    run = next((work / name).glob("*"))
    done = steps(run)
    evaluation = [json.loads(line) for line in (run / "evaluations.jsonl").read_text().splitlines()][-1]["metrics"][0]
    gaps = [(b["wallMillis"] - a["wallMillis"]) / 1000 for a, b in zip(done, done[1:])]
    usual = statistics.median(gaps) if gaps else 0
    after = [gap for gap, step in zip(gaps, done[1:]) if killed is not None and step["step"] >= killed]
    return {
        "steps": done[-1]["step"],
        "killed_after": killed,
        "metric": evaluation["name"],
        "value": evaluation["value"],
        "lost_s": max(after, default=0) - usual if killed is not None else None,
        "whole_s": whole,
    }


def row(pair):
    alone, killed = pair["undisturbed"], pair["killed"]
    return (
        f"| {pair['family']} | {alone['metric']} | {alone['value']:.4f} | {killed['value']:.4f} | {killed['killed_after']} of {killed['steps']}"
        f" | {killed['lost_s']:.1f} | {alone['whole_s']:.1f} | {killed['whole_s']:.1f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--only", help="families, by commas")
    parser.add_argument("--result", action="store_true", help="write the page below benchmarks/results")
    asked = parser.parse_args()
    for family in asked.only.split(",") if asked.only else FAMILIES:
        with tempfile.TemporaryDirectory(prefix="medley-killed-") as folder:
            work = pathlib.Path(folder)
            job = FAMILIES[family](work)
            alone = trained(job, work, "undisturbed")
            killed = trained(job, work, "killed", max(1, alone["steps"] // 2))
        pair = {"family": family, **results.provenance(), "undisturbed": alone, "killed": killed}
        print(row(pair), flush=True)
        with asked.file.open("a") as out:
            out.write(json.dumps(pair) + "\n")
    pairs = {pair["family"]: pair for pair in map(json.loads, asked.file.read_text().splitlines())}
    table = "\n".join(
        [
            "| family | metric | undisturbed | one killed | killed after | longest gap, s | whole command, s | with the kill, s |",
            "|---|---|---|---|---|---|---|---|",
            *[row(pair) for pair in pairs.values()],
        ]
    )
    print(table)
    if asked.result:
        text = f"{__doc__.splitlines()[0]} {results.hardware()}\n\n{table}\n"
        results.page("killed", "A worker killed in the middle of each family", text)


if __name__ == "__main__":
    main()
