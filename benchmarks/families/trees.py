"""Boosting beside LightGBM: what defaults reach on public tables, and how long as many rounds take.

Quality: uci-adult on its given split, HIGGS of LightGBM's examples on theirs, bank-marketing (without duration) and
telco-churn in five folds. Medley's boosting as it comes, chosen by a tenth of its training rows, judged by `medley
evaluate`; LightGBM as it comes (100 trees), and with as many rows held out for early stopping of up to 1000 at 0.05.

Speed: 300 rounds at 0.1, depth 6 or 31 leaves, no early stopping, uci-adult; Medley with one worker of N threads and
with N workers of one, LightGBM with 1 to N threads, in turn; seconds in rounds, and of the whole command or program.

Ranking: LightGBM's lambdarank example on its split, each after 100 rounds of 0.1; NDCG@10 by one function for both, groups
without a good row counting 1. --tables FOLDER writes its rows as train.csv and test.csv, and nothing else.

Prints and appends one JSON line a run; goes on where the file ends.

    MEDLEY_SHARED=../shared python benchmarks/families/trees.py runs.jsonl [--quality] [--ranking] [--speed PAIRS]
"""
import argparse
import gzip
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
CORES = os.cpu_count()
FOLDS = 5


def tables():
    """Name, training rows, test rows and label of each split."""
    import pandas
    from sklearn.model_selection import StratifiedKFold

    adult = [pandas.read_csv(SHARED / "uci-adult" / f"adult.{part}.gz", skipinitialspace=True) for part in ("data", "test")]
    yield "uci-adult", adult[0], adult[1], "income"
    folder = SHARED / "lightgbm-examples"
    higgs = [pandas.read_csv(folder / f"binary_classification-binary.{part}.gz", sep="\t", header=None) for part in ("train", "test")]
    for rows in higgs:
        rows.columns = ["label"] + [f"x{i}" for i in range(1, rows.shape[1])]
        rows["label"] = rows["label"].map({0: "no", 1: "yes"})
    yield "higgs", higgs[0], higgs[1], "label"
    packed = zipfile.ZipFile(SHARED / "bank-marketing" / "bank-additional.zip")
    bank = pandas.read_csv(io.BytesIO(packed.read("bank-additional/bank-additional-full.csv")), sep=";").drop(columns="duration")
    telco = pandas.read_csv(SHARED / "telco-churn" / "Telco-Customer-Churn.csv.gz").drop(columns="customerID")
    telco["TotalCharges"] = pandas.to_numeric(telco["TotalCharges"], errors="coerce")
    for name, rows, label in (("bank-marketing", bank, "y"), ("telco-churn", telco, "Churn")):
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=1).split(rows, rows[label])
        for fold, (train, test) in enumerate(folds):
            yield f"{name} {fold + 1}", rows.iloc[train], rows.iloc[test], label


def medley(*words):
    out = subprocess.run([ROOT / "medley", *map(str, words)], capture_output=True, text=True, check=False)
    if out.returncode != 0:
        sys.exit(f"medley {words}: {out.stdout[-2000:]}{out.stderr[-2000:]}")
    return out.stdout


def by_medley(train, test, label, settings, folder, evaluates=True):
    files = {part: folder / f"{part}.csv" for part in ("train", "test")}
    for part, rows in (("train", train), ("test", test)):
        rows.to_csv(files[part], index=False)
    job = folder / "job.yaml"
    job.write_text(json.dumps({"name": "trees", "data": {"train": str(files["train"]), "label": label}, "model": {"family": "boosting"}}))
    begun = time.monotonic()
    medley("train", job, "--run-dir", folder / "runs", *sum([["-s", s] for s in settings], []))
    whole = time.monotonic() - begun
    run = max((folder / "runs").iterdir(), key=lambda each: each.stat().st_mtime)
    steps = [json.loads(line) for line in (run / "steps.jsonl").read_text().splitlines()]
    result = {"seconds": sum(step["stepNs"] for step in steps) / 1e9, "whole": whole, "rounds": steps[-1]["step"]}
    if evaluates:
        result["auc"] = json.loads(medley("evaluate", run / "model", files["test"], "--json"))["auc"]
    return result


