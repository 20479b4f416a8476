#!/usr/bin/env bash
# Checks that the processes of a running site export every metric and label that dashboards and alerts use.
# A sink and a CDN that do not answer make the metrics of sinks, providers and purges appear:
#   SAHM_ATTRIBUTION_SINKS=crm=http://127.0.0.1:9/ SAHM_CDN_PURGE_URL=http://127.0.0.1:9/ \
#     deploy/with-site.sh separate deploy/check-telemetry.sh
set -euo pipefail
source "$(dirname "$0")/lib.sh"

metrics=$(mktemp)
trap 'rm -f "$metrics"' EXIT
python3 - "$SAHM_E2E_URL" "$SAHM_E2E_ADMIN" >"$metrics" <<'EOF'
import json, pathlib, sys, time, urllib.request
read = lambda url, *body: urllib.request.urlopen(url, *body, timeout=30).read().decode()
for path in ("/en-us", "/en-us", "/ar-sa/news", "/api/news/tab/list"):
    read(sys.argv[1] + path)
event = {"eventName": "page_view", "eventValue": "{}", "memberId": "", "sellClient": 10}
report = urllib.request.Request(sys.argv[1] + "/api/event-report/report", json.dumps(event).encode(),
                                {"content-type": "application/json"})
read(report)
admins = [line.split()[1] for line in pathlib.Path(sys.argv[2]).read_text().splitlines()]
late = ("attribution_sink_waiting", 'service_peer_name="sink-crm"', "cdn_purge_age")
until = time.monotonic() + 30
while True:
    text = "\n".join(read(admin + "/metrics") for admin in admins)
    # If one stays absent, the check reports it.
    if all(name in text for name in late) or time.monotonic() > until:
        break
    time.sleep(0.1)
print(text)
EOF
python3 "$ROOT/deploy/telemetry/check.py" "$metrics"
