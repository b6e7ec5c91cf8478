#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Mutants of the search: mutants.py CLANG SOURCE GENERATED [options].
set -u
exec python3 "$SOURCE/tests/target/graph/mutants.py" "$@"
