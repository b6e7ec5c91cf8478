/* SPDX-License-Identifier: MIT
 *
 * The last thread: when all others have ended, what is left of it is no choice,
 * and needs no events.
 */
#include <string.h>

#include "graph/graph_search_inside.h"

/* Memory as it is when a thread is alone: what is last in co, and what it wrote
 * since. */
struct lone_memory {
    bool known[GRAPH_LOCATIONS_MAX];
    uint64_t values[GRAPH_LOCATIONS_MAX];
};

/* Have all others ended?  That the thread knows it is another matter. */
static bool is_left(const struct walk *w, const struct graph *g,
                    unsigned thread)
{
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (t != thread && g->created_by[t] != NONE &&
            walk_next_op(w, g, t)->kind != OP_END)
            return false;
    }
    return true;
}

/* What a join of the thread waits for.  To have read from it is not enough: its
 * stores may wait, and loads may be older. */
static row all_before_end(const struct graph *g, unsigned thread)
{
    row all = g->of_thread[thread];
    int e;

    ROW_EACH (e, g->of_thread[thread])
        all |= g->before[e];
    return all;
}

static uint64_t lone_value(const struct walk *w, const struct graph *g,
                           const struct lone_memory *m, const struct op *op)
{
    uint64_t parts[OP_PARTS_MAX];

    for (unsigned i = 0; i < op_parts(op); i++) {
        unsigned location = op->location + i;

        parts[i] = m->known[location] ? m->values[location]
                                      : walk_last_value(w, g, location);
    }
    return op_parts(op) > 1 ? behaviour_join(w->search->behaviour, op, parts)
                            : parts[0];
}

static void lone_write(const struct walk *w, struct lone_memory *m,
                       const struct op *op, uint64_t value)
{
    uint64_t parts[OP_PARTS_MAX] = {value};

    if (op_parts(op) > 1)
        behaviour_split(w->search->behaviour, op, value, parts);
    for (unsigned i = 0; i < op_parts(op); i++) {
        m->known[op->location + i] = true;
        m->values[op->location + i] = parts[i];
    }
}

/* What the operation at `at` returns to a thread that is alone. */
static uint64_t lone_result(struct walk *w, const struct graph *g,
                            struct lone_memory *m, behaviour_node at)
{
    const struct op *op = behaviour_op(w->search->behaviour, at);
    struct effect effect;
    uint64_t old;

    if (op->kind == OP_JOIN)
        return walk_result_of(w, g, op->thread);
    if (op->kind == OP_STORE || op->kind == OP_PUT)
        lone_write(w, m, op, op->operand);
    if (!op_reads(op))
        return 0;
    old = lone_value(w, g, m, op);
    effect = behaviour_effect(w->search->behaviour, at, old);
    if (op->kind != OP_LOAD && op->kind != OP_ATOMIC && effect.writes)
        lone_write(w, m, op, effect.written);
    return old;
}

bool walk_finish_alone(struct walk *w, const struct graph *g, unsigned thread)
{
    struct behaviour *b = w->search->behaviour;
    struct lone_memory memory;
    behaviour_node at = g->at[thread];
    row others = row_below(g->count) & ~g->of_thread[thread];
    int join;

    if (!w->search->lone || row_any(g->frees) || !is_left(w, g, thread))
        return false;
    ROW_EACH (join, g->joins & g->of_thread[thread])
        others &= ~g->before[join];
    memset(memory.known, 0, sizeof memory.known);
    for (;;) {
        const struct op *op = behaviour_op(b, at);

        if (op->kind == OP_JOIN)
            others &= ~all_before_end(g, op->thread);
        else if (row_any(others) || op->kind == OP_CREATE ||
                 op->kind == OP_CHOOSE)
            return false;
        if (op->kind >= OP_END)
            break;
        at = behaviour_step(b, at, lone_result(w, g, &memory, at));
        if (w->search->stop)
            return false;
    }
    w->search->last_thread = (int)thread;
    w->last_at = at;
    return true;
}
