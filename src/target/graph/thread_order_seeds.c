/* SPDX-License-Identifier: MIT
 *
 * Models with definitions of their own instead of terms: POWER.  What it keeps
 * in order within a thread depends on who reads what (rfi, rdw, detour in
 * src/shared/model/power.c), so a path does not say it.  But all of it grows
 * from what a path says: of each definition those alternatives that look at
 * nothing else.  Relations that nobody knows yet are taken for empty; since no
 * definition takes anything away, what is left is part of it in every
 * execution.
 *
 * What protects a store from being earlier than a load is such a part, too:
 * models.md 5.
 */
#include <string.h>

#include "event/must.h"
#include "graph/thread_order_inside.h"

static const char *const seed_names[SEED_COUNT] = {[SEED_II] = "ii",
                                                   [SEED_CI] = "ci",
                                                   [SEED_CC] = "cc",
                                                   [SEED_FENCES] = "fences",
                                                   [SEED_SYNC] = "sync"};

static uint8_t let_named(const struct relation_let *lets, const char *name)
{
    uint8_t i = 0;

    while (lets[i].name && strcmp(lets[i].name, name) != 0)
        i++;
    MUST(lets[i].name);
    return i;
}

void thread_orders_read_lets(struct thread_orders *o,
                             const struct model_axioms *a)
{
    size_t at;

    o->by_lets = a->lets && !a->ppo[0];
    o->lets = a->lets;
    if (!o->by_lets)
        return;
    for (unsigned i = 0; a->lets[i].name; i++)
        MUST(i < LETS_MAX &&
             relation_read(a->lets[i].text, a->lets, &o->let_trees[i], &at));
    for (int i = 0; i < SEED_COUNT; i++)
        o->seed_lets[i] = let_named(a->lets, seed_names[i]);
}

void find_seeds(const struct thread_orders *o, const struct path *p, int event,
                struct path_set seeds[SEED_COUNT])
{
    for (int i = 0; event >= 0 && i < SEED_COUNT; i++) {
        seeds[i] = path_before(o, p, &o->let_trees[o->seed_lets[i]], false,
                               (unsigned)event);
        path_drop(&seeds[i], (unsigned)event);
    }
}

/* (addr | data | ctrl;[W] | addr;po;[W] | po-loc;[W] | ctrl;[isb];po |
 * fences)+ */
void protect_event(struct thread_orders *o, struct path *p, unsigned event)
{
    struct path_event *e = p->events[event];
    struct path_set seeds[SEED_COUNT], all;
    unsigned i;

    if (!(e->marks & (MARK_R | MARK_W)))
        return; /* nothing is said of fences themselves */
    find_seeds(o, p, (int)event, seeds);
    all = seeds[SEED_II];
    path_unite(&all, &seeds[SEED_CI]);
    path_unite(&all, &seeds[SEED_FENCES]);
    if (e->marks & MARK_W)
        path_unite(&all, &seeds[SEED_CC]);
    e->closed = all;
    PATH_EACH(i, all, p->count)
    path_unite(&e->closed, &p->events[i]->closed);
    e->guarded = e->closed;
}
