#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh NAME: does Fencer say of NAME what the head of its source says?
#
#   sc: correct | broken          the program as it is, one line a model;
#   tso: ...                      may be followed by words for the reader
#   fenced: correct | sc FLAG     -DFENCED on every model: silent, or wrong
#                                 on SC already, and silent with FLAG, which
#                                 leaves out what SC breaks
#   without N: MODEL KIND FIRST SECOND, ...
#                                 -DFENCED without fence N: MODEL breaks, for
#                                 FENCE KIND orders FIRST before SECOND, which
#                                 are comments on the lines of these accesses.
#                                 MODEL "never": needed on no machine of ours
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=$1
head=$here/$name.c
sources=$head
if [ -d "$here/$name" ]; then
    head=$here/$name/$name.c
    sources=$(ls "$here/$name"/*.c)
fi
bad=0

# of KEY: what the head says of it.
of() {
    sed -n "s/^ \* *$1: *//p; /^ \*\//q" "$head"
}

# fails FLAGS MODEL RUNS: is there a failure?  The one place that runs the tool.
fails() {
    # shellcheck disable=SC2086
    "$FENCER" run --no-color --time 60 --strategy random --runs "$3" \
        --model "$2" --cflags "$1" $sources >out 2>&1
    case $? in
    0) return 1 ;;
    1) return 0 ;;
    esac
    cat out
    echo "'$1' on $2: could not run"
    exit 1
}

# expect FLAGS MODEL broken|correct
expect() {
    runs=4000
    [ "$3" = correct ] || runs=100000
    if fails "$1" "$2" $runs; then got=broken; else got=correct; fi
    [ $got != "$3" ] || return 0
    echo "$name, '$1' on $2: $got, expected $3"
    [ $got = correct ] || cat out
    bad=1
}

[ -n "$(of sc)" ] || { echo "$name: no expectation in its head" && exit 1; }
for model in sc tso pso pslo; do
    says=$(of $model)
    expect '' $model "${says%%[!a-z]*}"
done

fenced=-DFENCED
case $(of fenced) in
sc*)
    expect -DFENCED sc broken
    fenced="-DFENCED $(of fenced | cut -d ' ' -f 2)"
    ;;
esac
expect "$fenced" sc,tso,pso,pslo correct

for number in $(sed -n 's/^ \* *without \([0-9]*\):.*/\1/p; /^ \*\//q' "$head")
do
    model=$(of "without $number")
    model=${model%% *}
    [ "$model" != never ] || continue
    expect "$fenced -DWITHOUT=$number" "$model" broken
done
exit $bad
