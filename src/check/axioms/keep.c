/* SPDX-License-Identifier: MIT
 *
 * What a model keeps of program order (docs/models.md), pair by pair.
 *
 * A thread is a row of nodes, each an access alone or a unit, with fences
 * between them: those of the program, and those of each node's recipe before
 * and after it.
 */
#include "axioms/axioms_inside.h"

#include "base/check.h"

/* An access as the models order it. */
struct role {
    bool loads, writes, rmw, ghost, atomic;
    bool only_writes; /* in a block */
};

static bool is_rmw_construct(uint8_t c)
{
    return c >= C_RMW_RELAXED && c <= C_RMW_SEQ_CST;
}

/* A ghost is like a load, whatever it does.  Where there is a machine, what is
 * in an atomic block is treated as by an RMW of its address. */
static struct role role_of(const struct judged *j, uint32_t event)
{
    const struct flat_event *e = &j->flat->events[event];
    bool ghost = e->flags & FLAT_GHOST;
    bool rmw = (e->flags & FLAT_RMW) && !ghost;
    bool both =
        rmw && is_rmw_construct(e->construct) && !j->model->loads_move_down;

    return (struct role){
        .loads = e->kind == FLAT_LOAD || both || ghost,
        .writes = !ghost && (e->kind != FLAT_LOAD || both),
        .rmw = rmw,
        .ghost = ghost,
        .atomic = e->flags & (FLAT_ATOMIC | FLAT_LOCK),
        .only_writes = both && e->kind != FLAT_LOAD,
    };
}

/* The fences that would keep these two in order.  A ghost waits for no store
 * but at a full one. */
static unsigned fences_for(struct role x, struct role y)
{
    return FENCE_FULL | (x.loads && y.loads ? FENCE_LL : 0u) |
           (x.loads && y.writes ? FENCE_LS : 0u) |
           (x.writes && y.loads && !y.ghost ? FENCE_SL : 0u) |
           (x.writes && y.writes ? FENCE_SS : 0u);
}

/* The rules that the machines of TSO, PSO and PSLO obey. */
static bool machine_keeps(const struct model *m, struct role x, struct role y,
                          bool same, bool loose)
{
    if (x.loads && (y.writes || y.rmw))
        return true;
    if (x.writes && y.rmw && (same || m->rmw_drains_all))
        return true;
    if (x.writes && y.writes && !m->reorders_stores)
        return true;
    /* What a block wrote a later load of that address sees, wherever it is. */
    return x.loads && y.loads &&
           ((same && !x.only_writes && !loose) || !m->reorders_loads);
}

static bool keeps(const struct judged *j, uint32_t a, uint32_t b,
                  unsigned between)
{
    const struct model *m = j->model;
    struct role x = role_of(j, a), y = role_of(j, b);
    bool same = axioms_same_memory(j, a, b);
    bool loose = axioms_is_loose(j, a, b);

    if (!m->delays_stores || (between & fences_for(x, y)))
        return true;
    if (y.ghost && x.loads)
        return true;
    if (same && y.writes)
        return true;
    if (!m->loads_move_down)
        return machine_keeps(m, x, y, same, loose);
    return same && x.loads && y.loads && x.atomic && y.atomic && !loose;
}

/* ---- A thread ---- */

/* The recipe of a node that ends with that event: what its stores are, or if
 * it has none, what its loads are. */
static struct model_recipe recipe_of(const struct judged *j, uint32_t first,
                                     uint32_t last)
{
    struct model_recipe loads = {0, 0}, stores = {0, 0};
    bool wrote = false;

    for (uint32_t i = first; i <= last; i++) {
        const struct flat_event *e = &j->flat->events[i];
        struct model_recipe *to = e->kind == FLAT_LOAD ? &loads : &stores;

        if (!j->place[i] || e->kind == FLAT_FREE)
            continue;
        wrote |= e->kind == FLAT_STORE;
        to->before |= j->model->recipe[e->construct].before;
        to->after |= j->model->recipe[e->construct].after;
    }
    return wrote ? stores : loads;
}

/* The last event of the thread that is in the same unit. */
static uint32_t last_of_unit(const struct flat *f, uint32_t event)
{
    const struct flat_event *e = &f->events[event];
    const struct flat_thread *t = &f->threads[e->thread];
    uint32_t last = event;

    for (uint32_t i = event; e->unit && i < t->first + t->count; i++)
        if (f->events[i].unit == e->unit)
            last = i;
    CHECK(f->events[last].thread == e->thread);
    return last;
}

/* Bits of a fence in the program. */
static unsigned fence_bits(const struct judged *j, uint32_t event)
{
    const struct flat_event *e = &j->flat->events[event];
    const struct model_recipe *r = &j->model->recipe[e->construct];

    return e->fences ? e->fences : (unsigned)(r->before | r->after);
}

/* Nodes and fences of one thread, in program order. */
struct item {
    uint32_t first, last; /* a node's events */
    bool is_fence;
    unsigned before, after; /* a fence has only `before` */
};

static uint32_t list_items(const struct judged *j, const struct flat_thread *t,
                           struct item *items)
{
    uint32_t count = 0;

    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        const struct flat_event *e = &j->flat->events[i];

        if (!j->run.executed[i])
            continue;
        if (e->kind == FLAT_FENCE) {
            items[count++] = (struct item){i, i, true, fence_bits(j, i), 0};
        } else if (j->place[i]) {
            uint32_t last = last_of_unit(j->flat, i);
            struct model_recipe r = recipe_of(j, i, last);

            CHECK(count < t->count && last >= i);
            items[count++] = (struct item){i, last, false, r.before, r.after};
            i = last;
        }
    }
    return count;
}

static bool check_pair(struct judged *j, uint32_t a, uint32_t b,
                       unsigned between, struct err *e)
{
    if (!j->place[a] || !j->place[b] || j->place[a] < j->place[b] ||
        !keeps(j, a, b, between))
        return true;
    return err_set(e, "%s and %s: %s keeps them in program order",
                   axioms_words(j, a), axioms_words(j, b), j->model->name);
}

static bool check_nodes(struct judged *j, const struct item *x,
                        const struct item *y, unsigned between, struct err *e)
{
    for (uint32_t a = x->first; a <= x->last; a++)
        for (uint32_t b = y->first; b <= y->last; b++)
            if (!check_pair(j, a, b, between, e))
                return false;
    return true;
}

static bool check_thread(struct judged *j, const struct flat_thread *t,
                         struct err *e)
{
    struct item *items = arena_array(&j->arena, t->count + 1, sizeof *items);
    uint32_t count = list_items(j, t, items);

    for (uint32_t k = 0; k < count; k++) {
        unsigned between = items[k].before;

        for (uint32_t i = k; !items[k].is_fence && i-- > 0;) {
            if (!items[i].is_fence && !check_nodes(j, &items[i], &items[k],
                                                   between | items[i].after, e))
                return false;
            between |= items[i].before | items[i].after;
        }
    }
    return true;
}

bool axioms_check_kept(struct judged *j, struct err *e)
{
    for (uint32_t t = 0; t < j->flat->thread_count; t++)
        if (!check_thread(j, &j->flat->threads[t], e))
            return false;
    return true;
}
