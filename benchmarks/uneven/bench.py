"""Runs Medley and PyTorch DDP in turn in one emulated cluster and prints medians, spread and ratios.

Every machine of the cluster gets one rank of the peer, or one `medley agent`. Medley's coordinator runs on the first machine, in its CPU
quota. Round r is run with seed r by all, and every other round in the opposite order; ratios are of runs with the same seed.

Figures are of steps alone: warm-up (the first 100 steps' worth of samples, on both sides, also on the way to a target), evaluation, set-up
and the sending of data are left out and listed by themselves, with the seconds of the whole command; changes of the plan and re-forming of the group are not. Bytes between sites are counted by the emulator on the
links themselves, over the whole run, and divided by the samples of the run. "Of the speeds in the run": samples/s over the sum of the
workers' speeds while they computed, throttling included; that is its utilisation, time in computing over time on the clock, averaged by
speed. "Of the bound": with --bound, see bound.py. Waiting is true waiting for others: time in which a worker's processor quota was used
up is not in it, and is listed as cpu.stat has it.

With --append runs are kept as lines of JSON, each with commit, date, cluster, task, variant and seed; runs that are there are not made
again while machine, day and, of Medley's, sources are the same. The page is made of those of the last machine and day.
"""
import argparse, json, os, shutil, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bound
import cluster
import contenders
import pauses
import report
from harness import processes, results
from harness.tasks import TASKS

DILOCO = {f"medley-diloco{every}": ["strategy.kind=diloco", f"strategy.sync_every={every}", "strategy.compress=int8"] for every in (16, 32, 64)}
AUTO = ["strategy.kind=auto"]
CLOUDS = {"medley-sync": [], **DILOCO, "medley-auto": AUTO}
MEDLEY = {  # variants by cluster; each is a list of -s overrides
    "uneven-one-site": {"medley": [], "medley-precision": ["train.precision=auto"], "medley-auto": AUTO},
    "one-site-five": {"medley-auto": AUTO},
    "uneven-two-clouds": CLOUDS,
    "three-clouds": CLOUDS,
}
# What a careful user of the peer would try, by cluster. Channels-last is for images; it changes nothing for the others.
BEST = ["--tuned", "--channels-last"]
LOCAL = {f"ddp-local{every}": BEST + ["--local-sgd", str(every)] for every in (16, 64)}
PEER = {
    "uneven-one-site": {"ddp": [], "ddp-tuned": BEST, "ddp-shares": BEST + ["--shares", "4,2,1,1"], **LOCAL},
    "one-site-five": {"ddp": [], "ddp-shares": BEST + ["--shares", "6,4,2,2,1"]},
    "uneven-two-clouds": {"ddp": [], "ddp-fp16": BEST + ["--hook", "fp16"], "ddp-powersgd": BEST + ["--hook", "powersgd"], **LOCAL,
                          "ddp-sites": BEST + ["--local-sgd", "64", "--site-period", "16", "--site-size", "2"]},
    "three-clouds": {"ddp": [], "ddp-fp16": BEST + ["--hook", "fp16"], **LOCAL},
}


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("cluster", choices=MEDLEY)
    p.add_argument("task", choices=TASKS)
    p.add_argument("--rounds", type=int, default=3, help="seeds 1 to ROUNDS")
    p.add_argument("--target", action="store_true", help="train to the task's target in place of a number of steps")
    p.add_argument("--bound", action="store_true", help="measure each machine alone first")
    p.add_argument("--only", default="", help="variants, with commas between")
    p.add_argument("--variant", action="append", default=[], help="NAME:KEY=VALUE,KEY=VALUE: one more of Medley")
    p.add_argument("--steps", type=int)
    p.add_argument("--sysctl", action="append", help="NAME=VALUE: of the kernel, on all machines, for all contenders")
    p.add_argument("--pause", help="NODE:EVERY:FOR: of each EVERY seconds of training this machine stands still for FOR")
    p.add_argument("--patience", type=float, default=900, help="seconds that a run may take")
    p.add_argument("--ship", action="store_true", help="agents fetch the data, though they see it where it lies")
    p.add_argument("--append", help="file of raw runs, read and added to")
    p.add_argument("--minutes", type=float, help="begin no run after so many; the one under way is finished")
    p.add_argument("--keep", help="folder that the records of Medley's runs are copied to")
    p.add_argument("--result", action="store_true", help="write results/DATE-CLUSTER-TASK.md")
    a = p.parse_args()
    if a.target and TASKS[a.task]["target"] is None:
        p.error(f"{a.task} has no target")
    if a.pause and a.bound:
        p.error("--bound and --pause: a machine that pauses alone has no bound to compare with; it would be of another cluster; take one of the two")
    if a.pause:
        try:
            pauses.Pause(a.pause)
        except ValueError as e:
            p.error(f"--pause={a.pause}: NODE:EVERY:FOR, seconds: {e}")
        if not a.target and any(contender is contenders.peer for _, contender, _ in variants(a)):
            p.error("--pause: without --target the peer says nothing before its end, so it would not be paused; take Medley's alone with --only")
    return a


