# shellcheck shell=bash
# What the commands share: where the tree is, which Node is used, ports, waiting. Sourced, not run.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
NODE_AT_LEAST=24

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# The status of a check that could not be made here: neither passed nor failed.
LEFT_OUT=75

left_out() {
  say "left out: $*"
  exit "$LEFT_OUT"
}

# Puts the npm package's Node first on PATH where the machine's own is older.
use_node() {
  local own=$ROOT/deploy/node/node_modules/.bin
  if [[ $(node_major node) -lt $NODE_AT_LEAST && -x $own/node ]]; then
    PATH=$own:$PATH
  fi
  SAHM_NODE=${SAHM_NODE:-$(command -v node || echo node)}
  export PATH SAHM_NODE
}

# The major version of a Node program, 0 where it does not run.
node_major() {
  local version
  version=$("$1" --version 2>/dev/null) || version=v0
  version=${version#v}
  echo "${version%%.*}"
}

# N different TCP ports of 127.0.0.1 that nothing listens on, one a line.
free_ports() {
  node -e '
    const { createServer } = require("node:net");
    const { once } = require("node:events");
    const servers = Array.from({ length: Number(process.argv[1]) }, () => createServer());
    Promise.all(servers.map((server) => once(server.listen(0, "127.0.0.1"), "listening"))).then(() => {
      for (const server of servers) {
        console.log(server.address().port);
        server.close();
      }
    });
  ' "$1"
}

# GET on 127.0.0.1: succeeds when the answer's status is 200.
http_ok() {
  local port=$1 path=$2 status
  {
    exec {http}<>"/dev/tcp/127.0.0.1/$port"
  } 2>/dev/null || return 1
  printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$path" "$port" >&"$http"
  IFS= read -r -t 5 status <&"$http" || status=
  exec {http}>&-
  [[ $status == HTTP/1.?" 200"* ]]
}

# Runs a check until it succeeds: await SECONDS PID CHECK…; fails at once when the process ends.
await() {
  local until=$((SECONDS + $1)) pid=$2
  shift 2
  until "$@"; do
    kill -0 "$pid" 2>/dev/null || return 1
    [[ $SECONDS -lt $until ]] || return 1
    sleep 0.1
  done
}

# Directory of the programs of PostgreSQL's newest installed version; fails where there is none.
postgres_bin() {
  local found
  found=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V | tail -n 1)
  [[ -x $found ]] && dirname "$found"
}

# The command that builds an overlay; fails where neither kustomize nor a kubectl of 1.27 or newer is.
kustomize_command() {
  local version
  if command -v kustomize >/dev/null; then
    echo 'kustomize build'
    return
  fi
  command -v kubectl >/dev/null || return 1
  version=$(kubectl version --client 2>/dev/null | sed -n 's/^Client Version: v1\.\([0-9]*\).*/\1/p')
  [[ ${version:-0} -ge 27 ]] && echo 'kubectl kustomize'
}
