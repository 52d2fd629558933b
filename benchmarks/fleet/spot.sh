#!/bin/sh
# Policies for spot machines over public logs: benchmarks/fleet/spot.sh LOGS RESULTS.csv
# LOGS is what spot_logs.py made. MEDLEY is the command (default: ./medley of this checkout).
set -eu
logs=$1
csv=$2
medley=${MEDLEY:-$(dirname "$0")/../../medley}
rm -f "$csv"
spot() { $medley fleet spot "$@" --csv "$csv"; }

for market in "$logs"/*; do
    name=$(basename "$market")
    case $name in
    aws-*)
        # Prices alone; the type stands in the folder's name, its on-demand price in the catalogue.
        type=${name#aws-}
        spot "$market" --type "${type%-2020}" --prices "${PRICES:?cloud-gpus.csv}" --starts 8 --egress 1
        ;;
    *)
        spot "$market" --starts 8 --egress 1
        spot "$market" --starts 8 --each-zone
        ;;
    esac
done
