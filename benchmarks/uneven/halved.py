"""How soon shares follow a CPU quota that is halved in mid-run: Medley's data-parallel on the emulated uneven-one-site (root needed).

Usage: python3 benchmarks/uneven/halved.py [--node n1] [--after 150] [--steps 400] [--rounds 3] [--keep FOLDER] [--result]

Once AFTER steps are in the run's record, the quota of NODE is halved. Its fitting share is the mean of what it had in the last 100 steps.
"First" is how many steps after the cut a step was made with another share, "fits" from which one on its share stays within 15 % (and 20 %) of the
fitting one: so far shares of these machines are from each other where nothing changes. Goal: fits within 20 steps.
"""
import argparse, contextlib, glob, os, shutil, statistics, sys, tempfile, threading, types

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import cluster
import contenders
from harness import processes, record, results, tasks

CLUSTER = "uneven-one-site"
TASK = "fashion-cnn"
NEAR = (0.15, 0.20)
LAST = 100
GOAL = 20
LOOK_S = 0.02


@contextlib.contextmanager
def halving(node, after, runs):
    """Halves the quota once so many steps are recorded; yields a list that gets the last step before the cut."""
    cut, over = [], threading.Event()
    whole = round(100 * cluster.declared(CLUSTER)["machines"][node]["cpu"])  # The emulator takes whole percents.

    def watch():
        while not over.wait(LOOK_S):
            made = steps_made(runs)
            if made >= after:
                cluster.emu("cpu", node, str(whole // 2))
                cut.append(max(made, steps_made(runs)))
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield cut
    finally:
        over.set()
        thread.join()
        cluster.emu("cpu", node, str(whole))


def steps_made(runs):
    files = glob.glob(os.path.join(runs, "*", "steps.jsonl"))
    return len(record.lines(files[0])) if files else 0


def shares(run, node):
    """By step, from the first: how many samples the worker on that machine had; for the short last step of an epoch what it had in the one before."""
    names = [m["name"] for m in record.value(os.path.join(run, "cluster.json"))["machines"]]
    worker = record.lines(os.path.join(run, "plan.jsonl"))[-1]["workers"][names.index(node)]
    batch = tasks.TASKS[TASK]["batch"]
    parts = []
    for step in record.lines(os.path.join(run, "steps.jsonl")):
        own = next(w["samples"] for w in step["workers"] if w["worker"] == worker)
        parts.append(own if step["samples"] == batch else parts[-1])
    return parts


def followed(share, cut):
    """(before, fitting, steps to the first other share, steps until it fits by each of NEAR) of a worker whose quota was cut after step cut."""
    before, fitting = statistics.median(share[:cut][-20:]), statistics.mean(share[-LAST:])
    own = share[cut:]
    first = next((i + 1 for i, s in enumerate(own) if s != share[cut - 1]), None)
    return before, fitting, first, *(fits(own, fitting, near) for near in NEAR)


def fits(own, fitting, near):
    return max((i + 2 for i, s in enumerate(own) if abs(s - fitting) > near * fitting), default=1)


def measured(a, seed, work):
    job = tasks.job(TASK, seed, steps=a.steps, evaluate_every=10**9)
    common = types.SimpleNamespace(pause=None, patience=600, ship=None)
    folder = os.path.join(work, str(seed))
    os.makedirs(folder)
    with halving(a.node, a.after, os.path.join(folder, "runs-*")) as cut:
        run = contenders.joined(job, [], TASK, cluster.nodes(), common, folder)["run"]
    if not cut:
        raise SystemExit(f"the run ended before its step {a.after}: more --steps")
    if a.keep:
        shutil.copytree(run, os.path.join(a.keep, f"halved-{a.node}-{seed}"), ignore=shutil.ignore_patterns("model", "checkpoints", "logs"), dirs_exist_ok=True)
    return cut[0], *followed(shares(run, a.node), cut[0])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--node", default="n1", choices=cluster.declared(CLUSTER)["machines"])
    p.add_argument("--after", type=int, default=150)
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--keep", help="folder that the records of the runs are copied to")
    p.add_argument("--result", action="store_true", help="write results/DATE-halved.md")
    a = p.parse_args()
    processes.end_on_signal()
    os.environ.setdefault("CE_NAME", "uneven")
    lines = ["| machine | seed | quota halved after step | share before | fitting share | first other share after | within 15 % after | within 20 % after |", "|---" * 8 + "|"]
    with tempfile.TemporaryDirectory(prefix="medley-halved-") as work:
        cluster.emu("up", cluster.topology(CLUSTER))
        try:
            for seed in range(1, a.rounds + 1):
                cut, before, fitting, first, near, about = measured(a, seed, work)
                lines.append(f"| {a.node} | {seed} | {cut} | {before:.0f} | {fitting:.0f} | {first} steps | {near} steps | {about} steps |")
                print(lines[-1], flush=True)
        finally:
            cluster.emu("down")
    print("\n".join(lines))
    if a.result:
        results.page("halved", "Shares after a quota was halved", f"{results.hardware()}. {TASK} on {CLUSTER}, data-parallel. Goal: fits within {GOAL} steps. "
                     f"Command: benchmarks/uneven/halved.py {' '.join(sys.argv[1:])}\n\n" + "\n".join(lines))


if __name__ == "__main__":
    main()
