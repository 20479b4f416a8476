#!/usr/bin/env bash
# Installs and builds what a command needs and what is missing, and nothing else:
#   deploy/setup.sh WHAT…      cc node packages frontend redis postgres varnish chromium headless
#                              shellcheck schemathesis peers lint-tools machete mutants promtool lighthouse
# Debian packages by apt-get, Node and the frontend's packages by npm, Python's by pip. Silent when nothing is to do.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

# The Debian package, unless the check that follows it succeeds.
debian() {
  local package=$1 as_root=()
  shift
  if "$@" >/dev/null 2>&1; then return; fi
  if [[ $EUID -ne 0 ]]; then as_root=(sudo); fi
  local sorry="the Debian package $package is missing"
  command -v apt-get >/dev/null || fail "$sorry, and there is no apt-get here: install it by hand"
  if [[ $EUID -ne 0 ]] && ! may_sudo; then
    fail "$sorry, and neither root nor sudo can be used here: run 'apt-get install $package' as root"
  fi
  say "installing the Debian package $package"
  renew_lists
  install_package || fail "$sorry, and apt-get could not install it (its own message is above)"
  "$@" >/dev/null 2>&1 || fail "the Debian package $package is installed, yet this fails: $*"
}

# Once a run. A mirror may still have what lists of half a year ago name: a browser with its holes, and
# other behaviour than the tests were written with.
renew_lists() {
  [[ ! ${lists_are_new:-} ]] || return 0
  lists_are_new=yes
  "${as_root[@]}" apt-get update -qq >&2 ||
    say "the package lists cannot be renewed; installing by those that are here"
}

install_package() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$package" >&2
}

# Without a terminal sudo must not ask for a password.
may_sudo() {
  command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }
}

setup_cc() { debian build-essential command -v cc; }
setup_redis() { debian redis-server command -v redis-server; }
setup_postgres() { debian postgresql postgres_bin; }
setup_chromium() { debian chromium command -v chromium; }
setup_varnish() { debian varnish command -v varnishd; }
setup_headless() { debian chromium-headless-shell command -v chromium-headless-shell; }
setup_shellcheck() { debian shellcheck command -v shellcheck; }

# What the benchmarks compare with; they say so and go on where one cannot be installed.
setup_peers() {
  (debian nginx command -v nginx) || true
  (setup_varnish) || true
}

# The apps of other frameworks that the benchmarks compare with: an app that cannot be built within its
# time is not compared with.
setup_apps() {
  setup_node
  local app
  for app in next nuxt; do
    (built_app "$app") || say "deploy/bench/$app is not built; the benchmarks leave it out"
  done
}

# An app's packages exactly as its lock file says, then its production build; without telemetry.
built_app() {
  local folder=$ROOT/deploy/bench/$1 inputs
  cd "$folder"
  inputs=$(app_inputs)
  if [[ -f node_modules/.built && $(<node_modules/.built) == "$inputs" ]]; then return; fi
  export NEXT_TELEMETRY_DISABLED=1 NUXT_TELEMETRY_DISABLED=1
  say "installing and building deploy/bench/$1"
  rm -f node_modules/.built
  quiet timeout 300 npm install --no-save --no-audit --no-fund --loglevel=error
  quiet timeout 300 npm run --silent build
  echo "$inputs" >node_modules/.built
}

