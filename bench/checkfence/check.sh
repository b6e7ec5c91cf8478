#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What CheckFence's study must show, on its smallest tests: each program that
# is wrong is caught, its repaired twin is silent, each fence is needed (the last
# of harris with FENCER_LONG=1 only).
set -u
here=$(cd "$(dirname "$0")" && pwd)
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask NAME FLAGS MODELS TESTS...: `verdicts` has a line "T0 relaxed yes" for
# each test and model.  The one place that runs the tool.
ask() {
    what="$1 $2"
    file=$here/$1.c
    flags=$2
    models=$3
    shift 3
    for test; do
        set -- "$@" --test "$test"
        shift
    done
    : >answer.json
    "$FENCER" check --quiet --no-color --time 300 --out findings \
        --cflags "$flags" --model "$models" --json answer.json "$@" "$file" \
        >out 2>&1
    code=$?
    [ $code -le 1 ] || complain "$what: exit code $code: $(cat out)"
    sed -n 's/^ *"\(test\|model\|property_broken\)": "\(.*\)",*$/\1 \2/p' \
        answer.json | awk '
        $1 == "test" { test = substr($0, 6) }
        $1 == "model" { model = $2 }
        $1 == "property_broken" && test { print test, model, $2; test = "" }
        ' >verdicts
}

# expect yes|no MODEL TEST: is it broken?
expect() {
    grep -qxF "$3 $2 $1" verdicts && return
    complain "$what: $3 on $2 is not \"$1\": $(grep -F "$3 $2" verdicts)"
}

# broken NAME FLAGS MODELS TESTS..., silent NAME FLAGS MODELS TESTS...: each
# test on each of the models.
all_are() {
    answer=$1
    each=$(echo "$4" | tr , ' ')
    shift
    ask "$@"
    shift 3
    for test; do
        for model in $each; do
            expect "$answer" "$model" "$test"
        done
    done
}
broken() { all_are yes "$@"; }
silent() { all_are no "$@"; }

every=sc,tso,pso,pslo,relaxed

# Without fences: right on SC and TSO; a node that is not filled when it is found
# on PSO; on PSLO and Relaxed also loads that depend on each other, in any order.
for name in ms2 msn; do
    silent $name '' sc,tso T0 T1
    broken $name '' pso,pslo,relaxed T0 T1
    silent $name -DFENCED $every T0 T1 Ti2 Tpc2
done
silent harris '' sc,tso Sac Sar
broken harris '' pso,pslo,relaxed Sac Sar
silent harris -DFENCED $every Sac Sar
silent lazylist -DFIXED sc,tso Sac Sar
broken lazylist -DFIXED pso,pslo,relaxed Sac Sar
silent lazylist -DFENCED $every Sac Sar
silent snark '' sc,tso '( al | rr )'
broken snark '' pso,pslo,relaxed '( al | rr )'
silent snark -DFENCED $every '( al | rr )' '( ar | al )' Da Dh

# A field that nobody initialises, and a deque that is wrong on SC.
broken lazylist '' sc,relaxed Sac
broken snark '' sc D0
broken snark -DFENCED sc,relaxed D0

# Questions that are dropped while loop bounds may grow: a violation that takes
# the solver long is found all the same, and what passes is proved to the end.
broken snark -DFENCED sc Dq
silent msn -DFENCED sc T54

# without NAME TEST FENCES...: each of these is needed on Relaxed; TEST says so.
without() {
    name=$1
    test=$2
    shift 2
    for fence; do
        broken "$name" "-DFENCED -DWITHOUT=$fence" relaxed "$test"
    done
}
without ms2 T0 1 2
without msn T1 1 2 3 4 5 6 7
without lazylist Sar 1 2
without lazylist Sac 4
without lazylist Saacr 3 5
without harris Sac 1 2
without snark '( al | ar )' 1 4
without snark '( al | rr )' 5
without snark '( ar | rl )' 2
without snark Da 7 8
without snark Db 3 6
without snark Dh 9
[ -z "${FENCER_LONG-}" ] || without harris Saacr 3
exit $bad
