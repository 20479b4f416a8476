#!/usr/bin/env bash
# Every formatter in check mode and every linter. Runs all of them and fails if one does.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc packages shellcheck
use_node
cd "$ROOT"

failed=()
lint() {
  local name=$1
  shift
  say "$name"
  "$@" || failed+=("$name")
}

scripts() {
  local files
  mapfile -t files < <(find deploy .ci -name node_modules -prune -o -type f -print0 | xargs -0 grep -lE '^#!.*bash|^# shellcheck shell')
  shellcheck "${files[@]}"
}

lint 'Rust format' cargo fmt --all --check
lint 'Rust lints' cargo clippy --quiet --workspace --all-targets --locked -- -D warnings
lint 'frontend' npm --prefix frontend run --silent lint
lint 'generated types' npm --prefix frontend run --silent gen:check
lint 'protos' npm --prefix frontend run --silent lint:proto
lint 'scripts' scripts

if ((${#failed[@]})); then fail "failed: $(printf '%s, ' "${failed[@]}" | sed 's/, $//')"; fi
say "everything passed"
