#!/usr/bin/env bash
# The long tests, with the release profile: property tests with CASES cases each (default: 20,000), 50 kill
# rounds (`make test`: one), the page cache with a million keys, 500 pages under a changing menu, 250 purges
# with and without Redis, 20 rounds of rolling restarts (`make test`: one), the REST API against its
# description for 15 minutes, the layout of every page, Lighthouse, the soak, and mutation tests of the changed Rust files.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc redis postgres pgbouncer varnish frontend headless schemathesis
use_node
cd "$ROOT"
export BIN_DIR=target/release
cargo build --workspace --bins --release --locked
deploy/check-sizes.sh
PROPTEST_CASES=${CASES:-20000} SAHM_PROOF=1 cargo test --workspace --release --locked
SAHM_RATE_LIMITS=off deploy/with-site.sh all-in-one deploy/api.sh 900
npm --prefix frontend run --silent layout
deploy/lighthouse.sh
deploy/bench.sh soak
deploy/mutants.sh || [[ $? == "$LEFT_OUT" ]]
