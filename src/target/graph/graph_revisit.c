/* SPDX-License-Identifier: MIT
 *
 * Going back: a new write becomes the source of an older read.
 */
#include "event/must.h"
#include "graph/graph_search_inside.h"

/* Is e, an access or a choice, as the search itself would add it to what is
 * stamped before it, or is in the prefix of the new write?  If so, it may be
 * deleted: it would come again.  (TruSt, section 3: the maximality of what is
 * deleted.) */
static bool is_maximal(const struct graph *g, int e, row prefix)
{
    const struct node_event *n = &g->events[e];
    row there = row_below(e) | prefix;

    if (row_has(g->settled, e))
        return false;
    if (node_writes(n)) /* a reader that stays would lose its source */
        return !row_any((g->co_after[e] | g->readers[e]) & there);
    if (n->kind == NODE_CHOICE)
        return n->value == 0;
    return (n->rf < 0 || row_has(there, n->rf)) &&
           !row_any(graph_co_after(g, n->rf, n->location) & there);
}

static row prefix_of(const struct graph *g, const struct new_write *write)
{
    return write->read != NONE ? graph_prefix(g, write->read)
                               : graph_prefix_of_next(g, write->thread);
}

/* ---- One revisit ---- */

struct revisit {
    const struct new_write *write;
    row keep;
    int read;  /* in the old graph */
    int after; /* the write's place in co, in the old graph */
};

static int renumber(const struct revisit *v, int e)
{
    return e < 0 ? e : row_rank(v->keep, e);
}

/* The new write, in the graph of what is kept; its number, or NONE. */
static int add_new_write(struct walk *w, struct graph *g,
                         const struct revisit *v)
{
    const struct graph_search *s = w->search;
    const struct new_write *n = v->write;
    bool is_rmw = n->read != NONE;
    int read = renumber(v, n->read);
    behaviour_node before = is_rmw ? g->events[read].before : g->at[n->thread];
    int write = is_rmw ? graph_push_write_of(g, read, n->value)
                       : graph_push_write(g, n->thread, n->op);
    bool fits;

    if (is_rmw)
        fits = s->rules->add_rmw(s->model, g, read, write);
    else
        fits = s->rules->add_write(s->model, g, write, renumber(v, v->after));
    if (!fits)
        return NONE;
    g->at[n->thread] = behaviour_step(s->behaviour, before,
                                      is_rmw ? g->events[read].value : 0);
    return write;
}

/* It blocks on the new value, and a write older than the read is later in co:
 * it can never read the last one again. */
static bool is_dropped(struct walk *w, const struct graph *g, int read,
                       int write)
{
    return walk_drops(w, g, g->events[read].location) &&
           g->events[read].mate < 0 &&
           row_any(g->co_after[write] & row_below(read)) &&
           walk_blocks(w, g->events[read].before, g->events[write].value);
}

static bool make_child(struct walk *w, int level, const struct revisit *v)
{
    struct graph *g = &w->levels[level];
    int read = renumber(v, v->read), write;
    bool writes;

    graph_restrict(g, &w->levels[level - 1], v->keep, v->read);
    write = add_new_write(w, g, v);
    if (write == NONE || !walk_give_source(w, g, read, write, &writes) ||
        (writes && !walk_finish_rmw(w, level, read)) ||
        is_dropped(w, g, read, write))
        return false;
    g->at[g->events[read].thread] = behaviour_step(
        w->search->behaviour, g->events[read].before, g->events[read].value);
    walk_look_at_frees(w, g);
    return true;
}

static void try_revisit(struct walk *w, int level, const struct revisit *v)
{
    if (!walk_begin_child(w))
        return;
    w->search->counts.revisits++;
    walk_take(w, level + 1, make_child(w, level + 1, v));
    walk_end_child(w);
}

/* ---- Mutexes ---- */

/* Who takes the mutex first is all that two of its threads disagree about.  The
 * other one leaves the graph and waits; that it came later is settled, or the
 * two would displace each other for ever. */
static bool displace(struct walk *w, int level, const struct revisit *v)
{
    struct graph *g = &w->levels[level];

    graph_restrict(g, &w->levels[level - 1], v->keep, NONE);
    if (add_new_write(w, g, v) == NONE)
        return false;
    g->settled |= row_of(renumber(v, v->write->read));
    walk_look_at_frees(w, g);
    return true;
}

static void try_displace(struct walk *w, int level, struct revisit *v)
{
    if (!walk_begin_child(w))
        return;
    v->keep &= ~row_of(v->read);
    w->search->counts.revisits++;
    walk_take(w, level + 1, displace(w, level + 1, v));
    walk_end_child(w);
}

/* ---- All of them ---- */

/* The kept write that follows `after` in co; NONE: there is none. */
static int next_kept(const struct graph *g, int after, unsigned location,
                     row keep)
{
    row later = graph_co_after(g, after, location) & keep;
    int w, next = NONE, most = -1;

    ROW_EACH (w, later) {
        int n = row_count(g->co_after[w] & later);

        if (n > most) {
            most = n;
            next = w;
        }
    }
    return next;
}

/* A plain write may come anywhere in co, but not between the halves of an RMW
 * that stays one. */
static void try_places(struct walk *w, int level, struct revisit *v)
{
    const struct graph *g = &w->levels[level];
    unsigned location = v->write->op->location;
    row whole = g->complete & v->keep & ~row_of(v->read);

    if (v->write->read != NONE) {
        v->after = g->events[v->write->read].rf;
        try_revisit(w, level, v);
        return;
    }
    for (int at = INITIAL; at != NONE;
         at = next_kept(g, at, location, v->keep)) {
        v->after = at;
        if (!row_any(graph_readers(g, at, location) & whole))
            try_revisit(w, level, v);
    }
}

static bool takes_mutex(const struct walk *w, const struct graph *g, int read)
{
    return row_has(g->complete, read) &&
           behaviour_op(w->search->behaviour, g->events[read].before)->locks;
}

static void revisit_read(struct walk *w, int level,
                         const struct new_write *write, int read, row prefix)
{
    const struct graph *g = &w->levels[level];
    struct revisit v = {write, row_below(read) | prefix | row_of(read), read,
                        INITIAL};

    if (write->op->locks && takes_mutex(w, g, read))
        try_displace(w, level, &v);
    else
        try_places(w, level, &v);
}

void revisit_reads(struct walk *w, int level, const struct new_write *write,
                   int limit)
{
    const struct graph *g = &w->levels[level];
    row prefix = prefix_of(g, write), reads = g->reads[write->op->location];
    row left = row_below(g->count) & ~prefix & ~g->fixed;

    if (limit != NONE)
        reads &= row_below(limit + 1);
    /* From the youngest on: all that is younger is deleted, too. */
    while (row_any(left & reads) && !w->search->stop) {
        int e = row_last(left);

        if (!is_maximal(g, e, prefix))
            return;
        if (row_has(reads, e))
            revisit_read(w, level, write, e, prefix);
        left &= ~row_of(e);
    }
}

bool revisit_can_undo(const struct graph *g, unsigned thread, int source,
                      unsigned location)
{
    row others = graph_readers(g, source, location) & g->complete;
    row prefix, gone;
    int other, e;

    if (!row_any(others))
        return true;
    prefix = graph_prefix_of_next(g, thread) | graph_prefix(g, source);
    other = row_last(others);
    if (row_has(prefix, other))
        return false;
    gone = row_below(g->count) & ~row_below(other) & ~prefix & ~g->fixed;
    ROW_EACH (e, gone)
        if (!is_maximal(g, e, prefix))
            return false;
    return true;
}
