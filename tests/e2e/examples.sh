#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every example breaks on the models its head names, on no other, and nowhere
# once it is fixed.
set -u
bad=0
rm -f ./sb* ./dekker* ./mp* ./msqueue* ./spsc* ./deadlock* ./refcount*

# expect FILE CFLAGS MODELS CODE
expect() {
    program=./${1%.c}$2
    [ -x "$program" ] ||
        "$FENCER" cc -g $2 "$SOURCE/examples/$1" -o "$program" -pthread ||
        exit 1
    for model in $3; do
        "$FENCER" run --no-color --model "$model" --runs 4000 \
            "$program" >out 2>&1
        code=$?
        [ $code -eq "$4" ] && continue
        echo "$1 $2 on $model: exit code $code, expected $4"
        cat out
        bad=1
    done
}

every='sc tso pso pslo'
expect sb.c '' sc 0
expect sb.c '' 'tso pso pslo' 1
expect dekker.c '' sc 0
expect dekker.c '' 'tso pso pslo' 1
for file in mp.c msqueue.c spsc.c; do
    expect $file '' 'sc tso' 0
    expect $file '' 'pso pslo' 1
done
for file in sb.c dekker.c mp.c msqueue.c spsc.c; do
    expect $file -DFENCED "$every" 0
done
for file in deadlock.c refcount.c; do
    expect $file '' "$every" 1
    expect $file -DFIXED "$every" 0
done
exit $bad
