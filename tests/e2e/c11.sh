#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What C11 itself allows: shapes whose verdicts are known, data races and their
# repaired twins, numbers of executions that GenMC publishes, and what the other
# commands say to this model.
set -u
here=$SOURCE/tests/e2e/c11
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask CODE EXECUTIONS CLASSES PROGRAM DEFINES: CLASSES of the findings, each
# once, or "-" if there are none; EXECUTIONS on c11, or "-" if any.
ask() {
    rm -rf out answer.json
    "$FENCER" verify --no-symmetry --model c11 --out out --quiet --json answer.json \
        --cflags "$5" "$here/$4" 2>log
    code=$?
    [ $code -eq "$1" ] || complain "$4 $5: exit code $code, expected $1"
    classes=$(sed -n 's/^ *"class": "\(.*\)",$/\1/p' answer.json | sort -u |
        paste -s -d ' ')
    : "${classes:=-}"
    [ "$classes" = "$3" ] || complain "$4 $5: findings '$classes', not '$3'"
    [ "$2" = - ] || grep -q "\"executions\": $2,*$" answer.json ||
        complain "$4 $5: $(grep '"executions"' answer.json), expected $2"
    ! grep -q '"replay": "' answer.json || complain "$4 $5: it can be replayed"
}

relaxed="-DST=memory_order_relaxed -DLD=memory_order_relaxed"
handed="-DST=memory_order_release -DLD=memory_order_acquire"
strong="-DST=memory_order_seq_cst -DLD=memory_order_seq_cst"

ask 1 - harmful shapes.c "-DMP $relaxed"
ask 1 - harmful shapes.c "-DMP -DST=memory_order_release"
ask 1 - harmful shapes.c "-DMP -DLD=memory_order_acquire"
ask 0 3 - shapes.c "-DMP $handed"
ask 0 3 - shapes.c "-DMP -DFENCES $handed"
ask 1 - harmful shapes.c "-DSB $relaxed"
ask 1 - harmful shapes.c "-DSB $handed"
ask 0 3 - shapes.c "-DSB $strong"
ask 0 3 - shapes.c "-DSB -DFENCES $strong"
ask 1 - harmful shapes.c "-DIRIW $handed"
ask 0 15 - shapes.c "-DIRIW $strong"
ask 0 15 - shapes.c "-DIRIW -DFENCES $strong"
ask 0 3 - shapes.c "-DLB $relaxed"
ask 1 - harmful shapes.c "-DWW $relaxed"
ask 1 - harmful shapes.c "-DWW $handed"
ask 0 3 - shapes.c "-DWW $strong"
ask 0 - - shapes.c "-DSEQUENCE $handed"
ask 1 - harmful shapes.c "-DSEQUENCE -DBREAK $handed"
ask 1 - harmful shapes.c "-DSEQUENCE $relaxed"
ask 0 4 benign shapes.c "-DSB -DCOUNT $relaxed"
ask 0 4 benign shapes.c "-DWW -DCOUNT $relaxed"
ask 0 16 benign shapes.c "-DIRIW -DCOUNT $handed"

# What C11 does not have: accesses of different sizes, and of 16 bytes.
for what in TICKET STACK TEAR; do
    ask 3 - - ../graphs/sizes.c -D$what
    grep -q 'accesses of different sizes\|an access of 16 bytes' answer.json ||
        complain "$what: refused otherwise"
done

ask 1 - race races.c -DNOTHING
ask 1 - race races.c -DVOLATILE
ask 0 - - races.c -DATOMIC
ask 0 - - races.c -DRELAXED_ATOMIC
ask 0 2 - races.c -DMUTEX
ask 1 - race races.c "-DMUTEX -DBUG"
ask 0 1 - races.c -DSEMAPHORE
ask 1 - race races.c "-DSEMAPHORE -DBUG"
ask 0 2 - races.c -DSPIN
ask 1 - race races.c "-DSPIN -DBUG"
ask 0 - - races.c -DONCE
ask 1 - race races.c "-DONCE -DBUG"
ask 0 - - races.c -DSPINS
ask 1 - race races.c "-DSPINS -DBUG"
ask 0 2 - refcount.c ""
ask 1 - race refcount.c -DORDER=memory_order_release
ask 1 - race refcount.c -DORDER=memory_order_relaxed
ask 0 - - wakeup.c ""
ask 1 - harmful wakeup.c "-DSTORE=memory_order_release -DLOAD=memory_order_acquire"
grep -q 'lost wake-up' answer.json || complain "wakeup.c: no lost wake-up"
ask 0 - - seqlock.c ""
ask 1 - harmful seqlock.c -DBUG

# GenMC's numbers, on its own programs; what is volatile here is atomic there.
here=$SOURCE/bench/peers
atomic=-Dvolatile=_Atomic
ask 0 256 - readers.c "-DN=8 $atomic"
ask 0 14 - casrot.c -DN=4
ask 0 144 - casrot.c -DN=6
ask 0 120 - ainc.c -DN=5
ask 0 64 - lastzero.c "-DN=5 $atomic"
ask 0 576 - incr.c "-DN=4 $atomic"
ask 0 81 - wcas.c -DN=5
here=$SOURCE/tests/e2e/c11

# Who asks for SC's races has C11 all the same.
"$FENCER" verify --model c11 --races --out out --quiet "$here/shapes.c" \
    --cflags "-DSB $strong" || complain "--races: exit code $?"

# Other commands have no such model, and say so in one line.
for command in run test check; do
    "$FENCER" $command --model c11 "$here/seqlock.c" >out.txt 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <out.txt)" -eq 1 ] &&
        grep -q 'for fencer verify only' out.txt ||
        complain "$command: $(cat out.txt)"
done
exit $bad
