/* SPDX-License-Identifier: MIT
 *
 * Accesses and fences of the program: what others cannot see happens in memory,
 * all else is announced.
 */
#include <string.h>

#include "graph/rmw.h"
#include "runtime/carried.h"
#include "runtime/layout.h"
#include "runtime/machine.h"
#include "runtime/native_inside.h"
#include "runtime/runtime_hooks.h"
#include "runtime/runtime_record.h"
#include "runtime/shadow.h"

/* ---- Accesses ---- */

/* For awaits.  What a loop that gives up reads is known from its first round.
 */
static void note_read(uint64_t address, unsigned size, uint64_t value)
{
    if (!native_self()->feeds)
        record_read(rt.current, address, size, value);
}

static void check(uint64_t address, unsigned size, bool write, uint32_t site)
{
    rt.current->site = site;
    if (*shadow_of(address) < SHADOW_BAD &&
        *shadow_of(address + size - 1) < SHADOW_BAD)
        return;
    if (!native_is_allocated(address, size))
        shadow_check_slow(address, size, write, site);
}

/* Fences that the tool puts after accesses of that site. */
static void fence_after(uint32_t site)
{
    for (uint32_t i = 0; i < rt.fence_count; i++) {
        const struct channel_fence *f = &rt.channel->fences[i];

        if (f->site == site &&
            !(f->bits & (CHANNEL_FENCE_COMMIT | CHANNEL_FENCE_ORDER)))
            native_fence(f->bits, ORDER_SEQ_CST, site);
    }
}

static bool is_in_block(void)
{
    return rt.current->atomic_depth;
}

static bool is_private(uint64_t address, unsigned size, enum event_order order)
{
    if (native_is_known(address, size))
        return false;
    if (order > ORDER_RELAXED || native.all_shared)
        native_share(address, size);
    if (is_in_block())
        return !native_block_has(address, size);
    if (native_is_shared(address, size))
        return false;
    native_self()->skips++;
    return true;
}

/* No order of C11, nor of a processor, is "at once".  Where all accesses to a
 * ghost are ordered, a plain one has the same value; where they are not it
 * would race, and is refused (native_search.c). */
static enum event_order order_of_ghost(uint64_t address, enum event_order order)
{
    return !model_has_machine(rt.model) && memory_is_ghost(address)
               ? ORDER_PLAIN
               : order;
}

/* As an operation says it: what an access touches, and its values. */
static struct op access_op(enum op_kind kind, uint64_t address, unsigned size,
                           enum event_order order, uint32_t site)
{
    struct op op = {.kind = (uint8_t)kind,
                    .ghost = memory_is_ghost(address),
                    .order = (uint8_t)order,
                    .size = (uint8_t)size};

    if (order == ORDER_PLAIN && rt_site(site)->size & SITE_VOLATILE)
        op.order = ORDER_VOLATILE;
    op.location =
        (uint16_t)native_location(address, size, false, site, &op.cuts);
    return op;
}

static uint64_t number_of(const struct value *v, unsigned size)
{
    return size > 8 ? behaviour_number(native.trie, v->word) : v->word[0];
}

static struct value announce(struct op op)
{
    uint64_t answer = native_announce(op);
    struct value v = {{answer, 0}};

    if (op.size > 8)
        memcpy(v.word, behaviour_wide(native.trie, answer), sizeof v.word);
    return v;
}

/* C11 has no accesses of several parts, but a plain access is as many as it has
 * pieces: it races with what one of them races with, and where nothing races
 * each byte has one value.  Returns the size of the first. */
static unsigned plain_piece(uint64_t address, unsigned size,
                            enum event_order order, uint32_t site)
{
    if (!rt.model->by_language || order != ORDER_PLAIN || is_in_block() ||
        memory_is_ghost(address) || !native_is_shared(address, size))
        return size;
    return native_first_piece(address, size, site);
}

static struct value load_pieces(uint64_t address, unsigned size, unsigned first,
                                uint32_t site)
{
    struct value v = native_load(address, first, ORDER_PLAIN, site);
    struct value rest =
        native_load(address + first, size - first, ORDER_PLAIN, site);

    memcpy((char *)&v + first, &rest, size - first);
    return v;
}

static void store_pieces(uint64_t address, unsigned size, unsigned first,
                         const struct value *v, uint32_t site)
{
    struct value low = {{0}}, high = {{0}};

    memcpy(&low, v, first);
    memcpy(&high, (const char *)v + first, size - first);
    native_store(address, first, &low, ORDER_PLAIN, site);
    native_store(address + first, size - first, &high, ORDER_PLAIN, site);
}

