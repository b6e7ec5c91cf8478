/* SPDX-License-Identifier: MIT
 *
 * Mutexes of all kinds, locks for readers and writers, spin locks: exclusion,
 * memory order, and the errors POSIX names.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    ts.tv_nsec += ms * 1000000;
    ts.tv_sec += ts.tv_nsec / 1000000000;
    ts.tv_nsec %= 1000000000;
    return ts;
}

/* Runs f in a thread and gives its result. */
static intptr_t elsewhere(void *(*f)(void *), void *argument)
{
    pthread_t t;
    void *result;

    assert(!pthread_create(&t, NULL, f, argument));
    assert(!pthread_join(t, &result));
    return (intptr_t)result;
}

static void *lock_elsewhere(void *m)
{
    int error = pthread_mutex_lock(m);

    if (!error || error == EOWNERDEAD)
        pthread_mutex_unlock(m);
    return (void *)(intptr_t)error;
}

static void *trylock_elsewhere(void *m)
{
    int error = pthread_mutex_trylock(m);

    if (!error)
        pthread_mutex_unlock(m);
    return (void *)(intptr_t)error;
}

static void *unlock_elsewhere(void *m)
{
    return (void *)(intptr_t)pthread_mutex_unlock(m);
}

static void *timedlock_elsewhere(void *m)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1);

    return (void *)(intptr_t)pthread_mutex_timedlock(m, &soon);
}

/* ---- Exclusion. ---- */

static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, inside;

static void *count(void *argument)
{
    for (int i = 0; i < 3; i++) {
        assert(!pthread_mutex_lock(&counter_lock));
        assert(!inside);
        inside = 1;
        counter++;
        inside = 0;
        assert(!pthread_mutex_unlock(&counter_lock));
    }
    return argument;
}

static void a_mutex_excludes(void)
{
    pthread_t t[3];

    counter = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(counter == 9);
    /* An unlock may sit in the buffer; its own thread knows better. */
    assert(!pthread_mutex_lock(&counter_lock));
    assert(!pthread_mutex_unlock(&counter_lock));
    assert(!pthread_mutex_trylock(&counter_lock));
    assert(!pthread_mutex_unlock(&counter_lock));
}

static void *try_count(void *argument)
{
    while (pthread_mutex_trylock(&counter_lock))
        ;
    counter++;
    pthread_mutex_unlock(&counter_lock);
    return argument;
}

static void spinning_with_trylock_ends(void)
{
    pthread_t t[2];

    counter = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, try_count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
}

/* ---- Kinds. ---- */

static void a_normal_mutex(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct timespec soon = in_ms(CLOCK_REALTIME, 1), bad = {0, -1};

    assert(!pthread_mutex_lock(&m));
    assert(pthread_mutex_trylock(&m) == EBUSY);
    assert(elsewhere(trylock_elsewhere, &m) == EBUSY);
    assert(elsewhere(timedlock_elsewhere, &m) == ETIMEDOUT);
    /* Its owner waits for itself until the time is up. */
    assert(pthread_mutex_timedlock(&m, &soon) == ETIMEDOUT);
    soon = in_ms(CLOCK_MONOTONIC, 1);
    assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&m, 77, &soon) == EINVAL);
    assert(pthread_mutex_timedlock(&m, &bad) == EINVAL);
    assert(!pthread_mutex_unlock(&m));
    assert(elsewhere(lock_elsewhere, &m) == 0);
    assert(!pthread_mutex_destroy(&m));
    assert(!pthread_mutex_init(&m, NULL));
    assert(!pthread_mutex_lock(&m));
    assert(!pthread_mutex_unlock(&m));
}

static void check_recursive(pthread_mutex_t *m)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1);

    assert(!pthread_mutex_lock(m));
    assert(!pthread_mutex_lock(m));
    assert(!pthread_mutex_trylock(m));
    assert(!pthread_mutex_timedlock(m, &soon));
    assert(elsewhere(trylock_elsewhere, m) == EBUSY);
    assert(elsewhere(unlock_elsewhere, m) == EPERM);
    for (int i = 0; i < 3; i++)
        assert(!pthread_mutex_unlock(m));
    assert(elsewhere(trylock_elsewhere, m) == EBUSY);
    assert(!pthread_mutex_unlock(m));
    assert(pthread_mutex_unlock(m) == EPERM);
    assert(elsewhere(trylock_elsewhere, m) == 0);
    assert(!pthread_mutex_destroy(m));
}

static void check_errorcheck(pthread_mutex_t *m)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1);

    assert(pthread_mutex_unlock(m) == EPERM);
    assert(!pthread_mutex_lock(m));
    assert(pthread_mutex_lock(m) == EDEADLK);
    assert(pthread_mutex_timedlock(m, &soon) == EDEADLK);
    assert(pthread_mutex_trylock(m) == EBUSY);
    assert(elsewhere(unlock_elsewhere, m) == EPERM);
    assert(!pthread_mutex_unlock(m));
    assert(pthread_mutex_unlock(m) == EPERM);
    assert(!pthread_mutex_destroy(m));
}

