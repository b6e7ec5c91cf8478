#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What C11 itself allows: shapes whose verdicts are known, data races and their
# repaired twins, numbers of executions that GenMC publishes; the same drawn at
# random; and what the other commands say to this model.
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

# Fences that change nothing are left out, but not where they are all there is.
ask 0 3 - fences.c ""
ask 0 3 - fences.c -DWEAK
ask 0 3 - fences.c -DPLAIN
ask 0 3 - fences.c "-DPLAIN -DWEAK"
ask 0 3 - fences.c -DNONE
ask 1 - harmful fences.c "-DWEAK -DNONE"
ask 1 4 harmful fences.c "-DPLAIN -DWEAK -DNONE"

# What C11 does not have: accesses of different sizes, and of 16 bytes.
for what in TICKET STACK TEAR; do
    ask 3 - - ../graphs/sizes.c -D$what
    grep -q 'accesses of different sizes\|an access of 16 bytes' answer.json ||
        complain "$what: refused otherwise"
done

# Plain ones are as many accesses as they have pieces.
ask 0 2 - copies.c -DLOCKED
ask 1 - race copies.c ""

ask 1 - race races.c -DNOTHING
ask 0 - - races.c -DVOLATILE
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

# Drawn at random instead: draw CODE CLASSES PROGRAM DEFINES OPTION...
draw() {
    expected=$1 wanted=$2 program=$3 defines=$4
    shift 4
    rm -rf out answer.json
    "$FENCER" run --model c11 --out out --quiet --json answer.json "$@" \
        --cflags "$defines" "$here/$program" 2>log
    code=$?
    [ $code -eq "$expected" ] ||
        complain "run $program $defines $*: exit code $code: $(cat log)"
    classes=$(sed -n 's/^ *"class": "\(.*\)",$/\1/p' answer.json | sort -u |
        paste -s -d ' ')
    [ "${classes:--}" = "$wanted" ] ||
        complain "run $program $defines $*: findings '$classes', not '$wanted'"
    ! grep -q '"replay": "' answer.json ||
        complain "run $program $defines: it can be replayed"
}

for strategy in descent forward depth mixed; do
    draw 1 harmful shapes.c "-DMP $relaxed" --strategy $strategy
    draw 0 - shapes.c "-DMP $handed" --strategy $strategy
    draw 1 harmful shapes.c "-DSB $handed" --strategy $strategy
    draw 0 - shapes.c "-DSB $strong" --strategy $strategy
    draw 0 - shapes.c "-DLB $relaxed" --strategy $strategy
    draw 1 race races.c -DNOTHING --strategy $strategy
    draw 1 race races.c "-DSPINS -DBUG" --strategy $strategy
    draw 0 - races.c -DSPINS --strategy $strategy
    draw 1 race races.c "-DMUTEX -DBUG" --strategy $strategy
    draw 0 - races.c -DMUTEX --strategy $strategy
done
draw 1 race refcount.c -DORDER=memory_order_release
draw 0 - refcount.c ""
draw 1 harmful wakeup.c "-DSTORE=memory_order_release -DLOAD=memory_order_acquire"
draw 0 - wakeup.c ""
draw 1 harmful seqlock.c -DBUG
draw 0 - seqlock.c ""

# C11 alone breaks it: no machine of ours lets two readers disagree.
draw 1 harmful shapes.c "-DIRIW $handed" --keep-going
grep -v '"seconds"' answer.json >first.json
for model in sc tso pso pslo; do
    "$FENCER" run --model $model --out out --quiet --cflags "-DIRIW $handed" \
        "$here/shapes.c" || complain "IRIW on $model: exit code $?"
done

# Same seed, same bytes; another seed, other executions.
draw 1 harmful shapes.c "-DIRIW $handed" --keep-going
grep -v '"seconds"' answer.json | cmp - first.json ||
    complain "another answer from the same seed"
draw 1 harmful shapes.c "-DIRIW $handed" --keep-going --seed 2
! grep -v '"seconds"' answer.json | cmp -s - first.json ||
    complain "the seed does nothing"

# Each race is told once, and what follows one is not told.
draw 1 race races.c -DNOTHING --keep-going --runs 500
[ "$(grep -c '"class": "race"' answer.json)" -eq 3 ] ||
    complain "run races.c: $(grep -c '"class": "race"' answer.json) races"
"$FENCER" report --no-color out >out.txt
[ "$(grep -c '^data race: ' out.txt)" -eq 3 ] ||
    complain "report: $(cat out.txt)"

# What C11 does not have.
draw 3 - ../graphs/sizes.c -DSTACK
grep -q 'an access of 16 bytes' answer.json || complain "refused otherwise"

# All models: machines by their strategy, C11 by its own; what only machines have
# leaves it out, and says so.
all() {
    rm -rf out
    "$FENCER" run --model all --out out --json answer.json --runs 100 "$@" \
        --cflags "-DSB $strong" "$here/shapes.c" >out.txt 2>&1 ||
        complain "run --model all $*: exit code $?: $(cat out.txt)"
}
all
grep -q 'PSLO (random, seed 1)' out.txt && grep -q 'C11 (mixed, seed 1)' out.txt ||
    complain "run --model all: $(cat out.txt)"
for option in '--strategy pct' '--buffer 2' '--deps'; do
    all $option
    grep -q '"model": "pslo"' answer.json && ! grep -q '"model": "c11"' answer.json &&
        grep -q 'executions on C11: ' answer.json ||
        complain "run --model all $option: $(cat out.txt)"
done

# Usage that makes no sense is one line.
refuse() {
    "$FENCER" "$@" "$here/seqlock.c" >out.txt 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <out.txt)" -eq 1 ] || complain "$*: $(cat out.txt)"
}
for strategy in random pct pos rr every; do
    refuse run --model c11 --strategy $strategy
    refuse run --model sc,c11 --strategy $strategy
    grep -q "strategy $strategy needs a machine, and C11 has none" out.txt ||
        complain "$strategy: $(cat out.txt)"
done
for option in '--locks paper' '--cas bufferable' --deps '--buffer 2' \
    '--max-events 9' --by-process; do
    refuse run --model c11 $option
    grep -q -e "--model c11 has no ${option%% *}" out.txt ||
        complain "$option: $(cat out.txt)"
done
"$FENCER" check --no-color --model c11 "$here/seqlock.c" >out.txt 2>&1 ||
    complain "check: $(cat out.txt)"
exit $bad
