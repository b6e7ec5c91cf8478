/* SPDX-License-Identifier: MIT
 *
 * A random execution, event by event: a thread is drawn, and what it reads or
 * where it writes.  Nothing is ever taken back, so a read sees only what was
 * written before its turn; but every execution has an order in which it can be
 * built so, hence each may come.  On C11 a read that its thread only waits on
 * may still race, so there some samples have such reads.
 *
 * SAMPLE_FORWARD draws all alike.  SAMPLE_DEPTH gives threads random
 * priorities, and lets a read have the oldest source that the model allows,
 * which is what its thread knows; a few reads, drawn in advance, wait until the
 * others have written, and then read any.  SAMPLE_NEAR lets an access have any
 * place with a small chance, which is drawn first, and else the last, and few
 * threads come between: what waits for a value then rarely waits in vain.
 * SAMPLE_GOAL is that, and closes a cycle (graph_goal.c).
 */
#include "graph/graph_forward.h"

#include "event/must.h"
#include "graph/graph_goal.h"

#define SINKS_MAX 16
#define SINK_BITS 6 /* few executions have more reads that matter */
#define WEAK_OF 16
#define GOAL_OF 8 /* of so many accesses that a goal may need one is left */
#define IN_VAIN 8 /* one sample in so many, where that may be a race */

struct forward {
    struct walk walk;
    const struct graph_sampling *how;
    /* Reads may also see what their thread then waits for in vain. */
    bool in_vain;
    unsigned weak; /* SAMPLE_NEAR: of WEAK_OF accesses */
    unsigned last; /* thread that went on */
    /* SAMPLE_DEPTH. */
    uint64_t priority[GRAPH_THREADS_MAX]; /* the highest goes first */
    bool waits[GRAPH_THREADS_MAX];        /* its next read was drawn */
    bool numbered[GRAPH_THREADS_MAX];     /* its next read has its number */
    unsigned reads;                       /* that have one */
    unsigned sinks[SINKS_MAX], sink_count;
};

static uint64_t draw_below(struct walk *w, uint64_t n)
{
    return walk_random(w) % n;
}

/* ---- What may be chosen ---- */

/* Sources of a read, or the writes that a new one may follow. */
struct choices {
    int count;
    int16_t list[GRAPH_EVENTS_MAX + 1];
};

static int take_choice(struct choices *c, uint64_t i)
{
    int taken = c->list[i];

    c->list[i] = c->list[--c->count];
    return taken;
}

static int writes_after(const struct graph *g, int write)
{
    return write < 0 ? GRAPH_EVENTS_MAX : row_count(g->co_after[write]);
}

/* The one that comes first in co. */
static int take_oldest(const struct graph *g, struct choices *c)
{
    int oldest = 0;

    for (int i = 1; i < c->count; i++)
        if (writes_after(g, c->list[i]) > writes_after(g, c->list[oldest]))
            oldest = i;
    return take_choice(c, (uint64_t)oldest);
}

/* The one that comes last. */
static int take_newest(const struct graph *g, struct choices *c)
{
    int newest = 0;

    for (int i = 1; i < c->count; i++)
        if (writes_after(g, c->list[i]) < writes_after(g, c->list[newest]))
            newest = i;
    return take_choice(c, (uint64_t)newest);
}

/* Does another RMW come directly after that write? */
static bool is_taken(const struct graph *g, int write, unsigned location)
{
    return row_any(graph_readers(g, write, location) & g->complete);
}

/* A value on which the thread would only wait is none to choose; what an RMW
 * writes before it waits is there for others. */
static bool is_source(struct forward *f, const struct graph *g, unsigned thread,
                      int source)
{
    struct walk *w = &f->walk;
    const struct op *op = walk_next_op(w, g, thread);
    uint64_t value = walk_value(w, g, source, op->location);

    if (behaviour_writes(w->search->behaviour, g->at[thread], value))
        return !is_taken(g, source, op->location);
    return f->in_vain || !walk_blocks(w, g->at[thread], value);
}

