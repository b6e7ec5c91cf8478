#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Classical shapes by the axioms and, as C programs, by fencer verify: the same
# answer on every model that both have.  $1 writes the shapes, $2 lists them,
# $3 has files.
set -eu
every=24
[ -z "${FENCER_LONG-}" ] || every=1
rm -f ./*.litmus ./*.c
"$1" write "$2" $every
bad=0
count=0
for test in ./*.litmus; do
    "$FENCER" litmus --to-c "$test" >test.c
    for model in sc tso pso pslo c11; do
        axioms=0
        explored=0
        "$FENCER" litmus --quiet --model $model "$test" || axioms=$?
        "$FENCER" verify --quiet --model $model test.c || explored=$?
        count=$((count + 1))
        # An example is status 0 here and a finding there.
        [ "$axioms$explored" = 01 ] || [ "$axioms$explored" = 10 ] || {
            echo "$test on $model: litmus $axioms, verify $explored"
            bad=1
        }
    done
done
# Assembly: branches that a compiler would drop keep stores behind them.
for test in LB+ctrls-skip SB+stlr-ldapr; do
    "$FENCER" litmus --to-c "$3/files/$test.litmus" >test.c
    axioms=0
    explored=0
    "$FENCER" litmus --quiet --model arm "$3/files/$test.litmus" || axioms=$?
    "$FENCER" verify --quiet --model arm --rcpc test.c || explored=$?
    count=$((count + 1))
    [ "$axioms$explored" = 01 ] || [ "$axioms$explored" = 10 ] || {
        echo "$test on arm: litmus $axioms, verify $explored"
        bad=1
    }
done
echo "$count compared"
[ $count -gt 0 ] && exit $bad
