"""The lines of walk.py: what is called in which cluster, and what has to come of it."""
import glob, json, os, shutil, subprocess, threading, time

import cluster as emulated
from cluster import emu
from harness import record
from harness.processes import Process
from harness.tasks import MEDLEY, ROOT, SHARED

PORT = 7077
BATCH = 256
EPOCH = 60_000
STEPS = 64  # Whole rounds.
PATIENCE_S = 240
LOOK_S = 0.05
LATE = "g3"
MIX = os.path.join(ROOT, "examples", "simulate", "uneven-two-clouds.yaml")
PROBED_BYTES = 600_000  # More than joining sends between sites, less than a probe.
LEAST_ACCURACY = 0.3  # A tenth is by chance; the least trained run here has 48 steps.

# Of the benchmark, with a fifth machine that comes late.
TWO_CLOUDS = open(emulated.topology("uneven-two-clouds")).read() + f"node {LATE} gcp cpu=22 bw=1gbit\n"
THREE_CLOUDS = open(emulated.topology("three-clouds")).read()


class Cluster:
    """An emulated cluster that is up, with a certificate for each machine; agents begin when the first run needs them, and stay."""

    def __init__(self, topology, work):
        self.work = tempfile_in(work)
        self.topology = os.path.join(self.work, "cluster.topo")
        with open(self.topology, "w") as f:
            f.write(topology)
        self.runs = os.path.join(self.work, "runs")
        self.agents = {}
        self.others = []
        self.count = 0

    def __enter__(self):
        emu("up", self.topology)
        self.nodes = {name: (site, address) for name, site, address in emulated.nodes()}
        self.home = self.nodes["a1"][1]
        self.usual = [n for n in self.nodes if n != LATE]
        self.certs = os.path.join(self.work, "certs")
        subprocess.run([MEDLEY, "certs", self.certs] + list(self.nodes), check=True, capture_output=True)
        return self

    def __exit__(self, *failure):
        self.stop(*list(self.agents))
        emu("down")

    def on(self, node, *command, **environment):
        self.count += 1
        process = emulated.on(node, list(command), os.path.join(self.work, f"{self.count:03}-{node}.log"), **environment)
        self.others.append(process)
        return process

    def end_calls(self):
        """Ends what a line may have left, but for agents."""
        for process in self.others:
            if process not in self.agents.values():
                process.end()
        self.others = list(self.agents.values())

    def start(self, *nodes, site=None, options=(), environment={}):
        """Agents on those machines, unless they are there."""
        for n in nodes:
            if n not in self.agents:
                where = ["--site", self.nodes[n][0]] if site is None else site
                self.agents[n] = self.on(n, MEDLEY, "agent", "--join", f"{self.home}:{PORT}", "--name", n, *where, "--credentials", os.path.join(self.certs, n),
                                         "--folder", os.path.join(self.work, "agents", n), *options, **environment)

    def stop(self, *nodes):
        for n in nodes:
            if n in self.agents:
                self.agents.pop(n).end()
                emu("kill", n)

    def listening(self):
        return ["--listen", f"{self.home}:{PORT}", "--expect", str(len(self.usual)), "--credentials", os.path.join(self.certs, "a1")]

    def begin(self, settings, job=None, more=()):
        """A run that has begun to wait for machines, and its folder of runs."""
        runs = os.path.join(self.runs, str(time.time_ns()))
        command = [MEDLEY, "train", job or self.job(), *self.listening(), "--run-dir", runs, "--no-guesses", *more]
        for key, value in settings.items():
            command += ["-s", f"{key}={value}"]
        return self.on("a1", *command), runs

    def job(self):
        path = os.path.join(self.work, "job.yaml")
        with open(path, "w") as f:
            json.dump({"data": SHARED + "/data/fashion-mnist", "model": "cnn",
                       "train": {"batch": BATCH, "steps": STEPS, "evaluate_every": 10**6, "optimizer": {"kind": "adam", "learning_rate": 1e-3}, "schedule": "constant"}}, f)
        return path


