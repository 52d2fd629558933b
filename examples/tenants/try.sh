#!/bin/sh
# Two tenants, one shared table: each trains on its own rows, one is refused, and the audit is verified.
set -eu
cd "$(dirname "$0")"
medley=${MEDLEY:-../../medley}
rm -rf runs customers.csv policies.audit.jsonl*
awk 'BEGIN {
    print "tenant,email,tenure,spend,churn"
    for (i = 0; i < 2000; i++) {
        tenure = i * 31 % 60
        leaves = (tenure < 25) != (i % 9 == 0)
        printf "%s,user%d@x.org,%d,%d.5,%s\n", (i % 3 ? "acme" : "brown"), i, tenure, i * 7 % 101, (leaves ? "yes" : "no")
    }
}' > customers.csv
export ACME_KEY=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n') BROWN_KEY=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')
"$medley" door check policies.yaml
"$medley" door serve policies.yaml --listen 127.0.0.1:0 2> door.txt &
door=$!
trap 'kill $door 2> /dev/null || true' EXIT
while ! grep -q 'open at' door.txt; do
    kill -0 $door || { cat door.txt; exit 1; }
    sleep 0.2
done
AWS_ENDPOINT_URL=$(sed -n 's/.*open at \(http[^,]*\),.*/\1/p' door.txt)
export AWS_ENDPOINT_URL
echo "== each trains on its own rows"
AWS_ACCESS_KEY_ID=acme AWS_SECRET_ACCESS_KEY=$ACME_KEY "$medley" train acme.yaml
AWS_ACCESS_KEY_ID=brown AWS_SECRET_ACCESS_KEY=$BROWN_KEY "$medley" train brown.yaml
echo "== brown's name with acme's key"
AWS_ACCESS_KEY_ID=brown AWS_SECRET_ACCESS_KEY=$ACME_KEY "$medley" train brown.yaml && exit 1
kill $door
wait $door || true
echo "== what the audit says"
"$medley" door audit show policies.audit.jsonl --last 12
"$medley" door audit verify policies.audit.jsonl
