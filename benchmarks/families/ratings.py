#!/usr/bin/env python3
"""Makes tables of ratings from a seed: tastes of 8 factors, biases, popular items, noise of 0.5, rounded to halves.

ratings.py make FILE [--users N] [--items N] [--rows N] [--implicit]
ratings.py speed RUNS.jsonl      steps in which the touched rows travel beside steps in which all do: 1 M users, 200 k items, rank 64
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import numpy as np

FACTORS = 8
SEED = 7


def table(users, items, rows):
    """Users, items and ratings; no user rates an item twice."""
    random = np.random.default_rng(SEED)
    of_users = random.normal(0, 1, (users, FACTORS)).astype(np.float32)
    of_items = random.normal(0, 1, (items, FACTORS)).astype(np.float32)
    bias_users = random.normal(0, 0.4, users)
    bias_items = random.normal(0, 0.5, items)
    popular = 1 / np.arange(1, items + 1) ** 0.6
    user = random.integers(0, users, rows)
    item = random.choice(items, rows, p=popular / popular.sum())
    _, first = np.unique(user.astype(np.int64) * items + item, return_index=True)
    first = random.permutation(first)
    user, item = user[first], item[first]
    taste = 0.25 * np.einsum("ij,ij->i", of_users[user], of_items[item])
    rating = 3.5 + bias_users[user] + bias_items[item] + taste + random.normal(0, 0.5, len(user))
    return user + 1, item + 1, np.clip(np.round(rating * 2) / 2, 0.5, 5)


def make(file, users, items, rows, implicit):
    """Writes a CSV file; of implicit feedback the rows that are rated 4 or more, each with a 1."""
    import pandas

    user, item, rating = table(users, items, rows)
    frame = pandas.DataFrame({"userId": user, "movieId": item, "rating": rating})
    if implicit:
        frame = frame[frame.rating >= 4].drop(columns="rating").assign(taken=1)
    frame.to_csv(file, index=False)


MEDLEY = pathlib.Path(__file__).resolve().parents[2] / "medley"
JOB = """name: {rows}
data: {{train: big.csv, label: rating, split: {{kind: tail, validation: 0.01}}}}
model: {{family: factorization, user: userId, item: movieId, rank: 64, rows: {rows}}}
train: {{steps: {steps}, batch: 8192, evaluate_every: 1000, optimizer: {{kind: adagrad, learning_rate: 0.1}}}}
cluster: {{workers: 2, threads: 1}}
"""


def measured(run, rows, warm):
    """What a run's record says of its steps after the first {warm}; the losses of all."""
    steps = [json.loads(line) for line in (run / "steps.jsonl").open()]
    later = steps[warm:]
    return {
        "rows": rows,
        "steps": len(steps),
        "median_step_ms": statistics.median(step["stepNs"] for step in later) / 1e6,
        "sent_bytes_per_worker": statistics.mean(w["sentBytes"] for step in later for w in step["workers"]),
        "losses": [step["loss"] for step in steps[:8]],
    }


def speed(out):
    """Trains both ways, alone on the machine."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make(folder / "big.csv", 1_000_000, 200_000, 4_000_000, False)
        for rows, steps, warm in (("touched", 40, 10), ("touched", 8, 2), ("all", 8, 2)):
            (folder / "job.yaml").write_text(JOB.format(rows=rows, steps=steps))
            subprocess.run([MEDLEY, "train", folder / "job.yaml", "--run-dir", folder / f"{rows}{steps}"], check=True)
            run = next((folder / f"{rows}{steps}").glob(f"{rows}-*"))
            with out.open("a") as file:
                file.write(json.dumps(measured(run, rows, warm)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="what", required=True)
    makes = kinds.add_parser("make")
    makes.add_argument("file", type=pathlib.Path)
    makes.add_argument("--users", type=int, default=2000)
    makes.add_argument("--items", type=int, default=500)
    makes.add_argument("--rows", type=int, default=100_000)
    makes.add_argument("--implicit", action="store_true")
    kinds.add_parser("speed").add_argument("file", type=pathlib.Path)
    asked = parser.parse_args()
    if asked.what == "speed":
        speed(asked.file)
        return
    make(asked.file, asked.users, asked.items, asked.rows, asked.implicit)


if __name__ == "__main__":
    main()
