/* SPDX-License-Identifier: MIT
 *
 * Atomic blocks in a graph (graph/behaviour.h).  The first time that a block
 * touches a location it announces that, and gets the value; from then on it
 * works on its own copy.  When it ends it announces what it wrote.  To the
 * search all this is one access.
 *
 * What only its own thread touches stays in memory.  But to the machine each
 * address is one of an RMW, which may have to wait for stores: a block that
 * touches nothing else has an event all the same.  One other address is enough
 * for that, and private ones add nothing.
 */
#include <string.h>

#include "event/must.h"
#include "graph/rmw.h"
#include "runtime/layout.h"
#include "runtime/machine.h"
#include "runtime/native_inside.h"
#include "runtime/runtime_record.h"

static struct native_block *block(void)
{
    return &native_self()->block;
}

void native_no_block(const char *what, uint32_t site)
{
    if (native_is_on() && rt.current->atomic_depth)
        native_refuse(what, site);
}

/* ---- What a block may touch ---- */

#define REACHES_MAX 4096

static struct native_reach reaches[REACHES_MAX];
static uint32_t reach_count;
static bool was_asked; /* what is found out from now on is news */

void native_take_reaches(const struct native_reach *from, uint32_t count)
{
    MUST(count <= REACHES_MAX);
    if (count)
        memcpy(reaches, from, count * sizeof *reaches);
    reach_count = count;
    was_asked = false;
}

uint32_t native_reaches_known(struct native_reach *to)
{
    memcpy(to, reaches, reach_count * sizeof *to);
    return reach_count;
}

/* A place in the program, a thread, and where it begins: the same block. */
static uint64_t key_of(uint32_t thread, uint32_t site, uint64_t first)
{
    return (first ^ (uint64_t)thread << 48) * 0x9e3779b97f4a7c15ull + site;
}

static struct native_reach *find_reach(uint64_t key, uint64_t address)
{
    for (uint32_t i = 0; i < reach_count; i++)
        if (reaches[i].block == key && reaches[i].address == address)
            return &reaches[i];
    if (reach_count == REACHES_MAX)
        native_refuse("fencer_atomic blocks that touch too much memory",
                      rt.current->site);
    reaches[reach_count] =
        (struct native_reach){.block = key, .address = address, .first = 255};
    return &reaches[reach_count++];
}

/* All who explore the tree have to know the same. */
static void note_reach(const struct native_block *k, unsigned location)
{
    uint64_t first =
        native_location_address(k->count ? k->parts[0].location : location);
    struct native_reach *r = find_reach(key_of(rt.current->id, k->site, first),
                                        native_location_address(location));

    if (r->first <= k->count && k->count <= r->last)
        return;
    native.restart = native.restart || was_asked || native.goes_on;
    if (k->count < r->first)
        r->first = k->count;
    if (k->count > r->last)
        r->last = k->count;
}

int native_reaches(void *context, behaviour_node node, struct graph_reach *to)
{
    const struct op *op = behaviour_op(native.trie, node);
    uint64_t key =
        key_of(behaviour_thread(native.trie, node), (uint32_t)op->expected,
               native_location_address(op->location));
    int count = 0;

    (void)context;
    was_asked = true;
    for (uint32_t i = 0; i < reach_count; i++) {
        if (reaches[i].block != key)
            continue;
        if (count == GRAPH_REACH_MAX) {
            native_give_up("a fencer_atomic block that touches too much memory",
                           op->site);
            *native.stop = true;
            break;
        }
        to[count++] = (struct graph_reach){
            (uint16_t)native_location_at(reaches[i].address), reaches[i].first,
            reaches[i].last};
    }
    return count;
}

bool native_location_is_ghost(void *context, unsigned location)
{
    (void)context;
    return memory_is_ghost(native_location_address(location));
}

/* ---- Its copy ---- */

