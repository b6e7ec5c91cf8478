/* SPDX-License-Identifier: MIT
 *
 * Any bytes as an ELF program with Fencer's tables.
 */
#include <stdint.h>

#include "fuzz.h"
#include "trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena a = ARENA_INIT;
    struct program p;
    struct err e;

    program_parse(bytes, n, &a, &p, &e);
    arena_free(&a);
    return 0;
}
