#!/usr/bin/env bash
# Mutation tests: changes production code in small ways, one at a time, and runs the tests of its
# crate; a change that no test notices is listed in target/mutants/mutants.out/missed.txt.
#   deploy/mutants.sh                    what differs from the branch that CI compares with, or from the last commit
#   deploy/mutants.sh ARGUMENT…          what these arguments of cargo-mutants select, such as
#                                        --package sahm-config --file 'services/config/src/domain/*.rs'
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc redis postgres varnish mutants
cd "$ROOT"
mkdir -p target/mutants
if (($# == 0)); then
  base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD~1)
  git diff "$base" -- '*.rs' >target/mutants/changes.diff
  [[ -s target/mutants/changes.diff ]] || left_out "no Rust file differs from $base"
  set -- --in-diff target/mutants/changes.diff
fi
PATH=$ROOT/target/tools/bin:$PATH
# In place, because a copy would be built from nothing. Git restores the file if the run is cut off.
exec cargo mutants --in-place --no-shuffle --colors never --output target/mutants "$@"
