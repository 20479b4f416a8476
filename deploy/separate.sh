#!/usr/bin/env bash
# Starts the site as separate processes on 127.0.0.1: Redis, PostgreSQL, every service, the renderer and one
# or more gateways. Prints `ready URL` for each gateway; Ctrl-C or SIGTERM stops everything.
#   deploy/separate.sh [--port N] [--gateways N] [--data DIR]
#     --port N      port of the first gateway, the others use the next ones (default: free ports)
#     --gateways N  number of gateways (default: 1)
#     --data DIR    directory of databases and logs (default: a temporary one, removed at the end)
# BIN_DIR is the directory of the binaries, such as target/debug; without it the release build is built first.
# DIR/env contains the shared settings, DIR/pids a line `NAME PID` for each process, DIR/admin a line
# `NAME URL` for each admin address.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

# Each process has its own process group: Ctrl-C reaches only this script, which stops them in order.
set -m

# The services; each is a crate and a program sahm-NAME.
services=(content config identity quotes activity attribution)

port='' gateways=1 data='' keep=
while (($#)); do
  case $1 in
  --port | --gateways | --data)
    [[ ${2:-} ]] || fail "$1 needs a value"
    case $1 in
    --port) port=$2 ;;
    --gateways) gateways=$2 ;;
    --data) data=$2 keep=yes ;;
    esac
    shift 2
    ;;
  *) fail "unknown argument $1 (--port N, --gateways N, --data DIR)" ;;
  esac
done
[[ $gateways =~ ^[1-9][0-9]?$ ]] || fail "--gateways takes 1 to 99, not '$gateways'"
[[ -z $port || $port =~ ^[1-9][0-9]{0,4}$ ]] || fail "--port takes a port, not '$port'"

"$ROOT/deploy/setup.sh" cc frontend redis postgres
use_node
cd "$ROOT"
if [[ -z ${BIN_DIR:-} ]]; then
  cargo build --release --locked --bins --package sahm-gateway "${services[@]/#/--package=sahm-}"
fi
bin=$(cd "${BIN_DIR:-target/release}" && pwd)
for name in gateway "${services[@]}"; do
  [[ -x $bin/sahm-$name ]] || fail "$bin/sahm-$name is missing: build it with cargo"
done

if [[ $keep ]]; then mkdir -p "$data"; else data=$(mktemp -d); fi
data=$(cd "$data" && pwd)
: >"$data/pids"
postgres=$(postgres_bin)

declare -a names=() stages=()
declare -A pid_of=()

# start STAGE NAME COMMAND…: logs go to DATA/NAME.log, other output to NAME.out. Stages stop from the highest
# to the lowest. setpriv stops the process if this script is killed.
start() {
  local stage=$1 name=$2
  shift 2
  setpriv --pdeathsig INT -- "$@" >>"$data/$name.out" 2>>"$data/$name.log" </dev/null &
  pid_of[$name]=$!
  names+=("$name")
  stages+=("$stage")
  echo "$name $!" >>"$data/pids"
}

# until_ready NAME CHECK…
until_ready() {
  local name=$1
  shift
  await 60 "${pid_of[$name]}" "$@" || {
    tail -n 20 "$data/$name.log" >&2
    fail "$name did not become ready"
  }
}

stop() {
  local stage at pid pids
  trap '' INT TERM
  for stage in 3 2 1; do
    pids=()
    for at in "${!names[@]}"; do
      if [[ ${stages[at]} == "$stage" ]]; then pids+=("${pid_of[${names[at]}]}"); fi
    done
    # SIGINT makes PostgreSQL end its sessions instead of waiting for them; the others treat it as SIGTERM.
    for pid in "${pids[@]}"; do kill -INT "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do ended_within 3 "$pid" || kill -KILL -- "-$pid" 2>/dev/null || true; done
  done
  if [[ ! $keep ]]; then rm -rf "$data"; fi
}

ended_within() {
  local until=$((SECONDS + $1))
  while kill -0 "$2" 2>/dev/null; do
    [[ $SECONDS -lt $until ]] || return 1
    sleep 0.05
  done
}

trap stop EXIT
trap 'exit 0' INT TERM

# PostgreSQL refuses to run as root; changing the user clears the parent-death signal.
as_postgres=()
if [[ $EUID -eq 0 ]]; then
  chmod go+x "$data"
  as_postgres=(setpriv --reuid postgres --regid postgres --init-groups --pdeathsig INT --)
fi

