/* SPDX-License-Identifier: MIT
 *
 * An asymmetric Dekker: the fast side has no fence but the compiler's, the slow
 * side makes the kernel fence everybody.  -DNONE forgets that; -DOWN fences the
 * slow side only; -DEARLY asks too early; -DUNREGISTERED gets EPERM and does
 * not look.  -DMESSAGE is the same for a message: the writer has no fence, the
 * reader asks for one.
 */
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int fast, slow;
static int fast_saw, slow_saw;

static void fence_everybody(void)
{
#if defined OWN
    atomic_thread_fence(memory_order_seq_cst);
#elif !defined NONE
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
#endif
}

static void *fast_side(void *none)
{
    atomic_store_explicit(&fast, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
#ifdef MESSAGE
    atomic_store_explicit(&slow, 1, memory_order_relaxed);
#else
    fast_saw = atomic_load_explicit(&slow, memory_order_relaxed);
#endif
    return none;
}

static void *slow_side(void *none)
{
#ifdef MESSAGE
    slow_saw = 1;
    fast_saw = !atomic_load_explicit(&slow, memory_order_relaxed);
    fence_everybody();
    slow_saw = atomic_load_explicit(&fast, memory_order_relaxed);
#elif defined EARLY
    fence_everybody();
    atomic_store_explicit(&slow, 1, memory_order_relaxed);
    slow_saw = atomic_load_explicit(&fast, memory_order_relaxed);
#else
    atomic_store_explicit(&slow, 1, memory_order_relaxed);
    fence_everybody();
    slow_saw = atomic_load_explicit(&fast, memory_order_relaxed);
#endif
    return none;
}

int main(void)
{
    pthread_t a, b;

#ifndef UNREGISTERED
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
#endif
    pthread_create(&a, NULL, fast_side, NULL);
    pthread_create(&b, NULL, slow_side, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(fast_saw || slow_saw);
    return 0;
}
