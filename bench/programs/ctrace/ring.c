/* SPDX-License-Identifier: MIT
 *
 * Lines are counted from 0 and keep their number.
 */
#include "ring.h"

#include <stddef.h>

void ring_init(struct ring *r)
{
    r->count = 0;
}

char *ring_add(struct ring *r)
{
    return r->line[r->count++ % RING_LINES];
}

const char *ring_line(const struct ring *r, int number)
{
    if (number < 0 || number >= r->count || number < r->count - RING_LINES)
        return NULL;
    return r->line[number % RING_LINES];
}
