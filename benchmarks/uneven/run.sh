#!/usr/bin/env bash
# Uneven machines and slow links: Medley and PyTorch DistributedDataParallel in turn in the same emulated cluster (network
# namespaces, CPU quotas, shaped links; root needed). See bench.py --help for what is measured and how.
#
# Usage: benchmarks/uneven/run.sh CLUSTER TASK [--rounds 3] [--target] [--bound] [--only NAME,...] [--append FILE] [--minutes 10]
#                                 [--keep FOLDER] [--result]
#
#   CLUSTER  uneven-one-site | one-site-five | uneven-two-clouds | three-clouds
#   TASK     fashion-cnn | shakespeare-gpt | adult-mlp | synthetic-mlp
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:-} in -h|--help|"") sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
"$root/medley" --version > /dev/null
exec "${MEDLEY_PEERS:-$HOME/.cache/medley-peers}/bin/python" "$root/benchmarks/uneven/bench.py" "$@"
