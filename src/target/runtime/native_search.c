/* SPDX-License-Identifier: MIT
 *
 * STRATEGY_GRAPH: all executions of the program on a model, as graphs; and what
 * the tool is told of them.  One process does the whole search.
 */
#include <string.h>

#include "event/must.h"
#include "runtime/driver.h"
#include "runtime/native_inside.h"
#include "runtime/sched.h"

#define NOTES_MAX (1u << 16)
#define NOTE_TEXT 64
#define PLACES_MAX 1024

#define ENGINES 5
static const struct graph_engine *const engines[ENGINES] = {
    &graph_engine_1, &graph_engine_2, &graph_engine_4, &graph_engine_8,
    &graph_engine_16};

static struct graph_search search;
static const struct graph_engine *engine;

/* ---- What threads observe ---- */

/* A note and all before it of the same thread.  Equal ones have one number. */
static struct note {
    uint32_t before; /* 0: it is the first */
    char text[NOTE_TEXT];
} notes[NOTES_MAX];
static uint32_t note_count = 1;

/* What is compared with outcomes that the tool has cleaned must be clean. */
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        text++;
    return !*text;
}

void native_note(const char *text)
{
    struct native_thread *n = native_self();
    struct note new = {.before = n->notes};
    uint32_t i = 1;

    strcpy(new.text, text);
    while (i < note_count && memcmp(&notes[i], &new, sizeof new) != 0)
        i++;
    if (i == NOTES_MAX)
        native_refuse("too many different observations", rt.current->site);
    if (i == note_count)
        notes[note_count++] = new;
    n->notes = i;
}

void native_observe(const char *label, const char *value)
{
    char text[NOTE_TEXT];

    if (strlen(label) + strlen(value) + 3 > NOTE_TEXT || !is_plain(label))
        native_refuse("an unusual label of an observation", rt.current->site);
    rt_print(text, sizeof text, "%s=%s ", label, value);
    native_note(text);
}

void native_judge(void)
{
    native_self()->judged = true;
}

static void put_notes(uint32_t thread, uint32_t note)
{
    if (!note)
        return;
    put_notes(thread, notes[note].before);
    observe_by(thread, notes[note].text);
}

static void put_outcome(const struct graph_thread *threads, unsigned count)
{
    observe_begin_graph();
    for (unsigned t = 0; note_count > 1 && t < count; t++)
        if (threads[t].made)
            put_notes(t, native.trie->entries[threads[t].at.ix].notes);
}

/* ---- How an execution ended ---- */

enum leaf {
    LEAF_COMPLETE,
    LEAF_MISJUDGED, /* the same, but fails its test */
    LEAF_FAILED,
    LEAF_ASSUMED,
    LEAF_CUT,
    LEAF_IN_VAIN
};

static const struct op *op_at(behaviour_node node)
{
    return behaviour_op(native.trie, node);
}

static bool has_exited(const struct graph_thread *threads, unsigned count)
{
    for (unsigned t = 0; t < count; t++)
        if (threads[t].made && op_at(threads[t].at)->kind == OP_END &&
            op_at(threads[t].at)->why != NATIVE_RETURNED)
            return true;
    return false;
}

/* A test came to its end, and observed what it should not (harness.c). */
static bool is_misjudged(const struct graph_thread *threads)
{
    const struct op *op = op_at(threads[0].at);

    if (!rt.channel->graph.judges)
        return false;
    if (op->kind != OP_END || op->why != NATIVE_JUDGED || !observe_is_whole()) {
        native_give_up("a test that is not compared as a whole", op->site);
        return false;
    }
    return !observe_is_allowed();
}

static enum leaf leaf_of_waiting(const struct graph_thread *threads,
                                 unsigned count)
{
    bool in_vain = false, assumed = false, cut = false;

    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);

        if (!threads[t].made || !threads[t].waits)
            continue;
        cut = cut || (op->kind == OP_BLOCK && op->why == NATIVE_CUT);
        assumed =
            assumed || (op->kind == OP_BLOCK && op->why == NATIVE_ASSUMED);
        in_vain = in_vain || !threads[t].for_good ||
                  (op->kind == OP_BLOCK && op->why == NATIVE_IN_TIME);
    }
    if (in_vain)
        return LEAF_IN_VAIN;
    if (cut)
        return LEAF_CUT;
    if (assumed)
        return LEAF_ASSUMED;
    return has_exited(threads, count) ? LEAF_COMPLETE : LEAF_FAILED;
}

