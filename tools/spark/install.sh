#!/bin/bash
# Puts a real pyspark into a Python environment of its own, for tests and benchmarks that need Spark's own distribution
# or its Python client:
#
#   tools/spark/install.sh [FOLDER]       (default: ~/.cache/medley-spark)
#
# Needs Python 3.10 or later and 1 GB of disk. Tests say that they were skipped where it is not there; MEDLEY_PYSPARK
# names another python. Its folder of Spark, for SPARK_HOME, is what the last line says.
set -euo pipefail
folder=${1:-$HOME/.cache/medley-spark}
mkdir -p "$folder"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q 'pyspark[connect]==4.2.0' numpy pandas pyarrow
"$folder/venv/bin/python" -c 'import pyspark; print(pyspark.__path__[0])'
