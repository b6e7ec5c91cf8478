#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests of a data type (FENCER_INIT, FENCER_OP, FENCER_TEST): the same file is a
# native program, and runs under the tool, where what its threads observe is
# compared with its serial executions.
set -u
here=$SOURCE/tests/e2e/data-type.c
study=$SOURCE/bench/checkfence
bad=0

wrong() {
    echo "$*"
    bad=1
}

# Natively, without a warning; a main of the user's own comes first.
echo 'int main(void) { return 7; }' >own.c
for cc in gcc clang-19; do
    $cc -std=c11 -O2 -Wall -Wextra -Wshadow -Wstrict-prototypes \
        -Wmissing-prototypes -Wpedantic -Werror -I "$SOURCE/include" \
        -o native "$here" -pthread || wrong "$cc: does not compile"
    ./native --list | grep -qF 'Locked l ( l | l l )' || wrong "$cc: --list"
    ./native && ./native Locked && ./native "l(l'|ll)" && ./native 'own r' ||
        wrong "$cc: does not run"
    ./native Unknown 2>/dev/null
    [ $? -eq 2 ] || wrong "$cc: takes any test"
    ./native '( l | l' 2>/dev/null && wrong "$cc: takes half a test"
    $cc -I "$SOURCE/include" -o native "$here" own.c && ./native
    [ $? -eq 7 ] || wrong "$cc: main is not the user's"
done

# verify EXIT WORDS TEST FILE [CFLAGS]
verify() {
    rm -rf out
    "$FENCER" verify --model papers --out out --cflags "${5:-}" "$4" -- "$3" >report 2>&1
    code=$?
    [ $code -eq "$1" ] || wrong "$4 $3 ${5:-}: exit code $code"
    grep -qF -- "$2" report || wrong "$4 $3 ${5:-}: does not say: $2"
}

"$FENCER" run --out out --quiet "$here" -- Locked >/dev/null || wrong 'run'
"$FENCER" test --out out --quiet "$here" -- Locked >/dev/null || wrong 'test'
verify 1 'no serial execution has: r=1 | r=1, at' Racy "$here"
"$FENCER" verify --model papers --out out --log verify "$SOURCE/examples/mp.c" 2>&1 |
    grep -q serial: && wrong "a program without a test is mined"
verify 0 'verified' Locked "$here"
verify 1 'no serial execution has: t=1 t=1 | t=1, at' Tried "$here"
verify 0 'verified' Primed "$here"
verify 0 'verified' Waits "$here"
verify 0 'verified' Own "$here"
verify 0 'verified' Quiet "$here"
verify 0 'verified' Alone "$here"
verify 0 'verified' 'r ( own | l )' "$here"
verify 1 'lost wake-up' '( w | l )' "$here"
verify 3 'more than 239 characters' Long "$here"
verify 3 'neither a test nor made of operations' '( l | x )' "$here"

# As graphs and, by another engine, schedule by schedule: the same is observed.
outcomes() {
    rm -rf out
    "$FENCER" verify --model papers --out out --quiet --log verify --json answer.json "$@" \
        >report 2>&1
    sed -n 's/^ *"\(model\|property_broken\|outcome\)": //p' answer.json
}
agree() {
    outcomes "$@" >graphs
    grep -q 'executions as graphs' report || wrong "$*: not as graphs"
    outcomes --no-dpor "$@" >steps
    grep -q 'executions as graphs' report && wrong "$*: twice as graphs"
    cmp -s graphs steps || wrong "$*: $(diff graphs steps)"
}
for test in Locked Tried Primed Waits Own Quiet 'r ( r | own | l )'; do
    agree "$here" -- "$test"
done
agree --model sc,tso --cflags -DFENCED "$study/msn.c" -- T0
agree --model sc --cflags -DFENCED "$study/harris.c" -- Sar

# The study: the queue needs its fences, the deque is wrong on SC.
verify 1 'no serial execution has: e=1 | d=-1431655766, at' T0 "$study/msn.c"
grep -qF 'on PSO' report || wrong 'msn: not on PSO'
"$FENCER" replay out/finding-1.json >again
[ "$(head -1 again)" = "$(sed -n 2p report)" ] || wrong "msn: another replay"
verify 0 'verified' T0 "$study/msn.c" -DFENCED
verify 1 'no serial execution has: al=1 rr=1 | ar=1 rl=-1, at' D0 \
    "$study/snark.c" -DFENCED
grep -qF 'on SC' report || wrong 'snark: not on SC'
exit $bad
