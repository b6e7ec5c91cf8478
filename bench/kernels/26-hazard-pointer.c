/* SPDX-License-Identifier: MIT
 *
 * Hazard pointers: kcenon/thread_system issue 600, pull request 602.
 *
 * A reader publishes the pointer that it is going to use, then looks whether it
 * is still the current one.  Who replaces it looks at all published pointers
 * before it frees the old one.  The reader published with a release store,
 * which its second look may overtake.
 *
 * To the user: use after free, also on x86, under load only.
 *
 * ARM's instructions for these two keep them in order, unless the look is an
 * ldapr (--rcpc).
 *
 * -DFIXED has a full fence between publishing and looking.
 *
 *   broken: tso
 *   failure: use after free
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&hazard, p
 *   verify: arm right, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 *   verify --rcpc: arm broken
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static int *_Atomic shared;
static int *_Atomic hazard;

static void *reader(void *unused)
{
    int *p;

    (void)unused;
    do {
        p = atomic_load_explicit(&shared, memory_order_acquire);
        atomic_store_explicit(&hazard, p, memory_order_release);
#ifdef FIXED
        atomic_thread_fence(memory_order_seq_cst);
#endif
    } while (p != atomic_load_explicit(&shared, memory_order_acquire));
    *p = 1;
    atomic_store_explicit(&hazard, NULL, memory_order_release);
    return NULL;
}

static void *writer(void *unused)
{
    int *old = atomic_exchange(&shared, calloc(1, sizeof *old));

    (void)unused;
    while (atomic_load(&hazard) == old)
        ;
    free(old);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    atomic_init(&shared, calloc(1, sizeof *shared));
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
