#!/bin/sh
# SPDX-License-Identifier: MIT
#
# formula.sh: the specification in the formula gives the verdicts that the
# mined one gives, on a queue with and without its fences; and a test that is
# too large to be mined is passed, or not, by its fences.
set -eu
queue=$SOURCE/bench/checkfence/ms2.c

# verdicts FLAG TEST OPTIONS...: "pass pass fail ..."
verdicts() {
    how=$1
    test=$2
    shift 2
    "$FENCER" check $how --quiet --json v.json --test "$test" \
        --model papers,relaxed "$@" "$queue" ||
        [ $? = 1 ]
    sed -n '/^  "tests"/,$s/.*"property_broken": "\([a-z]*\)".*/\1/p' v.json |
        tr '\n' ' '
}

for cflags in -DFENCED -DPLAIN; do
    for test in T0 Tpc2 Tpc3 Ti2; do
        mined=$(verdicts "" $test --cflags $cflags)
        formula=$(verdicts --in-formula $test --cflags $cflags)
        if [ "$mined" != "$formula" ]; then
            echo "$test $cflags: mined $mined, in the formula $formula"
            exit 1
        fi
        echo "$test $cflags: $mined"
    done
done

large='( eeeeeeeee | ddddddddd )'
[ "$(verdicts '' "$large" --cflags -DFENCED --model sc,relaxed)" = 'no no ' ]
grep -q '"specification": "formula"' v.json
[ "$(verdicts '' "$large" --model sc,relaxed)" = 'no yes ' ]
