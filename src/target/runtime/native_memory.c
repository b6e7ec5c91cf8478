/* SPDX-License-Identifier: MIT
 *
 * Which memory threads share, and under which names (locations) the graph
 * knows it.
 *
 * A byte is nobody's, one thread's, or shared.  It is shared once a second
 * thread touched it, and stays so through all searches of the job.  Shared
 * bytes belong to locations; accesses to one location have the same address and
 * size.  A location's initial value is what memory holds: what is
 * shared is never written there while there are threads.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "graph/rmw.h"
#include "runtime/buffer.h"
#include "runtime/carried.h"
#include "runtime/heap.h"
#include "runtime/layout.h"
#include "runtime/machine.h"
#include "runtime/native_inside.h"
#include "runtime/runtime_hooks.h"
#include "runtime/runtime_record.h"
#include "runtime/shadow.h"

#define WORDS (1u << 20)
#define SHARED UINT16_MAX
#define BLOCKS_MAX (1u << 14)
#define BYTES_AT 56 /* a word's bytes, above its number */

struct word {
    uint64_t address;      /* divided by 8, plus 1; 0: an empty place */
    uint16_t owners[8];    /* of its bytes: thread + 1, SHARED; 0: nobody */
    uint16_t locations[8]; /* of its bytes, plus 1 */
};

struct location {
    uint64_t address, initial;
    uint32_t size;
    bool is_object; /* of the thread library */
    bool probed;    /* it can be written */
    bool roles[ROLE_OTHER + 1];
};

static struct word *words;
static struct word **used; /* those that are */
static uint32_t word_count;
static struct location locations[GRAPH_LOCATIONS_MAX];
static uint32_t location_count;

/* Blocks of the heap that some thread had, in whatever execution. */
static struct block {
    uint64_t address, size;
    uint32_t site, thread;
} blocks[BLOCKS_MAX];
static uint32_t block_count;

/* ---- Words ---- */

static struct word *find_word(uint64_t address)
{
    uint64_t key = (address >> 3) + 1;
    uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 44) & (WORDS - 1);

    while (words[i].address && words[i].address != key)
        i = (i + 1) & (WORDS - 1);
    if (words[i].address)
        return &words[i];
    if (word_count == WORDS / 2)
        native_refuse("too much memory to look at", rt.current->site);
    words[i].address = key;
    used[word_count++] = &words[i];
    return &words[i];
}

static uint16_t *owner_of(uint64_t address)
{
    return &find_word(address)->owners[address & 7];
}

/* An operation touches it: from now on all accesses to it are operations, for
 * what it writes is in the graph alone. */
void native_share(uint64_t address, uint64_t size)
{
    for (uint64_t a = address; a < address + size; a++) {
        uint16_t *owner = owner_of(a);

        native.restart = native.restart || (*owner && *owner != SHARED);
        *owner = SHARED;
    }
}

/* The running thread touches it; is it shared?  What is so in part is so as a
 * whole, or that thread would find its own part in memory, the rest in the
 * graph. */
static bool touch(uint64_t address, uint64_t size)
{
    uint16_t me = (uint16_t)(rt.current->id + 1);
    bool shared = false;

    for (uint64_t a = address; a < address + size; a++) {
        uint16_t *owner = owner_of(a);

        if (!*owner)
            *owner = me;
        shared = shared || *owner != me;
    }
    if (shared)
        native_share(address, size);
    return shared;
}

/* The runtime's own tables are no memory of the program.  What happens to them
 * is known: a thread was made, or joined; the others nobody may change. */
static bool is_own(uint64_t address)
{
    return (address >= (uint64_t)&rt && address < (uint64_t)(&rt + 1)) ||
           (address >= (uint64_t)rt.threads &&
            address < (uint64_t)(rt.threads + RT_MAX_THREADS));
}

