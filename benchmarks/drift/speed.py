"""Trains alike by two states of the sources in turn, and compares how long a start, the steps and the whole command take.

Each pair is one run of each side, of the same job with the same seed; which side begins changes from pair to pair. Two workers of one thread
and `data-parallel`, all else by default. One pair before the first is not counted: it fills the caches. What is said of a task is the
median of the pairs' ratios, with the least and the most: what the side after takes, as a part of what the side before took. Builds are those
of drift.py, in --work; raw runs are lines of --runs. Nothing is asserted. Run it on a quiet machine.
"""
import argparse, json, os, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from drift import Side, write
from harness import processes, record, results, stats, tasks

STEPS = {"quickstart": 150, "fashion-cnn": 100, "shakespeare-gpt": 40}
BY_DEFAULT = {"strategy": "data-parallel", "checkpoint": {"every": 0}, "cluster": {"workers": 2, "threads": 1}}


def job_of(task, work, before):
    """The job file of a task, on all of its data."""
    if task == "quickstart":
        return os.path.join(before.folder, "examples", "quickstart.yaml")
    path = os.path.join(work, f"speed-{task}.json")
    write(path, json.dumps(tasks.job(task, 1)).encode())
    return path


def measured(side, task, job, a):
    """Seconds to the end of the first step and of the whole command, and samples/s of the second half of the steps."""
    keys = dict(BY_DEFAULT, **{"train.steps": STEPS[task], "train.evaluate_every": STEPS[task]})
    begun = time.time()
    run = side.train(job, keys, os.path.join(a.work, "speed", f"{task} {side.commit}"), a.cap)
    whole = time.time() - begun
    steps = record.Steps(run, 0).all
    late = steps[len(steps) // 2:]
    return dict(first_s=steps[0]["wallMillis"] / 1e3 - begun, whole_s=whole,
                samples_per_s=sum(s["samples"] for s in late) / sum(s["stepNs"] for s in late) * 1e9)


def ratios(pairs, figure):
    return stats.cell([after[figure] / before[figure] for before, after in pairs], "{:.3f}".format)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("before", help="a commit, or the folder of a checkout")
    p.add_argument("after", help="the same")
    p.add_argument("--tasks", default=",".join(STEPS), help="with commas between")
    p.add_argument("--pairs", type=int, default=5)
    p.add_argument("--work", default=os.path.join(tasks.ROOT, "..", "drift"), help="where worktrees and builds are kept")
    p.add_argument("--runs", help="the file of raw runs; else speed.jsonl in --work")
    p.add_argument("--cap", type=float, default=300, help="seconds that a run may take")
    a = p.parse_args()
    processes.end_on_signal()
    a.work = os.path.abspath(a.work)
    a.runs = a.runs or os.path.join(a.work, "speed.jsonl")
    sides = [Side(name, a.work) for name in (a.before, a.after)]
    for side in sides:
        side.build()
    print(f"{a.pairs} pairs of {sides[0].commit} and {sides[1].commit}; {results.hardware()}\n")
    print("| task | to the end of the first step | whole command | samples/s | medians before |\n|---|---|---|---|---|")
    for task in a.tasks.split(","):
        job, pairs = job_of(task, a.work, sides[0]), []
        for number in range(a.pairs + 1):
            order = sides if number % 2 else sides[::-1]
            lines = {side: measured(side, task, job, a) for side in order}
            if number == 0:
                continue
            for side in order:
                results.append(a.runs, dict(task=task, pair=number, commit=side.commit, machine=results.hardware(),
                                            date=time.strftime("%Y-%m-%dT%H:%M:%S"), **lines[side]))
            pairs.append([lines[side] for side in sides])
        before = {figure: stats.median([one[figure] for one, _ in pairs]) for figure in pairs[0][0]}
        print(f"| {task} | {ratios(pairs, 'first_s')} | {ratios(pairs, 'whole_s')} | {ratios(pairs, 'samples_per_s')} | "
              f"{before['first_s']:.2f} s, {before['whole_s']:.2f} s, {before['samples_per_s']:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
