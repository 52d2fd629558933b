#!/bin/bash
# Asks a server that runs with clients that others wrote, and has its answers checked by others' words:
#
#   tools/serving/conformance.sh http://127.0.0.1:8080 [FOLDER]     (default: ~/.cache/medley-conformance)
#
# tritonclient and kserve ask over REST and gRPC. Prism stands between as a proxy and compares requests and answers
# with MLServer's edition of open_inference_rest.yaml and with its model_repository.yaml, which come with its wheel, and
# with the server's own openapi.json. OIP_SPEC names another edition: a copy of specification/protocol/
# open_inference_rest.yaml of github.com/kserve/open-inference-protocol.
#
# Needs Python 3.10 or later, Node 18 or later with npm, 1.5 GB of disk, and the package registries on the first call.
# The server needs a model; what is asked of it are the examples of openapi.json. The last line of each part counts its checks.
set -euo pipefail
server=${1:?the address of a server, as http://127.0.0.1:8080}
folder=${2:-$HOME/.cache/medley-conformance}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/prism" "$folder/spec"
if [ ! -x "$folder/venv/bin/python" ]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install -q 'kserve==0.21.0' 'tritonclient[http,grpc]==2.73.0'
fi
if [ ! -x "$folder/prism/node_modules/.bin/prism" ]; then
    (cd "$folder/prism" && npm install --silent --no-fund --no-audit '@stoplight/prism-cli@5')
fi
if [ ! -f "$folder/spec/dataplane.json" ]; then
    "$folder/venv/bin/pip" download -q --no-deps -d "$folder/spec" 'mlserver==1.7.1'
    (cd "$folder/spec" && python3 -m zipfile -e mlserver-1.7.1-*.whl wheel && cp wheel/mlserver/rest/openapi/*.json .)
fi
spec=$folder/spec/dataplane.json
if [ -n "${OIP_SPEC:-}" ]; then # Its paths have ${NAME} where OpenAPI has {NAME}.
    spec=$folder/spec/open_inference_rest.yaml
    sed 's/\${/{/g' "$OIP_SPEC" > "$spec"
fi
# One process for each: both clients bring messages of the same names.
end=0
for part in tritonclient kserve prism; do
    "$folder/venv/bin/python" "$here/conformance.py" "$server" "$folder/prism/node_modules/.bin/prism" \
        "$spec" "$folder/spec/model_repository.json" "$part" || end=1
done
exit $end
