/* SPDX-License-Identifier: MIT
 *
 * Fences of every thread: membarrier.  Such a fence F is a full fence of its
 * own thread, and of each other one at some point of its program order, all at
 * one moment.  So in the model's order the events of a thread that come before
 * F are a prefix of the thread:
 *
 *   what comes before F has all that is po-before it before F, too;
 *   what comes after F has all that is po-after it after F, too.
 *
 * Nothing comes between the halves of an RMW.
 *
 * (Either of the two finds every cycle; a list of the events needs both.)  To
 * close the order under them is enough.  If it then has no cycle, all
 * that must come before F can come first, then F, then all others, and that is
 * a prefix of each thread; with several such fences, one after the other.
 */
#include "graph/rules.h"

void rules_put_before(const struct graph *g, row *before, row first, int then)
{
    row node = graph_node(g, then), all = row_none();
    int e;

    ROW_EACH (e, first)
        all |= before[e] | graph_node(g, e);
    for (e = 0; e < g->count; e++) {
        if (row_has(node, e) || row_any(before[e] & node))
            before[e] |= all;
    }
}

/* What is po-before something before F, and not known to be before F. */
static row missing_before(const struct graph *g, const row *before, int f)
{
    row missing = row_none();

    for (unsigned t = 0; t < g->thread_count; t++) {
        row there =
            g->created_by[t] == NONE ? row_none() : g->of_thread[t] & before[f];

        if (row_any(there))
            missing |= (g->of_thread[t] & row_below(row_last(there))) |
                       graph_node(g, row_last(there));
    }
    return missing & ~before[f];
}

/* The same for what is after. */
static row missing_after(const struct graph *g, const row *before, int f)
{
    row missing = row_none();

    for (unsigned t = 0; t < g->thread_count; t++) {
        bool after = false;
        int e;

        if (g->created_by[t] == NONE)
            continue;
        ROW_EACH (e, g->of_thread[t]) {
            if (row_has(before[e], f))
                after = true;
            else if (after)
                missing |= row_of(e);
        }
    }
    return missing;
}

static bool close_one(const struct graph *g, row *before, int f)
{
    row first = missing_before(g, before, f), then;
    int e;

    if (row_any(first))
        rules_put_before(g, before, first, f);
    then = missing_after(g, before, f);
    ROW_EACH (e, then)
        rules_put_before(g, before, row_of(f), e);
    return row_any(first) || row_any(then);
}

bool rules_order_everybody(const struct graph *g, row *before)
{
    bool changed = true;
    int f;

    while (changed) {
        changed = false;
        ROW_EACH (f, g->everybody) {
            changed = close_one(g, before, f) || changed;
            if (row_has(before[f], f))
                return false;
        }
    }
    return true;
}
