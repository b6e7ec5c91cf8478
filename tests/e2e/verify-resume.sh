#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A `fencer verify` that is killed goes on from the last copy of its search
# tree: no execution is missing, and none is counted twice.  With one worker
# and with two.
set -u
bad=0
"$FENCER" cc -o prog "$SOURCE/tests/e2e/verify-resume.c" || exit 1

# run POINT OUT JOBS [OPTIONS...]
run() {
    out=$2
    jobs=$3
    FENCER_POINT=$1
    export FENCER_POINT
    shift 3
    "$FENCER" verify --model papers --no-symmetry --out "$out" --quiet --jobs "$jobs" --log verify \
        "$@" prog
}

# kept LOG: how many executions there were when it was last kept.
kept() {
    sed -n 's/.*kept after \([0-9]*\) .*/\1/p' "$1" | tail -1
}

for jobs in 1 2; do
    rm -rf out
    run verify.saved:1:kill out $jobs 2>first.log
    [ $? -eq 137 ] || { echo "it was not killed"; bad=1; }

    run '' out $jobs --json again.json 2>second.log
    code=$?
    [ $code -eq 0 ] || { echo "exit code $code after the kill"; bad=1; }
    before=$(kept first.log)
    [ "${before:-14400}" -lt 14400 ] || {
        echo "it was killed after $before executions"
        bad=1
    }
    grep -q "goes on after $before executions" second.log || {
        echo "it does not go on after $before executions:"
        cat second.log
        bad=1
    }
    [ "$(grep -c '"executions": 14400' again.json)" -eq 4 ] || {
        echo "with $jobs workers it counts other executions:"
        grep executions again.json
        bad=1
    }
done

# A time limit is no loss either.
run verify.saved:1:time out 2 --time 1000 2>first.log
code=$?
run '' out 2 --json again.json 2>second.log
[ $code -eq 3 ] || { echo "exit code $code at the time limit"; bad=1; }
grep -q "goes on after" second.log || { echo "it does not go on"; bad=1; }
[ "$(grep -c '"executions": 14400' again.json)" -eq 4 ] || {
    echo "after a time limit it counts other executions:"
    grep executions again.json
    bad=1
}

# What parts of the tree came to that wait for parts before them is told as well
# when it is stopped: more than what counts already, unless nothing waited.
waited=no
for n in 1 2 3 4 5 6 7 8; do
    run verify.given:$n:time part$n 3 --time 1000 --model sc --json part.json 2>part.log
    counted=$(sed -n 's/.*: \([0-9]*\) executions as graphs.*/\1/p' part.log | tail -n 1)
    told=$(sed -n 's/.*"executions": \([1-9][0-9]*\),*/\1/p' part.json | tail -n 1)
    [ "${told:-0}" -gt "${counted:-0}" ] && waited=yes
done
[ $waited = yes ] || { echo "what waits is not told"; bad=1; }

# A run that came to its end is begun anew.
run '' out 1 2>third.log
! grep -q 'goes on' third.log || { echo "a finished run went on"; bad=1; }

# What was found before the kill is not found a second time.
rm -rf races
"$FENCER" cc -DFEW=2 -o prog "$SOURCE/tests/e2e/verify-resume.c" || exit 1
run worker.ended:2:kill races 1 --races --bound 1 2>first.log
run '' races 1 --races --bound 1 2>second.log
count=$(ls races/finding-*.json | wc -l)
[ "$count" -eq 2 ] || { echo "$count findings, of two races"; bad=1; }
exit $bad
