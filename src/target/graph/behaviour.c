/* SPDX-License-Identifier: MIT
 *
 * The trie, as behaviour.h says.
 */
#include "graph/behaviour.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "graph/rmw.h"

#define NODES_MAX (1u << 22)

#define SIZE                                                                   \
    (sizeof(struct behaviour) + NODES_MAX * sizeof(struct behaviour_entry))

struct behaviour *behaviour_new(behaviour_runs run, void *context)
{
    struct behaviour *b =
        mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(b != MAP_FAILED);
    b->run = run;
    b->context = context;
    b->count = 1;
    return b;
}

void behaviour_free(struct behaviour *b)
{
    munmap(b, SIZE);
}

static uint32_t add_node(struct behaviour *b, unsigned thread, uint32_t parent,
                         uint64_t value)
{
    uint32_t n = b->count++;
    struct behaviour_entry *to = &b->entries[n];

    MUST(n < NODES_MAX);
    to->thread = (uint16_t)thread;
    to->parent = parent;
    to->value = value;
    to->sibling = b->entries[parent].child;
    if (parent)
        b->entries[parent].child = n;
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

behaviour_node behaviour_run(struct behaviour *b, behaviour_node parent,
                             uint64_t value)
{
    unsigned thread = behaviour_thread(b, parent);

    return (behaviour_node){add_node(b, thread, parent.ix, value)};
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
