#!/usr/bin/env bash
# Tests the REST API against its description. schemathesis generates valid and invalid requests from
# /api/openapi.json; every response must match the description, and none may be a 5xx
# (deploy/schemathesis/schemathesis.toml lists the statuses). Needs a running site:
#   SAHM_RATE_LIMITS=off deploy/with-site.sh all-in-one deploy/api.sh [SECONDS]
# Runs first as a visitor, then as a member of the development database. SECONDS (120) limits both together
# and sets the number of examples of each call. The same seed generates the same requests;
# PROPTEST_RNG_SEED sets another one.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

seconds=${1:-120}
[[ $seconds =~ ^[1-9][0-9]{1,4}$ && $seconds -ge 30 ]] || fail "takes 30 to 99999 seconds, not '$seconds'"
"$ROOT/deploy/setup.sh" schemathesis
results=$ROOT/target/api
mkdir -p "$results"
cd "$results"

# check NAME SECONDS EXAMPLES ARGUMENT…
check() {
  local name=$1 limit=$2 examples=$3
  shift 3
  say "as a $name, at most $limit s"
  "$ROOT/target/schemathesis/bin/schemathesis" \
    --config-file "$ROOT/deploy/schemathesis/schemathesis.toml" \
    run "$SAHM_E2E_URL/api/openapi.json" \
    --seed "${PROPTEST_RNG_SEED:-2026}" --max-time "$limit" --max-examples "$examples" \
    --phases examples,coverage,fuzzing --checks all --request-timeout 10 --warnings off \
    --report junit --report-junit-path "$results/$name.xml" "$@" >"$results/$name.txt" 2>&1 || {
    tail -n 200 "$results/$name.txt"
    fail "answers are not as described (the whole report: target/api/$name.txt)"
  }
  grep -A 2 '^Test cases:' "$results/$name.txt"
}

# Logs in before the visitor's run, whose failed logins use up the login attempts of the address.
cookie=$("$ROOT/target/schemathesis/bin/python" - "$SAHM_E2E_URL/api/passport/password/login" <<'EOF'
import sys, requests
member = {"telCode": "966", "account": "500000007", "password": "Sahm#2026dev"}
print(requests.post(sys.argv[1], data=member, timeout=10).cookies.get("sahm_session", ""))
EOF
)
[[ $cookie ]] || fail 'a member of the development database cannot log in'

check visitor $((seconds * 2 / 3)) $((seconds / 20)) --exclude-path /api/hq/stream

# Excludes calls that end the session, and calls that the visitor's run covers.
SCHEMATHESIS_HOOKS=member PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/deploy/schemathesis \
  check member $((seconds / 3)) $((seconds / 20)) --header "cookie: sahm_session=$cookie" \
  --exclude-method GET --exclude-path /api/passport/logout
