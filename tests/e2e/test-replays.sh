#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every finding of `fencer test` on a machine, harmful or benign, comes again
# each time it is replayed; the worst one a hundred times.
set -u
bad=0

# again N FINDING
again() {
    i=0
    while [ $i -lt "$1" ]; do
        "$FENCER" replay --quiet "$2" >out 2>&1
        code=$?
        if [ $code -ne 1 ]; then
            echo "$2, replay $i: exit code $code"
            cat out
            bad=1
            return
        fi
        i=$((i + 1))
    done
}

rm -rf found
"$FENCER" test --model papers --time 1000 --all --out found --quiet "$SOURCE/examples/dekker.c"
code=$?
[ $code -eq 1 ] || { echo "exit code $code, expected 1"; bad=1; }
again 100 found/finding-1.json
count=0
for finding in found/finding-*.json; do
    again 3 "$finding"
    count=$((count + 1))
done
[ $count -ge 5 ] || { echo "only $count findings"; bad=1; }
exit $bad
