/* SPDX-License-Identifier: MIT
 *
 * Running one thread up to its next operation.
 *
 * A thread that stands where the search wants it goes on from there.  Else the
 * program begins anew: the first thread runs up to the creation of the wanted
 * one, or of its creator, ..., each with the values that lead to its node in
 * the trie.  No other thread need run.  What is announced on the way must be
 * what the trie has: else the program does not do the same for the same values,
 * and nothing can be said about it.
 */
#include "runtime/native.h"

#include <string.h>

#include "event/must.h"
#include "runtime/driver.h"
#include "runtime/fiber.h"
#include "runtime/footprint.h"
#include "runtime/native_inside.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"
#include "schedule/rng.h"

#define PATH_MAX_NODES 4096

struct native native;

/* ---- In the thread ---- */

void native_give_up(const char *why, uint32_t site)
{
    const struct fencer_site *s = rt_site(site);

    if (native.refused)
        return;
    native.refused = true;
    if (s->line)
        rt_print(native.why, sizeof native.why, "%s (%s:%u)", why, s->file,
                 s->line);
    else
        rt_print(native.why, sizeof native.why, "%s", why);
}

void native_refuse(const char *why, uint32_t site)
{
    native_give_up(why, site);
    native.op = (struct op){.kind = OP_BLOCK, .why = NATIVE_CUT};
    fiber_leave();
}

/* What the thread touched since its last operation, without saying so. */
static void look_at_footprint(uint32_t site)
{
    struct footprint *f = rt.view.footprint;
    const struct native_thread *n = native_self();

    if (f->all)
        native_refuse("a library call whose effects are not known", site);
    if (f->count)
        native_leaves_trace();
    for (uint32_t i = 0; i < f->count; i++) {
        const struct touch *t = &f->touch[i];

        if (t->address >= (uint64_t)n->object &&
            t->address + t->size <= (uint64_t)n->object + n->object_size)
            continue;
        if (!native_touch(t->address, t->size))
            native_refuse("a library call on memory that threads share", site);
    }
    *f = (struct footprint){.count = 0};
}

const struct native_event *native_event_ago(const struct native_thread *n,
                                            uint32_t ago)
{
    return &n->events[(n->event_count - 1 - ago) % NATIVE_ROUND_MAX];
}

uint16_t native_events_since(const struct native_thread *n, uint32_t mark)
{
    uint16_t count = 0;

    while (count < n->event_count && count < NATIVE_ROUND_MAX &&
           native_event_ago(n, count)->at > mark)
        count++;
    return count;
}

static void add_event(struct native_thread *n, const struct op *op)
{
    n->events[n->event_count++ % NATIVE_ROUND_MAX] =
        (struct native_event){.at = __fencer_count,
                              .kind = (uint8_t)op->kind,
                              .order = op->order,
                              .failure_order = op->failure_order,
                              .fence = op->fence};
}

/* ---- On the way to a node ---- */

/* What the running thread passes until it is where the search wants it: these
 * nodes are known, and it goes on at once with what led to the next. */
static struct {
    const behaviour_node *path; /* the last one first */
    uint32_t left;
} way;

static const char differs[] =
    "a thread does not do the same for the same values it reads";

static bool is_same(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->location == b->location &&
           a->thread == b->thread && a->operand == b->operand &&
           a->expected == b->expected && a->order == b->order &&
           a->failure_order == b->failure_order && a->rmw == b->rmw &&
           a->fence == b->fence && a->site == b->site && a->round == b->round &&
           a->depends == b->depends;
}

/* The thread is at a node.  Does it go on? */
static bool passes(struct native_thread *n)
{
    if (!way.left)
        return false;
    native_take_effect();
    n->at = way.path[way.left--];
    if (!is_same(&native.op, behaviour_op(native.trie, n->at)))
        native_refuse(differs, native.op.site);
    n->fed = 0;
    native.answer = native.trie->entries[way.path[way.left].ix].value;
    rt.channel->events++; /* as resume does */
    return true;
}

/* Of one site: an operation has that order, or is a volatile access. */
static bool is_order(const struct op *op, enum event_order order)
{
    return op->order == order ||
           (op->order == ORDER_VOLATILE && order == ORDER_PLAIN);
}

/* Is that what the next node on the way says, with nothing else to look at? */
static bool is_next_load(const struct op *op, uint64_t address, unsigned size,
                         enum event_order order, uint32_t site)
{
    return op->kind == OP_LOAD && op->site == site && is_order(op, order) &&
           op->size == size && size <= 8 && !op->cuts && !op->depends &&
           native_location_address(op->location) == address &&
           native_location_size(op->location) == size &&
           op->fence == native_self()->fences && !rt.view.footprint->count &&
           !rt.view.footprint->all && !rt.fence_count &&
           !rt.current->atomic_depth && !labels_are_on();
}

