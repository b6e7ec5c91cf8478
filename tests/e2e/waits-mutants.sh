#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Mutants of the rules for waits: waits-mutants.py [ONLY].
set -u
exec python3 "$SOURCE/tests/e2e/waits-mutants.py" "$@"
