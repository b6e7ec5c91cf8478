#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Executions that leave SC without a critical cycle of data are told with a cycle
# all the same, and replay; with a fence there is none.
set -u
bad=0

complain() {
    echo "$*"
    bad=1
}

# ask FILE DEFINES MODEL ACCESSES: a benign finding whose cycle has so many
# accesses; 0: none.
ask() {
    what="$1 $2 on $3"
    rm -rf out
    "$FENCER" verify --out out --strict --model "$3" --json answer.json \
        --cflags "$2" "$SOURCE/tests/e2e/leaves-sc/$1" >report 2>log
    code=$?
    grep -q '"complete": true' answer.json || complain "$what: not complete"
    if [ "$4" -eq 0 ]; then
        [ $code -eq 0 ] || complain "$what: exit code $code"
        grep -q '"sc_violation": "no"' answer.json || complain "$what: leaves SC"
        return
    fi
    [ $code -eq 1 ] || complain "$what: exit code $code"
    grep -q '"sc_violation": "yes"' answer.json || complain "$what: is SC"
    grep -q '"class": "benign"' answer.json || complain "$what: not benign"
    grep -q "^  ($4) T" report || complain "$what: fewer than $4 in its cycle"
    ! grep -q "^  ($(($4 + 1))) T" report || complain "$what: more than $4"
    "$FENCER" replay out/finding-1.json >/dev/null 2>&1 # a benign one: 1
    [ $? -eq 1 ] || complain "$what: does not replay"
}

for model in tso pso pslo; do
    ask halves.c -DSB $model 4
    ask halves.c "" $model 3
    ask halves.c "-DSB -DFENCED" $model 0
    ask halves.c -DFENCED $model 0
done
ask ends.c "" tso 4
ask ends.c -DFENCED tso 0
ask unlock.c "" tso 0 # there an unlock is a full fence
for model in pso pslo; do
    ask unlock.c "" $model 4
    ask unlock.c -DFENCED $model 0
done
exit $bad
