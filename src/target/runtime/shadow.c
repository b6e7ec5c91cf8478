/* SPDX-License-Identifier: MIT
 *
 * One byte for each 16 bytes of memory answers three questions at once: may
 * the program touch it (heap checks), is its line saved for the reset (dirty
 * lines), and does the scheduler want to see accesses (the mask, which sends
 * every look-up to byte 0).  event/program.h has the test that instrumented
 * code makes; here are the slow answers, and the reset itself.
 *
 * Reset: the first store to a 64-byte line of the program's data notes the
 * line; at the end the noted lines are copied back from a snapshot taken
 * before the first execution.  Fork takes some thousand
 * times as long (docs/decisions/4-reset.md).
 */
#include "runtime/shadow.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "libc/libc.h"
#include "runtime/footprint.h"
#include "runtime/heap.h"
#include "runtime/layout.h"
#include "runtime/locals.h"
#include "runtime/native.h"

#define LINE 64ull
#define MAX_RANGES 3

extern const struct fencer_program __fencer_program;

/* The program's writable data: its globals, those that begin as zeroes, and
 * its ghost variables. */
extern char __start_fencer_zero[] __attribute__((weak));
extern char __stop_fencer_zero[] __attribute__((weak));
extern char __start_fencer_ghost[] __attribute__((weak));
extern char __stop_fencer_ghost[] __attribute__((weak));

/* Lines are whole, ranges need not be: what shares a line with the program's
 * data but is not its own, a variable of the runtime say, is left alone. */
static struct range {
    uint64_t start, end;
    const char *snapshot; /* NULL: all zeroes */
} ranges[MAX_RANGES];
static unsigned range_count;
static uint64_t *dirty;
static uint64_t dirty_count, dirty_room;

