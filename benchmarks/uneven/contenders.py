"""Medley and PyTorch DistributedDataParallel, each once in the emulated cluster that is up."""
import glob, json, os, shutil, statistics, subprocess, sys, time

import cluster
import pauses
from harness import record, tasks
from harness.tasks import MEDLEY, SHARED, TASKS

PORT = 7077
PEER_PORT = 29500
WARM = 100


def warm(task):
    """Steps that neither side counts, of the task's batch."""
    return TASKS[task].get("warm", WARM)


def watched(run):
    """What run() finds, with what crossed the links meanwhile and how often quotas were used up."""
    traffic, periods = cluster.traffic(), cluster.quota_periods()
    found = run()
    links = {k: v - traffic.get(k, 0) for k, v in cluster.traffic().items()}
    return dict(found, links_per_sample={k: v / found["samples"] for k, v in links.items()},
                crossing_per_sample=cluster.crossing(links) / found["samples"],
                throttled=cluster.throttled(periods, cluster.quota_periods()))


def peer(options, task, a, seed, work):
    """PyTorch: one rank on each machine, by name, so that ranks of a site are neighbours."""
    return watched(lambda: _peer(options, task, a, seed, work))


def _peer(options, task, a, seed, work):
    spec, machines = TASKS[task], cluster.nodes()
    command = [sys.executable, os.path.join(SHARED, "peers", "pytorch_ddp.py"), task, "--data", os.path.join(SHARED, "data"),
               "--batch", str(spec["batch"]), "--seed", str(seed), "--eval-every", str(spec["every"] if a.target else 10**9)]
    command += ["--warm", str(warm(task))]
    command += ["--target", str(spec["target"]), "--steps", str(a.steps or 6000)] if a.target else ["--steps", str(a.steps or spec["steps"])]
    ranks = [cluster.on(node, command + options, os.path.join(work, f"ddp-{node}.log"), RANK=rank, WORLD_SIZE=len(machines),
                        MASTER_ADDR=machines[0][2], MASTER_PORT=PEER_PORT) for rank, (node, _, _) in enumerate(machines)]
    try:
        with pauses.during(a.pause, lambda: ranks[0].first('"eval"')):
            ranks[0].wait(a.patience)
    finally:
        for rank in ranks:
            rank.end()
    events = [(at, json.loads(line)) for at, line in ranks[0].said if line.startswith("{")]
    if not events or events[-1][1]["event"] != "end":
        raise RuntimeError("the peer failed:\n" + ranks[0].tail())
    last = events[-1][1]
    reached = last["seconds_to_target"] is not None
    return dict(command_s=events[-1][0] - ranks[0].begun, samples_to_target=last["samples"] if reached else None, samples_per_s=last["samples_per_s"], seconds_to_target=last["seconds_to_target"], metric=last["metric"],
                samples=last["samples"], shipping_s=0.0, **apart_from_steps(ranks[0].begun, events))


def apart_from_steps(begun, events):
    """Set-up and evaluation of the peer, which times its steps alone, from when it said what.

    An evaluation is taken to be as long as those between timed steps, and steps before the first one as long as other untimed ones.
    Without evaluations set-up has the warm-up in it, which the peer does not time.
    """
    evaluations = [(at, e["s"]) for at, e in events if e["event"] == "eval"]
    if not evaluations:
        return dict(setup_s=events[-1][0] - begun - events[-1][1]["seconds"], evaluation_s=0.0)
    pairs = list(zip(evaluations, evaluations[1:]))
    timed = [(at - at0) - (s - s0) for (at0, s0), (at, s) in pairs if s > 0]
    usual = statistics.mean(timed) if timed else 0.0
    untimed = [at - at0 - usual for (at0, _), (at, s) in pairs if s == 0]
    before = statistics.mean(untimed) if untimed else 0.0
    return dict(setup_s=evaluations[0][0] - begun - evaluations[0][1] - usual - before, evaluation_s=usual * len(evaluations))