static void gather_choices(struct forward *f, unsigned thread,
                           struct choices *c)
{
    struct walk *w = &f->walk;
    const struct graph_search *s = w->search;
    const struct graph *g = &w->levels[0];
    const struct op *op = walk_next_op(w, g, thread);
    row known = s->rules->known(s->model, g, thread, op);
    row left = g->writes[op->location];
    int at = INITIAL;

    for (c->count = 0;;) {
        bool fits = op->kind == OP_STORE ? !is_taken(g, at, op->location)
                                         : is_source(f, g, thread, at);

        if (fits && !row_any(graph_co_after(g, at, op->location) & known))
            c->list[c->count++] = (int16_t)at;
        if (!row_any(left))
            return;
        at = row_first(left);
        left = row_without_first(left);
    }
}

/* ---- One event ---- */

/* As the search does it, but without revisits. */
static bool add_read(struct walk *w, unsigned thread, int source)
{
    const struct graph_search *s = w->search;
    struct graph *g = &w->levels[0];
    const struct op *op = walk_next_op(w, g, thread);
    behaviour_node before = g->at[thread];
    int read =
        graph_push(g, thread, op->kind == OP_LOAD ? NODE_R : NODE_RX, op);
    bool writes;

    if (!walk_give_source(w, g, read, source, &writes))
        return false;
    if (writes) {
        struct effect e =
            behaviour_effect(s->behaviour, before, g->events[read].value);
        int write = graph_push_write_of(g, read, e.written);

        if (!s->rules->add_rmw(s->model, g, read, write))
            return false;
    }
    walk_come_to(s, g, thread,
                 behaviour_step(s->behaviour, before, g->events[read].value));
    walk_look_at_access(w, g, read);
    return true;
}

static bool try_choice(struct walk *w, unsigned thread, int choice)
{
    struct graph *g = &w->levels[0];

    graph_set_mark(&w->marks[0], g);
    if (walk_next_op(w, g, thread)->kind == OP_STORE
            ? walk_add_write(w, g, thread, choice)
            : add_read(w, thread, choice))
        return true;
    graph_undo(g, &w->marks[0]);
    return false;
}

/* One of those that the goal needs, if there are any. */
static bool try_for_goal(struct forward *f, unsigned thread, int node,
                         struct choices *c)
{
    struct walk *w = &f->walk;
    const struct graph *g = &w->levels[0];
    unsigned location = walk_next_op(w, g, thread)->location;
    int first = c->count ? (int)draw_below(w, (uint64_t)c->count) : 0;

    for (int i = 0; i < c->count; i++) {
        int choice = c->list[(first + i) % c->count];

        if (goal_fits(f->how->goal, g, node, choice, location) &&
            try_choice(w, thread, choice)) {
            goal_note(f->how->goal, g, node, thread);
            return true;
        }
    }
    return false;
}

/* The node of the goal that the thread's next access shall be, or NONE. */
static int wanted_node(struct forward *f, unsigned thread)
{
    struct walk *w = &f->walk;
    const struct op *op;

    if (f->how->how != SAMPLE_GOAL)
        return NONE;
    op = walk_next_op(w, &w->levels[0], thread);
    return op->kind <= OP_SYNC ? goal_node_of(f->how->goal, thread, op) : NONE;
}

