/* SPDX-License-Identifier: MIT
 *
 * A graph as text that does not depend on the order in which it was built: what
 * each event of each thread reads, and the order of writes of each location.
 */
#ifndef TEST_CANON_H
#define TEST_CANON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CANON_MAX 512

struct canon {
    unsigned char text[CANON_MAX];
    size_t count;
};

void canon_put(struct canon *c, unsigned value);

/* A set of them. */
struct canon_set {
    struct canon_key {
        uint64_t first, second;
    } *keys;
    size_t count, size;
};

/* False: it was there. */
bool canon_add(struct canon_set *s, const struct canon *c);
bool canon_has(const struct canon_set *s, const struct canon *c);
/* Has it all of those? */
bool canon_covers(const struct canon_set *s, const struct canon_set *those);
/* Takes all of those, which are gone then; how many it had already. */
size_t canon_take(struct canon_set *s, struct canon_set *those);
void canon_free(struct canon_set *s);

#endif
