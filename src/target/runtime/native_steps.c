/* SPDX-License-Identifier: MIT
 *
 * An execution as steps, which the machine of its model then takes
 * (event/channel.h).  Steps stand in the order in which they take effect; each
 * says which one its thread makes next, which is program order.
 */
#include "event/must.h"
#include "runtime/native_inside.h"
#include "runtime/native_tell.h"

#define STEPS_MAX (1u << 14)

static const struct op *op_at(behaviour_node node)
{
    return behaviour_op(native.trie, node);
}

static struct {
    struct witness_step *to;
    uint32_t count;
    uint32_t depth[STEPS_MAX]; /* how far its thread had come */
} steps;

static struct witness_step *put_step(unsigned thread, uint32_t depth,
                                     enum witness_kind kind)
{
    struct witness_step *s = &steps.to[steps.count];

    MUST(steps.count < STEPS_MAX);
    steps.depth[steps.count++] = depth;
    *s = (struct witness_step){.thread = (uint16_t)thread,
                               .kind = (uint8_t)kind,
                               .first = 1,
                               .next = WITNESS_NONE,
                               .chosen = WITNESS_NONE};
    return s;
}

/* The step of the same thread that comes next after `i`, among those from
 * `first` on. */
static uint32_t next_of_thread(uint32_t i, uint32_t first)
{
    uint32_t next = WITNESS_NONE;

    for (uint32_t k = first; k < steps.count; k++) {
        bool later = steps.depth[k] > steps.depth[i] ||
                     (steps.depth[k] == steps.depth[i] && k > i);

        if (steps.to[k].thread == steps.to[i].thread && later &&
            (next == WITNESS_NONE || steps.depth[k] < steps.depth[next]))
            next = k;
    }
    return next;
}

/* A store that nothing of its thread overtakes need not wait in the buffer: it
 * is issued at its turn. */
static void hurry_stores(void)
{
    for (uint32_t i = 0; i < steps.count; i++) {
        bool overtaken = false;

        for (uint32_t k = 0; k < i && !overtaken; k++)
            overtaken = steps.to[k].thread == steps.to[i].thread &&
                        steps.depth[k] > steps.depth[i];
        if (steps.to[i].kind == WITNESS_STORE && !overtaken)
            steps.to[i].kind = WITNESS_LATE;
    }
}

static void chain_steps(uint32_t first)
{
    for (uint32_t i = first; i < steps.count; i++) {
        uint32_t next = next_of_thread(i, first);

        steps.to[i].next = next;
        if (next != WITNESS_NONE)
            steps.to[next].first = 0;
    }
}

/* Is there room for one more list? */
static bool begin_list(void)
{
    uint64_t used = rt.channel->graph.step_count;

    if (used + STEPS_MAX + 1 > CHANNEL_STEPS_MAX)
        return false;
    steps.to = (struct witness_step *)((char *)rt.channel + CHANNEL_STEPS_AT);
    steps.to += used;
    steps.count = 0;
    return true;
}

static uint32_t depth_of(behaviour_node node)
{
    uint32_t depth = 0;

    for (; node.ix; node = behaviour_parent(native.trie, node))
        depth++;
    return depth;
}

/* Is there no step for the operation that led to `next`? */
static bool has_no_step(behaviour_node node, behaviour_node next)
{
    switch (op_at(node)->kind) {
    case OP_FENCE:
        return !op_at(node)->everybody;
    case OP_CHOOSE:
    case OP_FREE:
        return true;
    case OP_SYNC:
        return !native.trie->entries[next.ix].effect.happened;
    default:
        return false;
    }
}

/* Accesses of the thread since its last step that are no events. */
static uint32_t skips_before(behaviour_node node)
{
    uint32_t skips = op_at(node)->skips;
    behaviour_node before = behaviour_parent(native.trie, node);

    while (before.ix && has_no_step(before, node)) {
        skips += op_at(before)->skips;
        node = before;
        before = behaviour_parent(native.trie, node);
    }
    return skips;
}

