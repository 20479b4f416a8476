#!/usr/bin/env bash
# The whole site in one process, release build, on the settings of the environment.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc frontend
use_node
cd "$ROOT"
cargo build --release --locked --package sahm-site --package sahm-content --package sahm-config --package sahm-quotes --bins
exec target/release/sahm "$@"
