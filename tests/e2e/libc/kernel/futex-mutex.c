/* SPDX-License-Identifier: MIT
 *
 * The second mutex of Drepper's "Futexes are tricky": 0 free, 1 taken, 2 taken
 * and somebody may wait.  -DLOST forgets to wake; -DWRONG wakes only when
 * nobody waits; -DRELAXED gives the lock back without a release.
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef RELAXED
#define GIVE memory_order_relaxed
#else
#define GIVE memory_order_release
#endif

static atomic_int word;
static int inside;

static void futex(int operation, int value)
{
    syscall(SYS_futex, &word, operation, value, NULL, NULL, 0);
}

static void lock(void)
{
    int seen = 0;

    if (atomic_compare_exchange_strong_explicit(
            &word, &seen, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&word, 2, memory_order_acquire))
        futex(FUTEX_WAIT_PRIVATE, 2);
}

static void unlock(void)
{
    int was = atomic_exchange_explicit(&word, 0, GIVE);

#if defined WRONG
    if (was == 1)
        futex(FUTEX_WAKE_PRIVATE, 1);
#elif defined LOST
    (void)was;
#else
    if (was == 2)
        futex(FUTEX_WAKE_PRIVATE, 1);
#endif
}

static void *worker(void *none)
{
    lock();
    inside++;
    unlock();
    return none;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(inside == 2);
    return 0;
}
