#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh BIN [--bless]: the tests that dumps/tests names, unrolled, are as in
# dumps/NUMBER.flat; --bless renews these.  BIN is a whole path.
set -eu
cd "$(dirname "$0")/dumps"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
bad=0
n=0
while read -r name notation; do
    n=$((n + 1))
    "$1/flat_dump" "$name.c" ${notation:+"$notation"} >"$out" || bad=1
    if [ "${2-}" = --bless ]; then
        cp "$out" $n.flat
    else
        diff -u $n.flat "$out" || bad=1
    fi
done <tests
[ $n -gt 3 ] || bad=1
exit $bad
