#!/usr/bin/env bash
# The whole site as a debug build with Vite's development server in front of it: a changed component,
# style sheet or message appears in the browser without a build. After a change in Rust, start again.
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
