#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh WHAT BIN [--bless]: what C becomes in the load-store language.
#
#   dumps    dumps/NAME.c becomes dumps/NAME.lsl; --bless renews these
#   refused  each case of refused.txt is refused in its words
#   values   programs of values/ compute what the machine computes
#   random   so do programs that random.c writes, $FENCER_RANDOM of them
#   litmus   some of tests/litmus: all numbers lead somewhere
set -eu
here=$(cd "$(dirname "$0")" && pwd)
what=$1
bin=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

say() {
    echo "$1"
    bad=1
}

dumps() {
    cd "$here/dumps"
    for source in *.c; do
        golden=${source%.c}.lsl
        "$bin/lsl_dump" "$source" >"$work/out" || say "$source: exit code $?"
        if [ "${1-}" = --bless ]; then
            cp "$work/out" "$golden"
        else
            diff -u "$golden" "$work/out" || say "$source: another dump"
        fi
    done
}

# Writes the cases to 1.c, 2.c, ... and what is expected to 1.out, 2.out, ...
split_cases() {
    awk -v dir="$work" '
        /^== / { file = dir "/" ++n ".c"; want = dir "/" n ".out"; next }
        /^=> / && file {
            sub(/^=> /, "")
            if (/^[0-9]/) $0 = "case.c:" $0
            print > want; close(want); close(file); file = ""; next
        }
        file { print > file }' "$here/refused.txt"
}

refused() {
    split_cases
    cd "$work"
    n=1
    while [ -e $n.c ]; do
        code=0
        mv $n.c case.c
        "$bin/lsl_dump" --quiet case.c >said || code=$?
        # 2 for a file that is not even wrong
        grep -q '^case.c:' $n.out && want=3 || want=2
        [ $code = $want ] || say "case $n, $(cat $n.out): exit code $code"
        diff $n.out said || say "case $n: other words"
        n=$((n + 1))
    done
    [ $n -gt 20 ] || say "only $n cases"
}

# The same values by the machine and by the load-store language?
compare() {
    clang-19 -w -O1 -mcx16 "$1" -o "$work/program" -lpthread
    "$work/program" >"$work/expected"
    "$bin/lsl_run" "$1" >"$work/seen" || say "$2: exit code $?"
    diff "$work/expected" "$work/seen" || say "$2: other values"
    [ -s "$work/expected" ] || say "$2: no values"
}

values() {
    for source in "$here"/values/*.c; do
        compare "$source" "$(basename "$source")"
    done
}

random() {
    cp "$here/values/see.h" "$work"
    seed=0
    while [ $seed -lt "${FENCER_RANDOM-6}" ]; do
        seed=$((seed + 1))
        "$bin/lsl_random" $seed >"$work/random.c"
        compare "$work/random.c" "seed $seed"
    done
}

litmus() {
    set -- "$here"/../../litmus/*.c
    while [ $# -gt 16 ]; do
        shift 16
        "$bin/lsl_dump" --quiet "$1" || say "$1: exit code $?"
    done
}

case $what in
dumps | refused | values | random | litmus) "$what" "${3-}" ;;
*) say "$what: no such test" ;;
esac
exit $bad
