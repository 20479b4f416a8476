#!/usr/bin/env bash
# What the site is made of: licences by deny.toml, sources, known weaknesses, and the bill of materials
# in target/sbom.json. Weaknesses are asked of crates' and npm's advisory services; where one cannot be
# asked this goes on and says at its end what was left out.
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

# 1 with findings too: only an answer tells them from a service that is away.
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
