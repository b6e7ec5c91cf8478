#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh NAME: holds a program to what the head of its source says of it:
#
#   sc: correct | broken          the program as it is; the same for tso, pso
#                                 and pslo
#   fenced: correct | sc FLAG     -DFENCED on every model: silent, or wrong on
#                                 SC already, and silent with FLAG, which leaves
#                                 out what SC breaks
#   without N: MODEL KIND FIRST SECOND, ...
#                                 -DFENCED without fence N: MODEL breaks and the
#                                 stronger ones do not, for a fence of that KIND
#                                 orders FIRST before SECOND; these are comments
#                                 on the lines of the accesses.  MODEL "never":
#                                 needed on no machine of ours
#   with FLAG: MODEL              -DFLAG, without fences: MODEL breaks
#   runs: N                       executions for one answer
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=$1
head=$here/$name.c
sources=$head
if [ -d "$here/$name" ]; then
    head=$here/$name/$name.c
    sources=$(ls "$here/$name"/*.c)
fi
bad=0

# of KEY: what the head says of it.
of() {
    sed -n "s/^ \* *$1: *//p; /^ \*\//q" "$head"
}

complain() {
    echo "$name: $*"
    bad=1
}

# ask MODELS FLAGS: the tool's opinion in `verdicts`, a line for each model,
# "tso broken".  The one place that runs the tool.
runs=$(of runs)
ask() {
    : >answer.json
    # shellcheck disable=SC2086
    "$FENCER" run --no-color --time 60 --strategy random --out findings \
        --runs "${runs:-20000}" --model "$1" --json answer.json --cflags "$2" \
        $sources >out 2>&1
    code=$?
    [ $code -le 1 ] || complain "'$2' ends with exit code $code"
    sed -n 's/^ *"\(model\|property_broken\)": "\(.*\)",*$/\1 \2/p' \
        answer.json | awk '
        $1 == "model" { model = $2 }
        $1 == "property_broken" {
            print model, ($2 == "yes" ? "broken" : "correct")
        }' >verdicts
}

# expect FLAGS MODEL broken|correct
expect() {
    grep -q "^$2 $3\$" verdicts && return
    complain "'$1' on $2: not $3"
    cat out
}

# silent FLAGS: on every model.
silent() {
    ask all "$1"
    for model in sc tso pso pslo; do
        expect "$1" $model correct
    done
}

[ -n "$(of sc)" ] || complain "its head says nothing"
ask all ''
for model in sc tso pso pslo; do
    expect '' $model "$(of $model)"
done

fenced=-DFENCED
case $(of fenced) in
sc*)
    ask sc -DFENCED
    expect -DFENCED sc broken
    fenced="-DFENCED $(of fenced | cut -d ' ' -f 2)"
    ;;
esac
silent "$fenced"

# Every access that a fence is for has its comment.
! sh "$here/pairs.sh" "$name" | grep nowhere || complain "labels are missing"

numbers=$(sed -n 's/^ \* *without \([0-9]*\):.*/\1/p; /^ \*\//q' "$head")
for number in $numbers; do
    model=$(of "without $number" | cut -d ' ' -f 1)
    flags="$fenced -DWITHOUT=$number"
    case $model in
    tso) ask sc,tso "$flags" && expect "$flags" sc correct ;;
    pso) ask tso,pso "$flags" && expect "$flags" tso correct ;;
    pslo) ask pso,pslo "$flags" && expect "$flags" pso correct ;;
    never) continue ;;
    esac
    expect "$flags" "$model" broken
done

flag=$(sed -n 's/^ \* *with \([A-Z]*\):.*/\1/p; /^ \*\//q' "$head")
if [ -n "$flag" ]; then
    model=$(of "with $flag")
    ask "$model" "-D$flag"
    expect "-D$flag" "$model" broken
fi
exit $bad
