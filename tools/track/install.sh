#!/bin/bash
# Puts a real MLflow server and TensorBoard into a Python environment of its own, for the tests that ask them:
#
#   tools/track/install.sh [FOLDER]       (default: ~/.cache/medley-mlflow)
#
# Needs Python 3.10 or later and 2 GB of disk. Tests say that they were skipped where it is not there; MEDLEY_MLFLOW
# names another folder. MEDLEY_ENGINES=1 asks for them: docs/tracking.md.
set -euo pipefail
folder=${1:-$HOME/.cache/medley-mlflow}
python3 -m venv "$folder"
"$folder/bin/pip" install -q 'mlflow==3.17.2' 'tensorboard==2.21.0'
"$folder/bin/python" -c 'import mlflow, tensorboard; print("mlflow", mlflow.__version__)'
