/* SPDX-License-Identifier: MIT
 *
 * Wait for an answer, but not for ever: after the time is up a last look is
 * taken without the lock.  -DBROKEN: that look is relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#ifdef BROKEN
#define LAST_LOOK memory_order_relaxed
#else
#define LAST_LOOK memory_order_acquire
#endif

static struct {
    pthread_mutex_t m;
    pthread_cond_t c;
    atomic_bool there;
    int text;
} answer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};

static bool wait_for_answer(int ms)
{
    struct timespec until;
    int rc = 0;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&answer.m);
    while (!atomic_load_explicit(&answer.there, memory_order_relaxed) &&
           rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&answer.c, &answer.m, &until);
    pthread_mutex_unlock(&answer.m);
    return atomic_load_explicit(&answer.there, LAST_LOOK);
}

static void *server(void *unused)
{
    pthread_mutex_lock(&answer.m);
    answer.text = 200;
    atomic_store_explicit(&answer.there, true, memory_order_release);
    pthread_cond_signal(&answer.c);
    pthread_mutex_unlock(&answer.m);
    return unused;
}

int main(void)
{
    pthread_t s;

    pthread_create(&s, NULL, server, NULL);
    if (wait_for_answer(50))
        assert(answer.text == 200);
    pthread_join(s, NULL);
    return 0;
}
