#!/bin/bash
# Puts a real Evidently, scipy and scikit-learn into a Python environment of its own, for the figures of drift
# (benchmarks/loop) and for the reference values that its statistics are tested with (tools/loop/references.py):
#
#   tools/loop/install.sh [FOLDER]        (default: ~/.cache/medley-evidently)
#
# Needs Python 3.10 or later and 1 GB of disk. Tests need none of it: the reference values are in the repository.
set -euo pipefail
folder=${1:-$HOME/.cache/medley-evidently}
python3 -m venv "$folder"
"$folder/bin/pip" install -q 'evidently==0.7.*' 'pandas<3' scipy scikit-learn
"$folder/bin/python" -c 'import evidently, scipy; print("evidently", evidently.__version__, "scipy", scipy.__version__)'
