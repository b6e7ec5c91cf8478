#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `fencer run` draws executions as graphs: what the head of a litmus test calls
# possible is found, with a finding that replays, what it calls impossible never
# is, on no model.  What has no graphs is refused by name.
set -u
bad=0

complain() {
    echo "$*"
    bad=1
}

# draw CODE PROGRAM STRATEGY MODEL [OPTION...]
draw() {
    expected=$1 program=$2 strategy=$3 model=$4
    shift 4
    rm -rf out
    "$FENCER" run --out out --quiet --json answer.json --strategy "$strategy" \
        --model "$model" "$@" "$program" 2>log
    code=$?
    [ $code -eq "$expected" ] ||
        complain "$program, $strategy, $model: exit code $code: $(cat log)"
}

# replays: each finding comes again.
replays() {
    for finding in out/finding-*.json; do
        "$FENCER" replay --quiet "$finding" >log 2>&1
        code=$?
        [ $code -eq 1 ] || complain "$finding: exit code $code: $(cat log)"
    done
}

# judge NAME: all strategies, all models.
judge() {
    file=$SOURCE/tests/litmus/$1.c
    "$FENCER" cc -DLITMUS_ASSERT -I"$SOURCE/tests/litmus" -o "$1" "$file" \
        -pthread || exit 1
    for model in sc tso pso pslo; do
        verdict=$(sed -n "s/^ \* $model: \([a-z]*\).*/\1/p" "$file")
        for strategy in descent forward depth mixed; do
            if [ "$verdict" = never ]; then
                draw 0 "./$1" $strategy $model --runs 1000
            else
                draw 1 "./$1" $strategy $model --runs 2000
                replays
            fi
        done
    done
}

for name in sb sb+mfences mp mp+ss+ll 2+2w 2+2w+sss iriw iriw+lls lb \
    create+drains join+drains-not inc+inc cas+cas; do
    judge $name
done

# Choices, awaits, mutexes; as many sorts of failures as there are.
"$FENCER" cc -DORDER=memory_order_release -o right "$SOURCE/tests/e2e/samples.c" \
    -pthread && "$FENCER" cc -DORDER=memory_order_relaxed -o wrong \
    "$SOURCE/tests/e2e/samples.c" -pthread || exit 1
for strategy in descent forward depth mixed; do
    draw 0 ./right $strategy pslo --runs 300
    draw 0 ./wrong $strategy tso --runs 300
    draw 1 ./wrong $strategy pso --runs 300 --keep-going
    cp answer.json first.json
    replays
    [ "$(ls out/finding-*.json | wc -l)" -eq 2 ] ||
        complain "$strategy: other than two findings"
    draw 1 ./wrong $strategy pso --runs 300 --keep-going --jobs 2
    sed '/"seconds"/d' first.json >a
    sed '/"seconds"/d' answer.json >b
    cmp a b || complain "$strategy: another answer from the same seed"
    "$FENCER" run --out out --no-color --strategy $strategy --model tso \
        --runs 300 ./wrong >report
    [ "$(grep -c 'chosen=[012]  *[1-9]' report)" -eq 3 ] ||
        complain "$strategy: not every choice was made"
done

# Atomic blocks: a descent has them, the others do not.
for what in DCAS LIST SPIN; do
    file=$SOURCE/tests/e2e/graphs/blocks.c
    "$FENCER" cc -D$what -o right "$file" -pthread &&
        "$FENCER" cc -D$what -DBUG -o wrong "$file" -pthread || exit 1
    draw 0 ./right descent pslo --runs 300
    draw 1 ./wrong descent pslo --runs 3000
    replays
    for strategy in forward depth mixed; do
        draw 3 ./right $strategy pslo
        grep -q 'cannot draw its executions: fencer_atomic (.*blocks.c:' \
            answer.json || complain "$what: refused otherwise: $(cat answer.json)"
    done
done

# Accesses of different sizes, and of 16 bytes: a descent has them, and mixed
# descends where it meets them; the others do not have them.
for what in TICKET STACK TEAR; do
    file=$SOURCE/tests/e2e/graphs/sizes.c
    "$FENCER" cc -D$what -o right "$file" -pthread &&
        "$FENCER" cc -D$what -DBUG -o wrong "$file" -pthread || exit 1
    for strategy in descent mixed; do
        draw 0 ./right $strategy pslo --runs 300
        draw 1 ./wrong $strategy pslo --runs 3000
        replays
    done
    for strategy in forward depth; do
        draw 3 ./right $strategy pslo
        grep -q 'cannot draw its executions: an access of 16 bytes' answer.json ||
            grep -q 'cannot draw its executions: accesses of different sizes' \
                answer.json || complain "$what: refused otherwise: $(cat answer.json)"
    done
done

# A thread that makes or joins another one, and what is older than that, as
# steps.
for name in create+drains join+drains-not; do
    rm -rf out
    "$FENCER" verify --out out --quiet --model pslo ./$name 2>log
    [ $? -eq 1 ] || complain "verify $name: $(cat log)"
done
exit $bad
