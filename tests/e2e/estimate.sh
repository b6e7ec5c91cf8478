#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A verify that is stopped says how many executions there are, roughly, and
# where most of the choices are if they are out of reach.  One that ends says
# nothing of it.
set -u
bad=0
peers=$SOURCE/bench/peers

# 2^30 executions: 30 readers, each sees the one store or does not.
"$FENCER" cc -DN=30 -I"$peers" -o readers "$peers/readers.c" -pthread || exit 1
"$FENCER" verify --no-symmetry --out out --no-color --model sc --time 5 --json answer.json \
    ./readers >report 2>&1
[ $? -eq 3 ] || { echo "not stopped?"; bad=1; }
# estimate: low, about and high powers of ten, and of how many descents.
set -- $(sed -n 's/^  about 10^\([0-9]*\) executions on SC in all (10^\([0-9]*\) to 10^\([0-9]*\), estimated by \([0-9]*\) random descents); [0-9]* were explored$/\2 \1 \3 \4/p' report)
if [ $# -ne 4 ]; then
    echo "no estimate"
    bad=1
elif [ "$1" -gt 9 ] || [ "$3" -lt 9 ] || [ "$2" -lt 7 ] || [ "$2" -gt 11 ]; then
    echo "a wrong estimate: $*"
    bad=1
fi
grep -q '"about 10^' answer.json || { echo "not among the limits"; bad=1; }
[ $bad -eq 0 ] || cat report

# (9!)^2 of them, out of reach of any machine: where the choices are.
"$FENCER" cc -DN=9 -I"$peers" -o incr "$peers/incr.c" -pthread || exit 1
"$FENCER" verify --no-symmetry --out far --no-color --model sc --time 2 \
    ./incr >report 2>&1
grep -q 'out of reach; most of the choices are at [^ ]*incr.c:[0-9]* (T1 to T9' report || {
    echo "not where:"
    cat report
    bad=1
}

"$FENCER" verify --out few --no-color --model sc --json answer.json \
    --cflags "-DN=8 -I$peers" "$peers/readers.c" >report 2>&1
[ $? -eq 0 ] || { echo "not verified"; bad=1; }
! grep 'about 10^' report answer.json || bad=1
exit $bad
