/* SPDX-License-Identifier: MIT
 *
 * Atomic operations that the compiler leaves to libatomic: sizes and
 * alignments that have no instruction, 16 bytes, and calls through pointers.
 * Each is the event that the instruction would have been.
 *
 * Odd sizes are what libatomic does under a lock: one step, with a full fence
 * on both sides.
 */
#include "libc/libc.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/machine.h"
#include "runtime/runtime_hooks.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"

typedef unsigned __int128 u128;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* The numbers of memory_order to ours. */
static enum event_order order_of(int order)
{
    switch (order) {
    case __ATOMIC_RELAXED:
        return ORDER_RELAXED;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
        return ORDER_ACQUIRE;
    case __ATOMIC_RELEASE:
        return ORDER_RELEASE;
    case __ATOMIC_ACQ_REL:
        return ORDER_ACQ_REL;
    default:
        return ORDER_SEQ_CST;
    }
}

/* ---- Any size that one access can have, values in private memory ---- */

static void load(const void *from, void *to, size_t size, int order, u32 site)
{
    u64 value;

    if (size == 16) {
        machine_load16(from, to, order_of(order), site);
        return;
    }
    value = rt_load(from, (unsigned)size, order_of(order), site);
    memcpy(to, &value, size);
}

static void store(void *to, const void *from, size_t size, int order, u32 site)
{
    u64 value = 0;

    if (size == 16) {
        machine_store16(to, from, order_of(order), site);
        return;
    }
    memcpy(&value, from, size);
    rt_store(to, (unsigned)size, value, order_of(order), site);
}

static void rmw(void *at, enum rmw_op op, const void *operand, void *old,
                size_t size, int order, u32 site)
{
    u64 value = 0;

    if (size == 16) {
        machine_rmw16(at, op, operand, old, order_of(order), site);
        return;
    }
    memcpy(&value, operand, size);
    value = rt_rmw(at, (unsigned)size, op, value, order_of(order), site);
    memcpy(old, &value, size);
}

/* On failure what was there goes to *expected. */
static bool cas(void *at, void *expected, const void *desired, size_t size,
                int success, int failure, u32 site)
{
    u64 want[2] = {0}, new[2] = {0}, old[2] = {0};

    libc_in(want, expected, size, site);
    memcpy(new, desired, size);
    if (size == 16)
        machine_cas16(at, want, new, old, order_of(success), order_of(failure),
                      site);
    else
        old[0] = rt_cas(at, (unsigned)size, want[0], new[0], order_of(success),
                        order_of(failure), site);
    if (!memcmp(old, want, size))
        return true;
    libc_out(expected, old, size, site);
    return false;
}

/* ---- Functions for one size ---- */

/* `result` may use `old` and the operand v. */
#define RMW(name, parameters, type, size, op, order, result)                   \
    HIDDEN(type, name, parameters)                                             \
    {                                                                          \
        type old;                                                              \
                                                                               \
        rmw(at, op, &v, &old, size, order, rt_take_site_quiet());              \
        return (type)(result);                                                 \
    }

#define FETCH(size, type, name, op, result)                                    \
    RMW(__atomic_fetch_##name##_##size, (void *at, type v, int order), type,   \
        size, op, order, old)                                                  \
    RMW(__atomic_##name##_fetch_##size, (void *at, type v, int order), type,   \
        size, op, order, result)

