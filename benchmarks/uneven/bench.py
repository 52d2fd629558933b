"""Runs Medley and PyTorch DDP in turn in one emulated cluster and prints medians, spread and ratios.

Every machine of the cluster gets one rank of the peer, or one `medley agent`. Medley's coordinator runs on the first machine, in
its CPU quota. Figures are of steps alone: warm-up (the first WARM steps' worth of samples), evaluation, set-up and the sending of
data are left out; changes of the plan and re-forming of the group are not. Bytes between sites are counted by the emulator on the
links themselves, over the whole run, and divided by the samples of the run. Medley's bound is the sum of its workers' speeds as they
were in the run: samples over time in forward, backward and update, throttling included. What it reaches of that is its utilisation:
time in computing over time on the clock, averaged by speed. Waiting is true waiting for others: time in
which a worker's processor quota was used up is not in it.
"""
import argparse, glob, json, os, re, signal, statistics, subprocess, sys, tempfile, time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SHARED = os.environ.get("MEDLEY_SHARED", os.path.join(ROOT, "..", "shared"))
EMU = ["bash", os.path.join(SHARED, "tools", "cluster-emu.sh")]
PYTHON = sys.executable
PORT = 7077
WARM = 100

TASKS = {
    "fashion-cnn": dict(batch=256, target=0.88, better="higher", steps=400, every=50,
        job={"data": "{shared}/data/fashion-mnist", "model": "cnn",
             "train": {"optimizer": {"kind": "adam", "learning_rate": 1e-3}, "schedule": "constant"}}),
    "shakespeare-gpt": dict(batch=32, target=2.10, better="lower", steps=300, every=50,
        job={"data": {"train": "{shared}/data/tiny-shakespeare/input.txt.gz", "text": {"unit": "characters", "context": 128}},
             "model": {"family": "transformer", "layers": 4, "width": 128, "heads": 4},
             "train": {"optimizer": {"kind": "adamw", "learning_rate": 1e-3, "weight_decay": 0.01, "beta2": 0.99}, "schedule": "constant"}}),
}
# The peer's fixed tensors have the shape of these images; speed alone is compared.
TASKS["synthetic-mlp"] = dict(batch=128, target=None, better="higher", steps=400, every=10**9,
    job={"data": "{shared}/data/fashion-mnist", "model": {"family": "mlp", "hidden": [512, 512]},
         "train": {"optimizer": {"kind": "adam", "learning_rate": 1e-3}, "schedule": "constant"}})
DILOCO = ["strategy.kind=diloco", "strategy.sync_every=64", "strategy.compress=int8"]
AUTO = ["strategy.kind=auto"]
MEDLEY = {  # variants by cluster; each is a list of -s overrides
    "uneven-one-site": {"medley": [], "medley-precision": ["train.precision=auto"], "medley-auto": AUTO},
    "uneven-two-clouds": {"medley-sync": [], "medley-diloco": DILOCO, "medley-auto": AUTO},
    "three-clouds": {"medley-sync": [], "medley-diloco": DILOCO, "medley-auto": AUTO},
}
PEER = {
    "uneven-one-site": {"ddp": [], "ddp-tuned": ["--tuned"]},
    "uneven-two-clouds": {"ddp": [], "ddp-fp16": ["--tuned", "--hook", "fp16"], "ddp-local16": ["--tuned", "--local-sgd", "16"]},
    "three-clouds": {"ddp": [], "ddp-fp16": ["--tuned", "--hook", "fp16"], "ddp-local16": ["--tuned", "--local-sgd", "16"]},
}


def emu(*args, **kw):
    return subprocess.run(EMU + list(args), check=True, capture_output=True, text=True, **kw).stdout


def nodes():
    rows = [line.split() for line in emu("nodes").splitlines() if line.strip()]
    return [(r[0], r[1], r[2]) for r in rows]


def crossing():
    """Bytes that have gone over links between sites, both ways."""
    total = 0
    for line in emu("stats").splitlines():
        m = re.search(r"^wan \S+ bytes=(\d+)", line)
        if m:
            total += int(m.group(1))
    return total


def on(node, command, log, **env):
    line = EMU + ["exec", node, "env"] + [f"{k}={v}" for k, v in env.items()] + command
    return subprocess.Popen(line, stdout=log, stderr=subprocess.STDOUT, preexec_fn=os.setsid)


def end(processes):
    for p in processes:
        if p.poll() is None:
            os.killpg(p.pid, signal.SIGKILL)
        p.wait()


