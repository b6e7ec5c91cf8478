/* SPDX-License-Identifier: MIT
 *
 * With --deps a reader may rely on the order of dependent loads, through a
 * list and through a function's argument too, but not on the order of others.
 *
 * expect: 1 the loads do not depend on each other
 * fixed: 0
 * options: --model pslo --runs 20000 --deps
 */
#include <assert.h>
#include <pthread.h>

#include "fencer.h"

struct node {
    int value;
    struct node *next;
};

static struct node second, first = {1, 0};
static int ready;

static void *publish(void *unused)
{
    second.value = 1;
    fencer_fence_full();
    first.next = &second;
    fencer_fence_full();
    ready = 1;
    return unused;
}

static int value_of(const struct node *n)
{
    return n->value;
}

static void *follow(void *unused)
{
    for (struct node *n = &first; n; n = n->next) {
        assert(n->value == 1);
        assert(value_of(n) == 1);
    }
#ifndef FIXED
    int is_ready = ready;
    struct node *next = first.next;

    assert((!is_ready || next) && "the loads do not depend on each other");
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, follow, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
