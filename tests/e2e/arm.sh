#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ARM and RISC-V by `fencer verify`: shapes whose verdicts are known, on both
# sides; both mappings of ARM; load buffering, and where it is named and not searched;
# mutexes; and what these models do not have.
set -u
shapes=$SOURCE/tests/e2e/arm/shapes.c
bad=0

complain() {
    echo "$*"
    bad=1
}

# build SHAPE ORDERS: one program for all that is asked of it.
build() {
    "$FENCER" cc --track-deps -o program -D"$1" $2 "$shapes" 2>log || complain "$1: $(cat log)"
}

# ask CODE BROKEN OPTIONS: of the program that was built; BROKEN is what every
# model asked for says of the property.
ask() {
    rm -rf out answer.json
    # shellcheck disable=SC2086
    "$FENCER" verify $3 --out out --quiet --json answer.json ./program 2>log
    code=$?
    [ $code -eq "$1" ] || complain "$shape $3: exit code $code, expected $1"
    broken=$(sed -n 's/^ *"property_broken": "\(.*\)",$/\1/p' answer.json |
        sort -u | paste -s -d ' ')
    [ "$broken" = "$2" ] || complain "$shape $3: broken '$broken', not '$2'"
}

relaxed="-DST=memory_order_relaxed -DLD=memory_order_relaxed"
handed="-DST=memory_order_release -DLD=memory_order_acquire"
strong="-DST=memory_order_seq_cst -DLD=memory_order_seq_cst"

shape=MP
build MP "$relaxed"
ask 1 yes "--model arm,riscv"
grep -q 'processor\|ARM' answer.json || complain "ARM is not named"
build MP "$handed"
ask 0 no "--model arm,riscv"

shape=SB
build SB "$handed"
ask 0 no "--model arm"
ask 1 yes "--model arm --rcpc"
ask 1 yes "--model riscv"
build SB "$strong"
ask 0 no "--model arm,riscv"

# An execution of many events is judged, too.
shape=long
"$FENCER" cc --track-deps -o program -DST=memory_order_relaxed "$SOURCE/tests/e2e/arm/long.c"
ask 1 yes "--model arm,riscv --unroll 1000"
"$FENCER" run --model arm --out told ./program >log 2>&1 && complain "run does not find long.c"
"$FENCER" cc --track-deps -o program -DST=memory_order_release "$SOURCE/tests/e2e/arm/long.c"
ask 0 no "--model arm,riscv --unroll 1000"

shape=XCHG
build XCHG "$strong"
ask 0 no "--model arm --arm lse"
ask 1 yes "--model arm --arm llsc"
ask 1 yes "--model arm"
ask 0 no "--model riscv"

# A robust program: one search for both mappings, with and without dependencies,
# and for SC, whether one worker does it or two.
for jobs in 1 2; do
    "$FENCER" verify --no-symmetry --model sc,arm,riscv --jobs $jobs --quiet --json answer.json --log verify \
        --cflags "-DN=3 -DFENCED" "$SOURCE/bench/peers/mcs.c" >log 2>&1 || complain "mcs: exit code $?"
    [ "$(grep -c '"executions": 66' answer.json)" = 3 ] || complain "mcs: executions differ"
    [ "$(grep -c 'executions as graphs' log)" = 2 ] || complain "mcs: $(cat log)"
done
# Right by dependencies alone: that one search cannot tell, and it is done anew.
"$FENCER" verify --model sc,arm --quiet --json answer.json --log verify \
    --cflags "-DN=1 -DFENCED" "$SOURCE/bench/peers/rcu.c" >log 2>&1 || complain "rcu: exit code $?"
grep -q 'does not settle it' log || complain "rcu: $(cat log)"
[ "$(grep -c '"sc_violation": "no"' answer.json)" = 2 ] || complain "rcu is not robust"

shape=LB
build LB "$relaxed"
ask 1 yes "--model arm,riscv"
"$FENCER" verify --model arm --out told ./program 2>log | tr -s ' \n' ' ' |
    grep -q 'step [0-9]*: the load takes effect after that' ||
    complain "it is not told that the load is late"
build LB "$handed"
ask 0 no "--model arm,riscv"
shape=LB_DATA
build LB_DATA "$relaxed"
ask 0 no "--model arm,riscv"
shape=LB_RMW
build LB_RMW "$relaxed"
ask 1 yes "--model arm,riscv"
build LB_RMW "$handed"
ask 0 no "--model arm,riscv"

