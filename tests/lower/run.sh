#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh WHAT BIN [--bless]: what C becomes in the load-store language.
#
#   dumps    dumps/NAME.c becomes dumps/NAME.lsl; --bless renews these
#   refused  each case of refused.txt is refused in its words
#   values   programs of values/ compute what the machine computes
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
        [ $code = 3 ] || say "case $n, $(cat $n.out): exit code $code"
        diff $n.out said || say "case $n: other words"
        n=$((n + 1))
    done
    [ $n -gt 20 ] || say "only $n cases"
}

values() {
    for source in "$here"/values/*.c; do
        name=$(basename "$source" .c)
        clang-19 -w -O1 "$source" -o "$work/$name" -lpthread
        "$work/$name" >"$work/expected"
        "$bin/lsl_run" "$source" >"$work/seen" || say "$name: exit code $?"
        diff "$work/expected" "$work/seen" || say "$name: other values"
        [ -s "$work/expected" ] || say "$name: no values"
    done
}

litmus() {
    set -- "$here"/../litmus/*.c
    while [ $# -gt 16 ]; do
        shift 16
        "$bin/lsl_dump" --quiet "$1" || say "$1: exit code $?"
    done
}

case $what in
dumps | refused | values | litmus) "$what" "${3-}" ;;
*) say "$what: no such test" ;;
esac
exit $bad
