"""Asks a server with tritonclient and kserve, and through Prism: see conformance.sh."""

import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import numpy as np

SERVER, PRISM, DATA_PLANE, REPOSITORY = sys.argv[1:5]
ADDRESS = SERVER.split("://", 1)[1].rstrip("/")
TYPES = {"FP64": np.float64, "FP32": np.float32, "INT64": np.int64, "UINT8": np.uint8, "BOOL": np.bool_, "BYTES": np.object_}
failed = []
count = 0


def check(name, holds, what=""):
    global count
    count += 1
    if not holds:
        failed.append(name)
    print("%-6s %s%s" % ("ok" if holds else "FAILED", name, "" if holds else ": %s" % (what,)), flush=True)


def ask(url, body=None, content="application/json", headers=None):
    """Status, headers and text of an answer."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    kinds = {} if content is None else {"Content-Type": content}
    request = urllib.request.Request(url, data, {**kinds, **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def array(given):
    if given["datatype"] == "BYTES":
        return np.array([str(each).encode() for each in given["data"]], dtype=np.object_).reshape(given["shape"])
    return np.array(given["data"], dtype=TYPES[given["datatype"]]).reshape(given["shape"])


def with_triton(library, name, client, model, example, is_http):
    from tritonclient.utils import InferenceServerException

    check(name + " server is live", client.is_server_live())
    check(name + " server is ready", client.is_server_ready())
    check(name + " model is ready", client.is_model_ready(model))
    check(name + " version is ready", client.is_model_ready(model, "1"))
    server = client.get_server_metadata()
    check(name + " server metadata", (server["name"] if is_http else server.name) == "medley", server)
    metadata = client.get_model_metadata(model)
    inputs = metadata["inputs"] if is_http else metadata.inputs
    check(name + " model metadata", len(inputs) == len(example["inputs"]), metadata)
    index = client.get_model_repository_index()
    names = [each["name"] for each in index] if is_http else [each.name for each in index.models]
    check(name + " repository index", model in names, names)
    statistics = client.get_inference_statistics(model)
    check(name + " statistics", len(statistics["model_stats"] if is_http else statistics.model_stats) == 1)
    answers = []
    for binary in [True, False] if is_http else [True]:
        tensors = []
        for given in example["inputs"]:
            tensor = library.InferInput(given["name"], given["shape"], given["datatype"])
            if is_http:
                tensor.set_data_from_numpy(array(given), binary_data=binary)
            else:
                tensor.set_data_from_numpy(array(given))
            tensors.append(tensor)
        result = client.infer(model, tensors, request_id="7")
        answer = result.get_response()
        outputs = answer["outputs"] if is_http else answer.outputs
        first = outputs[0]["name"] if is_http else outputs[0].name
        check(name + " infer, binary %s" % binary, (answer["id"] if is_http else answer.id) == "7", answer)
        answers.append(result.as_numpy(first))
        wanted = [library.InferRequestedOutput(first)]
        some = client.infer(model, tensors, outputs=wanted).get_response()
        check(name + " one output", len(some["outputs"] if is_http else some.outputs) == 1, some)
        later = client.async_infer(model, tensors) if is_http else None
        if later is not None:
            check(name + " asynchronous", later.get_result().as_numpy(first) is not None)
    check(name + " equal answers", all(np.array_equal(each, answers[0]) for each in answers), answers)
    for what, call in {
        "unknown model": lambda: client.infer("no-such-model", tensors),
        "unknown version": lambda: client.infer(model, tensors, model_version="99"),
        "input left out": lambda: client.infer(model, tensors[1:] if len(tensors) > 1 else []),
    }.items():
        try:
            call()
            check(name + " " + what, False, "it was answered")
        except InferenceServerException as error:
            check(name + " " + what, bool(error.message()), error)
    client.unload_model(model)
    check(name + " unloaded", not client.is_model_ready(model))
    client.load_model(model)
    check(name + " loaded", client.is_model_ready(model))


async def with_kserve(model, example):
    import kserve

    tensors = [kserve.InferInput(each["name"], each["shape"], each["datatype"], each["data"]) for each in example["inputs"]]
    request = kserve.InferRequest(model_name=model, infer_inputs=tensors, request_id="k")
    rest = kserve.InferenceRESTClient(kserve.RESTConfig(protocol="v2"))
    check("kserve v2 server is live", await rest.is_server_live(SERVER))
    check("kserve v2 server is ready", await rest.is_server_ready(SERVER))
    check("kserve v2 model is ready", await rest.is_model_ready(SERVER, model))
    found = await rest.infer(SERVER, request, model_name=model)
    check("kserve v2 infer", found.model_name == model and len(found.outputs) > 0, found)
    first = kserve.InferenceRESTClient(kserve.RESTConfig(protocol="v1"))
    check("kserve v1 model is ready", await first.is_model_ready(SERVER, model))
    row = {each["name"]: each["data"][0] for each in example["inputs"]}
    if all(len(each["data"]) == 1 for each in example["inputs"]):
        found = await first.infer(SERVER, {"instances": [row, row]}, model_name=model)
        check("kserve v1 predict", len(found["predictions"]) == 2, found)
    grpc = kserve.InferenceGRPCClient(ADDRESS)
    check("kserve gRPC server is live", await grpc.is_server_live())
    check("kserve gRPC server is ready", await grpc.is_server_ready())
    check("kserve gRPC model is ready", await grpc.is_model_ready(model))
    arrays = []
    for each in example["inputs"]:
        tensor = kserve.InferInput(each["name"], each["shape"], each["datatype"])
        tensor.set_data_from_numpy(array(each), binary_data=True)
        arrays.append(tensor)
    found = await grpc.infer(kserve.InferRequest(model_name=model, infer_inputs=arrays))
    check("kserve gRPC infer", found.model_name == model and len(found.outputs) > 0, found)
    await grpc.close()
    await rest.close()
    await first.close()


class Proxy:
    """Prism between, which says in a header what it found wrong."""

    def __init__(self, document):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.root = "http://127.0.0.1:%d" % port
        self.log = tempfile.TemporaryFile("w+")
        command = [PRISM, "proxy", document, SERVER, "--port", str(port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.log.seek(0)
        raise SystemExit("Prism does not start: " + self.log.read())

    def passes(self, name, path, body=None, content="application/json", status=200):
        accepted = {"Accept": content} if content in ("text/csv", "application/x-ndjson") else {}
        found, headers, text = ask(self.root + path, body, content, accepted)
        wrong = json.loads(headers.get("sl-violations") or "[]")
        wrong = [each for each in wrong if each.get("severity") == "Error"]
        check("Prism " + name, found == status and not wrong, (found, wrong, text[:300]))

    def close(self):
        self.process.terminate()
        self.process.wait()


def through_prism(model, example, own):
    proxy = Proxy(DATA_PLANE)
    try:
        of = "/v2/models/%s" % model
        proxy.passes("live", "/v2/health/live")
        proxy.passes("ready", "/v2/health/ready")
        proxy.passes("server", "/v2/" if DATA_PLANE.endswith("yaml") else "/v2")
        version = of + "/versions/1"
        proxy.passes("version", version)
        proxy.passes("version is ready", version + "/ready")
        proxy.passes("infer by version", version + "/infer", {**example, "id": "p"})
        proxy.passes("infer", version + "/infer", {**example, "outputs": []})
        proxy.passes("infer with an unknown input", version + "/infer", {"inputs": [{"name": "?", "shape": [1], "datatype": "FP64", "data": [1]}]}, status=400)
    finally:
        proxy.close()
    proxy = Proxy(REPOSITORY)
    try:
        proxy.passes("index", "/v2/repository/index", {})
        proxy.passes("ready index", "/v2/repository/index", {"ready": True})
        proxy.passes("unload", "/v2/repository/models/%s/unload" % model, b"", None)
        proxy.passes("load", "/v2/repository/models/%s/load" % model, b"", None)
    finally:
        proxy.close()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(own, file)
        file.flush()
        proxy = Proxy(file.name)
        try:
            for path, item in own["paths"].items():
                concrete = path.replace("{model}", model).replace("{version}", "1")
                if "get" in item:
                    proxy.passes("own GET " + path, concrete)
                elif "{" not in path:
                    for content, media in item["post"]["requestBody"]["content"].items():
                        if "example" in media:
                            body = media["example"]
                            given = body.encode() if isinstance(body, str) else body
                            proxy.passes("own POST %s %s" % (path, content), concrete, given, content)
        finally:
            proxy.close()


def examples(own):
    """Arrays of a plausible sample by model; none of one whose samples are very long."""
    for path, item in own["paths"].items():
        if path.startswith("/v2/models/") and path.endswith("/infer") and "{" not in path:
            example = item["post"]["requestBody"]["content"]["application/json"].get("example")
            if example is not None:
                yield path.split("/")[3], example


def main():
    status, _, text = ask(SERVER + "/openapi.json")
    if status != 200:
        raise SystemExit("%s/openapi.json: %s" % (SERVER, text[:200]))
    own = json.loads(text)
    part = sys.argv[5]
    for model, example in examples(own):
        print("model %s" % model)
        if part == "tritonclient":
            import tritonclient.grpc
            import tritonclient.http

            http = tritonclient.http.InferenceServerClient(ADDRESS)
            with_triton(tritonclient.http, "tritonclient HTTP", http, model, example, True)
            grpc = tritonclient.grpc.InferenceServerClient(ADDRESS)
            with_triton(tritonclient.grpc, "tritonclient gRPC", grpc, model, example, False)
        elif part == "kserve":
            asyncio.run(with_kserve(model, example))
        else:
            through_prism(model, example, own)
    print("%s: %d checks, %d failed" % (part, count, len(failed)))
    sys.exit(1 if failed or not count else 0)


main()
