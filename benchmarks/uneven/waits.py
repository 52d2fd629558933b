"""Why the fastest worker of a run waits for others: a profile of its steps.

Usage: python3 benchmarks/uneven/waits.py RUN ... [--warm BATCHES]

    RUN  folder of a run in which all take part in each step (bench.py --keep FOLDER keeps them)

A worker is busy for a step without its waiting for others. The fastest waits, in the mean of the steps, for the sum of

    misfit   max_j mean(busy_j) - mean(busy_f): shares that do not fit, so that somebody is later than the fastest in every step
    scatter  mean(max_j busy_j) - max_j mean(busy_j): now one worker is late and then another, so no shares help
    idle     mean(min_j waiting_j): even the last one waits, for a message on its way or a thread that has to wake

"Best" are the shares, found in hindsight, that make mean(max_j busy_j) least if computing grows with the share and all else stays; what steps would have
gained by them is what balancing left on the table.
"""
import argparse, itertools, os, statistics, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import record, stats

def last(times, factors):
    """Mean over steps of the time at which the last is done; times by step and worker: (computing, all else)."""
    return statistics.mean(max(c * f + e for (c, e), f in zip(step, factors)) for step in times)


def best(times, shares):
    """(mean of the last, shares), the batch kept, where that is least: samples go from one worker to another as long as it helps."""
    now, part = list(shares), sum(shares) / 100
    least = last(times, [1.0] * len(shares))
    while part > sum(shares) / 5000:
        moves = []
        for i, j in itertools.permutations(range(len(now)), 2):
            if now[i] > part:
                moved = list(now)
                moved[i] -= part
                moved[j] += part
                moves.append((last(times, [m / s for m, s in zip(moved, shares)]), moved))
        ns, moved = min(moves)
        if ns < least:
            least, now = ns, moved
        else:
            part /= 2
    return least, now


def profile(run, warm):
    steps = record.lines(os.path.join(run, "steps.jsonl"))[warm:]
    whole, names = max(s["samples"] for s in steps), sorted(w["worker"] for w in steps[-1]["workers"])
    rows = [(s, {w["worker"]: w for w in s["workers"]}) for s in steps if s["samples"] == whole and len(s["workers"]) == len(names)]
    by_worker = {n: [of[n] for _, of in rows] for n in names}
    mean = lambda name, key: statistics.mean(w[key] for w in by_worker[name])
    times = [[(of[n]["computeNs"], s["stepNs"] - of[n]["waitingNs"] - of[n]["computeNs"]) for n in names] for s, of in rows]
    busy = [[c + e for c, e in step] for step in times]
    means = [statistics.mean(of) for of in zip(*busy)]
    shares = [mean(n, "samples") for n in names]
    fastest = max(range(len(names)), key=lambda i: shares[i] / mean(names[i], "computeNs"))
    done = last(times, [1.0] * len(names))
    least, found = best(times, shares)
    factors = [f / s for f, s in zip(found, shares)]
    of_fastest = statistics.mean(step[fastest][0] * factors[fastest] + step[fastest][1] for step in times)
    idle = statistics.mean(min(w["waitingNs"] for w in of.values()) for _, of in rows)
    late = [max(range(len(names)), key=lambda i: step[i]) for step in busy]
    return dict(
        step=statistics.mean(s["stepNs"] for s, _ in rows), waits=mean(names[fastest], "waitingNs"), misfit=max(means) - means[fastest],
        scatter=done - max(means), idle=idle, gain=done - least, waits_best=least - of_fastest + idle,
        workers=[dict(name=f"{n}{' (fastest)' if i == fastest else ''}", share=shares[i], best=found[i], compute=mean(n, "computeNs") / 1e6,
                      exchange=mean(n, "exchangeNs") / 1e6, waiting=mean(n, "waitingNs") / 1e6,
                      scatter=statistics.stdev(step[i] for step in busy) / means[i], last=late.count(i) / len(late)) for i, n in enumerate(names)])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("runs", nargs="+", metavar="RUN")
    p.add_argument("--warm", type=int, default=100, help="batches that are left out at the beginning")
    a = p.parse_args()
    profiles = [profile(run, a.warm) for run in a.runs]
    heads = ["run", "step, ms", "fastest waits, ms", "of the step", "misfit", "scatter", "idle", "steps with the best shares", "its wait with them"]
    print("| " + " | ".join(heads) + " |", "|---" * len(heads) + "|", sep="\n")
    for run, f in zip(a.runs, profiles):
        cells = [f"{f['step'] / 1e6:.1f}", f"{f['waits'] / 1e6:.1f}", f"{f['waits'] / f['step']:.1%}"] + [f"{f[k] / 1e6:.1f}" for k in ("misfit", "scatter", "idle")]
        cells += [f"{-f['gain'] / f['step']:+.1%}", f"{f['waits_best'] / (f['step'] - f['gain']):.1%}"]
        print(f"| {os.path.basename(run.rstrip('/'))} | " + " | ".join(cells) + " |")
    columns = dict(share=("mean share", "{:.0f}"), best=("best in hindsight", "{:.0f}"), compute=("computes, ms", "{:.1f}"), exchange=("exchange, ms", "{:.1f}"),
                   waiting=("waits, ms", "{:.1f}"), scatter=("busy time scatters by", "{:.0%}"), last=("is last in", "{:.0%}"))
    print("\n| worker | " + " | ".join(head for head, _ in columns.values()) + " |", "|---" * (1 + len(columns)) + "|", sep="\n")
    for i, worker in enumerate(profiles[0]["workers"]):
        cells = [stats.cell([f["workers"][i][key] for f in profiles], form.format) for key, (_, form) in columns.items()]
        print(f"| {worker['name']} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
