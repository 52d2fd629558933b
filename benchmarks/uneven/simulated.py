"""How near the simulator comes: calibrates a cluster file from measured runs, simulates it, and prints both step times.

Usage: python3 benchmarks/uneven/simulated.py CLUSTER=RUN ... [--warm BATCHES] [--write FOLDER] [--result]

    CLUSTER  uneven-one-site | uneven-two-clouds | three-clouds, whose topology file says quotas, bandwidths and latencies
    RUN      folder of a run that was measured there (bench.py --keep FOLDER keeps them)

From a run come the machines' speeds and their scatter alone: for each worker and share the median of the times in which it was busy, which are all but its
exchange and its waiting for others (computing, batches that were not ready, what surrounds a step), and through those the line t(b) = alpha + beta b, as
plan.simulator.Calibration has it (where all shares were alike, and of rounds, alpha is 0), how far computing scatters and how often a machine is held
up beyond that. Step times are not fitted:
links, quotas and the exchange are those of the topology and of the simulator, so that its step can be wrong. Measured is the mean of the whole steps after
the first 100 batches (--warm: on a quarter of a core the virtual machine still compiles then); of local steps, of the rounds. The short last one of an epoch is left out,
since the simulator has none. Simulated is the mean of five seeds: when the quotas of two machines begin, and who is slow in which step, is drawn, and of a run it is not known.
The goal is 10 %.
"""
import argparse, json, math, os, statistics, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import cluster
from harness import record, results, stats, tasks

WARM = 100
SEEDS = 5
GOAL = 0.10
HELD_UP = 3


def line(points):
    """(alpha, beta) by least squares of (share, ns); alpha not below 0, and beta above, however little shares of a few samples tell."""
    share, ns = (sum(v) / len(points) for v in zip(*points))
    squares = sum((s - share) ** 2 for s, _ in points)
    beta = max(0.01 * ns / share, sum((s - share) * (t - ns) for s, t in points) / squares) if squares else ns / share
    alpha = ns - beta * share
    return (alpha, beta) if alpha >= 0 else (0.0, ns / share)


def busy(step, worker):
    """In which a worker did something of its own, in ns."""
    return step["stepNs"] - worker["exchangeNs"] - worker["waitingNs"]


def whole(steps, has_quorum):
    """Without the last ones of epochs, which are short. With a quorum what is left over goes into the next round, so hardly two are equal."""
    least = 0.9 * statistics.median(s["samples"] for s in steps) if has_quorum else max(s["samples"] for s in steps)
    return [s for s in steps if s["samples"] >= least]


def speeds(steps, has_rounds):
    """By worker: alpha and beta in ns. The inner steps of a round are all of one size, so of rounds alpha is 0."""
    times = {}
    for step in steps:
        for w in step["workers"]:
            if w["samples"]:
                times.setdefault(w["worker"], {}).setdefault(w["samples"], []).append(busy(step, w))
    points = {worker: [(share, stats.median(ns)) for share, ns in by_share.items()] for worker, by_share in times.items()}
    return {worker: (0.0, stats.median(ns / share for share, ns in its)) if has_rounds else line(its) for worker, its in points.items()}


def unrest(steps, rounds):
    """By worker: what keeps its compute time from being the same in every step, as keys of a cluster file.

    Times beyond three (robust) deviations above the median are held up: how often that is and for how long is a pause. The deviation of the others is the
    variation, of one inner step where those are rounds. One deviation of all would make every round as unsure as one in which a machine stood.
    """
    times = {}
    for step in steps:
        for w in step["workers"]:
            if w["samples"]:
                times.setdefault(w["worker"], []).append((w["computeNs"] / w["samples"], w["samples"]))
    return {worker: steadiness(its, rounds) for worker, its in times.items()}


