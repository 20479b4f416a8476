#!/usr/bin/env bash
# Runs a command beside a running site, on free ports and a data directory of its own:
#   deploy/with-site.sh all-in-one|separate COMMAND…
# The command finds the site's address in SAHM_E2E_URL. BIN_DIR names the binaries (target/debug);
# what the site logs stays in target/logs/FORM.log.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

form=$1
shift
use_node
cd "$ROOT"
export BIN_DIR=${BIN_DIR:-target/debug}
data=$(mktemp -d)
# PostgreSQL's user must reach its own directory in there.
chmod go+x "$data"
log=$ROOT/target/logs/$form.log
mkdir -p "$ROOT/target/logs"
site=

stop() {
  if [[ $site ]]; then
    kill -TERM "$site" 2>/dev/null || true
    wait "$site" 2>/dev/null || true
  fi
  rm -rf "$data"
}
trap stop EXIT
trap 'exit 130' INT TERM

case $form in
all-in-one)
  mapfile -t ports < <(free_ports 9)
  at=0
  for name in SAHM_LISTEN SAHM_ADMIN_LISTEN SAHM_{CONTENT,QUOTES,IDENTITY,CONFIG,ACTIVITY,ATTRIBUTION}_LISTEN; do
    export "$name=127.0.0.1:${ports[at]}"
    at=$((at + 1))
  done
  export SAHM_RENDERER_URL=http://127.0.0.1:${ports[at]} SAHM_DATA_DIR=$data/data
  "$BIN_DIR/sahm" >"$log" 2>&1 </dev/null &
  ;;
separate) deploy/separate.sh --data "$data/separate" >"$log" 2>&1 </dev/null & ;;
*) fail "'$form' is not a form of the site (all-in-one, separate)" ;;
esac
site=$!

says_ready() { grep -q '^ready ' "$log"; }
if ! await 120 "$site" says_ready; then
  tail -n 40 "$log" >&2
  fail "the site ($form) did not become ready"
fi
SAHM_E2E_URL=$(sed -n 's/^ready //p;' "$log" | head -n 1)
export SAHM_E2E_URL
say "$form at $SAHM_E2E_URL"

status=0
"$@" || status=$?
if ! kill -0 "$site" 2>/dev/null; then
  say "the site ($form) ended meanwhile"
  status=1
fi
if [[ $status -ne 0 ]]; then say "the site's log is target/logs/$form.log"; fi
[[ $status -eq 0 ]]
