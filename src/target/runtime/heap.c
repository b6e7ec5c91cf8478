/* SPDX-License-Identifier: MIT
 *
 * The program's heap: blocks are cut from fixed regions one after the other,
 * with red zones between them, so that the same program gets the same
 * addresses in every execution; a region for each thread, so that a thread
 * gets the same whatever others allocate meanwhile.  Freed blocks stay in
 * quarantine; only when QUARANTINE bytes of a region have been freed are the
 * oldest used again.
 *
 *   | red zone | block ......... | rest of granule + red zone | block ...
 *
 * Fresh memory holds HEAP_FILL bytes, never what an earlier execution left: an
 * execution must not depend on the one before it.  Of large blocks only the
 * ends do; the pages between are the kernel's zeroes, since a program may well
 * reserve more than the machine has.
 */
#include "runtime/heap.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/fiber.h"
#include "runtime/footprint.h"
#include "runtime/layout.h"
#include "runtime/locals.h"
#include "runtime/native.h"
#include "runtime/shadow.h"

#define RED_ZONE 32ull
#define AHEAD 4096ull /* painted after the last block, for overruns */
#define BLOCKS_MAX (1u << 22)
#define SMALL_BLOCKS_MAX (1u << 16) /* of a thread that is not the first */
#define QUARANTINE (256ull << 20)
#define BY_PAGES (16ull << 20) /* larger blocks get fresh pages instead */
#define PAGE 4096ull

/* Each thread has a region of its own, so that what one gets does not depend
 * on what others did before.  The first thread's is the largest, and takes what
 * does not fit into another's. */
struct region {
    uint64_t start, end;
    uint64_t bump, high;       /* next free byte; end of what was painted */
    struct heap_block *blocks; /* by address */
    uint32_t block_count, blocks_max;
    uint64_t freed_bytes;
    uint32_t *free_order; /* blocks in the order they were freed */
    uint32_t free_count, free_next;
};

static struct region regions[RT_MAX_THREADS];
static uint32_t region_end;  /* those that are in use are below this */
static uint32_t allocations; /* numbers handed out */

static void map_region(struct region *r, uint64_t start, uint64_t size,
                       struct heap_block *blocks, uint32_t blocks_max)
{
    *r = (struct region){.start = start,
                         .end = start + size,
                         .bump = start,
                         .high = start,
                         .blocks = blocks,
                         .blocks_max = blocks_max,
                         .free_order = (uint32_t *)(blocks + blocks_max)};
}

bool heap_map(void)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    size_t each = sizeof(struct heap_block) + sizeof(uint32_t);
    size_t large = BLOCKS_MAX * each, small = SMALL_BLOCKS_MAX * each;
    char *tables;

    if (mmap((void *)HEAP_AT, HEAP_SPAN, PROT_READ | PROT_WRITE,
             flags | MAP_FIXED_NOREPLACE, -1, 0) != (void *)HEAP_AT)
        return false;
    tables = mmap(NULL, large + small * (RT_MAX_THREADS - 1),
                  PROT_READ | PROT_WRITE, flags, -1, 0);
    if (tables == MAP_FAILED)
        return false;
    map_region(&regions[0], HEAP_AT, HEAP_SIZE, (void *)tables, BLOCKS_MAX);
    for (uint32_t i = 1; i < RT_MAX_THREADS; i++)
        map_region(&regions[i], HEAP_AT + HEAP_SIZE + (i - 1) * HEAP_THREAD,
                   HEAP_THREAD, (void *)(tables + large + (i - 1) * small),
                   SMALL_BLOCKS_MAX);
    region_end = 1;
    heap_reset();
    return true;
}

/* Shadow of whole granules. */
static void paint(uint64_t start, uint64_t end, uint8_t byte)
{
    MUST(start <= end && start >= HEAP_AT && end <= HEAP_AT + HEAP_SPAN);
    memset(shadow_of(start), byte, (end - start) >> SHADOW_SHIFT);
}

static void empty(struct region *r)
{
    paint(r->start, r->high, SHADOW_UNALLOCATED);
    r->bump = r->high = r->start;
    r->block_count = 0;
    r->freed_bytes = 0;
    r->free_count = r->free_next = 0;
}

/* What lies ahead of a region that nobody used yet is painted too. */
static void open_region(struct region *r)
{
    if (r->high != r->start)
        return;
    r->high = r->start + AHEAD;
    paint(r->start, r->high, SHADOW_UNALLOCATED);
}

void heap_reset(void)
{
    for (uint32_t i = 0; i < region_end; i++)
        if (regions[i].high != regions[i].start)
            empty(&regions[i]);
    open_region(&regions[0]);
    region_end = 1;
    allocations = 0;
}

