/* SPDX-License-Identifier: MIT
 *
 * Which thread is extended next.  Any choice is right; which is made decides
 * how much is blocked on the way.
 */
#include <string.h>

#include "graph/graph_search_inside.h"

/* Would the read that the thread is about to do block it? */
static inline bool blocks_now(struct walk *w, const struct graph *g,
                              unsigned thread)
{
    const struct op *op = walk_next_op(w, g, thread);

    if (op->cuts)
        return behaviour_op(w->search->behaviour, walk_after_last(w, g, thread))
                   ->kind == OP_BLOCK;
    return walk_blocks(w, g->at[thread], walk_last_value(w, g, op->location));
}

/* Does an equal thread wait at the same place, with a read that is claimed?
 * Then to go on is in vain, and this only saves it.  All that comes after the
 * thread's next event has that read in its prefix, so no write among it is what
 * the read waits for: another write deletes it all when the read goes on.
 * Where such a write revisits, the claim is kept, and will not go on: what was
 * revisited reads a younger write, which would have to be deleted (a mutex that
 * was taken first is settled), and only a write with that one in its prefix, so
 * with the claim, makes it read another.  What still waits at the end is no
 * execution. */
static bool twin_claims(const struct graph *g, unsigned thread)
{
    int twin = graph_twin_of(g, thread, row_count(g->of_thread[thread]));

    return twin != NONE && row_has(g->claims, twin);
}

/* May the thread, which exists, go on? */
ROW_INLINE bool is_enabled(struct walk *w, const struct graph *g,
                           unsigned thread)
{
    const struct op *op = walk_next_op(w, g, thread);

    if (g->has_twins && row_any(g->claims) && twin_claims(g, thread))
        return false;
    if (op->kind == OP_JOIN)
        return op->thread < g->thread_count &&
               g->created_by[op->thread] != NONE &&
               walk_next_op(w, g, op->thread)->kind == OP_END;
    if (op->locks)
        return !blocks_now(w, g, thread);
    return op->kind < OP_END;
}

bool walk_is_enabled(struct walk *w, const struct graph *g, unsigned thread)
{
    return g->created_by[thread] != NONE && !(g->ended >> thread & 1) &&
           is_enabled(w, g, thread);
}

/* ---- The choice ---- */

static uint64_t hash_places(const struct graph *g)
{
    uint64_t h = 1;

    for (unsigned t = 0; t < g->thread_count; t++)
        h = walk_mix(h, g->at[t].ix);
    return h;
}

static uint64_t hash_graph(const struct graph *g)
{
    uint64_t h = hash_places(g);

    for (int e = 0; e < g->count; e++)
        h = walk_mix(h, (uint64_t)(g->events[e].rf + 2) << 16 |
                            (uint64_t)g->events[e].thread << 8 |
                            (uint64_t)row_count(g->co_after[e]));
    return h;
}

static unsigned choose_number(struct walk *w, const struct graph *g,
                              unsigned count)
{
    switch (w->search->schedule) {
    case SCHEDULE_LAST:
        return count - 1;
    case SCHEDULE_PLACES:
        return (unsigned)(hash_places(g) % count);
    case SCHEDULE_GRAPH:
        return (unsigned)(hash_graph(g) % count);
    default:
        return 0;
    }
}

/* Threads that may go on; those that `later` tells of only if no other can. */
static unsigned gather(struct walk *w, const struct graph *g, unsigned *list,
                       bool (*later)(struct walk *, const struct graph *,
                                     unsigned))
{
    unsigned all = 0, kept = 0, enabled[GRAPH_THREADS_MAX];

    for (unsigned t = 0; t < g->thread_count; t++) {
        if (!walk_is_enabled(w, g, t))
            continue;
        enabled[all++] = t;
        if (!later || !later(w, g, t))
            list[kept++] = t;
    }
    if (kept)
        return kept;
    memcpy(list, enabled, all * sizeof *list);
    return all;
}

