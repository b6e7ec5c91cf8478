/* SPDX-License-Identifier: MIT
 *
 * Bf-Tree, taking a snapshot: pull request 33, broken on x86-64 only.
 *
 * A worker announces itself in its slot, then looks whether a snapshot has
 * begun.  The snapshot's manager says that it begins, then looks for workers.
 * Release stores and acquire loads: ARM's instructions for these keep the two
 * in order beyond what was asked for, those of x86 do not, nor does ARM's ldapr
 * (--rcpc).
 *
 * To the user: the manager frees nodes that a worker still writes to.
 *
 * -DFIXED has a full fence on both sides.
 *
 *   broken: tso
 *   failure: use after free
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&slot
 *   fence: sl after atomic_store_explicit(&pause_snapshot
 *   verify: arm right, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 *   verify --rcpc: arm broken
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int slot, pause_snapshot;
static int *node;

static void full_fence(void)
{
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *worker(void *unused)
{
    (void)unused;
    atomic_store_explicit(&slot, 1, memory_order_release);
    full_fence();
    if (!atomic_load_explicit(&pause_snapshot, memory_order_acquire))
        *node = 1;
    atomic_store_explicit(&slot, 0, memory_order_release);
    return NULL;
}

static void *manager(void *unused)
{
    (void)unused;
    atomic_store_explicit(&pause_snapshot, 1, memory_order_release);
    full_fence();
    while (atomic_load_explicit(&slot, memory_order_acquire))
        ;
    free(node);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    node = calloc(1, sizeof *node);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, manager, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
