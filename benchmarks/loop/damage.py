"""Compares the quality that is expected of a classifier without outcomes with the true one, under resampled covariate shift.

    ~/.cache/medley-evidently/bin/python benchmarks/loop/damage.py runs.jsonl --classpath CLASSPATH [--shared FOLDER]

A model of scikit-learn is trained on 40 % of the rows of a public table; a fifth calibrates. Windows of 4,000 rows are drawn from the rest
with replacement, rows with larger values of one column (or of another model's direction through all of them) as much as 20 times as often, so
that what leads to the outcome stays and the rows change. A line of the output is a window: shifted by what, how far, expected and true
accuracy, AUC and log-loss, and the AUC of the unshifted rows, which is what one would assume who expects no change.
"""
import argparse, json, os, subprocess, tempfile

import numpy as np, pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

WINDOW = 4000


def adult(shared):
    names = "age workclass fnlwgt education education-num marital-status occupation relationship race sex capital-gain capital-loss hours country income".split()
    parts = [pd.read_csv(f"{shared}/data/uci-adult/adult.{p}.gz", names=names, skipinitialspace=True, comment="|") for p in ("data", "test")]
    table = pd.concat(parts).dropna(subset=["income"]).reset_index(drop=True)
    return table.drop(columns="income"), table["income"].str.startswith(">50K").to_numpy(float)


def churn(shared):
    table = pd.read_csv(f"{shared}/data/telco-churn/Telco-Customer-Churn.csv.gz")
    table["TotalCharges"] = pd.to_numeric(table["TotalCharges"], errors="coerce").fillna(0)
    return table.drop(columns=["customerID", "Churn"]), (table["Churn"] == "Yes").to_numpy(float)


def models(table):
    text = [c for c in table if not pd.api.types.is_numeric_dtype(table[c])]
    number = [c for c in table if c not in text]
    trees = make_column_transformer((OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), text), remainder="passthrough")
    flat = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), text), (StandardScaler(), number))
    return {"boosting": make_pipeline(trees, HistGradientBoostingClassifier(random_state=0)), "linear": make_pipeline(flat, LogisticRegression(max_iter=300))}, text, flat


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runs"), parser.add_argument("--classpath", required=True)
    parser.add_argument("--shared", default=os.environ.get("MEDLEY_SHARED", "../shared"))
    options = parser.parse_args()
    for name, read in {"adult": adult, "churn": churn}.items():
        table, outcome = read(options.shared)
        rng = np.random.default_rng(20261128)
        order = rng.permutation(len(table))
        cut = [int(0.4 * len(table)), int(0.6 * len(table))]
        train, valid, rest = np.split(order, cut)
        made, text, flat = models(table)
        for kind, model in made.items():
            model.fit(table.iloc[train], outcome[train])
            score = model.predict_proba(table)[:, 1]
            place = {c: (pd.factorize(table[c], sort=True)[0] if c in text else table[c]).astype(float) for c in table}
            place["a direction"] = np.asarray(flat.fit_transform(table.iloc[rest]) @ rng.normal(size=flat.transform(table[:1]).shape[1])).ravel()
            lines, shifts = [score[valid], outcome[valid]], []
            for column, values in place.items():
                values = np.asarray(values)[rest] if column != "a direction" else values
                rank = pd.Series(values).rank(pct=True).to_numpy()
                for strength in (-3, -1.5, 1.5, 3):
                    weight = np.exp(strength * rank)
                    chosen = rest[rng.choice(len(rest), WINDOW, p=weight / weight.sum())]
                    lines += [score[chosen], outcome[chosen]]
                    shifts.append((column, strength))
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
                for line in lines:
                    file.write(" ".join(f"{x:.9g}" for x in line) + "\n")
                file.flush()
                program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Estimated.java")
                said = subprocess.run(["java", "-cp", options.classpath, program, file.name], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
            usual = roc_auc_score(outcome[rest], score[rest])
            rows = [[float(x) for x in line.split("\t")] for line in said]
            with open(options.runs, "a") as out:
                for (column, strength), row in zip(shifts, rows):
                    out.write(json.dumps({"table": name, "model": kind, "by": column, "strength": strength, "expected": row[:3], "true": row[3:], "usualAuc": usual}) + "\n")
            rows = np.array(rows)
            away = np.abs(rows[:, :3] - rows[:, 3:])
            print(f"{name} {kind}: {len(rows)} windows, usual AUC {usual:.4f}, true AUC {rows[:, 4].min():.3f} to {rows[:, 4].max():.3f}; expected AUC within 0.02: "
                  f"{100 * np.mean(away[:, 1] <= 0.02):.0f} %, mean error {away[:, 1].mean():.4f}, largest {away[:, 1].max():.4f}, of who expects no change "
                  f"{np.abs(rows[:, 4] - usual).mean():.4f}; accuracy mean error {away[:, 0].mean():.4f}, log-loss {away[:, 2].mean():.4f}", flush=True)


main()
