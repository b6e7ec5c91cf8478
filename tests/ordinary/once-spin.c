/* SPDX-License-Identifier: MIT
 *
 * A home-made once: idle, busy, ready.  Those who come while it is busy wait.
 * -DBROKEN: the look at the state is relaxed, so what was set up may be read
 * from before.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

enum once_state { ONCE_IDLE, ONCE_BUSY, ONCE_READY };

#ifdef BROKEN
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

static atomic_int once = ONCE_IDLE;
static int table[2];
static int filled;

static void run_once(atomic_int *o, void (*init)(void))
{
    int idle = ONCE_IDLE;

    if (atomic_load_explicit(o, LOOK) == ONCE_READY)
        return;
    if (atomic_compare_exchange_strong_explicit(
            o, &idle, ONCE_BUSY, memory_order_relaxed, memory_order_relaxed)) {
        init();
        atomic_store_explicit(o, ONCE_READY, memory_order_release);
        return;
    }
    while (atomic_load_explicit(o, LOOK) != ONCE_READY)
        sched_yield();
}

static void fill(void)
{
    for (int i = 0; i < 2; i++)
        table[i] = i + 5;
    filled++;
}

static void *lookup(void *index)
{
    int i = *(int *)index;

    run_once(&once, fill);
    assert(table[i] == i + 5);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int index[2] = {0, 1};

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, lookup, &index[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(filled == 1);
    return 0;
}
