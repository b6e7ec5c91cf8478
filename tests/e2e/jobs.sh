#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What `fencer verify` says does not depend on the number of its workers: not
# the counts (but for how much of the program itself had to run, "events"), not
# which execution is shown, not the report.  Parts of the tree
# are given away as often as can be, from the first execution on, so that many
# of them find something before those that come before them.  And one that is
# killed while there are parts goes on with these.  Nor does it depend on what is
# remembered of threads: it may be forgotten at any time, and is when there is no
# room for more.
set -u
bad=0
often=verify.given:4000000000:time

# ask NAME JOBS POINT PROGRAM OPTIONS...
ask() {
    name=$1 jobs=$2 point=$3 program=$4
    shift 4
    rm -f "$name.json"
    FENCER_POINT=$point "$FENCER" verify --out "out-$name" --jobs "$jobs" \
        --log verify --json "$name.json" "$@" "$program" >"$name.txt" 2>"$name.log"
    code=$?
    sed -e '/"seconds"/d' -e '/"events"/d' -e 's/out-[a-z0-9]*//g' "$name.json" >"$name.answer"
    sed -e 's/out-[a-z0-9]*//g' -e 's/[0-9.]* s\b//' "$name.txt" >>"$name.answer"
    echo "exit code $code" >>"$name.answer"
}

# same NAME: as one worker has it.
same() {
    cmp -s one.answer "$1.answer" && return
    echo "$title: $1"
    diff one.answer "$1.answer" | head -n 20
    bad=1
}

# shared WORKERS SOURCE FLAGS OPTIONS...
shared() {
    workers=$1
    title="$2 $3"
    source=$SOURCE/$2
    # shellcheck disable=SC2086
    "$FENCER" cc -g -w $3 -o prog "$source" -lpthread || exit 1
    shift 3
    rm -rf out-*
    ask one 1 '' ./prog "$@"
    ask forgets 1 verify.forgets:4000000000:time ./prog "$@"
    same forgets
    for jobs in $workers; do
        ask some$jobs $jobs $often ./prog "$@"
        given=$((given + $(grep -c 'for another worker' some$jobs.log)))
        same some$jobs
    done
}

# check SOURCE FLAGS OPTIONS...
check() {
    shared '2 3' "$@"
    shift 2
    ask again 2 verify.given:3:kill ./prog "$@"
    [ $code -ne 137 ] || ask again 2 '' ./prog "$@"
    same again
}

given=0
peers=bench/peers
check tests/e2e/jobs/chooses.c '' --no-symmetry --model sc,pso
check $peers/incr.c -DN=4 --no-symmetry --model sc,tso --races
check $peers/sigma.c '-DN=3 -DEXACT' --no-symmetry --model sc
check $peers/peterson.c '-DN=2' --model sc,tso,pslo
check $peers/peterson.c '-DN=3 -DFENCED' --no-symmetry --model sc
check $peers/pool.c '-DN=2 -DHASTY' --model sc
check $peers/ms_queue.c '-DN=2' --model sc,c11
shared 2 tests/e2e/jobs/seldom.c '' --model c11
grep -q 'as one worker has it' some2.log ||
    echo "$title: nobody learnt it" # the machine is busy: no test

# More than a million different ways of a thread: it reads one of 161 values, and
# up to three others.
"$FENCER" cc -g -w -DN=80 -DFENCED -o prog "$SOURCE/$peers/seqlock.c" -lpthread ||
    exit 1
"$FENCER" verify --model sc --no-spurious --out out-ways ./prog >ways.txt 2>&1
grep -q 'every execution explored' ways.txt || { cat ways.txt; bad=1; }

[ $given -gt 20 ] || { echo "only $given parts were given away"; bad=1; }
exit $bad
