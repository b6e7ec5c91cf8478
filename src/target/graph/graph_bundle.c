/* SPDX-License-Identifier: MIT
 *
 * Going forward with an access of several parts, a bundle: a source, or a place
 * in co, for each part, all at once.  Only so is the last way, where every part
 * reads or is the last write, always allowed: a part that reads the last write
 * may rule that out for the next.
 *
 * An atomic block is an RMW of several parts.  Which these are unfolds, part by
 * part, with the values that they read.
 */
#include <string.h>

#include "event/must.h"
#include "graph/graph_search_inside.h"

/* ---- Unfolded accesses ---- */

behaviour_node unfold_end(const struct unfolding *u, int count)
{
    behaviour_node at = u->at[count];

    if (u->op->kind != OP_ATOMIC)
        return behaviour_step(
            u->behaviour, u->at[0],
            u->op->cuts ? behaviour_join(u->behaviour, u->op, u->values)
                        : u->values[0]);
    while (behaviour_op(u->behaviour, at)->kind == OP_PUT)
        at = behaviour_step(u->behaviour, at, 0);
    return at;
}

static bool has_puts(const struct unfolding *u, int count)
{
    return behaviour_op(u->behaviour, u->at[count])->kind == OP_PUT;
}

struct effect unfold_effect(const struct unfolding *u, int count)
{
    struct effect e;

    if (u->op->kind != OP_ATOMIC)
        return behaviour_effect(
            u->behaviour, u->at[0],
            u->op->cuts ? behaviour_join(u->behaviour, u->op, u->values)
                        : u->values[0]);
    e = u->behaviour->entries[unfold_end(u, count).ix].effect;
    e.writes = has_puts(u, count);
    return e;
}

static void put(struct graph_puts *puts, unsigned location, int part,
                uint64_t value)
{
    int i = puts->count++;

    MUST(i < OP_PARTS_MAX);
    puts->location[i] = (uint16_t)location;
    puts->part[i] = (uint8_t)part;
    puts->value[i] = value;
}

static void split_value(const struct behaviour *b, const struct op *op,
                        uint64_t value, struct graph_puts *puts)
{
    uint64_t parts[OP_PARTS_MAX];

    behaviour_split(b, op, value, parts);
    puts->count = 0;
    for (int i = 0; i < (int)op_parts(op); i++)
        put(puts, op->location + (unsigned)i, i, parts[i]);
}

void walk_split_store(const struct walk *w, const struct op *op,
                      struct graph_puts *puts)
{
    split_value(w->search->behaviour, op, op->operand, puts);
}

void unfold_puts(const struct unfolding *u, int count, struct graph_puts *puts)
{
    behaviour_node at = u->at[count];
    const struct op *op;

    if (u->op->kind != OP_ATOMIC) {
        split_value(u->behaviour, u->op, unfold_effect(u, count).written, puts);
        return;
    }
    puts->count = 0;
    while ((op = behaviour_op(u->behaviour, at))->kind == OP_PUT) {
        put(puts, op->location, op->part, op->operand);
        at = behaviour_step(u->behaviour, at, 0);
    }
}

/* That of a bundle of reads which has its sources. */
static struct unfolding unfolded(struct behaviour *b, const struct graph *g,
                                 int read)
{
    const struct node_event *e = &g->events[read];
    struct unfolding u = {
        .behaviour = b, .op = behaviour_op(b, e->before), .at = {e->before}};

    for (int i = 0; i < e->parts; i++)
        unfold_value(&u, i, e[i].value);
    return u;
}

struct effect graph_effect_of_bundle(struct behaviour *b, const struct graph *g,
                                     int read)
{
    struct unfolding u = unfolded(b, g, read - g->events[read].part);

    return unfold_effect(&u, g->events[read].parts);
}

behaviour_node graph_after_bundle(const struct graph_search *s,
                                  const struct graph *g, int read)
{
    struct unfolding u = unfolded(s->behaviour, g, read - g->events[read].part);

    return unfold_end(&u, g->events[read].parts);
}

