#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Executions in which a thread waits for ever: `fencer check` finds them, on the
# models that have them and no others, and says what `fencer verify` says.
set -u
bad=0
here=$SOURCE/tests/e2e/waits

fail() {
    echo "FAILED: $*"
    bad=1
}

# answers FILE: "no yes yes yes": is the property broken, model by model?
answers() {
    sed -n '/"findings"/q; s/^ *"property_broken": "\(.*\)",*$/\1/p' "$1" |
        paste -s -d ' ' -
}

# check EXPECTED WORDS FILE FLAGS: the answers on all models, and what the
# findings say.
check() {
    "$FENCER" check --model papers,relaxed --out out --cflags "$4" --json check.json --quiet "$3" \
        2>check.err
    [ "$(answers check.json)" = "$1" ] ||
        fail "check $3 $4: $(answers check.json), not $1: $(cat check.err)"
    if grep '"error"' check.json | grep -qv "$2" ||
        { [ "${1#*yes}" != "$1" ] && ! grep -q "\"error\".*$2" check.json; }; then
        fail "check $3 $4 says $(grep '"error"' check.json)"
    fi
}

# both EXPECTED WORDS FILE FLAGS [TEST]: verify has no Relaxed.
both() {
    check "$@"
    "$FENCER" verify --model sc,tso,pso,pslo --out out --cflags "$4" --jobs 2 \
        --json verify.json --quiet "$3" ${5:+-- "$5"} 2>verify.err
    [ "$(answers verify.json)" = "${1% *}" ] ||
        fail "verify $3 $4: $(answers verify.json): $(cat verify.err)"
}

always='yes yes yes yes yes'
never='no no no no no'
weak='no yes yes yes yes'

both "$always" deadlock "$SOURCE/examples/deadlock.c" ''
both "$always" deadlock $here/path.c ''
both "$always" livelock $here/path.c -DSPIN
both "$weak" 'lost wake-up' $here/bell.c ''
both "$weak" livelock $here/bell.c -DSPIN
both "$weak" 'lost wake-up' $here/bell.c -DOPERATIONS T
for flags in '' -DSPIN; do
    both "$never" none $here/path.c "-DFIXED $flags"
    both "$never" none $here/bell.c "-DFENCED $flags"
done
both "$never" none $here/bell.c '-DFENCED -DOPERATIONS' T

# Meant to wait, and not meant to: serial executions of both wait, but none
# with the lock.
check "$never" none $here/box.c ''
grep -q 'T: some executions wait for ever, as serial ones do' check.json ||
    fail "box.c: nobody says that some wait"
check "$always" 'lost wake-up' $here/box.c -DWRONG

# Each finding on a machine comes again.
rm -rf again
"$FENCER" check --model tso --out again --quiet $here/bell.c
"$FENCER" replay again/finding-1.json | grep -q 'lost wake-up' ||
    fail "a lost wake-up does not come again"
# stated EXPECTED FILE FLAGS: on arm, riscv, power and c11.
stated() {
    "$FENCER" check --model arm,riscv,power,c11 --out out --cflags "$3" \
        --json check.json --quiet "$2" 2>check.err
    [ "$(answers check.json)" = "$1" ] ||
        fail "check $2 $3: $(answers check.json), not $1: $(cat check.err)"
}

stated 'yes yes yes yes' "$here/asleep.c" ''
stated 'no yes yes yes' "$here/asleep.c" \
    '-DSTORE=memory_order_release -DLOAD=memory_order_acquire'
stated 'no no no no' "$here/asleep.c" -DFENCED
exit $bad
