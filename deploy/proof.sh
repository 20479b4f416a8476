#!/usr/bin/env bash
# The property tests at full count, in the release profile: CASES cases each (20,000 unless set).
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc redis postgres frontend
use_node
cd "$ROOT"
PROPTEST_CASES=${CASES:-20000} cargo test --workspace --release --locked
