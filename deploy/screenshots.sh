#!/usr/bin/env bash
# Saves every page × locale × theme × two widths to target/screenshots/, and the README's images.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc frontend headless
use_node
cd "$ROOT"
cargo build --release --locked --package sahm-site --package sahm-content --bins
BIN_DIR=target/release deploy/with-site.sh all-in-one npm --prefix frontend run --silent screenshots
