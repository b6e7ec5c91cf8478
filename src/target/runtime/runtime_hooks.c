/* SPDX-License-Identifier: MIT
 *
 * The hooks that instrumented code calls, as event/program.h lists them: thin
 * translations into the machine's verbs.
 */
#include "runtime/runtime_hooks.h"

#include <string.h>

#include "libc/libc.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/labels.h"
#include "runtime/machine.h"
#include "runtime/modelled.h"
#include "runtime/native.h"
#include "runtime/rt.h"
#include "runtime/sched.h"

#define HOOKS_OF_SIZE(bytes, type)                                             \
    HIDDEN_IS(type, load##bytes, (const void *address, uint32_t site),         \
              (type)rt_load(address, bytes, ORDER_PLAIN, site))                \
    HIDDEN_DOES(store##bytes, (void *address, type value, uint32_t site),      \
                rt_store(address, bytes, value, ORDER_PLAIN, site))            \
    HIDDEN_IS(type, atomic_load##bytes,                                        \
              (const void *address, uint32_t order, uint32_t site),            \
              (type)rt_load(address, bytes, order, site))                      \
    HIDDEN_DOES(atomic_store##bytes,                                           \
                (void *address, type value, uint32_t order, uint32_t site),    \
                rt_store(address, bytes, value, order, site))                  \
    HIDDEN_IS(type, rmw##bytes,                                                \
              (void *address, uint32_t op, type operand, uint32_t order,       \
               uint32_t site),                                                 \
              (type)rt_rmw(address, bytes, op, operand, order, site))          \
    HIDDEN_IS(type, cas##bytes,                                                \
              (void *address, type expected, type desired, uint32_t success,   \
               uint32_t failure, uint32_t site),                               \
              (type)rt_cas(address, bytes, expected, desired, success,         \
                           failure, site))

HOOKS_OF_SIZE(1, uint8_t)
HOOKS_OF_SIZE(2, uint16_t)
HOOKS_OF_SIZE(4, uint32_t)
HOOKS_OF_SIZE(8, uint64_t)

HIDDEN_DOES(atomic_load16,
            (const void *address, void *out, uint32_t order, uint32_t site),
            machine_load16(address, out, order, site))
HIDDEN_DOES(atomic_store16,
            (void *address, const void *value, uint32_t order, uint32_t site),
            machine_store16(address, value, order, site))
HIDDEN_DOES(rmw16,
            (void *address, uint32_t op, const void *operand, void *old,
             uint32_t order, uint32_t site),
            machine_rmw16(address, op, operand, old, order, site))
HIDDEN_DOES(cas16,
            (void *address, const void *expected, const void *desired,
             void *old, uint32_t success, uint32_t failure, uint32_t site),
            machine_cas16(address, expected, desired, old, success, failure,
                          site))

HIDDEN(void, loadn,
       (const void *address, void *to, uint64_t size, uint32_t site))
{
    rt.current->in_model = false;
    machine_copy_out(address, to, size, site);
}

HIDDEN(void, storen,
       (void *address, const void *from, uint64_t size, uint32_t site))
{
    rt.current->in_model = false;
    machine_copy_in(address, from, size, site);
}

/* Where no access is a scheduling point, a range may move in one go. */
static bool in_one_go(void)
{
    return !rt.dense && !rt.tracing && !rt.view.log;
}

/* memmove, in ascending order unless the ranges make that wrong.  Goes through
 * a private piece so that each byte is one load and one store. */
HIDDEN(void, copy, (void *to, const void *from, uint64_t size, uint32_t site))
{
    char piece[8];
    uint32_t source = __fencer_labels[LABEL_ADDR];
    uint32_t target = __fencer_labels[LABEL_DATA];
    uint64_t done, n;
    bool up = (uint64_t)to - (uint64_t)from >= size;

    if (!size || to == from)
        return;
    rt.current->in_model = false;
    rt_check_range(from, size, false, site);
    rt_check_range(to, size, true, site);
    if (in_one_go()) {
        rt_touch(to, size);
        memmove(to, from, size);
        return;
    }
    for (done = 0; done < size; done += n) {
        uint64_t at;

        n = size - done < 8 ? size - done : 8;
        at = up ? done : size - done - n;
        labels_give(source, 0);
        machine_copy_out((const char *)from + at, piece, n, site);
        labels_give(target, 0);
        machine_copy_in((char *)to + at, piece, n, site);
    }
}

