/* SPDX-License-Identifier: MIT
 *
 * Linux, try_to_wake_up: commit 135e8c9250dd, machines that hang.
 *
 * A CPU puts a task on its run queue, switches to it, and the task soon says
 * that it wants to sleep again.  Another CPU that wakes it sees that wish, and
 * asks whether the task is still on the run queue, in which case there is
 * little to do.  If the second load is satisfied first, a wish of now meets a
 * queue of before: the task is running, and the CPU waits for it to stop.
 *
 * To the user: a CPU spins on `on_cpu` for ever; the watchdog fires.
 *
 * -DFIXED has a read barrier between the two loads.
 *
 *   broken: pslo
 *   failure: livelock
 *   fixed: pslo
 *   fence: ll before if (!READ_ONCE(on_rq)
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stddef.h>

#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#ifdef FIXED
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#else
#define smp_rmb() ((void)0)
#endif
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (READ_ONCE(x) = (value))

enum { WAKING, RUNNING, UNINTERRUPTIBLE };

static int state = WAKING, on_rq, on_cpu;
static pthread_mutex_t rq_lock = PTHREAD_MUTEX_INITIALIZER;

/* sched_ttwu_pending, __schedule, then the task, which wants to sleep until it
 * is woken.  It is interrupted before it calls __schedule, by somebody who
 * waits for the waker. */
static void *task(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&rq_lock);
    WRITE_ONCE(on_rq, 1);
    WRITE_ONCE(on_cpu, 1);
    smp_mb();
    pthread_mutex_unlock(&rq_lock);
    WRITE_ONCE(state, UNINTERRUPTIBLE);
    return NULL;
}

/* try_to_wake_up. */
static void *waker(void *unused)
{
    (void)unused;
    if (READ_ONCE(state) != UNINTERRUPTIBLE)
        return NULL;
    smp_rmb();
    if (!READ_ONCE(on_rq)) {
        while (READ_ONCE(on_cpu))
            ;
    }
    WRITE_ONCE(state, RUNNING);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, task, NULL);
    pthread_create(&b, NULL, waker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
