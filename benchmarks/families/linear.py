"""A logistic regression fitted until it has converged, beside scikit-learn's and Spark MLlib's: UCI Adult, its own split.

All three by L-BFGS with the same penalty, on standardised numbers and one-hot categories. "seconds" are those of the fit
alone (Medley: the sum of its steps; MLlib: of the first fit and of a second one in the same session, which is warm), "whole"
those of the command with start, reading and encoding. Appends one JSON line a run.

    MEDLEY_SHARED=../shared python benchmarks/families/linear.py runs.jsonl [--rounds 3] [--spark PYTHON_WITH_PYSPARK]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness import command

SHARED = pathlib.Path(os.environ.get("MEDLEY_SHARED", ROOT.parent / "shared")) / "data"
PENALTY = 3e-5
FILES = [str(SHARED / "uci-adult" / f"adult.{end}.gz") for end in ("data", "test")]

READ = """
import json, sys, time
import pandas
train, test = (pandas.read_csv(file, skipinitialspace=True) for file in sys.argv[1:3])
penalty = float(sys.argv[3])
for table in (train, test):
    table["income"] = table["income"].str.contains(">50K").astype(int)
numbers = [name for name in train.columns if pandas.api.types.is_numeric_dtype(train[name]) and name != "income"]
words = [name for name in train.columns if name not in numbers and name != "income"]
"""

SKLEARN = READ + """
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import OneHotEncoder, StandardScaler
encoding = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), words))
rows = encoding.fit_transform(train)
begun = time.monotonic()
fit = LogisticRegression(C=1 / (penalty * len(train)), max_iter=1000).fit(rows, train["income"])
seconds = time.monotonic() - begun
auc = roc_auc_score(test["income"], fit.predict_proba(encoding.transform(test))[:, 1])
print(json.dumps({"seconds": [seconds], "auc": auc, "iterations": int(fit.n_iter_[0])}))
"""

SPARK = READ + """
from pyspark.ml import Pipeline
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import OneHotEncoder, StandardScaler, StringIndexer, VectorAssembler
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[*]").config("spark.driver.memory", "4g").config("spark.ui.enabled", "false").getOrCreate()
train, test = (spark.createDataFrame(table) for table in (train, test))
codes = [name + " code" for name in words]
stages = [
    StringIndexer(inputCols=words, outputCols=codes, handleInvalid="keep"),
    OneHotEncoder(inputCols=codes, outputCols=[name + " one" for name in words], dropLast=False),
    VectorAssembler(inputCols=numbers, outputCol="numbers"),
    StandardScaler(inputCol="numbers", outputCol="scaled", withMean=True),
    VectorAssembler(inputCols=["scaled"] + [name + " one" for name in words], outputCol="features"),
]
encoding = Pipeline(stages=stages).fit(train)
rows = encoding.transform(train).select("features", "income").cache()
rows.count()
seconds = []
for _ in range(2):
    begun = time.monotonic()
    fit = LogisticRegression(labelCol="income", regParam=penalty, standardization=False, maxIter=1000).fit(rows)
    seconds.append(time.monotonic() - begun)
auc = BinaryClassificationEvaluator(labelCol="income").evaluate(fit.transform(encoding.transform(test)))
print(json.dumps({"seconds": seconds, "auc": auc, "iterations": fit.summary.totalIterations}))
"""


def by_program(python, text):
    begun = time.monotonic()
    out = subprocess.run([python, "-c", text, *FILES, str(PENALTY)], capture_output=True, text=True, check=False)
    whole = time.monotonic() - begun
    if out.returncode != 0:
        sys.exit(out.stderr[-2000:])
    return {**json.loads(out.stdout.splitlines()[-1]), "whole": whole}


def by_medley(workers):
    with tempfile.TemporaryDirectory() as at:
        folder = pathlib.Path(at)
        job = {
            "name": "linear",
            "data": {"train": FILES[0], "validation": FILES[1], "label": "income", "table": {"scaling": "standard"}},
            "model": "linear",
            "train": {"metrics": "auc", "optimizer": {"kind": "lbfgs", "weight_decay": PENALTY}},
            "cluster": {"workers": workers, "threads": 2 // workers},
        }
        said, steps, whole = command.train(job, folder)
        auc = next(line for line in said.splitlines() if line.startswith("Validation auc")).split()[2]
        return {"seconds": [sum(step["stepNs"] for step in steps) / 1e9], "auc": float(auc), "iterations": len(steps), "whole": whole}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--spark", help="a Python with pyspark and pandas")
    asked = parser.parse_args()
    contenders = {
        "medley, 1 worker": lambda: by_medley(1),
        "medley, 2 workers": lambda: by_medley(2),
        "scikit-learn": lambda: by_program(sys.executable, SKLEARN),
    }
    if asked.spark:
        contenders["mllib"] = lambda: by_program(asked.spark, SPARK)
    for _ in range(asked.rounds):
        for name, run in contenders.items():
            line = json.dumps({"contender": name, **run()})
            print(line, flush=True)
            with asked.file.open("a") as file:
                file.write(line + "\n")


if __name__ == "__main__":
    main()
