#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Waits that are left out, against all waits: waits.py.
set -u
python3 "$SOURCE/tests/e2e/waits.py" 1 "${FENCER_LONG:+12}6" &&
    python3 "$SOURCE/tests/e2e/waits.py" 1 "${FENCER_LONG:+12}4" c11 &&
    python3 "$SOURCE/tests/e2e/waits.py" 1 "${FENCER_LONG:+12}6" sc polls &&
    python3 "$SOURCE/tests/e2e/waits.py" 1 "${FENCER_LONG:+12}4" c11 polls
