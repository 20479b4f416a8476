#!/usr/bin/env bash
# Mutation tests: cargo-mutants makes one small change to production code at a time and runs the tests of the
# crate. Changes that no test detects are listed in target/mutants/mutants.out/missed.txt.
#   deploy/mutants.sh                    tests the difference to the base branch of CI, or to the last commit
#   deploy/mutants.sh ARGUMENT…          passes arguments to cargo-mutants, such as
#                                        --package sahm-config --file 'services/config/src/domain/*.rs'
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc redis postgres varnish wrk mutants
cd "$ROOT"
mkdir -p target/mutants
if (($# == 0)); then
  base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD~1)
  git diff "$base" -- '*.rs' >target/mutants/changes.diff
  [[ -s target/mutants/changes.diff ]] || left_out "no Rust file differs from $base"
  set -- --in-diff target/mutants/changes.diff
fi
PATH=$ROOT/target/tools/bin:$PATH
# --in-place, because a copy would need a full build. If the run is interrupted, restore the file with Git.
exec cargo mutants --in-place --no-shuffle --colors never --output target/mutants "$@"