def by_lightgbm(train, test, label, settings, early):
    import lightgbm
    import pandas
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import train_test_split

    both = pandas.concat([train, test])
    x = both.drop(columns=label)
    for name in x.columns[~x.dtypes.map(pandas.api.types.is_numeric_dtype)]:
        x[name] = x[name].astype("category")
    y = (both[label] == sorted(both[label].unique())[1]).astype(int)
    x_train, x_test, y_train, y_test = x[: len(train)], x[len(train) :], y[: len(train)], y[len(train) :]
    begun = time.monotonic()
    model = lightgbm.LGBMClassifier(verbose=-1, **settings)
    if early:
        a, b, c, d = train_test_split(x_train, y_train, test_size=0.1, random_state=1, stratify=y_train)
        model.fit(a, c, eval_set=[(b, d)], eval_metric="auc", callbacks=[lightgbm.early_stopping(50, verbose=False)])
    else:
        model.fit(x_train, y_train)
    seconds = time.monotonic() - begun
    return {"seconds": seconds, "rounds": model.n_estimators_, "auc": roc_auc_score(y_test, model.predict_proba(x_test)[:, 1])}


def quality(keep):
    for name, train, test, label in tables():
        with tempfile.TemporaryDirectory() as folder:
            keep({"data": name, "who": "medley", **by_medley(train, test, label, ["cluster.workers=1"], pathlib.Path(folder))})
        keep({"data": name, "who": "lightgbm 100", **by_lightgbm(train, test, label, {}, False)})
        early = {"n_estimators": 1000, "learning_rate": 0.05}
        keep({"data": name, "who": "lightgbm early", **by_lightgbm(train, test, label, early, True)})


def ranking_tables(folder):
    """LibSVM files and their files of group lengths as tables with a column for the group."""
    folder.mkdir(parents=True, exist_ok=True)
    source = SHARED / "lightgbm-examples"
    columns = [f"x{i}" for i in range(1, 301)]
    for part in ("train", "test"):
        lengths = [int(line) for line in (source / f"lambdarank-rank.{part}.query").read_text().split()]
        groups = [group for group, length in enumerate(lengths) for _ in range(length)]
        with gzip.open(source / f"lambdarank-rank.{part}.gz", "rt") as rows, (folder / f"{part}.csv").open("w") as out:
            out.write(",".join(["grade", "query", *columns]) + "\n")
            for group, row in zip(groups, rows, strict=True):
                grade, *cells = row.split()
                values = dict(cell.split(":") for cell in cells)
                out.write(",".join([grade, f"{part} {group}", *(values.get(name[1:], "0") for name in columns)]) + "\n")


def ndcg(rows, scores, top):
    from sklearn.metrics import ndcg_score

    each = []
    for places in rows.groupby("query", sort=False).indices.values():
        gains = 2.0 ** rows["grade"].to_numpy()[places] - 1
        each.append(1 if gains.max() == 0 or len(places) == 1 else ndcg_score([gains], [scores[places]], k=top))
    return statistics.fmean(each)


