"""What the machinery for uneven machines costs on equal ones.

uneven: two agents on loopback join; all is as it is by default on machines that join. Their speed is tried before the first step, shares
follow speed, and every step is reported to whoever decides about them. (Ways are measured between machines; these two are one.)
plain: two workers of the command, equal shares, nothing tried, measured or changed (strategy.balance: none). Both sum through shared
memory, one thread each, with the same seed in a pair.

Pairs are interleaved: odd ones plain first, even ones uneven first. A run's figure is samples/s of its steps after WARM batches; changes of
the plan and forming of groups are in it. The cost of a pair is 1 - uneven / plain. The interval is that of the median over pairs (bootstrap,
95 %); the goal is that it costs at most 2 %.
"""
import argparse, json, os, shutil, statistics, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import loopback, processes, record, results, stats, tasks

TASK = "fashion-cnn"
WARM = 100
KINDS = ("plain", "uneven")
GOAL = 0.02
FEWEST = 10


def train(kind, seed, a):
    job = tasks.job(TASK, seed, steps=a.steps, evaluate_every=10**9)
    job["checkpoint"] = {"every": 0}
    agents = []
    if kind == "uneven":
        job["cluster"] = {"threads": 1}
        agents = [("one", ""), ("two", "")]
    else:
        job["cluster"] = {"threads": 1, "workers": 2}
        job["strategy"] = {"balance": "none"}
    work = tempfile.mkdtemp(prefix="medley-homogeneous-")
    try:
        run = loopback.train(job, agents, work, a.cap)
        plans = record.lines(os.path.join(run, "plan.jsonl"))
        steps = record.Steps(run, WARM * job["train"]["batch"])
        return dict(samples_per_s=steps.samples_per_s(), groups=len(plans), shares=plans[-1]["plan"]["shares"], parts_ms=parts(steps.warm))
    finally:
        shutil.rmtree(work, ignore_errors=True)


def parts(steps):
    """Where the time of a step goes, in ms: means over steps and workers of what a record has of them, and the median step."""
    kept = ("computeNs", "exchangeNs", "waitingNs", "dataNs")
    means = {part[:-2]: statistics.mean(worker[part] for step in steps for worker in step["workers"]) / 1e6 for part in kept}
    return {"step": statistics.mean(step["stepNs"] for step in steps) / 1e6, "median step": statistics.median(step["stepNs"] for step in steps) / 1e6, **means}


def differences(pairs):
    """How much longer each part of a step takes with everything on, the median over pairs in ms; nothing for runs that did not keep them."""
    kept = [pair for pair in pairs if all("parts_ms" in run for run in pair.values())]
    if not kept:
        return []
    medians = {part: stats.median([pair["uneven"]["parts_ms"][part] - pair["plain"]["parts_ms"][part] for pair in kept]) for part in kept[0]["plain"]["parts_ms"]}
    plain = {part: stats.median([pair["plain"]["parts_ms"][part] for pair in kept]) for part in medians}
    said = ", ".join(f"{part} {plain[part]:.2f} {ms:+.2f}" for part, ms in medians.items())
    return ["", f"Where a step's time goes, with plain workers and what everything adds to it, medians over pairs in ms: {said}."]


def page(runs, a):
    by_pair = {}
    for run in runs:
        by_pair.setdefault(run["pair"], {})[run["kind"]] = run
    pairs = {n: pair for n, pair in sorted(by_pair.items()) if len(pair) == len(KINDS)}
    if not pairs:
        return "no pair is whole yet"
    costs = [1 - pair["uneven"]["samples_per_s"] / pair["plain"]["samples_per_s"] for pair in pairs.values()]
    low, high = stats.median_interval(costs)
    plain, uneven = ([pair[kind]["samples_per_s"] for pair in pairs.values()] for kind in KINDS)
    whole = "{:,.0f}".format
    verdict = "too few pairs to say" if len(pairs) < FEWEST else "kept" if high <= GOAL else "not kept" if low > GOAL else "not decided by these pairs"
    lines = [f"{results.machines(runs)}; {results.states(runs)}. {TASK}, batch {tasks.TASKS[TASK]['batch']}, {a.steps} steps, {WARM} of them to warm up; two workers of "
             f"one thread. Command: benchmarks/homogeneous/run.sh --pairs {a.pairs}", "",
             f"{len(pairs)} interleaved pairs: plain {stats.cell(plain, whole)}, with everything for uneven machines {stats.cell(uneven, whole)} samples/s. It costs "
             f"{stats.median(costs):.2%} in the median, 95 % interval {low:.2%} to {high:.2%}; goal at most {GOAL:.0%}: {verdict}.", "",
             "| pair | plain | uneven | cost | groups formed | last shares |", "|---|---|---|---|---|---|"]
    for (n, pair), cost in zip(pairs.items(), costs):
        lines.append(f"| {n} | {whole(pair['plain']['samples_per_s'])} | {whole(pair['uneven']['samples_per_s'])} | {cost:.2%} | {pair['uneven']['groups']} | "
                     f"{pair['uneven']['shares']} |")
    return "\n".join(lines + differences(pairs.values()))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--pairs", type=int, default=20)
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--minutes", type=float, help="begin no pair after so many; the one under way is finished")
    p.add_argument("--append", default=os.path.join(tasks.ROOT, "benchmarks", "results", "raw", "homogeneous.jsonl"), help="file of raw runs, read and added to")
    p.add_argument("--cap", type=float, default=240, help="seconds that a run may take")
    p.add_argument("--result", action="store_true", help="write results/DATE-homogeneous.md")
    a = p.parse_args()
    processes.end_on_signal()
    now, allowed = results.provenance(), results.Allowance(a.minutes)
    runs = [r for r in results.read(a.append) if r["sources"] == now["sources"] and r["steps"] == a.steps]
    for pair in range(1, a.pairs + 1):
        done = {r["kind"] for r in runs if r["pair"] == pair}
        if done == set(KINDS) or allowed.is_used_up():
            continue
        runs = [r for r in runs if r["pair"] != pair]  # Half a pair of an earlier call: its other half would come too late.
        for kind in KINDS if pair % 2 else KINDS[::-1]:
            run = dict(pair=pair, kind=kind, steps=a.steps, seed=pair, **train(kind, pair, a), **now)
            runs.append(run)
            results.append(a.append, run)
            print(json.dumps(run), flush=True)
    text = page(runs, a)
    print(text)
    if a.result:
        results.page("homogeneous", "Machinery for uneven machines on equal ones", text)


if __name__ == "__main__":
    main()
