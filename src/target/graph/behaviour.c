/* SPDX-License-Identifier: MIT
 *
 * The trie, as behaviour.h says.
 */
#include "graph/behaviour.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "graph/rmw.h"
#include "model/model.h"

#define SIZE                                                                   \
    (sizeof(struct behaviour) +                                                \
     BEHAVIOUR_NODES_MAX * sizeof(struct behaviour_entry))

/* Memory for the nodes from n on, many at a time: to be asked for each page by
 * a fault takes longer than a small search.  If it fails, faults do it. */
#define AHEAD 2048u

static void prepare_nodes(struct behaviour *b, uint32_t n)
{
#ifdef MADV_POPULATE_WRITE
    uintptr_t from = (uintptr_t)&b->entries[n] & ~(uintptr_t)4095;

    if (n % AHEAD == 1)
        madvise((void *)from, AHEAD * sizeof *b->entries, MADV_POPULATE_WRITE);
#else
    (void)b;
    (void)n;
#endif
}

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

void behaviour_forget(struct behaviour *b)
{
    memset(b->entries, 0, b->count * sizeof *b->entries);
    memset(b->roots, 0, sizeof b->roots);
    memset(b->twins.beside, 0, sizeof b->twins.beside);
    depends_forget(&b->depends);
    b->twins.linked = b->twins.refuted = false;
    b->count = 1;
    b->full = b->waits = b->locks = false;
    if (b->wide_count)
        memset(b->wides, 0, sizeof b->wides);
    b->wide_count = 0;
}

bool behaviour_is_nearly_full(const struct behaviour *b)
{
    return b->count > BEHAVIOUR_NODES_MAX - BEHAVIOUR_NODES_MAX / 8 ||
           b->wide_count > BEHAVIOUR_WIDES / 4;
}

static uint32_t add_node(struct behaviour *b, unsigned thread, uint32_t parent,
                         uint64_t value, uint32_t creator)
{
    uint32_t n = b->count++;
    struct behaviour_entry *to = &b->entries[n];

    MUST(n < BEHAVIOUR_NODES_MAX && thread < EVENT_THREADS_MAX);
    prepare_nodes(b, n);
    to->thread = (uint16_t)thread;
    to->parent = parent;
    to->depth = parent ? (uint16_t)(b->entries[parent].depth + 1) : 0;
    to->value = value;
    to->creator = creator;
    if (b->count ==
        BEHAVIOUR_NODES_MAX) { /* the last is no child: many stand there */
        b->full = b->waits = true;
        b->count--;
        to->op = (struct op){.kind = OP_BLOCK};
        return n;
    }
    to->sibling = b->entries[parent].child;
    if (parent)
        b->entries[parent].child = n;
    b->run(b->context, b, (behaviour_node){n}, value, &to->op);
    b->waits = b->waits || to->op.kind == OP_BLOCK || to->op.locks;
    b->locks = b->locks || to->op.locks;
    if (parent)
        behaviour_look_at_twins(b, (behaviour_node){n});
    return n;
}

behaviour_node behaviour_root(struct behaviour *b, unsigned thread)
{
    MUST(thread < EVENT_THREADS_MAX);
    if (!b->roots[thread])
        b->roots[thread] = add_node(b, thread, 0, 0, 0);
    return (behaviour_node){b->roots[thread]};
}

behaviour_node behaviour_root_of(struct behaviour *b, behaviour_node node)
{
    struct behaviour_entry *e = &b->entries[node.ix];

    MUST(e->op.kind == OP_CREATE);
    if (!e->root)
        e->root = add_node(b, e->op.thread, 0, 0, node.ix);
    return (behaviour_node){e->root};
}

behaviour_node behaviour_step_slowly(struct behaviour *b, behaviour_node node,
                                     uint64_t value)
{
    uint32_t n = b->entries[node.ix].child;

    MUST(node.ix);
    while (n && b->entries[n].value != value)
        n = b->entries[n].sibling;
    if (!n)
        n = add_node(b, behaviour_thread(b, node), node.ix, value, 0);
    *behaviour_recent(b, node, value) = n;
    return (behaviour_node){n};
}

/* ---- Values of several parts ---- */

uint64_t behaviour_number(struct behaviour *b, const uint64_t word[2])
{
    uint64_t h = (word[0] ^ word[1] * 0xd6e8feb86659fd93ull);
    uint32_t i = (uint32_t)(h * 0x9e3779b97f4a7c15ull >> 48);

    while (b->wides[i].used && memcmp(b->wides[i].word, word, 16) != 0)
        i = (i + 1) % BEHAVIOUR_WIDES;
    if (b->wides[i].used)
        return i;
    b->wides[i].used = true;
    memcpy(b->wides[i].word, word, 16);
    if (++b->wide_count > BEHAVIOUR_WIDES / 2) {
        b->full = true;
        b->wides[i].used = false; /* there is always an empty place */
        b->wide_count--;
    }
    return i;
}

