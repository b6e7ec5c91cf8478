#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The shapes of ThreadSanitizer's own tests, on C11: what it calls a data race
# is one here, with what is missing, and what it is silent about is right.  With
# FENCER_LONG=1, where clang has it, ThreadSanitizer itself is asked, too: it may
# miss what did not happen, but whatever it finds in eight runs has to be found.
# It knows no fences, and finds a race where one orders all.
set -u
program=$SOURCE/tests/e2e/sanitizer/shapes.c
tsan="clang-19 -g -w -fsanitize=thread"
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask FLAGS CODE: what fencer says is in `report` and `answer.json`.
ask() {
    "$FENCER" verify --model c11 --out out --json answer.json --cflags "-w $1" "$program" >report 2>log
    code=$?
    cat report >>answer.json
    [ $code -eq "$2" ] || complain "$1: exit code $code: $(sed -n 1,2p report)"
}

# sanitized FLAGS: does ThreadSanitizer find something?
sanitized() {
    # shellcheck disable=SC2086
    $tsan $1 -o sanitized "$program" || complain "$1: does not compile"
    for run in 1 2 3 4 5 6 7 8; do
        setarch -R ./sanitized 2>&1 | grep -q 'WARNING: ThreadSanitizer' && return 0
    done
    return 1
}

can_sanitize() {
    [ "${FENCER_LONG:-0}" = 1 ] && $tsan -DSIMPLE -o sanitized "$program" 2>log &&
        setarch -R ./sanitized 2>&1 | grep -q ThreadSanitizer
}
can_sanitize && long=true || long=false

# shape NAME WORDS: broken it is a race with these words, or another failure.
shape() {
    ask "-D$1" 1
    grep -q "$2" answer.json || complain "$1: not '$2': $(sed -n 2p report) $(grep ^Missing report)"
    ask "-D$1 -DFIXED" 0
    grep -q '"property_broken": "no"' answer.json || complain "$1: not right"
    $long && sanitized "-D$1 -DFIXED" && [ "$1" != FENCES ] &&
        complain "$1: ThreadSanitizer finds a race in what is right"
    $long && ! sanitized "-D$1" && echo "$1: not found by ThreadSanitizer this time"
}

race='"class": "race"'
shape SIMPLE "$race"
shape ONE_MUTEX 'Missing: T1 holds m1 there, and T2 holds no mutex'
shape TWO_MUTEXES 'Missing: T1 holds m1 there, and T2 holds m2'
shape LET_GO 'Missing: T1 holds m2 there, and T2 holds m1'
shape HEAP "$race"
shape FREES "$race"
shape ATOMIC_FREE 'Missing: count at .* is updated relaxed: acq_rel would order it'
shape ATOMIC_AND_PLAIN "$race"
shape ATOMIC_ON_STACK "$race"
shape MESSAGE 'Missing: flag at .* is loaded relaxed: acquire would order it'
shape MESSAGE_STORED 'Missing: flag at .* is stored relaxed: release would order it'
shape MESSAGE_NEITHER 'Missing: flag is stored relaxed at .* and loaded relaxed at .*: release and acquire'
shape COPIES "$race"
shape BIT_FIELDS "$race"
shape SIZES "$race"
shape STACK "$race"
shape THREAD_LOCAL "$race"
shape READER_LOCK "$race"
shape MUTEX_MADE 'made anew while thread 2 holds it'
shape MUTEX_GONE 'the mutex was destroyed'
shape BARRIER "$race"
shape SEMAPHORE "$race"
shape CONDITION "$race"
shape ONCE "$race"
shape SPIN 'Missing: T1 holds spin there, and T2 holds no mutex'
shape REALLOCATES 'use after free'
shape INNER "$race"
shape FENCES 'Missing: flag at .* is loaded relaxed: acquire would order it'
exit $bad
