#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Two models, each one file, and every command asks them the same questions.
# The first allows what PSO adds to TSO for stores, and not for RMWs; the second
# allows what PSLO adds to PSO for loads, and keeps stores in order.
# $1 is the tool that knows them; $FENCER is the one that does not.
set -u
here=$SOURCE/tests/e2e/toy-model
bad=0

# expect CODE TOOL COMMAND MODEL FILE CFLAGS
expect() {
    "$2" "$3" --model "$4" --cflags "$6" "$5" >out 2>&1
    code=$?
    [ $code -eq "$1" ] && return
    echo "$3 --model $4 $5 '$6': exit code $code, expected $1"
    cat out
    bad=1
}

for command in run test verify check; do
    expect 0 "$1" $command tso "$here/mp.c" ''
    expect 1 "$1" $command psodrain "$here/mp.c" ''
    expect 1 "$1" $command pso "$here/mp.c" ''
    expect 0 "$1" $command tso "$here/mp.c" -DRMW
    expect 0 "$1" $command psodrain "$here/mp.c" -DRMW
    expect 1 "$1" $command pso "$here/mp.c" -DRMW
done
expect 2 "$FENCER" run psodrain "$here/mp.c" ''

# A third has axioms alone: SB as on TSO, and no MP.  RVWMO has both.
for test in "riscv sb 0" "riscv mp 0" "ztso sb 0" "ztso mp 1"; do
    set -- "$1" $test
    for engine in axioms verify check; do
        "$1" litmus --engine $engine --model "$2" "$here/$3.litmus" >out 2>&1
        code=$?
        [ $code -eq "$4" ] && continue
        echo "litmus --engine $engine --model $2 $3: exit code $code, expected $4"
        cat out
        bad=1
    done
done

# Programs are explored on it, since it says what C becomes.
for command in run test verify check; do
    expect 1 "$1" $command riscv "$here/mp.c" ''
    expect 0 "$1" $command ztso "$here/mp.c" ''
    [ $command = check ] || # which has no ghosts there
        expect 1 "$1" $command ztso "$SOURCE/tests/litmus/sb.c" -DLITMUS_ASSERT
done

# A shape, and whether psodrain and tslo show it: a machine that is explored and
# a formula that is solved say the same.
while read -r shape psodrain tslo; do
    for command in verify check; do
        for model in psodrain tslo; do
            eval "code=\$$model"
            expect "$code" "$1" $command $model \
                "$SOURCE/tests/litmus/$shape.c" -DLITMUS_ASSERT
        done
    done
done <<'END'
2+2w 1 0
2+2w+xchgs 0 0
mp+xchg 0 0
mp+failed-cas-rel 0 0
sb+xchgs 0 1
sb+failed-cas 0 1
atomic+before 0 0
wrc 0 1
END
exit $bad