HIDDEN(void, fill, (void *to, uint32_t byte, uint64_t size, uint32_t site))
{
    char piece[8];
    uint32_t address = __fencer_labels[LABEL_ADDR];

    if (!size)
        return;
    if (labels_are_on())
        labels_keep((uint64_t)piece, sizeof piece, __fencer_labels[LABEL_DATA]);
    rt.current->in_model = false;
    rt_check_range(to, size, true, site);
    if (in_one_go()) {
        rt_touch(to, size);
        memset(to, (int)byte, size);
        return;
    }
    memset(piece, (int)byte, sizeof piece);
    for (uint64_t done = 0; done < size; done += 8) {
        labels_give(address, 0);
        machine_copy_in((char *)to + done, piece,
                        size - done < 8 ? size - done : 8, site);
    }
}

static void fence(unsigned bits, uint32_t order, uint32_t site)
{
    if (native_is_on()) {
        native_fence(bits, order, site);
        return;
    }
    if (bits & FENCE_FULL)
        rt_step_draining(EV_FENCE, site);
    else
        rt_step(EV_FENCE, NULL, 0, site);
    rt_fence(bits);
    rt_event(EV_FENCE, NULL, 0, 0, order | bits << EVF_FENCE_SHIFT, site);
}

HIDDEN(void, fence, (uint32_t order, uint32_t site))
{
    enum model_construct c = model_construct_of(EV_FENCE, order);

    rt.current->in_model = false;
    fence(rt.model->recipe[c].before, order, site);
    /* On this model it may be no fence at all, on others it is. */
    HAPPENED(.kind = EV_FENCE, .order = (uint8_t)order, .site = site);
}

HIDDEN(void, fence_bits, (uint32_t bits, uint32_t site))
{
    fence(bits, ORDER_SEQ_CST, site);
    HAPPENED(.kind = EV_FENCE, .bits = (uint8_t)bits, .order = ORDER_SEQ_CST,
             .site = site);
}

/* What does not come back from there has a name, and a place. */
static void note_outside(const char *name, uint32_t site)
{
    struct channel *c = rt.channel;

    strncpy(c->outside, name, sizeof c->outside - 1);
    c->outside_site = site;
}

HIDDEN(void, call, (uint32_t index, uint32_t site))
{
    footprint_all();
    rt_drain_and_cut();
    rt_event(EV_CALL, NULL, 0, index, 0, site);
    if (index >= __fencer_program.extern_count)
        return;
    if (index < 512)
        rt.channel->extern_hits[index / 64] |= 1ull << index % 64;
    rt.current->site = site;
    libc_note_drain(site);
    libc_before_external(&__fencer_program.externs[index], site);
    note_outside(__fencer_program.externs[index].name, site);
}

HIDDEN(void, called, (uint32_t index, uint32_t site))
{
    rt.channel->outside[0] = '\0';
    footprint_all();
    rt_cut();
    if (rt.awaiting)
        sched_recheck_awaits();
}

HIDDEN(void, asm, (uint32_t limit, uint32_t site))
{
    rt_step(EV_CALL, NULL, 0, site);
    footprint_all();
    rt_drain_and_cut();
    rt_event(EV_CALL, NULL, 0, UINT32_MAX, 0, site);
}

HIDDEN(void, spin, (uint32_t site))
{
    rt.current->site = site;
    rt.current->in_model = false;
    rt_yield();
}

HIDDEN_DOES(nondeterministic, (uint32_t site),
            rt_nondeterministic(rt_site(site)->name, NULL, site))

HIDDEN(void, leave, (void *low, void *high, uint32_t site))
{
    if (rt.current->buffered)
        rt_drain_range((uint64_t)low, (uint64_t)high - (uint64_t)low);
}
