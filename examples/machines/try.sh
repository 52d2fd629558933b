#!/bin/sh
# Three machines that join a run, played by processes of this one: medley agent and medley train --listen on loopback.
# Needs no root and no certificates. For machines of set speeds and links between clouds there is emulate.sh.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d)
port=${1:-7077}
cleanup() {
    trap - EXIT INT TERM
    kill $agents 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
agents=
"$root/medley" --version >/dev/null
trap cleanup EXIT INT TERM
for name in fast steady slow; do
    nice=0
    [ $name != slow ] || nice=10
    nice -n $nice "$root/medley" agent --join "127.0.0.1:$port" --name $name --once --folder "$work/$name" &
    agents="$agents $!"
done
"$root/medley" train "$root/examples/quickstart.yaml" --listen "127.0.0.1:$port" --expect 3 --run-dir "$root/runs"
