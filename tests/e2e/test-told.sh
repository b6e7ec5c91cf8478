#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `fencer test` on models without a machine: cycles are predicted by the models'
# terms and created as graphs.  Of a small program every one is decided; of
# others samples that are drawn for it find it.  What is broken is told with its
# cycle, its repaired twin has no cycle that can be.
set -u
shapes=$SOURCE/tests/e2e/verdict/shapes.c
kernels=$SOURCE/bench/kernels
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask CODE PROGRAM OPTIONS...
ask() {
    wanted=$1 program=$2
    shift 2
    rm -rf out
    "$FENCER" test "$@" --out out --json answer.json "$program" >report 2>log
    code=$?
    [ $code -eq "$wanted" ] || complain "$program $*: exit code $code: $(cat log)"
}

# The numbers in the row of a model: predicted, confirmed, harmful, benign,
# infeasible, undecided.
row() {
    sed -n "s/^$1  *\([0-9].*\)/\1/p" report | tr -s ' ' | cut -d' ' -f1-6
}

# is MODEL NUMBERS
is() {
    [ "$(row "$1")" = "$2" ] || complain "$program: $1: $(row "$1"), not $2"
}

# All that were predicted cannot be.
is_sound() {
    # shellcheck disable=SC2046
    set -- "$1" $(row "$1")
    [ $# -eq 7 ] && [ "$3$4$5$7" = 0000 ] && [ "$2" = "$6" ] || complain "$program: $*"
}

relaxed=memory_order_relaxed
for found in "" "--enumerate 0"; do
    # shellcheck disable=SC2086
    ask 1 "$shapes" $found --cflags "-DMP -DLD=$relaxed" --model arm,riscv,c11
    is ARM "1 1 1 0 0 0"
    is RISC-V "1 1 1 0 0 0"
    is C11 "1 1 1 0 0 0"
    grep -q '^  (4) T.*load data, 0' report || complain "no cycle: $(cat report)"
    head -n 1 report | grep -q ', on ARM$' || complain "not told under ARM"
done
ask 0 "$shapes" --cflags -DMP --model arm,riscv,c11
for model in ARM RISC-V C11; do
    is_sound $model
done

# What a dependency keeps in order is predicted, and cannot be.
ask 0 "$shapes" --cflags "-DADDRESS -DLD=$relaxed" --model arm,riscv
is ARM "1 0 0 0 1 0"
is RISC-V "1 0 0 0 1 0"

# But not where every store that follows a load comes after a branch on it.
decides=$SOURCE/tests/e2e/verdict/decides.c
ask 0 "$decides" --cflags -DBRANCH --model arm,riscv,c11
is ARM "0 0 0 0 0 0"
is RISC-V "0 0 0 0 0 0"
is C11 "1 0 0 0 1 0"
for branch in -DBEHIND -DCHOICE; do
    ask 0 "$decides" --cflags $branch --model arm,riscv
    is ARM "1 1 0 1 0 0"
    is RISC-V "1 1 0 1 0 0"
done

# A load that is later than a store: on processors.
ask 1 "$kernels/41-ring-head.c" --model tso,arm,c11
is ARM "1 1 1 0 0 0"
grep -q 'program order, not kept' report || complain "no pair: $(cat report)"
grep -q '"kind": "load-store"' answer.json || complain "no load-store pair"
ask 0 "$kernels/41-ring-head.c" --model tso,arm,c11 --cflags -DFIXED
is_sound ARM
is_sound C11
ask 1 "$kernels/15-dpdk-mcs-lock.c" --model arm
ask 0 "$kernels/15-dpdk-mcs-lock.c" --model arm --cflags -DFIXED
is_sound ARM

# What no graph has leaves a model out, unless it was asked for by name.
ghosts=$SOURCE/tests/e2e/verdict/ghosts.c
ask 0 "$ghosts"
grep -q '^  executions on C11: a fencer_ghost ' report || complain "C11 is not named: $(cat report)"
[ -z "$(row C11)" ] && [ -n "$(row 'x86 (TSO)')" ] || complain "ghosts: $(cat report)"
ask 1 "$ghosts" --cflags "-DORDER=$relaxed"
head -n 1 report | grep -q ', on x86 (TSO)$' || complain "not told under x86: $(cat report)"
[ "$(grep -c 'fencer: found' log)" = 1 ] || complain "told more than once: $(cat log)"
ask 3 "$ghosts" --model c11

# Nor does it keep the others from being mended.
ask 1 "$SOURCE/tests/e2e/verdict/ghost-steal.c"
grep -q '^  executions on C11: a fencer_ghost ' report || complain "steal: $(cat report)"
grep -q '^Change: .*:42: top: memory_order_relaxed -> memory_order_acquire$' report ||
    complain "steal: no change: $(cat report)"

# Nor the model itself, where the mistake is what leads to that construct.
"$FENCER" verify --out out "$SOURCE/tests/e2e/verdict/ghost-lifo.c" >report 2>log
grep -q '^Change: .*:28: item->busy: memory_order_relaxed -> memory_order_acquire$' report ||
    complain "lifo: no change: $(cat report)"

# Both accesses of a race are shown, also where the other thread only frees.
"$FENCER" verify --out out "$kernels/25b-openssl-rcu-writer.c" >report 2>log
[ "$(grep -c '(1) \*data (heap#1) = 1\|(2) frees heap#1' report)" -eq 2 ] ||
    complain "rcu: half a race: $(cat report)"

# Where neither ARM nor C11 is left of the default, PSO and PSLO stand in.
lock=$SOURCE/tests/e2e/verdict/ghost-lock.c
ask 1 "$lock"
head -n 1 report | grep -q 'assertion failed.*, on PSO$' || complain "clh: $(head -n 1 report)"
grep -q '^  executions on ARM: a fencer_ghost ' report || complain "clh: $(cat report)"
[ -n "$(row PSLO)" ] || complain "clh: $(cat report)"
ask 0 "$lock" --cflags -DFIXED

# Races between the same two lines are one, unless all are to be told.
ordinary=$SOURCE/tests/ordinary/left-right.c
ask 1 "$ordinary" --model c11 --cflags -DBROKEN
[ "$(grep -c '"class": "race"' answer.json)" -eq 1 ] && grep -q '"others": 1,' answer.json &&
    grep -q '^1 more data race is between these lines' report ||
    complain "left-right: told more than once: $(cat report)"
ask 1 "$ordinary" --cflags -DBROKEN --all
[ "$(grep -c '"class": "race"' answer.json)" -eq 2 ] || complain "left-right: $(cat report)"

# Threads that swap the same pair are told once; and a cycle that was created,
# but not on its own, is not said not to have been.
ask 1 "$SOURCE/examples/dekker.c" --model arm
[ "$(sed -n '2,5p' report | grep -c '^ARM may do')" -eq 1 ] &&
    sed -n 3p report | grep -q ', in T[12] and T[12]$' || complain "dekker: $(head -n 5 report)"
grep -q '^  [0-9]* cycles are on ARM undecided: created, but only beside' report ||
    complain "dekker: $(grep undecided report)"

# What herd is asked is allowed on that model, and not on SC.
# shape MODEL PROGRAM OPTIONS...
shape() {
    model=$1
    shift
    ask 1 "$@" --model "$model" --litmus cycle.litmus
    "$FENCER" litmus --model "$model" cycle.litmus | grep -q '^Ok$' ||
        complain "$* on $model: $(cat cycle.litmus)"
    "$FENCER" litmus --model sc cycle.litmus | grep -q '^No$' ||
        complain "$* on SC: $(cat cycle.litmus)"
}
shape tso "$SOURCE/examples/sb.c"
shape arm "$kernels/41-ring-head.c"
shape c11 "$shapes" --cflags "-DMP -DLD=$relaxed"
exit $bad
