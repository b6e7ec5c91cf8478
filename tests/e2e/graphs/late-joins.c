/* SPDX-License-Identifier: MIT
 *
 * Joins that may give up: TIMED, or TRY.  Whether they do is the scheduler's
 * choice; who does has seen nothing of the other thread's end.  With STOPS the
 * thread ends only when it is told to, after the join has given up.  BUG takes
 * what it wrote for granted, LUCKY that the join gives up.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int data, stop;

static void *work(void *unused)
{
    atomic_store(&data, 1);
    atomic_store(&data, 2);
#ifdef STOPS
    while (!atomic_load(&stop))
        ;
#endif
    return unused;
}

/* 0: it has ended. */
static int join(pthread_t thread)
{
    struct timespec until, now;
    int error;

#ifdef TRY
    return pthread_tryjoin_np(thread, NULL);
#endif
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    error = pthread_timedjoin_np(thread, NULL, &until);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(error == 0 || now.tv_sec >= until.tv_sec);
    return error;
}

int main(void)
{
    pthread_t thread;
    int error;

    pthread_create(&thread, NULL, work, NULL);
    error = join(thread);
#ifdef TRY
    assert(error == 0 || error == EBUSY);
#else
    assert(error == 0 || error == ETIMEDOUT);
#endif
#ifdef BUG
    assert(atomic_load(&data) == 2);
#else
    assert(error || atomic_load(&data) == 2);
#endif
#if defined(STOPS) || defined(LUCKY)
    assert(error);
#endif
    atomic_store(&stop, 1);
    if (error)
        pthread_join(thread, NULL);
    return 0;
}
