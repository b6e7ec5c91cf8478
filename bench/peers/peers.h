/* SPDX-License-Identifier: MIT
 *
 * What the programs of this folder share: their size, their fences, how a
 * thread waits, the witness of a critical section.
 *
 *   -DN=3       the size; each program's head says of what
 *   -DFENCED    with the fences that make it right
 *   -DASSUME    what would wait in a loop is assumed to come true at once:
 *               other checkers turn spin loops into this, so their counts of
 *               complete executions are to be compared with it
 */
#ifndef PEERS_H
#define PEERS_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fencer.h>

#ifndef N
#define N 2
#endif

#define RELAXED memory_order_relaxed

#ifdef FENCED
#define FENCE() fencer_fence_full()
#define FENCE_ACQUIRE() atomic_thread_fence(memory_order_acquire)
#define FENCE_RELEASE() atomic_thread_fence(memory_order_release)
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define BOTH memory_order_acq_rel
#else
#define FENCE() ((void)0)
#define FENCE_ACQUIRE() ((void)0)
#define FENCE_RELEASE() ((void)0)
#define ACQUIRE RELAXED
#define RELEASE RELAXED
#define BOTH RELAXED
#endif

/* Macros, so that each access has its own place in the source. */
#define load(where) atomic_load_explicit(where, RELAXED)
#define load_acquire(where) atomic_load_explicit(where, ACQUIRE)
#define store(where, what) atomic_store_explicit(where, what, RELAXED)
#define store_release(where, what) atomic_store_explicit(where, what, RELEASE)
#define cas(where, from, to)                                                   \
    atomic_compare_exchange_strong_explicit(where, &(int){from}, to, RELAXED,  \
                                            RELAXED)

/* Wait; and where a loop goes round once more in vain. */
#ifdef ASSUME
#define WAIT_UNTIL(condition) fencer_assume(condition)
#define AGAIN() fencer_assume(0)
#else
#define WAIT_UNTIL(condition)                                                  \
    do {                                                                       \
    } while (!(condition))
#define AGAIN() ((void)0)
#endif

typedef void *(*body)(void *);

static inline int number_of(void *argument)
{
    return (int)(intptr_t)argument;
}

/* Runs `count` threads from `first` on; each gets its number, from 0 on. */
static inline void start_threads(pthread_t *ids, int first, int count, body run)
{
    for (int i = first; i < first + count; i++)
        pthread_create(&ids[i], NULL, run, (void *)(intptr_t)(i - first));
}

static inline void join_threads(const pthread_t *ids, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
}

/* `one` as a thread, and `many` as `count` threads. */
static inline void run_one_and_many(body one, body many, int count)
{
    pthread_t ids[32];

    assert(count < 32);
    pthread_create(&ids[0], NULL, one, NULL);
    start_threads(ids, 1, count, many);
    join_threads(ids, count + 1);
}

static inline void run_many(body many, int count)
{
    pthread_t ids[32];

    assert(count <= 32);
    start_threads(ids, 0, count, many);
    join_threads(ids, count);
}

/* A critical section.  Who is inside is a ghost: the witness itself is never
 * reordered. */
static fencer_ghost int inside;

static inline void critical_section(void)
{
    assert(inside++ == 0);
    assert(--inside == 0);
}

#endif
