#!/usr/bin/env bash
# Builds the site and starts it in one process, with the settings of the environment. It is a debug build, as for
# `make dev`: an optimised one takes three times as long.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc node
use_node
cd "$ROOT"
# Duration of a first build in minutes of CPU time.
readonly FIRST_BUILD=9
if [[ ! -x target/debug/sahm ]]; then
  processors=$(nproc)
  say "building the site for the first time: about $(((FIRST_BUILD + processors - 1) / processors)) minutes on" \
    "$processors processors; later starts take seconds"
fi
# The frontend's packages are downloaded while Rust compiles.
"$ROOT/deploy/setup.sh" frontend &
frontend=$!
trap 'kill "$frontend" 2>/dev/null || true' EXIT
cargo build --locked --package sahm-site --bin sahm
wait "$frontend"
exec target/debug/sahm "$@"
