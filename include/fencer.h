/* SPDX-License-Identifier: MIT
 *
 * fencer.h: what a program may say to Fencer.  Found without a flag by
 * `fencer cc`; without Fencer everything here is sensible C11 or nothing, so
 * the header may stay in shipped code.
 */
#ifndef FENCER_H
#define FENCER_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __FENCER__

/* The four SPARC fences and the full one: `sl` keeps earlier stores before
 * later loads, and so on. */
void fencer_fence_ss(void);
void fencer_fence_sl(void);
void fencer_fence_ll(void);
void fencer_fence_ls(void);
void fencer_fence_full(void);

/* A number below n, chosen by the tool. */
unsigned fencer_choose(unsigned n);

/* Only executions in which c holds count. */
void fencer_assume(int c);

/* Part of the execution's outcome: label and value. */
void fencer_observe(const char *label, long long v);

void fencer_atomic_begin(void);
void fencer_atomic_end(void);

/* fencer_atomic { ... }: one step.  Each address it touches is treated as by a
 * relaxed read-modify-write.  Leave the block only through its end. */
#define fencer_atomic                                                          \
    for (int fencer_once_ = (fencer_atomic_begin(), 1); fencer_once_;          \
         fencer_once_ = (fencer_atomic_end(), 0))

/* fencer_ghost int in_section;  A variable that no model reorders. */
#define fencer_ghost __attribute__((section("fencer_ghost")))

#else

#include <stdatomic.h>

static inline void fencer_fence_ss(void)
{
    atomic_thread_fence(memory_order_release);
}

static inline void fencer_fence_sl(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline void fencer_fence_ll(void)
{
    atomic_thread_fence(memory_order_acquire);
}

static inline void fencer_fence_ls(void)
{
    atomic_thread_fence(memory_order_acquire);
}

static inline void fencer_fence_full(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline unsigned fencer_choose(unsigned n)
{
    static _Thread_local unsigned state = 2463534242u;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return n ? state % n : 0;
}

static inline void fencer_assume(int c)
{
    (void)c;
}

static inline void fencer_observe(const char *label, long long v)
{
    (void)label;
    (void)v;
}

/* Without Fencer an atomic block is a critical section of one global lock. */
__attribute__((weak)) atomic_flag fencer_atomic_lock_ = ATOMIC_FLAG_INIT;

static inline void fencer_atomic_begin(void)
{
    while (atomic_flag_test_and_set_explicit(&fencer_atomic_lock_,
                                             memory_order_acquire))
        ;
}

static inline void fencer_atomic_end(void)
{
    atomic_flag_clear_explicit(&fencer_atomic_lock_, memory_order_release);
}

#define fencer_atomic                                                          \
    for (int fencer_once_ = (fencer_atomic_begin(), 1); fencer_once_;          \
         fencer_once_ = (fencer_atomic_end(), 0))

#define fencer_ghost

#endif

#ifdef __cplusplus
}
#endif

#endif
