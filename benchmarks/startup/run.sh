#!/usr/bin/env bash
# Seconds from `medley train` to the end of the first step, two workers on fashion-cnn, and to the end of a command that
# trains one step; PyTorch DDP's whole command for one step in turn.
#
# Usage: benchmarks/startup/run.sh [--rounds 5] [--result]
#
# --result writes benchmarks/results/DATE-startup.md with the hardware. Run it on a quiet machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${MEDLEY_SHARED:-$root/../shared}
python=${MEDLEY_PEERS:-$HOME/.cache/medley-peers}/bin/python
rounds=5 result=
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=$2; shift 2 ;;
    --result) result=yes; shift ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "unknown option $1: see --help" >&2; exit 2 ;;
  esac
done
[ -x "$python" ] || { echo "no Python with PyTorch at $python: run the peers' install.sh, or set MEDLEY_PEERS" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/job.yaml" <<JOB
name: start
data: {train: $shared/data/fashion-mnist/idx, format: idx}
model: cnn
train: {steps: 1, batch: 256, precision: fp32}
cluster: {workers: 2, threads: 1}
JOB

now() { date +%s.%N; }
since() { echo "$(now) - $1" | bc; }

# Prints the seconds to the end of the first step and to the end of the command.
medley() {
  local began ended run
  rm -rf "$work/runs"
  began=$(now)
  "$root/medley" train "$work/job.yaml" --run-dir "$work/runs" > "$work/out" 2>&1 || { cat "$work/out" >&2; exit 1; }
  ended=$(since "$began")
  run=$(echo "$work"/runs/*)
  echo "$(sed -n '1s/.*"wallMillis":\([0-9]*\).*/scale=3; \1 \/ 1000/p' "$run/steps.jsonl" | bc) $began $ended" |
    awk '{printf "%.2f %.2f\n", $1 - $2, $3}'
}

ddp() {
  local began rank port
  port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  began=$(now)
  for rank in 0 1; do
    RANK=$rank WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port GLOO_SOCKET_IFNAME=lo OMP_NUM_THREADS=1 \
      "$python" "$shared/peers/pytorch_ddp.py" fashion-cnn --steps 1 --eval-every 1000000 --data "$shared/data" > /dev/null 2>&1 &
  done
  wait
  since "$began" | awk '{printf "%.2f\n", $1}'
}

summary() { sort -n | awk '{v[NR] = $1} END {printf "%.2f | %.2f to %.2f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR]}'; }

medley > /dev/null # Builds, makes the archive of classes, prepares the data.
for round in $(seq "$rounds"); do
  medley >> "$work/medley"
  ddp >> "$work/ddp"
  echo "round $round: medley $(tail -1 "$work/medley"), DDP $(tail -1 "$work/ddp")" >&2
done
{
  echo "| what | median, s | lowest to highest |"
  echo "|---|---|---|"
  echo "| \`medley train\`: to the end of the first step | $(cut -d' ' -f1 "$work/medley" | summary) |"
  echo "| \`medley train\`: whole command, one step, with evaluation, model and report | $(cut -d' ' -f2 "$work/medley" | summary) |"
  echo "| PyTorch DDP: whole command, one step, no evaluation | $(summary < "$work/ddp") |"
} | tee "$work/table"
if [ -n "$result" ]; then
  file=$root/benchmarks/results/$(date +%F)-startup.md
  {
    echo "# Start-up, two workers on fashion-cnn, $(date +%F)"
    echo
    echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(java -version 2>&1 | head -1)," \
      "PyTorch $("$python" -c 'import torch; print(torch.__version__)'). Data prepared before, files in the page cache." \
      "Command: benchmarks/startup/run.sh --rounds $rounds"
    echo
    cat "$work/table"
  } > "$file"
  echo "wrote $file"
fi
