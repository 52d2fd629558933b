#!/bin/bash
# Builds the image without Docker and without a base, unpacks it, and starts what is in it with the JDK of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -q -ntp -Pimage -pl image -am -DskipTests package -Dimage.base=scratch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar xf image/target/medley-image.tar -C "$work"
mkdir "$work/root"
for layer in "$work"/*.tar.gz; do
    tar xzf "$layer" -C "$work/root" 2>/dev/null
done
grep -q '"PATH=/opt/medley/bin:' "$work/config.json"
grep -q '"User":"10001"' "$work/config.json"
MEDLEY_ARCHIVES=none "$work/root/opt/medley/bin/medley" --version
