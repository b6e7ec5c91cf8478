/* SPDX-License-Identifier: MIT
 *
 * A runtime for task graphs, hw-native-sys/simpler: pull request 122, repaired
 * for ARM, which has it where an acquire load is an ldapr (--rcpc).  x86 has it
 * in any case.
 *
 * The orchestrator says how many tasks a consumer waits for, then looks how
 * many are done.  The scheduler counts a task as done, then looks how many are
 * waited for.  Whoever finds the two equal starts the consumer.  The
 * orchestrator's load may overtake its release store, and then nobody does.
 *
 * To the user: a task that is never started.
 *
 * -DFIXED uses seq_cst for all four.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&fanin_count
 *   verify: arm right, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 *   verify --rcpc: arm broken
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define ACQUIRE memory_order_seq_cst
#define RELEASE memory_order_seq_cst
#define ACQ_REL memory_order_seq_cst
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define ACQ_REL memory_order_acq_rel
#endif

static atomic_int fanin_count, refcount;
static sem_t ready;

static void *orchestrator(void *unused)
{
    (void)unused;
    atomic_store_explicit(&fanin_count, 1, RELEASE);
    if (atomic_load_explicit(&refcount, ACQUIRE) == 1)
        sem_post(&ready);
    return NULL;
}

static void *scheduler(void *unused)
{
    (void)unused;
    atomic_fetch_add_explicit(&refcount, 1, ACQ_REL);
    if (atomic_load_explicit(&fanin_count, ACQUIRE) == 1)
        sem_post(&ready);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&ready, 0, 0);
    pthread_create(&a, NULL, orchestrator, NULL);
    pthread_create(&b, NULL, scheduler, NULL);
    sem_wait(&ready); /* the consumer */
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
