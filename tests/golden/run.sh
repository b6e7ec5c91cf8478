#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Command line in, exact output kept beside it.  A case is a folder with
#
#   cmd    shell commands; `fencer` is the tool, $SOURCE the source tree
#   out    what they print, stdout and stderr together
#   exit   the exit code of the last
#
# and C files, which lie in the working folder.  Run all or the named cases:
#
#   FENCER=build/dev/bin/fencer tests/golden/run.sh [--bless] [CASE...]
#
# --bless writes `out` and `exit` anew: read the difference before you commit.
set -u
golden=$(cd "$(dirname "$0")" && pwd)
SOURCE=${SOURCE:-$(cd "$golden/../.." && pwd)}
: "${FENCER:?the path of the tool}"
FENCER=$(realpath "$FENCER")
PATH=$(dirname "$FENCER"):$PATH
LC_ALL=C
export SOURCE FENCER PATH LC_ALL

bless=no
if [ "${1:-}" = --bless ]; then
    bless=yes
    shift
fi
[ $# -gt 0 ] || set -- $(cd "$golden" && ls -d */ | tr -d /)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
for case; do
    from=$golden/$case
    here=$work/$case
    mkdir -p "$here/dir"
    cp "$from"/*.c "$here/dir" 2>/dev/null
    (cd "$here/dir" && sh "$from/cmd") </dev/null >"$here/out" 2>&1
    echo $? >"$here/exit"
    if [ $bless = yes ]; then
        cp "$here/out" "$here/exit" "$from"
    elif diff -u "$from/out" "$here/out" && diff -u "$from/exit" "$here/exit"
    then
        echo "ok $case"
    else
        echo "FAILED $case"
        bad=1
    fi
done
exit $bad
