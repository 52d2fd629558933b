"""Scenarios of serving; see run.sh and README.md beside this."""
import argparse, json, os, pathlib, subprocess, sys, tempfile, threading, time, urllib.request

import servers
from harness import results, stats
from harness.processes import end_on_signal

SCENARIOS = ["throughput", "added", "batching", "swaps", "uneven", "reloads"]


def contenders(work, given, model):
    """What is compared in throughput, by a short name."""
    venv = given.peers
    all_of_them = {
        "medley": lambda: servers.medley(work, model),
        "medley-binary": lambda: servers.medley(work, model, "binary"),
        "medley-grpc": lambda: servers.medley(work, model, "grpc"),
        "fastapi1": lambda: servers.fastapi(work, venv, 1),
        "fastapi2": lambda: servers.fastapi(work, venv, 2),
        "ray1": lambda: servers.ray_serve(work, venv, 1),
        "ray2": lambda: servers.ray_serve(work, venv, 2),
        "mlserver": lambda: servers.mlserver(work, venv),
        "mlserver-grpc": lambda: servers.mlserver(work, venv, "grpc"),
    }
    return {name: make for name, make in all_of_them.items() if not given.only or name in given.only}


def throughput(work, given, keep):
    """Requests a second over all connections, as many as are answered; everybody once in each round, every other round backwards."""
    model = servers.train(work / "iris", [64, 64], 300)
    turns = list(contenders(work, given, model).items())
    for pair in range(given.pairs):
        for name, make in turns if pair % 2 == 0 else reversed(turns):
            try:
                with make() as server:
                    run = servers.generate(server, given.connections, given.seconds, given.warm)
            except (RuntimeError, OSError, subprocess.CalledProcessError) as failed:
                print(f"{name} does not run here: {str(failed)[-300:]}", file=sys.stderr)
                continue
            keep(contender=name, round=pair, **run)


def added(work, given, keep):
    """Latency at half of what the server can do, beside an echo of the same server at the same rate: what the model and its protocol add."""
    model = servers.train(work / "iris", [64, 64], 300)
    for pair in range(given.pairs):
        with servers.medley(work, model) as server:
            most = servers.generate(server, given.connections, given.seconds, given.warm)["per_s"]
            keep(contender="medley", round=pair, rate=most / 2, **servers.generate(server, 50, given.seconds, given.warm, most / 2))
        with servers.echo(work) as server:
            keep(contender="echo", round=pair, rate=most / 2, **servers.generate(server, 50, given.seconds, given.warm, most / 2))


def batching(work, given, keep):
    """A model that takes about 5 ms a row: batches on and off, as many requests as are answered, and bursts at a rate that both can do."""
    model = servers.train(work / "wide", [4096, 3072], 5)
    for pair in range(given.pairs):
        most = []
        for name, more in (("one row at a time", ["--batch", 1]), ("batches", [])):
            with servers.medley(work, model, more=more) as server:
                run = servers.generate(server, 64, given.seconds, given.warm)
                most.append(run["per_s"])
                keep(contender=name, round=pair, **run)
        for name, more in (("one row at a time", ["--batch", 1]), ("batches", [])):
            with servers.medley(work, model, more=more) as server:
                run = servers.generate(server, 64, given.seconds, given.warm, 0.6 * most[0], "bursty")
                keep(contender=name + ", bursts", round=pair, rate=0.6 * most[0], **run)


