/* SPDX-License-Identifier: MIT
 *
 * OpenSSL's RCU, reader's side: issue 26356, pull requests 26690, 26898, 26919
 * and 26961, test failures on PPC64LE and ARM64.
 *
 * A reader takes the number of the current group, counts itself in there, and
 * looks whether the number is still the same.  A writer changes the number and
 * waits until the old group is empty.  Counting is an atomic addition; the look
 * after it may come before the half of it that writes.
 *
 * To the user: "rcu torture value went backwards", or a crash: the reader is in
 * a group that was retired, and the writer has freed what it reads.
 *
 * On ARM the release of the addition and the acquire of the look keep the two
 * in order, unless the look is an ldapr (--rcpc).
 *
 * -DFIXED has a full fence between the two.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: sl after atomic_fetch_add_explicit(&users[i], 1
 *   verify: arm right, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 *   verify --rcpc: arm broken
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_uint reader_idx, users[2];
static atomic_bool retired[2];

/* get_hold_current_qp, ossl_rcu_read_unlock. */
static void *reader(void *unused)
{
    unsigned i;

    (void)unused;
    for (;;) {
        i = atomic_load_explicit(&reader_idx, memory_order_relaxed);
        atomic_fetch_add_explicit(&users[i], 1, memory_order_release);
#ifdef FIXED
        atomic_thread_fence(memory_order_seq_cst);
#endif
        if (i == atomic_load_explicit(&reader_idx, memory_order_acquire))
            break;
        atomic_fetch_sub_explicit(&users[i], 1, memory_order_relaxed);
    }
    assert(!atomic_load_explicit(&retired[i], memory_order_relaxed));
    atomic_fetch_sub_explicit(&users[i], 1, memory_order_release);
    return NULL;
}

/* update_qp, ossl_synchronize_rcu. */
static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&reader_idx, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&users[0], memory_order_acquire) != 0)
        ;
    atomic_store_explicit(&retired[0], true, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
