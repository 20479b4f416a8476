#!/usr/bin/env bash
# The benchmarks, release build: deploy/bench says what is measured. Results in target/bench/.
#   deploy/bench.sh [--rounds N] [pages] [peers] [frameworks] [renders] [streams] [events] [lists]
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc frontend peers apps renders
use_node
cd "$ROOT"
cargo build --release --locked --bins --package sahm-site --package sahm-content \
  --package sahm-quotes --package sahm-gateway --package sahm-bench
exec target/release/sahm-bench "$@"
