/* SPDX-License-Identifier: MIT
 *
 * A mutex on a futex whose waiter takes it as if nobody else waited: the third
 * thread is never woken.  -DFIXED: it takes it as contended.  The waiter that
 * finds the mutex taken, but not contended, goes round without sleeping.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef FIXED
#define AGAIN 2
#else
#define AGAIN 1
#endif

static atomic_int word; /* 0 free, 1 taken, 2 taken and somebody may sleep */
static int counter;

static void lock(void)
{
    int seen = 0;

    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    if (seen != 2)
        seen = atomic_exchange(&word, 2);
    while (seen != 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
        seen = atomic_exchange(&word, AGAIN);
    }
}

static void unlock(void)
{
    if (atomic_fetch_sub(&word, 1) == 1)
        return;
    atomic_store(&word, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    if (counter != 3)
        abort();
    return 0;
}