static void *map(uint64_t at, uint64_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

    if (at)
        flags |= MAP_FIXED_NOREPLACE;
    return mmap((void *)at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
}

/* The runtime's own mappings have no shadow: who follows a wild pointer there
 * faults on the look-up and touches nothing. */
static void close_own_memory(void)
{
    static const struct {
        uint64_t at, size;
    } own[] = {
        {SHADOW_BASE, SHADOW_SIZE},
        {CHANNEL_ADDRESS, CHANNEL_SIZE},
        {BUFFERS_AT, sizeof(struct buffered) * RT_BUFFER_MAX * RT_MAX_THREADS},
    };

    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        mprotect(shadow_of(own[i].at), own[i].size >> SHADOW_SHIFT, PROT_NONE);
}

bool shadow_map(void)
{
    if (map(SHADOW_BASE, SHADOW_SIZE) != (void *)SHADOW_BASE)
        return false;
    close_own_memory();
    /* The first pages are nobody's: null pointers, and the masked look-up. */
    memset((void *)SHADOW_BASE, SHADOW_NULL, 65536 >> SHADOW_SHIFT);
    return true;
}

static void add_range(const char *start, const char *end, bool zero)
{
    struct range *r = &ranges[range_count];

    if (!start || start == end)
        return;
    MUST(range_count < MAX_RANGES && start < end);
    r->start = (uint64_t)start;
    r->end = (uint64_t)end;
    if (!zero)
        r->snapshot =
            memcpy(map(0, r->end - r->start), start, r->end - r->start);
    range_count++;
}

void shadow_snapshot(void)
{
    uint64_t lines = 0;

    add_range(__fencer_program.data, __fencer_program.data_end, false);
    add_range(__start_fencer_zero, __stop_fencer_zero, true);
    add_range(__start_fencer_ghost, __stop_fencer_ghost, false);
    for (unsigned i = 0; i < range_count; i++)
        lines += (ranges[i].end - ranges[i].start) / LINE + 2;
    dirty_room = lines + 1;
    dirty = map(0, dirty_room * sizeof *dirty);
}

/* Does the line hold some of the program's data? */
static bool is_ours(uint64_t line)
{
    for (unsigned i = 0; i < range_count; i++)
        if (line + LINE > ranges[i].start && line < ranges[i].end)
            return true;
    return false;
}

/* A line's four shadow bytes as one word. */
static void set_line(uint64_t line, uint8_t byte)
{
    uint32_t four = byte * 0x01010101u;

    memcpy(shadow_of(line), &four, sizeof four);
}

/* The part of the line that lies in the range, if any. */
static void restore(const struct range *r, uint64_t line)
{
    uint64_t start = line < r->start ? r->start : line;
    uint64_t end = line + LINE > r->end ? r->end : line + LINE;

    if (start >= end)
        return;
    if (r->snapshot)
        memcpy((void *)start, r->snapshot + (start - r->start), end - start);
    else
        memset((void *)start, 0, end - start);
}

void shadow_reset(void)
{
    for (uint64_t i = 0; i < dirty_count; i++) {
        for (unsigned j = 0; j < range_count; j++)
            restore(&ranges[j], dirty[i]);
        set_line(dirty[i], SHADOW_CLEAN);
    }
    dirty_count = 0;
}

/* Memory that no reset covers: the thread's stack is new in each execution
 * and the heap is filled at malloc; anything else belongs to a library. */
static void touch_elsewhere(uint64_t address, uint64_t end)
{
    bool stack = address - FIBER_AT < FIBER_SIZE * RT_MAX_THREADS;

    if (!stack && address - HEAP_AT >= HEAP_SPAN && !libc_resets(address))
        rt_needs_process("a store to memory that is not the program's");
    for (uint64_t a = address & ~15ull; a < end; a += 16)
        if (*shadow_of(a) == SHADOW_CLEAN)
            *shadow_of(a) = SHADOW_DIRTY;
}

void shadow_touch_slow(uint64_t address, size_t size)
{
    uint64_t end = address + size;

    for (uint64_t line = address & ~(LINE - 1); line < end; line += LINE) {
        if (!is_ours(line)) {
            touch_elsewhere(line < address ? address : line,
                            line + LINE < end ? line + LINE : end);
        } else if (*shadow_of(line) == SHADOW_CLEAN) {
            MUST(dirty_count < dirty_room); /* each line once */
            dirty[dirty_count++] = line;
            set_line(line, SHADOW_DIRTY);
        }
    }
}

/* Is the byte one that the program may touch?  Sets *why if not. */
static bool byte_is_good(uint64_t address, enum failure_kind *why)
{
    uint8_t s = *shadow_of(address);

    if (s < SHADOW_BAD)
        return true;
    if ((s & ~SHADOW_DIRTY) == SHADOW_DEAD_LOCAL) {
        *why = FAIL_DEAD_STACK;
        return !locals_at(address);
    }
    if (s > SHADOW_PARTIAL && s < SHADOW_PARTIAL + 16) {
        *why = FAIL_OUT_OF_BOUNDS;
        return (address & 15) < (uint64_t)(s - SHADOW_PARTIAL);
    }
    *why = s == SHADOW_NULL         ? FAIL_NULL_ACCESS
           : s == SHADOW_FREED      ? FAIL_USE_AFTER_FREE
           : s == SHADOW_DEAD_STACK ? FAIL_DEAD_STACK
                                    : FAIL_OUT_OF_BOUNDS;
    return false;
}

/* No program can have memory there, and no byte here stands for it: let it
 * fault, as it does where no hook looks first. */
static bool is_nowhere(uint64_t address, uint64_t size)
{
    if (address < SHADOW_COVERS && size <= SHADOW_COVERS - address)
        return false;
    (void)*(volatile char *)address;
    return true;
}

void shadow_check_slow(uint64_t address, unsigned size, bool write,
                       uint32_t site)
{
    enum failure_kind why = FAIL_NONE;

    if (is_nowhere(address, size))
        return;
    for (unsigned i = 0; i < size; i++)
        if (!byte_is_good(address + i, &why))
            heap_fail(why, address, size, write, site);
}

/* The first byte that is not good is what a finding names, so that it is the
 * same whether a range is looked at as a whole or piece by piece. */
void rt_check_range(const void *address, size_t size, bool write, uint32_t site)
{
    uint64_t end = (uint64_t)address + size, next;
    enum failure_kind why = FAIL_NONE;

    if (is_nowhere((uint64_t)address, 1))
        return;
    if (native_is_on() &&
        native_is_allocated((uint64_t)address, (unsigned)size))
        return;
    for (uint64_t at = (uint64_t)address; at < end; at = next) {
        uint8_t s = *shadow_of(at);

        next = (at & ~15ull) + 16;
        if (s < SHADOW_BAD)
            continue;
        if (s > SHADOW_PARTIAL && s < SHADOW_PARTIAL + 16) {
            uint64_t bad = (at & ~15ull) + (s - SHADOW_PARTIAL);

            if (bad >= end)
                continue;
            if (at < bad)
                at = bad;
        }
        if (!byte_is_good(at, &why))
            heap_fail(why, at, 1, write, site);
    }
}

void shadow_touch_range(uint64_t address, uint64_t size)
{
    /* Only of a short range do the ends tell all. */
    if (size > 16)
        shadow_touch_slow(address, size);
    else if (size)
        shadow_touch(address, size);
}

void rt_touch(void *address, size_t size)
{
    footprint_change((uint64_t)address, size);
    shadow_touch_range((uint64_t)address, size);
}