bool native_touch(uint64_t address, uint64_t size)
{
    if (is_own(address))
        return address != (uint64_t)&rt.clock_ns;
    if (size > 1u << 20)
        return false;
    native_own_read(address, size); /* for all we know */
    return !touch(address, size);
}

static void *map(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(at != MAP_FAILED);
    return at;
}

static void map_words(void)
{
    if (words)
        return;
    words = map(WORDS * sizeof *words);
    used = map(WORDS / 2 * sizeof *used);
}

uint32_t native_shared_words(uint64_t *to, uint32_t max)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < word_count && count < max; i++) {
        uint64_t bytes = 0;

        for (unsigned b = 0; b < 8; b++)
            bytes |= (uint64_t)(used[i]->owners[b] == SHARED) << b;
        if (bytes)
            to[count++] = used[i]->address | bytes << BYTES_AT;
    }
    return count;
}

void native_share_words(const uint64_t *from, uint32_t count)
{
    map_words();
    for (uint32_t i = 0; i < count; i++) {
        uint64_t address = ((from[i] & ((1ull << BYTES_AT) - 1)) - 1) << 3;

        for (unsigned b = 0; b < 8; b++)
            if (from[i] >> (BYTES_AT + b) & 1)
                find_word(address)->owners[b] = SHARED;
    }
}

void native_forget_memory(void)
{
    map_words();
    for (uint32_t i = 0; i < word_count; i++) {
        struct word *w = used[i];

        for (unsigned b = 0; b < 8; b++)
            if (w->owners[b] != SHARED)
                w->owners[b] = 0;
        memset(w->locations, 0, sizeof w->locations);
    }
    location_count = 0;
}

/* ---- Locations ---- */

static unsigned new_location(uint64_t address, unsigned size, bool is_object,
                             uint32_t site)
{
    struct location *l = &locations[location_count];

    if (location_count == GRAPH_LOCATIONS_MAX)
        native_refuse("more shared variables than can be explored", site);
    *l = (struct location){
        .address = address, .size = size, .is_object = is_object};
    l->initial = is_object ? native_state((const void *)address, size)
                           : memory_read(address, size).word[0];
    for (uint64_t a = address; a < address + size; a++)
        find_word(a)->locations[a & 7] = (uint16_t)(location_count + 1);
    return location_count++;
}

unsigned native_location(uint64_t address, unsigned size, bool is_object,
                         uint32_t site)
{
    uint16_t number = find_word(address)->locations[address & 7];
    const struct location *l = &locations[number - 1];
    bool same = true;

    for (uint64_t a = address; a < address + size; a++)
        same = same && find_word(a)->locations[a & 7] == number;
    if (!number && same)
        return new_location(address, size, is_object, site);
    if (!same || l->address != address || l->size != size ||
        l->is_object != is_object)
        native_refuse("accesses of different sizes to the same memory", site);
    return number - 1u;
}

bool native_location_takes(unsigned location, enum native_role role)
{
    struct location *l = &locations[location];

    l->roles[role] = true;
    return !(l->roles[ROLE_LOCKS] && l->roles[ROLE_OTHER]);
}

uint64_t native_location_address(unsigned location)
{
    return locations[location].address;
}

unsigned native_location_size(unsigned location)
{
    return locations[location].size;
}

uint64_t native_initial(void *context, unsigned location)
{
    (void)context;
    MUST(location < location_count);
    return locations[location].initial;
}

bool native_covers(void *context, const struct op *op, unsigned location)
{
    (void)context;
    return locations[location].address - op->operand < op->expected;
}

/* ---- The heap ---- */

static const struct block *find_block(uint64_t address)
{
    for (uint32_t i = block_count; i-- > 0;)
        if (address - blocks[i].address < blocks[i].size)
            return &blocks[i];
    return NULL;
}

/* New memory is as it was in every other execution, or its initial value would
 * depend on more than its name. */
static void check_initial(uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < location_count; i++) {
        const struct location *l = &locations[i];

        if (l->address - address < size && !l->is_object &&
            memory_read(l->address, l->size).word[0] != l->initial)
            native_refuse("memory that is allocated in different ways",
                          rt.current->site);
    }
}

