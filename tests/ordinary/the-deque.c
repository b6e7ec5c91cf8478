/* SPDX-License-Identifier: MIT
 *
 * Cilk's THE protocol: the worker pops at the tail without a lock unless it
 * may meet a thief, who always holds the lock.  -DBROKEN: the worker's fence
 * is a compiler barrier only.
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
#define FENCE() atomic_signal_fence(memory_order_seq_cst)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

static atomic_int H, T;
static int frames[4];
static pthread_mutex_t L = PTHREAD_MUTEX_INITIALIZER;
static int ran[2];

static void push(int f)
{
    int t = atomic_load_explicit(&T, memory_order_relaxed);
    frames[t] = f;
    atomic_store_explicit(&T, t + 1, memory_order_release);
}

static bool pop(int *f)
{
    int t = atomic_load_explicit(&T, memory_order_relaxed) - 1;

    atomic_store_explicit(&T, t, memory_order_release);
    FENCE();
    if (atomic_load_explicit(&H, memory_order_relaxed) > t) {
        atomic_store_explicit(&T, t + 1, memory_order_release);
        pthread_mutex_lock(&L);
        atomic_store_explicit(&T, t, memory_order_release);
        if (atomic_load_explicit(&H, memory_order_relaxed) > t) {
            atomic_store_explicit(&T, t + 1, memory_order_release);
            pthread_mutex_unlock(&L);
            return false;
        }
        pthread_mutex_unlock(&L);
    }
    *f = frames[t];
    return true;
}

static bool steal(int *f)
{
    bool ok = false;

    pthread_mutex_lock(&L);
    int h = atomic_load_explicit(&H, memory_order_relaxed);
    atomic_store_explicit(&H, h + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (h + 1 > atomic_load_explicit(&T, memory_order_acquire)) {
        atomic_store_explicit(&H, h, memory_order_relaxed);
    } else {
        *f = frames[h];
        ok = true;
    }
    pthread_mutex_unlock(&L);
    return ok;
}

static void *victim(void *arg)
{
    int f;

    push(1);
    push(2);
    if (pop(&f))
        ran[0] += f;
    if (pop(&f))
        ran[0] += f;
    return arg;
}

static void *thief(void *arg)
{
    int f;

    if (steal(&f))
        ran[1] += f;
    return arg;
}

int main(void)
{
    pthread_t v, t;

    pthread_create(&v, NULL, victim, NULL);
    pthread_create(&t, NULL, thief, NULL);
    pthread_join(v, NULL);
    pthread_join(t, NULL);
    assert(ran[0] + ran[1] == 3);
    return 0;
}
