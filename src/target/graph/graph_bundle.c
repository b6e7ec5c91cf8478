/* SPDX-License-Identifier: MIT
 *
 * Going forward with an access of several parts, a bundle: a source, or a place
 * in co, for each part, all at once.  Only so is the last way, where every part
 * reads or is the last write, always allowed: a part that reads the last write
 * may rule that out for the next.
 */
#include <string.h>

#include "event/must.h"
#include "graph/graph_search_inside.h"

/* ---- Events ---- */

bool walk_give_sources(struct walk *w, struct graph *g, int read,
                       const int *sources, bool *writes)
{
    const struct graph_search *s = w->search;
    const struct node_event *e = &g->events[read];
    const struct op *op = behaviour_op(s->behaviour, e->before);
    uint64_t values[OP_PARTS_MAX];
    struct effect effect;

    if (e->parts == 1)
        return walk_give_source(w, g, read, sources[0], writes);
    for (int i = 0; i < e->parts; i++)
        values[i] = walk_value(w, g, sources[i], e[i].location);
    effect = behaviour_effect(s->behaviour, e->before,
                              behaviour_join(s->behaviour, op, values));
    *writes = effect.writes;
    for (int i = 0; i < e->parts; i++) {
        graph_set_effect(g, read + i, &effect);
        graph_set_source(g, read + i, sources[i], values[i]);
    }
    return *writes ? s->rules->begin_rmw(s->model, g, read)
                   : s->rules->add_read(s->model, g, read);
}

int walk_push_writes(struct walk *w, struct graph *g, unsigned thread,
                     const struct op *op)
{
    uint64_t values[OP_PARTS_MAX];

    behaviour_split(w->search->behaviour, op, op->operand, values);
    return graph_push_writes(g, thread, op, values);
}

int walk_push_writes_of(struct walk *w, struct graph *g, int read,
                        uint64_t value)
{
    const struct behaviour *b = w->search->behaviour;
    uint64_t values[OP_PARTS_MAX];

    behaviour_split(b, behaviour_op(b, g->events[read].before), value, values);
    return graph_push_writes_of(g, read, values);
}

/* ---- One access ---- */

struct access {
    struct walk *walk;
    int level;
    unsigned thread;
    const struct op *op;
    row known;
    /* Of each part: the source of a read, what a write comes after in co. */
    int from[OP_PARTS_MAX], last[OP_PARTS_MAX];
};

static void step(struct access *a, int event, uint64_t value)
{
    struct graph *g = &a->walk->levels[a->level];

    g->at[a->thread] =
        behaviour_step(a->walk->search->behaviour, g->at[a->thread], value);
    for (unsigned i = 0; i < op_parts(a->op); i++)
        walk_look_at_access(a->walk, g, event + (int)i);
}

static bool add_read(struct access *a, const int *sources)
{
    struct graph *g = &a->walk->levels[a->level];
    int read = graph_push_bundle(
        g, a->thread, a->op->kind == OP_LOAD ? NODE_R : NODE_RX, a->op);
    bool writes;

    a->walk->search->counts.events++;
    if (!walk_give_sources(a->walk, g, read, sources, &writes) ||
        (writes && !walk_finish_rmw(a->walk, a->level, read)))
        return false;
    step(a, read, graph_read_value(a->walk->search, g, read));
    return true;
}

static bool add_write(struct access *a, const int *after)
{
    const struct graph_search *s = a->walk->search;
    struct graph *g = &a->walk->levels[a->level];
    int write = walk_push_writes(a->walk, g, a->thread, a->op);

    a->walk->search->counts.events++;
    if (!s->rules->add_writes(s->model, g, write, after))
        return false;
    step(a, write, 0);
    return true;
}

static bool add(struct access *a, const int *from)
{
    return a->op->kind == OP_STORE ? add_write(a, from) : add_read(a, from);
}

/* ---- All ways ---- */

/* It would block on what it reads, and can never be repaired. */
static bool is_in_vain(struct access *a)
{
    struct walk *w = a->walk;
    const struct graph *g = &w->levels[a->level];
    uint64_t values[OP_PARTS_MAX], value;

    if (a->op->kind == OP_STORE)
        return false;
    for (unsigned i = 0; i < op_parts(a->op); i++) {
        if (!walk_drops(w, g, a->op->location + i, op_is_plain(a->op)))
            return false;
        values[i] = walk_value(w, g, a->from[i], a->op->location + i);
    }
    value = behaviour_join(w->search->behaviour, a->op, values);
    return !behaviour_writes(w->search->behaviour, g->at[a->thread], value) &&
           walk_blocks(w, g->at[a->thread], value);
}

static void try_access(struct access *a)
{
    if (memcmp(a->from, a->last, op_parts(a->op) * sizeof *a->from) == 0)
        return; /* that is taken in place */
    if (is_in_vain(a) || !walk_begin_child(a->walk))
        return;
    walk_begin_try(a->walk, a->level);
    walk_take(a->walk, a->level, add(a, a->from));
    walk_undo_try(a->walk, a->level);
    walk_end_child(a->walk);
}

static void choose(struct access *a, unsigned i);

/* It may know a later write; a write may not come between the halves of an RMW.
 */
static void choose_from(struct access *a, unsigned i, int from)
{
    const struct graph *g = &a->walk->levels[a->level];
    unsigned location = a->op->location + i;

    if (row_any(graph_co_after(g, from, location) & a->known) ||
        (a->op->kind == OP_STORE &&
         row_any(graph_readers(g, from, location) & g->complete)))
        return;
    a->from[i] = from;
    choose(a, i + 1);
}

/* Every way for the parts from i on. */
static void choose(struct access *a, unsigned i)
{
    const struct graph *g = &a->walk->levels[a->level];
    int from;

    if (i == op_parts(a->op)) {
        try_access(a);
        return;
    }
    choose_from(a, i, INITIAL);
    ROW_EACH (from, g->writes[a->op->location + i])
        choose_from(a, i, from);
}

void walk_extend_bundle(struct walk *w, int level, unsigned thread)
{
    const struct graph_search *s = w->search;
    struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    struct access a = {.walk = w, .level = level, .thread = thread, .op = op};
    bool fits;

    MUST(s->rules->add_writes && op_parts(op) <= OP_PARTS_MAX);
    if (w->widest < (int)op_parts(op))
        w->widest = (int)op_parts(op);
    if (walk_is_too_long(w, level))
        return;
    graph_know_location(g, op->location + op_parts(op) - 1);
    if (op->kind == OP_STORE) {
        struct new_write n = {thread, op, op->operand, NONE};

        revisit_reads(w, level, &n, row_none());
    }
    for (unsigned i = 0; i < op_parts(op); i++)
        a.last[i] = graph_co_last(g, op->location + i);
    a.known = s->rules->known(s->model, g, thread, op);
    choose(&a, 0);
    fits = add(&a, a.last);
    MUST(fits);
}
