"""Counts how many streams ever alarm, without drift and with a planted one, by our monitors and by Evidently's default tests.

    tools/loop/install.sh && mvn -q -DskipTests -pl loop -am install
    ~/.cache/medley-evidently/bin/python benchmarks/loop/drift.py runs.jsonl --classpath CLASSPATH [--only NAME,NAME] [--scale 1]

Every stream is a column: a reference, then 100 looks at 100 new rows each. All judges see the same rows; monitors take all rows one
after the other, Evidently's test each look by itself, as it is meant to be used, with its own rule for the test and its threshold. The
rule is our EvidentlyRule, which is tested to give Evidently's scores; the first streams of each scenario are judged by Evidently itself,
too (evidently.legacy.calculations.stattests.registry, which its drift preset calls for every column), and "agree" says whether in the
same looks. A further judge is the test with the threshold that lets 5 % of the streams without drift ever alarm, found on those streams:
nobody has it in practice, but it says what the tests could do. A line of the output is a scenario: for every judge, in which look each
stream alarmed first, 0 for never.
Streams hang on the seed and the scenario's name alone.
"""
import argparse, itertools, json, math, os, subprocess, tempfile, time, warnings, zlib

import numpy as np, pandas as pd
from evidently.legacy.calculations.stattests import registry
from evidently.legacy.core import ColumnType
from scipy.signal import lfilter

warnings.simplefilter("ignore")
LOOKS, ROWS = 100, 100


def normal(shift=0.0, stretch=1.0, start=0):
    return lambda rng, look, n: rng.normal(shift if look >= start else 0, stretch if look >= start else 1, n) if look >= 0 else rng.normal(size=n)


def incomes(factor=1.0):
    """Log-normal, rounded, with a tenth of zeros: ties and a heavy tail."""
    return lambda rng, look, n: np.where(rng.random(n) < 0.1, 0, np.round(rng.lognormal(0, 1, n) * (factor if look >= 0 else 1), 1))


def autocorrelated(rho):
    """Neighbouring rows resemble each other: what a monitor assumes does not hold."""
    def rows(rng, look, n):
        if look < 0:
            return rng.normal(size=n)
        noise = rng.normal(size=n) * np.sqrt(1 - rho ** 2)
        noise[0] = rng.normal()
        x = lfilter([1], [1, -rho], noise)
        return x
    return rows


def missing(before, after):
    def rows(rng, look, n):
        x = rng.normal(size=n)
        x[rng.random(n) < (after if look >= 0 else before)] = np.nan
        return x
    return rows


SHARES = np.array([0.4, 0.25, 0.2, 0.1, 0.05])


def shares(after=None, start=0):
    after = SHARES if after is None else np.array(after)
    return lambda rng, look, n: rng.choice(len(after if look >= start else SHARES), n, p=after if look >= start else SHARES).astype(float) if look >= 0 else rng.choice(5, n, p=SHARES).astype(float)


# Name: kind, rows, streams. Each is run with references of 1,000 and of 5,000 rows, for which Evidently has different tests.
NONE = {
    "normal": ("number", normal(), 1000), "incomes": ("number", incomes(), 1000), "missing 3 %": ("number", missing(0.03, 0.03), 1000),
    "five categories": ("category", shares(), 1000), "100 categories": ("category", lambda rng, look, n: np.floor(100 * rng.random(n) ** 2), 1000),
    "autocorrelated 0.3": ("number", autocorrelated(0.3), 300)}
