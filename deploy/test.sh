#!/usr/bin/env bash
# Every test, each part once, the build first: Rust (with real Redis and PostgreSQL), the frontend's
# units and types, the browser against the site in both its forms, and the REST API against its own
# description; then what operators rely on. One build serves all parts.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cd "$ROOT"
# The same cases in each run; `make proof` runs many more.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-2026}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
parts=() failed=0
# What every process logs meanwhile; searched at the end.
export TEST_LOGS=$ROOT/target/logs/tests
rm -rf "$TEST_LOGS"

# part NAME COMMAND…: runs it and notes how long it took; a failure ends the run only for what is
# needed by all the rest (NAME ending in !).
part() {
  local name=${1%!} needed=$1 began=$SECONDS status=0 outcome=passed
  shift
  printf '\n=== %s\n' "$name"
  "$@" 2>&1 | tee -a "$work/output" || status=$?
  if ((status)); then
    outcome=FAILED
    failed=$((failed + 1))
  fi
  parts+=("$(printf '%-42s %-6s %3d:%02d' "$name" "$outcome" $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)))")
  if ((status)) && [[ $needed == *! ]]; then
    summary
    exit 1
  fi
}

# The parts with their times, then the sum of what the runners counted; a part that failed without
# a failed test counts as one.
summary() {
  local passed wrong
  printf '\n'
  printf '%s\n' "${parts[@]}"
  read -r passed wrong < <(awk '
    { gsub(/\033\[[0-9;]*m/, "") }
    /^test result: / { passed += $4; wrong += $6 }
    /^ *Tests  / { for (i = 2; i < NF; i++) { if ($(i + 1) ~ /^passed/) passed += $i; if ($(i + 1) ~ /^failed/) wrong += $i } }
    END { print passed + 0, wrong + 0 }
  ' "$work/output")
  printf '%d passed, %d failed\n' "$passed" $((wrong > failed ? wrong : failed))
}

node_part() { npm --prefix frontend run --silent "$@"; }

# Packages first: a browser or a server that cannot be installed should not show after the build.
part 'setup!' deploy/setup.sh cc redis postgres chromium node schemathesis
use_node
part 'frontend packages and build!' deploy/setup.sh frontend
part 'Rust build!' cargo build --workspace --all-targets --locked
part 'Rust tests' cargo test --workspace --locked --no-fail-fast
part 'frontend types' node_part check
part 'frontend units' node_part test
for form in all-in-one separate; do
  part "browser, $form" deploy/with-site.sh "$form" npm --prefix frontend run --silent test:e2e
done
part 'REST API by its description' env SAHM_RATE_LIMITS=off \
  deploy/with-site.sh all-in-one deploy/api.sh 120
part 'dashboards and alerts by what is emitted' env SAHM_ATTRIBUTION_SINKS=crm=http://127.0.0.1:9/ \
  deploy/with-site.sh separate deploy/check-telemetry.sh
part 'backup and restore' deploy/check-restore.sh
part 'processes as their pods start them' deploy/check-images.sh
part 'no phone, code or token in any log' deploy/check-logs.py "$TEST_LOGS"
summary
((failed == 0))
