"""k-means beside scikit-learn and Spark's MLlib: inertia and seconds on generated blobs.

Rows lie about 50 places drawn from a cube of side 20, with a deviation of 3 in each of 20 columns, so that clusters touch. All read the
same CSV file and take numbers as they are. Seconds are those of the fit, with rows in memory (Medley's steps, of which the first reads
its rows from prepared data), and of the whole command or program, from the file to the centres. One start each, on as many cores.

Prints and appends one JSON line a run; goes on where the file ends.

    python benchmarks/families/kmeans.py runs.jsonl [--rows 2000000] [--pairs 1] [--only medley,sklearn] [--spark PYTHON]
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import command
CORES = os.cpu_count()
K = 50
COLUMNS = 20

SKLEARN = """
import json, sys, time
import pandas
from sklearn.cluster import KMeans
rows = pandas.read_csv(sys.argv[1]).to_numpy()
begun = time.monotonic()
fit = KMeans(int(sys.argv[2]), n_init=int(sys.argv[3]), random_state=int(sys.argv[4])).fit(rows)
print(json.dumps({"seconds": time.monotonic() - begun, "inertia": fit.inertia_, "iterations": fit.n_iter_}))
"""

SPARK = """
import json, sys, time
from pyspark.sql import SparkSession
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.clustering import KMeans
spark = SparkSession.builder.master("local[*]").config("spark.driver.memory", "6g").config("spark.ui.enabled", "false").getOrCreate()
table = spark.read.csv(sys.argv[1], header=True, inferSchema=True)
rows = VectorAssembler(inputCols=table.columns, outputCol="features").transform(table).select("features").cache()
count = rows.count()
begun = time.monotonic()
fit = KMeans(k=int(sys.argv[2]), seed=int(sys.argv[4])).fit(rows)
print(json.dumps({"seconds": time.monotonic() - begun, "inertia": fit.summary.trainingCost, "iterations": fit.summary.numIter}))
"""


def blobs(rows, file):
    import numpy
    import pandas

    if file.exists():
        return
    random = numpy.random.default_rng(1)
    places = random.uniform(-10, 10, (K, COLUMNS))
    values = places[random.integers(0, K, rows)] + 3 * random.standard_normal((rows, COLUMNS))
    pandas.DataFrame(values, columns=[f"x{i}" for i in range(COLUMNS)]).to_csv(file, index=False, float_format="%.4f")


def by_medley(file, seed, restarts=1):
    with tempfile.TemporaryDirectory() as at:
        folder = pathlib.Path(at)
        job = {
            "name": "kmeans",
            "data": {"train": str(file), "split": {"validation": 0}, "table": {"scaling": "none"}},
            "model": {"family": "kmeans", "k": K, "restarts": restarts},
            "cluster": {"workers": CORES, "threads": 1},
            "checkpoint": {"every_steps": 1000},
            "seed": seed,
        }
        said, steps, whole = command.train(job, folder)
        done = next(line for line in said.splitlines() if line.startswith("Done: inertia")).split()
        return {
            "seconds": sum(step["stepNs"] for step in steps) / 1e9,
            "first": steps[0]["stepNs"] / 1e9,
            "whole": whole,
            "inertia": float(done[2]),
            "iterations": int(done[4]),
            "steps": len(steps),
        }


def by_program(python, text, file, seed, restarts=1):
    begun = time.monotonic()
    words = [python, "-c", text, str(file), str(K), str(restarts), str(seed)]
    out = subprocess.run(words, capture_output=True, text=True, check=False)
    whole = time.monotonic() - begun
    if out.returncode != 0:
        sys.exit(out.stderr[-2000:])
    return {**json.loads(out.stdout.splitlines()[-1]), "whole": whole}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--pairs", type=int, default=1)
    parser.add_argument("--only", default="medley,sklearn")
    parser.add_argument("--spark", help="a Python with pyspark")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()))
    asked = parser.parse_args()
    file = asked.data / f"blobs-{asked.rows}.csv"
    blobs(asked.rows, file)
    ways = {
        "medley": lambda seed: by_medley(file, seed),
        "medley 3": lambda seed: by_medley(file, seed, 3),
        "sklearn": lambda seed: by_program(sys.executable, SKLEARN, file, seed),
        "sklearn 10": lambda seed: by_program(sys.executable, SKLEARN, file, seed, 10),
        "spark": lambda seed: by_program(asked.spark, SPARK, file, seed),
    }
    runs = []
    for pair in range(asked.pairs):
        who = asked.only.split(",")
        for each in who if pair % 2 == 0 else who[::-1]:
            run = {"machine": platform.machine(), "cores": CORES, "rows": asked.rows, "pair": pair, "who": each, **ways[each](pair + 1)}
            runs.append(run)
            print(json.dumps(run), flush=True)
            with asked.file.open("a") as out:
                out.write(json.dumps(run) + "\n")
    for each in asked.only.split(","):
        own = [run for run in runs if run["who"] == each]
        for figure in ("seconds", "whole", "inertia"):
            print(f"{each}: {figure} {statistics.median(run[figure] for run in own):.7g} of {len(own)}")


if __name__ == "__main__":
    main()
