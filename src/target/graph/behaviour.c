/* SPDX-License-Identifier: MIT
 *
 * The trie, as behaviour.h says.  Nodes never move: who holds an operation may
 * step meanwhile.
 */
#include "graph/behaviour.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "graph/rmw.h"

#define NODES_MAX (1u << 22)

struct node {
    struct op op;
    uint64_t value; /* that leads here from the parent */
    uint32_t parent, child, sibling;
    uint16_t thread;
};

struct behaviour {
    behaviour_runs run;
    void *context;
    uint32_t count;
    uint32_t roots[EVENT_THREADS_MAX];
    struct node nodes[NODES_MAX];
};

struct behaviour *behaviour_new(behaviour_runs run, void *context)
{
    struct behaviour *b =
        mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(b != MAP_FAILED);
    b->run = run;
    b->context = context;
    b->count = 1;
    return b;
}

void behaviour_free(struct behaviour *b)
{
    munmap(b, sizeof *b);
}

static uint32_t add_node(struct behaviour *b, unsigned thread, uint32_t parent,
                         uint64_t value)
{
    uint32_t n = b->count++;
    struct node *to = &b->nodes[n];

    MUST(n < NODES_MAX);
    to->thread = (uint16_t)thread;
    to->parent = parent;
    to->value = value;
    to->sibling = b->nodes[parent].child;
    if (parent)
        b->nodes[parent].child = n;
    b->run(b->context, b, (behaviour_node){n}, value, &to->op);
    return n;
}

behaviour_node behaviour_root(struct behaviour *b, unsigned thread)
{
    MUST(thread < EVENT_THREADS_MAX);
    if (!b->roots[thread])
        b->roots[thread] = add_node(b, thread, 0, 0);
    return (behaviour_node){b->roots[thread]};
}

behaviour_node behaviour_step(struct behaviour *b, behaviour_node node,
                              uint64_t value)
{
    const struct node *at = &b->nodes[node.ix];

    for (uint32_t n = at->child; n; n = b->nodes[n].sibling) {
        if (b->nodes[n].value == value)
            return (behaviour_node){n};
    }
    return (behaviour_node){add_node(b, at->thread, node.ix, value)};
}

const struct op *behaviour_op(const struct behaviour *b, behaviour_node node)
{
    return &b->nodes[node.ix].op;
}

unsigned behaviour_thread(const struct behaviour *b, behaviour_node node)
{
    return b->nodes[node.ix].thread;
}

behaviour_node behaviour_parent(const struct behaviour *b, behaviour_node node)
{
    return (behaviour_node){b->nodes[node.ix].parent};
}

bool op_writes(const struct op *op, uint64_t old, uint64_t *value)
{
    uint64_t memory[2] = {old, 0}, operand[2] = {op->operand, 0};

    *value = op->operand;
    if (op->kind == OP_CAS)
        return old == op->expected;
    if (op->kind != OP_RMW)
        return op->kind == OP_STORE;
    rmw_apply(op->rmw, op->size, memory, operand);
    *value = memory[0];
    return true;
}