static pthread_mutex_t made_recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made_checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made_adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static void kinds_by_initialiser_and_by_attribute(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t m;

    check_recursive(&made_recursive);
    check_errorcheck(&made_checking);
    assert(!pthread_mutex_lock(&made_adaptive));
    assert(pthread_mutex_trylock(&made_adaptive) == EBUSY);
    assert(!pthread_mutex_unlock(&made_adaptive));
    assert(!pthread_mutexattr_init(&attr));
    assert(!pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE));
    assert(!pthread_mutex_init(&m, &attr));
    check_recursive(&m);
    assert(!pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK));
    assert(!pthread_mutex_init(&m, &attr));
    check_errorcheck(&m);
    assert(!pthread_mutexattr_destroy(&attr));
}

static void mutex_attributes(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t m;
    int n = -1;

    assert(!pthread_mutexattr_init(&attr));
    assert(!pthread_mutexattr_gettype(&attr, &n) && n == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_settype(&attr, 9) == EINVAL);
    assert(pthread_mutexattr_setpshared(&attr, 5) == EINVAL);
    assert(!pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED));
    assert(!pthread_mutexattr_getpshared(&attr, &n));
    assert(n == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setrobust(&attr, 5) == EINVAL);
    assert(!pthread_mutexattr_getrobust(&attr, &n));
    assert(n == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setprotocol(&attr, 5) == EINVAL);
    assert(!pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
    assert(!pthread_mutexattr_getprotocol(&attr, &n));
    assert(n == PTHREAD_PRIO_PROTECT);
    assert(!pthread_mutexattr_setprioceiling(&attr, 12));
    assert(!pthread_mutexattr_getprioceiling(&attr, &n) && n == 12);
    assert(!pthread_mutexattr_gettype(&attr, &n) && n == PTHREAD_MUTEX_DEFAULT);
    assert(!pthread_mutex_init(&m, &attr));
    assert(!pthread_mutex_getprioceiling(&m, &n) && n == 12);
    assert(!pthread_mutex_setprioceiling(&m, 13, &n) && n == 12);
}

static void *keep(void *m)
{
    return (void *)(intptr_t)pthread_mutex_lock(m);
}

static void a_robust_mutex_survives_its_owner(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t m;

    pthread_mutexattr_init(&attr);
    assert(!pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST));
    assert(!pthread_mutex_init(&m, &attr));
    assert(pthread_mutex_consistent(&m) == EINVAL);
    assert(elsewhere(keep, &m) == 0);
    assert(pthread_mutex_lock(&m) == EOWNERDEAD);
    assert(!pthread_mutex_consistent(&m));
    assert(!pthread_mutex_unlock(&m));
    assert(elsewhere(keep, &m) == 0);
    assert(pthread_mutex_trylock(&m) == EOWNERDEAD);
    assert(!pthread_mutex_unlock(&m));
    assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
    assert(elsewhere(lock_elsewhere, &m) == ENOTRECOVERABLE);
    assert(!pthread_mutex_destroy(&m));
}

struct account {
    int balance;
    pthread_mutex_t lock;
    int after;
};

static void *deposit(void *a)
{
    struct account *account = a;

    pthread_mutex_lock(&account->lock);
    account->balance++;
    pthread_mutex_unlock(&account->lock);
    return NULL;
}

/* The stores of memset and of the struct's assignment must be under the
 * mutex's own state, whatever the buffer holds. */
