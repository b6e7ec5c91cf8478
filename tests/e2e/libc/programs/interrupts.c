/* SPDX-License-Identifier: MIT
 *
 * A signal to a thread that waits, blocks it, or waits for it; asynchronous
 * cancellation; timers that nobody arms.
 *
 * expect: 0
 * options: --model sc,tso --runs 300
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int handled, in_loop;
static __thread int mine;
static sem_t go;

static void handler(int number)
{
    assert(number == SIGUSR1);
    mine++;
    handled++;
}

static void *waits(void *none)
{
    while (sem_wait(&go))
        assert(errno == EINTR);
    assert(mine <= 1);
    return none;
}

static void *blocks(void *none)
{
    sigset_t set;
    int number;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(!sigwait(&set, &number) && number == SIGUSR1 && !mine);
    return none;
}

static void *counts(void *none)
{
    int was;

    assert(!pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &was));
    assert(was == PTHREAD_CANCEL_DEFERRED);
    for (;;)
        in_loop++;
    return none;
}

static void a_waiting_thread_handles_it(void)
{
    pthread_t t;

    sem_init(&go, 0, 0);
    pthread_create(&t, NULL, waits, NULL);
    assert(!pthread_kill(t, SIGUSR1));
    sem_post(&go);
    pthread_join(t, NULL);
    assert(!mine && handled <= 1);
}

static void a_blocked_one_is_waited_for(void)
{
    sigset_t set, old;
    pthread_t t;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    pthread_create(&t, NULL, blocks, NULL);
    assert(!pthread_kill(t, SIGUSR1));
    pthread_join(t, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void cancellation_anywhere(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, counts, NULL);
    while (!in_loop)
        ;
    assert(!pthread_cancel(t));
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
}

static void timers_that_nobody_arms(void)
{
    struct itimerspec none = {{0, 0}, {0, 0}}, now;
    struct itimerval interval;
    timer_t timer;

    assert(!timer_create(CLOCK_MONOTONIC, NULL, &timer));
    assert(!timer_settime(timer, 0, &none, NULL));
    assert(!timer_gettime(timer, &now) && !now.it_value.tv_sec);
    assert(!timer_delete(timer));
    assert(!getitimer(ITIMER_REAL, &interval) && !interval.it_value.tv_sec);
    assert(!alarm(0));
}

int main(void)
{
    struct sigaction a = {.sa_handler = handler};

    sigaction(SIGUSR1, &a, NULL);
    a_waiting_thread_handles_it();
    a_blocked_one_is_waited_for();
    cancellation_anywhere();
    timers_that_nobody_arms();
    return 0;
}
