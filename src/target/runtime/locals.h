/* SPDX-License-Identifier: MIT
 *
 * Locals of functions that have returned: see locals.c.
 */
#ifndef RUNTIME_LOCALS_H
#define RUNTIME_LOCALS_H

#include <stdbool.h>
#include <stdint.h>

struct dead_local {
    uint64_t start, end;
    uint32_t site; /* of the return */
    uint32_t thread;
};

/* The one that the running thread may not touch there, or NULL. */
const struct dead_local *locals_at(uint64_t address);
/* An execution begins: there are none. */
void locals_forget(void);

#endif
