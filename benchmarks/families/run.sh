#!/bin/sh
# Measures every family beside its peer, one after the other; raw runs go into a folder. Needs a quiet machine and a
# Python with lightgbm, scikit-learn, pandas and numpy; with SPARK_PYTHON, one with pyspark and pandas, MLlib is a peer too.
#
#   PYTHON=venv/bin/python MEDLEY_SHARED=../shared benchmarks/families/run.sh FOLDER
set -eu
[ $# = 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(dirname "$0")
python=${PYTHON:-python3}
mkdir -p "$1"
"$python" "$here/trees.py" "$1/trees.jsonl" --quality --ranking --speed 2
"$python" "$here/../tables/tables.py" "$1/tables.jsonl"
"$python" "$here/linear.py" "$1/linear.jsonl" ${SPARK_PYTHON:+--spark "$SPARK_PYTHON"}
"$python" "$here/kmeans.py" "$1/kmeans.jsonl" --pairs 2
"$python" "$here/ratings.py" speed "$1/ratings.jsonl"
"$python" "$here/killed.py" "$1/killed.jsonl" --result