mapfile -t ports < <(free_ports $((3 + 2 * ${#services[@]} + 2 * gateways)))
redis_port=${ports[0]} postgres_port=${ports[1]} renderer_port=${ports[2]}
public_ports=() admin_ports=()
for ((at = 0; at < gateways; at++)); do
  public_ports+=("$((port ? port + at : ports[3 + 2 * at]))")
  admin_ports+=("${ports[4 + 2 * at]}")
done
ports=("${ports[@]:3 + 2 * gateways}")

cat >"$data/env" <<EOF
SAHM_DATABASE_URL=postgres://postgres@127.0.0.1:$postgres_port/sahm
SAHM_REDIS_URL=redis://127.0.0.1:$redis_port
SAHM_RENDERER_URL=http://127.0.0.1:$renderer_port
SAHM_PUBLIC_URL=${SAHM_PUBLIC_URL:-http://127.0.0.1:${public_ports[0]}}
SAHM_DATA_DIR=$data/data
EOF
declare -A service_admin=()
for at in "${!services[@]}"; do
  name=${services[at]} address=127.0.0.1:${ports[2 * at]}
  printf 'SAHM_%s=%s\n' "${name^^}_LISTEN" "$address" "${name^^}_URL" "http://$address" >>"$data/env"
  service_admin[$name]=${ports[2 * at + 1]}
done
{
  for name in "${services[@]}"; do echo "$name http://127.0.0.1:${service_admin[$name]}"; done
  for ((at = 0; at < gateways; at++)); do
    echo "gateway-$((at + 1)) http://127.0.0.1:${admin_ports[at]}"
  done
  echo "renderer http://127.0.0.1:$renderer_port"
} >"$data/admin"
set -a
# shellcheck source=/dev/null
source "$data/env"
set +a

start 1 redis redis-server --bind 127.0.0.1 --port "$redis_port" --dir "$data" --save '' --appendonly no
if [[ ! -f $data/postgres/PG_VERSION ]]; then
  mkdir -p "$data/postgres"
  if [[ $EUID -eq 0 ]]; then chown postgres "$data/postgres"; fi
  (cd / && "${as_postgres[@]}" "$postgres/initdb" --pgdata "$data/postgres" --username postgres \
    --auth trust --encoding UTF8 --locale C.UTF-8 --no-sync) >"$data/postgres.log" 2>&1 || {
    tail -n 20 "$data/postgres.log" >&2
    fail "initdb failed"
  }
fi
start 1 postgres "${as_postgres[@]}" "$postgres/postgres" -D "$data/postgres" -p "$postgres_port" \
  -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200
# Heap options as in k8s/base/renderer/deployment.yaml: a limit, and a small young generation, which halves
# the resident memory without slower renders.
start 2 renderer env SAHM_RENDERER_LISTEN="127.0.0.1:$renderer_port" \
  NODE_OPTIONS='--max-old-space-size=384 --max-semi-space-size=8' "$SAHM_NODE" frontend/dist/server/renderer.js
connect=(--host 127.0.0.1 --port "$postgres_port" --username postgres)
until_ready postgres "$postgres/pg_isready" --quiet "${connect[@]}"
if ! "$postgres/psql" "${connect[@]}" --list --tuples-only | grep -q '^ *sahm '; then
  "$postgres/createdb" "${connect[@]}" sahm
fi

for name in "${services[@]}"; do
  start 2 "$name" env SAHM_ADMIN_LISTEN="127.0.0.1:${service_admin[$name]}" "$bin/sahm-$name"
done
for ((at = 0; at < gateways; at++)); do
  start 3 "gateway-$((at + 1))" env SAHM_LISTEN="127.0.0.1:${public_ports[at]}" \
    SAHM_ADMIN_LISTEN="127.0.0.1:${admin_ports[at]}" "$bin/sahm-gateway"
done
for name in "${services[@]}"; do until_ready "$name" http_ok "${service_admin[$name]}" /readyz; done
until_ready renderer http_ok "$renderer_port" /readyz
for ((at = 0; at < gateways; at++)); do
  until_ready "gateway-$((at + 1))" http_ok "${admin_ports[at]}" /readyz
done

say "data, logs and settings in $data"
for at in "${!public_ports[@]}"; do echo "ready http://127.0.0.1:${public_ports[at]}"; done

status=0
wait -n -p ended "${pid_of[@]}" || status=$?
for name in "${names[@]}"; do
  if [[ ${pid_of[$name]} == "${ended:-}" ]]; then
    tail -n 20 "$data/$name.log" >&2
    fail "$name ended with $status"
  fi
done
