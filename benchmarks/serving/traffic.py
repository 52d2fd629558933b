"""Measures traffic between versions: equal versions that are rolled back, and how soon bad ones are.

    python3 benchmarks/serving/traffic.py cli/target/medley/bin/medley OUT.jsonl [rounds]

Trains a small table, serves 20 names of a registry, and asks all of them for rows, each request with a key of its own.
Each round gives every name a canary of a version that is the same model, for some seconds. Then versions that fail,
and one that is slow, get 5 % each.
"""

import http.client
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

MEDLEY, OUT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 10
NAMES = [f"m{i:02d}" for i in range(20)]
SECONDS = 20
THREADS = 8
PERIOD = 0.02  # Each thread asks 50 times a second at most.


def medley(*words):
    return subprocess.run([MEDLEY, *words], check=True, capture_output=True, text=True).stdout


def customers(path, first):
    rng = random.Random(7)
    with open(path, "w") as out:
        out.write(f"{first},contract,price,left\n")
        for _ in range(2000):
            months, monthly, price = rng.randrange(60), rng.random() < 0.5, 20 + rng.random() * 80
            risk = (months < 12) + monthly + (price > 70) + rng.random()
            out.write(f"{months},{'monthly' if monthly else 'yearly'},{price:.2f},{'yes' if risk > 2.2 else 'no'}\n")


def trained(name, model, first):
    customers(f"{name}.csv", first)
    with open(f"{name}.yaml", "w") as job:
        job.write(f"name: {name}\ndata: {{train: {name}.csv, label: left}}\nmodel: {model}\ntrain: {{epochs: 2}}\n")
    medley("train", f"{name}.yaml")
    medley("models", "register", "latest", "--as", NAMES[0])


def deeds(name):
    folder = f"models/{name}/events"
    return {int(f[:-5]): json.load(open(f"{folder}/{f}")) for f in os.listdir(folder) if re.fullmatch(r"\d+\.json", f)}


def deed(name, event):
    """As the command writes it, without a start of a process for each of 20 names."""
    number = max(deeds(name)) + 1
    path = f"models/{name}/events/{number}.json"
    with open(path + ".tmp", "w") as out:
        json.dump(event, out)
    os.rename(path + ".tmp", path)
    return number


def canary(name, like, version, share):
    plan = dict(like["plan"])
    champion = plan["champion"]
    plan.update(challenger=version, salt=random.getrandbits(62), shares={str(champion): 1 - share, str(version): share})
    return deed(name, dict(like, version=version, plan=plan, atMillis=int(time.time() * 1000)))


class Load:
    """Asks all the time; remembers by name, version and status when."""

    def __init__(self, port):
        self.port, self.seen, self.over, self.lock = port, [], False, threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(i,)) for i in range(THREADS)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        rng = random.Random(number)
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        while not self.over:
            began = time.time()
            name = self.names[rng.randrange(len(self.names))]
            body = json.dumps({"months": rng.randrange(60), "contract": "monthly", "price": 50})
            headers = {"Content-Type": "application/json", "X-Medley-Key": str(rng.getrandbits(60))}
            try:
                connection.request("POST", f"/v1/models/{name}:rows", body, headers)
                answer = connection.getresponse()
                answer.read()
                version, status = int(answer.headers["X-Medley-Version"] or 0), answer.status
            except (OSError, http.client.HTTPException) as e:
                connection.close()
                version, status = 0, -1
            with self.lock:
                self.seen.append((began, time.time() - began, name, version, status))
            time.sleep(max(0, PERIOD - (time.time() - began)))

    names = NAMES

    def take(self):
        with self.lock:
            seen, self.seen = self.seen, []
        return seen


def equal(load, like, record):
    for number in range(ROUNDS):
        load.take()
        began = {name: canary(name, like, 2, (0.05, 0.2, 0.5)[i % 3]) for i, name in enumerate(NAMES)}
        time.sleep(SECONDS)
        seen = load.take()
        for name in NAMES:
            ended = [e for n, e in deeds(name).items() if n > began[name]]
            mine = [s for s in seen if s[2] == name]
            record(
                what="equal",
                round=number,
                name=name,
                requests=len(mine),
                ofCanary=sum(s[3] == 2 for s in mine),
                failed=sum(s[4] != 200 for s in mine),
                rolledBack=len(ended),
                why=ended[0]["why"] if ended else "",
            )
            if not ended:
                deed(name, dict(like, kind="SETTLED", version=1, plan=None))
        time.sleep(2)


def bad(load, like, version, word, record, times):
    name = NAMES[0]
    load.names = NAMES[:1]
    for number in range(times):
        load.take()
        began = canary(name, like, version, 0.05)
        end = time.time() + 90
        while time.time() < end and max(deeds(name)) == began:
            time.sleep(0.1)
        time.sleep(2)
        seen = [s for s in load.take() if s[2] == name]
        theirs = [s for s in seen if s[3] == version]
        ended = [e for n, e in deeds(name).items() if n > began]
        first = min((s[0] for s in theirs), default=0)
        last = max((s[0] for s in theirs), default=0)
        during = [s for s in seen if first <= s[0] <= last]
        record(
            what=word,
            round=number,
            seconds=round(ended[0]["atMillis"] / 1000 - first, 2) if ended else None,
            lastAsked=round(last - first, 2),
            requests=len(during),
            ofCanary=len(theirs),
            share=round(len(theirs) / max(1, len(during)), 4),
            otherFailed=sum(s[4] != 200 and s[3] != version for s in seen),
            why=ended[0]["why"] if ended else "",
        )
        if not ended:
            deed(name, dict(like, kind="SETTLED", version=1, plan=None))
            time.sleep(2)


def main():
    work = tempfile.mkdtemp()
    os.chdir(work)
    trained("first", "linear", "months")
    shutil.copytree(f"models/{NAMES[0]}/versions/1", f"models/{NAMES[0]}/versions/2")  # The same model.
    trained("failing", "linear", "tenure")
    trained("slow", "{family: mlp, hidden: [3000, 3000]}", "months")
    medley("models", "promote", NAMES[0], "1")
    medley("models", "canary", NAMES[0], "2", "--share", "5%", "--because", "measured")
    like = deeds(NAMES[0])[max(deeds(NAMES[0]))]
    medley("models", "settle", NAMES[0])
    for name in NAMES[1:]:
        shutil.copytree(f"models/{NAMES[0]}", f"models/{name}")
    log = open("serve.log", "w")
    words = [f"registry:{name}" for name in NAMES]
    server = subprocess.Popen([MEDLEY, "serve", *words, "--port", "0", "--engine", "libtorch"], stderr=log, stdout=log)
    try:
        port = None
        while port is None:
            found = re.search(r"serving at http://[^:]+:(\d+)", open("serve.log").read())
            port = int(found[1]) if found else None
            time.sleep(0.2)
        load = Load(port)
        time.sleep(5)
        with open(OUT, "a") as out:

            def record(**values):
                print(json.dumps(values), file=out, flush=True)
                print(values, flush=True)

            bad(load, like, 3, "failing", record, 5)
            bad(load, like, 4, "slow", record, 5)
            load.names = NAMES
            equal(load, like, record)
        load.over = True
        for thread in load.threads:
            thread.join()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        print(open("serve.log").read()[-3000:])
    shutil.rmtree(work)


main()
