"""Ray Serve: the same application as a deployment. Usage: ray_app.py PORT REPLICAS"""
import sys, time

import orjson
import ray
from ray import serve
from starlette.requests import Request
from starlette.responses import Response

sys.path.insert(0, __file__.rsplit("/", 1)[0])


@serve.deployment(num_replicas=int(sys.argv[2]) if len(sys.argv) > 2 else 1, max_ongoing_requests=400, ray_actor_options={"num_cpus": 0.1})
class Iris:
    def __init__(self):
        from model import answer, perceptron
        self.answer, self.model = answer, perceptron()

    async def __call__(self, request: Request):
        return Response(orjson.dumps(self.answer(self.model, orjson.loads(await request.body()))), media_type="application/json")


if __name__ == "__main__":
    here = __file__.rsplit("/", 1)[0]
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": here}})
    serve.start(http_options={"host": "127.0.0.1", "port": int(sys.argv[1]), "location": "HeadOnly"}, logging_config={"enable_access_log": False})
    serve.run(Iris.bind(), route_prefix="/v2/models/iris/infer")
    print("serving at", sys.argv[1], flush=True)
    while True:
        time.sleep(3600)
