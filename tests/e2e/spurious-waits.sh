#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Waits that end by themselves, in every command; a program that looks again
# gets no execution more: it could have come later.
set -u
bad=0
program=$SOURCE/tests/e2e/programs/spurious.c

# ask CODE EXECUTIONS COMMAND...
ask() {
    code=$1
    executions=$2
    shift 2
    rm -rf out
    "$FENCER" "$@" --out out --quiet --json answer.json "$program" 2>log
    got=$?
    [ $got -eq "$code" ] || { echo "$*: exit code $got, expected $code"; bad=1; }
    [ "$executions" = - ] ||
        grep -q "\"executions\": $executions,*$" answer.json ||
        { echo "$*: other executions than $executions"; cat answer.json; bad=1; }
}

ask 1 - run --runs 500
ask 1 - test --time 3
ask 1 - verify
ask 0 - run --no-spurious --runs 500
ask 0 2 verify --no-spurious --model sc
for command in 'run --runs 500' 'test --time 3' verify; do
    # shellcheck disable=SC2086
    ask 0 - $command --cflags -DFIXED
done
ask 0 1 verify --model sc --cflags -DFIXED
# However many workers there are.
program=$SOURCE/bench/peers/pool.c
for jobs in 1 2; do
    ask 0 20 verify --model sc --cflags -DN=2 --jobs $jobs
done
exit $bad
