#!/usr/bin/env bash
# Checks the dependencies: licences against deny.toml, sources, and security advisories of crates and npm
# packages. Writes the bill of materials to target/sbom.json. If an advisory service is unavailable, the
# script continues and finally reports what it skipped.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc packages
use_node
cd "$ROOT"
python3 deploy/lint/licences.py --sbom target/sbom.json
say 'bill of materials: target/sbom.json'

unasked=()

if command -v cargo-deny >/dev/null; then
  cargo deny --locked check licenses bans sources
  if cargo deny --locked fetch db 2>/dev/null; then
    cargo deny --locked check advisories
  else
    unasked+=('advisories of crates: they cannot be fetched')
  fi
else
  unasked+=("advisories of crates: no cargo-deny ('cargo install --locked cargo-deny')")
fi

# npm audit exits with 1 for findings and for an unavailable service; only its output distinguishes them.
for folder in frontend deploy/node deploy/lighthouse deploy/bench/next deploy/bench/nuxt; do
  report=$(npm --prefix "$folder" audit --package-lock-only --json 2>/dev/null) || true
  verdict=$(python3 -c '
import json, sys
try:
    print(json.load(sys.stdin)["metadata"]["vulnerabilities"]["total"])
except (ValueError, KeyError):
    print("unanswered")
' <<<"$report")
  case $verdict in
  0) say "npm audit: nothing known against $folder" ;;
  unanswered) unasked+=("advisories of $folder: the registry does not answer 'npm audit'") ;;
  *) fail "npm audit: $verdict findings in $folder (npm --prefix $folder audit)" ;;
  esac
done

if ((${#unasked[@]})); then left_out "$(printf '%s; ' "${unasked[@]}" | sed 's/; $//')"; fi