bool native_pass_load(uint64_t address, unsigned size, enum event_order order,
                      uint32_t site, struct value *v)
{
    struct native_thread *n = native_self();
    const struct op *op;

    if (!way.left || n->feeds)
        return false;
    op = behaviour_op(native.trie, way.path[way.left]);
    if (!is_next_load(op, address, size, order, site))
        return false;
    rt.current->site = site;
    ++__fencer_count;
    add_event(n, op);
    n->skips = n->fences = 0;
    native.op = n->last = *op;
    passes(n);
    n->passes = 0;
    n->last_value = native.answer;
    record_read(rt.current, address, size, native.answer);
    *v = (struct value){{native.answer, 0}};
    return true;
}

/* ---- Operations ---- */

/* An atomic block is one event. */
static bool is_later_part(const struct op *op)
{
    return op->kind == OP_PUT || (op->kind == OP_ATOMIC && op->part);
}

uint64_t native_announce(struct op op)
{
    struct native_thread *n = native_self();
    uint64_t fed;

    if (native_feed(&op, &fed)) {
        labels_fed();
        return fed;
    }

    op.site = rt.current->site;
    native_look_for_order(&op);
    if (op.kind > OP_CAS && op.kind != OP_FENCE)
        native_leaves_trace();
    look_at_footprint(op.site);
    op.skips = n->skips;
    op.fence |= n->fences;
    n->skips = n->fences = 0;
    op.depends = labels_announced(op.kind);
    native.op = op;
    if (!is_later_part(&op))
        add_event(n, &op);
    if (!passes(n))
        fiber_pause();
    n->passes = 0;
    n->last = op;
    n->last_value = native.answer;
    return native.answer;
}

void native_stop(struct op op)
{
    look_at_footprint(rt.current->site);
    op.site = rt.current->site;
    native.op = op;
    fiber_leave();
}

void native_skips(void)
{
    native_self()->skips++;
}

void native_create(uint32_t site)
{
    rt.current->site = site;
    if (rt.current->atomic_depth)
        native_refuse("a thread that is made in a fencer_atomic block", site);
    if (!rt.multi) {
        native_check_files(site);
        rt.multi = true;
        sched_look(UINT32_MAX);
        *rt.view.footprint = (struct footprint){.count = 0};
    }
    native_announce(
        (struct op){.kind = OP_CREATE, .thread = (uint16_t)native_child()});
}

uint32_t native_child(void)
{
    uint32_t parent = rt.current->id, index = native_self()->children;

    for (uint32_t i = 0; i < native.birth_count; i++)
        if (native.births[i].parent == parent &&
            native.births[i].index == index)
            return i + 1;
    if (native.birth_count + 1 == GRAPH_THREADS_MAX)
        native_refuse("more threads than can be explored", rt.current->site);
    native.births[native.birth_count].parent = parent;
    native.births[native.birth_count].index = index;
    native.restart = native.restart || native.goes_on;
    return ++native.birth_count;
}

void native_made(uint32_t thread)
{
    struct native_thread *n = &native.threads[thread];

    memset(n, 0, offsetof(struct native_thread, feed));
    n->there = true;
    n->made_at = rt.multi ? native_self()->at : (behaviour_node){0};
    n->leant = native_leaning(thread);
    n->block.count = n->ended.count = 0;
    if (rt.multi)
        native_self()->children++;
}

uint64_t native_join(uint32_t thread, bool looks, bool in_time, uint32_t site)
{
    uint64_t value;

    rt.current->site = site;
    native_no_block("a join in a fencer_atomic block", site);
    if (thread >= GRAPH_THREADS_MAX)
        native_refuse("a join of what is no thread", site);
    value = native_announce((struct op){.kind = OP_JOIN,
                                        .why = in_time ? NATIVE_IN_TIME : 0,
                                        .thread = (uint16_t)thread,
                                        .operand = looks});
    native_self()->joined |= 1ull << thread;
    return value;
}

uint32_t native_choose(uint32_t n)
{
    struct lone_choice *c = &native.lone[native.lone_at];

    native_no_block("a choice in a fencer_atomic block", rt.current->site);
    if (rt.multi)
        return (uint32_t)native_announce(
            (struct op){.kind = OP_CHOOSE, .operand = n});
    if (native.lone_at == sizeof native.lone / sizeof *native.lone)
        native_refuse("too many choices before there is a thread",
                      rt.current->site);
    if (native.lone_at == native.lone_count)
        native.lone[native.lone_count++] = (struct lone_choice){
            native.lone_random ? rng_below(native.lone_random, n) : 0, n};
    if (c->of != n)
        native_refuse("a program that does not choose the same again",
                      rt.current->site);
    native.lone_at++;
    return c->chosen;
}

