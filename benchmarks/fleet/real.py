#!/usr/bin/env python3
"""Sixteen small jobs on six unlike machines of the emulator, under one policy after the other.

    CLASSPATH=... EMULATOR=cluster-emu.sh DATA=folder real.py WORK fifo,index SEED OUT.csv

DATA is what `medley data get adult fashion-mnist tiny-shakespeare` wrote. Needs root, curl and the emulator. Each
policy plays the same arrivals and the same faults: an agent is killed twice, the hub once, a machine is warned and
taken. Then every job runs alone three times. WORK is thrown away before.
"""
import csv, json, os, random, re, shutil, signal, subprocess, sys, time

WORK, POLICIES, SEED, OUT = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3]), sys.argv[4]
EMULATOR, DATA, CLASSES = os.environ["EMULATOR"], os.environ["DATA"], os.environ["CLASSPATH"]
JAVA = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-cp", CLASSES, "dev.medley.cli.Main"]
TOPOLOGY = """cc cubic
weight 4096
node hub aws bw=1gbit
node a1 aws cpu=60 bw=1gbit
node a2 aws cpu=30 bw=1gbit
node g1 gcp cpu=30 bw=1gbit
node g2 gcp cpu=15 bw=500mbit
node z1 azure cpu=30 bw=200mbit
node z2 azure cpu=15 bw=200mbit
link * * bw=200mbit delay=10ms
"""
AGENTS = {"a1": ("aws", "c60"), "a2": ("aws", "c30"), "g1": ("gcp", "c30"), "g2": ("gcp", "c15"),
          "z1": ("azure", "c30"), "z2": ("azure", "c15")}
ADULT = "data: {train: %s/adult/adult-train.csv, validation: %s/adult/adult-test.csv, label: income}\n" % (DATA, DATA)
KINDS = {
    "adult-short": ADULT + "model: {family: mlp, hidden: [16]}\ntrain: {steps: 600, batch: 128, evaluate_every: 600}\n",
    "adult-long": ADULT + "model: {family: mlp, hidden: [64, 32]}\ntrain: {steps: 30000, batch: 256, evaluate_every: 30000}\n",
    "fashion": "data: %s/fashion-mnist\nmodel: {family: mlp, hidden: [64]}\n"
               "train: {steps: 4000, batch: 128, evaluate_every: 4000}\n" % DATA,
    "shakespeare": "data: {train: %s/tiny-shakespeare/input.txt, text: {unit: characters, context: 32}}\n"
                   "model: {family: transformer, layers: 1, width: 32, heads: 2}\n"
                   "train: {steps: 9000, batch: 32, evaluate_every: 9000, metrics: [loss]}\n" % DATA,
}
MIX = ["adult-short"] * 7 + ["fashion"] * 4 + ["shakespeare"] * 3 + ["adult-long"] * 2


def cluster(*words, **more):
    return subprocess.run(["bash", EMULATOR, *words], check=True, **more)


