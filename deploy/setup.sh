#!/usr/bin/env bash
# Installs and builds the missing requirements of a command, and nothing else:
#   deploy/setup.sh WHAT…      cc node packages frontend redis postgres pgbouncer varnish chromium headless
#                              lint-tools shellcheck schemathesis wrk peers machete mutants promtool lighthouse
# Uses apt-get for Debian packages, npm for Node and the frontend's packages, pip for Python packages. Prints
# nothing if nothing is missing.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

# Installs a Debian package unless the check that follows its name succeeds.
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

# Updates the package lists once per run. With old lists apt-get would install outdated packages, such as a
# browser with known vulnerabilities or with behaviour that the tests do not expect.
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

# Without a terminal sudo must not prompt for a password.
may_sudo() {
  command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }
}

setup_cc() { debian build-essential command -v cc; }
setup_redis() { debian redis-server command -v redis-server; }
setup_postgres() { debian postgresql postgres_bin; }

# PgBouncer supports prepared statements in transaction mode since 1.21. Debian 12 has an older version, so
# the program is built from the source package of Debian 13.
setup_pgbouncer() {
  local folder=$ROOT/target/pgbouncer
  if has_pgbouncer pgbouncer || has_pgbouncer "$folder/pgbouncer"; then return; fi
  setup_cc
  debian pkg-config command -v pkg-config
  debian libevent-dev pkg-config libevent
  debian libssl-dev pkg-config openssl
  say "building PgBouncer into target/pgbouncer"
  rm -rf "$folder"
  mkdir -p "$folder/lists/partial"
  (
    cd "$folder"
    echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main' \
      >sources.list
    local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=-
      -o "Dir::State::lists=$folder/lists" -o APT::Sandbox::User=root)
    quiet "${apt[@]}" update
    quiet "${apt[@]}" source --download-only pgbouncer
    mkdir source
    tar --extract --file pgbouncer_*.orig.tar.gz --directory source --strip-components 1
    cd source
    quiet ./configure --without-cares --without-pam
    quiet make pgbouncer
  ) || fail 'PgBouncer could not be built (the message is above)'
  mv "$folder/source/pgbouncer" "$folder/pgbouncer"
  rm -rf "$folder"/{lists,source}
}

has_pgbouncer() {
  local version
  version=$("$1" --version 2>/dev/null | sed -n 's/^PgBouncer //p') || return 1
  [[ $version && $(printf '%s\n' 1.21 "$version" | sort --version-sort | head -n 1) == 1.21 ]]
}

setup_chromium() { debian chromium command -v chromium; }
setup_varnish() { debian varnish command -v varnishd; }
setup_headless() { debian chromium-headless-shell command -v chromium-headless-shell; }
setup_shellcheck() { debian shellcheck command -v shellcheck; }
setup_wrk() { debian wrk command -v wrk; }

# Servers that the benchmarks compare with. If one cannot be installed, the benchmarks report it and skip it.
setup_peers() {
  (debian nginx command -v nginx) || true
  (setup_varnish) || true
}

# Apps of other frameworks that the benchmarks compare with. An app whose build fails or times out is
# skipped.
setup_apps() {
  setup_node
  local app
  for app in next nuxt; do
    (built_app "$app") || say "deploy/bench/$app is not built; the benchmarks leave it out"
  done
}

# Installs exactly the packages of the app's lock file, then builds the app for production, without telemetry.
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

# Prints one hash over the app's files and the files that the apps share.
app_inputs() {
  find . ../page \( -name node_modules -o -name '.?*' \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}

# Builds the benchmark that runs React's renderToString in a loop over the site's pages.
setup_renders() {
  setup_packages
  local inputs folder=$ROOT/target/bench-renders
  inputs=$(frontend_inputs && cd "$ROOT/deploy/bench/renders" && sha256sum -- *)
  if [[ -f $folder/.inputs && $(<"$folder/.inputs") == "$inputs" ]]; then return; fi
  say "building target/bench-renders"
  (cd "$ROOT/frontend" && quiet node "$ROOT/deploy/bench/renders/build.ts" "$folder")
  echo "$inputs" >"$folder/.inputs"
}

# python_tools NAME: installs exactly deploy/NAME/requirements.txt into the virtual environment target/NAME.
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

# cargo_tool NAME VERSION: builds a cargo subcommand from its crate.
cargo_tool() {
  local name=$1 version=$2 folder=$ROOT/target/tools
  if [[ $("$folder/bin/$name" --version 2>/dev/null) == *"$version" ]]; then return; fi
  say "installing $name into target/tools"
  (cd "$ROOT" && quiet cargo install "$name" --version "$version" --locked --root "$folder")
}

# cargo-machete finds unused dependencies.
setup_machete() { cargo_tool cargo-machete 0.9.2; }

# cargo-mutants runs mutation tests.
setup_mutants() { cargo_tool cargo-mutants 27.1.0; }

# Unpacks only promtool from the Debian package, because installing the package would start a server.
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
  if [[ $(node_major node) -ge $MIN_NODE ]]; then return; fi
  say "installing Node $MIN_NODE into deploy/node (this machine's is $(node --version))"
  (cd "$ROOT/deploy/node" && quiet_npm ci)
  use_node
  [[ $(node_major node) -ge $MIN_NODE ]] || fail "deploy/node holds no Node $MIN_NODE after npm ci"
}

# Installs exactly the npm packages of the frontend's lock file.
setup_packages() {
  setup_node
  local lock stamp=$ROOT/frontend/node_modules/.installed
  lock=$(sha256sum <"$ROOT/frontend/package-lock.json")
  if [[ -f $stamp && $(<"$stamp") == "$lock" ]]; then return; fi
  say "installing the frontend's packages"
  # Not `npm ci`: it rejects a lock file that lacks the packages of other platforms, and a registry may lack
  # those packages.
  (cd "$ROOT/frontend" && quiet_npm install --no-save)
  echo "$lock" >"$stamp"
}

setup_lighthouse() {
  setup_node
  local lock stamp=$ROOT/deploy/lighthouse/node_modules/.installed
  lock=$(sha256sum <"$ROOT/deploy/lighthouse/package-lock.json")
  if [[ -f $stamp && $(<"$stamp") == "$lock" ]]; then return; fi
  say "installing Lighthouse into deploy/lighthouse"
  (cd "$ROOT/deploy/lighthouse" && quiet_npm ci)
  echo "$lock" >"$stamp"
}

# Builds frontend/dist from the current sources.
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

# Prints one hash over the names and contents of all inputs of the frontend's build.
frontend_inputs() {
  cd "$ROOT/frontend"
  find . \( -name node_modules -o -path ./dist -o -path ./e2e \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}

quiet_npm() { quiet npm "$@" --no-audit --no-fund --loglevel=error; }

# Runs a command and shows its output only if it fails.
quiet() {
  local output
  output=$("$@" 2>&1) || {
    printf '%s\n' "$output" >&2
    fail "$* failed in ${PWD#"$ROOT"/}"
  }
}

for what in "$@"; do
  case $what in
  cc | node | packages | frontend | redis | postgres | pgbouncer | varnish | chromium | headless | shellcheck | schemathesis | wrk | peers | apps | renders | lint-tools | machete | mutants | promtool | lighthouse) "setup_$what" ;;
  *) fail "'$what' is not something that can be set up" ;;
  esac
done
