/* SPDX-License-Identifier: MIT
 *
 * A set of byte strings that only says whether one was there before.  They are
 * remembered by fingerprint: 128 bits stand for a string, and with a million
 * of them the chance that two share a fingerprint is below 10^-26.
 */
#ifndef ORACLE_SEEN_H
#define ORACLE_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fingerprint {
    uint64_t a, b;
};

/* All zero is empty. */
struct seen {
    size_t count, room;
    struct fingerprint *slots;
};

/* The fingerprint of `size` more bytes after those that gave f; begin with
 * fingerprint_start. */
extern const struct fingerprint fingerprint_start;
struct fingerprint fingerprint_add(struct fingerprint f, const void *bytes,
                                   size_t size);

/* True if it was not there yet. */
bool seen_add(struct seen *s, struct fingerprint f);
void seen_free(struct seen *s);

#endif
