"""Makes a trace of many jobs like Gavel's for a large fleet, and plays it by `medley fleet simulate`.

    python3 benchmarks/fleet/scale.py FOLDER [--machines 3000] [--jobs 100000] [--policy fifo_fastest]

Jobs are drawn with seed 0 from Gavel's 9,000; they come as fast, by machine, as 4.8 an hour for 108 machines.
"""
import argparse
import csv
import gzip
import json
import os
import pathlib
import random
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAVEL = pathlib.Path(os.environ.get("MEDLEY_SHARED", ROOT / "../shared")).resolve() / "data/sched/gavel"
COMMAND = os.environ.get("MEDLEY_COMMAND", str(ROOT / "medley")).split()
TYPES = ["v100", "p100", "k80"]


def trace(file, machines, jobs):
    with gzip.open(GAVEL / "simulation_throughputs.json.gz") as f:
        throughputs = json.load(f)
    with gzip.open(GAVEL / "jobs_single_seed0.csv.gz", "rt") as f:
        given = list(csv.DictReader(f))
    draw = random.Random(0)
    arrival = 0.0
    with file.open("w") as f:
        print("job,arrival_s,kind,workers,work," + ",".join("rate_" + t for t in TYPES), file=f)
        for job in range(jobs):
            row = draw.choice(given)
            rates = [throughputs[t][f"('{row['job_type']}', 1)"]["null"] for t in TYPES]
            print(f"{job},{arrival:.3f},{row['job_type']},1,{int(float(row['total_steps']))},{','.join(map(repr, rates))}", file=f)
            arrival += draw.expovariate(4.8 / 108 * machines / 3600)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--machines", type=int, default=3000)
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--policy", default="fifo_fastest")
    options = parser.parse_args()
    file = options.folder / f"trace-{options.machines}-{options.jobs}.csv"
    if not file.exists():
        trace(file, options.machines, options.jobs)
    third = options.machines // 3
    begun = time.monotonic()
    out = subprocess.run(COMMAND + ["fleet", "simulate", f"{third}:{third}:{third}", str(file), "--policy", options.policy],
                         check=True, capture_output=True, text=True).stdout
    print(out, f"{time.monotonic() - begun:.1f} s for the whole command", sep="")


if __name__ == "__main__":
    main()
