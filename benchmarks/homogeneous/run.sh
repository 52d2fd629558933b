#!/usr/bin/env bash
# What the machinery for uneven machines costs where all machines are equal: two equal workers of this host, fashion-cnn, with
# everything on and with everything off, in interleaved pairs. See pairs.py --help for what that is.
#
# Usage: benchmarks/homogeneous/run.sh [--pairs 20] [--minutes 10] [--append FILE] [--result]
#
# About 45 s a pair. Each run is kept in FILE at once; the next call goes on. Run it on a quiet machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:-} in -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
"$root/medley" --version > /dev/null
exec python3 "$root/benchmarks/homogeneous/pairs.py" "$@"
