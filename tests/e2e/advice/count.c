/* SPDX-License-Identifier: MIT
 *
 * Who takes the last reference frees.  The decrement does not release; what
 * acquires is the fence, so it needs no more than that.  -DNO_FENCE: there is
 * none, so it has to acquire, too.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
    atomic_int refs;
    int data;
};

static void put(struct item *i)
{
    if (atomic_fetch_sub_explicit(&i->refs, 1, memory_order_relaxed) != 1)
        return;
#ifndef NO_FENCE
    atomic_thread_fence(memory_order_acquire);
#endif
    i->data = 0;
    free(i);
}

static void *user(void *arg)
{
    struct item *i = arg;

    if (i->data != 1)
        abort();
    put(i);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    struct item *i = malloc(sizeof *i);

    i->data = 1;
    atomic_init(&i->refs, 2);
    for (int n = 0; n < 2; n++)
        pthread_create(&t[n], NULL, user, i);
    for (int n = 0; n < 2; n++)
        pthread_join(t[n], NULL);
    return 0;
}
