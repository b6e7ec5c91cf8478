#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Two engines, one test: `fencer check` and `fencer verify` give the same
# verdicts, on every model that has a machine.  Neither leaves one open.  The
# same on processors and C11, where verify leaves load buffering open: there
# check has to answer.
set -u
bad=0
models=sc,tso,pso,pslo

# checked FILE: "T0 sc no", ...: is the property broken?
checked() {
    sed -n '/^  "tests"/,$s/^ *"\(test\|model\|property_broken\)": "\(.*\)",*$/\2/p' \
        "$1" | paste -d ' ' - - -
}

# verified FILE TEST: the same.
verified() {
    sed -n '/"findings"/q; s/^ *"\(model\|property_broken\)": "\(.*\)",*$/\2/p' \
        "$1" | paste -d ' ' - - | sed "s/^/$2 /"
}

# both FILE FLAGS TESTS...
both() {
    file=$1
    flags=$2
    shift 2
    "$FENCER" cc -g $flags "$SOURCE/$file" -o program -pthread || exit 1
    : >verify.txt
    for test; do
        "$FENCER" verify --model $models --out out --json verify.json --quiet \
            program -- "$test"
        verified verify.json "$test" >>verify.txt
    done
    "$FENCER" check --model $models --out out --cflags "$flags" \
        --test "$(echo "$*" | tr ' ' ,)" --json check.json --quiet \
        "$SOURCE/$file"
    checked check.json >check.txt
    if ! cmp -s check.txt verify.txt || grep unknown check.txt ||
        [ "$(wc -l <check.txt)" != $((4 * $#)) ]; then
        echo "FAILED: $file $flags: check, then verify:"
        diff check.txt verify.txt
        bad=1
    fi
}

# stated FILE FLAGS TESTS...
stated() {
    file=$1
    flags=$2
    shift 2
    "$FENCER" cc --track-deps -g $flags "$SOURCE/$file" -o program -pthread ||
        exit 1
    : >verify.txt
    for test; do
        "$FENCER" verify --model arm,riscv,power,c11 --out out --json verify.json \
            --quiet program -- "$test"
        verified verify.json "$test" >>verify.txt
    done
    "$FENCER" check --model arm,riscv,power,c11 --out out --cflags "$flags" \
        --test "$(echo "$*" | tr ' ' ,)" --json check.json --quiet \
        "$SOURCE/$file"
    checked check.json >check.txt
    if ! paste -d ' ' check.txt verify.txt | awk '
        $1 != $4 || $2 != $5 || $3 == "unknown" ||
            ($6 != "unknown" && $3 != $6) { print; bad = 1 }
        END { exit bad || NR != '$((4 * $#))' }'; then
        echo "FAILED: $file $flags on arm, riscv, power, c11: check, then verify"
        bad=1
    fi
}

# whole FILE FLAGS ANSWERS: of a program with main, by each engine.
whole() {
    for engine in verify check; do
        rm -rf out
        "$FENCER" $engine --model sc,arm,riscv,power,c11 --out out --json $engine.json --quiet \
            --cflags "$2" "$SOURCE/$1" 2>log
        said=$(sed -n '/"findings"/q; s/^ *"property_broken": "\(.*\)",*$/\1/p' $engine.json |
            head -n 5 | paste -s -d ' ')
        [ "$said" = "$3" ] || {
            echo "FAILED: $1 $2 on sc, arm, riscv, power, c11: $engine says $said, not $3"
            bad=1
        }
    done
}

whole tests/e2e/agrees/created.c '' 'no yes yes yes yes'
whole tests/e2e/agrees/created.c -DFENCED 'no no no no no'
whole tests/e2e/agrees/created.c -DCHILD 'no no no no no'
whole tests/e2e/agrees/lazy.c '' 'no no no no yes'
whole tests/e2e/agrees/lazy.c -DINDEX 'no yes yes yes yes'
whole tests/e2e/agrees/joined.c '' 'no yes yes yes yes'
whole tests/e2e/agrees/joined.c -DFENCED 'no no no no no'
whole tests/ordinary/rcu.c '' 'no no no no no'
whole tests/ordinary/rcu.c -DBROKEN 'no no no no yes'
whole tests/ordinary/chase-lev-grows.c '-DBROKEN' 'no yes yes yes yes'

stated tests/e2e/check-agrees.c '' weaklies mutuals waits marks pops full \
    hasties reads frees uses claims
stated examples/queue.c -DFENCED one
if [ -n "${FENCER_LONG-}" ]; then
    stated tests/e2e/check-agrees.c '' adds torns lockeds trials rings loses \
        zeros
    for flags in '' -DFENCED; do
        stated examples/queue.c "$flags" one two
        stated bench/checkfence/ms2.c "$flags" T0
        stated bench/checkfence/msn.c "$flags" T0
        stated bench/checkfence/harris.c "$flags" Sac
        stated bench/checkfence/lazylist.c "${flags:--DFIXED}" Sar
    done
fi

for flags in '' -DFENCED; do
    both examples/queue.c "$flags" one two
    both bench/checkfence/ms2.c "$flags" T0
    both bench/checkfence/msn.c "$flags" T0
    both bench/checkfence/harris.c "$flags" Sac
    both bench/checkfence/lazylist.c "${flags:--DFIXED}" Sar
    both bench/checkfence/snark.c "$flags" D0
done
for flags in '' -DBUG; do
    both tests/e2e/check-sizes.c "$flags" tagged field bytes beside copied
done
both tests/e2e/check-agrees.c '' $(sed -n 's/^FENCER_TEST(\([a-z]*\),.*/\1/p' \
    "$SOURCE/tests/e2e/check-agrees.c")
exit $bad
