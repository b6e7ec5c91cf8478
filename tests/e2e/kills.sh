#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A test, verify or check that is killed at some point, and then started again,
# gives the answer of an undisturbed run: the same JSON but for seconds, the
# same files in its folder, and no temporary ones.  The points are logical
# (base/point.h), so they are the same on every machine; which ones are taken
# is spread over all there are.  FENCER_LONG=1 takes a hundred of each command.
set -u
kills=4
[ "${FENCER_LONG-}" = 1 ] && kills=100
bad=0
mkdir -p tmp
TMPDIR=$PWD/tmp
export TMPDIR

# Everything but what was measured.
answer() {
    sed '/seconds"/d; /"memory_mib"/d' "$1"
}

# The files of a run, and what it left elsewhere.
files() {
    (cd out && find . -type f | sort)
    ls -A tmp
}

# killed_at POINT COMMAND...: killed there, started again, and compared.
killed_at() {
    point=$1
    shift
    rm -rf out tmp/* again.json
    FENCER_POINT=any:$point:kill "$FENCER" "$@" >/dev/null 2>&1
    [ $? -eq 137 ] || { echo "$1: not killed at $point of $points"; bad=1; }
    "$FENCER" "$@" --json again.json >again.txt 2>&1
    code=$?
    [ $code -eq $whole ] || { echo "$1: exit code $code, not $whole"; bad=1; }
    answer again.json >again.answer
    files >again.files
    diff whole.answer again.answer >difference &&
        diff whole.files again.files >>difference && return
    echo "$1: killed at point $point of $points:"
    head -n 20 difference
    bad=1
}

# kill_often COMMAND...
kill_often() {
    rm -rf out tmp/*
    FENCER_POINT=list "$FENCER" "$@" --json whole.json >whole.txt 2>whole.err
    whole=$?
    points=$(grep -c '^point ' whole.err)
    answer whole.json >whole.answer
    files >whole.files
    [ "$points" -gt 4 ] || { echo "$1 passes $points points"; bad=1; }
    i=0
    while [ $i -lt $kills ]; do
        i=$((i + 1))
        killed_at $((1 + i * 618 % 1000 * points / 1000)) "$@"
    done
}

kill_often test --time 1000 --out out --jobs 1 "$SOURCE/examples/sb.c"
kill_often test --time 1000 --out out --jobs 1 --enumerate 0 --model tso \
    "$SOURCE/tests/litmus/dekker+half.c"
kill_often verify --out out --jobs 1 "$SOURCE/examples/sb.c"
kill_often check --out out --model sc,pso --test '( e | d )' \
    "$SOURCE/bench/checkfence/msn.c"
exit $bad