static struct region *region_of(uint64_t address)
{
    uint64_t offset = address - HEAP_AT;

    if (offset >= HEAP_SPAN)
        return NULL;
    return offset < HEAP_SIZE
               ? &regions[0]
               : &regions[1 + (offset - HEAP_SIZE) / HEAP_THREAD];
}

const struct heap_block *heap_block_at(uint64_t address)
{
    const struct region *r = region_of(address);
    uint32_t low = 0, end = r ? r->block_count : 0;

    while (low < end) {
        uint32_t middle = low + (end - low) / 2;

        if (r->blocks[middle].address <= address)
            low = middle + 1;
        else
            end = middle;
    }
    return low ? &r->blocks[low - 1] : NULL;
}

static struct heap_block *block_exactly(const void *address)
{
    struct heap_block *b =
        (struct heap_block *)heap_block_at((uint64_t)address);

    return b && b->address == (uint64_t)address ? b : NULL;
}

static void open_block(const struct heap_block *b)
{
    uint64_t end = b->address + b->size;

    paint(b->address, end & ~15ull, SHADOW_DIRTY);
    if (end & 15)
        *shadow_of(end) = (uint8_t)(SHADOW_PARTIAL + (end & 15));
}

static void fill(const struct heap_block *b, bool zero)
{
    uint64_t end = b->address + b->size;
    uint64_t from = (b->address + PAGE - 1) & ~(PAGE - 1);
    uint64_t to = end & ~(PAGE - 1);
    int byte = zero ? 0 : HEAP_FILL;

    if (b->size < BY_PAGES) {
        memset((void *)b->address, byte, b->size);
        return;
    }
    memset((void *)b->address, byte, from - b->address);
    madvise((void *)from, to - from, MADV_DONTNEED);
    memset((void *)to, byte, end - to);
}

/* A block that left quarantine and is large enough, or NULL.  Looks at the
 * oldest few only: a heap that needs more is not what we test. */
static struct heap_block *reuse(struct region *r, uint64_t size, uint64_t align)
{
    if (r->freed_bytes < QUARANTINE)
        return NULL;
    footprint_all();
    for (uint32_t i = r->free_next; i < r->free_count && i < r->free_next + 16;
         i++) {
        struct heap_block *b = &r->blocks[r->free_order[i]];

        MUST(r->free_order[i] < r->block_count && b->freed);
        if (b->size < size || b->size > 2 * size + 64 || b->address % align)
            continue;
        r->free_order[i] = r->free_order[r->free_next++];
        r->freed_bytes -= b->size;
        paint(b->address, (b->address + b->size + 15) & ~15ull, SHADOW_REDZONE);
        return b;
    }
    if (r->free_count - r->free_next > 16)
        r->free_next++;
    return NULL;
}

static struct heap_block *cut(struct region *r, uint64_t size, uint64_t align)
{
    uint64_t at = (r->bump + RED_ZONE + align - 1) & ~(align - 1);
    uint64_t end = (at + size + 15) & ~15ull;

    if (end + AHEAD > r->end || r->block_count == r->blocks_max)
        return NULL;
    paint(r->bump & ~15ull, at, SHADOW_REDZONE);
    paint(end, end + AHEAD, SHADOW_REDZONE);
    if (!rt.graphs)
        footprint_grow(r->bump, end);
    r->bump = end;
    r->high = end + AHEAD;
    MUST(!r->block_count || r->blocks[r->block_count - 1].address < at);
    MUST(r->bump >= r->start);
    r->blocks[r->block_count].address = at;
    return &r->blocks[r->block_count++];
}

static struct heap_block *take_block(struct region *r, uint64_t size,
                                     uint64_t align)
{
    struct heap_block *b = reuse(r, size, align);

    return b ? b : cut(r, size, align);
}

static struct heap_block *find_block(uint64_t size, uint64_t align)
{
    uint32_t id = rt.current->id;
    struct region *r = &regions[id];
    struct heap_block *b;

    if (region_end <= id)
        region_end = id + 1;
    open_region(r);
    b = take_block(r, size, align);
    if (b || !id)
        return b;
    footprint_all();
    return take_block(&regions[0], size, align);
}

void *rt_malloc(size_t size, size_t align, bool zero, uint32_t site)
{
    uint64_t wanted = size ? size : 1;
    struct heap_block *b = NULL;

    if (align < 16)
        align = 16;
    if (wanted <= HEAP_SIZE / 2)
        b = find_block(wanted, align);
    if (!b) {
        errno = ENOMEM;
        return NULL;
    }
    MUST(!(b->address & (align - 1)) && rt.current->id < RT_MAX_THREADS);
    b->size = wanted;
    b->number = ++allocations;
    b->site = site;
    b->thread = (uint16_t)rt.current->id;
    b->freed = false;
    fill(b, zero);
    open_block(b);
    if (native_is_on())
        native_allocated(b->address, b->size);
    rt_event(EV_ALLOC, (void *)b->address, 0, wanted, 0, site);
    return (void *)b->address;
}

