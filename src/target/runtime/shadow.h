/* SPDX-License-Identifier: MIT
 *
 * The shadow byte of each 16 bytes of memory, and the reset: see shadow.c.
 */
#ifndef RUNTIME_SHADOW_H
#define RUNTIME_SHADOW_H

#include "runtime/rt.h"

/* Beyond enum shadow_byte.  A granule of which only the first n bytes are
 * allocated has SHADOW_PARTIAL + n. */
enum {
    SHADOW_PARTIAL = 2, /* + 1 .. 15 */
    SHADOW_FREED = 0x40,
    SHADOW_REDZONE = 0x41,
    SHADOW_UNALLOCATED = 0x42,
    SHADOW_NULL = 0x43,
    SHADOW_DEAD_STACK = 0x44,
    SHADOW_DEAD_LOCAL = 0x46 /* in part, perhaps: locals_at; + what it was */
};

/* Of the addresses that user space has. */
#define SHADOW_COVERS 0x800000000000ull

static inline uint8_t *shadow_of(uint64_t address)
{
    return (uint8_t *)(SHADOW_BASE +
                       ((address & 0x7fffffffffffull) >> SHADOW_SHIFT));
}

/* Maps the shadow; false: no room. */
bool shadow_map(void);
/* After the program's own initial data is in place, before any execution. */
void shadow_snapshot(void);
/* Puts every byte of the program's data back that an execution changed. */
void shadow_reset(void);

/* A store by hook to [address, address + size): keeps the old contents for
 * the reset and opens the fast path. */
void shadow_touch_slow(uint64_t address, size_t size);

static inline void shadow_touch(uint64_t address, size_t size)
{
    if (*shadow_of(address) != SHADOW_DIRTY ||
        *shadow_of(address + size - 1) != SHADOW_DIRTY)
        shadow_touch_slow(address, size);
}

/* The same of a range that may be long. */
void shadow_touch_range(uint64_t address, uint64_t size);

/* Fails the program if the access is bad. */
void shadow_check_slow(uint64_t address, unsigned size, bool write,
                       uint32_t site);

static inline void shadow_check(uint64_t address, unsigned size, bool write,
                                uint32_t site)
{
    if (*shadow_of(address) >= SHADOW_BAD ||
        *shadow_of(address + size - 1) >= SHADOW_BAD)
        shadow_check_slow(address, size, write, site);
}

#endif
