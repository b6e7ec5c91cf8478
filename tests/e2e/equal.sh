#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Equal threads are explored in one order; those that somebody tells apart in
# all, also where only an unusual order shows the difference.
set -u
bad=0
here=$SOURCE/tests/e2e/equal

# ask CODE EXECUTIONS MODEL DEFINES [PROGRAM [OPTION...]]: EXECUTIONS, or "-".
ask() {
    code=$1 executions=$2 model=$3 defines=$4 program=${5-$here/equal.c}
    shift 4
    [ $# -gt 0 ] && shift
    rm -rf out
    "$FENCER" verify "$@" --model "$model" --out out --no-color \
        --json answer.json --cflags "$defines -I$SOURCE/bench/peers" \
        "$program" >answer.txt 2>&1
    got=$?
    [ $got -eq "$code" ] || {
        echo "$program $defines $*: exit code $got"
        cat answer.txt
        bad=1
    }
    [ "$executions" = - ] && return
    grep -q "\"executions\": $executions,*$" answer.json || {
        echo "$program $defines $*: other executions than $executions:"
        grep executions answer.json
        bad=1
    }
}

ask 1 - sc -DARGUMENT
ask 1 - sc -DSELF
ask 1 - sc -DSTACK
ask 1 - sc -DRETURNED
ask 1 - sc -DJOINED
ask 1 - sc -DSTUCK
grep -q 'the second has come first' answer.txt || { cat answer.txt; bad=1; }
ask 0 2 sc -DOBSERVED
ask 1 - c11 -DREADS
ask 0 1 sc -DSAME
ask 0 2 sc -DSAME "$here/equal.c" --no-symmetry
for option in --jobs=1 --no-symmetry; do
    ask 0 - sc -DHOLDS "$here/equal.c" $option
    grep -o '"executions": [0-9]*' answer.json | tr -dc '0-9\n' >"holds$option"
done
[ $((6 * $(cat holds--jobs=1))) -eq "$(cat holds--no-symmetry)" ] || {
    echo "HOLDS: $(cat holds--jobs=1) of $(cat holds--no-symmetry)"
    bad=1
}
ask 0 - sc,tso "" "$here/turns.c"
ask 1 - sc,tso -DHASTY "$here/turns.c"
grep -q 'lost wake-up' answer.txt || { cat answer.txt; bad=1; }
peers=$SOURCE/bench/peers
ask 0 1 sc,tso,pso,pslo -DN=12 "$peers/ainc.c"
ask 0 1 sc -DN=5 "$peers/ticket.c"
ask 0 9 sc -DN=8 "$peers/readers.c"
ask 0 14 sc -DN=4 "$peers/casrot.c"
ask 0 20 sc -DN=2 "$peers/pool.c" --no-spurious
ask 1 - sc "-DN=2 -DHASTY" "$peers/pool.c"
ask 0 362880 sc -DN=9 "$peers/incr.c" --jobs 2
exit $bad
