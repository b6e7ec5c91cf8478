#!/bin/sh
# SPDX-License-Identifier: MIT
#
# advice.sh FOLLOW: whoever does what the first finding says has a program that
# verifies, on the models it failed on: each program of tests/ordinary and
# bench/kernels that fails on a relaxed model.  A check takes some of them, after
# the next commit others; FENCER_LONG=1 takes all of them.  The execution that a
# finding shows is a page at most.
set -u
follow=$1
bad=0
number=0
turn=$(git -C "$SOURCE" rev-list --count HEAD 2>/dev/null || echo 0)
every=24

# ours: is it this program's turn?
ours() {
    number=$((number + 1))
    [ -n "${FENCER_LONG-}" ] || [ $(((number + turn) % every)) -eq 0 ]
}

verify() {
    rm -rf out answer.json
    timeout 60 "$FENCER" verify --no-color --out out --json answer.json \
        --model "$models" --cflags "$1" copy.c >report 2>&1
}

# obey FLAGS PROGRAM MODELS
obey() {
    models=$3
    cp "$2" copy.c
    what="$(basename "$2") $1"
    verify "$1"
    [ $? -eq 1 ] || { echo "$what: it does not fail"; return 1; }
    cp report first
    [ "$(awk '/^ step/ { t = 1 } t && /^$/ { exit } t { n++ }
              END { print n + 0 }' first)" -le 40 ] ||
        { echo "$what: more than a page"; cat first; bad=1; }
    "$follow" answer.json copy.c || { echo "$what: cannot be followed"; return 1; }
    verify "$1" && return 0
    echo "$what: it does not verify with"
    diff "$2" copy.c
    sed -n 1p report
    return 1
}

for program in "$SOURCE"/tests/ordinary/*.c; do
    flags=$(sed -n 's/^ \* *verify\(.*\): *sc no,.*yes.*/\1/p' "$program" |
        head -n 1)
    [ -n "$flags" ] && ours || continue
    # One has 16 bytes in an atomic access, which C11's search has not.
    asked=sc,tso,pso,pslo
    for more in c11 arm; do
        ! grep -q "^ \* verify.*$more" "$program" || asked=$asked,$more
    done
    obey "$flags" "$program" $asked || bad=1
done
for program in "$SOURCE"/bench/kernels/*.c; do
    grep -q '^ \*  *broken: \(tso\|pso\|pslo\)' "$program" && ours || continue
    obey "" "$program" sc,tso,pso,pslo,arm || bad=1
done
# 09a fails on SC; in 11 the orders would have to go into a macro; 19 has sizes
# that C11 and POWER do not have.
for program in "$SOURCE"/bench/kernels/*.c; do
    case ${program##*/} in
    09a* | 11* | 19*) continue ;;
    esac
    ours || continue
    obey "" "$program" sc,tso,arm,riscv,power,c11 || bad=1
done
exit $bad
