/* SPDX-License-Identifier: MIT
 *
 * Atomic operations behind functions, as libraries have them.
 */
#ifndef WRAPPERS_H
#define WRAPPERS_H

#include <stdatomic.h>

static inline int asm_load(const int *target)
{
    int value;

    __asm__ __volatile__("movl %1, %0" : "=r"(value) : "m"(*target) : "memory");
    return value;
}

static inline void asm_store(int *target, int value)
{
    __asm__ __volatile__("movl %1, %0" : "=m"(*target) : "r"(value) : "memory");
}

/* Tells the caller two things. */
static inline _Bool asm_cas(int *target, int compare, int set, int *found)
{
    _Bool done;

    __asm__ __volatile__("lock cmpxchgl %3, %0"
                         : "+m"(*target), "=@ccz"(done), "+a"(compare)
                         : "q"(set)
                         : "memory", "cc");
    *found = compare;
    return done;
}

static inline int load_acquire(_Atomic int *p)
{
    return atomic_load_explicit(p, memory_order_acquire);
}

static inline void store_relaxed(_Atomic int *p, int value)
{
    atomic_store_explicit(p, value, memory_order_relaxed);
}

/* A wrapper of a wrapper. */
static inline void publish(_Atomic int *flag)
{
    store_relaxed(flag, 1);
}

static inline void barrier(void)
{
    __asm__ __volatile__("" ::: "memory");
}

static inline int load_then_fence(_Atomic int *p)
{
    int value = atomic_load_explicit(p, memory_order_relaxed);

    atomic_thread_fence(memory_order_acquire);
    return value;
}

#endif
