#!/bin/sh
# SPDX-License-Identifier: MIT
#
# POWER by verify, run and test: shapes whose verdicts are known, on both sides,
# and beside ARM where the two differ; load buffering; hanging; freed memory;
# equal threads.
set -u
bad=0

complain() {
    echo "$*"
    bad=1
}

# build FILE SHAPE ORDERS
build() {
    shape="$2 $3"
    # shellcheck disable=SC2086
    "$FENCER" cc --track-deps -o program -D"$2" $3 "$SOURCE/tests/e2e/$1/shapes.c" 2>log ||
        complain "$shape: $(cat log)"
}

# ask CODE OPTIONS: of the program that was built.
ask() {
    code=$1
    shift
    rm -rf out
    "$FENCER" "$@" --out out --json answer.json ./program >report 2>log
    got=$?
    [ $got -eq "$code" ] || complain "$shape: $*: exit code $got, expected $code: $(cat log)"
}

handed="-DST=memory_order_release -DLD=memory_order_acquire"
strong="-DST=memory_order_seq_cst -DLD=memory_order_seq_cst"

# Stores reach one thread after the other.
build power IRIW "$handed"
ask 1 verify --model machines
head -n 1 report | grep -q '^fails on POWER; right on x86, ARM and RISC-V$' ||
    complain "not told so: $(head -n 1 report)"
ask 1 run --model power --runs 3000
ask 1 test --model power
build power IRIW "$strong"
ask 0 verify --model power
head -n 1 report | grep -q '^verified for POWER' || complain "$(head -n 1 report)"
ask 0 run --model power --runs 1000
build power WRC "-DST=memory_order_relaxed -DLD=memory_order_acquire"
ask 1 verify --model power
ask 0 verify --model arm,riscv
build power WRC "$handed"
ask 0 verify --model power

build power DETOUR ""
ask 0 verify --model power

build arm MP "-DST=memory_order_relaxed -DLD=memory_order_acquire"
ask 1 verify --model power
build arm MP "$handed"
ask 0 verify --model power
build arm SB "$handed"
ask 1 verify --model power
build arm SB "$strong"
ask 0 verify --model power
build arm S "-DVALUE=2"
ask 1 verify --model power
build arm S "-DVALUE=(v?2:3)"
ask 0 verify --model power
build arm LOCKED ""
ask 0 verify --model power

# Loads that are late, and nothing out of thin air.
build arm LB "-DST=memory_order_relaxed -DLD=memory_order_relaxed"
ask 1 verify --model power
build arm LB "$handed"
ask 0 verify --model power
build arm LB_DATA "-DST=memory_order_relaxed -DLD=memory_order_relaxed"
ask 0 verify --model power
build arm LB_CAS ""
ask 1 verify --model power
ask 1 verify --model arm
ask 1 verify --model riscv
build arm LB_CAS "-DST=memory_order_release"
ask 0 verify --model arm,riscv,power
build arm LB_MANY ""
ask 3 verify --model power
grep -q 'on POWER the store .* may take effect before the load' answer.json ||
    complain "load buffering is not named"

build power HANG "$handed"
ask 1 verify --model power
build power HANG "$strong"
ask 0 verify --model power

build power HANDED ""
ask 1 verify --model power
build power HANDED "-DST=memory_order_release"
ask 0 verify --model power
build power LAST ""
ask 0 verify --model power

# All executions of equal threads, whatever they are called.
build power TWINS ""
for model in arm power; do
    "$FENCER" verify --model $model --jobs 1 --json one.json --out out ./program >report 2>&1
    "$FENCER" verify --model $model --jobs 1 --no-symmetry --json other.json --out out ./program >report 2>&1
    [ "$(grep '"executions"' one.json)" = "$(grep '"executions"' other.json)" ] ||
        complain "$model: not all executions of equal threads"
done

"$FENCER" cc -o plain -DIRIW "$SOURCE/tests/e2e/power/shapes.c"
"$FENCER" verify --model power ./plain >log 2>&1
[ $? -eq 2 ] || complain "a program without dependencies is not refused"
exit $bad
