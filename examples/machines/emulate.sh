#!/usr/bin/env bash
# Four machines in two clouds, emulated on this one: medley agent in each, medley train --listen in the first.
#
#   sudo examples/machines/emulate.sh                               trains examples/quickstart.yaml, 60 steps
#   sudo examples/machines/emulate.sh job.yaml                      a job of your own
#   sudo examples/machines/emulate.sh job.yaml -s train.steps=200 -s strategy.kind=diloco
#   sudo JAVA_HOME="$JAVA_HOME" examples/machines/emulate.sh        where sudo does not find your Java
#   sudo MEDLEY=/opt/medley/bin/medley examples/machines/emulate.sh     another medley than this checkout's
#   sudo examples/machines/emulate.sh --down                        removes what a killed emulate.sh left
#
#   aws-1 (90 % of a core), aws-2 (22 %)        1 Gbit/s inside a cloud,
#   gcp-1 (45 %),           gcp-2 (22 %)        100 Mbit/s and 20 ms one way between them
#
# What follows the job goes to medley train. The run is kept in runs/, as without an emulator. Ctrl-C once keeps a checkpoint,
# twice stops at once; whatever ends it, everything emulated is gone then.
#
# Needs root, for network namespaces and CPU quotas; Medley itself runs as who called sudo. Debian: apt install iproute2; and
# python3, where the kernel has no netem to delay packets. Exit code 2: something is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
medley=${MEDLEY:-$root/medley}
machines=(aws-1 aws-2 gcp-1 gcp-2)
declare -A percent=([aws-1]=90 [aws-2]=22 [gcp-1]=45 [gcp-2]=22)
declare -A address=([aws-1]=10.97.0.11 [aws-2]=10.97.0.12 [gcp-1]=10.97.0.21 [gcp-2]=10.97.0.22)
all=("${machines[@]}" net) # net holds a switch for each cloud, and the wire between the two.

say() { echo "emulate.sh: $*" >&2; }
fail() { say "$1"; exit 2; }

case ${1:-} in
    -h|--help) sed -n '2,/^set /{/^set /!s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    --down) [ $# = 1 ] || fail "--down stands alone: see --help." ;;
    -*) fail "the job comes first, then options of medley train, not $1: see --help." ;;
    "") set -- "$root/examples/quickstart.yaml" -s train.steps=60 ;;
esac

# Where CPU quotas are set: cgroups/medley-MACHINE, in version 1 or 2.
find_quotas() {
    cgroups=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ { print $2; exit }' /proc/mounts)
    [ -z "$cgroups" ] || return 0
    cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
    grep -qsw cpu "$cgroups/cgroup.controllers" ||
        fail "no CPU quotas here: cgroups with the controller cpu are not mounted."
    grep -qw cpu "$cgroups/cgroup.subtree_control" || echo +cpu 2>/dev/null > "$cgroups/cgroup.subtree_control" ||
        fail "no CPU quotas here: $cgroups/cgroup.subtree_control cannot be changed; a container needs --privileged --cgroupns=host."
}

# Takes everything down, whatever of it is there.
down() {
    local machine cgroup pids
    for machine in "${all[@]}"; do
        cgroup=$cgroups/medley-$machine
        for _ in {1..100}; do # A process that ends, or starts another, needs some more turns.
            [ -d "$cgroup" ] || break
            pids=$(cat "$cgroup/cgroup.procs")
            # shellcheck disable=SC2086
            [ -z "$pids" ] || kill -KILL $pids 2>/dev/null || true
            rmdir "$cgroup" 2>/dev/null || sleep 0.05
        done
        [ ! -d "$cgroup" ] || say "could not remove $cgroup"
        [ ! -e "/run/netns/medley-$machine" ] || ip netns delete "medley-$machine" || true
    done
    rm -rf "${TMPDIR:-/tmp}"/medley-emulate.*
}

clean_up() {
    local status=$?
    trap '' INT TERM HUP # Half taken down is not taken down.
    trap - EXIT
    set +e
    disown -a # Else bash says of each process that it was killed.
    down
    exit $status
}

# enter MACHINE COMMAND...: this process moves there and becomes the command. (ip netns exec would hide the quota from the JVM.)
enter() {
    local machine=$1
    shift
    trap '' INT # Ctrl-C is for this script, which tells the run.
    echo "$BASHPID" > "$cgroups/medley-$machine/cgroup.procs"
    exec nsenter --net="/run/netns/medley-$machine" "$@"
}

# make NAME: a namespace and a cgroup.
make() {
    local why
    why=$(ip netns add "medley-$1" 2>&1) || fail "no network namespaces here, $why: in a container, give it --privileged."
    ip -n "medley-$1" link set lo up
    why=$(mkdir "$cgroups/medley-$1" 2>&1) || fail "no CPU quotas here, $why: in a container, give it --privileged."
}

# limit NAME PERCENT: of one core, in slices of 20 ms.
limit() {
    local cgroup=$cgroups/medley-$1
    if [ -e "$cgroup/cpu.max" ]; then
        echo "$((200 * $2)) 20000" > "$cgroup/cpu.max"
    elif [ -e "$cgroup/cpu.cfs_quota_us" ]; then
        echo 20000 > "$cgroup/cpu.cfs_period_us"
        echo $((200 * $2)) > "$cgroup/cpu.cfs_quota_us"
    else
        fail "no CPU quotas here: this kernel is without CONFIG_CFS_BANDWIDTH."
    fi
}

