#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `verify --races`: on SC two accesses race that could be done at the same time
# and are not both atomic.  Each pair of lines is told once, with an execution
# that replays; what is ordered, or atomic, is silent.  All of it as
# graphs.
set -u
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask CODE RACES PROGRAM DEFINES
ask() {
    rm -rf out
    "$FENCER" verify --races --model sc --out out --quiet --log verify \
        --json answer.json --cflags "$4" "$SOURCE/tests/$3" 2>log
    code=$?
    [ $code -eq "$1" ] || complain "$3 $4: exit code $code"
    ! grep 'not explored as graphs\|does not have' log || complain "$3 $4"
    count=$(grep -c '"error": "data race: ' answer.json)
    [ "$count" -eq "$2" ] || complain "$3 $4: $count races, not $2"
    for finding in out/finding-*.json; do
        [ -e "$finding" ] || continue
        "$FENCER" replay --quiet "$finding"
        [ $? -eq 1 ] || complain "$3 $4: $finding does not come again"
    done
}

c11=e2e/c11/races.c
ask 1 1 $c11 -DNOTHING
ask 0 0 $c11 -DATOMIC
ask 0 0 $c11 -DMUTEX
ask 1 1 $c11 "-DMUTEX -DBUG"
ask 0 0 $c11 -DSEMAPHORE
ask 1 1 $c11 "-DSEMAPHORE -DBUG"
ask 0 0 $c11 -DSPIN
ask 0 0 $c11 -DONCE

# The read that only waits is one of the two.
ask 0 0 $c11 -DSPINS
ask 1 1 $c11 "-DSPINS -DBUG"

# A race does not excuse what fails: both are told.
ask 1 2 golden/verify-sc/lost.c ""
grep -q '"error": "assertion failed' answer.json || complain "lost.c: no failure"

# Who asks for other models has them as ever.
"$FENCER" verify --races --out out --quiet --json answer.json \
    --cflags -DMUTEX "$SOURCE/tests/$c11" || complain "all models: exit code $?"
[ "$(grep -c '"complete": true' answer.json)" -eq 4 ] ||
    complain "all models: not complete"
exit $bad
