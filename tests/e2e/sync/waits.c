/* SPDX-License-Identifier: MIT
 *
 * Condition variables, semaphores, barriers and once: what they promise, and
 * the errors POSIX names.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    ts.tv_nsec += ms * 1000000;
    ts.tv_sec += ts.tv_nsec / 1000000000;
    ts.tv_nsec %= 1000000000;
    return ts;
}

/* ---- Condition variables. ---- */

static int slot, taken;

static void *consume(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (!slot)
            assert(!pthread_cond_wait(&changed, &lock));
        taken += slot;
        slot = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *produce(void *argument)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        while (slot)
            assert(!pthread_cond_wait(&changed, &lock));
        slot = i;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void producers_and_consumers_meet(void)
{
    pthread_t t[4];

    slot = taken = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i & 1 ? produce : consume, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(taken == 6);
}

static int waiting, woken, go;

static void *wait_to_go(void *argument)
{
    pthread_mutex_lock(&lock);
    waiting++;
    while (!go)
        pthread_cond_wait(&changed, &lock);
    go--;
    woken++;
    pthread_mutex_unlock(&lock);
    return argument;
}

static void let_one_go(void)
{
    pthread_mutex_lock(&lock);
    go++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void a_signal_wakes_one(void)
{
    pthread_t t[3];

    waiting = woken = go = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, wait_to_go, NULL);
    for (int i = 0; i < 3; i++)
        let_one_go();
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(woken == 3 && go == 0);
}

/* A wait may end by itself; who looks again is told in the end. */
static int signalled;

static void *wait_once(void *argument)
{
    pthread_mutex_lock(&lock);
    waiting = 1;
    while (!signalled)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void a_wait_ends_after_a_signal(void)
{
    pthread_t t;
    int there = 0;

    waiting = signalled = 0;
    pthread_create(&t, NULL, wait_once, NULL);
    while (!there) {
        pthread_mutex_lock(&lock);
        there = waiting;
        pthread_mutex_unlock(&lock);
        sched_yield();
    }
    pthread_mutex_lock(&lock);
    signalled = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&changed);
    pthread_join(t, NULL);
}

static void timed_waits_end(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1), now;
    struct timespec bad = {0, -5}, past = {0, 0};
    pthread_condattr_t attr;
    pthread_cond_t c;
    clockid_t clock;
    int n;

    pthread_mutex_lock(&lock);
    assert(pthread_cond_timedwait(&changed, &lock, &soon) == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec > soon.tv_sec ||
           (now.tv_sec == soon.tv_sec && now.tv_nsec >= soon.tv_nsec));
    assert(pthread_cond_timedwait(&changed, &lock, &past) == ETIMEDOUT);
    assert(pthread_cond_timedwait(&changed, &lock, &bad) == EINVAL);
    soon = in_ms(CLOCK_MONOTONIC, 1);
    assert(pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &soon) ==
           ETIMEDOUT);
    assert(pthread_cond_clockwait(&changed, &lock, 77, &soon) == EINVAL);
    assert(!pthread_condattr_init(&attr));
    assert(pthread_condattr_setclock(&attr, 77) == EINVAL);
    assert(!pthread_condattr_setclock(&attr, CLOCK_MONOTONIC));
    assert(!pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED));
    assert(!pthread_condattr_getclock(&attr, &clock));
    assert(clock == CLOCK_MONOTONIC);
    assert(!pthread_condattr_getpshared(&attr, &n));
    assert(n == PTHREAD_PROCESS_SHARED);
    assert(!pthread_cond_init(&c, &attr));
    assert(pthread_cond_timedwait(&c, &lock, &soon) == ETIMEDOUT);
    assert(!pthread_cond_destroy(&c));
    assert(!pthread_condattr_destroy(&attr));
    pthread_mutex_unlock(&lock);
}

static void *signal_late(void *argument)
{
    pthread_mutex_lock(&lock);
    signalled = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void a_timed_wait_may_end_either_way(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1);
    pthread_t t;
    int error = 0;

    signalled = 0;
    pthread_create(&t, NULL, signal_late, NULL);
    pthread_mutex_lock(&lock);
    while (!signalled && !error)
        error = pthread_cond_timedwait(&changed, &lock, &soon);
    assert(error == 0 || error == ETIMEDOUT);
    assert(signalled || error == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}

static void waiting_gives_up_all_of_a_recursive_mutex(void)
{
    static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    struct timespec soon = in_ms(CLOCK_REALTIME, 1);

    assert(pthread_cond_timedwait(&changed, &m, &soon) == EPERM);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&changed, &m, &soon) == ETIMEDOUT);
    assert(!pthread_mutex_unlock(&m));
    assert(!pthread_mutex_unlock(&m));
    assert(pthread_mutex_unlock(&m) == EPERM);
}

/* POSIX's own example: the last to leave after a broadcast may destroy. */
struct guarded {
    pthread_mutex_t m;
    pthread_cond_t c;
    int open;
};

static void *pass(void *g)
{
    struct guarded *guarded = g;

    pthread_mutex_lock(&guarded->m);
    while (!guarded->open)
        pthread_cond_wait(&guarded->c, &guarded->m);
    pthread_mutex_unlock(&guarded->m);
    return NULL;
}

