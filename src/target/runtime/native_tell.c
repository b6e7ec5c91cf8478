/* SPDX-License-Identifier: MIT
 *
 * A graph as a trace, for models without a machine.  Nobody can run it, so it
 * is written down as it is: every event with what it reads and with its place
 * among the writes of its memory.  Before that each thread runs once more with
 * the values of the graph, from the beginning of the program: it must do the
 * same, and where it fails it says how.
 */
#include <string.h>

#include "event/must.h"
#include "runtime/native_inside.h"
#include "runtime/native_tell.h"
#include "runtime/runtime_record.h"

#define TOLD_MAX 4096

static struct graph_told told[TOLD_MAX];
static uint32_t number_of[TOLD_MAX];    /* + 1, in the trace */
static uint32_t told_count, told_first; /* number of the first in the trace */
static uint32_t next_index[GRAPH_THREADS_MAX]; /* of a thread's events */

static const struct op *op_at(behaviour_node node)
{
    return behaviour_op(native.trie, node);
}

static unsigned thread_of(behaviour_node node)
{
    return behaviour_thread(native.trie, node);
}

/* ---- Events ---- */

static uint32_t put(struct event *e, unsigned thread, uint64_t address)
{
    e->thread = (uint16_t)thread;
    e->index = next_index[thread]++;
    return record_told(e, address);
}

static enum event_kind kind_of_sync(const struct effect *e)
{
    switch (e->construct) {
    case C_LOCK:
        return EV_LOCK;
    case C_UNLOCK:
        return EV_UNLOCK;
    case C_LOCK_FAIL:
        return EV_LOCK_FAIL;
    case C_POST:
        return EV_POST;
    case C_WAIT:
    case C_RMW_ACQ_REL:
        return EV_WAIT;
    default:
        return e->writes ? EV_RMW : EV_LOAD;
    }
}

static enum event_kind kind_of(const struct graph_told *t)
{
    const struct op *op = op_at(t->node);
    struct effect effect;

    switch (op->kind) {
    case OP_LOAD:
        return EV_LOAD;
    case OP_STORE:
        return EV_STORE;
    case OP_RMW:
        return t->co ? EV_RMW : EV_AWAIT;
    case OP_CAS:
        return t->co                                   ? EV_RMW
               : !op->cuts && t->value == op->expected ? EV_AWAIT
                                                       : EV_CAS_FAIL;
    case OP_SYNC:
        effect = behaviour_effect(native.trie, t->node, t->value);
        return kind_of_sync(&effect);
    case OP_FENCE:
        return EV_FENCE;
    case OP_CREATE:
        return EV_CREATE;
    case OP_JOIN:
        return EV_JOIN;
    case OP_CHOOSE:
        return EV_CHOOSE;
    default:
        return EV_FREE;
    }
}

static unsigned location_of(const struct graph_told *t)
{
    return op_at(t->node)->location + t->part;
}

/* Is something later than what it reads there already? */
static bool is_stale(uint32_t i)
{
    unsigned location = location_of(&told[i]);
    uint32_t from = told[i].from ? told[told[i].from - 1].co : 0;

    for (uint32_t k = 0; k < i; k++)
        if (op_at(told[k].node)->kind <= OP_SYNC &&
            location_of(&told[k]) == location && told[k].co > from)
            return true;
    return false;
}

static void put_access(uint32_t i, struct event *e)
{
    const struct graph_told *t = &told[i];
    const struct op *op = op_at(t->node);

    e->size = (uint8_t)native_location_size(location_of(t));
    e->flags |= t->part ? EVF_PART : 0u;
    e->co = t->co;
    e->wrote = t->wrote;
    e->depth = t->effect;
    e->value = op->kind == OP_STORE ? t->wrote : t->value;
    if (op->kind == OP_STORE)
        return;
    e->from = t->from ? told_first + t->from - 1 : 0; /* may come later */
    if (is_stale(i))
        e->flags |= EVF_STALE;
}

static uint64_t address_of(const struct graph_told *t)
{
    const struct op *op = op_at(t->node);

    if (op->kind <= OP_SYNC)
        return native_location_address(location_of(t));
    return op->kind == OP_FREE ? op->operand : 0;
}

/* A processor has one instruction for both ways it may end. */
static uint32_t order_of_cas(const struct graph_told *t, const struct op *op)
{
    uint32_t own = kind_of(t) == EV_CAS_FAIL ? op->failure_order : op->order;
    uint32_t both = order_join(op->order, op->failure_order);

    return own == both ? both : both | own << EVF_OWN_SHIFT;
}

/* A processor has fences of its own. */
static uint32_t order_of(const struct graph_told *t)
{
    const struct op *op = op_at(t->node);

    if (!rt.model->by_axioms)
        return t->order;
    if (op->kind == OP_FENCE)
        return t->order | (uint32_t)op->fence << EVF_FENCE_SHIFT;
    return op->kind == OP_CAS ? order_of_cas(t, op) : t->order;
}

