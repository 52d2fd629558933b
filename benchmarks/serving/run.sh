#!/usr/bin/env bash
# Measures serving: throughput and latency beside FastAPI, Ray Serve and MLServer, batches, swaps under load, replicas of
# unlike speed behind the router, reloads.
#
# Usage: benchmarks/serving/run.sh SCENARIO[,SCENARIO...]|all [--append runs.jsonl] [--pairs 3] [--seconds 20] [--warm 10]
#                                  [--connections 300] [--peers VENV] [--only medley,fastapi1,...] [--reloads 10000]
#                                  [--swaps 1000] [--rate 50] [--smoke] [--result]
#
# Scenarios: throughput, added, batching, swaps, uneven, reloads. --smoke is each for seconds: it shows that all runs, and its
# figures say nothing. --append keeps raw runs; --result writes benchmarks/results/DATE-serving.md from them.
# Run it on a quiet machine. See README.md beside it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:--h} in
  -h|--help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
cd "$root"
if [ -z "${MEDLEY_CLASSPATH:-}" ]; then
  mvn -B -q -pl benchmarks -am -DskipTests package dependency:build-classpath -Dmdep.outputFile=target/classpath -Dmdep.includeScope=runtime
  MEDLEY_CLASSPATH=$root/benchmarks/target/classes:$(cat benchmarks/target/classpath)
fi
export MEDLEY_CLASSPATH ORT_DISABLE_TELEMETRY=1
exec python3 "$root/benchmarks/serving/serving.py" "$@"
