/* SPDX-License-Identifier: MIT
 *
 * Dekker's algorithm as the encyclopedias print it, with fences.  -DBROKEN:
 * no fences, as in many lecture notes.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef BROKEN
#define fence() (void)0
#else
#define fence() atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_bool wants_to_enter[2];
static atomic_int turn;
static int counter;

static bool get(atomic_bool *b)
{
    return atomic_load_explicit(b, memory_order_relaxed);
}

static void set(atomic_bool *b, bool v)
{
    atomic_store_explicit(b, v, memory_order_relaxed);
}

static void enter(int me)
{
    int other = 1 - me;

    set(&wants_to_enter[me], true);
    fence();
    while (get(&wants_to_enter[other])) {
        if (atomic_load_explicit(&turn, memory_order_relaxed) != me) {
            set(&wants_to_enter[me], false);
            while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
                ; /* busy wait */
            set(&wants_to_enter[me], true);
            fence();
        }
    }
    atomic_thread_fence(memory_order_acquire);
}

static void leave(int me)
{
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
    set(&wants_to_enter[me], false);
}

static void *process(void *arg)
{
    int me = *(int *)arg;

    enter(me);
    counter++;
    leave(me);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int p0 = 0, p1 = 1;

    pthread_create(&a, 0, process, &p0);
    pthread_create(&b, 0, process, &p1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
