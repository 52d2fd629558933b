#!/bin/sh
# Rows arrive while a loop stays. From the second part on customers want what they avoided before: see how the running model follows
# between two runs, and what it is judged by.
set -eu
cd "$(dirname "$0")"
medley=${MEDLEY:-../../../medley}
rm -rf follow.loop data
mkdir data
# rows FROM TO SIGN: visits with a price that draws (SIGN 1) or deters (SIGN -1), one a minute.
rows() {
    awk -v from="$1" -v to="$2" -v sign="$3" 'BEGIN {
        srand(from + 1)
        print "visit,came,price,minutes,page,clicked"
        for (n = from; n < to; n++) {
            price = 2 * rand() - 1; minutes = 10 * rand()
            clicked = (sign * price + (minutes - 5) / 20 + (rand() - 0.5) / 2 > 0) ? "yes" : "no"
            printf "%d,2026-01-%02dT%02d:%02d:00,%.4f,%.3f,%s,%s\n", n, 1 + int(n / 1440), int(n / 60) % 24, n % 60,
                price, minutes, substr("abc", 1 + n % 3, 1), clicked
        }
    }' > "data/$1.part"
    mv "data/$1.part" "data/$1.csv"
}
rows 0 2000 1
"$medley" --version > /dev/null # Builds, where nothing is built yet.
"$medley" loop run follow.yaml --stay &
loop=$!
trap 'kill $loop 2> /dev/null || true' EXIT
until "$medley" loop status follow.yaml 2> /dev/null | grep -q "^running model"; do
    kill -0 $loop
    sleep 1
done
part=2000
while [ $part -lt 5000 ]; do
    rows $part $((part + 200)) -1
    part=$((part + 200))
    sleep 2
done
sleep 5
kill $loop
wait $loop || true
echo
echo "== The log-loss of each row before it was learnt, with learning and without:"
"$medley" loop history follow.yaml | grep " promote "
"$medley" loop status follow.yaml | grep "^running model"
