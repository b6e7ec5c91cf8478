#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Data races by C11's happens-before on machine models: one line under the
# verdict, which names both accesses and what is missing between them, and
# changes neither answers nor the exit code.  What is ordered is silent.
set -u
program=$SOURCE/tests/e2e/unordered/races.c
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask DEFINES WORDS: the line's; none: no such line.
ask() {
    rm -rf out
    "$FENCER" verify --model "${models:-sc,tso}" --out out --cflags "$1" "$program" >report 2>log
    code=$?
    [ $code -eq 0 ] || complain "$1: exit code $code"
    count=$(grep -c '^data race: ' report)
    if [ -z "$2" ]; then
        [ "$count" -eq 0 ] || complain "$1: $(grep '^data race: ' report)"
        return
    fi
    [ "$count" -eq 1 ] || complain "$1: $count races"
    grep -q "^data race: .*; $2 (in C11" report ||
        complain "$1: $(grep '^data race: ' report)"
}

relaxed=memory_order_relaxed
ask -DHANDED ''
ask "-DHANDED -DLD=$relaxed" 'flag at .*races.c:30 is loaded relaxed: acquire would order it'
ask "-DHANDED -DST=$relaxed" 'flag at .*races.c:26 is stored relaxed: release would order it'
ask "-DHANDED -DST=$relaxed -DLD=$relaxed" \
    'flag is stored relaxed at .*races.c:26 and loaded relaxed at .*races.c:30: release and acquire would order it'
grep -q 'store to data at .*races.c:25 in T1 and load of data at .*races.c:31 in T2;' report ||
    complain "the accesses are not named"
ask -DFENCES ''
ask "-DFENCES -DLD=$relaxed" 'flag at .* is loaded relaxed: acquire would order it'
ask -DVOLATILE ''
ask -DSIGNAL 'flag is stored as volatile at .*: an atomic release and acquire would order it'
ask -DMUTEX ''
ask "-DMUTEX -DBUG" 'T1 holds mutex there, and T2 holds no mutex'
ask "-DREFERENCES -DST=memory_order_acq_rel" ''
ask "-DREFERENCES -DST=$relaxed" 'references at .* is updated relaxed: acq_rel would order it'
models=tso ask "-DMUTEX -DBUG" 'T1 holds mutex there, and T2 holds no mutex'

# On C11 it is a finding, and says the same.
"$FENCER" verify --model sc,c11 --out out --json answer.json \
    --cflags "-DHANDED -DLD=$relaxed" "$program" >report
[ $? -eq 1 ] || complain "no finding on c11"
[ "$(grep -c '"class": "race"' answer.json)" -eq 1 ] || complain "no race on c11"
grep -q '^Missing: flag at .*races.c:30 is loaded relaxed: acquire would order it\.$' report ||
    complain "c11 does not say what is missing"
! grep -q '"notes"' answer.json || complain "the race is told twice"
"$FENCER" report out | grep -q '^Missing: flag at ' || complain "a report forgets what is missing"
exit $bad