const uint64_t *behaviour_wide(const struct behaviour *b, uint64_t number)
{
    MUST(number < BEHAVIOUR_WIDES);
    return b->wides[number].word;
}

static void words_of(const struct behaviour *b, const struct op *op,
                     uint64_t value, uint64_t word[2])
{
    word[0] = op->size > 8 ? behaviour_wide(b, value)[0] : value;
    word[1] = op->size > 8 ? behaviour_wide(b, value)[1] : 0;
}

static uint64_t value_of(struct behaviour *b, const struct op *op,
                         const uint64_t word[2])
{
    return op->size > 8 ? behaviour_number(b, word) : word[0];
}

/* Where the part that begins at byte `from` ends. */
static unsigned end_of_part(const struct op *op, unsigned from)
{
    unsigned later = op->cuts & ~((2u << from) - 1);

    return later ? (unsigned)__builtin_ctz(later) : op->size;
}

void behaviour_split(const struct behaviour *b, const struct op *op,
                     uint64_t value, uint64_t *parts)
{
    uint64_t word[2];
    unsigned from = 0;

    words_of(b, op, value, word);
    for (unsigned i = 0; i < op_parts(op); i++) {
        unsigned end = end_of_part(op, from);

        parts[i] = 0;
        memcpy(&parts[i], (const char *)word + from, end - from);
        from = end;
    }
}

uint64_t behaviour_join(struct behaviour *b, const struct op *op,
                        const uint64_t *parts)
{
    uint64_t word[2] = {0, 0};
    unsigned from = 0;

    for (unsigned i = 0; i < op_parts(op); i++) {
        unsigned end = end_of_part(op, from);

        memcpy((char *)word + from, &parts[i], end - from);
        from = end;
    }
    return value_of(b, op, word);
}

/* ---- What operations write ---- */

static uint64_t written_by_rmw(struct behaviour *b, const struct op *op,
                               uint64_t old)
{
    uint64_t memory[2], operand[2];

    if (op->rmw == RMW_ADD && op->size <= 8) /* by far the most */
        return (old + op->operand) & ~0ull >> (64 - 8 * op->size);
    words_of(b, op, old, memory);
    words_of(b, op, op->operand, operand);
    rmw_apply(op->rmw, op->size, memory, operand);
    return value_of(b, op, memory);
}

static struct effect effect_of_rmw(struct behaviour *b, const struct op *op,
                                   uint64_t old)
{
    return (struct effect){.written = written_by_rmw(b, op, old),
                           .writes = 1,
                           .order = op->order,
                           .construct =
                               (uint8_t)model_construct_of(EV_RMW, op->order)};
}

/* A CAS of order seq_cst is a full fence, also when it fails (docs/models.md).
 */
static struct effect effect_of_cas(const struct op *op, uint64_t old)
{
    bool swaps = old == op->expected, full = op->order == ORDER_SEQ_CST;
    bool writes = swaps && !op->only_reads;
    enum event_order order = swaps ? op->order : op->failure_order;
    enum model_construct c = model_construct_of(
        writes || full ? EV_RMW : EV_CAS_FAIL, full ? ORDER_SEQ_CST : order);

    return (struct effect){.written = op->operand,
                           .writes = writes,
                           .order = (uint8_t)order,
                           .construct = (uint8_t)c};
}

/* A round of a spin loop that writes what it found, test-and-set, and goes
 * round once more: nobody can tell that from a load. */
static struct effect unless_in_vain(struct behaviour *b, behaviour_node node,
                                    uint64_t old, struct effect e)
{
    const struct op *next;

    if (!e.writes || e.written != old)
        return e;
    next = behaviour_op(b, behaviour_step(b, node, old));
    e.writes = next->kind != OP_BLOCK || !next->round;
    return e;
}

struct effect behaviour_effect(struct behaviour *b, behaviour_node node,
                               uint64_t old)
{
    const struct op *op = behaviour_op(b, node);

    switch (op->kind) {
    case OP_RMW:
        return unless_in_vain(b, node, old, effect_of_rmw(b, op, old));
    case OP_CAS:
        return unless_in_vain(b, node, old, effect_of_cas(op, old));
    case OP_SYNC:
        return b->entries[behaviour_step(b, node, old).ix].effect;
    default:
        return (struct effect){
            .order = op->order,
            .construct = (uint8_t)model_construct_of(EV_LOAD, op->order)};
    }
}
