#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh [PROGRAM...]: holds the programs of this folder to what
# the file `table` says of them, in one line each:
#
#   PROGRAM FLAGS TRACES SC TSO PSO PSLO WHEN SOURCE...
#
#   FLAGS     without -D, commas between them
#   TRACES    complete executions on SC, each trace once; those that end at a
#             fencer_assume do not count, nor do any on other models
#   SC        ok: the property holds; broken: it does not
#   TSO ...   ok: nothing that SC does not have; benign: something, but the
#             property holds; broken: it does not; "-": not asked
#   WHEN      quick: always checked; long: only with FENCER_LONG=1
#   SOURCE    where the number is from
#
# A program that is ok on a model explored no more than SC's executions.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bad=0

complain() {
    echo "$program $flags: $*"
    bad=1
}

# value KEY MODEL: what answer.json says of that model.
value() {
    sed -n 's/^ *"\([a-z_]*\)": "*\([^",]*\)"*,*$/\1 \2/p' answer.json |
        awk -v key="$1" -v wanted="$2" '
        $1 == "model" { model = $2 }
        $1 == key && model == wanted { print $2; exit }'
}

# verdict MODEL: ok, benign or broken, or whatever the tool says.
verdict() {
    case $(value sc_violation "$1")/$(value property_broken "$1") in
    no/no) echo ok ;;
    yes/no) echo benign ;;
    */yes) echo broken ;;
    *) echo "$(value sc_violation "$1")/$(value property_broken "$1")" ;;
    esac
}

# expect MODEL VERDICT
expect() {
    [ "$(verdict "$1")" = "$2" ] ||
        complain "$(verdict "$1") on $1, $2 is expected"
    [ "$2" != ok ] || [ "$(value executions "$1")" = "$(value executions sc)" ] ||
        complain "$(value executions "$1") executions on $1," \
            "$(value executions sc) on sc"
}

# ask: the tool's opinion in answer.json.  Exit code 1 says that it found
# something, and so does the verdict.
ask() {
    : >answer.json
    rm -rf findings
    defines=$(echo "$flags" | sed 's/^-$//; s/[^,][^,]*/-D&/g; s/,/ /g')
    "$FENCER" verify --no-symmetry --no-spurious --model "$models" --time 60 --out findings --quiet --json answer.json \
        --cflags "$defines" "$here/$program.c" >out 2>&1
    code=$?
    if [ $code -gt 1 ]; then
        complain "exit code $code"
        cat out
    fi
}

grep -v '^#\|^$' "$here/table" >rows
while read -r program flags traces sc tso pso pslo when source; do
    [ "$when" = quick ] || [ -n "${FENCER_LONG:-}" ] || continue
    case " $* " in
    "  " | *" $program "*) ;;
    *) continue ;;
    esac
    models=sc
    for model in tso pso pslo; do
        eval "[ \$$model = - ]" || models=$models,$model
    done
    ask
    if [ "$sc" = ok ]; then
        complete=$(value executions sc)
        [ "$complete" = "$traces" ] ||
            complain "$complete traces on SC, $traces are expected: $source"
    fi
    for model in $(echo $models | tr , ' '); do
        eval "expect $model \$$model"
    done
done <rows
exit $bad