static unsigned touch_part(unsigned location, uint32_t site)
{
    struct native_block *k = block();
    unsigned i = 0;

    while (i < k->count && k->parts[i].location != location)
        i++;
    if (i < k->count)
        return i;
    if (k->count == OP_PARTS_MAX)
        native_refuse("a fencer_atomic block that touches too much memory",
                      site);
    note_reach(k, location);
    k->parts[i].value = native_announce(
        (struct op){.kind = OP_ATOMIC,
                    .order = ORDER_RELAXED,
                    .ghost = native_location_is_ghost(NULL, location),
                    .size = (uint8_t)native_location_size(location),
                    .cuts = 1,
                    .part = (uint16_t)i,
                    .location = (uint16_t)location,
                    .expected = k->site});
    k->parts[i].location = (uint16_t)location;
    k->parts[i].written = false;
    k->parts[i].label = labels_are_on() ? labels_of_last() : 0;
    k->count++;
    return i;
}

/* The first location of that memory, and how many it has. */
static unsigned pieces_of(uint64_t address, unsigned size, uint32_t site,
                          unsigned *count)
{
    struct op op = {.kind = OP_LOAD};

    native_share(address, size);
    op.location =
        (uint16_t)native_location(address, size, false, site, &op.cuts);
    *count = op_parts(&op);
    return op.location;
}

static struct value read_copy(unsigned location, unsigned count, uint32_t site)
{
    struct value v = {{0, 0}};
    unsigned at = 0;
    uint32_t label = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned part = touch_part(location + i, site);
        unsigned size = native_location_size(location + i);

        memcpy((char *)&v + at, &block()->parts[part].value, size);
        label = labels_union(label, block()->parts[part].label);
        at += size;
    }
    labels_did_read(label);
    return v;
}

static void write_copy(unsigned location, unsigned count, const struct value *v,
                       uint32_t site)
{
    unsigned at = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned part = touch_part(location + i, site);
        unsigned size = native_location_size(location + i);

        memcpy(&block()->parts[part].value, (const char *)v + at, size);
        block()->parts[part].written = true;
        block()->parts[part].label = labels_are_on() ? labels_of_stored() : 0;
        at += size;
    }
}

/* ---- Fences ----
 *
 * One after which nothing is touched comes after the block.  Any other makes
 * the whole block, which is one moment, an RMW of a stronger order. */

static void fold_fences(unsigned bits, uint32_t site)
{
    if (bits & FENCE_SL && !(bits & FENCE_FULL) && rt.model->reorders_stores)
        native_refuse("a store-load fence in a fencer_atomic block", site);
    block()->folded |= bits;
}

bool native_block_fence(unsigned bits)
{
    struct native_block *k = block();

    if (!rt.current->atomic_depth || !k->count)
        return false; /* as if it came before */
    k->fences |= bits;
    return true;
}

static enum event_order order_of_block(const struct native_block *k)
{
    bool acquires = k->folded & FENCE_LL, releases = k->folded & FENCE_SS;

    if (k->folded & FENCE_FULL)
        return ORDER_SEQ_CST;
    return acquires && releases ? ORDER_ACQ_REL
           : acquires           ? ORDER_ACQUIRE
           : releases           ? ORDER_RELEASE
                                : ORDER_RELAXED;
}

/* An access of such a construct begins; it is over. */
static void begin_access(enum event_kind kind, enum event_order order,
                         uint32_t site)
{
    struct native_block *k = block();

    fold_fences(k->fences, site);
    k->fences = 0;
    fold_fences(rt.model->recipe[model_construct_of(kind, order)].before, site);
}

static void end_access(enum event_kind kind, enum event_order order)
{
    struct native_block *k = block();

    k->happened++;
    k->fences |= rt.model->recipe[model_construct_of(kind, order)].after;
}

/* ---- Accesses ---- */

bool native_block_has(uint64_t address, unsigned size)
{
    struct native_block *k = block();

    if (native_is_shared(address, size))
        return true;
    k->happened++;
    if (!memory_is_ghost(address)) {
        k->own = address;
        k->own_size = (uint8_t)size;
    }
    return false;
}

struct value native_block_load(uint64_t address, unsigned size,
                               enum event_order order, uint32_t site)
{
    unsigned count, location = pieces_of(address, size, site, &count);
    struct value v;

