/* SPDX-License-Identifier: MIT
 *
 * A thread that does nothing but wait for its cancellation: it never ends if
 * nobody asks (-DBROKEN).
 */
#include <assert.h>
#include <pthread.h>

static void *wait(void *arg)
{
    for (;;)
        pthread_testcancel();
    return arg;
}

int main(void)
{
    pthread_t t, other;
    void *result;

    pthread_create(&t, NULL, wait, NULL);
    pthread_create(&other, NULL, wait, NULL);
#ifndef BROKEN
    pthread_cancel(other);
#endif
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_join(other, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
