#!/bin/sh
# Plays Pollux's workloads and prints the table of benchmarks/results/2026-11-27-fleet-pollux.md.
#   benchmarks/fleet/pollux.sh [ARCHIVE [LOAD...]]      loads: 1.0 0.5 1.5 2.0 realistic
# ARCHIVE: folder simulator of github.com/petuum/adaptdl, branch osdi21-artifact, as .tar.gz.
set -eu
cd "$(dirname "$0")/../.."
archive=${1:-${MEDLEY_SHARED:-../shared}/data/sched/pollux/pollux-osdi21-simulator-data.tar.gz}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- 1.0 0.5 1.5 2.0 realistic
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$archive" -C "$work"
mvn -q -B ${MAVEN_ARGS:-} -pl fleet -am -DskipTests -Dspotless.check.skip install
mvn -q -B ${MAVEN_ARGS:-} -pl benchmarks -am -DskipTests -Dspotless.check.skip compile \
    dependency:build-classpath -Dmdep.outputFile="$work/class-path"
runs=benchmarks/fleet/pollux-runs.csv
java -cp "benchmarks/target/classes:$(cat "$work/class-path")" dev.medley.benchmarks.fleet.PolluxStudy \
    "$work/simulator" "$@" | tee "$runs" >&2
python3 benchmarks/fleet/pollux.py "$runs" "$work/simulator"
