"""Starts servers, ours and others, each with the URL and the body that ask it for one flower."""
import json, os, pathlib, re, socket, struct, subprocess, sys, time, urllib.error, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from harness.processes import Process

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FLOWER = [5.1, 3.5, 1.4, 0.2]
JAVA = ["java", "-Xmx2g", "-cp", os.environ.get("MEDLEY_CLASSPATH", "")]
MEDLEY = [*JAVA, "dev.medley.cli.Main"]
BENCHMARK = "dev.medley.benchmarks.serving."


def port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def train(folder, hidden, steps, seed=1):
    """A model of flowers; the same call makes it once."""
    model = next(folder.glob("runs/*/model"), None)
    if model:
        return model
    import random
    draw = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    centres = [[5.0, 3.4, 1.5, 0.25], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.5, 2.0]]
    lines = [",".join([*COLUMNS, "species"])]
    for i in range(900):
        lines.append(",".join([f"{v + draw.gauss(0, 0.3):.2f}" for v in centres[i % 3]] + [["setosa", "versicolor", "virginica"][i % 3]]))
    (folder / "iris.csv").write_text("\n".join(lines) + "\n")
    job = {"name": "iris", "data": {"train": str(folder / "iris.csv"), "label": "species"}, "model": {"family": "mlp", "hidden": hidden},
           "train": {"steps": steps}, "seed": seed, "cluster": {"workers": 1}}
    (folder / "job.yaml").write_text(json.dumps(job))
    done = subprocess.run([*MEDLEY, "train", folder / "job.yaml", "--run-dir", folder / "runs"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
    return next(folder.glob("runs/*/model"))


# Requests: one flower, in each way of asking.

def json_body(rows=1):
    return json.dumps({"inputs": [{"name": n, "shape": [rows, 1], "datatype": "FP64", "data": [v] * rows} for n, v in zip(COLUMNS, FLOWER)]}).encode()


def binary_body():
    """JSON first, then the doubles; with the header that says where they begin."""
    head = json.dumps({"inputs": [{"name": n, "shape": [1, 1], "datatype": "FP64", "parameters": {"binary_data_size": 8}} for n in COLUMNS],
                       "outputs": [{"name": "probability", "parameters": {"binary_data": True}}]}).encode()
    return head + struct.pack("<4d", *FLOWER), len(head)


def sklearn_body():
    return json.dumps({"inputs": [{"name": "x", "shape": [1, 4], "datatype": "FP64", "data": FLOWER}]}).encode()


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def grpc_body(inputs):
    """inference.ModelInferRequest with arrays as raw bytes; inputs are name, shape and doubles."""
    message = field(1, b"iris")
    for name, shape, _ in inputs:
        message += field(5, field(1, name.encode()) + field(2, b"FP64") + field(3, b"".join(map(varint, shape))))
    for _, _, values in inputs:
        message += field(7, struct.pack(f"<{len(values)}d", *values))
    return message


class Server:
    """A process that answers at a URL."""

    def __init__(self, name, command, url, body, ready, headers="Content-Type: application/json", log=None, **environment):
        self.name, self.url, self.headers = name, url, headers
        self.log = log
        self.body = log.with_suffix(".body")
        self.body.write_bytes(body)
        self.process = Process([str(word) for word in command], log, **environment)
        try:
            ready(self)
        except BaseException:
            self.process.end()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.end()

    @property
    def pid(self):
        return self.process.process.pid


def says(words, seconds=120):
    return lambda server: server.process.await_line(words, seconds)


def answers(url, body=None, seconds=120):
    """Waits until a request is answered by 200."""
    def wait(server):
        until = time.monotonic() + seconds
        while True:
            try:
                request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"})
                with urllib.request.urlopen(request, timeout=10) as answer:
                    if answer.status == 200:
                        return
            except (OSError, urllib.error.HTTPError):
                pass
            if server.process.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{server.name} does not answer:\n{server.process.tail()}")
            time.sleep(0.2)
    return wait


def medley(work, model, way="json", more=(), name=None):
    at = port()
    url, headers, body = f"http://127.0.0.1:{at}/v2/models/iris/infer", "Content-Type: application/json", json_body()
    if way == "binary":
        body, head = binary_body()
        headers = f"Inference-Header-Content-Length: {head}"
    if way == "grpc":
        url = f"grpc://127.0.0.1:{at}/inference.GRPCInferenceService/ModelInfer"
        body = grpc_body([(n, [1, 1], [v]) for n, v in zip(COLUMNS, FLOWER)])
    command = [*MEDLEY, "serve", f"iris={model}" if not str(model).startswith("registry:") else model, "--port", at, *more]
    return Server(name or f"medley {way}", command, url, body, says("serving at"), headers, work / f"medley-{way}-{at}.log")


def echo(work):
    at = port()
    return Server("echo", [*JAVA, BENCHMARK + "EchoServer", at], f"http://127.0.0.1:{at}/echo", json_body(), says("serving at"), log=work / f"echo-{at}.log")


def fastapi(work, venv, workers):
    at = port()
    url = f"http://127.0.0.1:{at}/v2/models/iris/infer"
    command = [venv / "bin/uvicorn", "fastapi_app:app", "--port", at, "--workers", workers, "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"]
    return Server(f"fastapi, {workers} workers", command, url, json_body(), answers(url, json_body()), log=work / f"fastapi-{at}.log",
                  PYTHONPATH=str(HERE / "peers"), OMP_NUM_THREADS="1")


def ray_serve(work, venv, replicas):
    at = port()
    url = f"http://127.0.0.1:{at}/v2/models/iris/infer"
    return Server(f"ray serve, {replicas} replicas", [venv / "bin/python", HERE / "peers/ray_app.py", at, replicas], url, json_body(),
                  answers(url, json_body(), 240), log=work / f"ray-{at}.log", OMP_NUM_THREADS="1", RAY_USAGE_STATS_ENABLED="0")


def mlserver(work, venv, way="json"):
    http, grpc = port(), port()
    folder = work / f"mlserver-{http}"
    own = pathlib.Path(f"{venv}-mlserver")
    own = own if own.exists() else venv
    subprocess.run([own / "bin/python", HERE / "peers/mlserver_model.py", folder, str(http), str(grpc)], check=True, capture_output=True)
    url = f"http://127.0.0.1:{http}/v2/models/iris/infer"
    ready = answers(url, sklearn_body())
    body = sklearn_body() if way == "json" else grpc_body([("x", [1, 4], FLOWER)])
    target = url if way == "json" else f"grpc://127.0.0.1:{grpc}/inference.GRPCInferenceService/ModelInfer"
    return Server(f"mlserver {way}", [own / "bin/mlserver", "start", folder], target, body, ready, log=work / f"mlserver-{way}-{http}.log", OMP_NUM_THREADS="1")


def paced(work, speed, slowed_after=0):
    at = port()
    return Server(f"speed {speed}", [*JAVA, BENCHMARK + "PacedServer", at, speed, slowed_after], f"http://127.0.0.1:{at}/", json_body(), says("serving at"),
                  log=work / f"paced-{at}.log")


def routed(work, servers):
    at = port()
    to = ",".join(s.url.split("/")[2] for s in servers)
    return Server("medley route", [*MEDLEY, "route", "--to", to, "--port", at], f"http://127.0.0.1:{at}/v2/models/m/infer", json_body(), says("routing at"),
                  log=work / f"route-{at}.log")


def weighted(work, servers, weights, name):
    at = port()
    to = [f"{s.url.split('/')[2].split(':')[1]}={w}" for s, w in zip(servers, weights)]
    return Server(name, [*JAVA, BENCHMARK + "WeightedRouter", at, *to], f"http://127.0.0.1:{at}/v2/models/m/infer", json_body(), says("routing at"),
                  log=work / f"weighted-{at}.log")


def memory(server):
    """MiB that the process has resident, and that its heap has after a collection."""
    with open(f"/proc/{server.pid}/status") as status:
        resident = next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))
    ask = lambda what: subprocess.run(["jcmd", str(server.pid), what], check=True, capture_output=True, text=True).stdout
    ask("GC.run")
    used = re.search(r"used (\d+)K", ask("GC.heap_info"))
    return {"rss_mib": resident, "heap_mib": int(used[1]) / 1024}


def cost(server):
    """Seconds of processor that a server of ours has used, and requests that it has answered."""
    with open(f"/proc/{server.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    where = server.url.replace("grpc://", "http://").split("/")[2]
    with urllib.request.urlopen(f"http://{where}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    answered = sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith("nv_inference_request_success{"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), answered


def generate(server, connections, seconds, warm, rate=0, arrivals="poisson", seed=1):
    """The figures of one run of load."""
    command = [*JAVA, BENCHMARK + "LoadGenerator", "--url", server.url, "--body", server.body, "--headers", server.headers, "--connections", connections,
               "--seconds", seconds, "--warm", warm, "--rate", rate, "--arrivals", arrivals, "--seed", seed]
    ours = server.name.startswith("medley ") and server.name != "medley route"
    before = cost(server) if ours else None
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the generator failed at {server.name}: {done.stderr[-1000:]}")
    figures = json.loads(done.stdout.splitlines()[-1])
    if ours:
        seconds_of, requests = (after - was for after, was in zip(cost(server), before))
        if requests > 0:
            figures["cpu_us"] = 1e6 * seconds_of / requests
    return figures
