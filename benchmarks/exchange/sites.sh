#!/bin/bash
# All-reduce between two sites, emulated on this machine: two sites of two nodes, 1 Gbit/s inside,
# 100 Mbit/s and 10 ms one way between. One process a node; median of some sums, time of the slowest
# rank, and what left each site. Needs root and the emulator.
#
#   EMULATOR=cluster-emu.sh benchmarks/exchange/sites.sh                prints the table
#   ... benchmarks/exchange/sites.sh benchmarks/results                 also writes a dated result there
#
# CE_NAME and CE_NET keep clusters apart. MAVEN_ARGS are handed to Maven (-o to build offline).
set -euo pipefail
cd "$(dirname "$0")/../.."
emulator=${EMULATOR:?set EMULATOR to the emulator script}
export CE_NAME=${CE_NAME:-sites} CE_NET=${CE_NET:-10.78}
rounds=${ROUNDS:-5}
work=$(mktemp -d)
cluster() { bash "$emulator" "$@"; }
trap 'cluster down; rm -rf "$work"' EXIT

# shellcheck disable=SC2086
mvn -q -B ${MAVEN_ARGS:-} -pl benchmarks -am -DskipTests -Dspotless.check.skip \
    package dependency:build-classpath -Dmdep.outputFile="target/exchange.classpath"
classes="benchmarks/target/classes:$(cat benchmarks/target/exchange.classpath)"

cat >"$work/topology" <<T
node a1 east bw=1gbit
node a2 east bw=1gbit
node b1 west bw=1gbit
node b2 west bw=1gbit
link east west bw=100mbit delay=10ms
T
cluster up "$work/topology"

# measure LABEL BYTES SLICES SCHEME[/CODEC] NODE...: the nodes in order of rank. NO_SITES: nobody says where
# it stands, so the ring goes by rank and small slices from everyone to everyone.
measure() {
    local label=$1 bytes=$2 slices=$3 scheme=${4%/*} rank=0 places="" node ip site codec=NONE
    case $4 in */*) codec=${4#*/} ;; esac
    shift 4
    rm -f "$work"/rank*
    local ports=$((20000 + RANDOM % 20000)) pids=() size=$#
    for node in "$@"; do
        read -r _ site ip < <(cluster nodes | grep "^$node ")
        [ "$scheme" != NO_SITES ] || site=""
        places="$places $site@$ip:$ports"
    done
    for node in "$@"; do
        {
            # Who dials must find the others listening: all have said their ports.
            until [ "$(cat "$work"/rank[0-9]* 2>/dev/null | wc -l)" -ge "$size" ]; do sleep 0.1; done
            echo "$places" | sed 's/^ //'
            echo "run $bytes 1"
            for _ in $(seq "$rounds"); do echo "run $bytes 1"; done
        } | bash "$emulator" exec "$node" java -Xmx256m -XX:MaxDirectMemorySize=1g \
            -Dport=$ports -Dslices="$slices" -Dschemes="${scheme#NO_SITES}" -Dcompress="$codec" -cp "$classes" \
            dev.medley.benchmarks.exchange.Rank $rank "$size" TCP sites >"$work/rank$rank" \
            2>"$work/errors$rank" &
        pids+=($!)
        rank=$((rank + 1))
    done
    wait "${pids[@]}" || { cat "$work"/errors*; exit 1; }
    # After the port, "ready" and one sum to warm up, a line a round: nanoseconds and bytes.
    paste "$work"/rank[0-9]* | tail -n +4 | awk -v half="$((rounds / 2 + 1))" '
        { t = 0; b = 0; for (i = 1; i <= NF; i += 2) { if ($i > t) t = $i; b += $(i + 1) }
          print t / 1e6, b / 1e6 }' | sort -n |
        awk -v half="$((rounds / 2 + 1))" -v label="$label" -v scheme="$scheme" '
        NR == 1 { low = $1 } { high = $1 } NR == half { mid = $1; bytes = $2 }
        END { printf "| %s | %.0f (%.0f-%.0f) | %s |\n", label, mid, low, high,
                     scheme == "NO_SITES" ? "not counted" : sprintf("%.3f", bytes) }'
}

table() {
    echo "| sum | ms, median (least-most) | MB sent between sites, both ways |"
    echo "|---|---|---|"
    mb=$((1 << 20))
    measure "16 MB, ring that zig-zags between sites" $((16 * mb)) 1 NO_SITES a1 b1 a2 b2
    measure "16 MB, ring, site after site" $((16 * mb)) 1 RING a1 b1 a2 b2
    measure "16 MB, hierarchical" $((16 * mb)) 1 SHARES a1 b1 a2 b2
    for codec in BF16 FP16 INT8 INT4; do
        measure "16 MB, hierarchical, ${codec,,}" $((16 * mb)) 1 SHARES/$codec a1 b1 a2 b2
    done
    measure "16 MB in 16 slices, ring" $((16 * mb)) 16 RING a1 b1 a2 b2
    measure "16 MB in 16 slices, hierarchical" $((16 * mb)) 16 SHARES a1 b1 a2 b2
    measure "1 MB, ring" $mb 1 RING a1 b1 a2 b2
    measure "1 MB, hierarchical" $mb 1 SHARES a1 b1 a2 b2
    measure "1 KB, ring" 1024 1 RING a1 b1 a2 b2
    measure "1 KB, everyone to everyone" 1024 1 NO_SITES a1 b1 a2 b2
    measure "1 KB, leaders" 1024 1 LEADERS a1 b1 a2 b2
    measure "1 KB, hierarchical" 1024 1 SHARES a1 b1 a2 b2
}

table | tee "$work/table"
if [ $# -gt 0 ]; then
    result="$1/$(date +%F)-exchange-sites.md"
    {
        echo "# All-reduce between two emulated sites, $(date +%F)"
        echo
        echo "$(grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'), $(nproc) cores," \
            "$(uname -sr), $(java -version 2>&1 | head -1). Network namespaces on this machine: two" \
            "sites of two nodes, 1 Gbit/s inside, 100 Mbit/s and 10 ms one way between. Float32, in" \
            "place, one process a node, nodes of both sites in turn by rank; time of the slowest" \
            "rank over $rounds sums after one to warm up. Emulated: compare the rows with each" \
            "other, not with a real network."
        echo
        cat "$work/table"
    } >"$result"
    echo "Written to $result"
fi