bool native_is_late(void)
{
    return native_announce(
        (struct op){.kind = OP_CHOOSE, .why = NATIVE_TIMES_OUT, .operand = 2});
}

bool native_gives_up_join(void)
{
    return native_announce(
        (struct op){.kind = OP_CHOOSE, .why = NATIVE_GIVES_UP, .operand = 2});
}

void native_wait_in_time(void)
{
    native_stop(
        (struct op){.kind = OP_BLOCK, .why = NATIVE_IN_TIME, .round = 1});
}

void native_in_vain(void)
{
    native_stop((struct op){.kind = OP_BLOCK, .why = NATIVE_IN_TIME});
}

void native_return(uint64_t result)
{
    native_no_block("a fencer_atomic block that is left", rt.current->site);
    native_stop(
        (struct op){.kind = OP_END, .why = NATIVE_RETURNED, .operand = result});
}

bool native_keeps_rounds(void)
{
    return rt.graphs && native.keeps_rounds;
}

void native_await(uint32_t mark, uint32_t loop, uint32_t site)
{
    bool stored = rt.current->last_effect >= mark;
    uint16_t round = native_events_since(native_self(), mark);

    rt.current->site = site;
    native_no_block("a spin loop in a fencer_atomic block", site);
    if (round == NATIVE_ROUND_MAX)
        native_refuse("a spin loop with too many reads in a round", site);
    native_stop((struct op){.kind = OP_BLOCK,
                            .why = NATIVE_AWAITS,
                            .round = round,
                            .operand = stored ? loop : 0});
}

void native_park(enum execution_end how)
{
    native_stop(
        (struct op){.kind = OP_BLOCK,
                    .why = how == END_ASSUMED ? NATIVE_ASSUMED : NATIVE_CUT});
}

void native_ended(enum execution_end how)
{
    if (how != END_COMPLETE)
        native_leaves_trace();
    if (how != END_COMPLETE && how != END_FAILED)
        native_park(how);
    if (how == END_COMPLETE)
        native_no_block("a fencer_atomic block that is left", rt.current->site);
    if (how == END_COMPLETE)
        native_stop((struct op){.kind = OP_END,
                                .why = native_self()->judged ? NATIVE_JUDGED
                                                             : NATIVE_EXITED});
    if (rt.channel->failure.kind == FAIL_UNSUPPORTED)
        native_refuse(rt.channel->failure.message, 0);
    native.op = (struct op){.kind = OP_FAIL,
                            .site = rt.channel->failure.site,
                            .operand = rt.channel->failure.kind};
    fiber_leave();
}

/* ---- On the driver's stack ---- */

/* Lets the thread go on with `value` until it announces something. */
static void resume(uint32_t thread, uint64_t value)
{
    struct thread *t = &rt.threads[thread];

    if (!native.threads[thread].at.ix)
        native_save_start(thread);
    native.answer = value;
    native.threads[thread].fed = 0;
    *rt.view.footprint = (struct footprint){.count = 0};
    if (rt.multi)
        sched_look(UINT32_MAX);
    native.runs[thread]++;
    sched_resume(t);
    native.threads[thread].leant = native_leaning(thread);
    rt.channel->events++; /* the tool watches it grow */
}

/* The thread is at that node, which is known. */
static bool came_to(uint32_t thread, behaviour_node node)
{
    native.threads[thread].at = node;
    if (native.refused)
        return false;
    if (is_same(&native.op, behaviour_op(native.trie, node)))
        return true;
    native_give_up(differs, native.op.site);
    return false;
}

static behaviour_node root_of(behaviour_node node)
{
    while (behaviour_parent(native.trie, node).ix)
        node = behaviour_parent(native.trie, node);
    return node;
}

static behaviour_node creator_of(behaviour_node root)
{
    return (behaviour_node){native.trie->entries[root.ix].creator};
}

/* The program begins anew: the first thread is made, and has not run, and no
 * other is there.  native_made fills in the rest. */
static void begin_program(void)
{
    for (unsigned t = 0; t < GRAPH_THREADS_MAX; t++)
        native.threads[t].there = false;
    native.lone_at = 0;
    native_begin_files();
    labels_begin_program();
    driver_begin();
}

/* The nodes from `node` back to where its thread stands, or can be taken back
 * to, without that one; how many there are.  `*found`: there is such a place;
 * else they end with the root, and the thread has to be made.  `whole`: the
 * only such place is where it begins. */
