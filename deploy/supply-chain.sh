#!/usr/bin/env bash
# What the site is made of: licences by deny.toml, known weaknesses, and the bill of materials in
# target/sbom.json. Weaknesses are asked of crates' and npm's advisory services; where one cannot be
# asked this says so and goes on.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc packages
use_node
cd "$ROOT"
python3 deploy/lint/licences.py --sbom target/sbom.json
say 'bill of materials: target/sbom.json'

if command -v cargo-deny >/dev/null; then
  cargo deny --locked check licenses bans sources
  if cargo deny --locked fetch db 2>/dev/null; then
    cargo deny --locked check advisories
  else
    say 'the advisories of crates cannot be fetched: not checked'
  fi
else
  say "cargo-deny is not here ('cargo install --locked cargo-deny'): advisories of crates not checked"
fi

# 1 with findings too: only an answer tells them from a service that is away.
for folder in frontend deploy/node deploy/lighthouse; do
  report=$(npm --prefix "$folder" audit --json 2>/dev/null) || true
  verdict=$(python3 -c '
import json, sys
try:
    print(json.load(sys.stdin)["metadata"]["vulnerabilities"]["total"])
except (ValueError, KeyError):
    print("unanswered")
' <<<"$report")
  case $verdict in
  0) say "npm audit: nothing known against $folder" ;;
  unanswered) say "npm audit: the service does not answer, $folder not checked" ;;
  *) fail "npm audit: $verdict findings in $folder (npm --prefix $folder audit)" ;;
  esac
done
