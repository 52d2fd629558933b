#!/usr/bin/env bash
# Compares forward, backward and update of one process with PyTorch's, on one core, in turn.
#
# Usage: benchmarks/compute/run.sh [--tasks mlp,resnet18,gpt,lstm,mf] [--precisions fp32,bf16] [--rounds 5] [--seconds 10]
#                                  [--core 1] [--peer PYTORCH_DDP.PY] [--python PYTHON] [--markdown FILE | --result]
#
# --result writes benchmarks/results/DATE-compute.md with the hardware. The peer is PyTorch with its default settings, and
# with --tuned (fused optimizers); warm-up is left out on both sides. Run it on a quiet machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${MEDLEY_SHARED:-$root/../shared}
peer=$shared/peers/pytorch_ddp.py
python=${MEDLEY_PEERS:-$HOME/.cache/medley-peers}/bin/python
result=
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --peer) peer=$2; shift 2 ;;
    --python) python=$2; shift 2 ;;
    --result) result=$root/benchmarks/results/$(date +%F)-compute.md; shift ;;
    -h|--help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) arguments+=("$1"); shift ;;
  esac
done
[ -f "$peer" ] || { echo "no peer at $peer: give --peer FILE" >&2; exit 2; }
[ -x "$python" ] || { echo "no Python with PyTorch at $python: give --python FILE, or run the peer's install.sh" >&2; exit 2; }

cd "$root"
mvn -B -q -pl benchmarks -am compile dependency:build-classpath -Dmdep.outputFile=target/classpath -Dmdep.includeScope=runtime
table=$(mktemp)
trap 'rm -f "$table"' EXIT
java -cp "$root/benchmarks/target/classes:$(cat benchmarks/target/classpath)" dev.medley.benchmarks.compute.ComputeComparison \
  --peer "$peer" --python "$python" --wrapper "$root/benchmarks/compute/peer.py" --markdown "$table" ${arguments[@]+"${arguments[@]}"}

if [ -n "$result" ]; then
  mkdir -p "$(dirname "$result")"
  {
    echo "# Compute, one process on one core, $(date +%F)"
    echo
    echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(java -version 2>&1 | head -1)," \
      "PyTorch $("$python" -c 'import torch; print(torch.__version__)'). Command: benchmarks/compute/run.sh ${arguments[*]-}"
    echo
    cat "$table"
  } > "$result"
  echo "wrote $result"
fi
