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
    int read;           /* in the old graph; of a bundle, the first */
    const int *after;   /* the write's place in co, in the old graph; of each of
                           its parts */
    const int *sources; /* of each part of the read: in the old graph, or NEW,
                           or NONE yet; NULL: there is one part, and it is NEW
                         */
};

/* The part of the new write that is at the same location. */
#define NEW (-3)

static int renumber(const struct revisit *v, int e)
{
    return e < 0 ? e : row_rank(v->keep, e);
}

static int push_new_write(struct walk *w, struct graph *g,
                          const struct new_write *n, int read)
{
    bool is_rmw = n->read != NONE;

    if (n->op->cuts)
        return is_rmw ? walk_push_writes_of(w, g, read, n->value)
                      : walk_push_writes(w, g, n->thread, n->op);
    return is_rmw ? graph_push_write_of(g, read, n->value)
                  : graph_push_write(g, n->thread, n->op);
}

static bool place_new_write(struct walk *w, struct graph *g,
                            const struct revisit *v, int write)
{
    const struct graph_search *s = w->search;
    int after[OP_PARTS_MAX];

    if (!v->write->op->cuts)
        return s->rules->add_write(s->model, g, write,
                                   renumber(v, v->after[0]));
    for (unsigned i = 0; i < op_parts(v->write->op); i++)
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
    behaviour_node before = is_rmw ? g->events[read].before : g->at[n->thread];
    int write = push_new_write(w, g, n, read);
    bool fits;

    if (is_rmw)
        fits = s->rules->add_rmw(s->model, g, read, write);
    else
        fits = place_new_write(w, g, v, write);
    if (!fits)
        return NONE;
    g->at[n->thread] = behaviour_step(
        s->behaviour, before, is_rmw ? graph_read_value(s, g, read) : 0);
    return write;
}

/* It blocks on the new value, and a write older than the read is later in co:
 * it can never read the last one again. */
static bool is_dropped(struct walk *w, const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    row later = row_none();

    if (e->mate >= 0)
        return false;
    for (int i = 0; i < e->parts; i++) {
        if (!walk_drops(w, g, e[i].location, false))
            return false;
        later |= graph_co_after(g, e[i].rf, e[i].location);
    }
    return row_any(later & row_below(read)) &&
           walk_blocks(w, e->before, graph_read_value(w->search, g, read));
}