struct value native_load(uint64_t address, unsigned size,
                         enum event_order order, uint32_t site)
{
    struct value v;
    unsigned first;

    if (native_pass_load(address, size, order, site, &v))
        return v;
    labels_take();
    check(address, size, false, site);
    first = plain_piece(address, size, order, site);
    if (first < size)
        return load_pieces(address, size, first, site);
    __fencer_count++;
    if (is_private(address, size, order)) {
        native_own_read(address, size);
        v = memory_read(address, size);
        labels_did_own_load(address, size);
    } else if (is_in_block()) {
        v = native_block_load(address, size, order, site);
    } else {
        v = announce(access_op(OP_LOAD, address, size,
                               order_of_ghost(address, order), site));
        labels_did_load(address, size);
    }
    note_read(address, size, v.word[0]);
    fence_after(site);
    labels_end();
    return v;
}

void native_store(uint64_t address, unsigned size, const struct value *v,
                  enum event_order order, uint32_t site)
{
    unsigned first;

    labels_take();
    check(address, size, true, site);
    first = plain_piece(address, size, order, site);
    if (first < size) {
        store_pieces(address, size, first, v, site);
        return;
    }
    __fencer_count++;
    if (is_private(address, size, order)) {
        labels_did_own_store(address, size);
        carried_note_write(address, size);
        native_own_write(address, size);
        shadow_touch(address, size); /* nobody else sees it: no footprint */
        memcpy((void *)address, v, size);
    } else if (is_in_block()) {
        record_effect(rt.current);
        native_block_store(address, size, v, order, site);
    } else {
        struct op op = access_op(OP_STORE, address, size,
                                 order_of_ghost(address, order), site);

        if (!native_note_store(&op, address))
            record_effect(rt.current);
        op.operand = number_of(v, size);
        native_probe(&op);
        labels_did_store(address, size);
        native_announce(op);
    }
    fence_after(site);
}

static struct op begin_rmw(enum op_kind kind, uint64_t address, unsigned size,
                           enum event_order order, uint32_t site)
{
    struct op op;

    if (!model_has_machine(rt.model) && memory_is_ghost(address))
        native_refuse(rt.model->by_language
                          ? "an RMW on a fencer_ghost, which C11 does not have"
                          : "an RMW on a fencer_ghost, on a processor",
                      site);
    labels_take();
    check(address, size, true, site);
    __fencer_count++;
    if (!native_is_known(address, size))
        native_share(address, size);
    op = access_op(kind, address, size, order, site);
    native_probe(&op);
    return op;
}

static void end_rmw(uint64_t address, unsigned size, const struct value *old,
                    bool changed, uint32_t site)
{
    if (changed)
        record_effect(rt.current);
    else
        note_read(address, size, old->word[0]);
    fence_after(site);
    labels_end();
}