static void put_told(uint32_t i)
{
    const struct graph_told *t = &told[i];
    const struct op *op = op_at(t->node);
    struct event e = {.kind = (uint8_t)kind_of(t),
                      .site = op->site,
                      .flags = order_of(t),
                      .value = t->value};

    if (op->kind <= OP_SYNC)
        put_access(i, &e);
    else if (op->kind == OP_CREATE || op->kind == OP_JOIN)
        e.value = op->thread;
    number_of[i] = put(&e, thread_of(t->node), address_of(t));
    MUST(number_of[i] == told_first + i);
}

/* Threads that were there before the first event. */
static void put_first_creates(void)
{
    behaviour_node node = behaviour_root(native.trie, 0);

    for (; op_at(node)->kind == OP_CREATE;
         node = behaviour_step(native.trie, node, 0)) {
        struct event e = {.kind = EV_CREATE,
                          .site = op_at(node)->site,
                          .value = op_at(node)->thread};

        put(&e, 0, 0);
    }
}

static void put_observations(unsigned thread, behaviour_node at)
{
    struct native_observed seen[NATIVE_OBSERVED_MAX];
    uint32_t count =
        native_observations(native.trie->entries[at.ix].notes, seen);

    for (uint32_t i = 0; i < count; i++) {
        struct event e = {.kind = EV_OBSERVE,
                          .site = seen[i].site,
                          .value = (uint64_t)seen[i].value};

        if (e.site)
            put(&e, thread, 0);
    }
}

/* ---- Failures ---- */

static void put_failure(unsigned thread)
{
    struct channel_failure *f = &rt.channel->failure;
    struct event e = {
        .kind = EV_FAIL, .site = f->site, .value = (uint64_t)f->kind};

    f->thread = thread;
    f->run = 0;
    put(&e, thread, 0);
}

static void set_failure(enum failure_kind kind, uint32_t site)
{
    rt.channel->failure = (struct channel_failure){.kind = kind, .site = site};
    strcpy(rt.channel->failure.message, failure_kind_words(kind));
}

static bool is_in_vain(const struct op *op, enum native_why why)
{
    return op->kind == OP_BLOCK && op->why == why;
}

/* As sched.c's stuck. */
static enum failure_kind kind_of_stuck(const struct graph_thread *threads,
                                       unsigned count, unsigned *worst)
{
    enum failure_kind kind = FAIL_DEADLOCK;
    bool any = false;

    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);

        if (!threads[t].made || !threads[t].waits)
            continue;
        if (is_in_vain(op, NATIVE_AWAITS)) {
            *worst = t;
            return FAIL_LIVELOCK;
        }
        if (is_in_vain(op, NATIVE_SLEEPS)) {
            kind = FAIL_LOST_WAKEUP;
            *worst = t;
        } else if (!any || op_at(threads[*worst].at)->kind == OP_JOIN) {
            *worst = t;
        }
        any = true;
    }
    return kind;
}

static const char *waits_for(const struct op *op)
{
    if (is_in_vain(op, NATIVE_AWAITS))
        return "spins for ever";
    if (op->kind == OP_JOIN)
        return "waits for a thread";
    return is_in_vain(op, NATIVE_SLEEPS) ? "waits for a signal"
                                         : "waits for a lock";
}

static void put_stuck(const struct graph_thread *threads, unsigned count)
{
    unsigned worst = 0;
    enum failure_kind kind = kind_of_stuck(threads, count, &worst);
    char *text = rt.channel->failure.message;
    const char *gap = ": ";

    set_failure(kind, op_at(threads[worst].at)->site);
    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);
        size_t n = strlen(text), room = sizeof rt.channel->failure.message - n;
        struct event e = {.kind = EV_STUCK, .site = op->site};

        if (!threads[t].made || !threads[t].waits)
            continue;
        rt_print(text + n, room, "%sthread %u %s (line %u)", gap, t,
                 waits_for(op), rt_site(op->site)->line);
        gap = ", ";
        if (t != worst)
            put(&e, t, 0);
    }
    put_failure(worst);
}

/* The thread that failed by itself, or `count`. */
static unsigned failed_thread(const struct graph_thread *threads,
                              unsigned count)
{
    unsigned t = 0;

    while (t < count &&
           !(threads[t].made && op_at(threads[t].at)->kind == OP_FAIL))
        t++;
    return t;
}

static void put_how_it_failed(const struct graph_thread *threads,
                              unsigned count, behaviour_node freed)
{
    unsigned failed = failed_thread(threads, count);

    if (failed < count) {
        put_failure(failed); /* it said so itself, in run_again */
        return;
    }
    if (!freed.ix) {
        put_stuck(threads, count);
        return;
    }
    set_failure(op_at(freed)->kind == OP_FREE ? FAIL_DOUBLE_FREE
                                              : FAIL_USE_AFTER_FREE,
                op_at(freed)->site);
    put_failure(thread_of(freed));
}

/* ---- All of it ---- */

