"""Serves fakesnow on a free port of this machine, and what it leaves out of Snowflake's manners.

Prints the port. The user is anyone, the password is "right". Results are JSON where the session asks for it. After
POST /end-sessions all sessions are over, as they are after hours without a query.
"""

import base64
import gzip
import importlib
import json
import socket

import pyarrow as pa
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

server = importlib.import_module("fakesnow.server")  # The package has a function of that name.
wants_json = set()
time_formats = {}
ended = set()


def refused(code, message):
    return JSONResponse({"data": {}, "code": code, "message": message, "success": False})


async def body_of(request):
    body = await request.body()
    return json.loads(gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body)


async def login(request):
    data = (await body_of(request))["data"]
    if data.get("PASSWORD") != "right":
        return refused("390100", "Incorrect username or password was specified.")
    answer = json.loads((await server.login_request(request)).body)
    answer["data"]["masterToken"] = "m" + answer["data"]["token"]
    asked = data["SESSION_PARAMETERS"]
    time_formats[answer["data"]["token"]] = asked.get("TIME_OUTPUT_FORMAT", "HH24:MI:SS")
    if asked.get("JDBC_QUERY_RESULT_FORMAT") == "JSON":
        wants_json.add(answer["data"]["token"])
    return JSONResponse(answer)


async def query(request):
    token = server.to_token(request)
    if token in ended:
        return refused("390112", "Your session has expired. Please login again.")
    answer = await server.query_request(request)
    if answer.status_code != 200:
        return answer
    content = json.loads(answer.body)
    data = content.get("data") or {}
    if "parameters" in data:  # Each result says how its texts are to be.
        data["parameters"].append({"name": "TIME_OUTPUT_FORMAT", "value": time_formats[token]})
    if token in wants_json and data.get("queryResultFormat") == "arrow":
        packed = base64.b64decode(data.pop("rowsetBase64"))
        table = pa.ipc.open_stream(packed).read_all() if packed else None
        columns = [] if table is None else [
            [text(value, kind["type"].upper()) for value in column.to_pylist()]
            for column, kind in zip(table.columns, data["rowtype"])
        ]
        data["queryResultFormat"] = "json"
        data["version"] = 1  # Moments have their zone behind them.
        data["rowset"] = [list(row) for row in zip(*columns)]
    return JSONResponse(content)


def text(value, kind):
    """A value of fakesnow's Arrow as Snowflake's JSON has it."""
    if value is None or isinstance(value, dict) and value["epoch"] is None:
        return None
    if kind == "BOOLEAN":
        return "1" if value else "0"
    if kind == "DATE":
        return str(value.toordinal() - 719163)
    if kind == "TIME":
        return "%d.%09d" % divmod(value, 10**9)
    if kind.startswith("TIMESTAMP"):
        epoch, fraction = value["epoch"], value["fraction"]
        total = epoch * 10**9 + fraction
        sign, total = ("-", -total) if total < 0 else ("", total)
        seconds = "%s%d.%09d" % ((sign,) + divmod(total, 10**9))
        return seconds + " 1440" if kind == "TIMESTAMP_TZ" else seconds
    if kind == "BINARY":
        return value.hex().upper()
    return str(value)


async def end_sessions(_request):
    ended.update(server.sessions)
    return JSONResponse({"success": True})


async def renew(_request):
    return refused("390114", "Authentication token has expired.  The user must authenticate again.")


def main():
    own = [
        Route("/session/v1/login-request", login, methods=["POST"]),
        Route("/queries/v1/query-request", query, methods=["POST"]),
        Route("/session/token-request", renew, methods=["POST"]),
        Route("/end-sessions", end_sessions, methods=["POST"]),
    ]
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    app = Starlette(routes=own + server.routes)
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


main()
