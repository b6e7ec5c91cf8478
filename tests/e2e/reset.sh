#!/bin/sh
# SPDX-License-Identifier: MIT
#
# In process and by process give the same outcomes, equally often, on the same
# seeds: for a program that leaves traces in globals, heap, TLS, locks, keys
# and the generator of random numbers.
set -u
bad=0
cat >state.c <<'EOF'
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

static struct node *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static __thread int mine = 5;
static volatile int x, y, order;
static int seen[2], inits, table[64] = {1, 2, 3};
static atomic_int done;

static void init(void)
{
    inits++;
    pthread_key_create(&key, free);
}

static void *worker(void *arg)
{
    int me = arg != NULL;
    struct node *node = malloc(sizeof *node);

    pthread_once(&once, init);
    pthread_setspecific(key, malloc(16));
    mine += me;
    if (me) {
        x = 1;
        seen[1] = y;
    } else {
        y = 1;
        seen[0] = x;
    }
    pthread_mutex_lock(&lock);
    order = order * 10 + mine;
    node->value = rand() % 3 + (int)fencer_choose(3);
    node->next = list;
    list = node;
    table[node->value * 7]++;
    if (atomic_fetch_add(&done, 1) == 1)
        pthread_cond_broadcast(&cond);
    while (atomic_load(&done) < 2)
        pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int sum = 0;

    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (struct node *n = list; n; n = n->next)
        sum = sum * 8 + n->value;
    fencer_observe("seen", seen[0] * 2 + seen[1]);
    fencer_observe("order", order);
    fencer_observe("list", sum);
    fencer_observe("inits", inits);
    fencer_observe("table", table[0] + table[7] * 2 + table[14] * 4);
    return 0;
}
EOF
"$FENCER" cc -g state.c -o state -pthread || exit 1
for model in sc tso pso pslo; do
    for strategy in random pct pos rr; do
        for way in '' --by-process; do
            # shellcheck disable=SC2086
            "$FENCER" run --no-color --model $model --strategy $strategy \
                --seed 9 --runs 1000 --json out.json $way ./state \
                >"out$way" 2>&1
            code=$?
            [ $code -eq 0 ] || {
                echo "$model $strategy $way: exit code $code"
                cat "out$way"
                exit 1
            }
        done
        grep -E 'seen=' out | sort >in-process
        grep -E 'seen=' out--by-process | sort >by-process
        if ! [ -s in-process ] || ! cmp -s in-process by-process; then
            echo "$model $strategy: in process and by process differ"
            diff in-process by-process | head -20
            bad=1
        fi
    done
done
exit $bad
