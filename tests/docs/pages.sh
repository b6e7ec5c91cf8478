#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the commands of pages and compares what they print; pages.py says how.
#
#   FENCER=build/dev/bin/fencer tests/docs/pages.sh [--bless] [PAGE...]
SOURCE=${SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
: "${FENCER:?the path of the tool}"
export SOURCE FENCER
here=$(cd "$(dirname "$0")" && pwd)
bless=
if [ "${1:-}" = --bless ]; then
    bless=--bless
    shift
fi
[ $# -gt 0 ] || set -- $(cd "$SOURCE" && ls README.md docs/*.md docs/man/*.1)
exec python3 "$here/pages.py" $bless "$@"
