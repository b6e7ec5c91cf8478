/* SPDX-License-Identifier: MIT
 *
 * The log of what happened in this execution: see happened.h.
 */
#include "runtime/happened.h"

void happened_by(struct happening *h)
{
    struct thread *t = rt.current;

    h->thread = (uint16_t)t->id;
    if (!rt.multi)
        h->flags |= HAPPENED_ALONE;
    if (!t->atomic_depth)
        return;
    h->flags |= HAPPENED_BLOCK;
    if (t->block_begins && happening_accesses(h)) {
        h->flags |= HAPPENED_FIRST;
        t->block_begins = false;
    }
}