/* What is drawn first and fits.  False: the thread would only wait. */
static bool add_access(struct forward *f, unsigned thread)
{
    struct walk *w = &f->walk;
    const struct graph *g = &w->levels[0];
    bool is_store = walk_next_op(w, g, thread)->kind == OP_STORE;
    bool oldest = f->how->how == SAMPLE_DEPTH && !f->waits[thread] && !is_store;
    bool newest =
        f->how->how >= SAMPLE_NEAR && draw_below(w, WEAK_OF) >= f->weak;
    int node = wanted_node(f, thread);
    struct choices c;

    gather_choices(f, thread, &c);
    if (node != NONE && draw_below(w, GOAL_OF) &&
        try_for_goal(f, thread, node, &c))
        return true;
    while (c.count) {
        int choice = oldest ? take_oldest(g, &c)
                     : newest
                         ? take_newest(g, &c)
                         : take_choice(&c, draw_below(w, (uint64_t)c.count));

        if (try_choice(w, thread, choice))
            return true;
    }
    return false;
}

/* The thread goes on; false: it would only wait. */
static bool go_on(struct forward *f, unsigned thread)
{
    struct walk *w = &f->walk;
    struct graph *g = &w->levels[0];
    const struct op *op = walk_next_op(w, g, thread);
    uint64_t value;

    if (op->kind <= OP_SYNC) {
        graph_know_location(g, op->location);
        return add_access(f, thread);
    }
    value = op->kind == OP_CHOOSE ? draw_below(w, op->operand) : 0;
    walk_add_other(w, g, thread,
                   walk_leaves_out(w, g, thread, value) ? 0 : value);
    return true;
}

/* Would the thread wait if it read the last write? */
static bool may_wait(struct walk *w, unsigned thread)
{
    const struct graph *g = &w->levels[0];
    const struct op *op = walk_next_op(w, g, thread);
    int last = op_reads(op) && op->location < g->location_count
                   ? graph_co_last(g, op->location)
                   : INITIAL;

    return op_reads(op) &&
           walk_blocks(w, g->at[thread], walk_value(w, g, last, op->location));
}

/* All others wait or have ended: it reads what is last, and waits. */
static void wait_in(struct walk *w, unsigned thread)
{
    struct graph *g = &w->levels[0];
    const struct op *op = walk_next_op(w, g, thread);
    bool fits;

    graph_know_location(g, op->location);
    fits = add_read(w, thread, graph_co_last(g, op->location));
    MUST(fits);
}

/* ---- Whose turn it is ---- */

/* Draws the numbers of the reads that may read any source.  How many reads
 * there are nobody knows: their scale is drawn first. */
static void draw_sinks(struct forward *f)
{
    struct walk *w = &f->walk;
    unsigned most = f->how->depth < SINKS_MAX ? f->how->depth : SINKS_MAX;

    f->sink_count = (unsigned)draw_below(w, most + 1);
    for (unsigned i = 0; i < f->sink_count; i++)
        f->sinks[i] =
            (unsigned)draw_below(w, 1ull << draw_below(w, SINK_BITS + 1));
    for (unsigned t = 0; t < GRAPH_THREADS_MAX; t++)
        f->priority[t] = walk_random(w) | 1ull << 63;
}

static bool is_sink(const struct forward *f, unsigned read)
{
    for (unsigned i = 0; i < f->sink_count; i++) {
        if (f->sinks[i] == read)
            return true;
    }
    return false;
}

/* Was the thread's next read drawn, and has it not waited yet? */
static bool has_to_wait(struct forward *f, unsigned thread)
{
    const struct graph *g = &f->walk.levels[0];

    if (f->how->how != SAMPLE_DEPTH || f->numbered[thread] ||
        !op_reads(walk_next_op(&f->walk, g, thread)))
        return false;
    f->numbered[thread] = true;
    f->waits[thread] = is_sink(f, f->reads++);
    if (f->waits[thread]) /* after all others, and those that waited before */
        f->priority[thread] = (1ull << 62) - f->reads;
    return f->waits[thread];
}

static unsigned enabled_threads(struct walk *w, unsigned *list)
{
    const struct graph *g = &w->levels[0];
    unsigned count = 0;

    for (unsigned t = 0; t < g->thread_count; t++) {
        if (walk_is_enabled(w, g, t))
            list[count++] = t;
    }
    return count;
}