def peer(options, task, spec, a, seed, work):
    machines = nodes()
    before = crossing()
    logs, ranks = [], []
    for rank, (node, site, ip) in enumerate(machines):
        log = open(os.path.join(work, f"ddp-{node}.log"), "w+")
        logs.append(log)
        command = [PYTHON, os.path.join(SHARED, "peers", "pytorch_ddp.py"), task, "--data", os.path.join(SHARED, "data"),
                   "--batch", str(spec["batch"]), "--seed", str(seed), "--eval-every", str(spec["every"] if a.target else 10**9)]
        command += ["--target", str(spec["target"]), "--steps", str(a.steps or 6000)] if a.target \
            else ["--warm", str(WARM), "--steps", str(a.steps or spec["steps"])]
        ranks.append(on(node, command + options, log, RANK=rank, WORLD_SIZE=len(machines), MASTER_ADDR=machines[0][2], MASTER_PORT=29500))
    try:
        ranks[0].wait(timeout=a.patience)
    finally:
        end(ranks)
    lines = [l for l in open(logs[0].name) if l.startswith("{")]
    if not lines or '"end"' not in lines[-1]:
        raise SystemExit("the peer failed:\n" + open(logs[0].name).read()[-3000:])
    last = json.loads(lines[-1])
    return dict(samples_per_s=last["samples_per_s"], seconds_to_target=last["seconds_to_target"], metric=last["metric"],
                crossing_per_sample=(crossing() - before) / last["samples"], samples=last["samples"])


def certs(machines, work):
    folder = os.path.join(work, "certs")
    if not os.path.isdir(folder):
        subprocess.run([os.path.join(ROOT, "medley"), "certs", folder] + [m[0] for m in machines], check=True, capture_output=True)
    return folder


def medley(overrides, task, spec, a, seed, work):
    machines = nodes()
    runs = os.path.join(work, f"runs-{time.time_ns()}")
    job = json.loads(json.dumps(spec["job"]).replace("{shared}", SHARED))
    job.update(name=task, seed=seed)
    job["train"]["batch"] = spec["batch"]
    job["train"]["steps"] = a.steps or (6000 if a.target else spec["steps"])
    job["train"]["evaluate_every"] = spec["every"] if a.target else 10**9
    path = os.path.join(work, "job.yaml")
    with open(path, "w") as f:
        json.dump(job, f)
    before = crossing()
    command = [os.path.join(ROOT, "medley"), "train", path, "--listen", f"{machines[0][2]}:{PORT}", "--expect", str(len(machines)),
               "--run-dir", runs, "--credentials", os.path.join(certs(machines, work), machines[0][0])]
    for o in overrides:
        command += ["-s", o]
    if a.target:
        sign = ">=" if spec["better"] == "higher" else "<="
        command += ["-s", f"train.stop={{target: {spec['target']}}}"]
    log = open(os.path.join(work, "medley.log"), "w+")
    started = [on(machines[0][0], command, log)]
    for node, site, ip in machines:
        started.append(on(node, [os.path.join(ROOT, "medley"), "agent", "--join", f"{machines[0][2]}:{PORT}", "--name", node, "--site", site,
                                 "--once", "--credentials", os.path.join(certs(machines, work), node), "--folder", os.path.join(work, "agent-" + node)], open(os.path.join(work, f"agent-{node}.log"), "w")))
    try:
        rc = started[0].wait(timeout=a.patience)
    finally:
        end(started)
    if rc != 0:
        raise SystemExit("medley failed:\n" + open(log.name).read()[-3000:])
    run = max(glob.glob(runs + "/*/"))
    return dict(of_run(run, spec, a), crossing=crossing() - before, run=run)


