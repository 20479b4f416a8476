#!/usr/bin/env bash
# Runs the commands of docs/operations/first-deployment.md on a copy of the tree, without a cluster. It edits
# files, builds overlays, and creates roles and databases on a real PostgreSQL. Objects for the cluster are
# validated against their schemas and the references of the manifests; kubectl only parses other commands.
# Images are not built, but their Dockerfile and target must exist. DOCUMENT names another document.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

if ! kustomize_command >/dev/null || ! command -v kubectl >/dev/null; then
  left_out 'needs a kubectl of 1.27 or newer'
fi
"$ROOT/deploy/setup.sh" node postgres lint-tools
use_node
work=$(mktemp -d)
chmod go+x "$work"
postgres=$(postgres_bin) server=
as_postgres=()
if [[ $EUID -eq 0 ]]; then as_postgres=(setpriv --reuid postgres --regid postgres --init-groups --); fi
stop() {
  if [[ $server ]]; then
    kill -INT "$server" 2>/dev/null || true
    wait "$server" || true
  fi
  rm -rf "$work"
}
trap stop EXIT

mkdir "$work/postgres" "$work/bin" "$work/sent" "$work/tree"
if [[ $EUID -eq 0 ]]; then chown postgres "$work/postgres"; fi
port=$(free_ports 1)
(cd / && "${as_postgres[@]}" "$postgres/initdb" --pgdata "$work/postgres" --username postgres --auth trust --no-sync) >"$work/log" 2>&1
(cd / && exec "${as_postgres[@]}" "$postgres/postgres" -D "$work/postgres" -p "$port" -c listen_addresses=127.0.0.1 \
  -c unix_socket_directories=) >>"$work/log" 2>&1 &
server=$!
await 60 "$server" "$postgres/pg_isready" --quiet --host 127.0.0.1 --port "$port" || fail 'PostgreSQL did not start'

cat >"$work/bin/kubectl" <<'SHIM'
#!/usr/bin/env bash
set -euo pipefail
case " $* " in
*' kustomize '*) exec "$KUBECTL" "$@" ;;
*' create secret '*)
  exec "$KUBECTL" "$@" --dry-run=client --output yaml >"$SENT/$(date +%s%N).yaml" ;;
*' create job --from='*)
  from=$(sed -n 's/.*--from=cronjob\/\([a-z-]*\).*/\1/p' <<<"$*")
  exec grep -q "^  name: $from\$" /tmp/release.yaml ;;
*' apply -f '*)
  file=$(sed -n 's/.*apply -f \([^ ]*\).*/\1/p' <<<"$*")
  exec cp "$file" "$SENT/$(date +%s%N).yaml" ;;
esac
# kubectl must parse the command and then fail to connect to a cluster.
message=$("$KUBECTL" --server=http://127.0.0.1:9 "$@" 2>&1) && exit 1
[[ $message == *'connection refused'* || $message == *'connect: '* ]] || { printf 'kubectl %s: %s\n' "$*" "$message" >&2; exit 1; }
SHIM
cat >"$work/bin/docker" <<'SHIM'
#!/usr/bin/env bash
set -euo pipefail
if [[ $1 == push ]]; then exit; fi
file=$(sed -n 's/.* -f \([^ ]*\) .*/\1/p' <<<"$*") target=$(sed -n 's/.* --target \([^ ]*\) .*/\1/p' <<<"$*")
[[ $1 == build && -f $file ]]
if [[ $target ]]; then grep -q " AS $target\$" "$file"; fi
SHIM
# The remote `store` must be defined in the environment, because rclone has no configuration file.
cat >"$work/bin/rclone" <<'SHIM'
#!/usr/bin/env bash
[[ $1 == copy && $3 == store:?*/* && ${RCLONE_CONFIG_STORE_TYPE-} && ${RCLONE_CONFIG_STORE_ENDPOINT-} ]]
SHIM
# Accepts only URLs of the site's domain over TLS.
cat >"$work/bin/curl" <<'SHIM'
#!/usr/bin/env bash
[[ "${*: -1}" == "https://$DOMAIN/"* ]]
SHIM
chmod +x "$work/bin"/*

KUBECTL=$(command -v kubectl)
export KUBECTL SENT=$work/sent
(cd "$ROOT" && git ls-files -z --cached --others --exclude-standard -- k8s deploy/telemetry deploy/images docs/operations | tar --null --files-from=- --create) | tar --extract --directory "$work/tree"
awk '/^```/ { inside = $0 == "```bash"; next } inside' "${DOCUMENT:-$ROOT/docs/operations/first-deployment.md}" >"$work/commands.sh"
[[ $(grep -c . "$work/commands.sh") -gt 40 ]] || fail 'docs/operations/first-deployment.md has no commands'
(
  cd "$work/tree"
  PATH=$work/bin:$postgres:$PATH
  export DATABASE_ADMIN_URL=postgres://postgres@127.0.0.1:$port/postgres DATABASE_HOST=127.0.0.1:$port
  bash -euo pipefail "$work/commands.sh" >/dev/null
  # Each role must be able to create its schema in its database, as the services do.
  for name in content quotes identity config activity attribution; do
    PGPASSWORD=$(<"secrets/$name") psql "postgres://$name@$DATABASE_HOST/$name" --quiet -v ON_ERROR_STOP=1 -c "CREATE SCHEMA $name"
  done
)
"$ROOT/target/lint/bin/python" "$ROOT/deploy/lint/first_deployment.py" "$work/sent"
