#!/usr/bin/env bash
# Runs Lighthouse (mobile) on home, pricing, an article and support in both languages and takes the median
# of RUNS (5) runs. The site is a release build with SAHM_ENV=prod and HTTP fakes of its providers:
#   deploy/lighthouse.sh [PAGE…]
# Fails if performance is below 95 or another score below 100. Reports are in target/lighthouse/.
# BIN_DIR is the directory of existing binaries.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

"$ROOT/deploy/setup.sh" cc frontend chromium lighthouse
use_node
cd "$ROOT"
if [[ -z ${BIN_DIR:-} ]]; then
  cargo build --release --locked --package sahm-site --package sahm-content --bins
  export BIN_DIR=target/release
fi

# The fakes exit when this script ends and closes their standard input.
coproc PROVIDERS { exec python3 deploy/lighthouse/providers.py; }
read -r port <&"${PROVIDERS[0]}"
fakes=http://127.0.0.1:$port

export LIGHTHOUSE=$ROOT/deploy/lighthouse/node_modules/lighthouse/cli/index.js
SAHM_ENV=prod \
  SAHM_SESSION_KEYS=lighthouse-lighthouse-lighthouse-0001 SAHM_CALLER_TOKENS=gateway=lighthouse-lighthouse \
  SAHM_QUOTES_PROVIDER_URL=$fakes/quotes SAHM_SMS_URL=$fakes/sms SAHM_SMS_TOKEN=lighthouse \
  SAHM_RECAPTCHA_URL=$fakes/recaptcha SAHM_RECAPTCHA_SECRET=lighthouse \
  SAHM_TADAWUL_URL=$fakes/tadawul SAHM_TADAWUL_TOKEN=lighthouse \
  deploy/with-site.sh all-in-one npm --prefix frontend run --silent lighthouse -- "$@"
