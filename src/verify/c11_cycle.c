/* SPDX-License-Identifier: MIT
 *
 * What makes an execution of C11 none of SC's: a cycle, and the pairs of it
 * that nothing keeps in order.
 */
#include <string.h>

#include "predict/language.h"
#include "verify/c11_execution.h"

/* One step of a cycle: from an event to another. */
static bool is_step(const struct execution *x, size_t a, size_t b)
{
    int ra = x->read_of[a], wa = x->write_of[a];
    int rb = x->read_of[b], wb = x->write_of[b];

    if (wa >= 0 && rb >= 0 &&
        square_has(&x->all, x->rf, (size_t)wa, (size_t)rb))
        return true;
    if (wa >= 0 && wb >= 0 &&
        square_has(&x->all, x->co, (size_t)wa, (size_t)wb))
        return true;
    return ra >= 0 && wb >= 0 && a != b &&
           square_has(&x->all, x->fr, (size_t)ra, (size_t)wb);
}

static bool is_before(const struct execution *x, size_t a, size_t b)
{
    return square_has(&x->all, x->sequence, (size_t)x->node_of[a],
                      (size_t)x->node_of[b]);
}

static bool is_edge(const struct execution *x, size_t a, size_t b)
{
    return is_access(&x->t->events[a]) && is_access(&x->t->events[b]) &&
           (is_before(x, a, b) || is_step(x, a, b));
}

/* The shortest way from `start` back to it, by breadth first; how long.  Goes
 * into `way`; 0: there is none. */
static uint32_t way_back(struct execution *x, size_t start, uint32_t *way)
{
    size_t n = x->t->event_count, first = 0, last = 0;
    uint32_t *from = arena_array(&x->all.arena, n + 1, sizeof(*from));
    uint32_t *queue = arena_array(&x->all.arena, n + 1, sizeof(*queue));
    uint32_t length = 0;

    queue[last++] = (uint32_t)start;
    while (first < last && !from[start]) {
        uint32_t at = queue[first++];

        for (size_t b = 0; b < n; b++) {
            if (from[b] || !is_edge(x, at, b))
                continue;
            from[b] = at + 1;
            if (b != start)
                queue[last++] = (uint32_t)b;
        }
    }
    if (!from[start])
        return 0;
    for (uint32_t at = from[start] - 1; at != start; at = from[at] - 1)
        way[length++] = at;
    way[length++] = (uint32_t)start;
    return length;
}

static void tell_cycle(const struct execution *x, const uint32_t *way,
                       uint32_t length, struct shown_cycle *c)
{
    uint32_t first = 0; /* a pair in program order is told together */

    while (first + 1 < length &&
           !is_before(x, way[length - 1 - first], way[length - 2 - first]))
        first++;
    *c = (struct shown_cycle){.length = length};
    for (uint32_t i = 0; i < length; i++)
        c->events[i] = way[length - 1 - (i + first) % length];
    for (uint32_t i = 0; i < length; i++) {
        uint32_t a = c->events[i], b = c->events[(i + 1) % length];

        if (!is_before(x, a, b))
            continue;
        c->pairs[i] = GOAL_FIRST;
        c->pairs[(i + 1) % length] = GOAL_SECOND;
        if (!language_keeps(x->t, a, b))
            c->reordered |= 1u << i;
    }
}

bool c11_cycle(const struct trace *t, struct shown_cycle *c)
{
    struct execution x;
    struct err e;
    uint32_t *way, best = GOAL_NODES_MAX + 1;

    memset(c, 0, sizeof(*c));
    if (!c11_begin(&x, t, &e)) {
        arena_free(&x.all.arena);
        return false;
    }
    way = arena_array(&x.all.arena, t->event_count + 1, sizeof(*way));
    for (size_t i = 0; i < t->event_count; i++) {
        uint32_t length = way_back(&x, i, way);

        if (!length || length >= best)
            continue;
        best = length;
        tell_cycle(&x, way, length, c);
    }
    arena_free(&x.all.arena);
    return best <= GOAL_NODES_MAX;
}