/* Failures of one sort have one signature. */
static uint64_t signature_of(enum leaf leaf, const struct graph_thread *threads,
                             unsigned count)
{
    uint64_t h = 1;

    if (leaf == LEAF_MISJUDGED)
        return (uint64_t)FAIL_OBSERVATION << 32;
    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);

        if (threads[t].made && op->kind == OP_FAIL)
            return op->operand << 32 | op->site;
        if (threads[t].made && threads[t].waits)
            h = (h ^ op->site ^ (uint64_t)op->kind << 32) *
                0x9e3779b97f4a7c15ull;
    }
    return h | 1ull << 63;
}

static bool is_asked_to_stop(void)
{
    volatile const struct channel *c = rt.channel;

    return c->done >= c->count;
}

static bool is_known(uint64_t signature)
{
    const struct channel_graph *c = &rt.channel->graph;

    for (uint32_t i = 0; i < c->known_count && i < CHANNEL_KNOWN_MAX; i++)
        if (c->known[i] == signature)
            return true;
    return false;
}

/* ---- An execution as steps (event/channel.h) ----
 *
 * Steps stand in the order in which they take effect; each says which one its
 * thread makes next, which is program order. */

#define STEPS_MAX (3 * PLACES_MAX + 4 * GRAPH_THREADS_MAX)

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

static void chain_steps(uint32_t first)
{
    for (uint32_t i = first; i < steps.count; i++) {
        uint32_t next = next_of_thread(i, first);

        steps.to[i].next = next;
        if (next != WITNESS_NONE)
            steps.to[next].first = 0;
    }
}

static uint32_t depth_of(behaviour_node node)
{
    uint32_t depth = 0;

    for (; node.ix; node = behaviour_parent(native.trie, node))
        depth++;
    return depth;
}

/* A store that a full fence follows may as well be issued at its turn. */
static bool drains_next(const struct graph_place *p)
{
    const struct op *next = op_at(behaviour_step(
        native.trie, p->node, op_at(p->node)->kind == OP_STORE ? 0 : p->value));

    return next->kind == OP_FENCE && next->fence & FENCE_FULL;
}

static enum witness_kind kind_of_store(enum model_construct c,
                                       const struct graph_place *p)
{
    struct model_recipe r = rt.model->recipe[c];

    if (!rt.model->delays_stores)
        return WITNESS_NOW;
    return (r.before | r.after) & FENCE_FULL || drains_next(p) ? WITNESS_LATE
                                                               : WITNESS_STORE;
}

static enum witness_kind kind_of_sync(const struct effect *e,
                                      const struct graph_place *p)
{
    struct model_recipe r = rt.model->recipe[e->construct];

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

        s->skips = i ? 0 : op_at(p->node)->skips;
    }
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

/* Accesses in between that are no events go with the next one that is. */
static void put_place(const struct graph_place *p)
{
    const struct op *op = op_at(p->node);
    unsigned thread = behaviour_thread(native.trie, p->node);
    uint32_t depth = depth_of(p->node);

    if (op->kind == OP_SYNC) {
        put_sync(thread, p);
    } else if (op->kind < OP_SYNC) {
        put_step(thread, depth, kind_of_access(op, p))->skips = op->skips;
    } else if (op->kind == OP_CREATE) {
        put_create(p->node);
    } else if (op->kind == OP_JOIN) {
        put_step(thread, depth, WITNESS_FREE)->chosen = op->thread;
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

/* Who has returned ends: others may wait for that. */
static void put_exits(const struct graph *g)
{
    struct graph_thread threads[GRAPH_THREADS_MAX];
    unsigned count = engine->threads(&search, g, threads);

    for (unsigned t = 1; t < count; t++)
        if (threads[t].made && op_at(threads[t].at)->kind == OP_END)
            put_step(t, depth_of(threads[t].at), WITNESS_EXIT);
}

/* They have no turn, and come last. */
static void put_choices(const struct graph_place *places, size_t count)
{
    for (uint32_t i = 0; i < native.lone_count; i++)
        put_step(0, 0, WITNESS_CHOICE)->chosen = native.lone[i].chosen;
    for (size_t i = 0; i < count; i++)
        if (op_at(places[i].node)->kind == OP_CHOOSE &&
            op_at(places[i].node)->why != NATIVE_TIMES_OUT)
            put_step(behaviour_thread(native.trie, places[i].node),
                     depth_of(places[i].node), WITNESS_CHOICE)
                ->chosen = (uint32_t)places[i].value;
}

static void put_steps(const struct graph *g)
{
    static struct graph_place places[PLACES_MAX];
    size_t count = engine->list(&search, g, places);
    uint32_t choices;

    MUST(count <= PLACES_MAX);
    steps.to = (struct witness_step *)((char *)rt.channel + CHANNEL_STEPS_AT);
    steps.count = 0;
    put_first_creates();
    for (size_t i = 0; i < count; i++)
        put_place(&places[i]);
    put_exits(g);
    chain_steps(0);
    choices = steps.count;
    put_choices(places, count);
    chain_steps(choices);
    rt.channel->graph.step_count = steps.count;
}

/* ---- Graphs that cannot grow ---- */

static bool found(enum graph_found what, const struct graph *g)
{
    rt.channel->graph.found = what;
    put_steps(g);
    return false;
}

static enum failure_kind
failure_kind(enum leaf leaf, const struct graph_thread *threads, unsigned count)
{
    enum failure_kind kind =
        leaf == LEAF_MISJUDGED ? FAIL_OBSERVATION : FAIL_DEADLOCK;

    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);

        if (threads[t].made && op->kind == OP_FAIL)
            return op->operand < FAIL_KIND_COUNT ? op->operand : FAIL_NONE;
        if (threads[t].made && op->kind == OP_BLOCK && op->why == NATIVE_AWAITS)
            kind = FAIL_LIVELOCK;
    }
    return kind;
}

