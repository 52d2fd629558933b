#!/bin/sh
# All-reduce between processes on this machine: Medley over TCP and shared memory against
# torch.distributed on Gloo, in turn. About five minutes; nothing else should run meanwhile.
#
#   benchmarks/exchange/run.sh                              prints the tables
#   benchmarks/exchange/run.sh --write benchmarks/results   also writes a dated result there
#   benchmarks/exchange/run.sh --rounds 3 --turn-ms 100     quick look
#   benchmarks/exchange/run.sh --processes 2 --kilobytes 64,1024 --only tcp,gloo
#
# Gloo's Python is found in $MEDLEY_PEERS, else in ~/.cache/medley-peers. MAVEN_ARGS are handed to
# Maven (-o to build offline).
set -eu
cd "$(dirname "$0")/../.."
classpath=benchmarks/target/exchange.classpath
# shellcheck disable=SC2086
mvn -q -B ${MAVEN_ARGS:-} -pl benchmarks -am -DskipTests -Dspotless.check.skip \
    package dependency:build-classpath -Dmdep.outputFile="target/exchange.classpath"
exec java -cp "benchmarks/target/classes:$(cat $classpath)" \
    dev.medley.benchmarks.exchange.AllReduceBenchmark "$@"
