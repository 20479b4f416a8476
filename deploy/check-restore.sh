#!/usr/bin/env bash
# Backs up and restores each service's schema on a real PostgreSQL, with the steps of
# docs/operations/backup-and-restore.md. All data must be restored, the service must start, and its change
# log must have a new id. The document's query must find a member who was erased after the backup. BIN_DIR is
# the directory of the binaries (default: target/debug).
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" node postgres lint-tools
use_node
bin=$(cd "${BIN_DIR:-$ROOT/target/debug}" && pwd)
work=$(mktemp -d)
chmod go+x "$work"
postgres=$(postgres_bin)
as_postgres=()
if [[ $EUID -eq 0 ]]; then as_postgres=(setpriv --reuid postgres --regid postgres --init-groups --); fi
server='' service=

stop() {
  if [[ $1 ]]; then
    kill -INT "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
  fi
}
trap 'stop "$service"; stop "$server"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

mapfile -t ports < <(free_ports 3)
url=postgres://postgres@127.0.0.1:${ports[0]}/sahm
mkdir "$work/postgres"
if [[ $EUID -eq 0 ]]; then chown postgres "$work/postgres"; fi
cd /
"${as_postgres[@]}" "$postgres/initdb" --pgdata "$work/postgres" --username postgres --auth trust \
  --encoding UTF8 --locale C.UTF-8 --no-sync >"$work/postgres.log" 2>&1
"${as_postgres[@]}" "$postgres/postgres" -D "$work/postgres" -p "${ports[0]}" -c listen_addresses=127.0.0.1 \
  -c unix_socket_directories= >>"$work/postgres.log" 2>&1 &
server=$!
await 60 "$server" "$postgres/pg_isready" --quiet --host 127.0.0.1 --port "${ports[0]}" ||
  fail "PostgreSQL did not start: $(tail -n 5 "$work/postgres.log")"
"$postgres/createdb" --host 127.0.0.1 --port "${ports[0]}" --username postgres sahm

sql() { "$postgres/psql" "$url" --quiet --no-align --tuples-only --set ON_ERROR_STOP=1 --command "SET client_min_messages TO warning; $1"; }

# Starts a service, waits until it is ready, and stops it.
run_once() {
  local name=$1
  env "SAHM_${name^^}_LISTEN=127.0.0.1:${ports[1]}" SAHM_ADMIN_LISTEN="127.0.0.1:${ports[2]}" \
    SAHM_DATABASE_URL="$url" SAHM_DATA_DIR="$work/data" "$bin/sahm-$name" >"$work/$name.log" 2>&1 &
  service=$!
  await 120 "$service" http_ok "${ports[2]}" /readyz || fail "$name is not ready: $(tail -n 5 "$work/$name.log")"
  stop "$service"
  service=
}

# One hash over all rows and sequences of a schema, without change logs, which are compared separately.
content_of() {
  "$postgres/pg_dump" "$url" --schema="$1" --exclude-table='*.change_log*' --data-only --inserts |
    grep -E '^INSERT|setval' | LC_ALL=C sort | sha256sum
}

rows_of() { "$postgres/pg_dump" "$url" --schema="$1" --data-only --inserts | grep -c '^INSERT'; }

log_of() {
  if [[ $(sql "SELECT to_regclass('$1.change_log_meta') IS NOT NULL") == t ]]; then
    sql "SELECT log_id FROM $1.change_log_meta"
  fi
}

# The query of erasures after the backup, as the document shows it.
erasures=$(awk '/^```/ { inside = $0 == "```sql"; next } inside' "$ROOT/docs/operations/backup-and-restore.md")

services=(content quotes identity config activity attribution)
for name in "${services[@]}"; do run_once "$name"; done

# Runs the unchanged script of the backup's CronJob.
mkdir "$work/backup"
backup=$("$ROOT/target/lint/bin/python" -c '
import sys, yaml
job = next(o for o in yaml.safe_load_all(open(sys.argv[1])) if o["kind"] == "CronJob")
print(job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["initContainers"][0]["command"][-1])
' "$ROOT/k8s/components/backups/backup.yaml")
urls=()
for name in "${services[@]}"; do urls+=("SAHM_${name^^}_DATABASE_URL=$url"); done
backup_time=$(date -u +%Y%m%dT%H%M%SZ)
(cd "$work/backup" && env PATH="$postgres:$PATH" "${urls[@]}" sh -euc "$backup") >&2

for name in "${services[@]}"; do
  before=$(content_of "$name") rows=$(rows_of "$name") log=$(log_of "$name")

  if [[ $name == identity ]]; then
    sql "INSERT INTO identity.member_erasure (member_id, reason, erased_at) VALUES (1042, 'request', extract(epoch FROM now()))"
    sql "INSERT INTO identity.member_erasure (member_id, reason, erased_at) VALUES (1041, 'request', extract(epoch FROM now() - interval '3 days'))"
  fi
  sql "ALTER SCHEMA $name RENAME TO ${name}_before"
  "$postgres/pg_restore" --dbname="$url" --exit-on-error --no-owner "$work/backup/$name.dump"
  [[ $(content_of "$name") == "$before" ]] || fail "$name: what was restored is not what was saved"
  if [[ $log ]]; then sql "DELETE FROM $name.change_log_meta"; fi

  run_once "$name"
  if [[ $log && $(log_of "$name") == "$log" ]]; then fail "$name: the change log is the former one"; fi
  if [[ $name == identity ]]; then
    [[ $(sql "${erasures/TIME/$backup_time}") == 1042 ]] || fail 'the erasure after the backup is not found'
  fi
  sql "DROP SCHEMA ${name}_before CASCADE"
  say "$name: $rows rows saved and restored${log:+, another change log}"
done
