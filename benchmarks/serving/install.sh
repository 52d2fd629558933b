#!/usr/bin/env bash
# Installs the servers that Medley is measured against: FastAPI with uvicorn, and Ray Serve, in one virtual environment
# (default: ~/.cache/medley-serving-peers), MLServer in another beside it, as it wants older libraries.
# Where no CPU wheel of torch is at hand, pip takes the one with CUDA inside: some GB, the same speed on a CPU.
# Usage: benchmarks/serving/install.sh [VENV]. Needs python3 with venv and a package index that has them. Prints the versions.
set -euo pipefail
venv=${1:-${HOME}/.cache/medley-serving-peers}
pip() { "$1/bin/pip" install -q --disable-pip-version-check "${@:2}"; }
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
[ -x "$venv-mlserver/bin/python" ] || python3 -m venv "$venv-mlserver"
pip "$venv" fastapi 'uvicorn[standard]' orjson 'ray[serve]' numpy torch
pip "$venv-mlserver" mlserver mlserver-sklearn scikit-learn
"$venv/bin/python" -c 'import fastapi, ray, torch, uvicorn
for m in (fastapi, uvicorn, torch, ray): print(m.__name__, m.__version__)'
"$venv-mlserver/bin/python" -c 'import mlserver, sklearn
for m in (mlserver, sklearn): print(m.__name__, m.__version__)'