/* Every thread, and the one that failed last.  False: it does other things. */
static bool run_again(const struct graph_thread *threads, unsigned count)
{
    unsigned failed = failed_thread(threads, count);

    for (unsigned t = 0; t < count; t++)
        if (threads[t].made && t != failed && !native_run_again(threads[t].at))
            return false;
    return failed == count || native_run_again(threads[failed].at);
}

/* All that was told, and how it ended. */
static void put_graph(const struct graph_engine *engine, const struct graph *g,
                      const struct graph_thread *threads, unsigned count,
                      bool fails)
{
    memset(next_index, 0, sizeof next_index);
    put_first_creates();
    told_first = record_last() + 1;
    for (uint32_t i = 0; i < told_count; i++)
        put_told(i);
    for (unsigned t = 0; t < count; t++)
        if (threads[t].made)
            put_observations(t, threads[t].at);
    if (fails)
        put_how_it_failed(threads, count, engine->failed(g));
}

bool native_tell(const struct graph_engine *engine,
                 const struct graph_search *search, const struct graph *g,
                 bool fails)
{
    struct graph_thread threads[GRAPH_THREADS_MAX];
    unsigned count = engine->threads(search, g, threads);

    if (!run_again(threads, count))
        return false;
    told_count = (uint32_t)engine->tell(search, g, told, TOLD_MAX);
    record_told_begin();
    put_graph(engine, g, threads, count, fails);
    return true;
}

/* ---- One of several ---- */

#define SEEN_MAX (1u << 14)
static uint64_t seen[SEEN_MAX];
static uint32_t seen_count;

void native_tell_none(void)
{
    if (seen_count)
        memset(seen, 0, sizeof seen);
    seen_count = 0;
    record_told_forget();
}

/* Graphs are equal if their events are, in whatever order they are told. */
static uint64_t hash_told(void)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < told_count; i++) {
        const struct graph_told *t = &told[i];
        uint64_t h = t->node.ix ^ (uint64_t)t->part << 32;

        h = (h ^ (t->from ? told[t->from - 1].node.ix : 0)) *
            0x9e3779b97f4a7c15ull;
        h = (h ^ h >> 31 ^ t->co ^ t->wrote << 8) * 0x9e3779b97f4a7c15ull;
        sum += h ^ h >> 29;
    }
    return sum | 1;
}

/* False: it was; when the table is half full, nobody knows any more. */
static bool is_new(uint64_t hash)
{
    uint32_t i = (uint32_t)(hash >> 40) % SEEN_MAX;

    while (seen[i] && seen[i] != hash)
        i = (i + 1) % SEEN_MAX;
    if (seen[i])
        return false;
    if (seen_count < SEEN_MAX / 2) {
        seen[i] = hash;
        seen_count++;
    }
    return true;
}

/* A search tells when it has seen that they are not too many; samples tell as
 * they come, if they have what they were drawn for. */
static bool is_asked_for(bool listing)
{
    const struct channel *c = rt.channel;

    return c->graph.tells && !c->full && !native.refused &&
           (c->strategy == STRATEGY_GRAPH ? listing : !native_misses_goal());
}

void native_tell_more(const struct graph_engine *engine,
                      const struct graph_search *search, const struct graph *g,
                      bool fails, uint32_t outcome, bool listing)
{
    struct graph_thread threads[GRAPH_THREADS_MAX];
    unsigned count;

    if (!is_asked_for(listing) || (!fails && engine->is_sc(search, g)))
        return;
    count = engine->threads(search, g, threads);
    told_count = (uint32_t)engine->tell(search, g, told, TOLD_MAX);
    if (!is_new(hash_told()) || !run_again(threads, count))
        return;
    record_told_next();
    put_graph(engine, g, threads, count, fails);
    record_told_end(fails ? END_FAILED : END_COMPLETE, outcome);
    if (rt.channel->execution_count >= rt.channel->graph.tells)
        rt.channel->full = 1;
}

uint32_t native_told_as(behaviour_node node)
{
    for (uint32_t i = 0; i < told_count; i++)
        if (told[i].node.ix == node.ix)
            return number_of[i];
    return 0;
}

/* What cannot be told is no reason to refuse the program: it is not asked of
 * it. */
bool native_found_unordered(const struct graph_engine *engine,
                            struct graph_search *search, const struct graph *g)
{
    struct channel_graph *c = &rt.channel->graph;
    bool refused = native.refused;
    struct graph_race race;

    if (!c->wants_unordered || c->knows_unordered ||
        c->found != FOUND_NOTHING || c->only_counts || refused ||
        !engine->unordered(search, g, &race) ||
        (native_is_weakest() && !engine->is_sc(search, g)))
        return false;
    if (!native_tell(engine, search, g, false)) {
        native.refused = false;
        return false;
    }
    c->found = FOUND_UNORDERED;
    c->race[0] = native_told_as(race.first);
    c->race[1] = native_told_as(race.second);
    return true;
}
