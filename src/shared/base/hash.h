/* SPDX-License-Identifier: MIT
 *
 * FNV-1a, 64 bits: to notice that a file has changed.  It does not protect
 * against somebody who wants to deceive.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325ull

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 0x100000001b3ull;
    return hash;
}

#endif
