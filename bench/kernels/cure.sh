#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cure.sh FILE.c...: does what the first finding of `fencer test` advises, to
# the letter (tests/advice/follow.c, built as $FOLLOW); then `fencer verify` is to
# find nothing.  On the default models, or on $MODELS.  Prints a line for each
# kernel with a finding; exit code 1 if some advice is none or does not do.
set -u
bad=0
tool=${FENCER:-fencer}
follow=${FOLLOW:-$(dirname "$0")/../../build/dev/tests/advice/advice_follow}
models=${MODELS:+--model $MODELS}

for file in "$@"; do
    name=$(basename "$file" .c)
    options=$(sed -n 's/^ \* *options: *//p; /^ \*\//q' "$file")
    cp "$file" "$name-cured.c"
    # shellcheck disable=SC2086
    "$tool" test --time 1000 --quiet $models --out findings --json advice.json \
        $options "$file" >out 2>&1
    case $? in
    0) continue ;;
    1) ;;
    *) echo "$name: not tested: $(tail -n 1 out)"; bad=1; continue ;;
    esac
    grep -q '"class": "sc"' advice.json && continue
    if ! "$follow" advice.json "$name-cured.c" >out 2>&1; then
        echo "$name: no advice that can be followed"
        bad=1
        continue
    fi
    # shellcheck disable=SC2086
    "$tool" verify --quiet $models --out findings $options "$name-cured.c" >out 2>&1
    case $? in
    0) verdict=verified ;;
    1) verdict="still broken" bad=1 ;;
    3) verdict="not known" bad=1 ;;
    *) verdict="does not compile" bad=1 ;;
    esac
    echo "$name: $verdict ($(diff "$file" "$name-cured.c" | grep -c '^>') lines)"
done
exit $bad
