/* SPDX-License-Identifier: MIT
 *
 * PostgreSQL, synchronous replication as it was: commit 941188a5ff49, bug
 * 14721.
 *
 * Who wakes a backend says that the wait is over, then takes it off the queue.
 * The backend, which looks at that word without a lock, relies on being off the
 * queue, and is fast enough to see that it is not.  This fails on any machine;
 * no fence helps.
 *
 * To the user: an assertion, or a corrupted queue.
 *
 * -DFIXED does the two the other way round, with a write barrier between them
 * and a read barrier where they are looked at.  09b has what remains without
 * these.
 *
 *   broken: sc
 *   failure: assertion failed
 *   fixed: pslo
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define pg_write_barrier() __atomic_thread_fence(__ATOMIC_RELEASE)
#define pg_read_barrier() __atomic_thread_fence(__ATOMIC_ACQUIRE)

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
#ifndef FIXED
    state = WAIT_COMPLETE;
#endif
    links.next->prev = links.prev;
    links.prev->next = links.next;
    links.next = links.prev = NULL;
#ifdef FIXED
    pg_write_barrier();
    state = WAIT_COMPLETE;
#endif
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