behaviour_node walk_after_last(const struct walk *w, const struct graph *g,
                               unsigned thread)
{
    struct unfolding u = unfold(w, g->at[thread]);
    int i, location;

    for (i = 0; (location = unfold_part(&u, i)) != NONE; i++)
        unfold_value(&u, i, walk_last_value(w, g, (unsigned)location));
    return unfold_end(&u, i);
}

/* ---- Events ---- */

bool walk_fits_parts(struct walk *w, int level, int parts)
{
    if (w->widest < parts)
        w->widest = parts;
    return !walk_is_too_long(w, level);
}

bool walk_give_sources(struct walk *w, struct graph *g, int read,
                       const int *sources, bool *writes)
{
    const struct graph_search *s = w->search;
    const struct node_event *e = &g->events[read];
    struct unfolding u = unfold(w, e->before);
    struct effect effect;

    if (!u.op->cuts)
        return walk_give_source(w, g, read, sources[0], writes);
    for (int i = 0; i < e->parts; i++)
        unfold_value(&u, i, walk_value(w, g, sources[i], e[i].location));
    effect = unfold_effect(&u, e->parts);
    *writes = effect.writes;
    for (int i = 0; i < e->parts; i++) {
        graph_set_effect(g, read + i, &effect);
        graph_set_source(g, read + i, sources[i], u.values[i]);
    }
    for (int i = 0; i < e->parts; i++)
        if (!walk_fits_twins(w, g, read + i))
            return false;
    return *writes ? s->rules->begin_rmw(s->model, g, read)
                   : s->rules->add_read(s->model, g, read);
}

/* RMWs that read what this one reads and writes. */
static row rivals_of(const struct graph *g, int read,
                     const struct graph_puts *puts)
{
    row all = row_none();

    for (int i = 0; i < puts->count; i++) {
        const struct node_event *e = &g->events[read + puts->part[i]];

        all |= graph_readers(g, e->rf, e->location);
    }
    return all & g->complete & ~graph_bundle(g, read);
}

bool walk_finish_bundle(struct walk *w, int level, int read)
{
    struct graph_search *s = w->search;
    struct graph *g = &w->levels[level];
    const struct node_event *e = &g->events[read];
    struct unfolding u = unfolded(s->behaviour, g, read);
    struct graph_puts puts;
    struct new_write n = {e->thread, u.op, 0, read, &puts, 0};
    row rivals;
    int write;

    unfold_puts(&u, e->parts, &puts);
    rivals = rivals_of(g, read, &puts);
    if (row_any(rivals & g->porf[read]))
        return false;
    revisit_reads(w, level, &n, rivals);
    if (row_any(rivals))
        return false; /* only its revisits were of use */
    s->counts.events++;
    write = graph_push_writes_of(g, read, &puts);
    return s->rules->add_rmw(s->model, g, read, write) &&
           walk_fits_twins(w, g, write);
}

/* ---- One access ---- */

struct access {
    struct walk *walk;
    int level;
    unsigned thread;
    const struct op *op;
    row known;
    struct unfolding u;
    struct graph_parts parts;
    bool last; /* all parts so far are the last of co */
    /* Of each part: the source of a read, what a write comes after in co. */
    int from[OP_PARTS_MAX];
};

/* All parts of the access are there. */
static void step(struct access *a, int event, behaviour_node to)
{
    struct graph *g = &a->walk->levels[a->level];

    walk_come_to(a->walk->search, g, a->thread, to);
    for (int i = 0; i < a->parts.count; i++)
        walk_look_at_access(a->walk, g, event + i);
}

static bool add_read(struct access *a)
{
    struct graph *g = &a->walk->levels[a->level];
    int read = graph_push_bundle(g, a->thread,
                                 a->op->kind == OP_LOAD ? NODE_R : NODE_RX,
                                 a->op, &a->parts);
    bool writes;

    a->walk->search->counts.events++;
    if (!walk_give_sources(a->walk, g, read, a->from, &writes) ||
        (writes && !walk_finish_bundle(a->walk, a->level, read)))
        return false;
    step(a, read, graph_after(a->walk->search, g, read));
    return true;
}