static void renumber_sources(const struct graph *g, const struct revisit *v,
                             int write, int *sources)
{
    const struct node_event *e = &g->events[renumber(v, v->read)];

    for (int i = 0; i < e->parts; i++)
        sources[i] = v->sources[i] == NEW
                         ? write + e[i].location - g->events[write].location
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

static bool is_claim(const struct graph *g, const struct revisit *v)
{
    for (int i = 0; v->sources && i < g->events[v->read].parts; i++)
        if (v->sources[i] == NONE)
            return true;
    return false;
}

static bool claim(struct walk *w, struct graph *g, const struct revisit *v,
                  int write)
{
    int read = renumber(v, v->read), sources[OP_PARTS_MAX];

    renumber_sources(g, v, write, sources);
    for (int i = 0; i < g->events[read].parts; i++)
        if (sources[i] != NONE)
            graph_set_source(
                g, read + i, sources[i],
                walk_value(w, g, sources[i], g->events[read + i].location));
    graph_claim(g, read);
    walk_look_at_frees(w, g);
    return true;
}

static bool make_child(struct walk *w, int level, const struct revisit *v)
{
    struct graph *g = &w->levels[level];
    int read = renumber(v, v->read), write;
    bool writes;

    graph_restrict(g, &w->levels[level - 1], v->keep, v->read);
    write = add_new_write(w, g, v);
    if (write != NONE && is_claim(&w->levels[level - 1], v))
        return claim(w, g, v, write);
    if (write == NONE || !give_new_source(w, g, v, write, &writes) ||
        (writes && !walk_finish_rmw(w, level, read)) || is_dropped(w, g, read))
        return false;
    g->at[g->events[read].thread] =
        behaviour_step(w->search->behaviour, g->events[read].before,
                       graph_read_value(w->search, g, read));
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
 * that stays one.  `at` is where v->after points. */
static void try_places(struct walk *w, int level, const struct revisit *v,
                       int *at)
{
    const struct graph *g = &w->levels[level];
    unsigned location = v->write->op->location;
    row whole = g->complete & v->keep & ~row_of(v->read);

    if (v->write->read != NONE) {
        try_revisit(w, level, v); /* after what it reads */
        return;
    }
    for (; *at != NONE; *at = next_kept(g, *at, location, v->keep)) {
        if (!row_any(graph_readers(g, *at, location) & whole))
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
    int at = INITIAL;
    struct revisit v = {write, row_below(read) | prefix | row_of(read), read,
                        &at, NULL};

    if (write->op->locks && takes_mutex(w, g, read))
        try_displace(w, level, &v);
    else
        try_places(w, level, &v, &at);
}

/* ---- Bundles ----
 *
 * A new write may become the source of some parts of an older read; the others
 * then read anything that is kept.  That reaches every graph where one of the
 * read's sources has all those in its prefix that are younger than the read.
 *
 * For a read of sources a, b, ..., neither of which has another in its prefix,
 * the first of these, by the first part that reads it, *claims* its parts: what
 * it needs is kept, and the read waits, with its thread, without any place in
 * the order.  The next one keeps what is claimed, and so on; the last completes
 * the read.  So the claims come in one order, whatever the schedule is, and the
 * youngest write and who reads it still tell from which graph another comes:
 * all that is younger than the read and in no prefix of its sources was as the
 * search would have added it.  (To let the last one choose the others among all
 * that is there would not do: each could be the last.)  What still waits at the
 * end is no execution. */

struct bundle_revisit {
    struct walk *walk;
    int level;
    struct revisit v;
    row kept;  /* that is older than the read, or needed */
    row taken; /* writes that claimed their parts: no other part reads them */
    int floor; /* the new write reads parts after that one */
    int sources[OP_PARTS_MAX], after[OP_PARTS_MAX];
};

static const struct graph *graph_of(const struct bundle_revisit *x)
{
    return &x->walk->levels[x->level];
}

static bool can_go(const struct graph *g, row gone, row prefix)
{
    int e;

    ROW_EACH (e, gone)
        if (!is_maximal(g, e, prefix))
            return false;
    return true;
}

/* Every place of every part of the write, from part i on. */
static void try_bundle_places(struct bundle_revisit *x, unsigned i)
{
    const struct graph *g = graph_of(x);
    const struct new_write *write = x->v.write;
    unsigned location = write->op->location + i;
    row whole = g->complete & x->v.keep & ~graph_bundle(g, x->v.read);

    if (i == op_parts(write->op) || write->read != NONE) {
        try_revisit(x->walk, x->level, &x->v);
        return;
    }
    for (int at = INITIAL; at != NONE;
         at = next_kept(g, at, location, x->v.keep)) {
        x->after[i] = at;
        if (!row_any(graph_readers(g, at, location) & whole))
            try_bundle_places(x, i + 1);
    }
}

static bool can_be_new(const struct bundle_revisit *x, int i)
{
    const struct op *op = x->v.write->op;
    unsigned location = graph_of(x)->events[x->v.read + i].location;

    return i > x->floor && location >= op->location &&
           location < op->location + op_parts(op);
}

/* Every source of every part of the read, from part i on; `new`: one of those
 * before reads the new write. */
static void choose_sources(struct bundle_revisit *x, int i, bool new)
{
    const struct graph *g = graph_of(x);
    const struct node_event *e = &g->events[x->v.read];
    int source;

    if (i == e->parts) {
        if (new)
            try_bundle_places(x, 0);
        return;
    }
    if (row_any(x->taken) && e[i].rf != NONE) {
        x->sources[i] = e[i].rf;
        choose_sources(x, i + 1, new);
        return;
    }
    if (can_be_new(x, i)) {
        x->sources[i] = NEW;
        choose_sources(x, i + 1, true);
    }
    x->sources[i] = INITIAL;
    choose_sources(x, i + 1, new);
    ROW_EACH (source, g->writes[e[i].location] & x->kept & ~x->taken) {
        x->sources[i] = source;
        choose_sources(x, i + 1, new);
    }
}

/* Every set of parts from i on that the new write may claim; `first`: of those
 * before, the first one, or NONE; `open`: there is one after it for others. */
static void choose_claims(struct bundle_revisit *x, int i, int first, bool open)
{
    const struct node_event *e = &graph_of(x)->events[x->v.read];

    if (i == e->parts) {
        if (first != NONE && open)
            try_bundle_places(x, 0);
        return;
    }
    if (row_any(x->taken) && e[i].rf != NONE) {
        x->sources[i] = e[i].rf;
        choose_claims(x, i + 1, first, open);
        return;
    }
    if (can_be_new(x, i)) {
        x->sources[i] = NEW;
        choose_claims(x, i + 1, first == NONE ? i : first, open);
    }
    x->sources[i] = NONE;
    choose_claims(x, i + 1, first, open || first != NONE);
}

/* What claimed parts of the read is kept; false: the new write needs it, and so
 * is no other source. */
static bool keep_claims(struct bundle_revisit *x, row *prefix)
{
    const struct graph *g = graph_of(x);
    const struct node_event *e = &g->events[x->v.read];
    row needed = *prefix;

    x->taken = row_none();
    x->floor = -1;
    for (int i = 0; row_has(g->claims, x->v.read) && i < e->parts; i++) {
        if (e[i].rf == NONE)
            continue;
        if (row_has(needed, e[i].rf))
            return false;
        if (!row_has(x->taken, e[i].rf))
            x->floor = i;
        x->taken |= graph_bundle(g, e[i].rf);
        *prefix |= graph_prefix(g, e[i].rf);
    }
    return true;
}

static void revisit_bundle(struct bundle_revisit *x, row prefix, row rivals)
{
    const struct graph *g = graph_of(x);
    row me = graph_bundle(g, x->v.read), gone;

    if (!keep_claims(x, &prefix))
        return;
    x->kept = row_below(x->v.read) | prefix;
    x->v.keep = x->kept | me;
    gone = row_below(g->count) & ~x->kept & ~g->fixed & ~(me & g->claims);
    if (row_any(rivals & x->v.keep & ~me) || !can_go(g, gone, prefix))
        return;
    choose_sources(x, 0, false);
    choose_claims(x, 0, NONE, false);
}

/* Reads of what the write touches, if one of the two is a bundle. */
static row bundle_reads(const struct graph *g, const struct op *op)
{
    row all = g->claims;

    for (unsigned i = 0; i < op_parts(op); i++)
        all |= g->reads[op->location + i];
    return op->cuts ? all : all & g->bundles;
}

static void revisit_bundles(struct walk *w, int level,
                            const struct new_write *write, row rivals)
{
    const struct graph *g = &w->levels[level];
    struct bundle_revisit x = {.walk = w, .level = level};
    row prefix = prefix_of(g, write);
    row reads = bundle_reads(g, write->op) & ~prefix;

    if (row_any(rivals))
        reads &= row_below(row_first(rivals) + 1);
    while (row_any(reads) && !w->search->stop) {
        int read = row_last(reads);

        read -= g->events[read].part;
        reads &= ~graph_bundle(g, read);
        x.v = (struct revisit){write, prefix, read, x.after, x.sources};
        revisit_bundle(&x, prefix, rivals);
    }
}

/* ---- All reads ---- */

static void revisit_alone(struct walk *w, int level,
                          const struct new_write *write, row rivals)
{
    const struct graph *g = &w->levels[level];
    row prefix = prefix_of(g, write);
    row reads = g->reads[write->op->location] & ~g->bundles;
    row left = row_below(g->count) & ~prefix & ~g->fixed;

    if (row_any(rivals))
        reads &= row_below(row_first(rivals) + 1);
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

void revisit_reads(struct walk *w, int level, const struct new_write *write,
                   row rivals)
{
    if (!write->op->cuts)
        revisit_alone(w, level, write, rivals);
    if (write->op->cuts || row_any(w->levels[level].bundles))
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
    ROW_EACH (e, gone)
        if (!is_maximal(g, e, prefix))
            return false;
    return true;
}
