#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What `fencer test` says does not depend on the number of its workers: neither
# on which of them is the first to find something, nor on what the others know
# by then.
set -u
bad=0

# same OPTIONS: for each number of workers.
same() {
    for jobs in 1 2 3 8; do
        rm -rf "$jobs"
        "$FENCER" test --time 1000 --out "$jobs" --quiet --jobs $jobs \
            --json $jobs.json "$@" >out 2>&1
        code=$?
        [ $code -eq 1 ] || { echo "$jobs jobs: exit code $code"; cat out; bad=1; }
        sed -e '/"seconds"/d' -e '/"replay"/d' $jobs.json >$jobs.answer
        cmp 1.answer $jobs.answer || {
            diff 1.answer $jobs.answer
            bad=1
        }
    done
}

same --model tso,pso --enumerate 0 --budget 100 "$SOURCE/bench/programs/dekker.c"
# All executions of one model after the other: those to come are begun before.
same --model sc,tso,pso,arm,c11 "$SOURCE/examples/sb.c"
exit $bad
