#!/bin/bash
# Puts what tests of YARN run against into a cache outside the repository, once: Hadoop's jars for a ResourceManager and
# NodeManagers in one process (MiniYarn.java), 110 MB by Maven.
#
#   tools/yarn/install.sh [FOLDER]        (default: ~/.cache/medley-yarn)
#
# Tests say that they were skipped where the folder is not there; MEDLEY_YARN names another one. A cluster by hand, until
# its standard input ends, with two nodes of 4 vcores and 4 GiB; it says ready, and HADOOP_CONF_DIR is /tmp/yarn/conf:
#
#   java -cp "$HOME/.cache/medley-yarn/lib/*" tools/yarn/MiniYarn.java /tmp/yarn 2 4 4096
set -euo pipefail
cd "$(dirname "$0")"
folder=${1:-${MEDLEY_YARN:-$HOME/.cache/medley-yarn}}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
mvn -q -B -ntp org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies "-DoutputDirectory=$folder/lib"
echo "Hadoop's jars are in $folder/lib"
