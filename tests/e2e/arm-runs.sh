#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `fencer run` and `fencer test` on models without a machine: executions by
# chance as graphs.  What ARM breaks is found and told, its repaired twin is
# silent, and a program without its dependencies is refused.
set -u
shapes=$SOURCE/tests/e2e/verdict/shapes.c
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask CODE DEFINES COMMAND OPTIONS...
ask() {
    wanted=$1 defines=$2
    shift 2
    rm -rf out
    "$FENCER" "$@" --out out --json answer.json --cflags "$defines" "$shapes" >report 2>log
    code=$?
    [ $code -eq "$wanted" ] || complain "$* $defines: exit code $code: $(cat log)"
}

relaxed=memory_order_relaxed
for command in "run --runs 2000" test; do
    for model in arm riscv c11; do
        # shellcheck disable=SC2086
        ask 1 "-DMP -DLD=$relaxed" $command --model $model
        grep -q 'memory_order_relaxed -> memory_order_acquire' report ||
            complain "$command $model: no cure"
        # shellcheck disable=SC2086
        ask 0 -DMP $command --model $model
    done
    # shellcheck disable=SC2086
    ask 0 "-DADDRESS -DLD=$relaxed" $command --model arm,riscv
    # shellcheck disable=SC2086
    ask 1 "-DADDRESS -DLD=$relaxed" $command --model c11
done
ask 1 "-DMP -DLD=$relaxed" test --model tso,arm,c11
head -n 1 report | grep -q ', on ARM$' || complain "not told under ARM: $(head -n 1 report)"
[ "$(grep -c '"class": "harmful"' answer.json)" -eq 1 ] || complain "told more than once"
ask 0 -DMP test --model tso,arm,c11
grep -q '^ARM  *[0-9]' report || complain "no row of ARM: $(cat report)"
for mapping in lse llsc both; do
    ask 1 "-DMP -DST=$relaxed" run --model arm --arm $mapping
done

# Accesses of different sizes are drawn by descents.
shapes=$SOURCE/tests/e2e/graphs/sizes.c
for what in -DTICKET -DTEAR; do
    ask 0 $what run --model arm,riscv --runs 300
    ask 1 "$what -DBUG" run --model riscv
done
shapes=$SOURCE/tests/e2e/arm/halves.c
ask 1 "-DST=$relaxed" test
head -n 1 report | grep -q ', on ARM$' || complain "halves, not told under ARM: $(head -n 1 report)"
ask 0 -DST=memory_order_release test
grep -q '^ARM  *[0-9]' report || complain "halves, no row of ARM: $(cat report)"
shapes=$SOURCE/tests/e2e/verdict/shapes.c

"$FENCER" cc -DMP -o program "$shapes" || complain "it cannot be built"
for command in run test; do
    "$FENCER" $command --model arm --out out ./program >report 2>&1
    [ $? -eq 2 ] || complain "$command: a program without dependencies is not refused"
    grep -q 'track-deps' report || complain "$command: $(cat report)"
done
exit $bad