# A load of a slot after the store that gives it back.
shape=ring
"$FENCER" cc --track-deps -o program "$SOURCE/tests/e2e/arm/ring.c"
ask 1 yes "--model arm,riscv"
"$FENCER" verify --model arm --out told ./program >ring.txt 2>log
grep -q 'ARM may do the load of slot' ring.txt || complain "$(cat ring.txt)"
grep -q 'head: memory_order_relaxed -> memory_order_release' ring.txt ||
    complain "no cure of the ring"
"$FENCER" cc --track-deps -DFIXED -o program "$SOURCE/tests/e2e/arm/ring.c"
ask 0 no "--model arm,riscv"

shape=POSTED
build POSTED ""
ask 0 no "--model arm"

# More values than are looked at.
shape=LB_MANY
build LB_MANY ""
ask 3 unknown "--model arm"
grep -q 'on ARM the store .* may take effect before the load' answer.json ||
    complain "load buffering is not named"

# A loop that is too long in an execution with a late load, and in no other.
for model in arm riscv power; do
    "$FENCER" verify --model $model --unroll 3 --out out --quiet --json answer.json \
        "$SOURCE/tests/e2e/arm/cut.c" 2>log
    grep -q 'loop at .*cut.c:15 cut after 3' answer.json || complain "$model: the loop is not named"
    grep -q '"property_broken": "unknown"' answer.json || complain "$model: a loop was cut"
done
"$FENCER" verify --model arm --unroll 9 --out out --quiet --json answer.json \
    "$SOURCE/tests/e2e/arm/cut.c" 2>log
grep -q '"property_broken": "no"' answer.json || complain "a loop of 8 rounds: $(cat answer.json)"

# A value that was selected: a dependency on both.
shape=S
build S "-DVALUE=2"
ask 1 yes "--model arm,riscv"
build S "-DVALUE=(v?2:3)"
ask 0 no "--model arm,riscv"

shape=LOCKED
build LOCKED ""
ask 0 no "--model arm,riscv"

# Accesses of different sizes to the same bytes.
for what in TICKET STACK TEAR; do
    shape=$what
    "$FENCER" cc --track-deps -o program -D$what "$SOURCE/tests/e2e/graphs/sizes.c"
    ask 0 no "--model arm,riscv"
    "$FENCER" cc --track-deps -o program -D$what -DBUG "$SOURCE/tests/e2e/graphs/sizes.c"
    ask 1 yes "--model riscv"
done
ask 1 yes "--model arm"
ask 3 unknown "--model power"
grep -q 'different sizes' answer.json || complain "POWER's sizes are not named"

# A fence of every thread.
for right in '' -DMESSAGE; do
    "$FENCER" verify --model arm,riscv --cflags "$right" --out out --quiet \
        "$SOURCE/tests/e2e/libc/kernel/membarrier.c" 2>log || complain "membarrier $right: $(cat log)"
done
for wrong in -DOWN -DEARLY '-DMESSAGE -DOWN'; do
    "$FENCER" verify --model arm --cflags "$wrong" --out out --quiet \
        "$SOURCE/tests/e2e/libc/kernel/membarrier.c" 2>log
    [ $? -eq 1 ] || complain "membarrier $wrong: $(cat log)"
done

# Without dependencies nothing is said.
"$FENCER" cc -o plain -DMP $relaxed "$shapes"
"$FENCER" verify --model arm ./plain >log 2>&1
code=$?
[ $code -eq 2 ] || complain "without dependencies: exit code $code"
grep -q 'fencer cc --track-deps' log || complain "$(cat log)"

"$FENCER" verify --model arn ./program >log 2>&1
grep -q arm log || complain "arm is not suggested: $(cat log)"
"$FENCER" verify --model all --quiet --json all.json ./program 2>log
grep -q '"model": "arm"' all.json || complain "arm is not among all"
# By that word it is left out where it cannot be had, and named.
"$FENCER" verify --model all --quiet --json all.json ./plain 2>log
! grep -q '"model": "arm"' all.json || complain "arm without dependencies"
grep -q 'executions on ARM: .*fencer cc --track-deps' all.json ||
    complain "ARM is left out without a word"
exit $bad