# connect MACHINE: to its cloud's switch, with 1 Gbit/s both ways.
connect() {
    ip -n medley-net link add "$1" type veth peer name eth0 netns "medley-$1"
    ip -n medley-net link set "$1" master "${1%-*}" up
    ip -n "medley-$1" address add "${address[$1]}/24" dev eth0
    ip -n "medley-$1" link set eth0 up
    tc -n medley-net qdisc add dev "$1" root tbf rate 1gbit burst 128kb latency 20ms
    tc -n "medley-$1" qdisc add dev eth0 root tbf rate 1gbit burst 128kb latency 20ms
}

# The wire between the clouds, 100 Mbit/s and 20 ms each way: the kernel's netem, or else a process that hands frames on later.
wire() {
    local cloud has_netem=
    if tc -n medley-net qdisc add dev lo root netem delay 20ms 2>/dev/null; then
        has_netem=yes
        ip -n medley-net link add wire-aws type veth peer name wire-gcp
        for cloud in aws gcp; do
            tc -n medley-net qdisc add dev wire-$cloud root netem delay 20ms rate 100mbit limit 500
        done
    else
        command -v python3 >/dev/null || fail "this kernel has no netem to delay packets, and without python3 nothing else can."
        for cloud in aws gcp; do
            ip -n medley-net tuntap add wire-$cloud mode tap || fail "this kernel has neither netem nor TAP devices to delay packets."
            tc -n medley-net qdisc add dev wire-$cloud root tbf rate 100mbit burst 16kb latency 50ms
        done
    fi
    for cloud in aws gcp; do
        ip -n medley-net link set wire-$cloud master $cloud up
    done
    [ -n "$has_netem" ] || enter net nice -n -10 python3 -c "$delay" &
}

delay='
import collections, fcntl, os, select, struct, time

def tap(name):
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, 0x400454CA, struct.pack("16sH22x", name, 0x1002))  # TUNSETIFF, with IFF_TAP | IFF_NO_PI
    return end

aws, gcp = tap(b"wire-aws"), tap(b"wire-gcp")
under_way = collections.deque()  # (when it arrives, where, frame), in order, since both ways take as long
while True:
    timeout = max(0, under_way[0][0] - time.monotonic()) if under_way else None
    for end in select.select([aws, gcp], [], [], timeout)[0]:
        under_way.append((time.monotonic() + 0.02, gcp if end == aws else aws, os.read(end, 2048)))
    while under_way and under_way[0][0] <= time.monotonic():
        _, end, frame = under_way.popleft()
        os.write(end, frame)
'

[ "$(id -u)" = 0 ] || fail "network namespaces and CPU quotas need root: sudo $0"
for tool in ip tc; do
    command -v $tool >/dev/null || fail "the command $tool is missing: on Debian, apt install iproute2."
done
find_quotas
if [ "$1" = --down ]; then
    down
    exit 0
fi
for name in "${all[@]}"; do
    if [ -e "/run/netns/medley-$name" ] || [ -e "$cgroups/medley-$name" ]; then
        fail "medley-$name exists: another emulate.sh is running; or one was killed, then $0 --down removes what it left."
    fi
done
[ "$(nproc)" -ge 2 ] || say "the machines shall get 179 % of a core, and here is one: they become slower than said."

[ -x "$medley" ] || fail "there is no $medley: MEDLEY=/path/to/medley names one."
user=() # Medley runs as who called sudo.
[ -z "${SUDO_UID:-}" ] || user=(setpriv --reuid "$SUDO_UID" --regid "$SUDO_GID" --init-groups)
"${user[@]}" "$medley" --version >/dev/null || fail "$medley does not start: see above."

work=$(mktemp -d -t medley-emulate.XXXXXX)
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
[ -z "${SUDO_UID:-}" ] || chown "$SUDO_UID:$SUDO_GID" "$work"

set -E
trap 'fail "the network could not be made: ($BASH_COMMAND) failed, see above."' ERR
make net
for cloud in aws gcp; do
    ip -n medley-net link add $cloud type bridge mcast_snooping 0
    ip -n medley-net link set $cloud up
done
wire
for machine in "${machines[@]}"; do
    make "$machine"
    limit "$machine" "${percent[$machine]}"
    connect "$machine"
done
trap - ERR

# From here on it is as with machines of metal: certificates, an agent on each, and a run that waits for them.
"${user[@]}" "$medley" certs "$work/certs" "${machines[@]}" >/dev/null
agents=()
for machine in "${machines[@]}"; do
    # They share this machine's disk: --copy-files has them fetch over the network all the same.
    enter "$machine" "${user[@]}" "$medley" agent --join "${address[aws-1]}:7077" --name "$machine" --site "${machine%-*}" \
        --credentials "$work/certs/$machine" --folder "$work/$machine" --copy-files < /dev/null > "$work/$machine.log" 2>&1 &
    agents+=($!)
done
exec 3<&0 # A process in the background keeps its input by this alone.
enter aws-1 "${user[@]}" "$medley" train "$@" --listen "${address[aws-1]}:7077" --expect 4 --credentials "$work/certs/aws-1" \
    --no-guesses <&3 & # What emulated machines can do says nothing of this one's next run.
train=$!
trap 'kill -TERM $train 2>/dev/null || true' INT TERM HUP

ended=
until [ -n "${ended:-}" ] || ! kill -0 "$train" 2>/dev/null; do # A signal ends a wait, and nothing else has ended then.
    wait -n -p ended "$train" "${agents[@]}" || true
done
if [ "${ended:-$train}" != "$train" ]; then
    for i in "${!agents[@]}"; do
        [ "${agents[i]}" != "$ended" ] || machine=${machines[i]}
    done
    tail -n 5 "$work/$machine.log" >&2
    say "the agent of $machine ended before the run: see above."
    exit 1
fi
wait "$train"