/* Who goes on stays at it for a while; less so at what a goal needs. */
static unsigned pick_near(struct forward *f, const unsigned *list,
                          unsigned count)
{
    bool at_goal = f->how->how == SAMPLE_GOAL &&
                   walk_is_enabled(&f->walk, &f->walk.levels[0], f->last) &&
                   wanted_node(f, f->last) != NONE;
    bool stays = draw_below(&f->walk, at_goal ? 2 : WEAK_OF) != 0;

    for (unsigned i = 0; stays && i < count; i++)
        if (list[i] == f->last)
            return i;
    return (unsigned)draw_below(&f->walk, count);
}

static unsigned pick(struct forward *f, const unsigned *list, unsigned count)
{
    unsigned best = 0;

    if (f->how->how >= SAMPLE_NEAR)
        return pick_near(f, list, count);
    if (f->how->how != SAMPLE_DEPTH)
        return (unsigned)draw_below(&f->walk, count);
    for (unsigned i = 1; i < count; i++) {
        if (f->priority[list[i]] > f->priority[list[best]])
            best = i;
    }
    return best;
}

/* Every thread in the list would wait if it read the last write. */
static void grow_by_waiting(struct forward *f, const unsigned *list,
                            unsigned count)
{
    struct walk *w = &f->walk;
    unsigned thread = list[draw_below(w, count)];

    if (draw_below(w, 2) || !go_on(f, thread))
        wait_in(w, thread);
    f->waits[thread] = f->numbered[thread] = false;
}

/* Mostly a read of a goal waits for what it shall read. */
static bool waits_for_goal(struct forward *f, unsigned thread)
{
    int node = wanted_node(f, thread);

    return node != NONE && goal_waits(f->how->goal, node) &&
           draw_below(&f->walk, GOAL_OF);
}

/* One more event.  False: no thread can go on.  Who may have to wait sometimes
 * lets all others go first: for good, perhaps. */
static bool grow(struct forward *f)
{
    struct walk *w = &f->walk;
    unsigned list[GRAPH_THREADS_MAX], aside[GRAPH_THREADS_MAX];
    unsigned count = enabled_threads(w, list), aside_count = 0;

    if (!count || walk_is_too_long(w, 0) ||
        walk_finish_alone(w, &w->levels[0], list[0]))
        return false;
    while (count && !w->search->stop) {
        unsigned i = pick(f, list, count), thread = list[i];

        if (has_to_wait(f, thread))
            continue;
        if (!(may_wait(w, thread) && draw_below(w, 2)) &&
            !(count > 1 && waits_for_goal(f, thread)) && go_on(f, thread)) {
            f->waits[thread] = f->numbered[thread] = false;
            f->last = thread;
            return true;
        }
        aside[aside_count++] = thread;
        list[i] = list[--count];
    }
    if (!w->search->stop)
        grow_by_waiting(f, aside, aside_count);
    return true;
}

void forward_sample(struct graph_search *s, struct graph_sampling *how)
{
    struct forward f = {.how = how};
    struct walk *w = &f.walk;

    walk_begin(w, s);
    w->random = how->random;
    graph_begin(&w->levels[0], s);
    f.in_vain = s->rules == &rules_c11 && draw_below(w, IN_VAIN) == 0;
    if (how->how == SAMPLE_DEPTH)
        draw_sinks(&f);
    if (how->how == SAMPLE_NEAR)
        f.weak = 1u << draw_below(w, 4) >> 1;
    if (how->how == SAMPLE_GOAL) {
        goal_begin(how->goal);
        f.weak = (unsigned)draw_below(w, 2);
    }
    while (!s->stop && grow(&f))
        ;
    if (how->how == SAMPLE_GOAL)
        how->goal->hit = goal_is_closed(how->goal, &w->levels[0]);
    if (!s->stop)
        walk_end(w, &w->levels[0]);
    how->random = w->random;
    walk_free(w);
}
