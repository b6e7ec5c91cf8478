/* SPDX-License-Identifier: MIT
 *
 * Where a part of the tree is cut, as graph_way.h says.
 */
#include "graph/graph_way.h"

#include <string.h>

#include "event/must.h"

/* Nobody knows how many children will follow; likely as many as there were, so
 * half of that stays. */
static uint32_t last_that_stays(uint32_t now, uint32_t most)
{
    uint32_t last = now + now / 2;

    return last < most ? last : most;
}

static void take_levels(struct graph_way *to, const struct graph_way *at,
                        uint32_t level, uint32_t last)
{
    memcpy(to->child, at->child, level * sizeof *to->child);
    to->child[level] = last;
    to->count = level + 1;
}

bool graph_way_cut(const struct graph_way *at, const struct graph_way *until,
                   uint32_t deeper, struct graph_way *to)
{
    bool on_edge = until->count > 0, cut = false; /* so far at is until */

    for (uint32_t i = 0; i < at->count; i++) {
        uint32_t now = at->child[i], most = UINT32_MAX, last;

        on_edge = on_edge && i < until->count;
        if (on_edge) {
            MUST(now <= until->child[i]);
            if (now == until->child[i])
                continue; /* what follows here is not of this part */
            most = until->child[i] - 1;
            on_edge = false;
        }
        last = last_that_stays(now, most);
        if (i + 1 == at->count && last == now)
            break; /* of that nothing is left */
        take_levels(to, at, i, last);
        cut = true;
        if (deeper-- == 0)
            return true;
    }
    return cut;
}