/* It waits to be used again, after all that were freed before. */
static void quarantine(struct region *r, struct heap_block *b)
{
    MUST(r && b->freed && (uint32_t)(b - r->blocks) < r->block_count);
    r->freed_bytes += b->size;
    if (r->freed_bytes >= QUARANTINE)
        footprint_all();
    r->free_order[r->free_count++ % r->blocks_max] = (uint32_t)(b - r->blocks);
}

/* A thread that is run by itself may free what another one allocated, and what
 * another one freed in another execution: the graph knows. */
static bool is_freed_elsewhere(const struct heap_block *b)
{
    return native_is_on() && b->freed && b->freed_thread != rt.current->id;
}

void rt_free(void *address, uint32_t site)
{
    struct heap_block *b = block_exactly(address);
    uint64_t size = native_is_on() ? native_block_size((uint64_t)address) : 0;

    if (!b && !size)
        rt_fail(FAIL_BAD_FREE, site, NULL);
    if (b && !rt.graphs)
        footprint_change(b->address, b->size);
    if (b && b->freed && !is_freed_elsewhere(b))
        heap_fail(FAIL_DOUBLE_FREE, b->address, 0, true, site);
    if (native_is_on())
        native_freed((uint64_t)address, b ? b->size : size, site);
    if (!b || b->freed)
        return;
    rt_drain_range(b->address, b->size);
    rt_event(EV_FREE, address, 0, b->size, 0, site);
    b->freed = true;
    b->freed_site = site;
    b->freed_thread = (uint16_t)rt.current->id;
    paint(b->address, (b->address + b->size + 15) & ~15ull, SHADOW_FREED);
    quarantine(region_of(b->address), b);
}

size_t rt_malloc_size(const void *address)
{
    const struct heap_block *b = block_exactly(address);

    if (native_is_on() && (!b || is_freed_elsewhere(b)))
        return native_block_size((uint64_t)address);
    if (b && !rt.graphs)
        footprint_read(b->address, b->size);
    return b && !b->freed ? b->size : 0;
}

static const char *file_of(uint32_t site)
{
    const char *f = rt_site(site)->file, *slash = strrchr(f, '/');

    return slash ? slash + 1 : f;
}

void heap_fail(enum failure_kind kind, uint64_t address, unsigned size,
               bool write, uint32_t site)
{
    const struct heap_block *b = heap_block_at(address);
    const char *verb = write ? "store" : "load";
    uint64_t end;

    if (kind == FAIL_NULL_ACCESS)
        rt_fail(kind, site, "%s through a null pointer (address %l)", verb,
                (long long)address);
    if (kind == FAIL_DEAD_STACK && locals_at(address))
        rt_fail(kind, site,
                "%s of %d bytes on the stack of thread %u, in a local of %s, "
                "which has returned",
                verb, (int)size, locals_at(address)->thread,
                rt_site(locals_at(address)->site)->function);
    if (kind == FAIL_DEAD_STACK)
        rt_fail(kind, site,
                "%s of %d bytes on the stack of thread %u, which has ended",
                verb, (int)size, fiber_of(address));
    if (!b)
        rt_fail(kind, site, "%s out of bounds of the heap", verb);
    end = b->address + b->size;
    if (kind == FAIL_DOUBLE_FREE)
        rt_fail(kind, site,
                "double free of the %l bytes allocated at %s:%d, freed first "
                "at %s:%d",
                (long long)b->size, file_of(b->site),
                (int)rt_site(b->site)->line, file_of(b->freed_site),
                (int)rt_site(b->freed_site)->line);
    if (kind == FAIL_USE_AFTER_FREE)
        rt_fail(kind, site,
                "use after free: %s of %d bytes at offset %l of the %l bytes "
                "allocated at %s:%d, freed at %s:%d",
                verb, (int)size, (long long)(address - b->address),
                (long long)b->size, file_of(b->site),
                (int)rt_site(b->site)->line, file_of(b->freed_site),
                (int)rt_site(b->freed_site)->line);
    rt_fail(kind, site,
            "heap access out of bounds: %s %l bytes %s the %l bytes allocated "
            "at %s:%d",
            verb,
            (long long)(address >= end ? address - end : address - b->address),
            address >= end ? "after" : "into", (long long)b->size,
            file_of(b->site), (int)rt_site(b->site)->line);
}
