/* SPDX-License-Identifier: MIT
 *
 * Waits that read once before the loop, and then at the end of each round.  The
 * other thread stores eleven values before the one that is waited for.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int turn = 1;
static int data;

static int turn_now(void)
{
    return atomic_load(&turn);
}

static void await_my_turn(void)
{
#ifdef HELPER
    int seen = turn_now();
#else
    int seen = atomic_load(&turn);
#endif

#ifdef WHILE
    while (seen != 0)
        seen = atomic_load(&turn);
#elif defined FOR
    for (; seen; seen = atomic_load(&turn))
        sched_yield();
#elif defined BREAK
    for (;;) {
        if (!seen)
            break;
        seen = atomic_load(&turn);
    }
#elif defined EITHER
    while (seen & 1 || seen & 14)
        seen = atomic_load(&turn);
#elif defined COMPUTED
    while (seen != 0) {
        int rest = seen + 1;

        if (rest == 100)
            return;
        seen = atomic_load(&turn);
    }
#elif defined HELPER
    while (seen != 0)
        seen = turn_now();
#elif defined LAST    /* the old value is of use: this is no wait */
    int before = seen;

    while (seen != 0) {
        before = seen;
        seen = atomic_load(&turn);
    }
    assert(before != 3);
#elif defined COUNTED /* nor is this: it gives up */
    int rounds = 0;

    while (seen != 0) {
        assert(++rounds < 3);
        seen = atomic_load(&turn);
    }
#endif
}

static void *first(void *unused)
{
    (void)unused;
    for (int i = 2; i < 13; i++)
        atomic_store(&turn, i);
#ifndef BUG
    data = 1;
#endif
    atomic_store(&turn, 0);
#ifdef BUG
    data = 1;
#endif
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    await_my_turn();
    assert(data == 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
