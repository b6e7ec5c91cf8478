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

static atomic_int x, y;
static int looks;

#define STORE(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)

static void *reader(void *unused)
{
    int found = 0, i;

    for (i = 0; i < 4; i++)
        if (atomic_load_explicit(&x, LOOK) == WANTED) {
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

for look in relaxed acquire; do
    for wanted in 1 2; do
        for after in x y; do
            for writes in "STORE(x,1);STORE(y,1);STORE(x,2)" \
                "STORE(y,1);STORE(x,1);STORE(x,2)" \
                "STORE(x,2);STORE(x,1);STORE(y,1)"; do
                flags="-DLOOK=memory_order_$look -DWANTED=$wanted"
                flags="$flags -DAFTER=$after -DWRITES=$writes"
                observed "$flags" >left
                observed "$flags -DREAL" >real
                cmp -s left real && ! grep -q unknown left && continue
                echo "$flags: with every round (right) others are observed"
                diff left real
                bad=1
            done
        done
    done
done
exit $bad