void native_allocated(uint64_t address, uint64_t size)
{
    const struct block *b = find_block(address);

    check_initial(address, size);
    if (b && b->address == address && b->size == size)
        return;
    if (block_count == BLOCKS_MAX)
        native_refuse("too many allocations", rt.current->site);
    blocks[block_count++] =
        (struct block){address, size, rt.current->site, rt.current->id};
}

bool native_block_at(uint64_t address, struct object_record *o)
{
    const struct block *b = find_block(address);

    if (!b)
        return false;
    *o = (struct object_record){.kind = OBJECT_HEAP,
                                .number = (uint32_t)(b - blocks) + 1,
                                .site = b->site,
                                .thread = b->thread,
                                .address = b->address,
                                .size = b->size};
    return true;
}

bool native_is_allocated(uint64_t address, unsigned size)
{
    const struct heap_block *here = heap_block_at(address);
    const struct block *b = find_block(address);

    if (here && address - here->address < here->size)
        return here->freed && here->freed_thread != rt.current->id &&
               address + size <= here->address + here->size;
    return b && address + size <= b->address + b->size;
}

uint64_t native_block_size(uint64_t address)
{
    const struct block *b = find_block(address);

    return b && b->address == address ? b->size : 0;
}

void native_freed(uint64_t address, uint64_t size, uint32_t site)
{
    bool shared = false;

    rt.current->site = site;
    for (uint64_t a = address; a < address + size; a++)
        shared = *owner_of(a) == SHARED || shared;
    if (shared)
        native_announce(
            (struct op){.kind = OP_FREE, .operand = address, .expected = size});
    else
        touch(address, size);
}

/* ---- Accesses ---- */

static void check(uint64_t address, unsigned size, bool write, uint32_t site)
{
    rt.current->site = site;
    if (rt.current->atomic_depth)
        native_refuse("fencer_atomic", site);
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

        if (f->site == site && f->bits != CHANNEL_FENCE_COMMIT)
            native_fence(f->bits, ORDER_SEQ_CST, site);
    }
}

static bool is_private(uint64_t address, unsigned size, enum event_order order)
{
    if (order > ORDER_RELAXED || native.all_shared)
        native_share(address, size);
    if (touch(address, size))
        return false;
    native_self()->skips++;
    return true;
}

/* No order of C11 is "at once".  Where all accesses to a ghost are ordered, a
 * plain one has the same value; where they are not it would race, and is
 * refused (native_search.c). */
static enum event_order order_of_ghost(uint64_t address, enum event_order order)
{
    return rt.model->by_language && memory_is_ghost(address) ? ORDER_PLAIN
                                                             : order;
}

uint64_t native_load(uint64_t address, unsigned size, enum event_order order,
                     uint32_t site)
{
    uint64_t value;

    check(address, size, false, site);
    __fencer_count++;
    if (is_private(address, size, order)) {
        native_own_read(address, size);
        value = memory_read(address, size).word[0];
    } else {
        value = native_announce((struct op){
            .kind = OP_LOAD,
            .ghost = memory_is_ghost(address),
            .order = (uint8_t)order_of_ghost(address, order),
            .size = (uint8_t)size,
            .location = (uint16_t)native_location(address, size, false, site)});
    }
    record_read(rt.current, address, size, value);
    fence_after(site);
    return value;
}

/* A store to memory that cannot be written faults where it stands. */
static void probe(unsigned location)
{
    struct location *l = &locations[location];

    if (!l->probed)
        *(volatile uint8_t *)l->address = *(volatile uint8_t *)l->address;
    l->probed = true;
}

void native_store(uint64_t address, unsigned size, uint64_t value,
                  enum event_order order, uint32_t site)
{
    unsigned location;

