/* SPDX-License-Identifier: MIT
 *
 * Which memory threads share, and under which names (locations) the graph
 * knows it.
 *
 * A byte is nobody's, one thread's, or shared.  It is shared once a second
 * thread touched it, and stays so through all searches of the job, and of those
 * that go on with its state: whoever explores a tree knows the same.  Shared
 * bytes belong to locations.  A location's initial value is what memory holds:
 * what is shared is never written there while there are threads.
 *
 * Accesses to one location have the same address and size, as long as no two
 * accesses overlap otherwise.  Where they do, memory is *mixed*: it is cut
 * where any access begins or ends, and an access has as many parts as it has
 * pieces.  No location is larger than 8 bytes, so memory that is accessed by 16
 * is always mixed.  That is found out, too, and stays so.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/fiber.h"
#include "runtime/heap.h"
#include "runtime/layout.h"
#include "runtime/machine.h"
#include "runtime/native_inside.h"
#include "runtime/shadow.h"

#define WORDS (1u << 20)
#define SHARED UINT16_MAX
#define BLOCKS_MAX (1u << 14)
#define TOUCH_MOST (1u << 20) /* bytes that a library call may touch */
#define BYTES_AT 56           /* a word's bytes, above its number */

struct word {
    uint64_t address;      /* divided by 8, plus 1; 0: an empty place */
    uint16_t owners[8];    /* of its bytes: thread + 1, SHARED; 0: nobody */
    uint16_t locations[8]; /* of its bytes, plus 1 */
    uint8_t mixed;         /* which of its bytes are */
    uint8_t cuts;          /* at which of these a piece begins */
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
static uint64_t unwritten[GRAPH_LOCATIONS_MAX / 64]; /* a bit for each */

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

/* Every byte of that memory, its word looked up once. */
#define EACH_OWNER(owner, address, size)                                       \
    for (uint64_t at_ = (address), end_ = at_ + (size);                        \
         at_ < end_ && ((owner) = owner_of(owner, at_, address), true); at_++)

static uint16_t *owner_of(uint16_t *before, uint64_t address, uint64_t first)
{
    return address == first || !(address & 7)
               ? &find_word(address)->owners[address & 7]
               : before + 1;
}

/* An operation touches it: from now on all accesses to it are operations, for
 * what it writes is in the graph alone. */
void native_share(uint64_t address, uint64_t size)
{
    uint16_t *owner = NULL;

    EACH_OWNER(owner, address, size)
    {
        native.restart = native.restart || (*owner && *owner != SHARED);
        *owner = SHARED;
    }
}

bool native_is_known(uint64_t address, uint64_t size)
{
    uint16_t *owner = NULL;

    EACH_OWNER(owner, address, size)
    if (*owner != SHARED)
        return false;
    return true;
}

/* Memory of a stack belongs to its thread as long as that does not return. */
static void note_stack(uint64_t address)
{
    uint32_t on = fiber_of(address);

    if (address - FIBER_AT < FIBER_SIZE * RT_MAX_THREADS &&
        on != rt.current->id && on < GRAPH_THREADS_MAX)
        native.leans[rt.current->id] |= 1u << on;
}

/* What is shared in part is so as a whole, or the thread would find its own
 * part in memory, the rest in the graph. */
bool native_is_shared(uint64_t address, uint64_t size)
{
    uint16_t me = (uint16_t)(rt.current->id + 1), *owner = NULL;
    bool shared = false;

    note_stack(address);
    EACH_OWNER(owner, address, size)
    {
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

void native_touches_now(uint64_t address, uint64_t size)
{
    const struct native_thread *n = native_self();

    if (is_own(address) || address - (uint64_t)n->object < n->object_size)
        return;
    native_own_read(address, size > TOUCH_MOST ? 0 : size);
}

bool native_touch(uint64_t address, uint64_t size)
{
    if (is_own(address))
        return address != (uint64_t)&rt.clock_ns;
    if (size > TOUCH_MOST)
        return false;
    return !native_is_shared(address, size);
}

void native_call_writes(uint64_t address, uint64_t size, uint32_t site)
{
    if (native_is_shared(address, size))
        native_refuse("a library call on memory that threads share", site);
    native_own_write(address, size);
    labels_touched(true, address, size);
    shadow_touch_range(address, size);
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

static uint64_t shared_bytes(const struct word *w)
{
    uint64_t bytes = 0;

    for (unsigned b = 0; b < 8; b++)
        bytes |= (uint64_t)(w->owners[b] == SHARED) << b;
    return bytes;
}

uint32_t native_shared_words(uint64_t *to, uint32_t max)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < word_count && count + 2 <= max; i++) {
        const struct word *w = used[i];
        uint64_t bytes = shared_bytes(w);

        if (!bytes)
            continue;
        to[count++] = w->address | bytes << BYTES_AT;
        to[count++] = w->mixed | (uint64_t)w->cuts << 8;
    }
    return count;
}

static void forget_words(void)
{
    for (uint32_t i = 0; i < word_count; i++)
        *used[i] = (struct word){.address = 0};
    word_count = 0;
}

void native_share_words(const uint64_t *from, uint32_t count)
{
    map_words();
    forget_words();
    for (uint32_t i = 0; i + 2 <= count; i += 2) {
        uint64_t address = from[i] & ((1ull << BYTES_AT) - 1);
        struct word *w = find_word((address - 1) << 3);

        for (unsigned b = 0; b < 8; b++)
            if (from[i] >> (BYTES_AT + b) & 1)
                w->owners[b] = SHARED;
        w->mixed = (uint8_t)from[i + 1];
        w->cuts = (uint8_t)(from[i + 1] >> 8);
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
    memset(unwritten, 0, sizeof unwritten);
}

/* ---- Locations ---- */

/* Is it as malloc left it?  (A program that writes such bytes by itself is told
 * too much: that other contents were not tried.) */
static bool is_unwritten(uint64_t address, unsigned size)
{
    if (address - HEAP_AT >= HEAP_SPAN)
        return false;
    for (unsigned i = 0; i < size; i++)
        if (*(const uint8_t *)(address + i) != HEAP_FILL)
            return false;
    return true;
}

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
    if (!is_object && is_unwritten(address, size))
        unwritten[location_count / 64] |= 1ull << location_count % 64;
    for (uint64_t a = address; a < address + size; a++)
        find_word(a)->locations[a & 7] = (uint16_t)(location_count + 1);
    return location_count++;
}

static unsigned location_at(uint64_t address)
{
    return find_word(address)->locations[address & 7];
}

/* ---- Mixed memory ---- */

static bool is_mixed(uint64_t address)
{
    return find_word(address)->mixed >> (address & 7) & 1;
}

static bool is_cut(uint64_t address)
{
    return find_word(address)->cuts >> (address & 7) & 1;
}

static void cut(uint64_t address)
{
    find_word(address)->cuts |= (uint8_t)(1u << (address & 7));
}

/* That memory is mixed, and no piece goes beyond its ends. */
static void mix(uint64_t address, uint64_t size)
{
    for (uint64_t a = address; a < address + size; a++)
        find_word(a)->mixed |= (uint8_t)(1u << (a & 7));
    cut(address);
    cut(address + size);
    if (size > 8)
        cut(address + 8);
}

/* Is it known that it is mixed, and cut where it begins and ends? */
static bool is_known_mix(uint64_t address, unsigned size)
{
    bool known = is_cut(address) && is_cut(address + size) &&
                 (size <= 8 || is_cut(address + 8));

    for (uint64_t a = address; a < address + size; a++)
        known = known && is_mixed(a);
    return known;
}

/* The search begins again, with what is known now. */
static _Noreturn void begin_again(void)
{
    native.restart = true;
    *native.stop = true;
    native.op = (struct op){.kind = OP_BLOCK, .why = NATIVE_CUT};
    fiber_leave();
}

/* An access that is none of what is known: so are all locations it touches. */
static void learn_mix(uint64_t address, unsigned size, uint32_t site)
{
    bool begun = false;

    mix(address, size);
    for (uint64_t a = address; a < address + size; a++) {
        const struct location *l = &locations[location_at(a) - 1];

        if (!location_at(a))
            continue;
        if (l->is_object)
            native_refuse("accesses to the memory of an object of the library",
                          site);
        mix(l->address, l->size);
        begun = true;
    }
    if (begun)
        begin_again();
}

/* Where the piece of mixed memory ends that begins there. */
static uint64_t end_of_piece(uint64_t address)
{
    do
        address++;
    while (is_mixed(address) && !is_cut(address));
    return address;
}

static bool has_no_name(uint64_t address)
{
    return is_mixed(address) && !location_at(address);
}

/* Locations for all pieces of mixed memory around that address: neighbours have
 * neighbouring numbers. */
static void name_pieces(uint64_t address, uint32_t site)
{
    while (has_no_name(address - 1))
        address--;
    while (has_no_name(address)) {
        uint64_t end = end_of_piece(address);

        new_location(address, (unsigned)(end - address), false, site);
        address = end;
    }
}

/* The parts of that access, as op.cuts says it. */
static uint16_t parts_of(uint64_t address, unsigned size, uint32_t site)
{
    unsigned cuts = 0, next = location_at(address);

    for (uint64_t a = address; a < address + size; a = end_of_piece(a)) {
        if (location_at(a) != next++)
            begin_again(); /* they were found out one after the other */
        cuts |= 1u << (a - address);
    }
    if (__builtin_popcount(cuts) > OP_PARTS_MAX)
        native_refuse("an access that others cut into too many parts", site);
    return cuts == 1 ? 0 : (uint16_t)cuts;
}

/* ---- Accesses and their locations ---- */

/* Is that exactly the location of that number + 1? */
static bool is_location(unsigned number, uint64_t address, unsigned size,
                        bool is_object)
{
    const struct location *l = &locations[number - 1];

    return number && l->address == address && l->size == size &&
           l->is_object == is_object;
}

/* Memory that can be a location, and that no other access overlaps so far. */
static bool is_new(uint64_t address, unsigned size, bool is_object)
{
    for (uint64_t a = address; a < address + size; a++)
        if (location_at(a) || is_mixed(a))
            return false;
    return size <= 8 || is_object;
}

/* Names the pieces of an access that others overlap. */
static void know_pieces(uint64_t address, unsigned size, uint32_t site)
{
    if (!is_known_mix(address, size))
        learn_mix(address, size, site);
    if (!location_at(address))
        name_pieces(address, site);
}

unsigned native_first_piece(uint64_t address, unsigned size, uint32_t site)
{
    if (is_location(location_at(address), address, size, false) ||
        is_new(address, size, false))
        return size;
    know_pieces(address, size, site);
    return (unsigned)(end_of_piece(address) - address);
}

unsigned native_location(uint64_t address, unsigned size, bool is_object,
                         uint32_t site, uint16_t *cuts)
{
    unsigned number = location_at(address);

    *cuts = 0;
    if (is_location(number, address, size, is_object))
        return number - 1;
    if (is_new(address, size, is_object))
        return new_location(address, size, is_object, site);
    if (is_object)
        native_refuse("accesses to the memory of an object of the library",
                      site);
    native.met_parts |= !native.knows_parts && !native.refused;
    if (!native.knows_parts)
        native_refuse(size > 8 ? "an access of 16 bytes"
                               : "accesses of different sizes to the same "
                                 "memory",
                      site);
    know_pieces(address, size, site);
    *cuts = parts_of(address, size, site);
    return location_at(address) - 1;
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

unsigned native_location_at(uint64_t address)
{
    unsigned number = location_at(address);

    return number && locations[number - 1].address == address
               ? number - 1
               : GRAPH_LOCATIONS_MAX;
}

void native_probe(const struct op *op)
{
    native_probe_at(op->location, op_parts(op));
}

void native_probe_at(unsigned location, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct location *l = &locations[location + i];

        if (!l->probed)
            *(volatile uint8_t *)l->address = *(volatile uint8_t *)l->address;
        l->probed = true;
    }
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

const uint64_t *native_unwritten(void)
{
    return unwritten;
}

/* By another thread than had it from malloc, which knows what it did.  What was
 * there is garbage: so others would have to be tried as well. */
void native_reads_unwritten(void *context, const struct op *op, unsigned thread)
{
    const struct block *b = find_block(locations[op->location].address);
    struct channel_explore *x = &rt.channel->explore;
    const struct fencer_site *s = rt_site(op->site);

    (void)context;
    if (x->incomplete || (b && b->thread == thread))
        return;
    x->incomplete = 1;
    rt_print(x->why, sizeof x->why,
             "%s:%u may read what malloc left, and only 0x%x was tried",
             s->file, s->line, HEAP_FILL);
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

/* Has that owner of bytes ended before this, as the thread knows that runs? */
static bool has_joined(uint16_t owner)
{
    return owner != SHARED && native_self()->joined >> (owner - 1) & 1;
}

/* What a thread frees it touches: bytes that only another one uses would be
 * used after that, and nobody would see it.  Bytes of a thread that it has
 * joined nobody uses any more, or they would be shared: they stay what they
 * are. */
static void touch_freed(uint64_t address, uint64_t size)
{
    uint16_t me = (uint16_t)(rt.current->id + 1), *owner = NULL;

    EACH_OWNER(owner, address, size)
    {
        if (!*owner)
            *owner = me;
        else if (*owner != me && *owner != SHARED && !has_joined(*owner))
            native_share(at_, 1);
    }
}

static bool is_all_private(uint64_t address, uint64_t size)
{
    uint16_t *owner = NULL;

    EACH_OWNER(owner, address, size)
    if (*owner == SHARED)
        return false;
    return true;
}

void native_freed(uint64_t address, uint64_t size, uint32_t site)
{
    rt.current->site = site;
    touch_freed(address, size);
    if (is_all_private(address, size))
        return;
    native_no_block("free in a fencer_atomic block", site);
    native_announce(
        (struct op){.kind = OP_FREE, .operand = address, .expected = size});
}

/* Does some other thread touch it, in whatever execution? */
bool native_is_shared_in_part(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < word_count; i++) {
        uint64_t address = (used[i]->address - 1) << 3;

        if (address >= start && address < end && shared_bytes(used[i]))
            return true;
    }
    return false;
}

/* A thread ends when its stores are in memory.  C11 says when by joins alone,
 * and has races for the rest. */
void native_stack_ends(uint64_t start, uint64_t end)
{
    if (rt.model->by_language || !native_is_shared_in_part(start, end))
        return;
    native_fence(FENCE_FULL, ORDER_RELAXED, rt.current->site);
    native_announce((struct op){.kind = OP_FREE,
                                .why = NATIVE_ENDS,
                                .operand = start,
                                .expected = end - start});
}
