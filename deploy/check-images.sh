#!/usr/bin/env bash
# Starts every process as its pod would, without a container engine (deploy/images/check.py). Needs root
# for mount and network namespaces. BIN_DIR is the directory of the binaries (default: target/debug).
set -euo pipefail
source "$(dirname "$0")/lib.sh"

build=$(kustomize_command) || build=
if [[ $EUID -ne 0 || -z $build ]] || ! unshare --mount --net true 2>/dev/null; then
  left_out 'needs root, namespaces, and kustomize or a kubectl of 1.27 or newer'
fi
"$ROOT/deploy/setup.sh" postgres lint-tools frontend
use_node
cd "$ROOT"
manifest=$(mktemp)
trap 'rm -f "$manifest"' EXIT
$build k8s/overlays/uat >"$manifest"
node=$(node -p process.execPath)
unshare --mount --net target/lint/bin/python deploy/images/check.py \
  "$manifest" "${BIN_DIR:-target/debug}" "$node" "$(postgres_bin)"
