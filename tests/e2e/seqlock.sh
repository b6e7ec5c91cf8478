#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A sequence lock whose writer orders everything but its two data words.  On
# PSO a reader that retries sees them the wrong way round in two different
# rounds only: y of the first, x of the second.
#
# If each round ends up in locals, a round that fails is an await.  `verify`
# does not count it and calls the program robust; `test` shows the cycle
# through it (docs/cycles.md, "Failing rounds").  Where the rounds are counted
# none is an await, and both say that the program leaves SC.
set -u
bad=0

cat >seqlock.c <<'EOF'
#include <fencer.h>
#include <pthread.h>

int seq, x, y;

static void *writer(void *unused)
{
    seq = 1;
    fencer_fence_ss();
    x = 1;
    y = 1;
    fencer_fence_ss();
    seq = 2;
    return unused;
}

static void *reader(void *unused)
{
    int before, after, a, b;

#ifdef ROUNDS
    for (int i = 0; i < ROUNDS; i++) {
#else
    for (;;) {
#endif
        before = seq;
        fencer_fence_ll();
        a = x;
        b = y;
        fencer_fence_ll();
        after = seq;
        if (before == after && before % 2 == 0)
            break;
    }
    (void)a;
    (void)b;
    return unused;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
EOF

# says WANTED COMMAND [CFLAGS]: its answer to "leaves SC" on PSO.
says() {
    rm -rf out.json .fencer
    "$FENCER" "$2" --no-color --model sc,pso --cflags "${3-}" \
        --json out.json seqlock.c >out.txt 2>&1
    said=$(grep -A1 '"model": "pso"' out.json |
        sed -n 's/.*"sc_violation": "\(.*\)".*/\1/p' | head -n 1)
    [ "$said" = "$1" ] && return
    echo "$2 ${3-}: leaves SC on PSO: '$said', expected $1"
    cat out.txt
    bad=1
}

says no verify
says yes test
says yes verify -DROUNDS=2
says yes test -DROUNDS=2
# In one round nobody sees them the wrong way round.
says no verify -DROUNDS=1
says unknown test -DROUNDS=1
exit $bad
