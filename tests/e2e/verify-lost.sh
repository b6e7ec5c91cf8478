#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A worker of `fencer verify` that somebody kills is replaced, and its part of
# the search is done again: no execution is missing, none is counted twice.
# Once the process that runs executions is killed, once the one that watches it.
set -u
bad=0
"$FENCER" cc -DFEW=4 -o prog "$SOURCE/tests/e2e/verify-resume.c" || exit 1

for which in child parent; do
    rm -rf out
    : >log
    # Somebody waits for that point, so it saves at once; nothing else comes of
    # it without --time.
    FENCER_POINT=verify.saved:1:time "$FENCER" verify --no-symmetry --out out --quiet \
        --jobs 2 --model sc --log verify --log worker --json lost.json prog 2>log &
    tool=$!
    until grep -q 'kept after' log; do
        sleep 0.02
    done
    worker=$(sed -n 's/^.*: \([0-9]*\): executions .*/\1/p' log | tail -1)
    [ $which = parent ] || worker=$(ps -o pid= --ppid "$worker")
    kill -9 $worker
    wait $tool
    code=$?
    [ $code -eq 0 ] || { echo "$which: exit code $code"; bad=1; }
    grep -q 'a worker was lost' log || { echo "$which: not noticed"; bad=1; }
    [ "$(grep -c '"executions": 8294400' lost.json)" -eq 1 ] || {
        echo "$which: it counts other executions:"
        grep executions lost.json
        cat log
        bad=1
    }
done
exit $bad
