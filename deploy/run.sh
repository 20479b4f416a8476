#!/usr/bin/env bash
# The whole site in one process, release build, on the settings of the environment.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc frontend
use_node
cd "$ROOT"
# What a first build takes, in minutes of one processor.
readonly FIRST_BUILD=17
if [[ ! -x target/release/sahm ]]; then
  processors=$(nproc)
  say "building the site for the first time: about $(((FIRST_BUILD + processors - 1) / processors)) minutes on" \
    "$processors processors; later starts take seconds"
fi
cargo build --release --locked --package sahm-site --bin sahm
exec target/release/sahm "$@"
