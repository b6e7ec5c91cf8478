/* SPDX-License-Identifier: MIT
 *
 * Threads that start and wait for one another.  Creating, starting, ending and
 * joining are no accesses and have no place in the memory order.  But each has
 * a lower limit there, the place of the last access that must precede it, and
 * the accesses that it must precede lie after that limit.
 *
 * Creating a thread waits for all that the creator did.  Joining waits for all
 * of the thread that ended, and, where models have machines, for own loads but
 * not for own stores, which may still be in a buffer.  What comes later in
 * program order is after both; only, where loads may return older values, a
 * load is not after a create.
 */
#include "axioms/axioms_inside.h"

#include "base/check.h"

/* Walking through a thread: the latest of what was passed, and the limits that
 * everything to come lies after. */
struct walk {
    uint32_t accesses; /* the latest of all accesses */
    uint32_t loads;    /* likewise, but without stores that may wait */
    uint32_t limit;    /* of everything to come */
    uint32_t created;  /* of all but loads that return older values */
};

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Has the model a machine whose stores wait? */
static bool stores_wait(const struct model *m)
{
    return m->delays_stores && !m->loads_move_down;
}

static bool may_be_older(const struct model *m, const struct flat_event *e)
{
    return stores_wait(m) && m->reorders_loads && e->kind == FLAT_LOAD &&
           !(e->flags & (FLAT_RMW | FLAT_GHOST));
}

static bool may_wait(const struct model *m, const struct flat_event *e)
{
    return stores_wait(m) && e->kind == FLAT_STORE &&
           !(e->flags & (FLAT_RMW | FLAT_GHOST));
}

static uint32_t exit_of(const struct flat *f, uint32_t thread)
{
    return f->threads[thread].first + f->threads[thread].count - 1;
}

/* The limit of a create, start, exit or join. */
static uint32_t place_of_node(const struct judged *j, uint32_t event,
                              const uint32_t *places, const struct walk *w)
{
    const struct flat *f = j->flat;
    const struct flat_event *e = &f->events[event];
    uint32_t all = later(later(w->accesses, w->limit), w->created);

    switch ((enum flat_kind)e->kind) {
    case FLAT_START:
        return f->threads[e->thread].create == LSL_NONE
                   ? 0
                   : places[f->threads[e->thread].create];
    case FLAT_JOIN:
        return later(places[exit_of(f, e->other)],
                     stores_wait(j->model)
                         ? later(later(w->loads, w->limit), w->created)
                         : all);
    default:
        return all;
    }
}

static void pass(const struct judged *j, uint32_t event, uint32_t *places,
                 struct walk *w)
{
    const struct flat_event *e = &j->flat->events[event];

    if (j->place[event]) {
        w->accesses = later(w->accesses, j->place[event]);
        if (!may_wait(j->model, e))
            w->loads = later(w->loads, j->place[event]);
        return;
    }
    if (e->kind != FLAT_START && e->kind != FLAT_JOIN &&
        e->kind != FLAT_CREATE && e->kind != FLAT_EXIT)
        return;
    places[event] = place_of_node(j, event, places, w);
    if (e->kind == FLAT_CREATE)
        w->created = later(w->created, places[event]);
    else
        w->limit = later(w->limit, places[event]);
}

static bool check_access(struct judged *j, uint32_t event, const struct walk *w,
                         struct err *e)
{
    uint32_t limit = w->limit;

    if (!j->place[event])
        return true;
    if (!may_be_older(j->model, &j->flat->events[event]))
        limit = later(limit, w->created);
    if (j->place[event] > limit)
        return true;
    return err_set(e,
                   "%s is not after what its thread was created or waited "
                   "for",
                   axioms_words(j, event));
}

/* One walk through all threads; places only grow.  With e NULL nothing is
 * checked. */
static bool walk_all(struct judged *j, uint32_t *places, struct err *e)
{
    const struct flat *f = j->flat;

    for (uint32_t t = 0; t < f->thread_count; t++) {
        struct walk w = {0, 0, 0, 0};

        for (uint32_t i = f->threads[t].first;
             i < f->threads[t].first + f->threads[t].count; i++) {
            if (!j->run.executed[i])
                continue;
            if (e && !check_access(j, i, &w, e))
                return false;
            uint32_t before = places[i];

            pass(j, i, places, &w);
            /* They only grow, and in the end nothing does any more. */
            CHECK(places[i] == before || (!e && places[i] > before));
        }
    }
    return true;
}

bool axioms_check_threads(struct judged *j, struct err *e)
{
    uint32_t *places =
        arena_array(&j->arena, j->flat->event_count + 1, sizeof *places);

    /* News travels one thread further in each round, there and back. */
    for (uint32_t i = 0; i < 2 * j->flat->thread_count; i++)
        walk_all(j, places, NULL);
    j->meeting = places;
    return walk_all(j, places, e);
}
