#!/bin/bash
# Puts three clients of Salesforce by others into a cache outside the repository: simple-salesforce (Python), jsforce and
# salesforce-pubsub-api-client (Node). The tests let them talk to the fake org, which shows that it speaks as the real one does:
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
mkdir -p "$folder/pubsub"
cd "$folder/pubsub"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund 'salesforce-pubsub-api-client@5.5.2' 'underscore@1.13.7' # avro-js does not say that it needs it
node -p '"salesforce-pubsub-api-client " + require("./node_modules/salesforce-pubsub-api-client/package.json").version'
