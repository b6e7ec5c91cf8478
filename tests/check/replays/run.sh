#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh REPLAYS SOURCE [--long]: litmus programs, of which every twentieth or all,
# and tests of data types.
set -u
replays=$1 source=$2
bad=0

every=20
[ "${3:-}" != --long ] || every=1
# shellcheck disable=SC2046
"$replays" --cflags "-I$source/tests/litmus" \
    $(ls "$source"/tests/litmus/*.c | sed -n "1~${every}p") || bad=1

# data FILE TEST [CFLAGS]
data() {
    "$replays" --most 6 --test "$2" --cflags "${3:-}" \
        "$source/bench/checkfence/$1.c" || bad=1
}

data msn 'e ( ed | de )' -DFENCED
data ms2 'e ( ed | de )'
data lazylist '( a | c )' -DFIXED
data harris '( a | r )' -DFENCED
data snark '( al rr | ar rl )'
exit $bad
