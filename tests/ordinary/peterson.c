/* SPDX-License-Identifier: MIT
 *
 * Peterson's lock, with a yield in its loop.  -DBROKEN: release and acquire
 * instead of seq_cst, which TSO's store buffer defeats.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

static struct peterson {
    atomic_bool wants[2];
    atomic_int turn;
} p;
static int inside;

static bool must_wait(struct peterson *l, int me)
{
    return atomic_load_explicit(&l->wants[1 - me], LOAD) &&
           atomic_load_explicit(&l->turn, LOAD) == 1 - me;
}

static void *work(void *number)
{
    int me = *(const int *)number;

    atomic_store_explicit(&p.wants[me], true, STORE);
    atomic_store_explicit(&p.turn, 1 - me, STORE);
    while (must_wait(&p, me))
        sched_yield();
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store_explicit(&p.wants[me], false, memory_order_release);
    return NULL;
}

int main(void)
{
    static const int numbers[] = {0, 1};
    pthread_t a, b;

    pthread_create(&a, NULL, work, (void *)&numbers[0]);
    pthread_create(&b, NULL, work, (void *)&numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
