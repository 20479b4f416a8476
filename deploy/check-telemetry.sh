#!/usr/bin/env bash
# Every metric that dashboards and alerts name, on /metrics of a running site:
#   deploy/with-site.sh all-in-one deploy/check-telemetry.sh
set -euo pipefail
source "$(dirname "$0")/lib.sh"

metrics=$(mktemp)
trap 'rm -f "$metrics"' EXIT
python3 - "$SAHM_E2E_URL" "http://$SAHM_ADMIN_LISTEN/metrics" >"$metrics" <<'EOF'
import sys, urllib.request
read = lambda url: urllib.request.urlopen(url, timeout=30).read().decode()
for path in ("/en-us", "/en-us", "/ar-sa/news"):
    read(sys.argv[1] + path)
sys.stdout.write(read(sys.argv[2]))
EOF
python3 "$ROOT/deploy/telemetry/check.py" "$metrics"
