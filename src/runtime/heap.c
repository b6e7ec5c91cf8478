/* SPDX-License-Identifier: MIT
 *
 * The program's heap: blocks are cut from a fixed region one after the other,
 * with red zones between them, so that the same program gets the same
 * addresses in every execution.  Freed blocks stay in quarantine; only when
 * QUARANTINE bytes have been freed are the oldest used again.
 *
 *   | red zone | block ......... | rest of granule + red zone | block ...
 *
 * Fresh memory holds FILL bytes, never what an earlier execution left: an
 * execution must not depend on the one before it.  Of large blocks only the
 * ends do; the pages between are the kernel's zeroes, since a program may well
 * reserve more than the machine has.
 */
#include "runtime/heap.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/layout.h"
#include "runtime/shadow.h"

#define RED_ZONE 32ull
#define AHEAD 4096ull /* painted behind the last block, for overruns */
#define BLOCKS_MAX (1u << 22)
#define QUARANTINE (256ull << 20)
#define FILL 0xaa
#define BY_PAGES (16ull << 20) /* larger blocks get fresh pages instead */
#define PAGE 4096ull

static struct heap_block *blocks; /* by address; then see `reused` */
static uint32_t block_count;
static uint32_t allocations; /* numbers handed out */
static uint64_t bump, high;  /* next free byte; end of what was ever used */
static uint64_t freed_bytes;
static uint32_t *free_order; /* blocks in the order they were freed */
static uint32_t free_count, free_next;

bool heap_map(void)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    size_t tables = BLOCKS_MAX * (sizeof *blocks + sizeof *free_order);

    if (mmap((void *)HEAP_AT, HEAP_SIZE, PROT_READ | PROT_WRITE,
             flags | MAP_FIXED_NOREPLACE, -1, 0) != (void *)HEAP_AT)
        return false;
    blocks = mmap(NULL, tables, PROT_READ | PROT_WRITE, flags, -1, 0);
    free_order = (uint32_t *)(blocks + BLOCKS_MAX);
    high = HEAP_AT + AHEAD;
    heap_reset();
    return true;
}

/* Shadow of whole granules. */
static void paint(uint64_t start, uint64_t end, uint8_t byte)
{
    memset(shadow_of(start), byte, (end - start) >> SHADOW_SHIFT);
}

void heap_reset(void)
{
    paint(HEAP_AT, high, SHADOW_UNALLOCATED);
    bump = HEAP_AT;
    high = HEAP_AT + AHEAD;
    block_count = allocations = 0;
    freed_bytes = 0;
    free_count = free_next = 0;
}

const struct heap_block *heap_block_at(uint64_t address)
{
    uint32_t low = 0, end = block_count;

    while (low < end) {
        uint32_t middle = low + (end - low) / 2;

        if (blocks[middle].address <= address)
            low = middle + 1;
        else
            end = middle;
    }
    return low ? &blocks[low - 1] : NULL;
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
    int byte = zero ? 0 : FILL;

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
static struct heap_block *reuse(uint64_t size, uint64_t align)
{
    if (freed_bytes < QUARANTINE)
        return NULL;
    for (uint32_t i = free_next; i < free_count && i < free_next + 16; i++) {
        struct heap_block *b = &blocks[free_order[i]];

        if (b->size < size || b->size > 2 * size + 64 || b->address % align)
            continue;
        free_order[i] = free_order[free_next++];
        freed_bytes -= b->size;
        paint(b->address, (b->address + b->size + 15) & ~15ull, SHADOW_REDZONE);
        return b;
    }
    if (free_count - free_next > 16)
        free_next++;
    return NULL;
}

static struct heap_block *cut(uint64_t size, uint64_t align)
{
    uint64_t at = (bump + RED_ZONE + align - 1) & ~(align - 1);
    uint64_t end = (at + size + 15) & ~15ull;

    if (end + AHEAD > HEAP_AT + HEAP_SIZE || block_count == BLOCKS_MAX)
        return NULL;
    paint(bump & ~15ull, at, SHADOW_REDZONE);
    paint(end, end + AHEAD, SHADOW_REDZONE);
    bump = end;
    high = end + AHEAD;
    blocks[block_count].address = at;
    return &blocks[block_count++];
}

void *rt_malloc(size_t size, size_t align, bool zero, uint32_t site)
{
    uint64_t wanted = size ? size : 1;
    struct heap_block *b;

    if (align < 16)
        align = 16;
    if (wanted > HEAP_SIZE / 2)
        b = NULL;
    else if (!(b = reuse(wanted, align)))
        b = cut(wanted, align);
    if (!b) {
        errno = ENOMEM;
        return NULL;
    }
    b->size = wanted;
    b->number = ++allocations;
    b->site = site;
    b->thread = (uint16_t)rt.current->id;
    b->freed = false;
    fill(b, zero);
    open_block(b);
    rt_event(EV_ALLOC, (void *)b->address, 0, wanted, 0, site);
    return (void *)b->address;
}

void rt_free(void *address, uint32_t site)
{
    struct heap_block *b = block_exactly(address);

    if (!b)
        rt_fail(FAIL_BAD_FREE, site, NULL);
    if (b->freed)
        heap_fail(FAIL_DOUBLE_FREE, b->address, 0, true, site);
    rt_drain_range(b->address, b->size);
    rt_event(EV_FREE, address, 0, b->size, 0, site);
    b->freed = true;
    b->freed_site = site;
    b->freed_thread = (uint16_t)rt.current->id;
    paint(b->address, (b->address + b->size + 15) & ~15ull, SHADOW_FREED);
    freed_bytes += b->size;
    free_order[free_count++ % BLOCKS_MAX] = (uint32_t)(b - blocks);
}

size_t rt_malloc_size(const void *address)
{
    const struct heap_block *b = block_exactly(address);

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
            address >= end ? "behind" : "into", (long long)b->size,
            file_of(b->site), (int)rt_site(b->site)->line);
}
