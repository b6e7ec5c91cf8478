/* SPDX-License-Identifier: MIT
 *
 * Which threads are equal (graph/behaviour_twins.c).  What a thread does with
 * its own memory is its own; what it announces is the same as its twin's but
 * for their names, which are in the states of mutexes, condition variables and
 * the like, and in the word by which a thread is woken.  Values in the memory
 * of the program are compared as they are: a thread that shows its stack, its
 * heap or its pthread_t to others is not equal to any other.
 *
 * To the thread library all threads are alike, so others than the two need not
 * be asked: no result of a call depends on who holds a mutex, but for who does.
 */
#include <string.h>

#include "runtime/native_inside.h"
#include "sync/sync.h"

static unsigned renamed_thread(unsigned thread, unsigned a, unsigned b)
{
    return thread == a ? b : thread == b ? a : thread;
}

static uint64_t renamed_address(uint64_t address, unsigned a, unsigned b)
{
    uint64_t wakes = (uint64_t)native_wakes(0);
    uint64_t number = (address - wakes) / sizeof(uint32_t);

    if (address < wakes || number >= GRAPH_THREADS_MAX)
        return address;
    return (uint64_t)native_wakes(renamed_thread((unsigned)number, a, b));
}

static bool is_same_place(const struct op *x, const struct op *y, unsigned a,
                          unsigned b)
{
    if (x->kind != OP_SYNC)
        return x->location == y->location;
    return renamed_address(native_location_address(x->location), a, b) ==
           native_location_address(y->location);
}

static bool is_same_effect(const struct behaviour_entry *x,
                           const struct behaviour_entry *y)
{
    const struct op *op =
        behaviour_op(native.trie, (behaviour_node){x->parent});
    const struct effect *e = &x->effect, *f = &y->effect;

    if (!x->parent || op->kind != OP_SYNC)
        return true;
    return e->writes == f->writes && e->order == f->order &&
           e->construct == f->construct && e->store_like == f->store_like &&
           e->happened == f->happened &&
           native_renames(NULL, op, e->written, x->thread, y->thread) ==
               f->written;
}

/* What was observed is told with the names of the threads. */
bool native_equals(void *context, const struct behaviour_entry *x,
                   const struct behaviour_entry *y)
{
    (void)context;
    if (native.restart || native.refused) {
        *native.stop = true; /* one of them knew less than the other */
        return true;
    }
    return !x->notes && !y->notes && x->fed == y->fed &&
           behaviour_is_same(&x->op, &y->op) &&
           is_same_place(&x->op, &y->op, x->thread, y->thread) &&
           is_same_effect(x, y);
}

uint64_t native_renames(void *context, const struct op *op, uint64_t value,
                        unsigned from, unsigned to)
{
    uint8_t bytes[NATIVE_STATE_BYTES];
    size_t size;

    (void)context;
    if (op->kind != OP_SYNC || op->ghost)
        return value;
    size = native_state_bytes(value, bytes);
    sync_rename(bytes, size, from, to);
    return native_state(bytes, size);
}
