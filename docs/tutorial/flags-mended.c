/* SPDX-License-Identifier: MIT
 *
 * The tutorial, step 1: each thread raises its flag, then looks at the other's.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag_a, flag_b;
static int a_saw_b, b_saw_a;

static void *anna(void *unused)
{
    atomic_store_explicit(&flag_a, 1, memory_order_seq_cst);
    a_saw_b = atomic_load_explicit(&flag_b, memory_order_seq_cst);
    return unused;
}

static void *bert(void *unused)
{
    atomic_store_explicit(&flag_b, 1, memory_order_seq_cst);
    b_saw_a = atomic_load_explicit(&flag_a, memory_order_seq_cst);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, anna, NULL);
    pthread_create(&b, NULL, bert, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(a_saw_b || b_saw_a); /* whoever is second sees the first */
    return 0;
}