static inline bool would_block(struct walk *w, const struct graph *g,
                               unsigned thread)
{
    const struct op *op = walk_next_op(w, g, thread);

    if (!op_reads(op))
        return false;
    if (op->cuts)
        return walk_waits_at(w, walk_after_last(w, g, thread));
    return walk_waits(w, g->at[thread], walk_last_value(w, g, op->location));
}

static bool is_read_next(struct walk *w, const struct graph *g, unsigned thread)
{
    return op_reads(walk_next_op(w, g, thread));
}

#define LOOK_AHEAD 16

/* The thread is about to take a mutex: would it find, by what is last now, that
 * it has to wait for a condition? */
static inline bool would_sleep(struct walk *w, const struct graph *g,
                               unsigned thread)
{
    struct behaviour *b = w->search->behaviour;
    behaviour_node at = g->at[thread];

    if (!behaviour_op(b, at)->locks)
        return false;
    for (int i = 0; i < LOOK_AHEAD; i++) {
        const struct op *op = behaviour_op(b, at);

        if (i && op->expected && (op->kind == OP_CHOOSE || op->kind == OP_SYNC))
            return true;
        if (op->cuts || (i && op->kind != OP_LOAD))
            return false;
        at = behaviour_step(b, at, walk_last_value(w, g, op->location));
    }
    return false;
}

/* A join can wait, too: when all others have ended it is none. */
static inline bool is_deferred(struct walk *w, const struct graph *g,
                               unsigned thread)
{
    return walk_next_op(w, g, thread)->kind == OP_JOIN ||
           would_block(w, g, thread) || would_sleep(w, g, thread);
}

/* The first of these threads that may go on and would not block; *late: one
 * that would.  No other is asked: this is done at every step. */
ROW_INLINE int first_of(struct walk *w, struct graph *g, unsigned from,
                        unsigned to, int *late)
{
    uint32_t left = (uint32_t)((1ull << to) - (1ull << from)) & ~g->ended;

    for (; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctz(left);

        if (g->created_by[t] == NONE)
            continue;
        if (walk_next_op(w, g, t)->kind >= OP_END)
            g->ended |= 1u << t;
        else if (!is_enabled(w, g, t))
            continue;
        else if (!w->search->defers || !is_deferred(w, g, t))
            return (int)t;
        else if (*late == NONE)
            *late = (int)t;
    }
    return NONE;
}

static int first_enabled(struct walk *w, struct graph *g)
{
    int late = NONE, thread = first_of(w, g, 0, g->thread_count, &late);

    return thread != NONE ? thread : late;
}

/* The first from a random one on. */
static int random_enabled(struct walk *w, struct graph *g)
{
    unsigned start = (unsigned)(walk_random(w) % g->thread_count);
    int late = NONE, thread = first_of(w, g, start, g->thread_count, &late);

    if (thread == NONE)
        thread = first_of(w, g, 0, start, &late);
    return thread != NONE ? thread : late;
}

static int choose_thread(struct walk *w, struct graph *g)
{
    const struct graph_search *s = w->search;
    unsigned list[GRAPH_THREADS_MAX];
    unsigned count;

    if (s->schedule == SCHEDULE_FIRST)
        return first_enabled(w, g);
    if (s->schedule == SCHEDULE_RANDOM)
        return random_enabled(w, g);
    count = gather(w, g, list,
                   s->defers                        ? would_block
                   : s->schedule == SCHEDULE_WRITES ? is_read_next
                                                    : NULL);

    return count ? (int)list[choose_number(w, g, count)] : NONE;
}

/* Of equal threads that are at the same place the first goes on. */
int walk_choose_thread(struct walk *w, struct graph *g)
{
    int thread = choose_thread(w, g);

    return thread != NONE && g->has_twins
               ? (int)graph_first_twin(g, (unsigned)thread)
               : thread;
}