def steadiness(its, rounds):
    usual = statistics.median(ns for ns, _ in its)
    most = usual + HELD_UP * 1.4826 * statistics.median(abs(ns - usual) for ns, _ in its)
    steady, held = [ns for ns, _ in its if ns <= most], [(ns - usual) * samples for ns, samples in its if ns > most]
    varies = min(1.0, statistics.stdev(steady) / usual * math.sqrt(rounds)) if len(steady) > 2 else 0.0
    found = {"variation": round(varies, 3)}
    if held:
        every = (sum(ns * samples for ns, samples in its) - sum(held)) / len(held)  # Of computing, pauses not counted.
        found["pause"] = {"every": f"{every / 1e6:.0f}ms", "length": f"{statistics.mean(held) / 1e6:.3f}ms"}
    return found


def names(run):
    """Which machine each worker was on: the machines of the cluster's record stand by rank."""
    machines = [m["name"] for m in record.value(os.path.join(run, "cluster.json"))["machines"]]
    return dict(zip(record.lines(os.path.join(run, "plan.jsonl"))[-1]["workers"], machines))


def calibrated(name, run, steps, rounds):
    """The cluster file as a value; rounds: inner steps of one, 1 where all exchange in every step."""
    declared, on, restless, has_rounds = cluster.declared(name), names(run), unrest(steps, rounds), rounds > 1
    machines = []
    for worker, (alpha, beta) in sorted(speeds(steps, has_rounds).items()):
        node = declared["machines"][on[worker]]
        machines.append({"name": on[worker], "site": node["site"], "speed": {"alpha_ms": alpha / 1e6, "beta_ms": beta / 1e6},
                         **restless[worker], "quota": node["cpu"], "quota_period": f"{declared['period_us']}us", "bandwidth": f"{node['bits'] / 1e6:g} Mbit/s"})
    links = {"inside": {"latency": "100us", "bandwidth": "1 Gbit/s"}}
    for (one, other), link in declared["links"].items():
        noise = {**({"jitter": f"{link['jitter_ms']:g}ms"} if link["jitter_ms"] else {}), **({"loss": link["loss"]} if link["loss"] else {})}
        links[f"{one}-{other}"] = {"latency": f"{link['ms']:g}ms", "bandwidth": f"{link['bits'] / 1e6:g} Mbit/s", **noise}
    order = list(declared["machines"])
    return {"machines": sorted(machines, key=lambda m: order.index(m["name"])), "links": links}


def strategy(run, job):
    """The run's strategy, of auto the one that it took, as keys of a job file."""
    taken = record.lines(os.path.join(run, "plan.jsonl"))[-1]["strategy"] or job["strategy"]
    kind, codec = (taken[key].lower().replace("_", "-") for key in ("kind", "compress"))
    keys = {"kind": kind, "bucket": taken["bucketBytes"], "compress": codec}
    if kind != "data-parallel":
        keys["sync_every"] = taken["round"]["syncEvery"]
    stream, within = taken["round"].get("stream") or {}, taken["async"]
    keys.update({key: stream[key] for key, usual in (("fragments", 1), ("overlap", 0)) if stream.get(key, usual) != usual})
    quorum = taken["round"].get("quorum") or {}
    if quorum.get("quorum"):
        keys.update(quorum=quorum["quorum"], grace=f"{100 * quorum['graceShare']:g}%" if quorum["graceShare"] else f"{quorum['graceNs'] / 1e6:g}ms")
    if kind == "parameter-server":
        keys.update(sync=within["sync"].lower(), servers=within["servers"].lower().replace("_", "-"),
                    **({"staleness": within["staleness"]} if within["sync"] == "STALE" else {}))
    elif kind == "gossip":
        keys["mix_every"] = within["mixEvery"]
    return keys


def simulated(plan, job, folder):
    """The simulator's row for the job on the machines of the plan: a job's own strategy is the first."""
    files = [os.path.join(folder, name) for name in ("cluster.yaml", "job.yaml")]
    for path, what in zip(files, (plan, job)):
        with open(path, "w") as f:
            json.dump(what, f, indent=1)
    rows = [drawn(files, len(plan["machines"]), seed) for seed in range(1, SEEDS + 1)]
    if rows[0]["strategy"].split("/")[0].split(" ")[0] != job["strategy"]["kind"]:
        raise SystemExit(f"{job['strategy']} is not simulated; the first is {rows[0]['strategy']}")
    return dict(rows[0], **{key: statistics.mean(row[key] for row in rows) for key in ("stepMs", "computeMs", "samplesPerSecond")})


