/* SPDX-License-Identifier: MIT
 *
 * OpenSSL's RCU, writer's side: issue 26356, pull requests 26690, 26919 and
 * 26961, test failures on PPC64LE and ARM64.
 *
 * A reader takes the number of the current group, counts itself in there, and
 * looks whether the number is still the same.  A writer changes the number,
 * under a mutex, and waits until the old group is empty.  Letting go of a mutex
 * is no barrier for what comes after it, so the look at the group may come
 * first.  On x86 it is one, by way of the instruction that does it.  On ARM it
 * is an stlr, which the ldar after it does not pass.
 *
 * To the user: "rcu torture value went backwards", or a crash: the writer freed
 * what a reader uses.
 *
 * -DFIXED has a full fence between the two.
 *
 *   broken: pso
 *   failure: use after free
 *   fixed: pslo
 *   fence: sl before while (atomic_load_explicit(&users[0]
 *   verify: arm right, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_uint reader_idx, users[2];
static int *_Atomic shared;
static pthread_mutex_t alloc_lock = PTHREAD_MUTEX_INITIALIZER;

/* get_hold_current_qp, ossl_rcu_deref, ossl_rcu_read_unlock. */
static void *reader(void *unused)
{
    unsigned i;

    (void)unused;
    for (;;) {
        i = atomic_load_explicit(&reader_idx, memory_order_relaxed);
        atomic_fetch_add_explicit(&users[i], 1, memory_order_release);
        atomic_thread_fence(memory_order_seq_cst);
        if (i == atomic_load_explicit(&reader_idx, memory_order_acquire))
            break;
        atomic_fetch_sub_explicit(&users[i], 1, memory_order_relaxed);
    }
    int *data = atomic_load_explicit(&shared, memory_order_acquire);
    *data = 1;
    atomic_fetch_sub_explicit(&users[i], 1, memory_order_release);
    return NULL;
}

/* ossl_rcu_assign_ptr, ossl_synchronize_rcu. */
static void *writer(void *unused)
{
    int *old = atomic_load_explicit(&shared, memory_order_relaxed);

    (void)unused;
    atomic_store_explicit(&shared, calloc(1, sizeof *old),
                          memory_order_release);
    pthread_mutex_lock(&alloc_lock);
    atomic_store_explicit(&reader_idx, 1, memory_order_release);
    pthread_mutex_unlock(&alloc_lock);
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    while (atomic_load_explicit(&users[0], memory_order_acquire) != 0)
        ;
    free(old);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    shared = calloc(1, sizeof *shared);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
