"""What defaults reach on tables: Medley's mlp, linear and boosting as they come beside scikit-learn's, on the same rows.

Three public tables; each seed splits 20 % of the rows off for the test, which nobody sees before the end. Medley splits
its own validation rows off the rest (data.split), chooses the best model by them, and is judged on the test rows by
`medley evaluate`. scikit-learn gets all of the rest: LogisticRegression, HistGradientBoostingClassifier and MLPClassifier with
early_stopping, else as they come but for max_iter, behind StandardScaler and OneHotEncoder. Prints and appends one JSON line a run; goes on where the file ends.

    MEDLEY_SHARED=../shared python benchmarks/tables/tables.py runs.jsonl [--seeds 3] [--only NAME] [--page]
"""
import argparse
import io
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("MEDLEY_SHARED", ROOT.parent / "shared")) / "data"
MEDLEY = {
    "mlp": ["--model", "mlp"],
    "linear": ["--model", "linear"],
    "linear, lbfgs": ["--model", "linear", "-s", "train.optimizer=lbfgs"],
    "boosting": ["--model", "boosting"],
}
PEERS = ["LogisticRegression", "HistGradientBoostingClassifier", "MLPClassifier, early_stopping"]
DATA = ["telco-churn", "bank-marketing", "uci-adult"]


def table(name):
    """Rows of a set and its label; the same columns for all contenders."""
    import pandas

    if name == "telco-churn":
        rows = pandas.read_csv(SHARED / name / "Telco-Customer-Churn.csv.gz")
        rows["TotalCharges"] = pandas.to_numeric(rows["TotalCharges"], errors="coerce")
        return rows.drop(columns="customerID"), "Churn"
    if name == "bank-marketing":
        packed = zipfile.ZipFile(SHARED / name / "bank-additional.zip")
        rows = pandas.read_csv(io.BytesIO(packed.read("bank-additional/bank-additional-full.csv")), sep=";")
        return rows.drop(columns="duration"), "y"
    rows = pandas.read_csv(SHARED / name / "adult.data.gz", skipinitialspace=True)
    return rows, "income"


def split(name, seed):
    from sklearn.model_selection import train_test_split

    rows, label = table(name)
    train, test = train_test_split(rows, test_size=0.2, random_state=seed, stratify=rows[label])
    return train, test, label


def medley(name, seed, arguments, folder):
    train, test, label = split(name, seed)
    train.to_csv(folder / "train.csv", index=False)
    test.to_csv(folder / "test.csv", index=False)
    command = [str(ROOT / "medley"), "train", "train.csv", "--label", label, *arguments, "-s", f"seed={seed}", "--no-guesses", "--json"]
    began = time.monotonic()
    trained = json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout)
    seconds = time.monotonic() - began
    command = [str(ROOT / "medley"), "evaluate", trained["run"], "test.csv", "--json"]
    judged = json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout)
    metrics = judged.get("metrics", judged)
    summary = trained["summary"]
    return dict(auc=metrics["auc"], log_loss=metrics["log_loss"], seconds=round(seconds, 1), steps=summary["steps"],
                best=summary["best"]["step"], message=summary["message"])


def peer(name, seed, kind):
    import warnings

    from pandas.api.types import is_numeric_dtype
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss, roc_auc_score
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    warnings.simplefilter("ignore")
    train, test, label = split(name, seed)
    numbers = [c for c in train.columns if c != label and is_numeric_dtype(train[c])]
    texts = [c for c in train.columns if c != label and c not in numbers]
    features = make_column_transformer(
        (make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), numbers),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=kind == "LogisticRegression"), texts))
    model = {
        "LogisticRegression": lambda: LogisticRegression(max_iter=1000),
        "HistGradientBoostingClassifier": lambda: HistGradientBoostingClassifier(random_state=seed),
        "MLPClassifier, early_stopping": lambda: MLPClassifier(random_state=seed, max_iter=200, early_stopping=True),
    }[kind]()
    began = time.monotonic()
    fitted = make_pipeline(features, model).fit(train.drop(columns=label), train[label])
    seconds = time.monotonic() - began
    chance = fitted.predict_proba(test.drop(columns=label))[:, 1]
    truth = (test[label] == fitted.classes_[1]).to_numpy()
    return dict(auc=roc_auc_score(truth, chance), log_loss=log_loss(truth, chance), seconds=round(seconds, 1))


def commit():
    return subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()


def page(runs):
    """A table of means and half of the range over seeds."""
    lines = []
    for name in DATA:
        lines += [f"### {name}", "", "| contender | seeds | AUC | log-loss | seconds | steps, best |", "|---|---|---|---|---|---|"]
        for kind in [*MEDLEY, *PEERS]:
            some = [r for r in runs if r["data"] == name and r["contender"] == kind]
            if some:
                def spread(key, digits):
                    values = [r[key] for r in some]
                    return f"{statistics.mean(values):.{digits}f} ± {(max(values) - min(values)) / 2:.{digits}f}"

                steps = ", ".join(f"{r['steps']} ({r['best']})" for r in some if "steps" in r)
                who = f"Medley {kind}" if kind in MEDLEY else f"scikit-learn {kind}"
                lines.append(f"| {who} | {len(some)} | {spread('auc', 4)} | {spread('log_loss', 4)} | "
                             f"{statistics.median(r['seconds'] for r in some):.1f} | {steps} |")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--page", action="store_true", help="print the page of what is there, and run nothing")
    arguments = parser.parse_args()
    runs = [json.loads(line) for line in arguments.runs.read_text().splitlines()] if arguments.runs.exists() else []
    if arguments.page:
        print(page(runs))
        return
    done = {(r["data"], r["contender"], r["seed"]) for r in runs}
    for seed in range(1, arguments.seeds + 1):
        for name in DATA:
            for kind in [*MEDLEY, *PEERS]:
                if (name, kind, seed) in done or arguments.only not in (name, kind, ""):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    found = medley(name, seed, MEDLEY[kind], pathlib.Path(folder)) if kind in MEDLEY else peer(name, seed, kind)
                run = dict(data=name, contender=kind, seed=seed, **found, commit=commit(), machine=platform.processor() or platform.machine())
                with arguments.runs.open("a") as out:
                    out.write(json.dumps(run) + "\n")
                print(json.dumps(run), file=sys.stderr)


main()
