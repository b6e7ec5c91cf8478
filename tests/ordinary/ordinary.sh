#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ordinary.sh PROGRAM NUMBER: everyday C, which nobody wrote for the tool, and what
# `fencer verify` has to answer, in lines of the program's head:
#
#   verify:           sc no, tso no, pso no, pslo no, c11 no
#   verify:           arm no, riscv no
#   verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
#   verify -DBROKEN:  arm yes, riscv yes
#
# For each model that is named there: is the property broken?  Exactly that,
# never "unknown", and within ten seconds a line.  A check takes every third program, after the next
# commit the next ones; FENCER_LONG=1 takes all of them.
set -u
program=$1
bad=0

turn=$(git -C "$SOURCE" rev-list --count HEAD 2>/dev/null || echo 0)
[ -n "${FENCER_LONG-}" ] || [ $((($2 + turn) % 3)) -eq 0 ] || exit 77

# said MODEL: the answer for that model.
said() {
    grep -A2 "\"model\": \"$1\"" out.json |
        sed -n 's/.*"property_broken": "\(.*\)".*/\1/p' | head -n 1
}

# ask FLAGS ANSWERS
ask() {
    rm -rf out out.json
    models=$(echo "$2" | tr , '\n' | sed 's/^ *//; s/ .*//')
    timeout 10 "$FENCER" verify --no-color --out out --json out.json \
        --model "$(echo $models | tr ' ' ,)" --cflags "$1" "$program" >out.txt 2>&1 </dev/null
    for model in $models; do
        wanted=$(echo "$2" | tr , '\n' | sed -n "s/^ *$model  *//p")
        [ "$(said $model)" = "$wanted" ] && continue
        echo "$(basename "$program") $1: $model: '$(said $model)'," \
            "expected '$wanted'"
        cat out.txt
        bad=1
    done
}

lines=$(sed -n 's/^ \* *verify\(.*\):\(.*\)/\1:\2/p' "$program")
[ -n "$lines" ] || { echo "$program: no line says what is expected"; exit 1; }
while IFS=: read -r flags answers; do
    ask "$flags" "$answers"
done <<EOF
$lines
EOF
exit $bad
