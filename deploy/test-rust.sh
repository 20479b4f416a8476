#!/usr/bin/env bash
# The Rust tests. A test that fails fails the run; it is run once more, with nothing beside it, to
# tell what is broken from what is unsteady.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cd "$ROOT"
output=$(mktemp)
trap 'rm -f "$output"' EXIT

cargo test --workspace --locked --no-fail-fast 2>&1 | tee "$output" && exit 0

# Cargo ends with the arguments that run each failed target: `-p sahm-gateway --test server`.
# shellcheck disable=SC2016 # The backticks are cargo's.
mapfile -t targets < <(sed -n 's/^    `\(-p .*\)`$/\1/p' "$output")
mapfile -t names < <(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$output" | sort -u)
# Nothing ran: the build failed.
((${#targets[@]})) || exit 1

for target in "${targets[@]}"; do
  read -ra arguments <<<"$target"
  # The target's own failed tests; none of them: it died, so the whole of it is run.
  mapfile -t own < <(cargo test --locked "${arguments[@]}" -- --list --format terse 2>/dev/null |
    sed -n 's/: test$//p' | grep -Fx -f <(printf '%s\n' "${names[@]}"))
  printf '\nonce more, alone: %s: %s\n' "$target" "${own[*]:-all of it}"
  if cargo test --locked "${arguments[@]}" -- --exact --test-threads 1 "${own[@]}"; then
    ((${#own[@]})) || own=('all of it')
    printf 'unsteady: %s\n' "${own[@]/#/$target: }"
  fi
done
exit 1
