#!/bin/bash
# Puts two clients of Salesforce by others into a cache outside the repository: simple-salesforce (Python) and jsforce
# (Node). The tests let them talk to the fake org, which shows that it speaks as the real one does:
#
#   tools/salesforce/install.sh [FOLDER]       (default: ~/.cache/medley-salesforce)
#
# Needs Python 3.10 or later, Node 18 or later with npm, and 200 MB of disk. Tests say that they were skipped where it is
# not there; MEDLEY_SALESFORCE names another folder.
set -euo pipefail
folder=${1:-${MEDLEY_SALESFORCE:-$HOME/.cache/medley-salesforce}}
mkdir -p "$folder/js"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q 'simple-salesforce==1.12.10'
cd "$folder/js"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund 'jsforce@3.8.2'
"$folder/venv/bin/python" -c 'from importlib.metadata import version as v; print("simple-salesforce", v("simple-salesforce"))'
node -p '"jsforce " + require("jsforce/package.json").version'