    check(address, size, true, site);
    __fencer_count++;
    if (is_private(address, size, order)) {
        carried_note_write(address, size);
        native_own_write(address, size);
        shadow_touch(address, size); /* nobody else sees it: no footprint */
        memcpy((void *)address, &value, size);
    } else {
        record_effect(rt.current);
        location = native_location(address, size, false, site);
        probe(location);
        native_announce(
            (struct op){.kind = OP_STORE,
                        .ghost = memory_is_ghost(address),
                        .order = (uint8_t)order_of_ghost(address, order),
                        .size = (uint8_t)size,
                        .operand = value,
                        .location = (uint16_t)location});
    }
    fence_after(site);
}

static unsigned begin_rmw(uint64_t address, unsigned size, uint32_t site)
{
    unsigned location;

    if (rt.model->by_language && memory_is_ghost(address))
        native_refuse("an RMW on a fencer_ghost, which C11 does not have",
                      site);
    check(address, size, true, site);
    __fencer_count++;
    native_share(address, size);
    location = native_location(address, size, false, site);
    probe(location);
    return location;
}

static void end_rmw(uint64_t address, unsigned size, uint64_t old, bool changed,
                    uint32_t site)
{
    if (changed)
        record_effect(rt.current);
    else
        record_read(rt.current, address, size, old);
    fence_after(site);
}

uint64_t native_rmw(uint64_t address, unsigned size, enum rmw_op op,
                    uint64_t operand, enum event_order order, uint32_t site)
{
    struct op announced = {.kind = OP_RMW,
                           .ghost = memory_is_ghost(address),
                           .rmw = (uint8_t)op,
                           .order = (uint8_t)order,
                           .size = (uint8_t)size,
                           .operand = operand,
                           .location =
                               (uint16_t)begin_rmw(address, size, site)};
    uint64_t old = native_announce(announced), memory[2] = {old, 0},
             operands[2] = {operand, 0};

    rmw_apply(op, size, memory, operands);
    end_rmw(address, size, old, memory[0] != old, site);
    return old;
}

uint64_t native_cas(uint64_t address, unsigned size, uint64_t expected,
                    uint64_t desired, enum event_order success,
                    enum event_order failure, uint32_t site)
{
    struct op announced = {.kind = OP_CAS,
                           .ghost = memory_is_ghost(address),
                           .order = (uint8_t)success,
                           .failure_order = (uint8_t)failure,
                           .size = (uint8_t)size,
                           .operand = desired,
                           .expected = expected,
                           .location =
                               (uint16_t)begin_rmw(address, size, site)};
    uint64_t old = native_announce(announced);

    end_rmw(address, size, old, old == expected && desired != expected, site);
    return old;
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

/* The fences of fencer.h are to C11 what that header makes of them where there
 * is no Fencer. */
static enum event_order order_of_fence(unsigned bits, enum event_order order)
{
    bool releases = bits & FENCE_SS, acquires = bits & (FENCE_LL | FENCE_LS);

    if (!bits || order == ORDER_RELAXED)
        return order;
    if (bits & (FENCE_SL | FENCE_FULL))
        return ORDER_SEQ_CST;
    return releases && acquires ? ORDER_ACQ_REL
           : releases           ? ORDER_RELEASE
                                : ORDER_ACQUIRE;
}

static void fence_by_order(unsigned bits, enum event_order order)
{
    order = order_of_fence(bits, order);
    if (order > ORDER_RELAXED)
        native_announce((struct op){.kind = OP_FENCE, .order = (uint8_t)order});
}

void native_fence(unsigned bits, enum event_order order, uint32_t site)
{
    rt.current->site = site;
    __fencer_count++;
    if (rt.model->by_language) {
        fence_by_order(bits, order);
        return;
    }
    if (!bits || !rt.model->delays_stores)
        return; /* it orders nothing */
    look_for_carriers(bits);
    native_announce((struct op){
        .kind = OP_FENCE, .order = (uint8_t)order, .fence = (uint8_t)bits});
}
