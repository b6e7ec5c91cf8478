#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Breaks the search on purpose, once for each row of mutants.txt, and expects
# the tests of this folder to notice.  Takes some minutes: ./check --long.
# mutants.sh CLANG SOURCE GENERATED
set -u
clang=$1 source=$2 generated=$3
here=$source/tests/target/graph
if [ "${FENCER_LONG-}" != 1 ] && [ $# -lt 4 ]; then
    echo "not run: FENCER_LONG=1 runs it"
    exit 77 # ctest: skipped
fi
only=${4-}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
bad=0 count=0

# build FOLDER: the test of the sources in FOLDER.
build() {
    "$clang" -std=gnu17 -O1 -D_GNU_SOURCE -w -I"$work" -I"$source/src" \
        -I"$source/src/shared" -I"$source/src/tool" -I"$source/src/test" \
        -I"$here" -I"$generated" "$work"/graph/*.c \
        "$source"/src/verify/c11_axioms.c "$source"/src/verify/c11_cycle.c \
        "$source"/src/verify/processor_axioms.c "$source"/src/verify/square.c \
        "$here"/*.c "$source"/src/shared/model/*.c \
        "$source"/src/shared/event/event.c "$source"/src/shared/base/err.c \
        "$source"/src/shared/base/clean.c "$source"/src/shared/base/buf.c \
        "$source"/src/shared/base/arena.c -lm -o "$work/test" 2>"$work/log"
}

notices() {
    for arguments in "counts" "bundles 150" "blocks 300" "everybody 400" \
        "depends 400 1 7" "late 400 1 6" "late 10 14155 7" "shapes $source/tests/litmus-herd/classical.tsv" \
        "random 1500" "reduced 400" "equal 150" "ways 150" "samples 100" \
        "samples 100 1101" "random 1500 50001 9" "bundles 2000 1001" \
        "blocks 4000 1001"; do
        # shellcheck disable=SC2086
        timeout 120 "$work/test" $arguments >"$work/out" 2>&1 || return 0
    done
    return 1
}

while IFS='|' read -r name file script; do
    case $name in '' | '#'*) continue ;; esac
    case $name in *"$only"*) ;; *) continue ;; esac
    rm -rf "$work/graph"
    cp -r "$source/src/target/graph" "$work/graph"
    sed -i "$script" "$work/graph/$file"
    count=$((count + 1))
    if cmp -s "$work/graph/$file" "$source/src/target/graph/$file"; then
        echo "changes nothing: $name"
        bad=$((bad + 1))
    elif ! build; then
        echo "does not compile: $name"
        head -3 "$work/log"
        bad=$((bad + 1))
    elif notices; then
        echo "noticed: $name"
    else
        echo "NOT NOTICED: $name"
        bad=$((bad + 1))
    fi
done <"$here/mutants.txt"
echo "$count mutants, $bad not noticed"
[ "$bad" -eq 0 ] && [ "$count" -gt 0 ]
