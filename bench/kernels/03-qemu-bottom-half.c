/* SPDX-License-Identifier: MIT
 *
 * QEMU, async.c: a bottom half that is not run (commit e8d3b1a25f28, "both are
 * reproducible on x86_64 as well, easier on aarch64").
 *
 * A worker finishes a request and schedules the bottom half, unless it is
 * scheduled already.  The event loop clears that mark, then runs the callback,
 * which looks at the request.  Its clearing store may stay in the buffer until
 * the callback is through: the worker then finds the old mark and thinks that
 * the callback is still to come.  The worker's own store, of the result, may be
 * late in the same way.
 *
 * To the user: a disk request is done and nobody notices; the guest hangs.
 *
 * -DFIXED exchanges the mark on both sides.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after state = DONE;
 *   fence: sl after atomic_store_explicit(&scheduled, 0
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

enum { ACTIVE, DONE };

static volatile int state = ACTIVE; /* of the request */
static atomic_int scheduled = 1;    /* some earlier event did that */
static sem_t notified;

/* thread-pool.c, then qemu_bh_schedule. */
static void *worker(void *unused)
{
    (void)unused;
    state = DONE;
#ifdef FIXED
    if (atomic_exchange(&scheduled, 1) == 0)
        sem_post(&notified);
#else
    if (atomic_load_explicit(&scheduled, memory_order_relaxed) == 0) {
        atomic_store_explicit(&scheduled, 1, memory_order_release);
        sem_post(&notified);
    }
#endif
    return NULL;
}

/* The loop around aio_bh_poll. */
static void *event_loop(void *unused)
{
    int seen;

    (void)unused;
    do {
        sem_wait(&notified);
#ifdef FIXED
        atomic_exchange(&scheduled, 0);
#else
        atomic_store_explicit(&scheduled, 0, memory_order_relaxed);
#endif
        seen = state; /* the callback */
    } while (seen != DONE);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&notified, 0, 1);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, event_loop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
