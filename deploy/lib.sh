# shellcheck shell=bash
# Shared functions of the scripts: paths, messages, Node, ports, waiting. It is sourced, not run.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
MIN_NODE=24

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# Exit status of a check that was skipped because the machine lacks a requirement.
LEFT_OUT=75

left_out() {
  say "left out: $*"
  exit "$LEFT_OUT"
}

# Puts the Node of deploy/node first on PATH if the machine's Node is too old.
use_node() {
  local own=$ROOT/deploy/node/node_modules/.bin
  if [[ $(node_major node) -lt $MIN_NODE && -x $own/node ]]; then
    PATH=$own:$PATH
  fi
  SAHM_NODE=${SAHM_NODE:-$(command -v node || echo node)}
  export PATH SAHM_NODE
}

# Prints the major version of a Node program, or 0 if it does not run.
node_major() {
  local version
  version=$("$1" --version 2>/dev/null) || version=v0
  version=${version#v}
  echo "${version%%.*}"
}

# Prints N free TCP ports of 127.0.0.1, one per line: below those that Linux gives to outgoing connections (32768
# and up), because tests that run beside open many before the ports are bound.
free_ports() {
  node -e '
    const { createServer } = require("node:net");
    const { randomInt } = require("node:crypto");
    const ports = new Set();
    const next = () => {
      if (ports.size === Number(process.argv[1])) return console.log([...ports].join("\n"));
      const port = randomInt(20_000, 32_000);
      const server = createServer().on("error", next);
      server.listen(port, "127.0.0.1", () => {
        ports.add(port);
        server.close(next);
      });
    };
    next();
  ' "$1"
}

# http_ok PORT PATH: succeeds if a GET on 127.0.0.1 returns status 200.
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

# await SECONDS PID CHECK…: repeats a check until it succeeds; fails if the process ends.
await() {
  local until=$((SECONDS + $1)) pid=$2
  shift 2
  until "$@"; do
    kill -0 "$pid" 2>/dev/null || return 1
    [[ $SECONDS -lt $until ]] || return 1
    sleep 0.1
  done
}

# Prints the program directory of the newest installed PostgreSQL; fails if there is none.
postgres_bin() {
  local found
  found=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V | tail -n 1)
  [[ -x $found ]] && dirname "$found"
}

# Prints the command that builds an overlay; fails without kustomize or kubectl 1.27 or newer.
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
