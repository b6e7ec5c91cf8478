/* SPDX-License-Identifier: MIT
 *
 * A block is freed when who used it has been joined, so its bytes stay that
 * thread's own: a round that waits and writes one of them changes nothing.
 * -DEARLY and the others: somebody uses it after that all the same.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    int seen, other;
    atomic_int full, done;
};

static struct box *box;

static void *consumer(void *unused)
{
#ifdef EARLY
    box->seen = 1;
#else
    do
        box->seen = atomic_load(&box->full);
    while (!box->seen);
#endif
    atomic_store(&box->done, 1);
#ifdef LATE
    box->seen = 2;
#endif
    return unused;
}

static void *user(void *at)
{
    *(int *)at = 1;
    return NULL;
}

int main(void)
{
    pthread_t c, u;

    box = calloc(1, sizeof *box);
    pthread_create(&c, NULL, consumer, NULL);
#ifdef OTHER
    pthread_create(&u, NULL, user, &box->other);
#endif
    atomic_store(&box->full, 1);
#ifdef LATE
    while (!atomic_load(&box->done))
        ;
    free(box);
    pthread_join(c, NULL);
    return 0;
#endif
#ifndef EARLY
    pthread_join(c, NULL);
#endif
    free(box);
#ifdef EARLY
    pthread_join(c, NULL);
#elif defined OTHER
    pthread_join(u, NULL);
#elif defined AFTER
    pthread_create(&u, NULL, user, &box->seen);
    pthread_join(u, NULL);
#elif defined UNUSED
    pthread_create(&u, NULL, user, &box->other);
    pthread_join(u, NULL);
#elif defined SELF
    return box->seen != 1;
#elif defined TWICE
    free(box);
#else
    (void)u;
    (void)user;
#endif
    return 0;
}
