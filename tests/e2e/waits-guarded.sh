#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Waits that are left out on C11: where what they read is guarded there are as
# many executions as on SC, and where it is not the race is found, by one worker
# and by two.  Then waits that must not be left out, on any model.
set -u
guarded=$SOURCE/tests/e2e/waits/guarded.c
rounds=$SOURCE/tests/e2e/waits/rounds.c
polled=$SOURCE/tests/e2e/waits/polled.c
bad=0

# ask CODE FLAGS JOBS [FILE [OPTIONS]]
ask() {
    wanted=$1 flags=$2 jobs=$3 file=${4-$guarded}
    shift $(($# < 4 ? $# : 4))
    rm -rf guarded-out guarded.json
    "$FENCER" verify --model sc,c11 --jobs "$jobs" --quiet --out guarded-out \
        --json guarded.json --cflags "$flags" "$@" "$file" >/dev/null 2>log
    code=$?
    [ $code -eq "$wanted" ] || {
        echo "$file $flags, $jobs workers: exit code $code, expected $wanted"
        bad=1
    }
}

for jobs in 1 2; do
    ask 0 "" $jobs
    [ "$(grep -c '"executions": 2,' guarded.json)" -eq 2 ] || {
        echo "with $jobs workers: $(grep '"executions"' guarded.json)"
        bad=1
    }
    ask 1 -DRACY $jobs
    grep -q 'data race: .* ready' guarded.json || {
        echo "no race with $jobs workers"
        bad=1
    }
done

ask 0 "" 1 "$rounds"
for flag in -DCROWD -DAFTER -DBEFORE; do
    ask 1 $flag 1 "$rounds"
done

# Looks under a mutex, likewise; of rounds that stay five are looked at.
ask 0 "" 1 "$polled"
[ "$(grep -c '"executions": 1,' guarded.json)" -eq 2 ] || {
    echo "polled.c: $(grep '"executions"' guarded.json)"
    bad=1
}
for flag in -DCOUNTS -DTAKEN -DPEEKS; do
    ask 1 $flag 1 "$polled" --unroll 5
done
ask 3 -DNEVER 1 "$polled"
exit $bad
