#!/bin/bash
# Builds what tests of Kubernetes run against, once, into a cache outside the repository:
#
#   tools/kube/build.sh [FOLDER]          (default: ~/.cache/medley-kube)
#
# The control plane is a module of ours (go.mod, main.go); Kueue, JobSet, Kubeflow's Trainer, Helm and KWOK are modules of their
# own, since their feature gates and Kubernetes' own do not go into one program. Needs Go 1.26 and what Go fetches; ten to twenty
# minutes on two cores and 4 GB of memory the first time. Tests say that they were skipped where the folder is not
# there; MEDLEY_KUBE names another one.
set -euo pipefail
cd "$(dirname "$0")"
folder=${1:-${MEDLEY_KUBE:-$HOME/.cache/medley-kube}}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
export CGO_ENABLED=0
# Clients ask an API server for its version, which is set when it is built.
is=k8s.io/component-base/version
go build -p 2 -trimpath -o "$folder/kube.new" -ldflags="-s -w -X $is.gitVersion=v1.36.3 -X $is.gitMajor=1 \
    -X $is.gitMinor=36 -X $is.gitTreeState=clean -X $is.gitCommit=0 -X $is.buildDate=2026-01-01T00:00:00Z" .
mv "$folder/kube.new" "$folder/kube"
for name in etcd kube-apiserver kube-controller-manager kube-scheduler kubectl; do
    ln -f "$folder/kube" "$folder/$name"
done
echo "the control plane is in $folder"

# name, module, version, package of its main, folder of its resource definitions
while read -r name module version main crds; do
    if [ "$(cat "$folder/$name.version" 2>/dev/null)" = "$version" ]; then
        continue
    fi
    # A module of its own that requires it: go install would ask the proxy for more than is there.
    rm -rf "${folder:?}/module" && mkdir "$folder/module"
    (
        cd "$folder/module"
        go mod init "medley.dev/$name" 2>/dev/null
        go mod edit "-require=$module@$version"
        go build -mod=mod -p 2 -trimpath -ldflags='-s -w' -o "$folder/$name.new" "$module${main%/}"
    )
    rm -rf "$folder/module"
    mv "$folder/$name.new" "$folder/$name"
    echo "$version" > "$folder/$name.version"
    echo "$name $version is in $folder"
    [ "$crds" != - ] || continue
    source=$(go mod download -json "$module@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    rm -rf "${folder:?}/$name.yaml"
    mkdir -p "$folder/$name.yaml"
    cp -r "$source/$crds/." "$folder/$name.yaml/"
    chmod -R u+w "$folder/$name.yaml"
done <<'MODULES'
kueue sigs.k8s.io/kueue v0.19.2 /cmd/kueue config/components
jobset sigs.k8s.io/jobset v0.12.0 / config/components
trainer github.com/kubeflow/trainer/v2 v2.3.0 /cmd/trainer-controller-manager manifests/base
helm helm.sh/helm/v3 v3.19.0 /cmd/helm -
kwok sigs.k8s.io/kwok v0.8.0 /cmd/kwok kustomize/stage
MODULES
