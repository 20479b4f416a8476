#!/usr/bin/env bash
# Runs a command with the Node that this house uses: deploy/with-node.sh COMMAND…
set -euo pipefail
source "$(dirname "$0")/lib.sh"

use_node
exec "$@"
