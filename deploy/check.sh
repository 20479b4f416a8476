#!/usr/bin/env bash
# The checks to run before each commit: formats, linters, types, and unit tests of Rust and the frontend.
# Starts no server and no browser.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc packages
use_node
cd "$ROOT"
deploy/lint.sh --code
cargo test --workspace --locked --lib --quiet -- --skip ::postgres::
npm --prefix frontend run --silent test -- --project src --project dom
