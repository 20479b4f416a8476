#!/usr/bin/env bash
# The REST API against its own description: schemathesis makes requests from /api/openapi.json, good
# and bad ones; every answer must be as described and none a 5xx (deploy/schemathesis/schemathesis.toml
# says which statuses that are). To be run beside a site:
#   SAHM_RATE_LIMITS=off deploy/with-site.sh all-in-one deploy/api.sh [SECONDS]
# First as a visitor, then as a member of the development database. SECONDS (120) bounds both together
# and sets the number of examples of each call. The same seed makes the same requests;
# PROPTEST_RNG_SEED names another.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

seconds=${1:-120}
[[ $seconds =~ ^[1-9][0-9]{1,4}$ && $seconds -ge 30 ]] || fail "takes 30 to 99999 seconds, not '$seconds'"
"$ROOT/deploy/setup.sh" schemathesis
results=$ROOT/target/api
mkdir -p "$results"
cd "$results"

# judge NAME SECONDS EXAMPLES ARGUMENT…
judge() {
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

# Before the visitor's part: its failed logins use up the address's budget of wrong passwords.
cookie=$("$ROOT/target/schemathesis/bin/python" - "$SAHM_E2E_URL/api/passport/password/login" <<'EOF'
import sys, requests
member = {"telCode": "966", "account": "500000007", "password": "Sahm#2026dev"}
print(requests.post(sys.argv[1], data=member, timeout=10).cookies.get("sahm_session", ""))
EOF
)
[[ $cookie ]] || fail 'a member of the development database cannot log in'

judge visitor $((seconds * 2 / 3)) $((seconds / 20)) --exclude-path /api/hq/stream

# Without what ends the session, and without what visitors have asked already.
SCHEMATHESIS_HOOKS=member PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/deploy/schemathesis \
  judge member $((seconds / 3)) $((seconds / 20)) --header "cookie: sahm_session=$cookie" \
  --exclude-method GET --exclude-path /api/passport/logout
