#!/bin/sh
# Rows per second from CSV and Parquet into encoded batches: Medley, DuckDB's own reader, pandas.
# usage: benchmarks/ingest/run.sh [ROWS [ROUNDS]]     PYTHON names a Python that has pandas
set -eu
rows=${1:-1000000}
rounds=${2:-5}
cd "$(dirname "$0")/../.."
python=${PYTHON:-$HOME/.cache/medley-peers/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn -B -q ${MAVEN_ARGS:-} -pl benchmarks -am compile dependency:build-classpath -Dmdep.outputFile="$work/class-path"
java -Xmx4g -cp "benchmarks/target/classes:$(cat "$work/class-path")" \
    dev.medley.benchmarks.ingest.IngestBenchmark "$work" "$rows" "$rounds"
if "$python" -c 'import pandas' 2>/dev/null; then
    "$python" benchmarks/ingest/pandas_ingest.py "$work" "$rows" "$rounds"
else
    echo "no pandas in $python: set PYTHON, or run ../shared/peers/install.sh" >&2
fi
