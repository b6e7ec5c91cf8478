/* SPDX-License-Identifier: MIT
 *
 * What a thread of a solution becomes on the model: events with marks, and the
 * fences around them.  A processor's mapping says which instructions C is; a
 * model with recipes which fences; C11 keeps the program's memory orders.
 */
#include "base/check.h"
#include "encode/encode_graph.h"
#include "encode/encode_relate.h"

struct walk {
    struct encoding *x;
    uint32_t thread;
    struct points *out;
};

/* What an access becomes. */
struct compiled {
    uint32_t before, after, read, write; /* marks */
    int why; /* of the marks: the other half is, or is not executed */
    bool pair;
};

/* ---- Processors ---- */

static enum model_mapped by_order(enum model_mapped relaxed, unsigned order)
{
    switch (order) {
    case ORDER_ACQUIRE:
        return relaxed + 1;
    case ORDER_RELEASE:
        return relaxed + 2;
    case ORDER_ACQ_REL:
        return relaxed + 3;
    case ORDER_SEQ_CST:
        return relaxed + 4;
    default:
        return relaxed;
    }
}

static enum model_mapped mapped_sync(const struct flat_event *said)
{
    bool loads = said->kind == FLAT_LOAD;

    switch (said->construct) {
    case C_UNLOCK:
        return MAPPED_STORE_RELEASE;
    case C_POST:
        return MAPPED_RMW_RELEASE;
    case C_LOCK_FAIL:
        return MAPPED_LOAD;
    default: /* one that has to wait is a load */
        return loads ? MAPPED_LOAD_ACQUIRE : MAPPED_RMW_ACQUIRE;
    }
}

/* `said`: the half that says what it is, the store if it was executed. */
static enum model_mapped mapped_of(const struct flat_event *said)
{
    enum event_order order = (enum event_order)said->order;

    if (said->flags & FLAT_LOCK)
        return mapped_sync(said);
    if (said->flags & FLAT_CAS)
        return by_order(
            MAPPED_CAS_RELAXED,
            order_join(order, (enum event_order)said->failure_order));
    if (said->flags & FLAT_RMW)
        return by_order(MAPPED_RMW_RELAXED, order);
    if (said->kind == FLAT_LOAD)
        return order == ORDER_SEQ_CST  ? MAPPED_LOAD_SEQ_CST
               : order_acquires(order) ? MAPPED_LOAD_ACQUIRE
                                       : MAPPED_LOAD;
    return order == ORDER_SEQ_CST  ? MAPPED_STORE_SEQ_CST
           : order_releases(order) ? MAPPED_STORE_RELEASE
                                   : MAPPED_STORE;
}

static void compile_mapped(const struct encoding *x,
                           const struct flat_event *said, struct compiled *c)
{
    const struct model_mapping *m = x->statement->mapping;
    const struct model_instruction *row = &m->rows[mapped_of(said)];

    c->before = row->before;
    c->after = row->after;
    c->read = row->read;
    c->write = row->write;
    c->pair = said->flags & FLAT_CAS ? m->cas_pairs : m->rmw_pairs;
    if (!c->pair && c->read & MARK_A && c->write & MARK_L)
        c->write |= MARK_AL;
    /* A CAS is the same instruction however it ends. */
    if (!(said->flags & FLAT_LOCK))
        c->why = 0;
}

/* ---- Recipes ---- */

static uint32_t marks_of_bits(unsigned bits)
{
    return (bits & FENCE_SS ? MARK_WW : 0u) | (bits & FENCE_SL ? MARK_WR : 0u) |
           (bits & FENCE_LL ? MARK_RR : 0u) | (bits & FENCE_LS ? MARK_RW : 0u) |
           (bits & FENCE_FULL ? MARK_FULL : 0u);
}

static void compile_recipe(const struct encoding *x,
                           const struct flat_event *said, struct compiled *c)
{
    const struct model_recipe *r = &x->model->recipe[said->construct];

    c->before = marks_of_bits(r->before);
    c->after = marks_of_bits(r->after);
}

/* ---- C11 ---- */

static uint32_t marks_of_order(enum event_order order)
{
    return (order_acquires(order) ? MARK_A : 0u) |
           (order_releases(order) ? MARK_L : 0u) |
           (order == ORDER_SEQ_CST ? MARK_SC : 0u);
}

static enum event_order order_of(const struct flat_event *said)
{
    if (!(said->flags & FLAT_LOCK))
        return said->flags & FLAT_CAS && said->kind == FLAT_LOAD
                   ? (enum event_order)said->failure_order
                   : (enum event_order)said->order;
    switch (said->construct) {
    case C_UNLOCK:
    case C_POST:
        return ORDER_RELEASE;
    case C_LOCK_FAIL:
        return ORDER_RELAXED;
    default:
        return ORDER_ACQUIRE;
    }
}

static void compile_language(const struct flat_event *said, struct compiled *c)
{
    enum event_order order = order_of(said);
    uint32_t marks = marks_of_order(order);

    if (order_is_atomic(order) && said->kind != FLAT_FREE)
        marks |= MARK_ATOMIC;
    c->read = marks & ~(uint32_t)MARK_L;
    c->write = marks & ~(uint32_t)MARK_A;
}

static struct compiled compile(const struct encoding *x,
                               const struct flat_event *said, int why)
{
    struct compiled c = {.why = why};

    if (x->model->by_language)
        compile_language(said, &c);
    else if (x->statement->mapping)
        compile_mapped(x, said, &c);
    else
        compile_recipe(x, said, &c);
    return c;
}