def variants(a):
    """(name, contender, its options)."""
    all_of = [(n, contenders.peer, o) for n, o in PEER[a.cluster].items()] + [(n, contenders.medley, o) for n, o in MEDLEY[a.cluster].items()]
    all_of += [(v.split(":")[0], contenders.medley, v.split(":", 1)[1].split(",")) for v in a.variant]
    return [v for v in all_of if not a.only or v[0] in a.only.split(",")]


def wanted(a):
    """Runs in order: (what it is, how to make it)."""
    if a.bound:
        for node, batch in bound.parts(a.cluster, TASKS[a.task]["batch"]).items():
            yield (dict(variant=bound.ALONE + node, seed=1, options=[str(batch)], target=None),
                   lambda work, node=node, batch=batch: contenders.solo(node, a.task, batch, a, work))
    for seed in range(1, a.rounds + 1):
        ordered = variants(a) if seed % 2 else variants(a)[::-1]
        for name, contender, overrides in ordered:
            yield (dict(variant=name, seed=seed, options=overrides, target=TASKS[a.task]["target"] if a.target else None),
                   lambda work, c=contender, o=overrides, s=seed: c(o, a.task, a, s, work))


def is_same(run, identity, now):
    """Whether a run that was kept is the one that is wanted."""
    same = all(run.get(k) == v for k, v in identity.items()) and results.occasion(run) == results.occasion(now)
    return same and (run["variant"].startswith("ddp") or run["sources"] == now["sources"])


def make(identity, how, a, work):
    found = how(work)
    record = found.pop("run", None)
    if record and a.keep:
        name = f"{a.cluster}-{a.task}-{identity['variant'].replace(':', '-')}-{identity['seed']}"
        shutil.copytree(record, os.path.join(a.keep, name), ignore=shutil.ignore_patterns("model", "checkpoints", "logs"), dirs_exist_ok=True)
    return dict(identity, **found, **results.provenance())


def made(identity, how, a, work):
    """As make(); a peer that hangs or ends by itself has no figure, and the others go on."""
    try:
        return make(identity, how, a, work)
    except RuntimeError as e:
        if not identity["variant"].startswith("ddp"):
            raise
        return dict(identity, failed=str(e).splitlines()[0].rstrip(":"), **results.provenance())


def main():
    a = options()
    processes.end_on_signal()
    os.environ.setdefault("CE_NAME", "uneven")
    common = dict(cluster=a.cluster, task=a.task, warm=TASKS[a.task].get("warm"), steps=a.steps, sysctl=a.sysctl, ship=a.ship or None, pause=a.pause)
    kept, now, allowed = results.read(a.append), results.provenance(), results.Allowance(a.minutes)
    missing = []
    for identity, how in wanted(a):
        identity = dict(common, **identity)
        if not any(is_same(run, identity, now) for run in kept):
            missing.append((identity, how))
    if missing:
        with tempfile.TemporaryDirectory(prefix="medley-uneven-") as work:
            cluster.emu("up", cluster.topology(a.cluster))
            try:
                for setting in a.sysctl or []:
                    cluster.everywhere("sysctl", "-qw", setting)
                while missing and not allowed.is_used_up():
                    run = made(*missing.pop(0), a, work)
                    kept.append(run)
                    if a.append:
                        results.append(a.append, run)
                    print(json.dumps({k: v for k, v in run.items() if k not in ("links_per_sample", "workers")}), flush=True)
            finally:
                cluster.emu("down")
    target = TASKS[a.task]["target"] if a.target else None
    mine = [r for r in kept if all(r.get(k) == v for k, v in common.items())
            and (r["target"] == target or r["variant"].startswith(bound.ALONE))]
    text = report.of(mine, a)
    print(text)
    if missing:
        print(f"\n{len(missing)} runs are missing: call again with the same --append to go on")
    if a.result:
        text += f"\n\nCommand: benchmarks/uneven/run.sh {' '.join(sys.argv[1:])}"
        results.page(f"{a.cluster}-{a.task}{'-target' if a.target else ''}", f"{a.task} on {a.cluster}", text)


if __name__ == "__main__":
    main()
