"""Plays Gavel's jobs under Gavel's policies by `medley fleet simulate`, beside what Gavel's own simulator gave.

    python3 benchmarks/fleet/gavel.py runs.csv [--only reference,continuous,multi,makespan] [--table results.md]

Runs that runs.csv has already are not repeated. Data: ../shared/data/sched/gavel, or the folder that MEDLEY_SHARED names.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAVEL = pathlib.Path(os.environ.get("MEDLEY_SHARED", ROOT / "../shared")).resolve() / "data/sched/gavel"
COMMAND = os.environ.get("MEDLEY_COMMAND", str(ROOT / "medley")).split()
COLUMNS = ["part", "cluster", "trace", "rate", "jobs", "policy", "mean_h", "last_end_h", "utilization", "decision_ms"]
OURS = {"max_min_fairness": "las", "max_min_fairness_perf": "las_aware", "fifo_perf": "fifo_fastest",
        "finish_time_fairness_perf": "finish_time_fairness"}
LARGE = "36:36:36"


def question(part, cluster, trace, rate, jobs, policies):
    return {"part": part, "cluster": cluster, "trace": trace, "rate": rate, "jobs": jobs, "policies": policies}


def questions():
    single, multi = "jobs_single_seed0", "jobs_multi_seed0"
    yield question("reference", "8:8:8", single, 1.2, "20-59", ["fifo", "las", "las_aware", "allox", "finish_time_fairness"])
    yield question("reference", LARGE, single, 4.8, "4000-4999", ["fifo_fastest", "las", "las_aware"])
    for rate in (0.4, 0.8):
        yield question("reference", LARGE, "jobs_single_seed42", rate, "4000-4999", ["allox"])
    # The same arrivals but for their last digits: what is left to chance, since equal matchings are many.
    for digit in range(8):
        yield question("reference", LARGE, single, 4.8 + digit * 1e-5, "4000-4999", ["allox"])
    for rate in (0.4, 2.0, 4.0, 5.2):
        yield question("continuous", LARGE, single, rate, "4000-4999",
                       ["fifo", "fifo_fastest", "las", "las_aware", "allox", "finish_time_fairness"])
    yield question("continuous", LARGE, single, 4.8, "4000-4999", ["fifo", "finish_time_fairness"])
    for rate in (1.0, 2.0, 2.4):
        yield question("multi", LARGE, multi, rate, "4000-4999", ["index", "fifo_fastest", "las", "las_aware", "finish_time_fairness"])
    for seed in (0, 1):
        for jobs in (500, 700):
            yield question("makespan", LARGE, f"jobs_multi_seed{seed}", 0, f"0-{jobs - 1}", ["fifo_fastest", "makespan", "index"])


def run(asked, policy):
    words = COMMAND + ["fleet", "simulate", asked["cluster"], str(GAVEL / f"{asked['trace']}.csv.gz"),
                       "--throughputs", str(GAVEL / "simulation_throughputs.json.gz"), "--rate", repr(asked["rate"]),
                       "--jobs", asked["jobs"], "--policy", policy, "--json", "-"]
    result = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)[0]
    return {"part": asked["part"], "cluster": asked["cluster"], "trace": asked["trace"], "rate": repr(asked["rate"]),
            "jobs": asked["jobs"], "policy": policy, "mean_h": f"{result['completion']['meanS'] / 3600:.4f}",
            "last_end_h": f"{result['completion']['makespanS'] / 3600:.3f}", "utilization": f"{result['utilization']:.4f}",
            "decision_ms": f"{result['decision']['meanMs']:.3f}"}


def rows_of(file):
    if not file.exists():
        return []
    with file.open() as f:
        return list(csv.DictReader(f))


def measure(file, only):
    known = {tuple(r[c] for c in COLUMNS[:6]) for r in rows_of(file)}
    for asked in questions():
        for policy in asked["policies"]:
            key = (asked["part"], asked["cluster"], asked["trace"], repr(asked["rate"]), asked["jobs"], policy)
            if asked["part"] in only and key not in known:
                row = run(asked, policy)
                is_new = not file.exists()
                with file.open("a", newline="") as f:
                    writer = csv.DictWriter(f, COLUMNS)
                    if is_new:
                        writer.writeheader()
                    writer.writerow(row)
                print(*row.values(), flush=True)


def published(name):
    """Mean hours by rate and policy; of rows that are there more than once, all values."""
    found = {}
    for row in rows_of(GAVEL / name):
        if row["cell"] == "10" and row["value_hours"] != "nan":
            key = (float(row["input_job_rate_per_hr"]), OURS.get(row["policy"], row["policy"]))
            found.setdefault(key, set()).add(float(row["value_hours"]))
    return found


def reference():
    found = {}
    for row in rows_of(GAVEL / "reference_runs.csv"):
        found[(row["cluster_v100:p100:k80"], 3600 / float(row["lam_s"]), row["seed"],
               OURS.get(row["policy"], row["policy"]))] = float(row["avg_jct_h"])
    return found


def beside(ours, theirs):
    return f"| {ours:.2f} | {theirs:.2f} | {100 * (ours / theirs - 1):+.1f} % |"


def tables(rows):
    lines = ["| cluster | jobs an hour | seed | policy | Medley, h | Gavel's simulator, h | |", "|---|---|---|---|---|---|---|"]
    given = reference()
    chance = [float(r["mean_h"]) for r in rows if r["part"] == "reference" and r["policy"] == "allox" and r["rate"].startswith("4.8")]
    for r in rows:
        if r["part"] == "reference" and not (r["policy"] == "allox" and r["rate"].startswith("4.8")):
            key = (r["cluster"], float(r["rate"]), r["trace"].rpartition("seed")[2], r["policy"])
            lines.append(f"| {r['cluster']} | {r['rate']} | {key[2]} | {r['policy']} "
                         f"| {float(r['mean_h']):.3f} | {given[key]:.3f} | {100 * (float(r['mean_h']) / given[key] - 1):+.2f} % |")
    if chance:
        theirs = given[(LARGE, 4.8, "0", "allox")]
        lines.append(f"| {LARGE} | 4.8 | 0 | allox, eight times | {statistics.mean(chance):.2f}, from {min(chance):.2f} to {max(chance):.2f} "
                     f"| {theirs:.3f} | {100 * (statistics.mean(chance) / theirs - 1):+.2f} % |")
    for part, name, title in (("continuous", "published_continuous_jobs.csv", "One machine a job"),
                              ("multi", "published_continuous_jobs_multigpu.csv", "Jobs of 1 to 8 machines")):
        lines += ["", f"**{title}**, 36 of each, jobs 4000 to 4999, seed 0, beside the notebooks:", "",
                  "| jobs an hour | policy | Medley, h | notebook, h | |", "|---|---|---|---|---|"]
        given_there = published(name)
        for r in sorted((r for r in rows if r["part"] == part), key=lambda r: (r["policy"], float(r["rate"]))):
            for theirs in sorted(given_there.get((float(r["rate"]), r["policy"]), [])):
                lines.append(f"| {r['rate']} | {r['policy']} {beside(float(r['mean_h']), theirs)}")
    lines += ["", "**Makespan**, jobs of 1 to 8 machines that all come at once, hours; the seed of the published table is not said:", "",
              "| jobs | policy | Medley, seeds 0 and 1 | published |", "|---|---|---|---|"]
    known = {(r["policy"], r["num_total_jobs"]): float(r["makespan_hours"]) for r in rows_of(GAVEL / "published_makespan.csv")}
    for policy, theirs in (("makespan", "Gavel"), ("index", "Gavel"), ("fifo_fastest", "FIFO")):
        for jobs in (500, 700):
            ours = [r["last_end_h"] for seed in (0, 1) for r in rows if r["part"] == "makespan" and r["policy"] == policy
                    and r["jobs"] == f"0-{jobs - 1}" and r["trace"].endswith(f"seed{seed}")]
            lines.append(f"| {jobs} | {policy} | {', '.join(f'{float(o):.1f}' for o in ours)} | {known[(theirs, str(jobs))]:.1f} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=pathlib.Path)
    parser.add_argument("--only", default="reference,continuous,multi,makespan")
    parser.add_argument("--table", type=pathlib.Path, help="print the tables of what runs.csv has into this file")
    options = parser.parse_args()
    measure(options.runs, options.only.split(",") if options.only else [])
    if options.table:
        options.table.write_text("\n".join(tables(rows_of(options.runs))) + "\n")


if __name__ == "__main__":
    main()