    begin_access(EV_LOAD, order, site);
    v = read_copy(location, count, site);
    end_access(EV_LOAD, order);
    return v;
}

void native_block_store(uint64_t address, unsigned size, const struct value *v,
                        enum event_order order, uint32_t site)
{
    unsigned count, location = pieces_of(address, size, site, &count);

    native_probe_at(location, count);
    begin_access(EV_STORE, order, site);
    write_copy(location, count, v, site);
    end_access(EV_STORE, order);
}

struct value native_block_rmw(uint64_t address, unsigned size, enum rmw_op op,
                              const struct value *operand,
                              enum event_order order, uint32_t site)
{
    unsigned count, location = pieces_of(address, size, site, &count);
    struct value old, new;

    native_probe_at(location, count);
    begin_access(EV_RMW, order, site);
    old = new = read_copy(location, count, site);
    rmw_apply(op, size, new.word, operand->word);
    write_copy(location, count, &new, site);
    end_access(EV_RMW, order);
    return old;
}

struct value native_block_cas(uint64_t address, unsigned size,
                              const struct value *expected,
                              const struct value *desired,
                              enum event_order success,
                              enum event_order failure, uint32_t site)
{
    unsigned count, location = pieces_of(address, size, site, &count);
    bool full = success == ORDER_SEQ_CST;
    struct value old;

    native_probe_at(location, count);
    begin_access(full ? EV_RMW : EV_CAS_FAIL, full ? success : failure, site);
    old = read_copy(location, count, site);
    if (memcmp(&old, expected, sizeof old) != 0) {
        end_access(full ? EV_RMW : EV_CAS_FAIL, full ? success : failure);
        return old;
    }
    fold_fences(rt.model->recipe[model_construct_of(EV_RMW, success)].before,
                site);
    write_copy(location, count, desired, site);
    end_access(EV_RMW, success);
    return old;
}

/* ---- Its beginning and its end ---- */

void native_begin_block(uint32_t site)
{
    if (!native.knows_parts || !model_has_machine(rt.model))
        native_refuse("fencer_atomic", site);
    *block() = (struct native_block){.site = site};
}

/* It touched only what is its own, and still is an RMW. */
static void share_own(const struct native_block *k)
{
    if (k->own && rt.model->delays_stores)
        native_share(k->own, k->own_size);
}

static bool touches_only_ghosts(const struct native_block *k)
{
    for (unsigned i = 0; i < k->count; i++)
        if (!native_location_is_ghost(NULL, k->parts[i].location))
            return false;
    return true;
}

void native_end_block(uint32_t site)
{
    struct native_thread *n = native_self();
    struct native_block *k = &n->block;

    rt.current->site = site;
    if (touches_only_ghosts(k))
        share_own(k);
    for (unsigned i = 0; i < k->count; i++)
        if (k->parts[i].written) {
            labels_will_put(k->parts[i].label);
            native_announce((struct op){.kind = OP_PUT,
                                        .size = 8,
                                        .part = (uint16_t)i,
                                        .location = k->parts[i].location,
                                        .operand = k->parts[i].value});
        }
    if (!k->count)
        n->skips += k->happened;
    n->ended = *k;
    k->count = 0;
    if (k->fences)
        native_fence(k->fences, ORDER_SEQ_CST, site);
}

/* The thread ran: a block of it ended, or stopped in the middle. */
bool native_block_effect(struct native_thread *n, struct effect *e)
{
    bool goes_on = native.op.kind == OP_PUT ||
                   (native.op.kind == OP_ATOMIC && native.op.part);
    const struct native_block *k = n->ended.count ? &n->ended : &n->block;
    enum event_order order;

    if (!k->count || goes_on)
        return false;
    order = order_of_block(k);
    *e =
        (struct effect){.order = (uint8_t)order,
                        .construct = (uint8_t)model_construct_of(EV_RMW, order),
                        .happened = k->happened};
    n->ended.count = 0;
    return true;
}