def medley(overrides, task, a, seed, work):
    """Medley: an agent on each machine, the coordinator on the first one, in its quota."""
    job = tasks.job(task, seed, steps=a.steps or (6000 if a.target else TASKS[task]["steps"]),
                    evaluate_every=TASKS[task]["every"] if a.target else 10**9)
    if a.target:
        job["train"]["stop"] = {"target": TASKS[task]["target"]}
    return watched(lambda: joined(job, overrides, task, cluster.nodes(), a, work))


def solo(node, task, batch, a, work):
    """Medley's worker on that machine alone, with so many samples a step; the coordinator where it always is."""
    job = tasks.job(task, 1, steps=a.steps or TASKS[task]["steps"], evaluate_every=10**9)
    job["train"]["batch"] = batch
    return watched(lambda: joined(job, [], task, [n for n in cluster.nodes() if n[0] == node], a, work))


def joined(job, overrides, task, machines, a, work):
    """Trains on those machines; the coordinator runs on the cluster's first."""
    home = cluster.nodes()[0]
    runs = os.path.join(work, f"runs-{time.time_ns()}")
    path = os.path.join(work, "job.yaml")
    with open(path, "w") as f:
        json.dump(job, f)
    command = [MEDLEY, "train", path, "--listen", f"{home[2]}:{PORT}", "--expect", str(len(machines)), "--run-dir", runs,
               "--no-guesses",  # As if it were the first run: no speeds, and no learning curves, of the runs before.
               "--credentials", os.path.join(certs(work), home[0])]
    for o in overrides:
        command += ["-s", o]
    train = cluster.on(home[0], command, os.path.join(work, "medley.log"))
    agents = [agent(machine, home, a, work) for machine in machines]
    try:
        with pauses.during(a.pause, lambda: any(os.path.getsize(steps) for steps in glob.glob(os.path.join(runs, "*", "steps.jsonl")))):
            code = train.wait(a.patience)
            ended = time.time()
    finally:
        for process in [train] + agents:
            process.end()
    if code != 0:
        raise SystemExit("medley failed:\n" + train.tail())
    run = max(glob.glob(runs + "/*/"))
    return dict(of_run(run, task, job["train"]["batch"]), command_s=ended - train.begun, setup_s=record.Steps(run, 0).begun_millis / 1e3 - train.begun,
                shipping_s=max(shipping(started) for started in agents), run=run)


def agent(machine, home, a, work):
    node, site, _ = machine
    command = [MEDLEY, "agent", "--join", f"{home[2]}:{PORT}", "--name", node, "--site", site, "--once",
               "--credentials", os.path.join(certs(work), node), "--folder", os.path.join(work, "agent-" + node)]
    if a.ship:
        shutil.rmtree(os.path.join(work, "agent-" + node), ignore_errors=True)
        command += ["--copy-files"]
    return cluster.on(node, command, os.path.join(work, f"agent-{node}.log"))


def shipping(agent):
    """Seconds in which the agent fetched files; 0 where it saw them where they lie."""
    begin, end = agent.first("fetching"), agent.first(" runs")
    return end - begin if begin and end else 0.0


def certs(work):
    folder = os.path.join(work, "certs")
    if not os.path.isdir(folder):
        subprocess.run([MEDLEY, "certs", folder] + [n[0] for n in cluster.nodes()], check=True, capture_output=True)
    return folder


def of_run(run, task, batch):
    steps = record.Steps(run, warm(task) * batch)
    workers = steps.workers()
    curve = record.evaluations(run)
    seconds, samples = steps.to_target(task)
    return dict(samples=steps.samples, samples_per_s=steps.samples_per_s(), seconds_to_target=seconds, samples_to_target=samples,
                metric=curve[-1][1] if curve else None, evaluation_s=steps.evaluating_ms(0, float("inf")) / 1e3,
                bound=sum(w["samples_per_s"] for w in workers.values()), workers=workers)
