/* SPDX-License-Identifier: MIT
 *
 * How often loop instances may come round: once, and so many times more.
 */
#include <stdlib.h>

#include "base/map.h"
#include "flat/flat.h"

struct flat_bounds {
    struct map more;
};

struct flat_bounds *flat_bounds_new(void)
{
    struct flat_bounds *b = calloc(1, sizeof(*b));

    CHECK(b != NULL);
    return b;
}

void flat_bounds_free(struct flat_bounds *b)
{
    if (!b)
        return;
    map_free(&b->more);
    free(b);
}

void flat_bounds_grow(struct flat_bounds *b, uint64_t key)
{
    CHECK(key != 0);
    ++*map_put(&b->more, key);
}

uint32_t flat_bounds_get(const struct flat_bounds *b, uint64_t key)
{
    const uint64_t *more = map_get(&b->more, key);

    return more ? (uint32_t)*more + 1 : 1;
}
