#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Loops that give up after some looks: is nothing lost when their rounds are
# left out?  With -DREAL the count is used after the loop, which makes every
# round a real one; both must observe the same.
set -u
bad=0

cat >program.c <<'EOF'
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef TIMES
#define TIMES 4
#endif

static atomic_int x, y, own;
static int looks;

#define LOAD(v) atomic_load_explicit(&v, LOOK)

static int swap(int from, int to)
{
    return atomic_compare_exchange_strong_explicit(&x, &from, to, LOOK,
                                                   memory_order_relaxed);
}

/* Only a round that finds it changed meanwhile fails. */
static int is_calm(void)
{
    int was = LOAD(x);

    return was == LOAD(x);
}

#define TAKE(n) atomic_exchange_explicit(&x, n, LOOK)

#ifndef TRY
#define TRIES LOAD(x) == WANTED
#elif TRY == 0
#define TRIES LOAD(own) == 1 && LOAD(x) == WANTED
#elif TRY == 1
#define TRIES swap(WANTED, 3)
#elif TRY == 2
#define TRIES LOAD(x) == WANTED && swap(WANTED, 3)
#elif TRY == 3
#define TRIES LOAD(x) == WANTED && LOAD(y)
#elif TRY == 4
#define TRIES TAKE(1) == WANTED
#elif TRY == 5
#define TRIES LOAD(x) != 1 && TAKE(1) != 1
#elif TRY == 6
#define TRIES is_calm()
#endif

#define STORE(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)

static void *reader(void *unused)
{
    int found = 0, i;

#ifdef TRY
    atomic_store_explicit(&own, 1, memory_order_release);
#endif
    for (i = 0; i < TIMES; i++)
        if (TRIES) {
            found = 1;
            break;
        }
#ifdef REAL
    looks = i;
#endif
    (void)looks;
    fencer_observe("found", found);
    fencer_observe("then", atomic_load_explicit(&AFTER, memory_order_relaxed));
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, reader, 0);
    WRITES;
    pthread_join(t, 0);
    return 0;
}
EOF

# observed FLAGS: as in rounds.sh.
observed() {
    rm -rf out out.json
    timeout 60 "$FENCER" verify --out out --json out.json --quiet \
        --model sc,pso,pslo --cflags "$1" program.c >out.txt 2>&1
    awk '/"model":/ { model = $2 }
        /"property_broken":/ { broken = $2; print model, broken }
        /"outcome":/ && broken ~ /no/ { $1 = model; print }' out.json | sort
}

# compare FLAGS
compare() {
    observed "$1" >left
    observed "$1 -DREAL" >real
    cmp -s left real && ! grep -q unknown left && return
    echo "$1: with every round (right) others are observed"
    diff left real
    bad=1
}

for look in relaxed acquire; do
    for wanted in 1 2; do
        for after in x y; do
            for writes in "STORE(x,1);STORE(y,1);STORE(x,2)" \
                "STORE(y,1);STORE(x,1);STORE(x,2)" \
                "STORE(x,2);STORE(x,1);STORE(y,1)"; do
                flags="-DLOOK=memory_order_$look -DWANTED=$wanted"
                flags="$flags -DAFTER=$after -DWRITES=$writes"
                compare "$flags"
            done
        done
    done
done
# More than one load in a round, or an RMW; a check takes every 16th.
number=0
turn=$(git -C "$SOURCE" rev-list --count HEAD 2>/dev/null || echo 0)
for try in 0 1 2 3 4 5 6; do
    for wanted in 1 2; do
        for times in 3 5; do
            for after in x y; do
                for writes in "STORE(x,1);STORE(y,1);STORE(x,2)" \
                    "STORE(y,1);STORE(x,1);STORE(x,2)" \
                    "STORE(x,2);STORE(x,1);STORE(x,0)"; do
                    number=$((number + 1))
                    [ -n "${FENCER_LONG-}" ] ||
                        [ $(((number + turn) % 16)) -eq 0 ] || continue
                    flags="-DLOOK=memory_order_acquire -DWANTED=$wanted"
                    flags="$flags -DTRY=$try -DTIMES=$times"
                    compare "$flags -DAFTER=$after -DWRITES=$writes"
                done
            done
        done
    done
done
exit $bad
