#!/usr/bin/env bash
# Every metric that dashboards and alerts name, with the labels they ask for, on /metrics of a running
# site's processes; a sink and a CDN that nobody answers for make their metrics appear:
#   SAHM_ATTRIBUTION_SINKS=crm=http://127.0.0.1:9/ SAHM_CDN_PURGE_URL=http://127.0.0.1:9/ \
#     deploy/with-site.sh separate deploy/check-telemetry.sh
set -euo pipefail
source "$(dirname "$0")/lib.sh"

metrics=$(mktemp)
trap 'rm -f "$metrics"' EXIT
python3 - "$SAHM_E2E_URL" "$SAHM_E2E_ADMIN" >"$metrics" <<'EOF'
import pathlib, sys, urllib.request
read = lambda url: urllib.request.urlopen(url, timeout=30).read().decode()
for path in ("/en-us", "/en-us", "/ar-sa/news", "/api/news/tab/list"):
    read(sys.argv[1] + path)
for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
    print(read(line.split()[1] + "/metrics"))
EOF
python3 "$ROOT/deploy/telemetry/check.py" "$metrics"
