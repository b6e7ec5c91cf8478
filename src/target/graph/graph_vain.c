/* SPDX-License-Identifier: MIT
 *
 * Graphs in vain.  A thread waits: it read a value with which it cannot go on.
 * That is of use while a later write may still revisit the read; such a write
 * finds it as the search would add it, reading the last of what comes before
 * the read or the write.  Once a write that is later in co than what it reads
 * is in the prefix of whatever can still come, that will never be: the thread
 * waits in all that follows, by a read of an old write, which is no execution.
 *
 * Why nothing gets out of that prefix: threads go on from where they are; a
 * thread that waits, too, goes on with a write of one of these; and one that
 * was set back by a revisit of a younger read cannot delete that read, which is
 * not maximal, without having its new source in its prefix.
 */
#include "graph/graph_search_inside.h"

/* The thread's last event but for fences of its own. */
static int last_but_fences(const struct graph *g, unsigned thread)
{
    row own = g->of_thread[thread];

    while (row_any(own)) {
        int e = row_last(own);

        if (g->events[e].kind != NODE_FENCE || row_has(g->everybody, e))
            return e;
        own &= ~row_of(e);
    }
    return NONE;
}

/* The read by which the thread came to wait; NONE: it wrote something, too, or
 * is not to be left out. */
static int waiting_read(const struct walk *w, const struct graph *g,
                        unsigned thread)
{
    int read = last_but_fences(g, thread);
    const struct node_event *e = &g->events[read < 0 ? 0 : read];

    return read >= 0 && node_reads(e) && e->mate < 0 && e->parts == 1 &&
                   walk_drops(w, g, e->location, row_has(g->plain, read))
               ? read
               : NONE;
}

/* May it still do something, and not only after another thread did? */
static bool may_move(struct walk *w, const struct graph *g, unsigned thread)
{
    const struct op *op = walk_next_op(w, g, thread);

    return g->created_by[thread] != NONE && op->kind < OP_END &&
           (op->kind != OP_JOIN || walk_is_enabled(w, g, thread));
}

static bool is_overtaken(struct walk *w, const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    row later = graph_co_after(g, e->rf, e->location);

    if (!row_any(later))
        return false;
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (!row_any(later & graph_prefix_of_next(g, t)) && may_move(w, g, t))
            return false;
    }
    return true;
}

/* ---- Waits for a condition that could have been left out ----
 *
 * A thread was told, takes the mutex again, and stops there (runtime/
 * native_wait.c): it will not do anything else in all that follows if who told
 * it did so in the prefix of whatever can still come.  A thread that waits for
 * a value which no write has yet goes on with one of these, as above. */

const struct op *graph_takes_in_vain(const struct graph_search *s,
                                     const struct graph *g, unsigned thread)
{
    struct behaviour *b = s->behaviour;
    const struct op *op = behaviour_op(b, g->at[thread]);
    int last = op->location < g->location_count ? graph_co_last(g, op->location)
                                                : NONE;

    if (last < 0 || op->cuts)
        return NULL;
    op = behaviour_op(b,
                      behaviour_step(b, g->at[thread], g->events[last].value));
    return op->kind == OP_BLOCK && op->expected ? op : NULL;
}

/* Does it wait for a write that is not there yet? */
static bool needs_new_write(struct walk *w, const struct graph *g,
                            unsigned thread)
{
    const struct op *op = walk_next_op(w, g, thread);
    int source;

    if (op->kind != OP_SYNC || op->locks || op->cuts ||
        !walk_blocks(w, g->at[thread], walk_value(w, g, INITIAL, op->location)))
        return false;
    if (op->location >= g->location_count)
        return true;
    ROW_EACH (source, g->writes[op->location])
        if (!walk_blocks(w, g->at[thread], g->events[source].value))
            return false;
    return true;
}

static bool stays_told(struct walk *w, const struct graph *g, unsigned thread)
{
    int read = graph_last_of(g, thread);
    int from =
        read >= 0 && node_reads(&g->events[read]) && g->events[read].mate < 0
            ? g->events[read].rf
            : NONE;

    if (from < 0)
        return false;
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (t != thread && !row_has(graph_prefix_of_next(g, t), from) &&
            may_move(w, g, t) && !needs_new_write(w, g, t))
            return false;
    }
    return true;
}

static bool is_told_in_vain(struct walk *w, const struct graph *g)
{
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (g->created_by[t] != NONE && walk_next_op(w, g, t)->locks &&
            graph_takes_in_vain(w->search, g, t) && stays_told(w, g, t))
            return true;
    }
    return false;
}

/* Who waits is among those that are noted to have ended: but for threads that
 * did nothing else. */
bool walk_is_in_vain(struct walk *w, const struct graph *g)
{
    const struct behaviour *b = w->search->behaviour;

    if (!w->search->drops || !b->waits || row_any(g->claims))
        return false;
    for (uint32_t left = g->ended; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctz(left);
        int read;

        if (g->created_by[t] == NONE || walk_next_op(w, g, t)->kind != OP_BLOCK)
            continue;
        read = waiting_read(w, g, t);
        if (read != NONE && is_overtaken(w, g, read))
            return true;
    }
    return b->locks && is_told_in_vain(w, g);
}
