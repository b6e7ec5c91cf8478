#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Waits that are left out on C11: where what they read is guarded there are as
# many executions as on SC, and where it is not the race is found, by one worker
# and by two.
set -u
guarded=$SOURCE/tests/e2e/waits/guarded.c
bad=0

# ask CODE FLAGS JOBS
ask() {
    rm -rf guarded-out guarded.json
    "$FENCER" verify --model sc,c11 --jobs "$3" --quiet --out guarded-out \
        --json guarded.json --cflags "$2" "$guarded" >/dev/null 2>log
    code=$?
    [ $code -eq "$1" ] || {
        echo "guarded.c $2 with $3 workers: exit code $code, expected $1"
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
exit $bad
