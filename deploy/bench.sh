#!/usr/bin/env bash
# The benchmarks, release build: deploy/bench says what is measured. Results in target/bench/.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc frontend
use_node
cd "$ROOT"
cargo build --release --locked --package sahm-site --package sahm-bench --bins
exec target/release/sahm-bench "$@"