/* ---- Points ---- */

static void add_point(struct walk *w, uint32_t event, uint32_t marks, int why,
                      int more)
{
    VEC_PUSH(w->out, {event, w->thread, marks, {why, more, 0}});
}

static void add_fence(struct walk *w, uint32_t event, uint32_t marks, int why,
                      int more)
{
    if (marks)
        add_point(w, event, MARK_F | marks, why, more);
}

/* fencer_fence_ss and the like have rows of their own. */
static uint32_t marks_of_kinds(const struct encoding *x, unsigned bits)
{
    static const uint8_t rows[] = {MAPPED_FENCE_SS, MAPPED_FENCE_SL,
                                   MAPPED_FENCE_LL, MAPPED_FENCE_LS,
                                   MAPPED_FENCE_FULL};
    uint32_t marks = 0;

    if (x->model->by_language)
        return marks_of_order(model_language_fence(bits));
    if (!x->statement->mapping)
        return marks_of_bits(bits);
    for (unsigned i = 0; i < sizeof rows; i++) {
        if (bits >> i & 1)
            marks |= x->statement->mapping->rows[rows[i]].before;
    }
    return marks;
}

static uint32_t marks_of_fence(const struct encoding *x,
                               const struct flat_event *e)
{
    enum event_order order = (enum event_order)e->order;

    if (e->fences)
        return marks_of_kinds(x, e->fences);
    if (x->model->by_language)
        return marks_of_order(order);
    if (!x->statement->mapping)
        return marks_of_bits(graph_fence_kinds(x, e));
    if (order <= ORDER_RELAXED)
        return 0;
    return x->statement->mapping
        ->rows[by_order(MAPPED_FENCE_ACQUIRE - 1, order)]
        .before;
}

static void walk_fence(struct walk *w, uint32_t event)
{
    struct encoding *x = w->x;
    const struct flat_event *e = &x->flat->events[event];
    int on = graph_fence_switch(x, e->site);

    if (!on || solver_value(x->solver, on))
        add_fence(w, event, marks_of_fence(x, e), x->accesses[event].live, on);
}

/* Fences that are only tried. */
static void optional_fences(struct walk *w, uint32_t event)
{
    struct encoding *x = w->x;

    for (size_t i = 0; i < x->options.fence_count; i++) {
        const struct encode_fence *f = &x->options.fences[i];

        if (!f->present && f->site == x->flat->events[event].site &&
            solver_value(x->solver, x->fence_lits[i]))
            add_fence(w, event, marks_of_kinds(x, f->kind),
                      x->accesses[event].live, x->fence_lits[i]);
    }
}

static uint32_t marks_of_half(const struct flat_event *e,
                              const struct compiled *c)
{
    uint32_t marks = e->flags & FLAT_ATOMIC ? MARK_ATOMIC : 0u;

    if (!(e->flags & FLAT_RMW))
        return marks;
    return marks | MARK_RMW | (c->pair ? MARK_X : MARK_AMO);
}

static void add_access(struct walk *w, uint32_t event, const struct compiled *c)
{
    const struct flat_event *e = &w->x->flat->events[event];
    bool loads = e->kind == FLAT_LOAD;

    add_point(w, event,
              marks_of_half(e, c) |
                  (loads ? MARK_R | c->read : MARK_W | c->write),
              w->x->accesses[event].live, c->why);
}

/* A load or store, alone or with its other half. */
static void walk_access(struct walk *w, uint32_t event)
{
    struct encoding *x = w->x;
    const struct flat *f = x->flat;
    uint32_t other = flat_other_half(f, event), said = event;
    struct compiled c;
    int why = 0;

    if (f->events[event].kind != FLAT_LOAD && other != LSL_NONE)
        return; /* came with its load */
    if (other != LSL_NONE) {
        bool both = graph_executed(x, other);

        said = both ? other : event;
        why = both ? x->accesses[other].live : -x->accesses[other].live;
    }
    c = compile(x, &f->events[said], why);
    add_fence(w, event, c.before, x->accesses[event].live, c.why);
    add_access(w, event, &c);
    if (said != event)
        add_access(w, said, &c);
    add_fence(w, said, c.after, x->accesses[event].live, c.why);
    optional_fences(w, said);
}

static void walk_event(struct walk *w, uint32_t event, bool meetings)
{
    struct encoding *x = w->x;
    int live = x->accesses[event].live;

    switch ((enum flat_kind)x->flat->events[event].kind) {
    case FLAT_LOAD:
    case FLAT_STORE:
    case FLAT_FREE:
        walk_access(w, event);
        return;
    case FLAT_FENCE:
        walk_fence(w, event);
        return;
    default:
        if (!meetings)
            return;
        /* Where there are barriers, one stands on either side. */
        add_fence(w, event, x->model->by_language ? 0u : MARK_FULL, live, 0);
        add_point(w, event, 0, live, 0);
        add_fence(w, event, x->model->by_language ? 0u : MARK_FULL, live, 0);
    }
}

void points_add_thread(struct encoding *x, uint32_t thread, bool meetings,
                       struct points *out)
{
    const struct flat_thread *t = &x->flat->threads[thread];
    struct walk w = {x, thread, out};

    for (uint32_t i = 0; i < t->count; i++) {
        if (graph_executed(x, t->first + i))
            walk_event(&w, t->first + i, meetings);
    }
}