static bool count_failure(enum leaf leaf, const struct graph *g,
                          const struct graph_thread *threads, unsigned count)
{
    struct channel *c = rt.channel;
    uint64_t signature = signature_of(leaf, threads, count);

    c->failed++;
    c->complete++;
    c->failures_by_kind[failure_kind(leaf, threads, count)]++;
    observe_count();
    if (c->graph.all_known || c->graph.only_counts || is_known(signature))
        return !is_asked_to_stop();
    c->graph.signature = signature;
    return found(FOUND_FAILURE, g);
}

static bool count_leaf(enum leaf leaf, const struct graph *g,
                       const struct graph_thread *threads, unsigned count)
{
    struct channel *c = rt.channel;

    if (leaf == LEAF_IN_VAIN) {
        c->graph.blocked++;
        return !is_asked_to_stop();
    }
    c->done++;
    put_outcome(threads, count);
    if (leaf == LEAF_COMPLETE && is_misjudged(threads))
        leaf = LEAF_MISJUDGED;
    if (leaf == LEAF_FAILED || leaf == LEAF_MISJUDGED)
        return count_failure(leaf, g, threads, count);
    c->assumed += leaf == LEAF_ASSUMED;
    c->cut += leaf == LEAF_CUT;
    if (leaf == LEAF_COMPLETE) {
        c->complete++;
        observe_count();
        if (c->spec == SPEC_ALLOWED && !c->graph.judges &&
            !c->graph.all_known && !c->graph.only_counts &&
            !observe_is_allowed())
            return found(FOUND_STRANGE, g);
    }
    if (leaf != LEAF_ASSUMED && c->graph.wants_not_sc && !c->graph.not_sc &&
        !engine->is_sc(&search, g)) {
        c->graph.not_sc = 1;
        return c->graph.only_counts ? !is_asked_to_stop()
                                    : found(FOUND_NOT_SC, g);
    }
    return !is_asked_to_stop();
}

static bool ended(void *context, const struct graph *g, enum graph_end end)
{
    struct graph_thread threads[GRAPH_THREADS_MAX];
    unsigned count;

    (void)context;
    if (native.refused || native.restart)
        return false;
    rt.channel->events++;
    count = engine->threads(&search, g, threads);
    return count_leaf(end == GRAPH_FAILED     ? LEAF_FAILED
                      : end == GRAPH_COMPLETE ? LEAF_COMPLETE
                                              : leaf_of_waiting(threads, count),
                      g, threads, count);
}

/* ---- How far it is ---- */

/* In the channel's search region: the same program goes on from there. */
struct native_state {
    uint32_t width;
    uint32_t asks_mutexes, all_shared, facts;
    uint32_t lone_count;
    struct lone_choice lone[NATIVE_LONE_MAX];
    struct graph_way at;
    uint32_t birth_count;
    struct native_birth births[GRAPH_THREADS_MAX];
    uint32_t word_count;
    uint64_t words[]; /* that are shared */
};

static uint32_t width; /* of the engine */

static struct native_state *state(void)
{
    return (struct native_state *)((char *)rt.channel + CHANNEL_SEARCH_AT);
}

