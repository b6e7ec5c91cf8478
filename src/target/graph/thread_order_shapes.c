/* SPDX-License-Identifier: MIT
 *
 * Ways of a thread that differ in values alone have one order: what a model
 * keeps does not look at values, but at what the operations are, where they
 * are, how they turned out and what they depend on.  That is their shape.  A
 * trie has a node for each value that was read, and few shapes.
 */
#include <string.h>

#include "graph/thread_order_inside.h"

/* How an operation turns out is a question only of those that may write. */
static uint32_t how_it_turned_out(const struct op *op, const struct effect *e)
{
    bool may_write =
        op->kind == OP_RMW || op->kind == OP_CAS || op->kind == OP_SYNC;

    return may_write ? (uint32_t)(e->construct << 5 | e->order << 2 |
                                  e->store_like << 1 | e->writes)
                     : e->writes;
}

/* ---- Nodes ---- */

uint32_t thread_orders_find(const struct thread_orders *o, behaviour_node node,
                            const struct effect *effect)
{
    uint32_t how = how_it_turned_out(behaviour_op(o->b, node), effect);
    uint32_t i = o->first[node.ix];

    while (i && o->known[i].how != how)
        i = o->known[i].next;
    return i ? o->known[i].step : 0;
}

static void know(struct thread_orders *o, behaviour_node node, uint32_t how,
                 uint32_t step)
{
    uint32_t i;

    if (o->known_count == STEPS_MAX) {
        o->full = true;
        return;
    }
    i = o->known_count++;
    o->known[i] = (struct known_step){
        .node = node, .how = how, .step = step, .next = o->first[node.ix]};
    o->first[node.ix] = i;
}

/* ---- Shapes ---- */

static struct step_shape shape_of(const struct thread_orders *o,
                                  behaviour_node node, uint32_t how,
                                  uint32_t parent)
{
    struct step_shape s;

    memset(&s, 0, sizeof s); /* all of it is compared */
    s.op = *behaviour_op(o->b, node);
    s.op.operand = s.op.expected = 0;
    s.op.skips = 0;
    s.how = how;
    s.parent = parent;
    if (!parent) {
        s.creator = o->b->entries[node.ix].creator;
        s.thread = behaviour_thread(o->b, node);
    }
    return s;
}

static uint32_t *chain_of(struct thread_orders *o, const struct step_shape *s)
{
    uint64_t word[sizeof *s / 8], h = 0;

    memcpy(word, s, sizeof word);
    for (unsigned i = 0; i < sizeof word / 8; i++)
        h = (h ^ word[i]) * 0x9e3779b97f4a7c15ull;
    return &o->shapes[h >> 32 & (STEP_SHAPES - 1)];
}

uint32_t thread_orders_add(struct thread_orders *o, behaviour_node node,
                           const struct effect *effect, uint32_t parent,
                           bool *is_new)
{
    uint32_t how = how_it_turned_out(behaviour_op(o->b, node), effect);
    struct step_shape shape = shape_of(o, node, how, parent);
    uint32_t *chain = chain_of(o, &shape), n = *chain;

    while (n && memcmp(&o->steps[n].shape, &shape, sizeof shape) != 0)
        n = o->steps[n].next;
    *is_new = !n;
    if (!n && o->step_count == STEPS_MAX) {
        o->full = true;
        *is_new = false;
        return 0;
    }
    if (!n) {
        n = o->step_count++;
        o->steps[n] = (struct kept_step){.shape = shape,
                                         .next = *chain,
                                         .node = node,
                                         .parent = parent,
                                         .read = -1,
                                         .write = -1};
        *chain = n;
    }
    know(o, node, how, n);
    return n;
}

void thread_orders_forget_steps(struct thread_orders *o)
{
    while (o->known_count > 1)
        o->first[o->known[--o->known_count].node.ix] = 0;
    while (o->step_count > 1)
        *chain_of(o, &o->steps[--o->step_count].shape) = 0;
    o->known_count = o->step_count = 1; /* 0 is none */
}
