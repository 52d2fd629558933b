"""Trains each task by each strategy and codec, and prints what they trade.

A row differs from data-parallel, or from diloco every 64 steps, in one thing. Four workers on this machine, of one thread each, at two
declared sites (two and two) with declared shares 4:1 and 2:1 join as machines do, over TCP, so that what is done between sites is done:
codecs, sums by site, hybrid. The reference is one process that takes the whole batch. All rows see the same samples (EPOCHS passes), with
the same seed the same initial parameters and the same order, and are evaluated every EVERY steps, or at the end of the round that this
falls into. Samples to the target are interpolated between two evaluations. Parameter servers (but bulk) and gossip do not repeat: their
spread has more than the seeds in it.

A cell, one run with one seed, is a file of JSON under --cells as soon as it is through, named by a hash of its settings; cells that
are there are not run again, whatever commit they are of (it is in the file). Samples/s are those of the run on this one machine, for
orientation: all workers share its cores. A run that fails is a cell too, with its last words; delete its file to try again.
"""
import argparse, hashlib, json, os, shutil, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import loopback, processes, record, results, tasks
from rows import REFERENCE, ROWS
import table

EPOCHS = 3
EVERY = 64
SHARES = [4, 1, 2, 1]
AGENTS = [("a1", "a"), ("a2", "a"), ("b1", "b"), ("b2", "b")]
WARM_BATCHES = 64
EFFICIENCIES = os.path.join(tasks.ROOT, "plan", "src", "main", "resources", "dev", "medley", "plan", "efficiency", "efficiency.json")


def settings(task, row, seed, epochs):
    """All that decides the numbers of a cell, as the job that is run; without where it runs."""
    job = tasks.job(task, seed, epochs=epochs, evaluate_every=EVERY, **row.train)
    job["checkpoint"] = {"every": 0}
    if row is REFERENCE:
        job["cluster"] = {"workers": 1, "threads": os.cpu_count()}
    else:
        job["cluster"] = {"threads": 1}
        job["strategy"] = dict(row.strategy, transport="tcp", shares=SHARES, balance="none")
    return job


def key(job, row):
    """The same settings give the same key on any machine."""
    plain = json.dumps(dict(job, cluster=None, agents=None if row is REFERENCE else AGENTS), sort_keys=True).replace(tasks.SHARED, "")
    return hashlib.sha256(plain.encode()).hexdigest()[:12]


def cell(task, row, seed, a):
    """Name and job of a cell."""
    job = settings(task, row, seed, a.epochs)
    name = "-".join("".join(c if c.isalnum() else " " for c in row.name).split())
    return os.path.join(a.cells, f"{task}-{name}-{seed}-{key(job, row)}.json"), job


def measured(task, row, job, work, cap_s):
    agents = [] if row is REFERENCE else AGENTS
    for attempt in range(3):
        run = loopback.train(job, agents, work, cap_s)
        sites = record.lines(os.path.join(run, "plan.jsonl"))[0].get("sites")
        if not agents or sites == [site for _, site in agents]:
            break
    else:
        raise RuntimeError(f"workers came in another order than they were started, three times: sites {sites}")
    steps = record.Steps(run, WARM_BATCHES * job["train"]["batch"])
    curve = record.evaluations(run)
    return dict(metric=curve[-1][1], curve=curve, samples=steps.samples, samples_per_s=steps.samples_per_s(),
                between_sites_per_sample=record.bytes_between_sites(run) / steps.samples, sites=sites)


def run(path, task, row, seed, job, a):
    begun = time.time()
    found = dict(task=task, row=row.name, seed=seed, settings=job, **results.provenance())
    work = tempfile.mkdtemp(prefix="medley-quality-")
    try:
        found.update(measured(task, row, job, work, a.cap))
    except RuntimeError as e:
        found["failed"] = str(e).replace(work, "").replace(tasks.SHARED, "").replace(tasks.ROOT, "")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    found["settings"] = json.loads(json.dumps(job).replace(tasks.SHARED, ""))
    found["wall_s"] = round(time.time() - begun, 1)
    os.makedirs(a.cells, exist_ok=True)
    with open(path + ".new", "w") as f:
        json.dump(found, f)
    os.rename(path + ".new", path)
    return found


def wanted(a):
    """(task, row, seed) in the order in which they tell most: all rows with the first seed before the second."""
    only = a.only.split(",") if a.only else None
    for seed in range(1, a.seeds + 1):
        for row in ROWS:
            for task in ([a.task] if a.task else ["fashion-cnn", "shakespeare-gpt"]):
                if (only is None or row.name in only) and (task in row.short or a.all_rows or only):
                    yield task, row, seed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--minutes", type=float, help="begin no run after so many; the one under way is finished")
    p.add_argument("--only", default="", help="names of rows, with commas between: " + "; ".join(r.name for r in ROWS))
    p.add_argument("--task", choices=["fashion-cnn", "shakespeare-gpt"])
    p.add_argument("--all-rows", action="store_true", help="also those that are left out so that the table takes two hours")
    p.add_argument("--seeds", type=int, default=3)
    p.add_argument("--epochs", type=float, default=EPOCHS, help="whole ones: in a part of an epoch a last round goes beyond it")
    p.add_argument("--cap", type=float, default=400, help="seconds that a run may take")
    p.add_argument("--cells", default=os.path.join(tasks.ROOT, "benchmarks", "results", "quality"))
    p.add_argument("--table", action="store_true", help="run nothing, print what is there")
    p.add_argument("--update", action="store_true", help="write what samples are worth into the product's table of efficiencies")
    p.add_argument("--result", action="store_true", help="write results/DATE-quality.md")
    a = p.parse_args()
    names = {r.name for r in ROWS}
    for name in filter(None, a.only.split(",")):
        if name not in names:
            p.error(f"no row is called {name}; there are: {'; '.join(sorted(names))}")
    processes.end_on_signal()
    allowed, cells, missing = results.Allowance(a.minutes), {}, 0
    for task, row, seed in wanted(a):
        path, job = cell(task, row, seed, a)
        if not os.path.exists(path):
            if a.table or allowed.is_used_up():
                missing += 1
                continue
            found = run(path, task, row, seed, job, a)
            outcome = found.get("failed", "")[-300:] or f"{found['metric']:.4f} at {found['samples_per_s'] or 0:,.0f} samples/s"
            print(f"{task}, {row.name}, seed {seed}: {outcome} ({found['wall_s']:.0f} s)", flush=True)
        with open(path) as f:
            cells[task, row.name, seed] = json.load(f)
    text = table.of(cells, a)
    print(text)
    if missing:
        print(f"\n{missing} cells are missing: call again to go on")
    if a.update:
        table.update(cells, EFFICIENCIES)
    if a.result:
        results.page("quality", "What strategies and codecs trade", text)


if __name__ == "__main__":
    main()