#define ATOMIC(size, type)                                                     \
    HIDDEN(type, __atomic_load_##size, (const void *at, int order))            \
    {                                                                          \
        type v;                                                                \
                                                                               \
        load(at, &v, size, order, rt_take_site_quiet());                       \
        return v;                                                              \
    }                                                                          \
    HIDDEN_DOES(__atomic_store_##size, (void *at, type v, int order),          \
                store(at, &v, size, order, rt_take_site_quiet()))              \
    HIDDEN_IS(bool, __atomic_compare_exchange_##size,                          \
              (void *at, void *expected, type desired, bool weak, int success, \
               int failure),                                                   \
              cas(at, expected, &desired, size, success, failure,              \
                  rt_take_site_quiet()))                                       \
    RMW(__atomic_exchange_##size, (void *at, type v, int order), type, size,   \
        RMW_XCHG, order, old)                                                  \
    FETCH(size, type, add, RMW_ADD, old + v)                                   \
    FETCH(size, type, sub, RMW_SUB, old - v)                                   \
    FETCH(size, type, and, RMW_AND, old &v)                                    \
    FETCH(size, type, or, RMW_OR, old | v)                                     \
    FETCH(size, type, xor, RMW_XOR, old ^ v)                                   \
    FETCH(size, type, nand, RMW_NAND, ~(old & v))

ATOMIC(1, u8)
ATOMIC(2, u16)
ATOMIC(4, u32)
ATOMIC(8, u64)
ATOMIC(16, u128)

/* ---- __sync_*_16 ---- */

#define SYNC_RMW(name, op, result)                                             \
    RMW(name, (u128 * at, u128 v), u128, 16, op, __ATOMIC_SEQ_CST, result)

#define SYNC(name, op, result)                                                 \
    SYNC_RMW(__sync_fetch_and_##name##_16, op, old)                            \
    SYNC_RMW(__sync_##name##_and_fetch_16, op, result)

SYNC(add, RMW_ADD, old + v)
SYNC(sub, RMW_SUB, old - v)
SYNC(and, RMW_AND, old &v)
SYNC(or, RMW_OR, old | v)
SYNC(xor, RMW_XOR, old ^ v)
SYNC(nand, RMW_NAND, ~(old &v))
SYNC_RMW(__sync_lock_test_and_set_16, RMW_XCHG, old)

HIDDEN(u128, __sync_val_compare_and_swap_16, (u128 *at, u128 old, u128 new))
{
    u128 was;

    machine_cas16(at, &old, &new, &was, ORDER_SEQ_CST, ORDER_SEQ_CST,
                  rt_take_site_quiet());
    return was;
}

HIDDEN_IS(bool, __sync_bool_compare_and_swap_16, (u128 *at, u128 old, u128 new),
          __fencer___sync_val_compare_and_swap_16(at, old, new) == old)

HIDDEN(void, __sync_lock_release_16, (u128 *at))
{
    u128 zero = 0;

    machine_store16(at, &zero, ORDER_RELEASE, rt_take_site_quiet());
}

/* ---- Any size ---- */

static bool has_instruction(size_t size, const void *at)
{
    return (size == 1 || size == 2 || size == 4 || size == 8 || size == 16) &&
           !((uintptr_t)at & (size - 1));
}

/* The lock's step: everybody's view of the object is memory's. */
static void locked(const void *at, size_t size, bool write, u32 site)
{
    if (rt.dense)
        rt_step(EV_RMW, at, 8, site);
    rt_drain_and_cut();
    rt_check_range(at, size, write, site);
    if (write)
        libc_writes((void *)at, size, site);
    record_effect(rt_self());
    rt_event(EV_CALL, at, 0, 0, 0, site);
}

static void changed(void *at, size_t size)
{
    if (rt.awaiting)
        sched_memory_changed((uint64_t)at, (unsigned)size);
}

HIDDEN(void, __atomic_load, (size_t size, const void *at, void *to, int order))
{
    u32 site = rt_take_site_quiet();
    char value[size ? size : 1];

    if (has_instruction(size, at)) {
        load(at, value, size, order, site);
    } else {
        locked(at, size, false, site);
        memcpy(value, at, size);
    }
    libc_out(to, value, size, site);
}

HIDDEN(void, __atomic_store,
       (size_t size, void *at, const void *from, int order))
{
    u32 site = rt_take_site_quiet();
    char value[size ? size : 1];

    libc_in(value, from, size, site);
    if (has_instruction(size, at)) {
        store(at, value, size, order, site);
        return;
    }
    locked(at, size, true, site);
    memcpy(at, value, size);
    changed(at, size);
}

HIDDEN(void, __atomic_exchange,
       (size_t size, void *at, const void *from, void *to, int order))
{
    u32 site = rt_take_site_quiet();
    char value[size ? size : 1], old[size ? size : 1];

    libc_in(value, from, size, site);
    if (has_instruction(size, at)) {
        rmw(at, RMW_XCHG, value, old, size, order, site);
    } else {
        locked(at, size, true, site);
        memcpy(old, at, size);
        memcpy(at, value, size);
        changed(at, size);
    }
    libc_out(to, old, size, site);
}

HIDDEN(bool, __atomic_compare_exchange,
       (size_t size, void *at, void *expected, const void *desired, int success,
        int failure))
{
    u32 site = rt_take_site_quiet();
    char want[size ? size : 1], new[size ? size : 1];

    libc_in(new, desired, size, site);
    if (has_instruction(size, at))
        return cas(at, expected, new, size, success, failure, site);
    libc_in(want, expected, size, site);
    locked(at, size, true, site);
    if (!memcmp(at, want, size)) {
        memcpy(at, new, size);
        changed(at, size);
        return true;
    }
    memcpy(want, at, size);
    libc_out(expected, want, size, site);
    return false;
}

/* ---- stdatomic.h's functions, called through a pointer ---- */

HIDDEN_DOES(atomic_thread_fence, (memory_order order),
            __fencer_fence(order_of((int)order), rt_take_site_quiet()))
HIDDEN_DOES(atomic_signal_fence, (memory_order order), rt_take_site_quiet())
HIDDEN_IS(bool, atomic_flag_test_and_set_explicit,
          (volatile void *flag, memory_order order),
          rt_rmw((void *)flag, 1, RMW_XCHG, 1, order_of((int)order),
                 rt_take_site_quiet()))
HIDDEN_IS(
    bool, atomic_flag_test_and_set, (volatile void *flag),
    __fencer_atomic_flag_test_and_set_explicit(flag, memory_order_seq_cst))
HIDDEN_DOES(atomic_flag_clear_explicit,
            (volatile void *flag, memory_order order),
            rt_store((void *)flag, 1, 0, order_of((int)order),
                     rt_take_site_quiet()))
HIDDEN_DOES(atomic_flag_clear, (volatile void *flag),
            __fencer_atomic_flag_clear_explicit(flag, memory_order_seq_cst))
