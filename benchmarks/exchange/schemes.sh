#!/bin/sh
# The schemes of one site over TCP on the loopback, 2 to 8 ranks as threads of one process, beside what
# the cost model would choose by what the same ranks measure. Microseconds a sum, median of nine rounds.
# About three minutes; nothing else should run meanwhile. More ranks than cores share them: there the
# model's time of a message is too low for all schemes alike, and the order of schemes is what counts.
#
#   benchmarks/exchange/schemes.sh            prints the table
#   benchmarks/exchange/schemes.sh 4 8        of these numbers of ranks
#
# MAVEN_ARGS are handed to Maven (-o to build offline).
set -eu
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2086
mvn -q -B ${MAVEN_ARGS:-} -pl benchmarks -am -DskipTests -Dspotless.check.skip \
    package dependency:build-classpath -Dmdep.outputFile="target/exchange.classpath"
exec java -XX:MaxDirectMemorySize=4g -cp "benchmarks/target/classes:$(cat benchmarks/target/exchange.classpath)" \
    dev.medley.benchmarks.exchange.SchemeBenchmark "$@"
