#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Rounds that store what the next one stores again: rounds.c, where nobody sees
# it and where somebody does; and random programs, rounds.py.
set -u
bad=0

# ask CODE MODELS FLAGS JOBS: also prints the numbers of executions.
ask() {
    rm -rf rounds-out rounds.json
    "$FENCER" verify --model "$2" --jobs "$4" --no-symmetry --quiet --out \
        rounds-out --json rounds.json --cflags "$3" \
        "$SOURCE/tests/e2e/rounds.c" >/dev/null 2>log
    code=$?
    grep '"executions"' rounds.json
    [ $code -eq "$1" ] || echo "$2 $3, $4 workers: exit code $code" >&2
    [ $code -eq "$1" ]
}

assumed=$(ask 0 sc,tso,pso,pslo,c11 -DASSUME 1) || bad=1
for jobs in 1 2; do
    all=$(ask 0 sc,tso,pso,pslo,c11 "" $jobs) || bad=1
    [ "$all" = "$assumed" ] || {
        echo "with $jobs workers:" $all "; assumed:" $assumed
        bad=1
    }
    ask 1 sc -DWATCHED $jobs >/dev/null || bad=1
    ask 1 pso -DRELAXED $jobs >/dev/null || bad=1
    ask 1 c11 -DRELAXED $jobs >/dev/null || bad=1
done
ask 0 tso -DRELAXED 1 >/dev/null || bad=1

# retries CODE FLAGS: a CAS that is tried again, retries.c.
retries() {
    rm -rf rounds-out
    "$FENCER" verify --model sc,pslo,c11 --no-spurious --out rounds-out --json \
        retries.json --cflags "$2" "$SOURCE/tests/e2e/retries.c" >/dev/null 2>&1
    code=$?
    [ $code -eq "$1" ] && return
    echo "retries.c $2: exit code $code"
    bad=1
}

retries 0 ""
[ "$(grep -c '"executions": 3,' retries.json)" -eq 3 ] || {
    echo "retries.c: a CAS that fails is an execution of its own"
    bad=1
}
retries 1 -DSTRONG
if [ -n "${FENCER_LONG:-}" ]; then
    python3 "$SOURCE/tests/e2e/rounds.py" 1 100 || bad=1
else
    python3 "$SOURCE/tests/e2e/rounds.py" 1 6 sc pso || bad=1
fi
exit $bad