def ranking(keep):
    import lightgbm
    import pandas

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ranking_tables(folder)
        train, test = [pandas.read_csv(folder / f"{part}.csv") for part in ("train", "test")]
        ways = {"depth 6": {}, "31 leaves": {"leaves": 31, "depth": 0}, "31 leaves, small": {"leaves": 31, "depth": 0, "min_child_weight": 0.1}}
        ways |= {f"{who}, pairwise": {**way, "ranking": "pairwise"} for who, way in ways.items()}
        for who, way in ways.items():
            job = folder / "job.yaml"
            data = {"train": str(folder / "train.csv"), "validation": str(folder / "test.csv"), "label": "grade", "group": "query"}
            model = {"family": "boosting", "rounds": 100, "learning_rate": 0.1, **way}
            stop = {"evaluate_every": 100, "stop": {"patience": 0}}
            job.write_text(json.dumps({"name": "rank", "data": data, "model": model, "train": stop, "cluster": {"workers": 1}}))
            medley("train", job, "--run-dir", folder / "runs")
            run = max((folder / "runs").iterdir(), key=lambda each: each.stat().st_mtime)
            medley("predict", run / "model", folder / "test.csv", "--out", folder / "scores.csv")
            scores = pandas.read_csv(folder / "scores.csv")["prediction"].to_numpy()
            judged = json.loads(medley("evaluate", run / "model", folder / "test.csv", "--json"))
            keep({"data": "lambdarank", "who": f"medley {who}", "ndcg@10": ndcg(test, scores, 10), "by medley": judged["ndcg@10"]})
        given = {"min_child_samples": 50, "min_child_weight": 5.0}
        for who, settings in {"lightgbm": {}, "lightgbm as its example": given}.items():
            model = lightgbm.LGBMRanker(n_estimators=100, verbose=-1, n_jobs=CORES, **settings)
            inputs = ["grade", "query"]
            model.fit(train.drop(columns=inputs), train["grade"], group=train.groupby("query", sort=False).size())
            keep({"data": "lambdarank", "who": who, "ndcg@10": ndcg(test, model.predict(test.drop(columns=inputs)), 10)})


def speed(keep, pairs):
    name, train, test, label = next(tables())
    rounds = ["model.rounds=300", "model.learning_rate=0.1", "train.stop.patience=0", "train.evaluate_every=300"]
    ways = {
        "medley depth 6, 1 worker": lambda at: by_medley(train, test, label, [*rounds, "cluster.workers=1", f"cluster.threads={CORES}"], at, False),
        f"medley depth 6, {CORES} workers": lambda at: by_medley(train, test, label, [*rounds, f"cluster.workers={CORES}"], at, False),
        "medley 31 leaves, 1 worker": lambda at: by_medley(
            train, test, label, [*rounds, "model.leaves=31", "model.depth=0", "cluster.workers=1", f"cluster.threads={CORES}"], at, False
        ),
    }
    for threads in range(1, CORES + 1):
        ways[f"lightgbm 31 leaves, {threads} threads"] = lambda at, n=threads: by_lightgbm(
            train, test, label, {"n_estimators": 300, "n_jobs": n}, False
        )
    for pair in range(pairs):
        for who in list(ways) if pair % 2 == 0 else list(ways)[::-1]:
            with tempfile.TemporaryDirectory() as folder:
                keep({"data": name, "pair": pair, "who": who, **ways[who](pathlib.Path(folder))})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path, nargs="?")
    parser.add_argument("--tables", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--ranking", action="store_true")
    parser.add_argument("--quality", action="store_true")
    parser.add_argument("--speed", type=int, default=0, metavar="PAIRS")
    asked = parser.parse_args()
    runs = []
    if asked.tables:
        ranking_tables(asked.tables)
        return

    def keep(run):
        run = {"machine": platform.processor() or platform.machine(), "cores": CORES, **run}
        runs.append(run)
        print(json.dumps(run), flush=True)
        with asked.file.open("a") as out:
            out.write(json.dumps(run) + "\n")

    if asked.quality:
        quality(keep)
    if asked.ranking:
        ranking(keep)
    if asked.speed:
        speed(keep, asked.speed)
    for who in dict.fromkeys(run["who"] for run in runs if "pair" in run):
        own = [run for run in runs if run["who"] == who and "pair" in run]
        print(f"{who}: {statistics.median(run['seconds'] for run in own):.2f} s of {len(own)}")


if __name__ == "__main__":
    main()
