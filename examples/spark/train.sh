#!/bin/sh
# Trains job.yaml on Spark: on two executors of this machine, or on the master that is named, with options of medley train.
#
#   examples/spark/train.sh [MASTER [OPTION...]]
#
#   SPARK_HOME  the folder of a Spark 4.2; else spark-submit of the PATH. tools/spark/install.sh fetches one
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
master='local-cluster[2,1,2048]'
if [ $# -gt 0 ]; then
    master=$1
    shift
fi
cd "$root"
exec ./medley train examples/spark/job.yaml --on "$master" "$@"
