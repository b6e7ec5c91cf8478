#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Two engines, one test: `fencer check` and `fencer verify` give the same
# verdicts, on every model that has a machine.  Neither leaves one open.
set -u
bad=0
models=sc,tso,pso,pslo

# answers FILE: "sc no", ...: is the property broken on that model?
answers() {
    sed -n '/"findings"/q; s/^ *"\(model\|property_broken\)": "\(.*\)",*$/\2/p' \
        "$1" | paste -d ' ' - -
}

# both FILE FLAGS TEST
both() {
    "$FENCER" check --model $models --out out --cflags "$2" --test "$3" \
        --json check.json --quiet "$SOURCE/$1" 2>check.err
    "$FENCER" verify --model $models --out out --cflags "$2" --jobs 2 \
        --json verify.json --quiet "$SOURCE/$1" -- "$3" 2>verify.err
    answers check.json >check.txt
    answers verify.json >verify.txt
    if [ "$(grep -c -e ' yes$' -e ' no$' check.txt)" != 4 ] ||
        ! cmp -s check.txt verify.txt; then
        echo "FAILED: $1 $2 $3: check, then verify:"
        paste check.txt verify.txt
        cat check.err verify.err
        bad=1
    fi
    rm -f check.json verify.json
}

for flags in '' -DFENCED; do
    both examples/queue.c "$flags" '( e | d )'
    both examples/queue.c "$flags" 'e ( ee | dd )'
    for name in ms2 msn; do
        both bench/checkfence/$name.c "$flags" '( e | d )'
        both bench/checkfence/$name.c "$flags" "( e' e' | d' )"
    done
    both bench/checkfence/harris.c "$flags" '( a | c )'
    both bench/checkfence/lazylist.c "$flags -DFIXED" '( a | r )'
    both bench/checkfence/snark.c "$flags" '( al rr | ar rl )'
    both bench/checkfence/snark.c "$flags" 'al ( rr | rl )'
done
exit $bad
