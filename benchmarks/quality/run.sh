#!/usr/bin/env bash
# What strategies and codecs trade: the final metric of fashion-cnn and shakespeare-gpt after the same samples, three seeds, one axis
# varied at a time. See quality.py --help for how.
#
# Usage: benchmarks/quality/run.sh [--minutes 10] [--only ROW,...] [--task TASK] [--seeds 3] [--table] [--result]
#
# Three to five hours in all on two cores (141 runs), 1.3 to 2.2 of them for fashion-cnn (--task fashion-cnn). Each run is kept as a file at once, so it can be stopped at any time, and the next call goes on.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:-} in -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
"$root/medley" --version > /dev/null
exec python3 "$root/benchmarks/quality/quality.py" "$@"
