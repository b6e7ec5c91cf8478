#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The toy model allows what PSO adds to TSO for stores, and not for RMWs.
# $1 is the tool that knows it; $FENCER is the one that does not.
set -u
here=$SOURCE/tests/e2e/toy-model
bad=0

# expect CODE TOOL MODEL CFLAGS
expect() {
    "$2" run --model "$3" --runs 5000 --cflags "$4" "$here/mp.c" \
        >out 2>&1
    code=$?
    [ $code -eq "$1" ] && return
    echo "$3 '$4': exit code $code, expected $1"
    cat out
    bad=1
}

expect 0 "$1" tso ''
expect 1 "$1" psodrain ''
expect 1 "$1" pso ''
expect 0 "$1" tso -DRMW
expect 0 "$1" psodrain -DRMW
expect 1 "$1" pso -DRMW
expect 2 "$FENCER" psodrain ''
exit $bad
