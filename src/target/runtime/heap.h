/* SPDX-License-Identifier: MIT
 *
 * The program's heap: see heap.c.
 */
#ifndef RUNTIME_HEAP_H
#define RUNTIME_HEAP_H

#include "runtime/rt.h"

#define HEAP_FILL 0xaa /* bytes of fresh memory */

struct heap_block {
    uint64_t address, size;
    uint32_t number; /* from 1, in the order of allocation */
    uint32_t site, freed_site;
    uint16_t thread, freed_thread;
    bool freed;
};

bool heap_map(void);
/* Empty again, every byte unallocated. */
void heap_reset(void);
/* The block that holds that address or, failing that, the last one before it;
 * NULL: none. */
const struct heap_block *heap_block_at(uint64_t address);

/* Ends the execution: a bad access, told in terms of the block it missed. */
_Noreturn void heap_fail(enum failure_kind kind, uint64_t address,
                         unsigned size, bool write, uint32_t site);

#endif
