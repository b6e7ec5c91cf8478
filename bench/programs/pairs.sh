#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pairs.sh NAME: the accesses that the program's fences keep in order, one line
# for each pair, from the labels in its head (see check.sh):
#
#   FENCE MODEL KIND FIRST SECOND        5 pso ss exclusion.h:26 dekker.c:51
#
# A label on several lines gives several places, with commas between.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$here
[ ! -d "$here/$1" ] || folder=$here/$1
cd "$folder"

# places NAME LABEL: its lines, in the program itself or else in what it shares
# or consists of.
places() {
    others='./*.h'
    [ "$folder" = "$here" ] || others='./*.c'
    for files in "$1.c" "$others"; do
        # shellcheck disable=SC2086
        found=$(grep -nHF "/* $2 */" $files | cut -d : -f 1,2 |
            sed 's|^\./||' | paste -s -d , -)
        [ -z "$found" ] || break
    done
    echo "${found:-nowhere}"
}

sed -n 's/^ \* *without \([0-9]*\): /\1 /p' "$1.c" | while read -r fence model rest
do
    echo "$rest" | sed 's/, */\n/g' | while read -r kind first second; do
        echo "$fence $model $kind $(places "$1" "$first")" \
            "$(places "$1" "$second")"
    done
done
