#!/usr/bin/env bash
# What shares by measured speed bring, and what they cost where there is nothing to balance: fashion-cnn with two workers of one
# thread, strategy.balance none and speed in turn.
#
# Usage: benchmarks/balance/run.sh [--pairs 5] [--slow PERCENT] [--result]
#
# Without --slow both workers have a core of their own. With it the second worker gets so many percent of a core, from its start on
# (a CPU quota; needs root and control groups). --result writes benchmarks/results/DATE-balance[-slow].md. Run it on a quiet machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${MEDLEY_SHARED:-$root/../shared}
pairs=5 slow=100 result=
while [ $# -gt 0 ]; do
  case $1 in
    --pairs) pairs=$2; shift 2 ;;
    --slow) slow=$2; shift 2 ;;
    --result) result=yes; shift ;;
    -h|--help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "unknown option $1: see --help" >&2; exit 2 ;;
  esac
done
work=$(mktemp -d)
group=medley-balance-$$
if [ -d /sys/fs/cgroup/cpu ]; then slowed=/sys/fs/cgroup/cpu/$group; else slowed=/sys/fs/cgroup/$group; fi
cleanup() { rm -rf "$work"; if [ -d "$slowed" ]; then rmdir "$slowed" || true; fi; }
trap cleanup EXIT
if [ "$slow" != 100 ]; then
  mkdir "$slowed"
  if [ -f "$slowed/cpu.cfs_quota_us" ]; then
    echo 20000 > "$slowed/cpu.cfs_period_us"; echo $((slow * 200)) > "$slowed/cpu.cfs_quota_us"
  else
    echo "$((slow * 200)) 20000" > "$slowed/cpu.max"
  fi
fi

# Samples/s in steps of one run with that balance.
train() {
  local log=$work/log run=$work/runs-$RANDOM$RANDOM
  "$root/medley" train "$root/examples/fashion-cnn.yaml" -s "data=$shared/data/fashion-mnist" -s train.batch=256 \
    -s train.epochs=1 -s "strategy.balance=$1" --run-dir "$run" > "$log" 2>&1 &
  local command=$! worker=
  if [ "$slow" != 100 ]; then
    while [ -z "$worker" ] && kill -0 $command 2>/dev/null; do worker=$(pgrep -f 'WorkerMain 127\.0\.0\.1 [0-9]+ 2$' || true); done
    echo "$worker" > "$slowed/cgroup.procs"
  fi
  wait $command || { cat "$log" >&2; exit 1; }
  sed -n 's/.* samples in .*: \([0-9,]*\) samples\/s$/\1/p' "$log" | tr -d ,
}

"$root/medley" --version > /dev/null
for pair in $(seq "$pairs"); do
  if [ $((pair % 2)) = 1 ]; then none=$(train none); speed=$(train speed); else speed=$(train speed); none=$(train none); fi
  echo "$none $speed" | tee -a "$work/pairs" | awk -v p="$pair" '{printf "pair %d: equal shares %d, by speed %d samples/s, ratio %.3f\n", p, $1, $2, $2/$1}'
done
summary=$(awk '{print $2/$1, $1, $2}' "$work/pairs" | sort -n | awk '
  {r[NR]=$1; n[NR]=$2; s[NR]=$3}
  function median(a, i, j, t, b) {for (i = 1; i <= NR; i++) b[i] = a[i]; for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) if (b[j] < b[i]) {t = b[i]; b[i] = b[j]; b[j] = t}; return NR % 2 ? b[(NR + 1) / 2] : (b[NR / 2] + b[NR / 2 + 1]) / 2}
  END {
    sum = 0; for (i = 1; i <= NR; i++) sum += r[i]; mean = sum / NR
    for (i = 1; i <= NR; i++) v += (r[i] - mean) ^ 2
    e = NR > 1 ? 2 * sqrt(v / (NR - 1) / NR) : 0
    printf "equal shares %d, by speed %d samples/s (medians); ratio of a pair %.3f in the median, mean %.3f +- %.3f (two standard errors), %.3f to %.3f", median(n), median(s), median(r), mean, e, r[1], r[NR]
  }')
echo "$summary"
if [ -n "$result" ]; then
  kind=balance; [ "$slow" = 100 ] || kind=balance-slow
  file=$root/benchmarks/results/$(date +%F)-$kind.md
  {
    echo "# Shares by measured speed, $(date +%F)"
    echo
    echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(java -version 2>&1 | head -1). fashion-cnn, batch 256, an epoch," \
      "two workers of one thread, the second with $slow % of a core. Command: benchmarks/balance/run.sh --pairs $pairs --slow $slow"
    echo
    echo "$pairs interleaved pairs: $summary."
  } > "$file"
  echo "wrote ${file#"$root"/}"
fi
