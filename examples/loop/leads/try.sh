#!/bin/sh
# Plays six weeks of a sales team with a Salesforce of its own, on port 8123, and runs the loop in each. From the third week
# on a fair brings other leads: see what the loop notices, and how good its scores in the org are.
set -eu
cd "$(dirname "$0")"
root=../../..
medley=${MEDLEY:-$root/medley}
rm -rf leads.loop org
mkdir org
"$medley" --version > /dev/null # Builds, where nothing is built yet.
libraries="$root/cli/target/medley/lib/*"
# The org is the one of the tests: compiled here, and in nothing that is given to others.
javac -nowarn -proc:none -d org/classes -cp "$libraries" -sourcepath "$root/connect/src/test/java" LeadsOrg.java
mkfifo org/in org/out
java -cp "org/classes:$libraries" LeadsOrg 8123 org/key.pem < org/in > org/out 2> org/log &
exec 3> org/in 4< org/out
ask() {
    echo "$1" >&3
    read -r answer <&4 || { cat org/log; exit 1; }
    echo "$answer"
}
for week in 1 2 3 4 5 6; do
    echo "== $(ask week)"
    "$medley" loop run leads.yaml
    ask best
done
"$medley" loop history leads.yaml
