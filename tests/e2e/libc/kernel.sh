#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What programs ask the kernel for: futexes, membarrier, system calls by number,
# pipes between threads.
# Each is asked for in all three ways, right and wrong.
set -u
bad=0
programs=$SOURCE/tests/e2e/libc/kernel

# ask COMMAND CODE PROGRAM DEFINES OPTIONS...
ask() {
    command=$1
    code=$2
    program=$3
    defines=$4
    shift 4
    rm -rf out
    "$FENCER" "$command" --out out --no-color --log verify "$@" \
        --cflags "$defines" "$programs/$program" >report 2>log
    got=$?
    [ $got -eq "$code" ] && return
    echo "$command $* $program $defines: exit code $got, expected $code"
    cat report
    bad=1
}

# graphs CODE PROGRAM DEFINES [EXECUTIONS]: as graphs, as many on each model.
graphs() {
    ask verify "$1" "$2" "$3" --model papers --json answer.json
    ! grep 'not explored as graphs' log || { echo "$2 $3"; bad=1; }
    [ -z "${4-}" ] || [ "$(grep -c "\"executions\": $4,*$" answer.json)" -eq 4 ] || {
        echo "$2 $3: other executions than $4 on each model:"
        grep executions answer.json
        bad=1
    }
}

says() {
    grep -qF -- "$1" report || { echo "the report does not say: $1"; cat report; bad=1; }
}

# all CODE PROGRAM DEFINES
all() {
    graphs "$@"
    [ "$2" = membarrier.c ] || ask verify "$1" "$2" "$3" --no-dpor
    ask run "$1" "$2" "$3" --model sc,tso,pso,pslo --runs 3000
    ask test "$1" "$2" "$3" --time 3
}

all 0 futex-mutex.c ''
graphs 0 futex-mutex.c '' 10
all 1 futex-mutex.c -DLOST
says 'lost wake-up'
all 1 futex-mutex.c -DWRONG
all 1 futex-mutex.c -DRELAXED
all 0 event-count.c ''
all 1 event-count.c -DLOST
says 'lost wake-up'
graphs 0 event-count.c -DTWICE 1836

all 0 membarrier.c ''
all 0 membarrier.c -DMESSAGE
for wrong in -DNONE -DOWN -DEARLY -DUNREGISTERED '-DMESSAGE -DNONE' '-DMESSAGE -DOWN'; do
    all 1 membarrier.c "$wrong"
done

all 1 dead-stack.c ''
says 'on the stack of thread 1, which has ended'
all 0 dead-stack.c -DWAITS
# Monitors know no frees, and so no stack that is gone.
graphs 1 dead-stack.c '-DWAITS -DRELAXED'
ask run 1 dead-stack.c '-DWAITS -DRELAXED' --model pso,pslo --runs 3000

all 1 dead-local.c ''
says 'in a local of submit, which has returned'
graphs 0 dead-local.c -DWAITS
says 'who uses locals of submit after it has returned'
ask verify 0 dead-local.c -DAGAIN --no-dpor --model papers
ask run 0 dead-local.c -DAGAIN --model sc,tso,pso,pslo --runs 3000

for waits in 0 1 2; do
    ask verify 0 pipe-wait.c -DWAITS=$waits --model papers
    ask verify 1 pipe-wait.c "-DWAITS=$waits -DEARLY" --model papers
done
ask verify 3 pipe-wait.c '-DWAITS=1 -DLOST' --model papers
says 'poll() would stop every thread'

# By the name that the program called, whoever else only waits.
for engine in verify run; do
    ask $engine 3 waits-outside.c ''
    says 'pause() would stop every thread'
done

exit $bad