static void destroy_after_broadcast(void)
{
    struct guarded *g = calloc(1, sizeof *g);
    pthread_t t;

    pthread_mutex_init(&g->m, NULL);
    pthread_cond_init(&g->c, NULL);
    pthread_create(&t, NULL, pass, g);
    pthread_mutex_lock(&g->m);
    g->open = 1;
    pthread_cond_broadcast(&g->c);
    assert(!pthread_cond_destroy(&g->c));
    pthread_mutex_unlock(&g->m);
    pthread_join(t, NULL);
    assert(!pthread_mutex_destroy(&g->m));
    free(g);
}

/* ---- Semaphores. ---- */

static sem_t full, empty;
static int box, sum;

static void *fill(void *argument)
{
    for (int i = 1; i <= 2; i++) {
        assert(!sem_wait(&empty));
        box = i;
        assert(!sem_post(&full));
    }
    return argument;
}

static void *drain(void *argument)
{
    for (int i = 0; i < 2; i++) {
        assert(!sem_wait(&full));
        sum += box;
        assert(!sem_post(&empty));
    }
    return argument;
}

static void semaphores_pass_a_box(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1), bad = {0, -1};
    pthread_t a, b;
    int value = -1;

    sum = 0;
    assert(!sem_init(&full, 0, 0));
    assert(!sem_init(&empty, 0, 1));
    assert(sem_init(&empty, 0, 1u << 31) == -1 && errno == EINVAL);
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, drain, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 3);
    assert(!sem_getvalue(&empty, &value) && value == 1);
    assert(!sem_trywait(&empty));
    assert(sem_trywait(&empty) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&empty, &soon) == -1 && errno == ETIMEDOUT);
    soon = in_ms(CLOCK_MONOTONIC, 1);
    assert(sem_clockwait(&empty, CLOCK_MONOTONIC, &soon) == -1);
    assert(errno == ETIMEDOUT);
    assert(sem_timedwait(&empty, &bad) == -1 && errno == EINVAL);
    assert(!sem_destroy(&full) && !sem_destroy(&empty));
    assert(!sem_init(&full, 0, 0x7fffffff));
    assert(sem_post(&full) == -1 && errno == EOVERFLOW);
}

static void named_semaphores(void)
{
    sem_t *a, *b;
    int value = -1;

    assert(sem_open("/x", 0) == SEM_FAILED && errno == ENOENT);
    a = sem_open("/x", O_CREAT, 0600, 3);
    assert(a != SEM_FAILED);
    assert(sem_open("/x", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    assert(errno == EEXIST);
    assert(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
    b = sem_open("/x", O_CREAT, 0600, 9);
    assert(a == b);
    assert(!sem_wait(b) && !sem_getvalue(a, &value) && value == 2);
    assert(!sem_unlink("/x"));
    assert(sem_unlink("/x") == -1 && errno == ENOENT);
    assert(sem_open("/x", 0) == SEM_FAILED);
    assert(!sem_close(b));
    assert(!sem_post(a));
    assert(!sem_close(a));
    assert(sem_close((sem_t *)&value) == -1 && errno == EINVAL);
}

/* ---- Barriers. ---- */

static pthread_barrier_t barrier;
static int before[3], serials;

static void *meet(void *argument)
{
    int me = (int)(intptr_t)argument;

    for (int round = 1; round <= 2; round++) {
        int result;

        before[me] = round;
        result = pthread_barrier_wait(&barrier);
        assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
        for (int i = 0; i < 3; i++)
            assert(before[i] >= round);
        if (result)
            __atomic_fetch_add(&serials, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void barriers_wait_for_all(void)
{
    pthread_barrierattr_t attr;
    pthread_t t[3];
    int n;

    serials = 0;
    memset(before, 0, sizeof before);
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    assert(!pthread_barrierattr_init(&attr));
    assert(!pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED));
    assert(!pthread_barrierattr_getpshared(&attr, &n));
    assert(n == PTHREAD_PROCESS_SHARED);
    assert(!pthread_barrier_init(&barrier, &attr, 3));
    assert(!pthread_barrierattr_destroy(&attr));
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, meet, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(serials == 2);
    assert(!pthread_barrier_destroy(&barrier));
}

/* ---- Once. ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT, left = PTHREAD_ONCE_INIT;
static int made, tries;

static void make(void)
{
    made++;
}

static void *use(void *argument)
{
    assert(!pthread_once(&once, make));
    assert(made == 1);
    return argument;
}

static void leave_the_first_time(void)
{
    if (++tries == 1)
        pthread_exit(NULL);
}

static void *try_once(void *argument)
{
    pthread_once(&left, leave_the_first_time);
    return argument;
}

static void once_is_once(void)
{
    pthread_t t[3];
    void *result;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, use, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    pthread_create(&t[0], NULL, try_once, &made);
    pthread_join(t[0], &result);
    assert(!result && tries == 1);
    pthread_create(&t[0], NULL, try_once, &made);
    pthread_join(t[0], &result);
    assert(result == &made && tries == 2);
}

int main(void)
{
    producers_and_consumers_meet();
    a_signal_wakes_one();
    a_wait_ends_after_a_signal();
    timed_waits_end();
    a_timed_wait_may_end_either_way();
    waiting_gives_up_all_of_a_recursive_mutex();
    destroy_after_broadcast();
    semaphores_pass_a_box();
    named_semaphores();
    barriers_wait_for_all();
    once_is_once();
    return 0;
}
