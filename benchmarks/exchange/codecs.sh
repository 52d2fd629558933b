#!/bin/sh
# Codecs on one core: GB of float32 a second, median and quarters. A minute; nothing else should run
# meanwhile. MAVEN_ARGS are handed to Maven (-o to build offline).
set -eu
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2086
mvn -q -B ${MAVEN_ARGS:-} -pl benchmarks -am -DskipTests -Dspotless.check.skip \
    package dependency:build-classpath -Dmdep.outputFile="target/exchange.classpath"
exec java -cp "benchmarks/target/classes:$(cat benchmarks/target/exchange.classpath)" \
    dev.medley.benchmarks.exchange.CodecBenchmark
