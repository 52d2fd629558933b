#!/bin/sh
# Trains a model of a small table, serves it, and asks it by curl, Java and, with PYTHON=python3, Triton's client.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${MEDLEY:=$root/medley}" # Another one may be given.
work=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || :; wait "$server" 2>/dev/null || :; fi; rm -rf "$work"' EXIT

# Customers who leave: those of few months, with a monthly contract and a high price.
awk 'BEGIN {
    srand(7); print "months,contract,price,left"
    for (i = 0; i < 2000; i++) {
        months = int(rand() * 60); monthly = rand() < 0.5; price = 20 + rand() * 80
        risk = (months < 12) + monthly + (price > 70) + rand()
        printf "%d,%s,%.2f,%s\n", months, (monthly ? "monthly" : "yearly"), price, (risk > 2.2 ? "yes" : "no")
    }
}' > "$work/customers.csv"

cd "$work"
"$MEDLEY" train customers.csv --label left --model boosting > train.log 2>&1 || { cat train.log; exit 1; }
"$MEDLEY" models register latest --as churn --promote
"$MEDLEY" serve registry:churn@production --port 0 > serve.log 2>&1 &
server=$!
for second in $(seq 120); do
    grep -q 'serving at' serve.log && break
    kill -0 "$server" 2>/dev/null || { cat serve.log; exit 1; }
    sleep 0.5
done
at=$(sed -n 's/^serving at //p' serve.log)
cat serve.log

echo "rows in JSON:"
curl -sS "$at/v1/models/churn:rows" -d '[{"months": 3, "contract": "monthly", "price": 95}, {"months": 50, "contract": "yearly", "price": 30}]'
echo
echo "rows in CSV:"
head -n 4 customers.csv | curl -sS "$at/v1/models/churn:rows" -H 'Content-Type: text/csv' --data-binary @-
echo "arrays:"
curl -sS "$at/v2/models/churn/infer" -d '{"inputs": [
    {"name": "months", "datatype": "FP64", "shape": [1, 1], "data": [3]},
    {"name": "contract", "datatype": "BYTES", "shape": [1, 1], "data": ["monthly"]},
    {"name": "price", "datatype": "FP64", "shape": [1, 1], "data": [95]}]}'
echo
java "$root/examples/serve/AskRows.java" "$at"
if [ -n "${PYTHON:-}" ]; then
    "$PYTHON" "$root/examples/serve/infer.py" "${at#http://}"
fi
