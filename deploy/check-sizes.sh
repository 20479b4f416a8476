#!/usr/bin/env bash
# Checks that each image adds at most 40 MB to its base image: the program without symbols, as in
# deploy/images/rust.Dockerfile, and for the gateway the built site. Measures the release build if there is
# one.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cd "$ROOT"
limit=$((40 * 1024 * 1024))
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
unbuilt=()

# image NAME FILE…
image() {
  local name=$1 bytes
  shift
  bytes=$(du --apparent-size --bytes --total --summarize "$@" | tail -n 1 | cut -f 1)
  ((bytes <= limit)) || fail "$name: $bytes bytes, more than $limit"
  say "$name: $((bytes / 1024)) KB"
}

image renderer frontend/dist/server/renderer.js deploy/images/renderer.package.json
for name in gateway content quotes identity config activity attribution; do
  site=()
  if [[ $name == gateway ]]; then site=(frontend/dist/client frontend/dist/site.json); fi
  if [[ -x target/release/sahm-$name ]]; then
    strip --strip-all -o "$stripped" "target/release/sahm-$name"
    image "$name" "$stripped" "${site[@]}"
  else
    unbuilt+=("$name")
  fi
done
if ((${#unbuilt[@]})); then left_out "${unbuilt[*]}: no release build"; fi