def drawn(files, machines, seed):
    said = subprocess.run([tasks.MEDLEY, "simulate", *files, "-s", f"seed={seed}", "--machines", str(machines), "--batch", "fixed", "--json"],
                          capture_output=True, text=True)
    if said.returncode != 0:
        raise SystemExit(f"medley simulate failed:\n{said.stderr}")
    return json.loads(said.stdout)["rows"][0]


def compared(name, run, warm, folder):
    """Measured and simulated figures of one run, without its first batches."""
    recorded = record.value(os.path.join(run, "job.json"))
    if recorded["name"] not in tasks.TASKS:
        raise SystemExit(f"{run}: {recorded['name']} is none of the tasks {', '.join(tasks.TASKS)}")
    keys = strategy(run, recorded)
    steps = record.Steps(run, warm * recorded["train"]["batch"])
    if not steps.warm:
        raise SystemExit(f"{run}: no step after the first {warm} batches")
    steps_whole = whole(steps.warm, "quorum" in keys)
    job = tasks.job(recorded["name"], recorded["seed"], steps=1000, batch=recorded["train"]["batch"])
    job["strategy"] = keys
    plan = calibrated(name, run, steps_whole, keys.get("sync_every", 1))
    job["cluster"] = {"workers": len(plan["machines"])}
    row = simulated(plan, job, folder)
    count = len(steps_whole)
    return dict(cluster=name, task=recorded["name"], strategy=row["strategy"], steps=count,
                step_ms=sum(s["stepNs"] for s in steps_whole) / count / 1e6, simulated_step_ms=row["stepMs"],
                busy_ms=sum(max(busy(s, w) for w in s["workers"]) for s in steps_whole) / count / 1e6, simulated_busy_ms=row["computeMs"],
                samples_per_s=steps.samples_per_s(), simulated_samples_per_s=row["samplesPerSecond"])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("runs", nargs="+", metavar="CLUSTER=RUN")
    p.add_argument("--warm", type=int, default=WARM, help="batches that are left out of what is measured")
    p.add_argument("--write", help="folder for the calibrated cluster files and jobs")
    p.add_argument("--result", action="store_true", help="write results/DATE-simulated.md")
    a = p.parse_args()
    heads = ["cluster", "task, strategy", "steps", "step, ms", "simulated", "apart", "longest busy, ms", "simulated", "samples/s", "simulated"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for item in a.runs:
        name, run = item.split("=", 1)
        with tempfile.TemporaryDirectory(prefix="medley-simulated-") as scratch:
            folder = os.path.join(a.write, f"{name}-{os.path.basename(os.path.normpath(run))}") if a.write else scratch
            os.makedirs(folder, exist_ok=True)
            f = compared(name, run, a.warm, folder)
        apart = f["simulated_step_ms"] / f["step_ms"] - 1
        lines.append(f"| {f['cluster']} | {f['task']}, {f['strategy']} | {f['steps']:,} | {f['step_ms']:,.1f} | {f['simulated_step_ms']:,.1f} | {apart:+.1%}"
                     f"{'' if abs(apart) <= GOAL else ' (beyond 10 %)'} | {f['busy_ms']:,.1f} | {f['simulated_busy_ms']:,.1f} | "
                     f"{f['samples_per_s']:,.0f} | {f['simulated_samples_per_s']:,.0f} |")
    print("\n".join(lines))
    if a.result:
        results.page("simulated", "The simulator beside measured runs", f"{results.hardware()}. Speeds from the runs, links and quotas from the topology files; "
                     "goal: step times within 10 %. Command: benchmarks/uneven/simulated.py\n\n" + "\n".join(lines))


if __name__ == "__main__":
    main()