DRIFT = {
    **{f"shift {s}": ("number", normal(s), 200) for s in (0.1, 0.2, 0.3, 0.5)},
    **{f"shift {s} from look 51": ("number", normal(s, start=50), 200) for s in (0.1, 0.2, 0.3, 0.5)},
    "stretch 1.2": ("number", normal(0, 1.2), 200), "stretch 1.5": ("number", normal(0, 1.5), 200), "stretch 0.8": ("number", normal(0, 0.8), 200),
    "incomes times 1.15": ("number", incomes(1.15), 200), "missing 3 % to 6 %": ("number", missing(0.03, 0.06), 200), "missing 0 to 1 %": ("number", missing(0, 0.01), 200),
    "share 20 % to 25 %": ("category", shares([0.35, 0.25, 0.25, 0.1, 0.05]), 200), "share 20 % to 30 %": ("category", shares([0.3, 0.25, 0.3, 0.1, 0.05]), 200),
    "share 5 % to 8 %": ("category", shares([0.37, 0.25, 0.2, 0.1, 0.08]), 200), "new category of 1 %": ("category", shares(list(SHARES * 0.99) + [0.01]), 200),
    "share 20 % to 30 % from look 51": ("category", shares([0.3, 0.25, 0.3, 0.1, 0.05], 50), 200), "new category of 3 %": ("category", shares(list(SHARES * 0.97) + [0.03]), 200)}


def streams(name, make, count, reference):
    for i in range(count):
        rng = np.random.default_rng([20261128, zlib.crc32(name.encode()), reference, i])
        yield np.concatenate([make(rng, -1, reference)] + [make(rng, look, ROWS) for look in range(LOOKS)])


def watched(file, kind, reference, classpath, threshold):
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Monitored.java")
    call = ["java", "-cp", classpath, program, file, kind, str(reference), str(LOOKS), str(ROWS), "Infinity" if math.isinf(threshold) else str(threshold)]
    lines = [line.split("\t") for line in subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()]
    columns = list(zip(*lines))
    return {"ever": [int(x) for x in columns[0]], "perWindow": [int(x) for x in columns[1]], "evidently": [int(x) for x in columns[2]],
            "calibrated": [int(x) for x in columns[3]]}, [float(x) for x in columns[4]], max(set(columns[5]), key=columns[5].count)


def really(stream, kind, reference):
    """In which look Evidently itself says drift first."""
    type = ColumnType.Numerical if kind == "number" else ColumnType.Categorical
    column = lambda x: pd.Series(x if kind == "number" else np.array([f"c{int(v)}" for v in x])).dropna()
    before = column(stream[:reference])
    for look in range(LOOKS):
        current = column(stream[reference + look * ROWS:reference + (look + 1) * ROWS])
        if registry.get_stattest(before, current, type, None)(before, current, type, None).drifted:
            return look + 1
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runs"), parser.add_argument("--classpath", required=True), parser.add_argument("--only", default="")
    parser.add_argument("--scale", type=float, default=1), parser.add_argument("--real", type=int, default=5)
    options = parser.parse_args()
    thresholds = {}
    for name, (kind, make, count) in {**NONE, **DRIFT}.items():
        if options.only and name not in options.only.split(","):
            continue
        for reference in (1000, 5000):
            start, count = time.time(), max(1, int(count * options.scale))
            with tempfile.NamedTemporaryFile() as file:
                for stream in streams(name, make, count, reference):
                    file.write(stream.astype("<f8").tobytes())
                file.flush()
                firsts, scores, why = watched(file.name, kind, reference, options.classpath, thresholds.get((kind, reference), math.inf))
            if name in ("normal", "five categories"):
                thresholds[kind, reference] = float(np.quantile(scores, 0.95))
                firsts["calibrated"] = [int(s > thresholds[kind, reference]) for s in scores]
            few = itertools.islice(streams(name, make, count, reference), options.real)
            real = [really(stream, kind, reference) for stream in few]
            agree = real == firsts["evidently"][:options.real]
            line = {"name": name, "kind": kind, "reference": reference, "drift": name in DRIFT, "streams": count, **firsts, "why": why,
                    "threshold": thresholds.get((kind, reference)), "real": real, "agree": agree, "seconds": round(time.time() - start, 1)}
            with open(options.runs, "a") as out:
                out.write(json.dumps(line) + "\n")
            rate = lambda key: f"{key} {100 * np.mean([x > 0 for x in line[key]]):.1f} % at {np.median([x for x in line[key] if x] or [0]):.0f},"
            print(name, reference, rate("ever"), rate("perWindow"), rate("evidently"), rate("calibrated"), line["seconds"], "s", agree, why, flush=True)


main()
