#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A `fencer check` that has no time, or is told to end, says how far it came:
# exit code 3, unknown, and the bounds so far.  What was mined by then is kept,
# and serves the same program with other fences.
set -u
bad=0
msn=$SOURCE/bench/checkfence/msn.c
long='( ee | ee | ee | dd | dd )' # hours, as far as we know

fail() {
    echo "FAILED: $*"
    bad=1
}

# check OUT [OPTIONS...]: the report goes to OUT.txt, results to OUT.json.
check() {
    out=$1
    shift
    exec "$FENCER" check --out state --json "$out.json" --model relaxed \
        --test "$long" "$@" "$msn" >"$out.txt" 2>&1
}

(check timed --time 2 --cflags -DFENCED)
code=$?
[ $code = 3 ] || fail "exit code $code, not 3, when the time is up"
grep -q '"property_broken": "unknown"' timed.json || fail "not unknown"
grep -q '"complete": false' timed.json || fail "claims to be complete"
grep -q '"specification": "mined"' timed.json || fail "nothing was mined"
grep -q 'unknown: the time is up (--time 2)' timed.txt || fail "no reason given"
grep -q 'rounds of unrolling' timed.txt || fail "no bound given"

(check again --time 2 --cflags '-DFENCED -DWITHOUT=3')
grep -q '"specification": "kept"' again.json ||
    fail "another set of fences mines again"

(check stopped --cflags -DFENCED) &
tool=$!
sleep 2
kill -INT $tool
wait $tool
code=$?
[ $code = 3 ] || fail "exit code $code, not 3, after an interrupt"
grep -q 'unknown: stopped by the user' stopped.txt || fail "no reason given"
[ $bad = 0 ] || cat timed.txt stopped.txt
exit $bad
