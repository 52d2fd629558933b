#!/bin/sh
# Brings month after month, and runs the loop after each. In March what customers do changes: see what it notices and does.
set -eu
cd "$(dirname "$0")"
medley=${MEDLEY:-../../../medley}
rm -rf churn.loop data out
mkdir data
for month in months/*.csv; do
    cp "$month" data/
    echo "== $month"
    "$medley" loop run churn.yaml
done
"$medley" loop history churn.yaml