def start(node, words, log):
    return subprocess.Popen(["bash", EMULATOR, "exec", node, *JAVA, *words], stdout=open(log, "ab"),
                            stderr=subprocess.STDOUT, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


class Hub:
    def __init__(self, folder, policy, address):
        self.folder, self.policy, self.address = folder, policy, address
        self.start()

    def start(self):
        start("hub", ["hub", "--listen", "0.0.0.0:7070", "--host", self.address, "--folder", self.folder + "/hub",
                      "--policy", self.policy, "--round", "10", "--credentials", WORK + "/certs/hub"],
              self.folder + "/hub.log")
        for _ in range(600):
            time.sleep(0.1)
            if self.ask("fleet") is not None:
                return
        raise SystemExit("the hub does not answer: " + open(self.folder + "/hub.log").read()[-2000:])

    def kill(self):
        pids = subprocess.run(["pgrep", "-f", "cli.Main hub --listen 0.0.0.0:7070"], capture_output=True, text=True)
        for pid in pids.stdout.split():
            os.kill(int(pid), signal.SIGKILL)

    def ask(self, path, body=None):
        try:
            tokens = json.load(open(self.folder + "/hub/tokens.json"))["tokens"]
        except OSError:
            return None
        token = next(t["token"] for t in tokens if t["role"] == "ADMIN")
        words = ["curl", "-sk", "--max-time", "20", "--cert-type", "P12", "--cert", WORK + "/certs/me/identity.p12:medley",
                 "-H", "Authorization: Bearer " + token, "https://127.0.0.1:7070/api/v1/" + path]
        if body is not None:
            words += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
        done = subprocess.run(["bash", EMULATOR, "exec", "hub", *words], capture_output=True, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return None


def agent(folder, name):
    site, kind = AGENTS[name]
    start(name, ["agent", "--hub", ADDRESS + ":7070", "--credentials", WORK + "/certs/" + name, "--name", name, "--site", site,
                 "--type", kind, "--folder", folder + "/" + name, "--warning-file", folder + "/" + name + ".warned"],
          folder + "/" + name + ".log")


def arrivals():
    draw = random.Random(SEED)
    mix = list(MIX)
    draw.shuffle(mix)
    at, out = 0.0, []
    for kind in mix:
        out.append((at, kind))
        at += draw.expovariate(1 / 3.0)
    return out


def play(policy):
    folder = WORK + "/" + policy
    os.makedirs(folder)
    hub = Hub(folder, policy, ADDRESS)
    for name in AGENTS:
        agent(folder, name)
    while sum(m["health"] == "free" for m in (hub.ask("fleet") or {"machines": []})["machines"]) < len(AGENTS):
        time.sleep(1)
    faults = [(40, "kill a2"), (65, "hub"), (80, "warn z1"), (105, "take z1"), (120, "kill a2")]
    waiting, begin, kinds, predicted, lost = arrivals(), time.time(), {}, {}, 0
    while True:
        now = time.time() - begin
        while waiting and waiting[0][0] <= now:
            kind = waiting.pop(0)[1]
            job = hub.ask("jobs", {"name": kind + ".yaml", "jobFile": "name: %s\n" % kind + KINDS[kind], "folder": WORK})
            if job is None or "id" not in job:
                raise SystemExit("not taken: %s" % job)
            kinds[job["id"]] = kind
        while faults and faults[0][0] <= now:
            what = faults.pop(0)[1]
            print("%s %4.0f s: %s" % (policy, now, what), flush=True)
            if what == "hub":
                hub.kill()
                time.sleep(2)
                hub.start()
            elif what.startswith("warn"):
                open(folder + "/z1.warned", "w").write("25")
            else:
                cluster("kill", what.split()[1])
                if what.startswith("kill"):
                    time.sleep(1)
                    agent(folder, what.split()[1])
        jobs = hub.ask("jobs") or []
        for job in jobs:
            left = job["figures"]["remainingS"]
            if left is not None and job["figures"]["doneFraction"] > 0.1 and job["id"] not in predicted:
                predicted[job["id"]] = (time.time(), left)
        if not waiting and len(jobs) == len(MIX) and all(j["phase"] in ("DONE", "FAILED", "CANCELLED") for j in jobs):
            break
        if now > 1800:
            print("gave up after 30 minutes", flush=True)
            break
        time.sleep(2)
    moves = hub.ask("counters")["changes"]
    rows = []
    for job in jobs:
        figures, summary = job["figures"], {}
        if job["runFolder"]:
            summary = json.load(open(job["runFolder"] + "/summary.json"))
        end = figures["endedEpochS"] or time.time()
        foretold = predicted.get(job["id"])
        rows.append({
            "policy": policy, "seed": SEED, "job": job["id"], "kind": kinds[job["id"]], "phase": job["phase"],
            "submitted_s": round(figures["submittedEpochS"] - begin, 1),
            "started_s": round((figures["startedEpochS"] or end) - begin, 1), "ended_s": round(end - begin, 1),
            "completion_s": round(end - figures["submittedEpochS"], 1),
            "foretold_s": "" if foretold is None else round(foretold[1], 1),
            "from_then_s": "" if foretold is None else round(end - foretold[0], 1),
            "steps": summary.get("steps"), "samples": summary.get("samples"), "lost_workers": summary.get("lostWorkers"),
            "metric": metric(summary)})
    subprocess.run(["bash", EMULATOR, "exec", "hub", *JAVA, "jobs", "--all", "--credentials", WORK + "/certs/me", "--token-file",
                    token(folder)], stdout=open(folder + "/jobs.txt", "w"), stderr=subprocess.STDOUT)
    hub.kill()
    for node in [*AGENTS, "hub"]:
        cluster("kill", node)
    print("%s: %s" % (policy, moves), flush=True)
    return rows


def token(folder):
    tokens = json.load(open(folder + "/hub/tokens.json"))["tokens"]
    path = folder + "/me.token"
    open(path, "w").write(next(t["token"] for t in tokens if t["role"] == "ADMIN"))
    return path


def metric(summary):
    values = summary.get("metrics") or []
    return round(values[0]["value"], 5) if values else ""


def alone():
    rows = []
    for kind in KINDS:
        path = "%s/%s.yaml" % (WORK, kind)
        open(path, "w").write("name: %s\n" % kind + KINDS[kind])
        for seed in (1, 2, 3):
            runs = "%s/alone/%s-%d" % (WORK, kind, seed)
            begin = time.time()
            subprocess.run([*JAVA, "train", path, "--run-dir", runs, "-s", "seed=%d" % seed], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            run = [r for r in os.listdir(runs) if os.path.isfile("%s/%s/summary.json" % (runs, r))][0]
            summary = json.load(open("%s/%s/summary.json" % (runs, run)))
            rows.append({"policy": "alone", "seed": seed, "kind": kind, "phase": "DONE", "steps": summary["steps"],
                         "completion_s": round(time.time() - begin, 1), "samples": summary["samples"], "metric": metric(summary)})
    return rows


shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
open(WORK + "/topology", "w").write(TOPOLOGY)
cluster("up", WORK + "/topology")
try:
    nodes = subprocess.run(["bash", EMULATOR, "nodes"], capture_output=True, text=True).stdout
    ADDRESS = re.search(r"^hub \S+ (\S+)", nodes, re.M).group(1)
    subprocess.run([*JAVA, "certs", WORK + "/certs", "hub", *AGENTS, "me"], check=True, stdout=subprocess.DEVNULL)
    rows = alone()
    for policy in POLICIES:
        rows += play(policy)
finally:
    cluster("down")
columns = ["policy", "seed", "job", "kind", "phase", "submitted_s", "started_s", "ended_s", "completion_s", "foretold_s",
           "from_then_s", "steps", "samples", "lost_workers", "metric"]
with open(OUT, "w", newline="") as out:
    writer = csv.DictWriter(out, columns, restval="")
    writer.writeheader()
    writer.writerows(rows)
for policy in POLICIES:
    mine = [r for r in rows if r["policy"] == policy]
    print("%s: mean completion %.1f s, last end %.1f s, %d of %d done" % (
        policy, sum(r["completion_s"] for r in mine) / len(mine), max(r["ended_s"] for r in mine),
        sum(r["phase"] == "DONE" for r in mine), len(MIX)))
