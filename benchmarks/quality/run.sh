#!/usr/bin/env bash
# What strategies and codecs trade: the final metric of fashion-cnn and shakespeare-gpt after the same samples, three seeds, one axis
# varied at a time. See quality.py --help for how.
#
# Usage: benchmarks/quality/run.sh [--minutes 10] [--all-rows] [--only ROW,...] [--task TASK] [--seeds 3] [--table] [--result]
#
# Two hours in all on two cores: 57 runs, each strategy and each codec for fashion-cnn, one process and three strategies for
# shakespeare-gpt. --all-rows has more lengths of rounds, common steps and codecs: 210 runs, nearly ten hours. Each run is kept as a file at
# once, so it can be stopped at any time, and the next call goes on.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:-} in -h|--help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
"$root/medley" --version > /dev/null
exec python3 "$root/benchmarks/quality/quality.py" "$@"
