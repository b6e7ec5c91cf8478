/* SPDX-License-Identifier: MIT
 *
 * FNV-1a, 64 bits: to notice that a file has changed.  It does not protect
 * against somebody who wants to deceive.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START 0xcbf29ce484222325ull

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 0x100000001b3ull;
    return hash;
}

/* Another one, of whole files: eight bytes at a time, so that a program of 2 MB
 * costs less than a millisecond.  The shift brings what the multiplication has
 * moved up down again. */
static inline uint64_t hash_file(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t hash = HASH_START ^ n, word;

    for (; n >= sizeof(word); n -= sizeof(word), p += sizeof(word)) {
        memcpy(&word, p, sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 32;
    }
    return hash_bytes(hash, p, n);
}

#endif
