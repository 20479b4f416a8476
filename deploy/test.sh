#!/usr/bin/env bash
# Every test, the build first: Rust (with real Redis and PostgreSQL), the frontend's units and types,
# the browser against the site in one process, and as separate processes where that can matter, and the REST API
# against its own description; then what operators rely on. One build serves all parts.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cd "$ROOT"
# The same cases in each run; `make proof` runs many more.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-2026}
# Built once and from nothing: what a second build would go by takes 3 GB.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}
work=$(mktemp -d)
second=
stop() {
  if [[ $second ]]; then kill -TERM -- "-$second" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap stop EXIT
# What every process logs meanwhile; searched at the end.
export TEST_LOGS=$ROOT/target/logs/tests
rm -rf "$TEST_LOGS"
# What the parts print, a file a lane: parts of two lanes run at the same time.
output=$work/main.output

# part NAME COMMAND…: runs it and notes how long it took; a failure ends the run only for what is
# needed by all the rest (NAME ending in !). What could not be done here is left out, not passed.
part() {
  local name=${1%!} needed=$1 began=$SECONDS status=0 outcome=passed
  shift
  printf '\n=== %s\n' "$name"
  "$@" 2>&1 | tee -a "$output" || status=$?
  if ((status == LEFT_OUT)); then
    outcome='left out' status=0
  elif ((status)); then
    outcome=FAILED
    echo "$name" >>"$work/failed"
  fi
  printf '%-42s %-8s %3d:%02d\n' "$name" "$outcome" $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) >>"$work/parts"
  if ((status)) && [[ $needed == *! ]]; then
    summary
    exit 1
  fi
}

# The parts with their times, then what the runners said.
summary() {
  local failed=0
  printf '\n'
  cat "$work/parts"
  if [[ -f $work/failed ]]; then
    failed=$(wc -l <"$work/failed")
    pages_not_made
  fi
  cat "$work"/*.output | awk -v failed="$failed" -f deploy/test-summary.awk
}

# Why browsers got no page from the site: a test sees only that it was 503.
pages_not_made() {
  sed -n 's/^\([^ ]*\) .*: page not made/\1 page not made:/p' \
    "$TEST_LOGS"/{all-in-one,separate}*.log 2>/dev/null | head -n 5 || true
}

node_part() { npm --prefix frontend run --silent "$@"; }

# Parts that wait more than they compute, beside the browser tests: their output appears in one piece.
second_lane() {
  output=$work/second.output
  part 'frontend types' node_part check
  part 'frontend units' node_part test -- --maxWorkers 1
  part 'REST API by its description' env SAHM_RATE_LIMITS=off SITE_LOG=api \
    deploy/with-site.sh all-in-one deploy/api.sh 120
  part 'dashboards and alerts by what is emitted' env SAHM_ATTRIBUTION_SINKS=crm=http://127.0.0.1:9/ \
    SAHM_CDN_PURGE_URL=http://127.0.0.1:9/ SITE_LOG=telemetry deploy/with-site.sh separate deploy/check-telemetry.sh
  part 'backup and restore' deploy/check-restore.sh
  part 'first deployment by its document' deploy/check-first-deployment.sh
  part 'processes as their pods start them' deploy/check-images.sh
  part 'sizes of images' deploy/check-sizes.sh
}

# Packages first: a browser or a server that cannot be installed should not show after the build.
part 'setup!' deploy/setup.sh cc redis postgres varnish headless node schemathesis
use_node
part 'frontend packages and build!' deploy/setup.sh frontend
part 'Rust build!' cargo build --workspace --all-targets --locked
part 'Rust tests' deploy/test-rust.sh
# A process group of its own, which an interrupted run can end.
set -m
second_lane >"$work/second.screen" 2>&1 </dev/null &
second=$!
set +m
part 'browser, all-in-one' deploy/with-site.sh all-in-one npm --prefix frontend run --silent test:e2e
# The pages are the same in both forms, which deploy/site/tests/site/forms.rs compares. What can differ between them is tried
# here: each page once, sessions, streams, uploads, imports and failures.
part 'browser, separate processes' deploy/with-site.sh separate \
  npm --prefix frontend run --silent test:e2e:processes
wait "$second" || true
second=
cat "$work/second.screen"
part 'no phone, code or token in any log' deploy/check-logs.py "$TEST_LOGS"
summary
[[ ! -f $work/failed ]]
