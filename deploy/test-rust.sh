#!/usr/bin/env bash
# Runs the Rust tests: LANES (2) test binaries at a time, because many tests wait for deadlines and leave the
# processors idle. A failed test is repeated alone; if it passes then, it is reported as flaky. Examples in documentation are left to `make proof`: there are none, and compiling them takes a minute.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cd "$ROOT"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Allows libtest's unstable `--report-time` on a stable toolchain; the ten slowest tests are read from it.
export RUSTC_BOOTSTRAP=1

# Prints a line `CRATE TARGET EXECUTABLE FOLDER` for each test binary. The longest come first, so that the
# lanes end together: those of the site start whole sites, suites whole services.
env -u RUSTC_BOOTSTRAP cargo test --workspace --locked --no-run --message-format=json-render-diagnostics >"$work/messages"
python3 - "$work/messages" >"$work/binaries" <<'PYTHON'
import json, pathlib, sys

found = []
for line in open(sys.argv[1]):
    message = json.loads(line)
    if message.get("executable") and message["profile"]["test"]:
        folder = pathlib.Path(message["manifest_path"]).parent
        crate = message["package_id"].split("#")[-1].split("@")[0]
        if not crate.startswith("sahm"):
            crate = f"sahm-{folder.name}"
        found.append((crate, message["target"]["name"], message["executable"], folder))
for entry in sorted(found, key=lambda entry: (entry[0] != "sahm-site", entry[1] != "suite")):
    print(*entry)
PYTHON

# run_binary CRATE TARGET EXECUTABLE FOLDER: prints the whole output when the binary ends.
# shellcheck disable=SC2317 # Called by xargs.
run_binary() {
  local output=$work/$1-$2.output status=0
  (cd "$4" && "$3" -Zunstable-options --report-time) >"$output" 2>&1 || status=$?
  flock "$work" cat - "$output" <<<"     Running $1 $2"
  # A binary that ends by a signal or an abort reports no failed test.
  if ((status)); then echo "$1 $2 $3 $4" >>"$work/failed"; fi
}
export -f run_binary
export work

xargs --max-procs "${LANES:-2}" --max-lines=1 bash -c 'run_binary "$@"' run_binary <"$work/binaries"
[[ -f $work/failed ]] || exit 0

status=0
while read -r crate target executable folder; do
  mapfile -t names < <(sed -n 's/^test \(.*\) \.\.\. FAILED.*$/\1/p' "$work/$crate-$target.output")
  printf '\nonce more, alone: %s %s: %s\n' "$crate" "$target" "${names[*]:-all of it}"
  count=$(sed -n 's/^test result: FAILED\..* \([0-9]*\) failed;.*/\1/p' "$work/$crate-$target.output" | tail -n 1)
  if ! (cd "$folder" && "$executable" --exact --test-threads 1 "${names[@]}"); then
    status=1
  elif [[ ${#names[@]} == "$count" ]]; then
    printf 'flaky: %s\n' "${names[@]/#/$crate $target: }"
  else
    # The binary ended before all of its tests, or another failure has no name.
    status=1
  fi
done <"$work/failed"
exit "$status"
