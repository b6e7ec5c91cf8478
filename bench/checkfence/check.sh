#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What CheckFence's study must show, on its smallest tests: each program that
# is wrong is caught, its repaired twin is silent, each of msn's seven fences
# is needed.  With FENCER_LONG=1 each fence of every program, and the tests of
# about a minute.
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
    models=$(echo "$4" | tr , ' ')
    shift
    ask "$@"
    shift 3
    for test; do
        for model in $models; do
            expect "$answer" "$model" "$test"
        done
    done
}
broken() { all_are yes "$@"; }
silent() { all_are no "$@"; }

every=sc,tso,pso,pslo,relaxed

# Without fences: right on SC and TSO, a node that is not filled on PSO, and
# loads that depend on each other on PSLO and Relaxed.
for name in ms2 msn; do
    silent $name '' sc,tso T0
    broken $name '' pso,pslo,relaxed T0
    silent $name -DFENCED $every T0
    # Each failure has its own cause.
    broken $name '-DFENCED -DWITHOUT=1' pso,pslo,relaxed T0
done
broken ms2 '-DFENCED -DWITHOUT=2' relaxed T0

# A field that nobody initialises.
broken lazylist '' sc Sac
silent lazylist -DFIXED sc,tso Sac Sar
broken lazylist -DFIXED pso,relaxed Sac
silent lazylist -DFENCED $every Sac Sar
silent harris '' sc,tso Sac
broken harris '' pso,relaxed Sac
silent harris -DFENCED $every Sac
for name in lazylist harris; do
    broken $name '-DFENCED -DWITHOUT=1' pso,relaxed Sac
    broken $name '-DFENCED -DWITHOUT=2' relaxed Sar
done
broken lazylist '-DFENCED -DWITHOUT=3' relaxed Sac

# Snark is wrong on SC.
broken snark '' sc D0
silent snark '' sc,tso '( al | rr )'
broken snark '' pso,relaxed '( al | rr )'
silent snark -DFENCED $every '( al | rr )'

# Which test needs it is what the line says.
broken msn '-DFENCED -DWITHOUT=2' relaxed '( e | e )'
broken msn '-DFENCED -DWITHOUT=3' relaxed '( e | e )'
broken msn '-DFENCED -DWITHOUT=4' relaxed '( e | d )'
broken msn '-DFENCED -DWITHOUT=5' relaxed '( e | d )'
broken msn '-DFENCED -DWITHOUT=6' relaxed '( e | d )'
broken msn '-DFENCED -DWITHOUT=7' relaxed '( e | d )'
exit $bad
