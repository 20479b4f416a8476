#!/usr/bin/env bash
# Builds once, then runs every test: Rust (with real Redis and PostgreSQL), the frontend's unit tests and types,
# browser tests against the all-in-one site and, where the result can differ, against separate processes, the
# REST API against its description, and the checks of operations.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cd "$ROOT"
# A fixed seed: each run tests the same cases. `make proof` tests many more.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-2026}
# No incremental compilation: its data takes 3 GB, and everything is built once.
export CARGO_INCREMENTAL=${CARGO_INCREMENTAL:-0}
work=$(mktemp -d)
# The process group that runs beside the main lane.
lane=
stop() {
  if [[ $lane ]]; then kill -TERM -- "-$lane" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap stop EXIT
# Collects the logs of every process; they are searched at the end.
export TEST_LOGS=$ROOT/target/logs/tests
rm -rf "$TEST_LOGS"
# Output of the parts, one file for each lane, because two lanes run in parallel.
output=$work/main.output

# part NAME COMMAND…: runs a command and records its duration. A failure ends the run only if NAME ends in `!`,
# because all other parts need it. A part that cannot run on this machine counts as left out, not as passed.
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

# Prints the parts with their durations, then the summaries of the test runners.
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

# Prints why the site returned no page to browsers; a test sees only the status 503.
pages_not_made() {
  sed -n 's/^\([^ ]*\) .*: page not made/\1 page not made:/p' \
    "$TEST_LOGS"/{all-in-one,separate}*.log 2>/dev/null | head -n 5 || true
}

node_part() { npm --prefix frontend run --silent "$@"; }

# Parts that run in parallel with the browser tests of the all-in-one site; their output is printed at the end.
second_lane() {
  output=$work/second.output
  part 'frontend types' node_part check
  part 'frontend units' node_part test -- --maxWorkers 1
  # It has its own site, because other parts change the content of pages.
  part 'fixtures by the loaders' env SITE_LOG=fixtures \
    deploy/with-site.sh all-in-one npm --prefix frontend run --silent fixtures -- --check
  part 'REST API by its description' env SAHM_RATE_LIMITS=off SITE_LOG=api \
    deploy/with-site.sh all-in-one deploy/api.sh 60
  part 'dashboards and alerts by what is emitted' env SAHM_ATTRIBUTION_SINKS=crm=http://127.0.0.1:9/ \
    SAHM_CDN_PURGE_URL=http://127.0.0.1:9/ SITE_LOG=telemetry deploy/with-site.sh separate deploy/check-telemetry.sh
  part 'backup and restore' deploy/check-restore.sh
  part 'first deployment by its document' deploy/check-first-deployment.sh
  part 'processes as their pods start them' deploy/check-images.sh
  part 'sizes of images' deploy/check-sizes.sh
  # deploy/site/tests/site/forms.rs checks that the pages are the same in both forms of the site. This part tests
  # what can differ: each page once, sessions, streams, uploads, imports and failures.
  part 'browser, separate processes' deploy/with-site.sh separate \
    npm --prefix frontend run --silent test:e2e:processes
}

# Setup steps that mostly download. They run beside the Rust build.
preparation() {
  output=$work/preparation.output
  part 'PgBouncer and Schemathesis' deploy/setup.sh pgbouncer schemathesis
  part 'frontend packages and build' deploy/setup.sh frontend
}

# beside FUNCTION: runs a lane in a separate process group, so that an interrupted run can stop it. Its output is
# printed by `join_lane`.
beside() {
  set -m
  "$1" >"$work/$1.screen" 2>&1 </dev/null &
  lane=$!
  set +m
}

join_lane() {
  wait "$lane" || true
  lane=
  cat "$work/$1.screen"
}

# In the foreground, where sudo can prompt, and first, so that a failed installation shows before the build.
part 'setup!' deploy/setup.sh cc redis postgres varnish wrk headless node
use_node
beside preparation
part 'Rust build!' cargo build --workspace --bins --tests --locked
join_lane preparation
if [[ -f $work/failed ]]; then
  summary
  exit 1
fi
part 'Rust tests' deploy/test-rust.sh
beside second_lane
part 'browser, all-in-one' deploy/with-site.sh all-in-one npm --prefix frontend run --silent test:e2e
join_lane second_lane
part 'no phone, code or token in any log' deploy/check-logs.py "$TEST_LOGS"
summary
[[ ! -f $work/failed ]]
