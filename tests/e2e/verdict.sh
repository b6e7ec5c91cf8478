#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The first line of `fencer verify` says which machines it speaks of; what holds
# on C11 holds on every machine if no load may be later than a store behind it;
# what only a dependency keeps is named.
set -u
shapes=$SOURCE/tests/e2e/verdict/shapes.c
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask CODE MODELS DEFINES LINE: the first one, as a pattern.
ask() {
    rm -rf out
    "$FENCER" verify --model "$2" --out out --json answer.json --cflags "$3" \
        "$shapes" >report 2>log
    code=$?
    [ $code -eq "$1" ] || complain "$2 $3: exit code $code"
    head -n 1 report | grep -q "^$4" || complain "$2 $3: $(head -n 1 report)"
}

relaxed=memory_order_relaxed
all="every machine that C11 compiles to"
ask 0 sc -DMP 'verified for SC: no execution fails in '
ask 0 sc,tso -DMP 'verified for x86: no execution fails in '
ask 0 sc,tso,arm,c11 -DMP "verified for x86, ARM and $all: no execution fails in "
ask 0 tso,c11 -DMP "verified for x86 and $all: no execution fails in "
ask 1 sc,tso,arm,riscv "-DMP -DLD=$relaxed" 'fails on ARM and RISC-V; right on x86$'
sed -n 2p report | grep -q ', on ARM$' || complain "it is not told under ARM"
ask 1 sc,pso,c11 "-DMP -DST=$relaxed" 'fails on PSO and C11; right on SC$'

# Load buffering: C11 has none.
ask 0 sc,tso,c11 "-DLB -DLD=$relaxed" 'verified for x86 and C11: no execution fails in '
grep -q '^C11 says nothing of machines on which the store of .* before the load of .*shapes.c' report ||
    complain "the pair is not named"
ask 0 sc,tso,c11 -DLB "verified for x86 and $all: no execution fails in "
! grep -q '"notes"' answer.json || complain "a note too many"

# Dependencies.
ask 0 sc,tso,arm "-DADDRESS -DLD=$relaxed" 'verified for x86 and ARM: no execution fails in '
[ "$(grep -c '^right on ARM only because .*m at .* depends on the load of message at .*shapes.c:39' report)" -eq 1 ] ||
    complain "the dependency is not named"
ask 0 sc,tso,arm "-DADDRESS" 'verified for x86 and ARM: no execution fails in '
! grep -q 'only because' report || complain "a dependency that nobody needs"
exit $bad
