/* SPDX-License-Identifier: MIT
 *
 * Who gives back the last reference frees the object: that everybody else is
 * done with it by then is what the order of the decrement says.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_acq_rel
#endif

struct object {
    atomic_int references;
    int data;
};

static struct object *shared;

static void put(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->references, 1, ORDER) == 1)
        free(o);
}

static void *user(void *unused)
{
    int seen = shared->data;

    (void)seen;
    put(shared);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    shared = malloc(sizeof *shared);
    atomic_init(&shared->references, 2);
    shared->data = 1;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
