#!/bin/sh
# Brings month after month, and runs the loop after each. In March customers become others: see when it makes new segments.
set -eu
cd "$(dirname "$0")"
medley=${MEDLEY:-../../../medley}
rm -rf segments.loop data out
mkdir data
for month in ../churn/months/*.csv; do
    cp "$month" data/
    echo "== $month"
    "$medley" loop run segments.yaml
done
"$medley" loop history segments.yaml