static bool add_write(struct access *a)
{
    const struct graph_search *s = a->walk->search;
    struct graph *g = &a->walk->levels[a->level];
    struct graph_puts puts;
    int write;

    walk_split_store(a->walk, a->op, &puts);
    write = graph_push_writes(g, a->thread, a->op, &puts);
    a->walk->search->counts.events++;
    if (!s->rules->add_writes(s->model, g, write, a->from) ||
        !walk_fits_twins(a->walk, g, write))
        return false;
    step(a, write, graph_after(s, g, write));
    return true;
}

static bool add(struct access *a)
{
    return a->op->kind == OP_STORE ? add_write(a) : add_read(a);
}

/* ---- All ways ---- */

/* It would block on what it reads, and can never be repaired. */
static bool is_in_vain(struct access *a)
{
    struct walk *w = a->walk;
    const struct graph *g = &w->levels[a->level];

    if (a->op->kind == OP_STORE)
        return false;
    for (int i = 0; i < a->parts.count; i++)
        if (!walk_drops(w, g, a->parts.location[i], op_is_plain(a->op)))
            return false;
    return !unfold_effect(&a->u, a->parts.count).writes &&
           behaviour_op(w->search->behaviour, unfold_end(&a->u, a->parts.count))
                   ->kind == OP_BLOCK;
}

static void try_access(struct access *a)
{
    if (a->last)
        return; /* that is taken in place */
    if (!walk_fits_parts(a->walk, a->level, a->parts.count) || is_in_vain(a) ||
        !walk_begin_child(a->walk))
        return;
    walk_begin_try(a->walk, a->level);
    walk_take(a->walk, a->level, add(a));
    walk_undo_try(a->walk, a->level);
    walk_end_child(a->walk);
}

static void choose(struct access *a, int i);

static void take_part(struct access *a, int i, unsigned location, int from)
{
    const struct graph *g = &a->walk->levels[a->level];

    a->parts.count = i + 1;
    a->parts.location[i] = (uint16_t)location;
    a->parts.ghost[i] = unfold_is_ghost(&a->u, i);
    a->from[i] = from;
    unfold_value(&a->u, i, walk_value(a->walk, g, from, location));
}

/* It may know a later write; a write may not come between the halves of an RMW.
 */
static void choose_from(struct access *a, int i, unsigned location, int from)
{
    const struct graph *g = &a->walk->levels[a->level];
    bool last = a->last;

    if (row_any(graph_co_after(g, from, location) & a->known) ||
        (a->op->kind == OP_STORE &&
         row_any(graph_readers(g, from, location) & g->complete)))
        return;
    take_part(a, i, location, from);
    a->last = last && !row_any(graph_co_after(g, from, location));
    choose(a, i + 1);
    a->last = last;
}

/* Every way for the parts from i on. */
static void choose(struct access *a, int i)
{
    struct graph *g = &a->walk->levels[a->level];
    int location = unfold_part(&a->u, i), from;

    if (location == NONE) {
        a->parts.count = i;
        try_access(a);
        return;
    }
    graph_know_location(g, (unsigned)location);
    choose_from(a, i, (unsigned)location, INITIAL);
    ROW_EACH (from, g->writes[location])
        choose_from(a, i, (unsigned)location, from);
}

static void choose_last(struct access *a)
{
    struct graph *g = &a->walk->levels[a->level];
    int i, location;

    a->u = unfold(a->walk, g->at[a->thread]);
    for (i = 0; (location = unfold_part(&a->u, i)) != NONE; i++) {
        graph_know_location(g, (unsigned)location);
        take_part(a, i, (unsigned)location,
                  graph_co_last(g, (unsigned)location));
    }
}

void walk_extend_bundle(struct walk *w, int level, unsigned thread)
{
    const struct graph_search *s = w->search;
    struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    struct access a = {.walk = w, .level = level, .thread = thread, .op = op};
    bool fits;

    MUST(s->rules->add_writes);
    choose_last(&a);
    if (!walk_fits_parts(w, level, a.parts.count))
        return;
    if (op->kind == OP_STORE) {
        struct graph_puts puts;
        struct new_write n = {thread, op, 0, NONE, &puts, 0};

        walk_split_store(w, op, &puts);
        revisit_reads(w, level, &n, row_none());
    }
    a.known = s->rules->known(s->model, g, thread, op);
    a.last = true;
    choose(&a, 0);
    choose_last(&a);
    fits = add(&a);
    MUST(fits);
}
