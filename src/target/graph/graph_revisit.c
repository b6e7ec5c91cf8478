/* SPDX-License-Identifier: MIT
 *
 * Going back: a new write becomes the source of an older read.
 */
#include "graph/graph_revisit.h"

#include "event/must.h"

/* ---- One revisit ---- */

/* A read that gets other parts moves what is younger. */
static int renumber(const struct revisit *v, int e)
{
    return e < 0 ? e : row_rank(v->keep, e) + (e > v->read ? v->grows : 0);
}

static int push_new_write(struct graph *g, const struct new_write *n, int read)
{
    bool is_rmw = n->read != NONE;

    if (n->puts)
        return is_rmw ? graph_push_writes_of(g, read, n->puts)
                      : graph_push_writes(g, n->thread, n->op, n->puts);
    return is_rmw ? graph_push_write_of(g, read, n->value)
                  : graph_push_write(g, n->thread, n->op);
}

static bool place_new_write(struct walk *w, struct graph *g,
                            const struct revisit *v, int write)
{
    const struct graph_search *s = w->search;
    int after[OP_PARTS_MAX];

    if (!v->write->puts)
        return s->rules->add_write(s->model, g, write,
                                   renumber(v, v->after[0]));
    for (int i = 0; i < v->write->puts->count; i++)
        after[i] = renumber(v, v->after[i]);
    return s->rules->add_writes(s->model, g, write, after);
}

/* The new write, in the graph of what is kept; its number, or NONE. */
static int add_new_write(struct walk *w, struct graph *g,
                         const struct revisit *v)
{
    const struct graph_search *s = w->search;
    const struct new_write *n = v->write;
    bool is_rmw = n->read != NONE;
    int read = renumber(v, n->read);
    int write = push_new_write(g, n, read);
    bool fits;

    if (n->late)
        g->events[write].mate = (int16_t)renumber(v, n->late - 1);
    if (is_rmw)
        fits = s->rules->add_rmw(s->model, g, read, write);
    else
        fits = place_new_write(w, g, v, write);
    if (!fits || !walk_fits_twins(w, g, write))
        return NONE;
    walk_come_to(s, g, n->thread, graph_after(s, g, is_rmw ? read : write));
    return write;
}

/* It blocks on the new value, and a write older than the read is later in co:
 * it can never read the last one again. */
static bool is_dropped(struct walk *w, const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    row later = row_none();

    for (int i = 0; i < e->parts; i++) {
        if (e[i].mate >= 0 || !walk_drops(w, g, e[i].location, false))
            return false;
        later |= graph_co_after(g, e[i].rf, e[i].location);
    }
    return row_any(later & row_below(read)) &&
           walk_waits_at(w, graph_after(w->search, g, read));
}

/* The event of the new write at that location. */
static int new_at(const struct graph *g, int write, unsigned location)
{
    for (int e = write; e < write + g->events[write].parts; e++)
        if (g->events[e].location == location)
            return e;
    MUST(false);
    return NONE;
}

static void renumber_sources(const struct graph *g, const struct revisit *v,
                             int write, int *sources)
{
    const struct node_event *e = &g->events[renumber(v, v->read)];

    for (int i = 0; i < e->parts; i++)
        sources[i] = v->sources[i] == NEW ? new_at(g, write, e[i].location)
                                          : renumber(v, v->sources[i]);
}

static bool give_new_source(struct walk *w, struct graph *g,
                            const struct revisit *v, int write, bool *writes)
{
    int read = renumber(v, v->read), sources[OP_PARTS_MAX];

    if (!v->sources)
        return walk_give_source(w, g, read, write, writes);
    renumber_sources(g, v, write, sources);
    return walk_give_sources(w, g, read, sources, writes);
}

static bool claim(struct walk *w, struct graph *g, const struct revisit *v,
                  int write)
{
    int read = renumber(v, v->read), sources[OP_PARTS_MAX];

    renumber_sources(g, v, write, sources);
    for (int i = 0; i < g->events[read].parts; i++)
        graph_set_source(
            g, read + i, sources[i],
            walk_value(w, g, sources[i], g->events[read + i].location));
    graph_claim(g, read);
    walk_look_at_frees(w, g);
    return true;
}

