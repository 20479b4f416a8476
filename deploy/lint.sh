#!/usr/bin/env bash
# Runs every linter, and every formatter in check mode. Runs all of them even if one fails, and lists those
# that could not run on this machine.
#   deploy/lint.sh [--code]
#     --code  only the linters of Rust, TypeScript, protos and scripts, not of manifests, images and licences
set -euo pipefail
source "$(dirname "$0")/lib.sh"

code_only=
if [[ ${1:-} == --code ]]; then code_only=yes; fi
"$ROOT/deploy/setup.sh" cc packages shellcheck
if [[ ! $code_only ]]; then "$ROOT/deploy/setup.sh" lint-tools promtool machete; fi
use_node
cd "$ROOT"

failed=() left=()
lint() {
  local name=$1 status=0
  shift
  say "$name"
  "$@" || status=$?
  case $status in
  0) ;;
  "$LEFT_OUT") left+=("$name") ;;
  *) failed+=("$name") ;;
  esac
}

listed() { printf '%s, ' "$@" | sed 's/, $//'; }

scripts() {
  local files
  mapfile -t files < <(find deploy .ci -name node_modules -prune -o -type f -print0 | xargs -0 grep -lE '^#!.*bash|^# shellcheck shell')
  shellcheck "${files[@]}"
}

# Builds every overlay and example and checks them with schemas, deploy/lint/manifests.py and checkov. If the
# processes are built (BIN_DIR), each one also checks its settings.
manifests() {
  local build overlay folder=$ROOT/target/manifests tools=$ROOT/target/lint/bin
  build=$(kustomize_command) || {
    say 'neither kustomize nor a kubectl of 1.27 or newer is here: the overlays are not built'
    return "$LEFT_OUT"
  }
  rm -rf "$folder"
  mkdir -p "$folder"
  for overlay in k8s/overlays/* k8s/examples/*; do
    $build "$overlay" >"$folder/$(basename "$overlay").yaml" || return 1
  done
  "$tools/python" deploy/lint/manifests.py "$folder" "${BIN_DIR:-target/debug}" || return 1
  "$tools/checkov" --config-file deploy/lint/checkov.yaml --directory "$folder"
}

vocabulary() {
  (cd deploy/lint && python3 -m unittest --quiet vocabulary_test) && python3 deploy/lint/vocabulary.py
}

migrations() {
  (cd deploy/lint && python3 -m unittest --quiet migrations_test) && python3 deploy/lint/migrations.py
}

imports() {
  (cd deploy/lint && python3 -m unittest --quiet imports_test) && python3 deploy/lint/imports.py
}

# Checks the compose file, workflows and Renovate's settings with the schemas of check-jsonschema.
schemas() {
  local check=target/lint/bin/check-jsonschema
  "$check" --builtin-schema vendor.compose-spec deploy/compose/compose.yaml &&
    "$check" --builtin-schema vendor.github-workflows .github/workflows/*.yml &&
    "$check" --builtin-schema vendor.renovate renovate.json
}

versions() {
  python3 deploy/lint/release_test.py --quiet && target/lint/bin/python deploy/lint/versions.py
}

images() { target/lint/bin/hadolint --config deploy/lint/hadolint.yaml deploy/images/*.Dockerfile; }

telemetry() {
  local promtool
  promtool=$(command -v promtool || echo target/promtool/usr/bin/promtool)
  "$promtool" check rules --lint-fatal deploy/telemetry/{slo,alerts,kubernetes/alerts}.yml &&
    "$promtool" check config --syntax-only deploy/telemetry/prometheus.yml &&
    "$promtool" test rules deploy/telemetry/tests/*_test.yml &&
    python3 deploy/telemetry/check.py
}

lint 'Rust format' cargo fmt --all --check
lint 'Rust lints' cargo clippy --quiet --workspace --all-targets --locked -- -D warnings
lint 'frontend' npm --prefix frontend run --silent lint
lint 'generated types' npm --prefix frontend run --silent gen:check
lint 'protos' npm --prefix frontend run --silent lint:proto
lint 'scripts' scripts
lint 'settings' python3 deploy/lint/settings.py
lint 'links' python3 deploy/lint/links.py
lint 'vocabulary' vocabulary
lint 'failures' python3 deploy/lint/failures.py
lint 'commands' python3 deploy/lint/commands.py
lint 'migrations' migrations
lint 'imports' imports
if [[ ! $code_only ]]; then
  lint 'unused crates' target/tools/bin/cargo-machete
  lint 'manifests' manifests
  lint 'images' images
  lint 'telemetry' telemetry
  lint 'schemas' schemas
  lint 'compose' target/lint/bin/python deploy/lint/compose.py
  lint 'versions' versions
  lint 'supply chain' deploy/supply-chain.sh
fi

if ((${#left[@]})); then say "could not run here, or not in full: $(listed "${left[@]}")"; fi
if ((${#failed[@]})); then fail "failed: $(listed "${failed[@]}")"; fi
say "everything${left:+ else} passed"
