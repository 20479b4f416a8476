#!/usr/bin/env bash
# Starts a debug build of the site behind Vite's development server. A changed component, style sheet or
# message appears in the browser without a build; a change in Rust needs a restart.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc frontend
use_node
cd "$ROOT"
cargo build --locked --package sahm-site --bin sahm
listen=${SAHM_LISTEN:-127.0.0.1:8080}

target/debug/sahm </dev/null &
site=$!
stop() {
  kill -TERM "$site" 2>/dev/null || true
  wait "$site" || true
}
trap stop EXIT
trap 'exit 130' INT TERM
await 120 "$site" http_ok "${listen##*:}" /robots.txt || fail 'the site did not start'
npm --prefix frontend run --silent dev -- --gateway "http://127.0.0.1:${listen##*:}"
