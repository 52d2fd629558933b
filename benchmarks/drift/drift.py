"""Trains alike from two states of the sources and compares the parameters after each epoch, bit by bit.

Each row is a strategy that repeats, by one transport and one codec (docs/data-parallel.md, What repeats). Its plan is recorded once, by
the side before: three workers with shares 4:2:1, and 1:4:2 from the third step or round on. Where codecs between sites are to be at work,
the plan says that two workers stand at one site and the third at another. Both sides replay this plan, so that times decide nothing. They
train two epochs of a small part of the data, each side with a cache of its own, and what is compared is the hash of the parameters on
which all workers agree (events of kind EPOCH) and the validation loss.

A side is a commit, which gets a worktree under --work, or the folder of a checkout; both are built there. Runs are lines of --runs; what is
there of the same commit, plan and machine is not run again, so a table can be made in pieces. Remove --work when rows or data have
changed. A run that fails, or loses a worker, is named with its last words. Exit code 1 if anything differs or fails.
"""
import argparse, concurrent.futures, gzip, hashlib, json, os, shutil, subprocess, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import processes, record, results, tasks
from rows import ROWS

BATCH = 32
EPOCHS = 2
SHARES, LATER, FROM = [4, 2, 1], [1, 4, 2], 3
SITES = ["a", "a", "b"]


