#!/usr/bin/env bash
# Trains the peer's fashion-cnn and shakespeare-gpt with two workers of one thread, Medley and PyTorch DDP in turn.
#
# Usage: benchmarks/training/run.sh [--rounds 3] [--steps 200] [--task fashion-cnn|shakespeare-gpt] [--target] [--result]
#
# Without --target: samples/s over so many steps after the warm-up (some ten seconds), and what the exchange costs (a step
# against two half-batch processes at the same time that do not exchange). With --target: seconds in steps to accuracy 0.88
# and loss 2.10.
# --result writes benchmarks/results/DATE-training[-target].md with the hardware. Run it on a quiet machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${MEDLEY_SHARED:-$root/../shared}
python=${MEDLEY_PEERS:-$HOME/.cache/medley-peers}/bin/python
kind=training result= arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --result) result=yes; shift ;;
    --target) kind=training-target; arguments+=("$1"); shift ;;
    -h|--help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) arguments+=("$1"); shift ;;
  esac
done
[ -x "$python" ] || { echo "no Python with PyTorch at $python: run the peer's install.sh, or set MEDLEY_PEERS" >&2; exit 2; }
cd "$root"
# shellcheck disable=SC2086
mvn -B -q ${MAVEN_ARGS:-} -pl benchmarks -am compile dependency:build-classpath \
  -Dmdep.outputFile=target/classpath -Dmdep.includeScope=runtime
table=$(mktemp)
trap 'rm -f "$table"' EXIT
java -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 -cp "$root/benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
  dev.medley.benchmarks.training.TrainingBenchmark --shared "$shared" --python "$python" --markdown "$table" \
  ${arguments[@]+"${arguments[@]}"}
if [ -n "$result" ]; then
  mkdir -p benchmarks/results
  {
    echo "# Training with two workers of one thread, $(date +%F)"
    echo
    echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(java -version 2>&1 | head -1)," \
      "PyTorch $("$python" -c 'import torch; print(torch.__version__)'). Command: benchmarks/training/run.sh ${arguments[*]-}"
    cat "$table"
  } > "benchmarks/results/$(date +%F)-$kind.md"
  echo "wrote benchmarks/results/$(date +%F)-$kind.md"
fi
