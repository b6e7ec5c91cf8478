/* SPDX-License-Identifier: MIT
 *
 * What threads return differs from one execution to the next, and the first
 * thread, which joined all of them, is told so each time.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

static void *draw(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)atomic_fetch_add(&x, 1);
}

int main(void)
{
    pthread_t threads[3];
    void *drawn[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, draw, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], &drawn[i]);
#ifdef BUG
    assert((intptr_t)drawn[2] != 0 || (intptr_t)drawn[1] != 1);
#else
    assert((intptr_t)drawn[0] + (intptr_t)drawn[1] + (intptr_t)drawn[2] == 3);
#endif
    return 0;
}