/* A store that a full fence follows may as well be issued at its turn. */
static bool drains_next(const struct graph_place *p)
{
    const struct op *next = op_at(p->after);

    return next->fence & FENCE_FULL;
}

static enum witness_kind kind_of_store(enum model_construct c,
                                       const struct graph_place *p)
{
    struct model_recipe r = rt_recipe(c);

    if (!rt.model->delays_stores)
        return WITNESS_NOW;
    return (r.before | r.after) & FENCE_FULL || drains_next(p) ? WITNESS_LATE
                                                               : WITNESS_STORE;
}

static enum witness_kind kind_of_sync(const struct effect *e,
                                      const struct graph_place *p)
{
    struct model_recipe r = rt_recipe(e->construct);

    return e->store_like && !((r.before | r.after) & FENCE_FULL)
               ? kind_of_store(e->construct, p)
               : WITNESS_NOW;
}

static void put_sync(unsigned thread, const struct graph_place *p)
{
    struct effect e = behaviour_effect(native.trie, p->node, p->value);

    if (op_at(p->node)->why == NATIVE_TIMES_OUT && e.writes)
        put_step(thread, depth_of(p->node), WITNESS_WAKE);
    for (unsigned i = 0; i < e.happened; i++) {
        struct witness_step *s =
            put_step(thread, depth_of(p->node), kind_of_sync(&e, p));

        s->skips = i ? 0 : skips_before(p->node);
    }
}

/* Each access of an atomic block is a step of the machine; they come at once.
 */
static void put_block(unsigned thread, const struct graph_place *p)
{
    unsigned count = native.trie->entries[p->after.ix].effect.happened;

    for (unsigned i = 0; i < count; i++)
        put_step(thread, depth_of(p->node), WITNESS_NOW)->skips =
            i ? 0 : skips_before(p->node);
}

static enum witness_kind kind_of_access(const struct op *op,
                                        const struct graph_place *p)
{
    if (op->kind == OP_LOAD && !op->ghost)
        return WITNESS_LOAD;
    if (op->kind == OP_STORE && !op->ghost)
        return kind_of_store(model_construct_of(EV_STORE, op->order), p);
    return WITNESS_NOW;
}

static void put_create(behaviour_node node)
{
    unsigned made = op_at(node)->thread;

    put_step(behaviour_thread(native.trie, node), depth_of(node), WITNESS_FREE)
        ->chosen = made;
    put_step(made, 0, WITNESS_FREE); /* it starts */
}

/* Is that a thread that gives up a loop? */
static bool is_giving_up(const struct op *op)
{
    return op->kind == OP_CHOOSE && op->why == NATIVE_BOUND;
}

/* A thread that gave up after that read did many more, which read the same. */
static void put_fed(const struct graph_place *p, const struct graph_place *all,
                    size_t count)
{
    uint32_t fed;

    if (op_at(p->node)->kind > OP_CAS || !is_giving_up(op_at(p->after)))
        return;
    fed = native.trie->entries[behaviour_step(native.trie, p->after, 1).ix].fed;
    for (size_t i = 0; i < count; i++) {
        if (all[i].node.ix != p->after.ix || !all[i].value)
            continue;
        while (fed-- && steps.count < STEPS_MAX - 4 * GRAPH_PLACES_MAX)
            put_step(behaviour_thread(native.trie, p->node), depth_of(p->node),
                     kind_of_access(op_at(p->node), p));
    }
}