def of_run(run, spec, a):
    steps = [json.loads(l) for l in open(run + "steps.jsonl")]
    evaluations = [json.loads(l) for l in open(run + "evaluations.jsonl")] if os.path.exists(run + "evaluations.jsonl") else []
    begun = steps[0]["wallMillis"] - steps[0]["stepNs"] / 1e6
    total = sum(s["samples"] for s in steps)
    seen, start = 0, None
    for s in steps:
        seen += s["samples"]
        if start is None and seen >= WARM * spec["batch"]:
            start, counted = s["wallMillis"], seen
    def evaluating(since, until):
        return sum(e["durationNs"] / 1e6 for e in evaluations if since < e["wallMillis"] <= until)
    last = steps[-1]["wallMillis"]
    out = dict(samples=total, samples_per_s=None, seconds_to_target=None, metric=None)
    if start is not None and last > start:
        out["samples_per_s"] = (total - counted) / (last - start - evaluating(start, last)) * 1e3
    for e in evaluations:
        value = e["metrics"][0]["value"]
        out["metric"] = value
        hit = spec["target"] is not None and (value >= spec["target"] if spec["better"] == "higher" else value <= spec["target"])
        if hit and out["seconds_to_target"] is None:
            out["seconds_to_target"] = (e["wallMillis"] - begun - evaluating(0, e["wallMillis"])) / 1e3
    tail = [s for s in steps if start is not None and s["wallMillis"] > start]
    waits = {}
    for s in tail:
        for w in s["workers"]:
            t = waits.setdefault(w["worker"], [0, 0, 0, 0])
            t[0] += w["computeNs"]; t[1] += w["waitingNs"]; t[2] += w["exchangeNs"]; t[3] += s["stepNs"]
    # What all would do if nobody waited: each worker's samples over its time in forward, backward and update.
    out["bound"] = sum(sum(w["samples"] for s in tail for w in s["workers"] if w["worker"] == k) / v[0] * 1e9 for k, v in waits.items() if v[0])
    out["workers"] = {k: dict(compute=v[0] / v[3], waiting=v[1] / v[3], exchange=v[2] / v[3]) for k, v in waits.items() if v[3]}
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("cluster"); p.add_argument("task", choices=TASKS)
    p.add_argument("--rounds", type=int, default=3); p.add_argument("--target", action="store_true")
    p.add_argument("--only", default=""); p.add_argument("--steps", type=int); p.add_argument("--patience", type=float, default=900)
    p.add_argument("--result", action="store_true"); p.add_argument("--variant", action="append", default=[], help="NAME:KEY=VALUE,KEY=VALUE")
    a = p.parse_args()
    spec = TASKS[a.task]
    variants = [(n, peer, o) for n, o in PEER[a.cluster].items()] + [(n, medley, o) for n, o in MEDLEY[a.cluster].items()]
    variants += [(v.split(":")[0], medley, v.split(":", 1)[1].split(",")) for v in a.variant]
    if a.only:
        variants = [v for v in variants if v[0] in a.only.split(",")]
    os.environ.setdefault("CE_NAME", "uneven")
    found = {}
    with tempfile.TemporaryDirectory(prefix="medley-uneven-") as work:
        emu("up", os.path.join(SHARED, "tools", "topologies", a.cluster + ".topo"))
        try:
            for round in range(a.rounds):
                for name, run, options in (variants if round % 2 == 0 else variants[::-1]):
                    r = run(options, a.task, spec, a, round + 1, work)
                    if "crossing" in r:
                        r["crossing_per_sample"] = r["crossing"] / r["samples"]
                    found.setdefault(name, []).append(r)
                    print(json.dumps(dict(round=round + 1, name=name, **{k: v for k, v in r.items() if k != "run"})), flush=True)
        finally:
            emu("down")
    report(found, a)


def median(values):
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


def report(found, a):
    key = "seconds_to_target" if a.target else "samples_per_s"
    base = {n: median([r[key] for r in rs]) for n, rs in found.items() if n.startswith("ddp")}
    rows = ["| | samples/s | of its bound | s to target | bytes between sites per sample | " + " | ".join(f"over {b}" for b in base) + " |", "|---" * (5 + len(base)) + "|"]
    for name, rs in found.items():
        sps, stt = [r["samples_per_s"] for r in rs], [r["seconds_to_target"] for r in rs]
        def cell(values, form):
            values = [v for v in values if v is not None]
            return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})" if values else "-"
        ratios = [f"{median([r[key] for r in rs]) / b:.2f}" if b and median([r[key] for r in rs]) else "-" for b in base.values()]
        bounded = [r for r in rs if r.get("bound") and r["samples_per_s"]]
        of_bound = cell([r["samples_per_s"] / r["bound"] for r in bounded], lambda v: f"{v:.0%}")
        of_bound += f" of {median([r['bound'] for r in bounded]):,.0f}" if bounded else ""
        rows.append(f"| {name} | {cell(sps, lambda v: f'{v:,.0f}')} | {of_bound} | {cell(stt, lambda v: f'{v:.1f}')} | {cell([r['crossing_per_sample'] for r in rs], lambda v: f'{v:,.0f}')} | " + " | ".join(ratios) + " |")
    text = "\n".join(rows)
    print(text)
    if a.result:
        cpu = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown processor")
        file = os.path.join(ROOT, "benchmarks", "results", f"{time.strftime('%Y-%m-%d')}-{a.cluster}-{a.task}{'-target' if a.target else ''}.md")
        with open(file, "w") as f:
            f.write(f"# {a.task} on {a.cluster}, {time.strftime('%Y-%m-%d')}\n\n{cpu}, {os.cpu_count()} cores, emulated cluster. {a.rounds} rounds, medians (least to most). "
                    f"Command: benchmarks/uneven/run.sh {' '.join(sys.argv[1:])}\n\n{text}\n")
        print("wrote", os.path.relpath(file, ROOT))


if __name__ == "__main__":
    main()