static uint32_t path_to(behaviour_node node, bool whole, behaviour_node path[],
                        bool *found)
{
    uint32_t thread = behaviour_thread(native.trie, node), count = 0;
    const struct native_thread *n = &native.threads[thread];
    bool is_it = n->there && n->made_at.ix == creator_of(root_of(node)).ix;

    for (;; node = behaviour_parent(native.trie, node)) {
        *found = is_it && (!whole || !node.ix) &&
                 ((n->at.ix == node.ix && n->leant == native_leaning(thread)) ||
                  native_rewind_thread(thread, node));
        if (*found || !node.ix)
            return count;
        if (count == PATH_MAX_NODES) {
            native_give_up("a thread with too many operations", native.op.site);
            return 0;
        }
        path[count++] = node;
    }
}

/* The thread stands before all of these, the last one first: goes there. */
static bool go_along(const behaviour_node *path, uint32_t count)
{
    uint32_t thread = behaviour_thread(native.trie, path[0]), missing;

    way.path = path;
    way.left = count - 1;
    resume(thread, native.trie->entries[path[way.left].ix].value);
    missing = way.left;
    way.left = 0;
    if (native.op.kind == OP_BLOCK && native.refused)
        return false;
    native_take_effect();
    return came_to(thread, path[missing]) && !missing;
}

static bool go_to(behaviour_node node, bool whole);

/* The thread of that root is made; it has not run. */
static bool make_thread(behaviour_node root)
{
    behaviour_node creator = creator_of(root);
    uint32_t by = behaviour_thread(native.trie, creator);

    if (!creator.ix ||
        native.threads[behaviour_thread(native.trie, root)].there)
        begin_program();
    if (!creator.ix)
        return true;
    if (!go_to(creator, false))
        return false;
    resume(by, 0);
    native_take_effect();
    return came_to(by, behaviour_step(native.trie, creator, 0));
}

/* Of a way from the start, the first place that the thread can be taken back
 * to, from all that follows; its number, or 0. */
static uint32_t first_to_keep(const behaviour_node *path, uint32_t count)
{
    uint32_t first = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct op *op = behaviour_op(native.trie, path[i]);

        if (!native_leads_back(op))
            break;
        if (native_has_ways(op))
            first = i;
    }
    return first;
}

/* The same, and keeps that place: who began anew has no other. */
static bool go_from_start(const behaviour_node *path, uint32_t count)
{
    uint32_t first = first_to_keep(path, count);

    if (!first)
        return go_along(path, count);
    if (!go_along(path + first, count - first))
        return false;
    native_save_thread(path[first]);
    return go_along(path, first);
}

/* The thread of that node comes to it: from where it stands, if that is on the
 * way, or from the nearest place that it can be taken back to, or, if `whole`,
 * from its start. */
static bool go_to(behaviour_node node, bool whole)
{
    behaviour_node path[PATH_MAX_NODES];
    bool found;
    uint32_t count = path_to(node, whole, path, &found);

    if (found && !count)
        return true;
    if (found || !count)
        return count && go_along(path, count);
    return make_thread(root_of(node)) && go_from_start(path, count);
}

/* The thread stands at the node's parent; or, of a root, is made. */
static bool prepare(behaviour_node node)
{
    behaviour_node parent = behaviour_parent(native.trie, node);
    uint32_t thread = behaviour_thread(native.trie, node);
    struct native_thread *n = &native.threads[thread];
    bool whole;

    if (n->there && n->at.ix == parent.ix &&
        n->leant == native_leaning(thread) &&
        n->made_at.ix == creator_of(root_of(node)).ix)
        return true;
    if (native.restart) {
        *native.stop = true; /* with what is known now it does other things */
        return false;
    }
    whole = native_is_to_run_again();
    if (whole && native_is_to_begin_again())
        begin_program();
    if (!parent.ix)
        return make_thread(node);
    if (!go_to(parent, whole))
        return false;
    native_save_thread(parent);
    return true;
}

void native_run_thread(void *context, struct behaviour *b, behaviour_node node,
                       uint64_t value, struct op *op)
{
    uint32_t thread = behaviour_thread(b, node);
    struct native_thread *n = &native.threads[thread];

    (void)context;
    *op = (struct op){.kind = OP_BLOCK, .why = NATIVE_CUT};
    if (native.refused || !prepare(node))
        return;
    resume(thread, value);
    n->at = node;
    b->entries[node.ix].effect = native_take_effect();
    b->entries[node.ix].notes = n->notes;
    b->entries[node.ix].fed = n->fed;
    b->entries[node.ix].passes = n->passes;
    *op = native.op;
    native_save_thread(node);
    if (rt.must_leave)
        native_give_up("a fault inside a library", native.op.site);
    if (native.refused)
        *native.stop = true;
}

bool native_run_again(behaviour_node node)
{
    begin_program();
    return go_to(node, true);
}

void native_begin_search(void)
{
    behaviour_forget(native.trie);
    labels_begin_search();
    for (unsigned t = 0; t < GRAPH_THREADS_MAX; t++)
        native.threads[t].there = false;
    native.restart = false;
    native_forget_memory();
    native_forget_states();
}
