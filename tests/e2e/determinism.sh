#!/bin/sh
# SPDX-License-Identifier: MIT
#
# One seed, 250 processes (FENCER_LONG=1: 1,000), as many identical traces.  And the last of 300
# executions in one process leaves the same trace as the last of 300 that had
# a process each: nothing of the executions before shines through.
set -u
bad=0
"$FENCER" cc -g "$SOURCE/examples/msqueue.c" -o queue -pthread || exit 1
"$FENCER" cc -g -DFENCED "$SOURCE/examples/msqueue.c" -o fenced -pthread ||
    exit 1

# trace NAME PROGRAM OPTIONS...
trace() {
    name=$1 program=$2
    shift 2
    rm -f "$name"
    "$FENCER" run --quiet "$@" --trace "$name" ./"$program" >out 2>&1
    code=$?
    if [ $code -gt 1 ] || [ ! -s "$name" ]; then
        echo "$*: exit code $code, or no trace"
        cat out
        exit 1
    fi
}

# same PROCESSES OPTIONS...
same() {
    processes=$1
    shift
    trace first queue "$@" --runs 1
    for _ in $(seq $((processes - 1))); do
        trace other queue "$@" --runs 1
        cmp first other || exit 1
    done
}

same "$([ -n "${FENCER_LONG-}" ] && echo 1000 || echo 250)" --model tso --seed 1
for model in sc tso pso pslo; do
    same 20 --model $model --seed 77
    for strategy in random pct pos rr; do
        trace first fenced --model $model --strategy $strategy --runs 300
        trace other fenced --model $model --strategy $strategy --runs 300 \
            --by-process
        # The file says which way it was; the execution does not.
        "$FENCER" trace dump first >first.dump
        "$FENCER" trace dump other >other.dump
        cmp first.dump other.dump || {
            echo "$model, $strategy: in process and by process differ"
            bad=1
        }
    done
done

# Another seed is another execution; else the above proves nothing.
trace first queue --model pslo --seed 1 --runs 1
for seed in 2 3 4 5; do
    trace other queue --model pslo --seed $seed --runs 1
    cmp -s first other || exit $bad
done
echo 'five seeds, one trace'
exit 1
