#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Programs with objects of the thread library, with calls of the C library, and
# with accesses of different sizes, and with atomic blocks, are explored as
# graphs: the right ones are verified, with as many executions on every model as
# on SC; the wrong ones fail.  What graphs do not have is named.
set -u
bad=0

# ask CODE EXECUTIONS PROGRAM DEFINES: EXECUTIONS on each of four models, or "-".
ask() {
    program=$3
    defines=$4
    rm -rf out
    "$FENCER" verify --model papers --no-symmetry --out out --quiet --log verify --json answer.json \
        --unroll 1000 --cflags "$defines" "$SOURCE/tests/e2e/graphs/$program" 2>log
    code=$?
    [ $code -eq "$1" ] || { echo "$program $defines: exit code $code"; bad=1; }
    ! grep 'not explored as graphs' log || { echo "$program $defines"; bad=1; }
    [ "$2" = - ] && return
    [ "$(grep -c "\"executions\": $2,*$" answer.json)" -eq 4 ] || {
        echo "$program $defines: other executions than $2 on each model:"
        grep executions answer.json
        bad=1
    }
}

ask 0 3 assume.c ""
ask 0 1 locked.c ""
ask 3 0 locked.c -DNEVER
ask 0 8 pool.c -DJOBS=1
ask 0 40 pool.c -DJOBS=2
ask 1 - pool.c "-DJOBS=1 -DBUG"
ask 0 1 objects.c -DSEMAPHORE
ask 1 - objects.c "-DSEMAPHORE -DBUG"
ask 0 - objects.c -DRWLOCK
ask 1 - objects.c "-DRWLOCK -DBUG"
ask 0 - objects.c -DBARRIER
ask 1 - objects.c "-DBARRIER -DBUG"
ask 0 - objects.c -DTRY
ask 3 - unwritten.c ""
grep -q '"property_broken": "no"' answer.json &&
    grep -q 'unwritten.c:42 may read what malloc left' answer.json || {
    echo "unwritten.c: what was not tried is not told:"
    cat answer.json
    bad=1
}
ask 0 - unwritten.c -DFIXED
ask 1 - keyed.c ""
ask 0 - keyed.c -DFIXED
ask 0 - long.c ""
for how in WHILE FOR BREAK EITHER HELPER; do
    ask 0 1 peeled.c -D$how
    ask 1 - peeled.c "-D$how -DBUG"
done
ask 0 13 peeled.c -DCOMPUTED
ask 1 - peeled.c "-DCOMPUTED -DBUG"
ask 1 4096 peeled.c -DLAST
ask 1 91 peeled.c -DCOUNTED
for where in TLS OWN HEAP LIBRARY LENT KEYED; do
    ask 0 56 rewind.c -D$where
done
ask 1 - objects.c "-DTRY -DBUG"
ask 0 5 sizes.c -DTICKET
ask 1 - sizes.c "-DTICKET -DBUG"
ask 0 16 sizes.c -DSTACK
ask 1 - sizes.c "-DSTACK -DBUG"
ask 0 3 sizes.c -DTEAR
ask 1 - sizes.c "-DTEAR -DBUG"
ask 0 6 returned.c ""
ask 1 - returned.c -DBUG
ask 0 2 blocks.c -DDCAS
ask 0 3 blocks.c -DLIST
ask 0 2 blocks.c -DSPIN
ask 0 2 blocks.c -DORDER
ask 0 3 blocks.c -DOWN
ask 0 2 blocks.c -DFAIL
ask 0 100 blocks.c -DINDEX
for what in DCAS LIST SPIN ORDER OWN FAIL INDEX; do
    ask 1 - blocks.c "-D$what -DBUG"
done
ask 0 1 freed.c ""
for what in EARLY LATE OTHER AFTER UNUSED SELF TWICE; do
    ask 1 - freed.c -D$what
done
ask 1 - left.c ""
! grep 'could not be brought about' answer.json || {
    echo "left.c: a wait for who has ended"
    bad=1
}
ask 0 - left.c -DFIXED
ask 1 - joined.c ""
ask 1 - joined.c -DREADS
ask 1 - joined.c -DWAITS=1
ask 1 - joined.c -DWAITS=3
ask 0 - joined.c -DWAITS=4
for what in TIMED TRY; do
    ask 0 2 late-joins.c -D$what
    ask 1 - late-joins.c "-D$what -DBUG"
    ask 1 - late-joins.c "-D$what -DLUCKY"
    ask 0 1 late-joins.c "-D$what -DSTOPS"
done
for n in 60 120 250 480; do # rows of two words, of four, eight and sixteen
    ask 0 1 many.c -DN=$n
    ask 1 - many.c "-DN=$n -DBUG"
done
ask 0 2 library.c -DTEXT
ask 0 4 library.c -DRANDOM
ask 0 12 library.c -DCLOCK
ask 0 - library.c -DTIMED
ask 0 - library.c -DKEYS
ask 0 - library.c -DSORT
ask 0 - library.c -DSELF
ask 0 - library.c -DSCAN
for what in TEXT RANDOM CLOCK TIMED KEYS SORT SELF SCAN; do
    ask 1 - library.c "-D$what -DBUG"
done
echo 2 >count.txt
ask 0 6 files.c ""
ask 1 - files.c -DBUG

# Options of the machines: as graphs, and the same answer step by step.
with() {
    code=$1 defines=$2
    shift 2
    for how in "" --no-dpor; do
        rm -rf out
        # shellcheck disable=SC2086
        "$FENCER" verify --out out --quiet --log verify --model tso $how "$@" \
            --cflags "$defines" "$SOURCE/tests/e2e/graphs/paper.c" >answer 2>log
        got=$?
        [ $got -eq "$code" ] || { echo "paper.c $defines $* $how: exit code $got"; bad=1; }
        [ -n "$how" ] || grep -q 'tso: .* as graphs' log || {
            echo "paper.c $defines $*: not as graphs"
            bad=1
        }
    done
}
with 0 ""
with 1 "" --locks paper
with 1 -DROOM --buffer 2
rm -rf out
"$FENCER" verify --out out --quiet --model tso --buffer 1 --cflags -DROOM \
    "$SOURCE/tests/e2e/graphs/paper.c" || { echo "--buffer 1: it fails"; bad=1; }

# What is left to the other search, by name.
leave() {
    rm -rf out
    "$FENCER" verify --out out --quiet --log verify --model sc --cflags "$2" \
        "$SOURCE/tests/e2e/graphs/$1" 2>log
    code=$?
    [ $code -eq 0 ] && grep -q "not explored as graphs: $3" log || {
        echo "$1 $2: exit code $code, $(grep 'as graphs' log)"
        bad=1
    }
}
leave files.c -DOPEN "a file that is open while there are threads (.*files.c:45)"
leave files.c -DREADS "fopen, called while there are threads (.*files.c:21)"
exit $bad
