#!/bin/sh
# Rows per second from CSV and Parquet into encoded batches: Medley, DuckDB's own reader, pandas. About two minutes.
#
# Usage: benchmarks/ingest/run.sh [--rows 1000000] [--rounds 5] [--result]
#
# --result writes benchmarks/results/DATE-ingest.md with the hardware. PYTHON names a Python that has pandas (else the
# peers' is taken); MAVEN_ARGS are handed to Maven (-o to build offline). Run it on a quiet machine.
set -eu
rows=1000000 rounds=5 result=
while [ $# -gt 0 ]; do
  case $1 in
    --rows) rows=$2; shift 2 ;;
    --rounds) rounds=$2; shift 2 ;;
    --result) result=yes; shift ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "unknown option $1: see --help" >&2; exit 2 ;;
  esac
done
cd "$(dirname "$0")/../.."
python=${PYTHON:-${MEDLEY_PEERS:-$HOME/.cache/medley-peers}/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086
mvn -B -q ${MAVEN_ARGS:-} -pl benchmarks -am compile dependency:build-classpath -Dmdep.outputFile="$work/class-path"
java -Xmx4g -cp "benchmarks/target/classes:$(cat "$work/class-path")" \
    dev.medley.benchmarks.ingest.IngestBenchmark "$work" "$rows" "$rounds" | tee "$work/lines"
"$python" -c 'import pandas' 2>/dev/null || { echo "no pandas in $python: set PYTHON, or run the peers' install.sh" >&2; exit 2; }
"$python" benchmarks/ingest/pandas_ingest.py "$work" "$rows" "$rounds" | tee -a "$work/lines"
"$python" benchmarks/ingest/table.py < "$work/lines" | tee "$work/table"
if [ -n "$result" ]; then
  file=benchmarks/results/$(date +%F)-ingest.md
  {
    echo "# From files to encoded batches, $rows rows of 20 columns, $(date +%F)"
    echo
    echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(java -version 2>&1 | head -1)." \
      "Command: benchmarks/ingest/run.sh --rows $rows --rounds $rounds"
    echo
    cat "$work/table"
  } > "$file"
  echo "wrote $file"
fi
