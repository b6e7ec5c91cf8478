#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Breaks the search on purpose, once for each row of mutants.txt, and expects
# the tests of this folder to notice.  Takes some minutes: ./check --long.
#
#   mutants.sh CLANG SOURCE GENERATED [ONLY]
#
# ONLY: rows whose name has it, or of the file of that name; then it also says
# what noticed.  Without it and without FENCER_LONG=1 it looks only whether each
# row still changes the source.
set -u
clang=$1 source=$2 generated=$3
here=$source/tests/target/graph
only=${4-} applies=
[ "${FENCER_LONG-}" = 1 ] || [ $# -ge 4 ] || applies=1
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
bad=0 count=0 limit=1200
shapes="shapes $source/tests/litmus-herd/classical.tsv"

# compile FILE OBJECT
compile() {
    "$clang" -std=gnu17 -O1 -D_GNU_SOURCE -w -I"$work" -I"$source/src" \
        -I"$source/src/shared" -I"$source/src/tool" -I"$source/src/test" \
        -I"$here" -I"$generated" -c "$1" -o "$2" 2>"$work/log"
}

# compile_all FOLDER: objects of all that the test consists of.  Files of the
# test have names of the search's.
compile_all() {
    mkdir -p "$1"
    for each in "$here"/*.c; do
        compile "$each" "$1/test_$(basename "$each").o" || return 1
    done
    for each in "$work"/graph/*.c "$source"/src/shared/model/*.c \
        "$source"/src/verify/c11_axioms.c "$source"/src/verify/c11_cycle.c \
        "$source"/src/verify/processor_axioms.c \
        "$source"/src/verify/processor_lets.c \
        "$source"/src/test/predict/instructions.c \
        "$source"/src/test/predict/language.c \
        "$source"/src/verify/square.c "$source"/src/shared/event/event.c \
        "$source"/src/shared/base/err.c "$source"/src/shared/base/clean.c \
        "$source"/src/shared/base/buf.c "$source"/src/shared/base/arena.c; do
        compile "$each" "$1/$(basename "$each").o" || return 1
    done
}

# build FILE: the test with that file as it is now in $work/graph.
build() {
    case $1 in
    *.h)
        rm -rf "$work/other"
        compile_all "$work/other" &&
            "$clang" "$work"/other/*.o -lm -o "$work/test" 2>"$work/log"
        ;;
    *)
        cp "$work/objects/$1.o" "$work/$1.o"
        compile "$work/graph/$1" "$work/objects/$1.o" &&
            "$clang" "$work"/objects/*.o -lm -o "$work/test" 2>"$work/log"
        built=$?
        mv "$work/$1.o" "$work/objects/$1.o"
        return $built
        ;;
    esac
}

# notices [ARGUMENTS]: by those, or by any.
notices() {
    for arguments in ${1:+"$1"} "counts" "bundles 150" "blocks 300" \
        "everybody 400" "depends 400 1 7" "sizes 300 1 8" "late 400 1 6" "late 12 14150 7" \
        "late-waits 250 1 6" "late-pushed 200" "late-compared 100" \
        "chains 1500 1 6" "$shapes" \
        "random 1500" "reduced 400" "equal 150" "ways 150" "samples 100" \
        "samples 100 1101" "random 1500 50001 9" "bundles 2000 1001" \
        "blocks 4000 1001"; do
        [ "$arguments" = shapes ] && arguments=$shapes
        # shellcheck disable=SC2086
        timeout $limit "$work/test" $arguments >"$work/out" 2>&1 || return 0
    done
    return 1
}

cp -r "$source/src/target/graph" "$work/graph"
if [ -z "$applies" ] && ! compile_all "$work/objects"; then
    head -3 "$work/log"
    exit 3
fi
# What fails without a mutant notices nothing.
if [ -z "$only$applies" ]; then
    "$clang" "$work"/objects/*.o -lm -o "$work/test" 2>"$work/log"
    if [ ! -x "$work/test" ] || notices; then
        echo "without a mutant: $arguments fails"
        exit 1
    fi
fi
limit=120
while IFS='|' read -r name where script; do
    case $name in '' | '#'*) continue ;; esac
    file=${where%% *}
    case $where in *' '*) noticed_by=${where#* } ;; *) noticed_by= ;; esac
    case $name in *"$only"*) ;; *) [ "$file" = "$only" ] || continue ;; esac
    cp "$source/src/target/graph/$file" "$work/graph/$file"
    sed -i "$script" "$work/graph/$file"
    count=$((count + 1))
    if cmp -s "$work/graph/$file" "$source/src/target/graph/$file"; then
        echo "changes nothing: $name"
        bad=$((bad + 1))
    elif [ "$applies" ]; then
        :
    elif ! build "$file"; then
        echo "does not compile: $name"
        head -3 "$work/log"
        bad=$((bad + 1))
    elif notices "$noticed_by"; then
        echo "noticed: $name${only:+ ($arguments)}"
    else
        echo "NOT NOTICED: $name"
        bad=$((bad + 1))
    fi
    cp "$source/src/target/graph/$file" "$work/graph/$file"
done <"$here/mutants.txt"
if [ "$applies" ]; then
    echo "$count mutants, $bad change nothing; FENCER_LONG=1 runs them"
else
    echo "$count mutants, $bad not noticed"
fi
[ "$bad" -eq 0 ] && [ "$count" -gt 0 ]
