#!/usr/bin/env bash
# Runs a command with the project's Node version: deploy/with-node.sh COMMAND…
set -euo pipefail
source "$(dirname "$0")/lib.sh"

use_node
exec "$@"