# One hash over an app's own files and those that both share.
app_inputs() {
  find . ../page \( -name node_modules -o -name '.?*' \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}

# React's renderToString in a loop over the site's own pages, for the benchmarks.
setup_renders() {
  setup_packages
  local inputs folder=$ROOT/target/bench-renders
  inputs=$(frontend_inputs && cd "$ROOT/deploy/bench/renders" && sha256sum -- *)
  if [[ -f $folder/.inputs && $(<"$folder/.inputs") == "$inputs" ]]; then return; fi
  say "building target/bench-renders"
  (cd "$ROOT/frontend" && quiet node "$ROOT/deploy/bench/renders/build.ts" "$folder")
  echo "$inputs" >"$folder/.inputs"
}

# python_tools NAME: deploy/NAME/requirements.txt exactly, in a virtual environment target/NAME.
python_tools() {
  local name=$1 folder requirements wanted
  folder=$ROOT/target/$name requirements=$ROOT/deploy/$name/requirements.txt
  wanted=$(sha256sum <"$requirements")
  if [[ -f $folder/.installed && $(<"$folder/.installed") == "$wanted" ]]; then return; fi
  debian python3-venv python3 -c 'import ensurepip, venv'
  say "installing Python packages into target/$name"
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$requirements" ||
    fail "pip could not install deploy/$name/requirements.txt (its own message is above)"
  echo "$wanted" >"$folder/.installed"
}

setup_schemathesis() { python_tools schemathesis; }
setup_lint-tools() { python_tools lint; }

# cargo_tool NAME VERSION: a subcommand of cargo, built from its crate.
cargo_tool() {
  local name=$1 version=$2 folder=$ROOT/target/tools
  if [[ $("$folder/bin/$name" --version 2>/dev/null) == *"$version" ]]; then return; fi
  say "installing $name into target/tools"
  (cd "$ROOT" && quiet cargo install "$name" --version "$version" --locked --root "$folder")
}

# Finds dependencies that no crate uses.
setup_machete() { cargo_tool cargo-machete 0.9.2; }

# Changes code to see whether a test notices.
setup_mutants() { cargo_tool cargo-mutants 27.1.0; }

# The program alone, out of Debian's package: installed, that would start a server.
setup_promtool() {
  local folder=$ROOT/target/promtool
  if command -v promtool >/dev/null || [[ -x $folder/usr/bin/promtool ]]; then return; fi
  say "unpacking promtool into target/promtool"
  rm -rf "$folder"
  mkdir -p "$folder"
  (cd "$folder" && apt-get download -qq prometheus >&2 && dpkg-deb --extract prometheus_*.deb .) ||
    fail "the Debian package prometheus cannot be fetched (apt-get update may help)"
  rm "$folder"/prometheus_*.deb
}

setup_node() {
  command -v npm >/dev/null || fail "npm is missing: install Node with npm (Debian packages nodejs, npm)"
  use_node
  if [[ $(node_major node) -ge $NODE_AT_LEAST ]]; then return; fi
  say "installing Node $NODE_AT_LEAST into deploy/node (this machine's is $(node --version))"
  (cd "$ROOT/deploy/node" && quiet_npm ci)
  use_node
  [[ $(node_major node) -ge $NODE_AT_LEAST ]] || fail "deploy/node holds no Node $NODE_AT_LEAST after npm ci"
}

# The frontend's npm packages, exactly as its lock file says.
setup_packages() {
  setup_node
  local lock stamp=$ROOT/frontend/node_modules/.installed
  lock=$(sha256sum <"$ROOT/frontend/package-lock.json")
  if [[ -f $stamp && $(<"$stamp") == "$lock" ]]; then return; fi
  say "installing the frontend's packages"
  # Not `npm ci`: it refuses a lock file without the packages of other platforms, which a registry
  # may not hold.
  (cd "$ROOT/frontend" && quiet_npm install --no-save)
  echo "$lock" >"$stamp"
}

setup_lighthouse() {
  setup_node
  if [[ -d $ROOT/deploy/lighthouse/node_modules/lighthouse ]]; then return; fi
  say "installing Lighthouse into deploy/lighthouse"
  (cd "$ROOT/deploy/lighthouse" && quiet_npm ci)
}

# frontend/dist, from the sources as they are.
setup_frontend() {
  setup_packages
  local inputs stamp=$ROOT/frontend/dist/.inputs
  inputs=$(frontend_inputs)
  if [[ -f $stamp && $(<"$stamp") == "$inputs" ]]; then return; fi
  say "building the frontend"
  rm -f "$stamp"
  (cd "$ROOT/frontend" && npm run --silent build) >&2
  echo "$inputs" >"$stamp"
}

# One hash over the names and bytes of all that the frontend's build may read.
frontend_inputs() {
  cd "$ROOT/frontend"
  find . \( -name node_modules -o -path ./dist -o -path ./e2e \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}

quiet_npm() { quiet npm "$@" --no-audit --no-fund --loglevel=error; }

# A command whose output is shown only when it fails.
quiet() {
  local output
  output=$("$@" 2>&1) || {
    printf '%s\n' "$output" >&2
    fail "$* failed in ${PWD#"$ROOT"/}"
  }
}

for what in "$@"; do
  case $what in
  cc | node | packages | frontend | redis | postgres | varnish | chromium | headless | shellcheck | schemathesis | peers | apps | renders | lint-tools | machete | mutants | promtool | lighthouse) "setup_$what" ;;
  *) fail "'$what' is not something that can be set up" ;;
  esac
done
