/* SPDX-License-Identifier: MIT
 *
 * A forwarded read gets the place of its source once that has one, so that in
 * the end nothing tells whether a thread took its own write from the buffer or
 * from memory: it is the same trace.
 */
#include "relations.h"

void relations_write(struct relations *r, unsigned slot, unsigned first,
                     unsigned count)
{
    for (unsigned i = 0; r && slot && i < count; i++) {
        r->place[slot + i] = ++r->written[first + i];
        for (size_t k = 0; k < MAX_SLOTS; k++)
            if (r->source[k] == (WAITS | (slot + i)))
                r->source[k] = (uint8_t)(1 + r->place[slot + i]);
    }
}

void relations_read(struct relations *r, unsigned slot, unsigned atom,
                    unsigned ago)
{
    if (r && slot)
        r->source[slot] = (uint8_t)(1 + r->written[atom] - ago);
}

void relations_choose(struct relations *r, unsigned slot, unsigned number)
{
    if (r && slot)
        r->source[slot] = (uint8_t)(1 + number);
}

void relations_forward(struct relations *r, unsigned slot, unsigned from)
{
    if (r && slot)
        r->source[slot] = (uint8_t)(WAITS | from);
}
