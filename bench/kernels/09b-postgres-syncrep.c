/* SPDX-License-Identifier: MIT
 *
 * PostgreSQL, synchronous replication: commit 941188a5ff49, bug 14721.
 *
 * Who wakes a backend takes it off the queue and says that the wait is over;
 * the backend, which looks at that word without a lock, then relies on being
 * off the queue.  This is the right order, unlike in 09a, but without barriers:
 * the word may still come first.
 *
 * To the user: an assertion, or a corrupted queue.
 *
 * -DFIXED has a write barrier between the two, and a read barrier where they
 * are looked at.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after links.next = links.prev = NULL;
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define pg_write_barrier() __atomic_thread_fence(__ATOMIC_RELEASE)
#define pg_read_barrier() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#else
#define pg_write_barrier() ((void)0)
#define pg_read_barrier() ((void)0)
#endif

enum { WAITING, WAIT_COMPLETE };

struct links {
    struct links *prev, *next;
};

static struct links queue, links = {&queue, &queue};
static volatile int state = WAITING;

/* SyncRepWakeQueue. */
static void *wal_sender(void *unused)
{
    (void)unused;
    links.next->prev = links.prev;
    links.prev->next = links.next;
    links.next = links.prev = NULL;
    pg_write_barrier();
    state = WAIT_COMPLETE;
    return NULL;
}

/* SyncRepWaitForLSN. */
static void *backend(void *unused)
{
    (void)unused;
    while (state != WAIT_COMPLETE)
        ;
    pg_read_barrier();
    assert(links.next == NULL && links.prev == NULL);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    queue.prev = queue.next = &links;
    pthread_create(&a, NULL, wal_sender, NULL);
    pthread_create(&b, NULL, backend, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
