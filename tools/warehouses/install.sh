#!/bin/bash
# Puts fakesnow, which answers as Snowflake does, and Snowflake's own JDBC driver into a cache outside the repository. A
# test reads tables through both:
#
#   tools/warehouses/install.sh [FOLDER]       (default: ~/.cache/medley-warehouses)
#
# Needs Python 3.10 or later, Maven, and 600 MB of disk. The test says that it was skipped where it is not there;
# MEDLEY_WAREHOUSES names another folder. Nothing of it is part of what is shipped.
set -euo pipefail
folder=${1:-${MEDLEY_WAREHOUSES:-$HOME/.cache/medley-warehouses}}
driver=4.4.1
mkdir -p "$folder"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q 'fakesnow[server]==0.12.1' 'snowflake-connector-python==4.0.0'
cd "$folder" # Outside of the build, whose settings are not for this.
mvn -q -B -ntp -Dmaven.repo.local="$folder/m2" dependency:get \
    -Dartifact="net.snowflake:snowflake-jdbc:$driver" -Dtransitive=false
cp "$folder/m2/net/snowflake/snowflake-jdbc/$driver/snowflake-jdbc-$driver.jar" "$folder/snowflake-jdbc.jar"
"$folder/venv/bin/python" -c 'from importlib.metadata import version as v; print("fakesnow", v("fakesnow"))'
echo "snowflake-jdbc $driver"