static void save_state(void)
{
    struct native_state *s = state();

    s->width = width;
    s->asks_mutexes = native.asks_mutexes;
    s->all_shared = native.all_shared;
    s->facts = native.facts;
    s->lone_count = native.lone_count;
    memcpy(s->lone, native.lone, sizeof s->lone);
    s->at = search.at;
    s->birth_count = native.birth_count;
    memcpy(s->births, native.births, sizeof s->births);
    s->word_count = native_shared_words(s->words, NATIVE_WORDS_MAX);
    rt.channel->graph.state_size = sizeof *s + s->word_count * sizeof *s->words;
}

static void load_state(void)
{
    const struct native_state *s = state();

    MUST(s->width < ENGINES && s->lone_count <= NATIVE_LONE_MAX);
    MUST(s->at.count < GRAPH_LEVELS_MAX && s->word_count <= NATIVE_WORDS_MAX);
    width = s->width;
    native.asks_mutexes = s->asks_mutexes;
    native.all_shared = s->all_shared;
    native.facts = s->facts;
    MUST(s->birth_count < GRAPH_THREADS_MAX);
    native.birth_count = s->birth_count;
    memcpy(native.births, s->births, sizeof s->births);
    native_share_words(s->words, s->word_count);
    if (rt.channel->graph.only_learns)
        return;
    native.lone_count = s->lone_count;
    memcpy(native.lone, s->lone, sizeof s->lone);
}

/* ---- Searches ---- */

/* Something was learnt that makes another tree: nothing counts so far. */
static void begin_anew(void)
{
    struct channel *c = rt.channel;

    c->done = c->complete = c->failed = c->assumed = c->cut = 0;
    c->outcome_count = c->outcomes_lost = 0;
    c->graph.blocked = 0;
    c->graph.not_sc = 0;
    c->graph.begun_anew = 1;
    memset(c->failures_by_kind, 0, sizeof c->failures_by_kind);
    observe_forget();
    native.lone_count = 0;
}

/* One search, for the choices that were made before there were threads. */
static void search_once(bool goes_on)
{
    const struct channel_graph *c = &rt.channel->graph;

    engine = engines[width];
    native.stop = &search.stop;
    native_begin_search();
    search = (struct graph_search){.rules = engine->order,
                                   .model = rt.model,
                                   .behaviour = native.trie,
                                   .threads = 1,
                                   .initial = native_initial,
                                   .covers = native_covers,
                                   .ended = ended,
                                   .drops = true,
                                   .defers = true,
                                   .lone = true,
                                   .part = c->part,
                                   .parts = c->parts};
    if (goes_on)
        search.resume = state()->at;
    engine->run(&search);
    if (native.trie->full)
        native_give_up("too many different ways of a thread", 0);
    if (search.too_long && ++width == ENGINES)
        native_give_up("executions of more than 1,000 events", 0);
}

/* The next choices before there are threads; false: there are none. */
static bool next_lone(void)
{
    while (native.lone_count) {
        struct lone_choice *last = &native.lone[native.lone_count - 1];

        if (++last->chosen < last->of)
            return true;
        native.lone_count--;
    }
    return false;
}

static void search_all(bool goes_on)
{
    for (;;) {
        observe_forget_lone();
        search_once(goes_on);
        goes_on = false;
        if (native.refused)
            return;
        if (native.restart || search.too_long)
            begin_anew();
        else if (search.stop || !next_lone())
            return;
    }
}

static void work(bool by_process)
{
    struct channel *c = rt.channel;
    bool goes_on = c->graph.state_size > 0;

    if (!native.trie)
        native.trie = behaviour_new(native_run_thread, NULL);
    native.refused = false;
    native.lone_count = native.birth_count = width = 0;
    native.goes_on = goes_on;
    native.asks_mutexes = false;
    native.facts = 0;
    native.all_shared = native_model_carries();
    note_count = 1;
    if (by_process)
        native_give_up("it needs a process for each execution", 0);
    if (goes_on)
        load_state();
    if (!native.refused)
        search_all(goes_on && !c->graph.only_learns);
    c->exhausted = !native.refused && !search.stop;
    if (native.refused)
        strcpy(c->graph.refused, native.why);
    else
        save_state();
    c->graph.over = 1;
}

static bool is_over(const struct channel *job)
{
    return job->graph.over;
}

static bool is_exhausted(void)
{
    return rt.channel->exhausted;
}

/* A process died in the middle of it: nobody knows where. */
static void abandon(const struct sched_view *view)
{
    (void)view;
    rt.channel->graph.lost = 1;
    rt.channel->graph.over = 1;
}

const struct strategy strategy_graph = {
    .name = "graph",
    .work = work,
    .is_over = is_over,
    .is_exhausted = is_exhausted,
    .abandon = abandon,
    .footprints = true,
    .explores = true,
};
