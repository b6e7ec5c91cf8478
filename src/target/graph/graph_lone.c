/* SPDX-License-Identifier: MIT
 *
 * The last thread: when all others have ended, what is left of it is no choice,
 * and needs no events.
 */
#include "graph/graph_search_inside.h"

static bool have_returned(const struct walk *w, const struct graph *g,
                          uint32_t threads)
{
    for (; threads; threads &= threads - 1) {
        unsigned t = (unsigned)__builtin_ctz(threads);

        if (g->created_by[t] != NONE && walk_next_op(w, g, t)->kind != OP_END)
            return false;
    }
    return true;
}

/* Have all others ended?  That the thread knows it is another matter.  Those
 * that nobody has seen end are asked first: this is done at every step. */
static bool is_left(const struct walk *w, const struct graph *g,
                    unsigned thread)
{
    uint32_t others =
        (uint32_t)((1ull << g->thread_count) - 1) & ~(1u << thread);

    return have_returned(w, g, others & ~g->ended) &&
           have_returned(w, g, others & g->ended);
}

/* What a join of the thread waits for.  To have read from it is not enough: its
 * stores may wait, and loads may be older. */
static row all_before_end(const struct graph *g, unsigned thread)
{
    row all = g->of_thread[thread];
    int e;

    ROW_EACH (e, g->of_thread[thread])
        all |= graph_done_before(g, e);
    return all;
}

static uint64_t lone_value(const struct walk *w, const struct graph *g,
                           const struct op *op)
{
    const struct lone_memory *m = w->lone;
    uint64_t parts[OP_PARTS_MAX];

    for (unsigned i = 0; i < op_parts(op); i++) {
        unsigned location = op->location + i;

        parts[i] = m->written[location] == m->round
                       ? m->values[location]
                       : walk_last_value(w, g, location);
    }
    return op_parts(op) > 1 ? behaviour_join(w->search->behaviour, op, parts)
                            : parts[0];
}

static void lone_write(const struct walk *w, const struct op *op,
                       uint64_t value)
{
    struct lone_memory *m = w->lone;
    uint64_t parts[OP_PARTS_MAX] = {value};

    if (op_parts(op) > 1)
        behaviour_split(w->search->behaviour, op, value, parts);
    for (unsigned i = 0; i < op_parts(op); i++) {
        m->written[op->location + i] = m->round;
        m->values[op->location + i] = parts[i];
    }
}

/* What the operation at `at` returns to a thread that is alone. */
static uint64_t lone_result(struct walk *w, const struct graph *g,
                            behaviour_node at)
{
    const struct op *op = behaviour_op(w->search->behaviour, at);
    struct effect effect;
    uint64_t old;

    if (op->kind == OP_JOIN)
        return walk_result_of(w, g, op);
    if (op->kind == OP_STORE || op->kind == OP_PUT)
        lone_write(w, op, op->operand);
    if (!op_reads(op))
        return 0;
    old = lone_value(w, g, op);
    effect = behaviour_effect(w->search->behaviour, at, old);
    if (op->kind != OP_LOAD && op->kind != OP_ATOMIC && effect.writes)
        lone_write(w, op, effect.written);
    return old;
}

/* ---- The joins ----
 *
 * Most programs end by joining all threads, and so does nearly every graph: a
 * chain of steps in the trie of which each waits for the one before.  So the
 * chain that was gone last is kept.  Whether it is the same again is asked of
 * all threads at once. */

/* The same joins again?  Then, where they lead to. */
static behaviour_node after_same_joins(const struct walk *w,
                                       const struct graph *g, behaviour_node at,
                                       row others)
{
    const struct lone_joins *j = &w->joins;
    bool same = j->from.ix == at.ix;

    for (unsigned i = 0; same && i < j->count; i++) {
        const struct op *join = j->joined[i].join;

        others &= ~g->of_thread[join->thread];
        same = walk_result_of(w, g, join) == j->joined[i].result;
    }
    return same && !row_any(others) ? j->to : (behaviour_node){0};
}

static void keep_joins(struct walk *w, const struct graph *g, behaviour_node at)
{
    struct behaviour *b = w->search->behaviour;
    struct lone_joins *j = &w->joins;

    j->from = at;
    j->count = 0;
    while (behaviour_op(b, at)->kind == OP_JOIN &&
           j->count < GRAPH_THREADS_MAX) {
        const struct op *join = behaviour_op(b, at);
        uint64_t result = walk_result_of(w, g, join);

        j->joined[j->count].join = join;
        j->joined[j->count++].result = result;
        at = behaviour_step(b, at, result);
    }
    j->to = at;
}

/* ---- All of it ---- */

/* From `at` to the end; `others`: what the thread has not waited for.  None: it
 * has a choice, or others follow, or it may not know all. */
static behaviour_node go_on_alone(struct walk *w, const struct graph *g,
                                  behaviour_node at, row others)
{
    struct behaviour *b = w->search->behaviour;

    w->lone->round++;
    for (;;) {
        const struct op *op = behaviour_op(b, at);

        if (op->kind == OP_JOIN)
            others &= ~all_before_end(g, op->thread);
        else if (row_any(others) || op->kind == OP_CREATE ||
                 op->kind == OP_CHOOSE)
            return (behaviour_node){0};
        if (op->kind >= OP_END)
            return at;
        at = behaviour_step(b, at, lone_result(w, g, at));
        if (w->search->stop)
            return (behaviour_node){0};
    }
}

static behaviour_node end_alone(struct walk *w, const struct graph *g,
                                unsigned thread)
{
    behaviour_node at = g->at[thread], joined;
    row others = row_below(g->count) & ~g->of_thread[thread];
    int join;

    ROW_EACH (join, g->joins & g->of_thread[thread])
        others &= ~graph_done_before(g, join);
    joined = after_same_joins(w, g, at, others);
    if (joined.ix)
        return go_on_alone(w, g, joined, row_none());
    at = go_on_alone(w, g, at, others);
    if (at.ix)
        keep_joins(w, g, g->at[thread]);
    return at;
}

bool walk_finish_alone(struct walk *w, const struct graph *g, unsigned thread)
{
    behaviour_node at;

    if (!w->search->lone || row_any(g->frees) || !is_left(w, g, thread))
        return false;
    at = end_alone(w, g, thread);
    if (!at.ix)
        return false;
    w->search->last_thread = (int)thread;
    w->last_at = at;
    return true;
}
