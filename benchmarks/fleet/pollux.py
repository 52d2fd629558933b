#!/usr/bin/env python3
"""Prints tables of Pollux's workloads: python3 benchmarks/fleet/pollux.py RUNS.csv SIMULATOR.

A setting is HORIZON_S/FIRST_WORKERS. At load 1.0 it is chosen on workloads 1 to 4 for 5 to 8 and the reverse; other
loads have the defaults.
"""
import collections
import csv
import json
import pathlib
import sys

HALVES = ((1, 2, 3, 4), (5, 6, 7, 8))
POLICIES = ("pollux", "tiresias", "optimus")


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def published(folder, policy, load):
    file = folder / "results-jobload" / f"{policy}-{load}" / "summary.json"
    if not file.exists():
        return None
    averages = json.loads(file.read_text())["avgs"]
    return {number: averages[f"workload-{number}"] for number in range(1, 9)}


def row(name, cells):
    shown = ["" if cell is None else f"{cell:,.0f}" for cell in cells]
    print(f"| {name} | " + " | ".join(shown) + " |")


def main():
    runs, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    found = collections.defaultdict(dict)
    for line in csv.DictReader(open(runs)):
        found[line["load"], line["policy"], line["knows"], line["setting"]][int(line["workload"])] = float(line["mean_s"])
    loads = list(dict.fromkeys(key[0] for key in found))
    settings = list(dict.fromkeys(key[3] for key in found if key[3]))
    default = next(key[3] for key in found if key[0] != "1.0" and key[3])

    def of(knows):
        return [s for s in settings if ("1.0", "elastic", knows, s) in found]

    def best(knows, workloads):
        return min(of(knows), key=lambda s: mean(found["1.0", "elastic", knows, s][n] for n in workloads))

    print("| load 1.0, mean JCT in s | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | mean |\n|---|---|---|---|---|---|---|---|---|---|")
    for policy in POLICIES:
        means = published(folder, policy, "1.0")
        row(f"{policy}, published", [*means.values(), mean(means.values())])
        here = found.get(("1.0", policy, "", ""))
        if here:
            row(f"{policy}, here", [*here.values(), mean(here.values())])
    for knows in ("own", "kind", "full"):
        chosen = {}
        for half, other in (HALVES, HALVES[::-1]):
            setting = best(knows, other)
            print(f"{knows}: {setting} chosen on {other} for {half}", file=sys.stderr)
            chosen.update({n: found["1.0", "elastic", knows, setting][n] for n in half})
        row(f"elastic, knows {knows}", [*(chosen[n] for n in range(1, 9)), mean(chosen.values())])
    print("\n| setting (horizon, s / first workers), mean at 1.0 | " + " | ".join(settings) + " |\n|---|" + "---|" * len(settings))
    for knows in ("own", "kind", "full"):
        row(f"elastic, knows {knows}", [mean(found["1.0", "elastic", knows, s].values()) if s in of(knows) else None for s in settings])
    print("\n| mean of 8 workloads, s | " + " | ".join(loads) + " |\n|---|" + "---|" * len(loads))
    for policy in POLICIES:
        tables = [published(folder, policy, load) for load in loads]
        row(f"{policy}, published", [table and mean(table.values()) for table in tables])
        if policy != "pollux":
            row(f"{policy}, here", [mean(found[load, policy, "", ""].values()) for load in loads])
    for knows in ("own", "kind", "full"):
        row(f"elastic, knows {knows}, {default}", [mean(found[load, "elastic", knows, default].values()) for load in loads])


if __name__ == "__main__":
    main()
