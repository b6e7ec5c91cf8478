#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Interrupts, and time limits that come, at every point that a command passes
# (base/point.h): what it says then is not more than what it says undisturbed,
# and what is not finished says so.
#
# Programs that fail on SC, on TSO (one at first sight, one not), on PSO, and not
# at all; some points of each, with FENCER_LONG=1 every one.
set -u
bad=0
here=$SOURCE/tests/e2e/interrupt

# answers JSON: MODEL KEY VALUE, a line each.
answers() {
    awk -F'"' '
        $2 == "findings" { exit }
        $2 == "model" { model = $4 }
        $2 == "sc_violation" || $2 == "property_broken" {
            print model, $2, $4
        }
        $2 == "complete" {
            print model, $2, $3 ~ /true/ ? "yes" : "unknown"
        }' "$1"
}

complain() {
    echo "$command $name, point $point, $what: $*"
    sed -n 1,3p out.txt err.txt
    bad=1
}

# attempt: one disturbed run; looks at code, first line and answers.
attempt() {
    rm -rf out out.json
    FENCER_POINT=$point:$what "$FENCER" $command --jobs 1 --time 1000 --out out \
        --json out.json $program >out.txt 2>err.txt
    code=$?
    [ $code -eq $right -o $code -eq 3 ] || complain "exit code $code"
    [ -s out.json ] || { complain "no JSON"; return; }
    case $code,$(head -n 1 out.txt) in
    3,"not finished:"*) ;;
    3,*) complain "exit code 3 under this line" ;;
    *,"not finished:"*) complain "exit code $code under this line" ;;
    esac
    answers out.json >said
    if [ $code -eq 0 ]; then
        cmp -s said may-say || complain "exit code 0, but other answers"
    fi
    grep -v ' unknown$' said | while read -r line; do
        grep -qx "$line" may-say || echo "$line"
    done >beyond
    [ ! -s beyond ] || complain "says $(cat beyond)"
}

for name in sc tso pso later right; do
    "$FENCER" cc -o $name "$here/$name.c" || exit 1
    for command in run\ --model\ all test verify check; do
        program=./$name
        [ "$command" != check ] || program=$here/$name.c
        rm -rf out
        FENCER_POINT=list "$FENCER" $command --jobs 1 --out out --json out.json \
            $program >out.txt 2>err.txt
        right=$?
        answers out.json >may-say
        points=$(grep -c '^point ' err.txt)
        step=$((points / 4 + 1))
        [ -z "${FENCER_LONG:-}" ] || step=1
        n=1
        while [ $n -le "$points" ]; do
            point=any:$n
            for what in int time; do
                attempt
            done
            n=$((n + step))
        done
        # SC is explored, and no other model.
        if [ "$command" = verify ]; then
            point=verify.explored:1
            what=int
            attempt
        fi
    done
done
exit $bad