/* Accesses in between that are no events go with the next one that is. */
static void put_place(const struct graph_place *p)
{
    const struct op *op = op_at(p->node);
    unsigned thread = behaviour_thread(native.trie, p->node);
    uint32_t depth = depth_of(p->node);

    if (op->kind == OP_SYNC) {
        put_sync(thread, p);
    } else if (op->kind == OP_ATOMIC) {
        put_block(thread, p);
    } else if (op->kind < OP_SYNC) {
        put_step(thread, depth, kind_of_access(op, p))->skips =
            skips_before(p->node);
    } else if (op->kind == OP_FENCE && op->everybody) {
        put_step(thread, depth, WITNESS_EVERYBODY)->skips =
            skips_before(p->node);
    } else if (op->kind == OP_CREATE) {
        put_create(p->node);
    } else if (op->kind == OP_FREE && op->why == NATIVE_ENDS) {
        put_step(thread, depth, WITNESS_FREE);
    } else if (op->kind == OP_JOIN) {
        put_step(thread, depth,
                 op->why == NATIVE_IN_TIME ? WITNESS_ENDED : WITNESS_FREE)
            ->chosen = op->thread;
    } else if (op->kind == OP_CHOOSE && op->why == NATIVE_GIVES_UP &&
               p->value) {
        put_step(thread, depth, WITNESS_GIVEN_UP);
    }
}

/* Those that are no events. */
static void put_first_creates(void)
{
    behaviour_node node = behaviour_root(native.trie, 0);

    for (; op_at(node)->kind == OP_CREATE;
         node = behaviour_step(native.trie, node, 0))
        put_create(node);
}

/* Has it ended, with a step of its own for that? */
static bool has_ended(behaviour_node at)
{
    behaviour_node before = behaviour_parent(native.trie, at);

    return before.ix && op_at(before)->kind == OP_FREE &&
           op_at(before)->why == NATIVE_ENDS;
}

/* Who has returned ends: others may wait for that. */
static void put_exits(const struct graph_thread *threads, unsigned count)
{
    for (unsigned t = 1; t < count; t++)
        if (threads[t].made && op_at(threads[t].at)->kind == OP_END &&
            !has_ended(threads[t].at))
            put_step(t, depth_of(threads[t].at), WITNESS_EXIT);
}

/* They have no turn, and come last. */
static void put_choices(const struct graph_place *places, size_t count)
{
    for (uint32_t i = 0; i < native.lone_count; i++)
        put_step(0, 0, WITNESS_CHOICE)->chosen = native.lone[i].chosen;
    for (size_t i = 0; i < count; i++)
        if (op_at(places[i].node)->kind == OP_CHOOSE &&
            op_at(places[i].node)->why != NATIVE_TIMES_OUT &&
            op_at(places[i].node)->why != NATIVE_GIVES_UP &&
            !is_giving_up(op_at(places[i].node)))
            put_step(behaviour_thread(native.trie, places[i].node),
                     depth_of(places[i].node), WITNESS_CHOICE)
                ->chosen = (uint32_t)places[i].value;
}

static void put_steps(const struct graph_place *places, size_t count,
                      const struct graph_thread *threads, unsigned thread_count)
{
    uint32_t choices;

    MUST(count <= GRAPH_PLACES_MAX);
    put_first_creates();
    for (size_t i = 0; i < count; i++) {
        put_place(&places[i]);
        put_fed(&places[i], places, count);
    }
    put_exits(threads, thread_count);
    hurry_stores();
    chain_steps(0);
    choices = steps.count;
    put_choices(places, count);
    chain_steps(choices);
}

void native_put_steps(const struct graph_place *places, size_t count,
                      const struct graph_thread *threads, unsigned thread_count)
{
    rt.channel->graph.step_count = 0;
    MUST(begin_list());
    put_steps(places, count, threads, thread_count);
    rt.channel->graph.step_count = steps.count;
}

bool native_add_steps(const struct graph_place *places, size_t count,
                      const struct graph_thread *threads, unsigned thread_count,
                      bool fails)
{
    struct witness_step *head;

    if (!begin_list())
        return false;
    head = steps.to++;
    put_steps(places, count, threads, thread_count);
    *head = (struct witness_step){
        .kind = WITNESS_LIST, .next = steps.count, .chosen = fails};
    rt.channel->graph.step_count += 1 + steps.count;
    return true;
}
