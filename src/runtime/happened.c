/* SPDX-License-Identifier: MIT
 *
 * The log of what happened in this execution: see happened.h.
 */
#include "runtime/happened.h"

void happened_add(struct happening h)
{
    struct thread *t = rt.current;

    if (rt.view.log_count == rt.view.log_room)
        rt_cut_execution();
    h.thread = (uint16_t)t->id;
    if (t->atomic_depth)
        h.flags |= HAPPENED_BLOCK;
    if (t->atomic_depth && t->block_begins && happening_accesses(&h)) {
        h.flags |= HAPPENED_FIRST;
        t->block_begins = false;
    }
    if (!rt.multi)
        h.flags |= HAPPENED_ALONE;
    rt.view.log[rt.view.log_count++] = h;
}