static bool is_equal(const struct value *a, const struct value *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

struct value native_rmw(uint64_t address, unsigned size, enum rmw_op rmw,
                        const struct value *operand, enum event_order order,
                        uint32_t site)
{
    struct op op = begin_rmw(OP_RMW, address, size, order, site);
    struct value old, new;

    op.rmw = (uint8_t)rmw;
    if (is_in_block()) {
        old = native_block_rmw(address, size, rmw, operand, order, site);
    } else {
        op.operand = number_of(operand, size);
        old = announce(op);
        labels_did_load(address, size);
        labels_did_store(address, size);
    }
    new = old;
    rmw_apply(rmw, size, new.word, operand->word);
    end_rmw(address, size, &old, !is_equal(&old, &new), site);
    return old;
}

/* --cas bufferable: a CAS looks at memory when its turn comes, and then stores
 * as others do.  Only a full fence after it makes one step of it. */
static bool is_buffered(const struct op *op, uint64_t address)
{
    return rt.channel->flags & CHANNEL_CAS_BUFFERABLE &&
           rt.model->delays_stores && !memory_is_ghost(address) &&
           !(rt_recipe(model_construct_of(EV_RMW, op->order)).after &
             FENCE_FULL);
}

static void store_of_cas(const struct op *cas)
{
    struct op op = *cas;

    op.kind = OP_STORE;
    op.order = order_releases(cas->order) ? ORDER_RELEASE : ORDER_RELAXED;
    op.failure_order = 0;
    op.expected = 0;
    op.only_reads = false;
    op.skips = 0;
    native_announce(op);
}

struct value native_cas(uint64_t address, unsigned size,
                        const struct value *expected,
                        const struct value *desired, enum event_order success,
                        enum event_order failure, uint32_t site)
{
    struct op op = begin_rmw(OP_CAS, address, size, success, site);
    struct value old;

    op.failure_order = (uint8_t)failure;
    if (is_in_block()) {
        old = native_block_cas(address, size, expected, desired, success,
                               failure, site);
    } else {
        op.operand = number_of(desired, size);
        op.expected = number_of(expected, size);
        op.only_reads = is_buffered(&op, address);
        old = announce(op);
        labels_did_load(address, size);
        if (is_equal(&old, expected))
            labels_did_store(address, size);
        if (is_equal(&old, expected) && op.only_reads)
            store_of_cas(&op);
    }
    end_rmw(address, size, &old,
            is_equal(&old, expected) && !is_equal(desired, expected), site);
    return old;
}

/* ---- Copies ----
 *
 * Piece by piece; the labels of memory go with it. */

void native_copy_out(uint64_t from, void *to, uint64_t size, uint32_t site)
{
    uint32_t address = __fencer_labels[LABEL_ADDR], all = 0;
    char *out = to;

    for (unsigned n; size; from += n, out += n, size -= n) {
        struct value v;

        n = machine_chunk(from, size);
        labels_give(address, 0);
        v = native_load(from, n, ORDER_PLAIN, site);
        memcpy(out, &v, n);
        labels_keep((uint64_t)out, n, __fencer_labels[LABEL_RESULT]);
        all = labels_union(all, __fencer_labels[LABEL_RESULT]);
    }
    __fencer_labels[LABEL_RESULT] = all;
}

void native_copy_in(uint64_t to, const void *from, uint64_t size, uint32_t site)
{
    uint32_t address = __fencer_labels[LABEL_ADDR];
    const char *in = from;

    for (unsigned n; size; to += n, in += n, size -= n) {
        struct value v = {{0, 0}};

        n = machine_chunk(to, size);
        memcpy(&v, in, n);
        labels_give(address, labels_recall((uint64_t)in, n));
        native_store(to, n, &v, ORDER_PLAIN, site);
    }
}

/* An access that nobody else sees may carry order from one that others see to
 * another: a store, a store-load fence, that load, a store; or a load, that
 * store, the fence, a load.  No other fence does that. */
static bool carries(unsigned bits)
{
    return bits & FENCE_SL && !(bits & FENCE_FULL) && rt.model->reorders_stores;
}

static void look_for_carriers(unsigned bits)
{
    if (carries(bits) && !native.all_shared)
        native.all_shared = native.restart = true;
}

bool native_model_carries(void)
{
    for (unsigned c = 0; c < C_COUNT; c++) {
        const struct model_recipe *r = &rt.model->recipe[c];

        if (carries(r->before) || carries(r->after))
            return true;
    }
    return false;
}

/* A processor has fences for C's orders, and for those of fencer.h. */
static void fence_by_mapping(unsigned bits, enum event_order order)
{
    if (bits || order > ORDER_RELAXED)
        native_announce((struct op){
            .kind = OP_FENCE, .order = (uint8_t)order, .fence = (uint8_t)bits});
}

void native_fence_everybody(uint32_t site)
{
    if (rt.model->by_language)
        native_refuse("membarrier, which C11 does not have", site);
    if (rt.model->by_axioms && rt.model->axioms->axioms)
        native_refuse("membarrier, on POWER", site);
    rt.current->site = site;
    __fencer_count++;
    if (rt.model->delays_stores)
        native_announce((struct op){.kind = OP_FENCE,
                                    .order = ORDER_SEQ_CST,
                                    .fence = FENCE_FULL,
                                    .everybody = 1});
}

void native_fence(unsigned bits, enum event_order order, uint32_t site)
{
    rt.current->site = site;
    __fencer_count++;
    if (rt.model->by_language) {
        native_fence_by_order(bits, order);
        return;
    }
    if (rt.model->by_axioms) {
        fence_by_mapping(bits, order);
        return;
    }
    if (!rt.model->delays_stores && rt.channel->graph.wants_unordered &&
        !is_in_block()) {
        native_fence_by_order(bits, order);
        return;
    }
    if (!bits || !rt.model->delays_stores)
        return; /* it orders nothing */
    if (native_block_fence(bits))
        return;
    look_for_carriers(bits);
    native_self()->fences |= (uint8_t)bits;
    native_self()->fenced_at = __fencer_count;
}
