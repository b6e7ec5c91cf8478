/* SPDX-License-Identifier: MIT
 *
 * Loads in parts, where loads return older values (docs/models.md).  To its
 * thread such a load is as old as each part that it returned, and not as the
 * moment at which it looked: a later load of that part comes after the store
 * that was seen there.  And if it took some parts, not all, from a store of its
 * own thread, that store was in memory by then, or all that the thread had done
 * comes before it.
 */
#include "axioms/axioms_inside.h"

static const struct flat_event *event_of(const struct judged *j, uint32_t event)
{
    return &j->flat->events[event];
}

static bool waits(const struct flat_event *e)
{
    return e->kind == FLAT_STORE && !(e->flags & (FLAT_RMW | FLAT_GHOST));
}

/* Does its access write nothing? */
static bool only_looks(const struct judged *j, uint32_t load)
{
    const struct flat_event *e = event_of(j, load);
    const struct flat_thread *t = &j->flat->threads[e->thread];

    if (!(e->flags & FLAT_RMW))
        return true;
    if (e->flags & FLAT_BLOCK)
        return false;
    for (uint32_t i = load; i < t->first + t->count; i++)
        if (event_of(j, i)->unit == e->unit && j->place[i] &&
            event_of(j, i)->kind == FLAT_STORE)
            return false;
    return true;
}

/* Does the later load get its part from a store of its thread that may wait,
 * and that is between the two, or that the other load has found, too?  Then it
 * need not have looked at memory for it. */
static bool is_hidden(const struct judged *j, uint32_t load, uint32_t later)
{
    uint32_t source = j->run.rf[later];

    return event_of(j, later)->parts && source != FLAT_INITIAL &&
           event_of(j, source)->thread == event_of(j, load)->thread &&
           waits(event_of(j, source)) &&
           (load < source || (j->run.rf[load] == source &&
                              !(event_of(j, load)->flags & FLAT_RMW)));
}

/* Is a later load of its place bound to what it has seen only, if to that? */
bool axioms_is_loose(const struct judged *j, uint32_t load, uint32_t later)
{
    const struct flat_event *x = event_of(j, load), *y = event_of(j, later);

    if (x->kind != FLAT_LOAD || y->kind != FLAT_LOAD)
        return false;
    return is_hidden(j, load, later) ||
           (only_looks(j, load) &&
            (x->parts || (x->flags & FLAT_RMW && y->parts)));
}

static bool stays_after(const struct judged *j, const struct flat_event *e)
{
    return !j->model->loads_move_down || e->flags & (FLAT_ATOMIC | FLAT_LOCK);
}

/* What the load has seen of others its thread's later loads see. */
static bool check_seen(struct judged *j, uint32_t load, struct err *e)
{
    const struct flat_event *x = event_of(j, load);
    const struct flat_thread *t = &j->flat->threads[x->thread];
    uint32_t source = j->run.rf[load];

    if (source == FLAT_INITIAL || event_of(j, source)->thread == x->thread ||
        !stays_after(j, x))
        return true;
    for (uint32_t i = load + 1; i < t->first + t->count; i++)
        if (j->place[i] && axioms_is_loose(j, load, i) &&
            !is_hidden(j, load, i) && stays_after(j, event_of(j, i)) &&
            axioms_same_memory(j, load, i) && j->place[i] < j->place[source])
            return err_set(e, "%s: it forgets what %s has seen",
                           axioms_words(j, i), axioms_words(j, load));
    return true;
}

/* ---- Own stores ---- */

/* Does every part of the load take its value from one store? */
static bool takes_all(const struct judged *j, uint32_t load, uint32_t store)
{
    uint32_t first = load - event_of(j, load)->part;
    uint32_t unit = event_of(j, store)->unit;

    for (uint32_t i = first; i < first + event_of(j, load)->parts; i++) {
        uint32_t source = j->run.rf[i];

        if (!j->place[i] || source == FLAT_INITIAL ||
            (source != store && (!unit || event_of(j, source)->unit != unit)))
            return false;
    }
    return true;
}

/* Did the store wait for it, which comes between the two in program order? */
static bool waited_for(const struct judged *j, uint32_t store, uint32_t event)
{
    const struct flat_event *e = event_of(j, event);

    if (!j->run.executed[event])
        return true;
    if (e->kind == FLAT_CREATE)
        return false;
    if (e->kind == FLAT_JOIN)
        return j->place[store] > j->meeting[event];
    return !j->place[event] || waits(e) || j->place[store] > j->place[event];
}

static bool check_torn(struct judged *j, uint32_t load, struct err *e)
{
    uint32_t store = j->run.rf[load];
    uint32_t first = load - event_of(j, load)->part;

    if (store == FLAT_INITIAL || !waits(event_of(j, store)) ||
        event_of(j, store)->thread != event_of(j, load)->thread ||
        j->place[store] < j->place[load] || takes_all(j, load, store))
        return true;
    for (uint32_t i = store + 1; i < first; i++)
        if (!waited_for(j, store, i))
            return err_set(e, "%s and %s: a part of a store that was to wait",
                           axioms_words(j, load), axioms_words(j, i));
    return true;
}

bool axioms_check_parts(struct judged *j, struct err *e)
{
    const struct model *m = j->model;
    bool machine = m->delays_stores && !m->loads_move_down;

    if (!m->reorders_loads)
        return true;
    for (uint32_t i = 0; i < j->flat->event_count; i++) {
        const struct flat_event *x = event_of(j, i);

        if (!j->place[i] || x->kind != FLAT_LOAD)
            continue;
        if (!check_seen(j, i, e))
            return false;
        if (machine && x->parts && !(x->flags & FLAT_RMW) &&
            !check_torn(j, i, e))
            return false;
    }
    return true;
}
