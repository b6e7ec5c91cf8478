#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Does the engine explore as many executions as there are traces, each once?
#
#   counts.sh FENCER EXPLORE_COUNT PROGRAMS
#
# Each row: a program and its macros, the model, the engine's flags (8: count
# traces, which is SC's; 2: at most so many preemptions, 3: without reduction),
# the bound; traces, different ones, blocked ones.
set -u
fencer=$1 count=$2 programs=$3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
bad=0

expect() {
    name=$1 macros=$2 model=$3 flags=$4 bound=$5 want=$6
    # shellcheck disable=SC2086
    "$fencer" cc $macros -o "$dir/p" "$programs/$name.c" || exit 3
    got=$("$count" "$dir/p" "$model" "$flags" "$bound" |
        sed -n 's/^traces \([0-9]*\) distinct \([0-9]*\) .* assumed \([0-9]*\) .* exhausted 1 .*/\1 \2 \3/p')
    if [ "$got" != "$want" ]; then
        echo "$name $macros on $model, flags $flags, bound $bound:" \
            "'$got', not '$want'"
        bad=1
    fi
}

expect groups "-DM=3 -DN=2" sc 8 0 "144 144 0"
expect forward "" sc 8 0 "6 6 0"
expect forward "" tso 0 0 "9 0 0"
expect forward "" pso 0 0 "9 0 0"
expect forward "" pslo 0 0 "13 0 0"
expect locked "" sc 8 0 "6 6 0"
expect locked "" tso 0 0 "6 0 0"
expect rotate "-DN=4" sc 8 0 "14 14 0"
expect rotate "-DN=6" sc 8 0 "144 144 0"
expect spin "" sc 8 0 "3 3 2"
expect spin "" tso 0 0 "4 0 3"
expect spin "" pslo 0 0 "4 0 3"
expect choose "" sc 8 0 "12 12 0"
expect choose-first "" sc 8 0 "24 24 0"
expect choose-first "" sc 11 4 "36 24 0"
expect rotate "-DN=4" sc 11 0 "24 14 0"
expect groups "-DM=2 -DN=0" sc 11 0 "2 2 0"
expect groups "-DM=2 -DN=0" sc 11 1 "4 4 0"
expect groups "-DM=2 -DN=0" sc 11 2 "6 4 0"
expect groups "-DM=2 -DN=0" sc 10 1 "4 4 0"
exit $bad
