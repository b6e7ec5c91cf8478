#!/bin/sh
# SPDX-License-Identifier: MIT
#
# program.sh FILE.c: runs one program of programs/ as its head says:
#
#   expect:  EXIT WORDS...     as it is: exit code, and words of the report
#   fixed:   EXIT WORDS...     the same with -DFIXED
#   options: OPTIONS...        of fencer run, for both
set -u
file=$1
bad=0

# of KEY: what the head says of it, "-" if it does not mention it.
of() {
    sed -n "s/^ \* *$1: *//p; /^ \*\//q" "$file" | grep . || echo -
}

# run CFLAGS EXPECTATION
run() {
    [ "$2" != - ] || return 0
    options=$(of options)
    [ "$options" != - ] || options=
    code=${2%% *}
    words=
    [ "$code" = "$2" ] || words=${2#* }
    # shellcheck disable=SC2086
    "$FENCER" run --no-color $options --cflags "$1" "$file" >out 2>&1
    got=$?
    if [ $got -ne "$code" ]; then
        echo "'$1': exit code $got, expected $code"
    elif [ -n "$words" ] && ! grep -qF -- "$words" out; then
        echo "'$1': the report does not say: $words"
    else
        return 0
    fi
    cat out
    bad=1
}

run '' "$(of expect)"
run -DFIXED "$(of fixed)"
exit $bad