class Side:
    """One state of the sources, built."""

    def __init__(self, name, work):
        self.folder = name if os.path.isdir(name) else os.path.join(work, results.git("rev-parse", "--short=10", name))
        if not os.path.isdir(self.folder):
            results.git("worktree", "add", "--detach", self.folder, name)
        self.commit = self._git("rev-parse", "--short=10", "HEAD") + ("+" if self._git("status", "--porcelain", "--untracked-files=no") else "")
        self.own = os.path.join(work, "own", self.commit)

    def _git(self, *arguments):
        return subprocess.run(["git", "-C", self.folder, *arguments], capture_output=True, text=True, check=True).stdout.strip()

    def build(self):
        built = os.path.join(self.own, "built")
        if os.path.exists(built) and not self.commit.endswith("+"):
            return
        repository = os.path.join(self.own, "m2")
        os.makedirs(self.own, exist_ok=True)
        if not os.path.isdir(repository):
            shutil.copytree(os.path.expanduser("~/.m2/repository"), repository, copy_function=os.link, ignore=shutil.ignore_patterns("medley"))
        command = ["mvn", "-B", "-q", "-DskipTests", "-pl", "cli", "-am", f"-Dmaven.repo.local={repository}", "install"]
        print(f"building {self.commit}", flush=True)
        for further in ["-o"], []:
            with open(os.path.join(self.own, "build.log"), "w") as log:
                if subprocess.run(command + further, cwd=self.folder, stdout=log, stderr=log).returncode == 0:
                    open(built, "w").close()
                    return
        raise SystemExit(f"{self.commit} does not build: see {log.name}")

    def train(self, job, keys, folder, cap_s, *options):
        """Trains with these keys in front of what the job file says; the run's folder. RuntimeError with the last words if that fails."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        command = [os.path.join(self.folder, "cli", "target", "medley", "bin", "medley"), "train", job, "--run-dir", folder, "--no-guesses", "--json"]
        for key, value in keys.items():
            command += ["-s", f"{key}={json.dumps(value)}"]
        process = processes.Process(command + list(options), os.path.join(folder, "train.log"), XDG_CACHE_HOME=os.path.join(self.own, "cache"),
                                    MEDLEY_ARCHIVES=os.path.join(self.own, "classes"))
        try:
            if process.wait(cap_s) != 0:
                raise RuntimeError(process.tail())
        finally:
            process.end()
        return next(os.path.join(folder, name) for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)))


def small_data(work, before):
    """Parts of the data sets, and a text of the side before; both sides read the same files."""
    folder = os.path.join(work, "data")
    images = os.path.join(folder, "images")
    os.makedirs(images, exist_ok=True)
    for name, count in [("train", 256), ("t10k", 128)]:
        for kind, head, size in [("images-idx3", 16, 784), ("labels-idx1", 8, 1)]:
            file = f"{name}-{kind}-ubyte.gz"
            with gzip.open(os.path.join(tasks.SHARED, "data", "fashion-mnist", "idx", file)) as whole:
                part = whole.read(head + count * size)
            with gzip.GzipFile(os.path.join(images, file), "wb", mtime=0) as out:
                out.write(part[:4] + count.to_bytes(4, "big") + part[8:])
    with gzip.open(os.path.join(tasks.SHARED, "data", "tiny-shakespeare", "input.txt.gz")) as whole:
        write(os.path.join(folder, "play.txt"), whole.read(32 << 10))
    with open(os.path.join(before.folder, "docs", "exchange.md"), "rb") as whole:
        write(os.path.join(folder, "text.md"), whole.read(12 << 10))
    return folder


def write(path, content):
    with open(path, "wb") as f:
        f.write(content)


def jobs(work, before):
    """By task: its job file, and the keys that make it small."""
    data = small_data(work, before)
    made = {"quickstart": (os.path.join(before.folder, "examples", "quickstart.yaml"), {"data.train": os.path.join(data, "text.md")})}
    for task, key, part in [("fashion-cnn", "data.train", "images"), ("shakespeare-gpt", "data.train", "play.txt")]:
        path = os.path.join(work, f"{task}.json")
        job = tasks.job(task, 1)
        if isinstance(job["data"], str):
            job["data"] = {"train": job["data"]}
        write(path, json.dumps(job).encode())
        made[task] = path, {key: os.path.join(data, part)}
    return made


def keys_of(of, further):
    """The keys of a row, of what all runs have in common, and further ones."""
    keys = {"train.batch": BATCH, "train.epochs": EPOCHS, "train.evaluate_every": 0, "checkpoint": {"every": 0},
            "cluster": {"workers": len(SHARES), "threads": 1, "java_options": ["-XX:TieredStopAtLevel=1"]}}
    keys.update(further, strategy=of["strategy"])
    keys.update({f"train.{key}": value for key, value in of["train"].items()})
    keys.update({f"data.{key}": value for key, value in of["data"].items()})
    return keys


def done_of(name, task, a):
    """The file that names the run with the recorded plan, once there is one."""
    return os.path.join(a.work, "plans", name + (f" {task}" if ROWS[name]["data"] else ""), "done")


def recorded(name, task, job, further, before, a):
    """The folder of a run of one step or round with the plan that is replayed. Tasks share it, but where samples have a place."""
    of, done = ROWS[name], done_of(name, task, a)
    if not os.path.exists(done):
        keys = keys_of(of, further)
        keys["strategy"] = dict(of["strategy"], shares=SHARES)
        keys["train.steps"] = 1
        run = before.train(job, keys, os.path.dirname(done), a.cap)
        path = os.path.join(run, "plan.jsonl")
        first = record.lines(path)[-1]
        if of["sites"]:
            first["sites"] = SITES
        later = json.loads(json.dumps(first))
        later["fromStep"] = FROM
        if not first["plan"].get("owners"):
            later["plan"]["shares"] = [first["plan"]["shares"][SHARES.index(share)] for share in LATER]
        write(path, "".join(json.dumps(line) + "\n" for line in (first, later)).encode())
        write(done, run.encode())
    with open(done) as f:
        return f.read()


def of_plan(run):
    """A hash of the plan that a run recorded, whenever it did."""
    plans = [dict(p, wallMillis=0) for p in record.lines(os.path.join(run, "plan.jsonl"))]
    return hashlib.sha256(json.dumps(plans, sort_keys=True).encode()).hexdigest()[:12]


def measured(side, name, task, job, further, plan, a):
    """The line of a run: by epoch the hash of the parameters and the validation loss; or its last words if it failed."""
    begun = time.time()
    line = dict(task=task, row=name, commit=side.commit, machine=results.hardware(), date=time.strftime("%Y-%m-%dT%H:%M:%S"), plan=of_plan(plan))
    folder = os.path.join(a.work, "runs", f"{name} {task}")
    try:
        run = side.train(job, keys_of(ROWS[name], further), folder, a.cap, "--replay", plan)
        events = record.lines(os.path.join(run, "events.jsonl"))
        troubled = [e["message"] for e in events if e["kind"] in ("LOST", "RESTARTED", "DISCARDED")]
        if troubled:  # Groups then formed elsewhere than the plan says: other numbers need not mean drift.
            raise RuntimeError("disturbed: " + troubled[0])
        losses = {e["step"]: e["loss"] for e in record.lines(os.path.join(run, "evaluations.jsonl"))}
        hashes = {e["step"]: e["value"] for e in events if e["kind"] == "EPOCH"}
        line["epochs"] = [dict(step=step, hash=hashes[step], loss=losses.get(step)) for step in sorted(hashes)]
        line["shares"] = [p["plan"]["shares"] for p in record.lines(os.path.join(run, "plan.jsonl"))]
        shutil.rmtree(folder)
    except RuntimeError as e:
        line["failed"] = str(e)[-1000:].replace(a.work, "")
    line["wall_s"] = round(time.time() - begun, 1)
    results.append(a.runs, line)
    return line


def pair(name, task, small, sides, kept, is_over, a):
    """The lines of both sides, run now or kept from earlier; None if one is neither kept nor may begin any more."""
    if is_over() and not os.path.exists(done_of(name, task, a)):
        return None
    try:
        plan = recorded(name, task, *small, sides[0], a)
    except RuntimeError as e:
        return [dict(failed=f"no plan: {e}")] * 2
    lines = []
    for side in sides:
        asked = side.commit, task, name, of_plan(plan), results.hardware()
        same = [r for r in kept if tuple(r[key] for key in ("commit", "task", "row", "plan", "machine")) == asked and "failed" not in r]
        if same and not side.commit.endswith("+"):
            lines.append(same[-1])
        elif is_over():
            return None
        else:
            lines.append(measured(side, name, task, *small, plan, a))
    return lines


def epochs(before, after):
    """By epoch: its number, and what each side came to."""
    for line in before, after:
        if "failed" in line or len(line["epochs"]) < EPOCHS:
            return [("-", *("fails: " + l["failed"].splitlines()[-1] if "failed" in l else f"has {len(l['epochs'])} epochs" for l in (before, after)), False)]
    return [(at, *(f"{e['hash']} loss {e['loss']:.6f}" for e in both), all(both[0][k] == both[1][k] for k in ("step", "hash", "loss")))
            for at, both in enumerate(zip(before["epochs"], after["epochs"]), 1)]


def words(task, name, lines):
    """The lines of a table for one run."""
    return "\n".join(f"| {task} | {name} | {at} | " + (f"equal | {one} |" if same else f"**differs** | {one} / {other} |")
                     for at, one, other, same in epochs(*lines))


def short(pairs, names, of):
    """A line for each row, a column for each task."""
    text = [f"| row | {' | '.join(of)} |", "|---|" + "---|" * len(of)]
    for name in names:
        cells = []
        for task in of:
            found = epochs(*pairs[task, name]) if (task, name) in pairs else []
            apart = [f"**differs** in epoch {at}: {one} / {other}" for at, one, other, same in found if not same]
            cells.append(apart[0] if apart else f"equal ({found[-1][1].split()[0]})" if found else "not run")
        text.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(text)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("before", help="a commit, or the folder of a checkout")
    p.add_argument("after", help="the same")
    p.add_argument("--tasks", default="quickstart,fashion-cnn,shakespeare-gpt", help="with commas between")
    p.add_argument("--rows", default=";".join(ROWS), help="with semicolons between: " + "; ".join(ROWS))
    p.add_argument("--work", default=os.path.join(tasks.ROOT, "..", "drift"), help="where worktrees, builds, data and plans are kept")
    p.add_argument("--runs", help="the file of raw runs; else runs.jsonl in --work")
    p.add_argument("--minutes", type=float, help="begin no row after so many")
    p.add_argument("--at-once", type=int, default=1, help="rows that are run at the same time")
    p.add_argument("--cap", type=float, default=300, help="seconds that a run may take")
    p.add_argument("--result", action="store_true", help="write results/DATE-drift.md")
    a = p.parse_args()
    processes.end_on_signal()
    a.work = os.path.abspath(a.work)
    a.runs = a.runs or os.path.join(a.work, "runs.jsonl")
    sides = [Side(name, a.work) for name in (a.before, a.after)]
    for side in sides:
        side.build()
    allowed, small, kept, pairs = results.Allowance(a.minutes), jobs(a.work, sides[0]), results.read(a.runs), {}
    names, of = a.rows.split(";"), a.tasks.split(",")

    def train(name):
        for task in of:
            lines = pair(name, task, small[task], sides, kept, allowed.is_used_up, a)
            if lines:
                pairs[task, name] = lines
                print(words(task, name, lines), flush=True)

    print("| task | row | epoch | | parameters |\n|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(a.at_once) as pool:
        list(pool.map(train, names))
    equal = sum(same for lines in pairs.values() for *_, same in epochs(*lines))
    total = sum(len(epochs(*lines)) for lines in pairs.values())
    said = f"{equal} of {total} epochs are equal; {len(names) * len(of) - len(pairs)} of {len(names) * len(of)} runs are missing."
    print(said)
    if a.result:
        about = f"Before: {sides[0].commit}, after: {sides[1].commit}. {results.hardware()}. {said}"
        results.page("drift", "Whether two states of the sources train to the same numbers", f"{about}\n\n{short(pairs, names, of)}")
    return 0 if equal == total else 1


if __name__ == "__main__":
    sys.exit(main())