static bool finish(struct walk *w, int level, int read)
{
    return row_has(w->levels[level].bundles, read)
               ? walk_finish_bundle(w, level, read)
               : walk_finish_rmw(w, level, read);
}

static bool make_child(struct walk *w, int level, const struct revisit *v)
{
    struct graph *g = &w->levels[level];
    int read = renumber(v, v->read), write;
    bool writes;

    graph_restrict(g, &w->levels[level - 1], v->keep, v->read);
    if (v->parts)
        graph_set_parts(g, read, v->parts);
    write = add_new_write(w, g, v);
    if (write != NONE && v->claims)
        return claim(w, g, v, write);
    if (write == NONE || !give_new_source(w, g, v, write, &writes) ||
        (writes && !finish(w, level, read)) || is_dropped(w, g, read))
        return false;
    walk_come_to(w->search, g, g->events[read].thread,
                 graph_after(w->search, g, read));
    walk_look_at_frees(w, g);
    return true;
}

void revisit_try(struct walk *w, int level, const struct revisit *v)
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
int revisit_next_kept(const struct graph *g, int after, unsigned location,
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
 * that stays one, nor before what its thread knows.  That is kept, and what is
 * deleted comes before nothing that is: so it is known in the new graph, too,
 * and most places need not be tried there.  `at` is where v->after points: the
 * first place. */
static void try_places(struct walk *w, int level, const struct revisit *v,
                       int *at)
{
    const struct graph *g = &w->levels[level];
    unsigned location = v->write->op->location;
    row whole = g->complete & v->keep & ~row_of(v->read);

    if (v->write->read != NONE) {
        revisit_try(w, level, v); /* after what it reads */
        return;
    }
    for (; *at != NONE; *at = revisit_next_kept(g, *at, location, v->keep)) {
        if (!row_any(graph_readers(g, *at, location) & whole))
            revisit_try(w, level, v);
    }
}

static bool takes_mutex(const struct walk *w, const struct graph *g, int read)
{
    return row_has(g->complete, read) &&
           behaviour_op(w->search->behaviour, g->events[read].before)->locks;
}

static void revisit_read(struct walk *w, int level,
                         const struct new_write *write, int read, row prefix,
                         int first)
{
    const struct graph *g = &w->levels[level];
    int at = first;
    struct revisit v = {.write = write,
                        .keep = row_below(read) | prefix | row_of(read),
                        .read = read,
                        .after = &at};

    MUST(first < 0 || row_has(v.keep, first));
    if (write->op->locks && takes_mutex(w, g, read))
        try_displace(w, level, &v);
    else
        try_places(w, level, &v, &at);
}

/* ---- All reads ---- */

static void revisit_alone(struct walk *w, int level,
                          const struct new_write *write, row rivals)
{
    const struct graph *g = &w->levels[level];
    row prefix = revisit_prefix(g, write);
    row reads = g->reads[write->op->location] & ~g->bundles;
    row left = row_below(g->count) & ~prefix & ~g->fixed;
    int first = INITIAL; /* where it may come in co */

    if (row_any(rivals))
        reads &= row_below(row_first(rivals) + 1);
    if (!row_any(left & reads))
        return;
    if (write->read == NONE)
        first = walk_last_known(g, write->op->location,
                                walk_known(w, g, write->thread));
    /* From the youngest on: all that is younger is deleted, too. */
    while (row_any(left & reads) && !w->search->stop) {
        int e = row_last(left);

        if (!revisit_is_maximal(g, e, prefix))
            return;
        if (row_has(reads, e))
            revisit_read(w, level, write, e, prefix, first);
        left &= ~row_of(e);
    }
}

void revisit_reads(struct walk *w, int level, const struct new_write *write,
                   row rivals)
{
    if (!write->puts)
        revisit_alone(w, level, write, rivals);
    if (write->puts || row_any(w->levels[level].bundles))
        revisit_bundles(w, level, write, rivals);
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
    if (row_any(g->claims))
        return true; /* more than the prefix may be kept */
    gone = row_below(g->count) & ~row_below(other) & ~prefix & ~g->fixed;
    for (; row_any(gone); gone &= ~row_of(e)) {
        e = row_last(gone);
        if (!revisit_is_maximal(g, e, prefix))
            return false;
    }
    return true;
}
