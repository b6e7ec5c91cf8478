/* SPDX-License-Identifier: MIT
 *
 * Lamport's fast mutex: without contention two looks are enough.  -DBROKEN: x
 * and y are set by release stores, which the looks may overtake.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define NPROC 2

#ifdef BROKEN
#define SET_X memory_order_release
#define SET_Y memory_order_release
#else
#define SET_X memory_order_seq_cst
#define SET_Y memory_order_seq_cst
#endif

static atomic_int x, y;
static atomic_bool b[NPROC + 1];
static int shared_count;

static void lock(int i)
{
start:
    atomic_store(&b[i], true);
    atomic_store_explicit(&x, i, SET_X);
    if (atomic_load(&y) != 0) {
        atomic_store(&b[i], false);
        while (atomic_load(&y) != 0)
            ;
        goto start;
    }
    atomic_store_explicit(&y, i, SET_Y);
    if (atomic_load(&x) != i) {
        atomic_store(&b[i], false);
        for (int j = 1; j <= NPROC; j++)
            while (atomic_load(&b[j]))
                ;
        if (atomic_load(&y) != i) {
            while (atomic_load(&y) != 0)
                ;
            goto start;
        }
    }
}

static void unlock(int i)
{
    atomic_store(&y, 0);
    atomic_store(&b[i], false);
}

static void *proc(void *arg)
{
    int i = *(int *)arg;

    lock(i);
    shared_count++;
    unlock(i);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int one = 1, two = 2;

    pthread_create(&t1, NULL, proc, &one);
    pthread_create(&t2, NULL, proc, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(shared_count == 2);
    return 0;
}
