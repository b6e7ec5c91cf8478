#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A `fencer check` that has no time, or is told to end, says how far it came:
# exit code 3, unknown, and the bounds so far.  What was mined by then is kept,
# and serves the same program with other fences.
set -u
bad=0
msn=$SOURCE/bench/checkfence/msn.c
stage=3
long='( ee | ee | ee | dd | dd )' # hours, as far as we know

fail() {
    echo "FAILED: $*"
    bad=1
}

# check WHAT OUT [OPTIONS...]: the report goes to OUT.txt, results to OUT.json.
# WHAT comes when it has begun to unroll.
check() {
    out=$2
    FENCER_POINT=check.stage:$stage:$1
    export FENCER_POINT
    shift 2
    "$FENCER" check --out state --json "$out.json" --model relaxed \
        --test "$long" "$@" "$msn" >"$out.txt" 2>&1
}

rm -rf state
check time timed --time 1000 --cflags -DFENCED
code=$?
[ $code = 3 ] || fail "exit code $code, not 3, when the time is up"
grep -q '"property_broken": "unknown"' timed.json || fail "not unknown"
grep -q '"complete": false' timed.json || fail "claims to be complete"
grep -q '"specification": "mined"' timed.json || fail "nothing was mined"
grep -q 'unknown: the time is up (--time 1000)' timed.txt || fail "no reason given"
grep -q 'rounds of unrolling' timed.txt || fail "no bound given"

check time again --time 1000 --cflags '-DFENCED -DWITHOUT=3'
grep -q '"specification": "kept"' again.json ||
    fail "another set of fences mines again"

check int stopped --cflags -DFENCED
code=$?
[ $code = 3 ] || fail "exit code $code, not 3, after an interrupt"
grep -q 'unknown: stopped by the user' stopped.txt || fail "no reason given"
[ $bad = 0 ] || cat timed.txt stopped.txt
exit $bad