def swaps(work, given, keep):
    """Two versions of one model change places under load. Each version has one answer to the same request: any other body is wrong."""
    models = [servers.train(work / f"swap{seed}", [64, 64], 300, seed) for seed in (1, 2)]
    registry = ["--registry", work / "registry"]
    for model in models:
        subprocess.run([*servers.MEDLEY, "models", "register", str(model), "--as", "iris", *map(str, registry)], check=True, capture_output=True)
    # The command's own start would cost answers more than the change that it asks for: one process promotes all.
    promoter = subprocess.Popen([*servers.JAVA, servers.BENCHMARK + "Promoter", str(work / "registry"), "iris"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def promote(version):
        promoter.stdin.write(f"{version}\n")
        promoter.stdin.flush()
        if not promoter.stdout.readline().startswith("promoted"):
            raise RuntimeError("a version could not be promoted")
    promote(1)
    with promoter, servers.medley(work, "registry:iris@production", more=[*registry, "--engine", "onnx"]) as server:
        rate = given.rate or servers.generate(server, 50, given.seconds, given.warm)["per_s"] / 4
        steady = servers.generate(server, 50, given.seconds, given.warm, rate)
        keep(contender="steady", rate=rate, **steady)
        swapped = lambda: sum("answers in place of" in line for _, line in list(server.process.said))
        over = threading.Event()
        failures = []

        def change():
            try:
                for count in range(given.swaps):
                    promote(2 - count % 2)
                    until = time.monotonic() + 300
                    while swapped() == count and not over.is_set():
                        if time.monotonic() > until:
                            raise RuntimeError(f"swap {count + 1}: the server did not change within 300 s")
                        time.sleep(0.02)
                    if over.is_set():
                        return
            except (RuntimeError, subprocess.CalledProcessError) as failed:
                failures.append(getattr(failed, "stderr", None) or failed)
        changer = threading.Thread(target=change, daemon=True)
        changer.start()
        part = 0
        while changer.is_alive():
            run = servers.generate(server, 50, given.seconds, 0.1, rate)
            run.pop("cpu_us", None)  # A version that is replaced takes its count along.
            versions = {}
            for body, count in run["bodies"].items():
                versions.setdefault(json.loads(body).get("model_version", "none") if body.startswith("{") else "none", []).append(count)
            wrong = sum(sum(counts) - max(counts) for counts in versions.values()) + sum(sum(c) for v, c in versions.items() if v not in ("1", "2"))
            keep(contender="swaps", part=part, rate=rate, swaps=swapped(), wrong=wrong, **servers.memory(server), **run)
            part += 1
        over.set()
        changer.join()
        promoter.stdin.close()
        if failures:
            raise RuntimeError(f"after {swapped()} swaps: {failures[0]}")


def uneven(work, given, keep):
    """Replicas of speed 1:2:8 behind the router, beside round robin and weights that are the true speeds; then with the fast one half as fast in the middle."""
    per_s = 11 / 0.040
    for pair in range(given.pairs):
        for slowed in (False, True):
            rate = per_s * (0.45 if slowed else 0.7)
            for name in ("medley route", "weights 1:2:8", "round robin"):
                # The slow ones begin to be slow when half of the time is over.
                after = given.warm + given.seconds / 2 + 6 if slowed else 0
                replicas = [servers.paced(work, speed, after if speed == 8 else 0) for speed in (1, 2, 8)]
                try:
                    router = servers.routed(work, replicas) if name == "medley route" else servers.weighted(
                        work, replicas, (1, 2, 8) if name.startswith("weights") else (1, 1, 1), name)
                    with router:
                        run = servers.generate(router, given.connections, given.seconds, given.warm, rate, seed=pair + 1)
                    keep(contender=name + (", one slowed" if slowed else ""), round=pair, rate=rate, **run)
                finally:
                    for replica in replicas:
                        replica.process.end()


def reloads(work, given, keep):
    """A model is loaded again and again; after 100 loads and at twenty points, memory of the process, its heap after a collection, and the cost of a request."""
    model = servers.train(work / "iris", [64, 64], 300)
    with servers.medley(work, model, more=["--engine", "onnx"]) as server:
        root = server.url.split("/v2")[0]
        for count in range(given.reloads + 1):
            if count == 100 or count % max(1, given.reloads // 20) == 0:
                run = servers.generate(server, 8, 2, 0.5, given.rate)
                keep(contender="reloads", reloads=count, **servers.memory(server), **run)
            urllib.request.urlopen(urllib.request.Request(root + "/v2/repository/models/iris/load", data=b"{}"), timeout=120).read()


def told(runs):
    """Tables of all scenarios, medians with the least and the most."""
    text = []
    for scenario in dict.fromkeys(run["scenario"] for run in runs):
        of_it = [run for run in runs if run["scenario"] == scenario]
        text += [f"## {scenario}", "", globals()[scenario].__doc__, "", "| | requests/s | p50, ms | p99, ms | p99.9, ms | failed | more |", "|---|---|---|---|---|---|---|"]
        for name in dict.fromkeys(run["contender"] for run in of_it):
            rows = [run for run in of_it if run["contender"] == name]
            cells = [stats.cell([r[key] for r in rows], lambda v: f"{v:,.2f}" if v < 100 else f"{v:,.0f}") for key in ("per_s", "p50_ms", "p99_ms", "p99.9_ms")]
            more = {key: f"{rows[0][key]:.0f} to {rows[-1][key]:.0f}" for key in ("swaps", "reloads", "rss_mib", "heap_mib", "cpu_us") if key in rows[0]}
            if "wrong" in rows[0]:
                more["wrong answers"] = sum(r["wrong"] for r in rows)
            text.append(f"| {name} | " + " | ".join(cells) + f" | {sum(r['failed'] for r in rows)} | {', '.join(f'{k} {v}' for k, v in more.items())} |")
        text.append("")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenarios")
    parser.add_argument("--append", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--warm", type=float, default=10)
    parser.add_argument("--connections", type=int, default=300)
    parser.add_argument("--swaps", type=int, default=1000)
    parser.add_argument("--reloads", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=0, help="requests a second of swaps and reloads; 0: a quarter of what is answered, and as many as are")
    parser.add_argument("--peers", type=pathlib.Path, default=pathlib.Path.home() / ".cache/medley-serving-peers")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--result", action="store_true")
    given = parser.parse_args()
    asked = SCENARIOS if given.scenarios == "all" else given.scenarios.split(",")
    for unknown in set(asked) - set(SCENARIOS):
        parser.error(f"there is no scenario {unknown}: give {', '.join(SCENARIOS)}, or all")
    if given.smoke:
        given.pairs, given.seconds, given.warm, given.swaps, given.reloads = 1, 3, 2, 3, 20
    if given.smoke and given.append:
        parser.error("figures of --smoke say nothing: leave out --append")
    end_on_signal()
    runs = []
    where = results.provenance()
    with tempfile.TemporaryDirectory() as folder:
        for scenario in asked:
            def keep(**run):
                runs.append(dict(scenario=scenario, **where, **{k: v for k, v in run.items() if k != "bodies"}))
                print(f"{scenario}: {run['contender']}: {run['per_s']:,.0f}/s, p50 {run['p50_ms']:.2f} ms, p99 {run['p99_ms']:.2f} ms, {run['failed']} failed", flush=True)
                if given.append:
                    results.append(given.append, runs[-1])
            globals()[scenario](pathlib.Path(folder), given, keep)
    of_append = results.read(given.append) if given.append else []
    of_this = [r for r in of_append if results.occasion(r) == results.occasion(of_append[-1])] or runs
    print(told(of_this))
    if given.result:
        if given.smoke:
            parser.error("figures of --smoke are no result")
        results.page("serving", "Serving", f"{results.machines(of_this)}; {results.states(of_this)}. The generator runs on the same machine.\n\n" + told(of_this))


if __name__ == "__main__":
    main()
