/* SPDX-License-Identifier: MIT
 *
 * Data races on SC (--races): two accesses that conflict, not both atomic or
 * volatile, with nothing between them in the order of an execution, so that
 * they could be done at the same time.  An engine names two places in the
 * source; of a search over graphs the two are looked for in the trace of the
 * execution that was brought about.
 */
#include <string.h>

#include "verify/verify_inside.h"

/* ---- Two places ---- */

/* The same words, whichever threads it was. */
static bool same_error(const char *x, const char *y)
{
    static const char mark[] = " in T", digits[] = "0123456789";
    size_t n = strlen(mark);

    while (*x && *x == *y) {
        bool thread = strncmp(x, mark, n) == 0 && strncmp(y, mark, n) == 0;

        x += thread ? n + strspn(x + n, digits) : 1;
        y += thread ? n + strspn(y + n, digits) : 1;
    }
    return *x == *y;
}

static const char *race_words(const struct verify *v, const struct sc_race *r)
{
    const struct fencer_site *a = &v->o->tables->sites[r->sites[0]];
    const struct fencer_site *b = &v->o->tables->sites[r->sites[1]];

    return arena_printf(
        v->arena, "data race: %s at %s:%u in T%u and %s at %s:%u in T%u",
        *a->name ? a->name : "memory", a->file, a->line, r->threads[0],
        *b->name ? b->name : "memory", b->file, b->line, r->threads[1]);
}

bool race_is_shown(const struct verify *v, const struct sc_race *r)
{
    const char *error = race_words(v, r);

    for (size_t i = 0; i < v->r->shown_count; i++) {
        if (v->r->shown[i]->error && same_error(v->r->shown[i]->error, error))
            return true;
    }
    return false;
}

bool race_add(struct verify *v, const struct shown *shown,
              const struct sc_race *r, struct err *e)
{
    struct shown *race = arena_alloc(v->arena, sizeof(*race));

    *race = *shown;
    race->class = CLASS_SC;
    race->error = race_words(v, r);
    return shown_add(v, race, e);
}

/* ---- In a trace ---- */

static bool is_access(const struct event *e)
{
    return e->size && e->object && !(e->flags & EVF_GHOST) &&
           (e->kind == EV_LOAD || e->kind == EV_STORE || e->kind == EV_RMW ||
            e->kind == EV_CAS_FAIL);
}

static bool is_plain(const struct event *e)
{
    return (e->kind == EV_LOAD || e->kind == EV_STORE) &&
           (e->flags & EVF_ORDER) == ORDER_PLAIN;
}

/* Objects of the thread library have a size of their own. */
static bool overlap(const struct event *x, const struct event *y)
{
    if (!x->object || x->object != y->object)
        return false;
    return !x->size || !y->size ||
           (x->offset < y->offset + y->size && y->offset < x->offset + x->size);
}

static bool conflict(const struct event *x, const struct event *y)
{
    return overlap(x, y) && (event_writes(x) || event_writes(y));
}

/* Does the order of the execution put x, which came first, before y?  That a
 * thread waits is no step: its read was. */
static bool leads_to(const struct event *x, const struct event *y)
{
    if (x->kind == EV_AWAIT || y->kind == EV_AWAIT)
        return false;
    return x->thread == y->thread || conflict(x, y) ||
           (x->kind == EV_CREATE && x->value == y->thread) ||
           (y->kind == EV_JOIN && y->value == x->thread);
}

static bool is_after_one(const struct trace *t, const bool *after, size_t from,
                         size_t y)
{
    for (size_t x = from; x < y; x++) {
        if (after[x] && leads_to(&t->events[x], &t->events[y]))
            return true;
    }
    return false;
}

/* The first access of that site after x that races with it; event_count: none
 * does.  `after` is for notes. */
static size_t race_with(const struct trace *t, size_t x, uint32_t site,
                        bool *after)
{
    const struct event *e = t->events;

    memset(after, 0, t->event_count * sizeof(*after));
    for (size_t y = x + 1; y < t->event_count; y++) {
        bool between = is_after_one(t, after, x + 1, y);

        if (!between && e[y].site == site && e[y].thread != e[x].thread &&
            is_access(&e[y]) && conflict(&e[x], &e[y]) &&
            (is_plain(&e[x]) || is_plain(&e[y])))
            return y;
        after[y] = between || leads_to(&e[x], &e[y]);
    }
    return t->event_count;
}

bool race_find(const struct trace *t, struct sc_race *r)
{
    struct arena scratch = ARENA_INIT;
    bool *after = arena_array(&scratch, t->event_count + 1, sizeof(*after));
    bool found = false;

    for (size_t x = 0; x < t->event_count && !found; x++) {
        size_t y;

        if (t->events[x].site != r->sites[0] || !is_access(&t->events[x]))
            continue;
        y = race_with(t, x, r->sites[1], after);
        found = y < t->event_count;
        if (!found)
            continue;
        r->threads[0] = t->events[x].thread;
        r->threads[1] = t->events[y].thread;
    }
    arena_free(&scratch);
    return found;
}
