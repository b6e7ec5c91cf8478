#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Waits that are left out on C11: where what they read is guarded there are as
# many executions as on SC, and where it is not the race is found, by one worker
# and by two.  Then waits that must not be left out, on any model.
set -u
guarded=$SOURCE/tests/e2e/waits/guarded.c
rounds=$SOURCE/tests/e2e/waits/rounds.c
bad=0

# ask CODE FLAGS JOBS [FILE]
ask() {
    rm -rf guarded-out guarded.json
    "$FENCER" verify --model sc,c11 --jobs "$3" --quiet --out guarded-out \
        --json guarded.json --cflags "$2" "${4-$guarded}" >/dev/null 2>log
    code=$?
    [ $code -eq "$1" ] || {
        echo "${4-$guarded} $2, $3 workers: exit code $code, expected $1"
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
exit $bad
