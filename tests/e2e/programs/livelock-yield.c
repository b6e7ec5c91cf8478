/* SPDX-License-Identifier: MIT
 *
 * The same with a yield in the loop, which does not make it better.
 *
 * expect: 1 livelock
 * fixed: 0
 * options: --model tso
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static volatile int go;

static void *waiter(void *unused)
{
    (void)unused;
    while (!go)
        sched_yield();
    return NULL;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, waiter, NULL);
#ifdef FIXED
    go = 1;
#endif
    pthread_join(a, NULL);
    return 0;
}