static void a_mutex_in_memory_just_written(void)
{
    struct account *a = malloc(sizeof *a);
    pthread_t t;

    memset(a, 0xff, sizeof *a);
    memset(a, 0, sizeof *a);
    assert(!pthread_mutex_init(&a->lock, NULL));
    pthread_create(&t, NULL, deposit, a);
    deposit(a);
    pthread_join(t, NULL);
    assert(a->balance == 2);
    *a = (struct account){.balance = 7,
                          .lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
    assert(!pthread_mutex_lock(&a->lock));
    assert(pthread_mutex_lock(&a->lock) == EDEADLK);
    assert(!pthread_mutex_unlock(&a->lock));
    assert(!pthread_mutex_destroy(&a->lock));
    free(a);
}

/* ---- Readers and writers. ---- */

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int pair[2];

static void *write_pair(void *argument)
{
    for (int i = 0; i < 2; i++) {
        assert(!pthread_rwlock_wrlock(&rw));
        pair[0]++;
        pair[1]++;
        assert(!pthread_rwlock_unlock(&rw));
    }
    return argument;
}

static void *read_pair(void *argument)
{
    for (int i = 0; i < 2; i++) {
        assert(!pthread_rwlock_rdlock(&rw));
        assert(pair[0] == pair[1]);
        assert(!pthread_rwlock_unlock(&rw));
    }
    return argument;
}

static void a_rwlock_excludes_writers(void)
{
    pthread_t t[4];

    pair[0] = pair[1] = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i & 1 ? read_pair : write_pair, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(pair[0] == 4 && pair[1] == 4);
}

static void *rw_try(void *write)
{
    int error =
        write ? pthread_rwlock_trywrlock(&rw) : pthread_rwlock_tryrdlock(&rw);

    if (!error)
        pthread_rwlock_unlock(&rw);
    return (void *)(intptr_t)error;
}

static void *rw_timed(void *write)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 1);
    int error = write ? pthread_rwlock_timedwrlock(&rw, &soon)
                      : pthread_rwlock_timedrdlock(&rw, &soon);

    if (!error)
        pthread_rwlock_unlock(&rw);
    return (void *)(intptr_t)error;
}

static void rwlock_errors(void)
{
    struct timespec bad = {0, 1000000000}, soon = in_ms(CLOCK_REALTIME, 1);

    assert(!pthread_rwlock_rdlock(&rw));
    assert(!pthread_rwlock_rdlock(&rw));
    assert(elsewhere(rw_try, NULL) == 0);
    assert(elsewhere(rw_try, &rw) == EBUSY);
    assert(elsewhere(rw_timed, NULL) == 0);
    assert(elsewhere(rw_timed, &rw) == ETIMEDOUT);
    assert(!pthread_rwlock_unlock(&rw));
    assert(pthread_rwlock_trywrlock(&rw) == EBUSY);
    assert(!pthread_rwlock_unlock(&rw));
    assert(!pthread_rwlock_wrlock(&rw));
    assert(pthread_rwlock_rdlock(&rw) == EDEADLK);
    assert(pthread_rwlock_wrlock(&rw) == EDEADLK);
    assert(pthread_rwlock_tryrdlock(&rw) == EBUSY);
    assert(elsewhere(rw_try, NULL) == EBUSY);
    assert(elsewhere(rw_timed, NULL) == ETIMEDOUT);
    assert(!pthread_rwlock_unlock(&rw));
    assert(pthread_rwlock_timedrdlock(&rw, &bad) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&rw, 77, &soon) == EINVAL);
    assert(!pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &soon));
    assert(!pthread_rwlock_unlock(&rw));
    assert(!pthread_rwlock_destroy(&rw));
}

static void rwlock_attributes(void)
{
    pthread_rwlockattr_t attr;
    int n = -1;

    assert(!pthread_rwlockattr_init(&attr));
    assert(pthread_rwlockattr_setkind_np(&attr, 9) == EINVAL);
    assert(!pthread_rwlockattr_setkind_np(
        &attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP));
    assert(!pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED));
    assert(!pthread_rwlockattr_getkind_np(&attr, &n));
    assert(n == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    assert(!pthread_rwlockattr_getpshared(&attr, &n));
    assert(n == PTHREAD_PROCESS_SHARED);
    assert(!pthread_rwlock_init(&rw, &attr));
    a_rwlock_excludes_writers();
    assert(!pthread_rwlockattr_destroy(&attr));
}

/* ---- Spin locks. ---- */

static pthread_spinlock_t spin;

static void *spin_count(void *argument)
{
    for (int i = 0; i < 2; i++) {
        if (argument)
            while (pthread_spin_trylock(&spin))
                sched_yield();
        else
            assert(!pthread_spin_lock(&spin));
        counter++;
        assert(!pthread_spin_unlock(&spin));
    }
    return NULL;
}

static void a_spin_lock_excludes(void)
{
    pthread_t t[2];

    assert(pthread_spin_init(&spin, 99) == EINVAL);
    assert(!pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
    counter = 0;
    pthread_create(&t[0], NULL, spin_count, NULL);
    pthread_create(&t[1], NULL, spin_count, "");
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 4);
    assert(!pthread_spin_lock(&spin));
    assert(pthread_spin_trylock(&spin) == EBUSY);
    assert(!pthread_spin_unlock(&spin));
    assert(!pthread_spin_destroy(&spin));
}

int main(void)
{
    a_mutex_excludes();
    spinning_with_trylock_ends();
    a_normal_mutex();
    kinds_by_initialiser_and_by_attribute();
    mutex_attributes();
    a_robust_mutex_survives_its_owner();
    a_mutex_in_memory_just_written();
    a_rwlock_excludes_writers();
    rwlock_errors();
    rwlock_attributes();
    a_spin_lock_excludes();
    return 0;
}