def tempfile_in(work):
    path = os.path.join(work, str(time.time_ns()))
    os.makedirs(path)
    return path


class Run:
    """A run that has ended well: what it said, and its record."""

    def __init__(self, process, runs):
        code = process.wait(PATIENCE_S)
        self.said = "\n".join(line for _, line in process.said)
        assert code == 0, f"exit code {code}\n{process.tail()}"
        self.folder = max(glob.glob(runs + "/*/"))
        self.summary = record.value(os.path.join(self.folder, "summary.json"))
        self.job = record.value(os.path.join(self.folder, "job.json"))
        self.events = [e["message"] for e in record.lines(os.path.join(self.folder, "events.jsonl"))]
        self.plans = record.lines(os.path.join(self.folder, "plan.jsonl"))
        self.names = {w["worker"]: w["name"] for w in record.lines(os.path.join(self.folder, "workers.jsonl"))}

    def whole(self, steps=STEPS):
        """The samples of all steps were counted once, and something was learnt."""
        epochs, more = divmod(steps, -(-EPOCH // BATCH))
        asked, counted = epochs * EPOCH + more * BATCH, self.summary["samples"]
        rounds = BATCH * 64 if self.job["strategy"]["kind"] == "AUTO" else 1  # What it goes over to may have longer ones.
        assert asked <= counted < asked + rounds, f"{counted} samples, not {asked}"
        assert self.accuracy() >= LEAST_ACCURACY, f"accuracy {self.accuracy()}"
        return self

    def accuracy(self):
        return self.summary["metrics"][0]["value"]

    def shares(self, node, at=-1):
        """Of that machine in a recorded plan."""
        plan = self.plans[at]
        return next((s for w, s in zip(plan["workers"], plan["plan"]["shares"]) if self.names[w] == node), 0)

    def brief(self, *parts):
        sent = sum(l["sentBytes"] for l in self.summary.get("links") or [] if l["reach"] == "BETWEEN_SITES")
        texts = [f"accuracy {self.accuracy():.3f}", f"{sent / self.summary['samples']:,.0f} bytes between sites per sample", *parts]
        return "; ".join(texts)

    def first(self, part):
        """The first event that says so."""
        found = next((e for e in self.events if part in e), None)
        assert found, f"nothing said '{part}':\n" + "\n".join(self.events)
        return found


def after_steps(runs, steps, action):
    """Does something once so many steps (or rounds) are in the record of the run."""
    def watch():
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            files = glob.glob(os.path.join(runs, "*", "steps.jsonl"))
            if files and len(record.lines(files[0])) >= steps:
                action()
                return
            time.sleep(LOOK_S)
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def plain(settings, steps=STEPS, say=None):
    """A line: a run of the four machines to its end."""
    def line(c):
        c.start(*c.usual)
        run = Run(*c.begin({"train.steps": steps, **settings})).whole(steps)
        return run.brief(*([run.first(say)] if say else []))
    return line


def refused(words, *options):
    """A line: a call that ends with exit code 2 and one message that has those words."""
    def line(c):
        c.start(*c.usual)
        process, _ = c.begin({}, more=options)
        code = process.wait(PATIENCE_S)
        said = "\n".join(text for _, text in process.said)
        assert code == 2, f"exit code {code}\n{said}"
        assert all(w in said for w in words) and "\tat " not in said, said
        return said
    return line


def with_file(name, text, command, words, code=2):
    """A line: a call that reads a file of that text."""
    def line(c):
        path = os.path.join(c.work, name)
        with open(path, "w") as f:
            f.write(text)
        process = c.on("a1", MEDLEY, *[w.format(file=path, job=c.job(), work=c.work) for w in command])
        ended = process.wait(PATIENCE_S)
        said = "\n".join(t for _, t in process.said)
        assert ended == code and all(w in said for w in words) and "\tat " not in said, f"exit code {ended}\n{said}"
        return said if code == 2 else next(t for _, t in process.said if words[0] in t)
    return line


def look(command, words):
    """A line: doctor or profile on the machines."""
    def line(c):
        c.start(*c.usual)
        process = c.on("a1", MEDLEY, command, "--cluster", *c.listening())
        code = process.wait(PATIENCE_S)
        said = "\n".join(t for _, t in process.said)
        assert code == 0 and all(w in said for w in words), f"exit code {code}\n{said}"
        return f"{len(process.said)} lines"
    return line


def cut_in_the_probe(c):
    c.start(*c.usual)
    process = c.on("a1", MEDLEY, "profile", "--cluster", *c.listening())
    process.await_line("4 of 4", PATIENCE_S)
    quiet, until = emulated.crossing(emulated.traffic()), time.monotonic() + PATIENCE_S
    while emulated.crossing(emulated.traffic()) < quiet + PROBED_BYTES and time.monotonic() < until:
        time.sleep(LOOK_S)
    emu("cut", "aws", "gcp")
    try:
        code = process.wait(PATIENCE_S)
    finally:
        emu("heal", "aws", "gcp")
    said = "\n".join(t for _, t in process.said)
    assert code == 2 and "\tat " not in said, f"exit code {code}\n{said}"
    return process.said[-1][1]


def slowed(c, node, to, settings, steps, after):
    """A run in whose middle a machine's quota becomes smaller, and its share by the plan before."""
    c.start(*c.usual)
    usual = str(round(100 * emulated.declared("uneven-two-clouds")["machines"][node]["cpu"]))
    process, runs = c.begin({"train.steps": steps, **settings})
    after_steps(runs, after, lambda: emu("cpu", node, to))
    try:
        run = Run(process, runs).whole(steps)
    finally:
        emu("cpu", node, usual)
    last = max(at for at, plan in enumerate(run.plans) if plan["fromStep"] <= after)
    return run, run.shares(node, last)


def halved(c):
    run, before = slowed(c, "a1", "45", {}, 300, 100)
    assert run.shares("a1") < 0.9 * before, f"share {before}, then {run.shares('a1')}"
    return run.brief(f"its share went from {before} to {run.shares('a1')}")


def straggler(policy):
    """A machine that all wait for, or that gets less at once: its share follows in the end."""
    def line(c):
        run, before = slowed(c, "g1", "6", {"strategy.stragglers": policy}, 240, 80)
        assert run.shares("g1") < before / 2, f"share {before}, then {run.shares('g1')}"
        return run.brief(f"its share went from {before} to {run.shares('g1')}")
    return line


def straggler_leaves(c):
    """A machine that the others go on without; no link that is well looks slow meanwhile."""
    run, _ = slowed(c, "g1", "6", {"strategy.stragglers": "leave"}, 240, 80)
    wrong = [e for e in run.events if "were usual" in e]
    assert not wrong, "a link that was well: " + wrong[0]
    return run.brief(run.first("sits out"))


def late_joiner(c):
    c.start(*c.usual)
    process, runs = c.begin({"train.steps": 400})
    after_steps(runs, 10, lambda: c.start("g3"))
    run = Run(process, runs).whole(400)
    c.stop("g3")
    assert run.shares("g3") > 0, "g3 has no share at the end"
    since = next(p["fromStep"] for p in run.plans if len(p["workers"]) == 5)
    return run.brief(f"g3 takes part from step {since} on")


def crash(c):
    c.start(*c.usual)
    process, runs = c.begin({"train.steps": 300})
    after_steps(runs, 60, lambda: emu("crash", "a2"))
    try:
        run = Run(process, runs).whole(300)
    finally:
        emu("rejoin", "a2")
        c.stop("a2")
    return run.brief(run.first("silent"))


def leaves(c):
    c.start(*c.usual)
    process, runs = c.begin({"train.steps": 200})
    after_steps(runs, 60, lambda: emu("kill", "g2", "TERM"))
    run = Run(process, runs).whole(200)
    code = c.agents["g2"].wait(PATIENCE_S)
    c.agents.pop("g2")
    assert run.shares("g2") == 0, "g2 has a share still"
    return run.brief(f"its agent ended with {code}: " + run.first("is wanted back"))


def replayed(c):
    c.start(*c.usual)
    first = Run(*c.begin({})).whole()
    again = Run(*c.begin({}, more=["--replay", first.folder])).whole()
    losses = [[s["loss"] for s in record.lines(os.path.join(r.folder, "steps.jsonl"))] for r in (first, again)]
    assert losses[0] == losses[1], "losses differ"
    models = [open(glob.glob(r.folder + "model/*.safetensors")[0], "rb").read() for r in (first, again)]
    assert models[0] == models[1], "models differ"
    return f"{len(losses[0])} losses and {len(models[0]):,} bytes of parameters equal"


def hide(node):
    """Whoever opens a connection to the machine hears nothing: its SYNs go down a hole."""
    space = f"{os.environ['CE_NAME']}-{node}"
    for command in ("ip -n {0} link add hole type veth peer name bottom", "ip -n {0} link set hole up", "tc -n {0} qdisc add dev eth0 ingress",
                    "tc -n {0} filter add dev eth0 parent ffff: protocol ip u32 match ip protocol 6 0xff match u8 0x02 0x12 at 33"
                    " action mirred egress redirect dev hole"):
        subprocess.run(command.format(space).split(), check=True)


def show(node):
    space = f"{os.environ['CE_NAME']}-{node}"
    subprocess.run(["tc", "-n", space, "qdisc", "del", "dev", "eth0", "ingress"], check=True)
    subprocess.run(["ip", "-n", space, "link", "del", "hole"], check=True)


def behind_nat(c):
    """One machine at each site to which nobody can connect; others carry what these two have for each other."""
    c.stop(*list(c.agents))
    hidden = ["a2", "g2"]
    for n in hidden:
        hide(n)
    try:
        c.start(*(n for n in c.usual if n not in hidden))
        c.start(*hidden, options=["--behind-nat"])
        return Run(*c.begin({})).whole().brief()
    finally:
        c.stop(*hidden)
        for n in hidden:
            show(n)


def options_of_agents(c):
    c.stop(*list(c.agents))
    token = shutil.copy(os.path.join(c.certs, "a2", "token"), os.path.join(c.work, "token"))
    c.start("a1", options=["--ports", "7200-7201"])
    c.start("a2", options=["--interface", "eth0", "--token-file", token])
    c.start("g1", options=["--advertise", c.nodes["g1"][1], "--copy-files"])
    c.start("g2", options=["--once"])
    run = Run(*c.begin({})).whole()
    once = c.agents["g2"].wait(PATIENCE_S)
    assert once == 0, f"--once ended with {once}"
    c.stop(*list(c.agents))
    return run.brief()


def found_sites(c):
    c.stop(*list(c.agents))
    c.start(*c.usual, site=[])
    run = Run(*c.begin({})).whole()
    c.stop(*list(c.agents))
    return run.brief(run.first("2 sites by latency"))


def own_class(c):
    """An architecture of the user in a jar, on machines that fetch all they need."""
    c.stop(*list(c.agents))
    source = os.path.join(ROOT, "examples", "own-project")
    classes = os.path.join(c.work, "classes")
    jars = ":".join(glob.glob(os.path.join(ROOT, "cli", "target", "medley", "lib", "*.jar")))
    subprocess.run(["javac", "-cp", jars, "-d", classes] + glob.glob(source + "/src/main/java/com/example/S*.java"), check=True, capture_output=True)
    subprocess.run(["jar", "cf", os.path.join(c.work, "own.jar"), "-C", classes, "."], check=True)
    shutil.copy(source + "/spirals.csv", c.work)
    job = shutil.copy(source + "/job.yaml", os.path.join(c.work, "own.yaml"))
    c.start(*c.usual, options=["--copy-files"])
    run = Run(*c.begin({"cluster.class_path": "[own.jar]", "train.epochs": 10}, job=job))
    c.stop(*list(c.agents))
    return f"accuracy {run.accuracy():.3f}"


def by_store(c):
    """Data over a store that all machines see, none of which sees where it lies."""
    c.stop(*list(c.agents))
    c.start(*c.usual, options=["--copy-files"])
    run = Run(*c.begin({"cluster.data_store": "file://" + os.path.join(c.work, "store")})).whole()
    c.stop(*list(c.agents))
    count = sum(len(files) for _, _, files in os.walk(os.path.join(c.work, "store")))
    assert count, "nothing in the store"
    return run.brief(f"{count} files in the store")


def refused_machine(c, word, **start):
    """A machine that is refused on both sides, with that word; the run goes on with it once it is well."""
    c.stop(*list(c.agents))
    c.start("a1", "a2", "g1")
    c.start("g2", **start)
    process, runs = c.begin({})
    line = process.await_line(word, PATIENCE_S)
    code = c.agents["g2"].wait(PATIENCE_S)
    c.stop("g2")
    c.start("g2")
    Run(process, runs).whole()
    assert code == 2, f"its exit code is {code}"
    return line


def other_job(c):
    return refused_machine(c, "train.batch", options=["--job", c.job(), "-s", "train.batch=128"])


def other_clock(c):
    """A machine whose clock is three hours ahead."""
    library = os.path.join(c.work, "ahead.so")
    source = library[:-2] + "c"
    with open(source, "w") as f:
        f.write("#define _GNU_SOURCE\n#include <time.h>\n#include <sys/time.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
                "int clock_gettime(clockid_t c, struct timespec *t) { int r = syscall(SYS_clock_gettime, c, t); if (c == CLOCK_REALTIME) t->tv_sec += 10800; return r; }\n"
                "int gettimeofday(struct timeval *t, void *z) { int r = syscall(SYS_gettimeofday, t, z); t->tv_sec += 10800; return r; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True, capture_output=True)
    return refused_machine(c, "clock", environment={"LD_PRELOAD": library})


def adaptive(c):
    """The batch grows between its bounds, and says why; how many steps that makes is not known before."""
    c.start(*c.usual)
    run = Run(*c.begin({"train.batch": "adaptive", "train.batch_from": 128, "train.batch_to": 1024, "train.steps": 400}))
    assert run.accuracy() >= LEAST_ACCURACY, f"accuracy {run.accuracy()}"
    return run.brief(run.first("the batch changes from"))


def kind(name, **more):
    return {"strategy.kind": name, **{"strategy." + key: value for key, value in more.items()}}


LINES = {
    "doctor --cluster": look("doctor", ["a1", "a2", "g1", "g2"]),
    "profile --cluster": look("profile", ["a1", "a2", "g1", "g2"]),
    "profile, a link is cut": cut_in_the_probe,
    "strategy data-parallel": plain(kind("data-parallel")),
    "strategy local-sgd": plain(kind("local-sgd")),
    "strategy diloco": plain(kind("diloco", sync_every=16)),
    "strategy diloco, fragments": plain(kind("diloco", sync_every=16, fragments=4, overlap=4)),
    "strategy diloco, quorum and grace": plain(kind("diloco", sync_every=16, quorum=3, grace="20%")),
    "strategy diloco, outer Adam, quorum": plain(kind("diloco", sync_every=16, quorum=3, outer="adam")),
    "strategy hybrid": plain(kind("hybrid", sync_every=16)),
    "strategy gossip": plain(kind("gossip", sync_every=16)),
    "strategy parameter-server, bulk": plain(kind("parameter-server", sync="bulk")),
    "strategy parameter-server, stale": plain(kind("parameter-server", sync="stale", staleness=2)),
    "strategy parameter-server, async": plain(kind("parameter-server", sync="async")),
    "strategy parameter-server, per site": plain(kind("parameter-server", servers="per-site")),
    "strategy auto": plain(kind("auto"), steps=300),
    **{f"codec {name}": plain({"strategy.compress": name}, steps=48) for name in ("bf16", "fp16", "int8", "int4", "topk", "powersgd", "auto")},
    "codec onebit": plain({"strategy.compress": "onebit", "strategy.exact_steps": 8}, steps=48),
    "codec of a border": plain({"strategy.borders": "[{from: aws, to: gcp, codec: int4}, {from: gcp, to: aws, codec: int8}]"}, steps=48),
    "codec int8 with gossip": plain(kind("gossip", sync_every=16, compress="int8")),
    "codec int8 with hybrid": plain(kind("hybrid", sync_every=16, compress="int8")),
    "batch adaptive": adaptive,
    "precision auto": plain({"train.precision": "auto"}, steps=48),
    "placement strata": plain({"data.placement": "strata"}, steps=48),
    "replay": replayed,
    "quota halved": halved,
    "straggler, wait": straggler("wait"),
    "straggler, shrink": straggler("shrink"),
    "straggler, leave": straggler_leaves,
    "machine joins late": late_joiner,
    "machine leaves on SIGTERM": leaves,
    "machine crashes": crash,
    "agents behind NAT": behind_nat,
    "agents with options": options_of_agents,
    "agents, sites are found": found_sites,
    "agents fetch a user's jar": own_class,
    "agents fetch data from a store": by_store,
    "agents of another job": other_job,
    "agents of another clock": other_clock,
    "bad strategy": refused(["did you mean", "diloco"], "-s", "strategy.kind=dilocco"),
    "bad codec": refused(["did you mean", "int8"], "-s", "strategy.compress=int9"),
    "bad key": refused(["did you mean", "sync_every"], "-s", "strategy.sync_evry=4"),
    "bad sync_every": refused(["sync_every"], "-s", "strategy.kind=diloco", "-s", "strategy.sync_every=0"),
    "bad staleness": refused(["staleness"], "-s", "strategy.kind=parameter-server", "-s", "strategy.staleness=-1"),
    "bad quorum": refused(["quorum"], "-s", "strategy.kind=diloco", "-s", "strategy.quorum=9"),
    "bad border": refused(["mars"], "-s", "strategy.borders=[{from: mars, to: gcp, codec: int4}]"),
    "bad prices": with_file("prices.yaml", "currency: EUR\nmachines: {a1: 0.5}\n",
                            ["plan", "{job}", "--cluster", MIX, "--prices", "{file}"], ["prices.yaml"]),
    "plan with prices": with_file("prices.yaml", "currency: EUR\nmachines: {a1: 0.5, a2: 0.1, g1: 0.3, g2: 0.1}\negress_per_gb: 0.05\n",
                                  ["plan", "{job}", "--cluster", MIX, "--prices", "{file}"], ["EUR"], 0),
    "simulate": with_file("unused", "", ["simulate", MIX, "{job}", "--machines", "1,8,64,1024", "--report", "{work}/scaling.html"], ["1,024"], 0),
}
ELSEWHERE = {
    "three clouds, auto": plain(kind("auto"), steps=300),
    "three clouds, hybrid int8": plain(kind("hybrid", sync_every=16, compress="int8")),
    "three clouds, gossip": plain(kind("gossip", sync_every=16)),
    "three clouds, data-parallel": plain(kind("data-parallel"), steps=48),
}
ALL = [(TWO_CLOUDS, LINES), (THREE_CLOUDS, ELSEWHERE)]
