/* SPDX-License-Identifier: MIT
 *
 * nsync: its mutex and its condition variable between two threads.  DRIVER is
 * mutex (two that count) or condition (a value handed over).
 */
#include <assert.h>
#include <pthread.h>

#include "nsync.h"

static nsync_mu mu = NSYNC_MU_INIT;
static nsync_cv given = NSYNC_CV_INIT;
static int value, count;

static void *add(void *unused)
{
    nsync_mu_lock(&mu);
    count++;
    nsync_mu_unlock(&mu);
    return unused;
}

static void *take(void *unused)
{
    nsync_mu_lock(&mu);
    while (!value)
        nsync_cv_wait(&given, &mu);
    value--;
    nsync_mu_unlock(&mu);
    return unused;
}

void mutex(void)
{
    pthread_t other;

    assert(!pthread_create(&other, NULL, add, NULL));
    add(NULL);
    assert(!pthread_join(other, NULL));
    assert(count == 2);
}

void condition(void)
{
    pthread_t taker;

    assert(!pthread_create(&taker, NULL, take, NULL));
    nsync_mu_lock(&mu);
    value = 1;
    nsync_cv_signal(&given);
    nsync_mu_unlock(&mu);
    assert(!pthread_join(taker, NULL));
    assert(value == 0);
}

int main(void)
{
    DRIVER();
    return 0;
}
