#!/usr/bin/env bash
# Starts the site on free ports with a separate data directory, and runs a command against it:
#   deploy/with-site.sh all-in-one|separate COMMAND…
# The command gets the site's URL in SAHM_E2E_URL. The file SAHM_E2E_OUTBOX contains the codes that the site
# sent, the file SAHM_E2E_ADMIN a line `NAME URL` for each admin address. BIN_DIR is the directory of the
# binaries (default: target/debug). The site's log is target/logs/FORM.log (FORM-SITE_LOG.log if SITE_LOG is
# set) and is added to the folder TEST_LOGS if that is set.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

form=$1
shift
use_node
cd "$ROOT"
export BIN_DIR=${BIN_DIR:-target/debug}
data=$(mktemp -d)
# PostgreSQL's user needs access to its directory below this one.
chmod go+x "$data"
log_name=$form${SITE_LOG:+-$SITE_LOG}
log=$ROOT/target/logs/$log_name.log out=$data/out outbox=
mkdir -p "$ROOT/target/logs"
: >"$out"
site=

stop() {
  if [[ $site ]]; then
    kill -TERM "$site" 2>/dev/null || true
    wait "$site" 2>/dev/null || true
  fi
  if [[ ${TEST_LOGS:-} ]]; then keep_logs; fi
  rm -rf "$data"
}

# Logs of all processes and the codes that the site sent, for deploy/check-logs.py.
keep_logs() {
  local file
  mkdir -p "$TEST_LOGS"
  cat "$log" >>"$TEST_LOGS/$log_name.log"
  for file in "$data"/separate/*.log; do
    if [[ -f $file ]]; then cat "$file" >>"$TEST_LOGS/$log_name-$(basename "$file")"; fi
  done
  if [[ -f $outbox ]]; then cat "$outbox" >>"$TEST_LOGS/$log_name.outbox.jsonl"; fi
}
trap stop EXIT
trap 'exit 130' INT TERM

# An allowed host for redirect targets (docs/redirects.md).
export SAHM_ALLOWED_HOSTS=${SAHM_ALLOWED_HOSTS:-listed.example}

# Preview types: one has drafts, the other has none.
export SAHM_PREVIEW_TYPES=${SAHM_PREVIEW_TYPES:-drafts,no-drafts}

case $form in
all-in-one)
  mapfile -t ports < <(free_ports 9)
  at=0
  for name in SAHM_LISTEN SAHM_ADMIN_LISTEN SAHM_{CONTENT,QUOTES,IDENTITY,CONFIG,ACTIVITY,ATTRIBUTION}_LISTEN; do
    export "$name=127.0.0.1:${ports[at]}"
    at=$((at + 1))
  done
  export SAHM_RENDERER_URL=http://127.0.0.1:${ports[at]} SAHM_DATA_DIR=$data/data
  outbox=$SAHM_DATA_DIR/outbox/sms.jsonl admin=$data/admin
  echo "site http://$SAHM_ADMIN_LISTEN" >"$admin"
  # Only dev seeds empty databases at startup.
  if [[ ${SAHM_ENV:-dev} != dev ]]; then "$BIN_DIR/sahm" seed >/dev/null; fi
  "$BIN_DIR/sahm" >"$out" 2>"$log" </dev/null &
  ;;
separate)
  outbox=$data/separate/data/outbox/sms.jsonl admin=$data/separate/admin
  deploy/separate.sh --data "$data/separate" >"$out" 2>"$log" </dev/null &
  ;;
*) fail "'$form' is not a form of the site (all-in-one, separate)" ;;
esac
site=$!

says_ready() { grep -q '^ready ' "$out"; }
if ! await 120 "$site" says_ready; then
  tail -n 40 "$log" >&2
  fail "the site ($form) did not become ready"
fi
import_drafts() {
  if [[ $form == separate ]]; then
    set -a
    # shellcheck source=/dev/null
    source "$data/separate/env"
  fi
  "$BIN_DIR/sahm-content" import --draft frontend/e2e/drafts >/dev/null
}
if [[ -x $BIN_DIR/sahm-content ]]; then (import_drafts); fi

# Exported after the last of our programs has started, because they reject these unknown names.
SAHM_E2E_URL=$(sed -n 's/^ready //p;' "$out" | head -n 1)
export SAHM_E2E_URL SAHM_E2E_OUTBOX=$outbox SAHM_E2E_ADMIN=$admin
say "$form at $SAHM_E2E_URL"

status=0
"$@" || status=$?
if ! kill -0 "$site" 2>/dev/null; then
  say "the site ($form) ended meanwhile"
  status=1
fi
if [[ $status -ne 0 ]]; then say "the site's log is target/logs/$log_name.log"; fi
[[ $status -eq 0 ]]
