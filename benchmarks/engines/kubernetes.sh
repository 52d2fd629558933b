#!/bin/bash
# Measures what docs/kubernetes.md promises on a real control plane (tools/kube/build.sh) with pods as processes:
#
#   benchmarks/engines/kubernetes.sh sizes,quota,away,killed,many,nodes [FILE]
#
# sizes: two workers, eight, three; pods that are deleted and killed. quota: idle quota that is used, a job that is pre-empted,
# three times, with Kueue. away: the API server hangs for a minute. killed: the
# operator is killed twenty times. many: a thousand jobs, then ten minutes in which nothing changes (20 minutes).
# nodes: a thousand nodes of KWOK, on which the pods of a thousand jobs are scheduled and ready (15 minutes).
# Appends a line of JSON for each figure to FILE (default: benchmarks/engines/kubernetes-figures.jsonl).
set -euo pipefail
cd "$(dirname "$0")/../.."
what=$1
file=$(realpath -m "${2:-benchmarks/engines/kubernetes-figures.jsonl}")
exec mvn ${MAVEN_ARGS:-} -ntp -B -pl cli -am verify -Dtest=KubernetesFigures -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dtest.jvm.args=-Xmx1g -Dmedley.figures=$what -Dmedley.figures.file=$file"
