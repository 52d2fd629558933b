"""FastAPI at its best: orjson both ways, no validation of the body, torch on one thread, run by uvicorn with uvloop and httptools."""
import orjson
from fastapi import FastAPI, Request, Response

from model import answer, perceptron

app = FastAPI()
MODEL = perceptron()


@app.post("/v2/models/iris/infer")
async def infer(request: Request):
    return Response(orjson.dumps(answer(MODEL, orjson.loads(await request.body()))), media_type="application/json")
