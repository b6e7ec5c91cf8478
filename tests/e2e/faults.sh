#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Plain crashes: every command finds them, on SC, at the line that crashed.
set -u
here=$SOURCE/tests/e2e/faults
bad=0

say() {
    echo "$*"
    cat out
    bad=1
}

# expect CODE WORDS COMMAND... FILE
expect() {
    code=$1
    words=$2
    shift 2
    rm -rf findings
    "$FENCER" "$@" --no-color --out findings >out 2>&1
    got=$?
    [ $got -eq "$code" ] || say "$*: exit code $got, expected $code"
    grep -qF -- "$words" out || say "$*: does not say: $words"
}

for name in unmapped literal nowhere alone edge division trap call; do
    line=$(grep -n '/\* here \*/' "$here/$name.c" | cut -d: -f1)
    for command in run test verify; do
        expect 1 "faults/$name.c:$line in main, on SC" $command \
            --model sc,pslo "$here/$name.c"
        [ "$(grep -c '^f[0-9]\|^fencer replay' out)" -eq 1 ] ||
            say "$command $name: more than one finding"
    done
done

line=$(grep -n '/\* here \*/' "$here/jump.c" | cut -d: -f1)
for command in run test verify; do
    expect 3 "longjmp() to a frame that is not on its thread's stack" $command \
        "$here/jump.c"
    grep -qF "jump.c:$line)" out || say "$command jump: another line"
done

# Where the driver itself faults, its process ends: by SIGSEGV, at once.
rm -rf findings
"$FENCER" test --log worker --model sc --cflags "-I$SOURCE/src/shared" \
    --out findings "$here/driver.c" >out 2>&1
grep -q 'ended, status 0xb' out || say "driver: goes on after a fault of its own"
exit $bad
