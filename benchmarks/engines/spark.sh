#!/bin/bash
# Measures training on Spark (local-cluster of three executors) beside MLlib and XGBoost4J-Spark:
#
#   benchmarks/engines/spark.sh [logistic|boosting|xgboost|mllib ...]
#
# Needs tools/spark/install.sh once, a build of this checkout (./medley --version), and a quiet machine; XGBoost4J-Spark comes
# from the local Maven repository (mvn dependency:get -Dartifact=ml.dmlc:xgboost4j-spark_2.13:3.1.1 and xgboost4j_2.13). Adds
# lines to spark-figures.jsonl.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=${MEDLEY_SPARK:-$HOME/.cache/medley-spark}/venv
export SPARK_HOME=$("$venv/bin/python" -c 'import pyspark; print(pyspark.__path__[0])')
export PYSPARK_PYTHON=$venv/bin/python PYSPARK_DRIVER_PYTHON=$venv/bin/python
repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
medley=$(ls cli/target/medley/lib/*.jar | grep -Ev '/(logback|slf4j|netty|kubernetes|armeria|micrometer|operator-framework|zjsonpatch|jackson-(annotations|core-2|databind-2|dataformat-yaml-2|datatype)|snakeyaml|commons-logging|reactive-streams|context-propagation|HdrHistogram|LatencyUtils|java-diff)' | sed "s#^#$PWD/#" | paste -sd:)
xgboost=$(ls "$repository"/ml/dmlc/xgboost4j_2.13/*/*.jar "$repository"/ml/dmlc/xgboost4j-spark_2.13/*/*.jar 2>/dev/null | paste -sd: || true)
mkdir -p target/spark-figures

figures() { # class path, arguments of spark.py
    "$SPARK_HOME/bin/spark-submit" --master 'local-cluster[3,1,2048]' --driver-memory 2g --conf spark.executor.memory=2g \
        --conf spark.log.level=ERROR --conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false \
        --driver-class-path "$1" --conf "spark.executor.extraClassPath=$1" benchmarks/engines/spark.py "${@:2}" \
        2> target/spark-figures/log | sed -n 's/^FIGURE //p' |
        while read -r line; do echo "{\"commit\": \"$(git rev-parse --short HEAD)\", ${line#\{}" | tee -a benchmarks/engines/spark-figures.jsonl; done
}

for what in "${@:-logistic}"; do
    case $what in
        logistic) figures "$medley" logistic 2000000 "${PAIRS:-5}" ;;
        boosting) figures "$medley" boosting 300000 medley ;;
        xgboost) figures "$xgboost" boosting 300000 xgboost ;;
        mllib) figures "$medley" boosting 300000 mllib ;; # Minutes a fit.
    esac
done
