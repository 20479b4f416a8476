#!/usr/bin/env bash
# Runs the benchmarks of the release build. deploy/bench/README.md describes them; results are in target/bench/.
#   deploy/bench.sh [--rounds N] [pages] [peers] [frameworks] [renders] [streams] [events] [lists] [load]
#   deploy/bench.sh soak [--minutes N]    default: 20 minutes
#   deploy/bench.sh docs                  writes the results of load and soak to docs/operations
set -euo pipefail
source "$(dirname "$0")/lib.sh"

case $* in
docs) needs=(cc) ;;
load | soak*) needs=(cc frontend redis postgres) ;;
*) needs=(cc frontend redis postgres wrk peers apps renders) ;;
esac
"$ROOT/deploy/setup.sh" "${needs[@]}"
use_node
cd "$ROOT"
packages=(bench)
if [[ $* != docs ]]; then packages+=(site gateway content config identity quotes activity attribution); fi
cargo build --release --locked --bins "${packages[@]/#/--package=sahm-}"
exec target/release/sahm-bench "$@"
