/* SPDX-License-Identifier: MIT
 *
 * STRATEGY_GRAPH: all executions of the program on a model, as graphs; and what
 * the tool is told of them.  One process does the whole search.
 */
#include <string.h>

#include "event/must.h"
#include "graph/thread_order.h"
#include "runtime/driver.h"
#include "runtime/native_inside.h"
#include "runtime/native_late.h"
#include "runtime/native_tell.h"
#include "runtime/sched.h"

#define RACES_MAX 256
#define PATIENCE 1024 /* children, between two looks at the channel */

#define ENGINES 5
static const struct graph_engine *const engines[ENGINES] = {
    &graph_engine_1, &graph_engine_2, &graph_engine_4, &graph_engine_8,
    &graph_engine_16};

static bool sees_all; /* this process has seen all that was explored */
static struct graph_search search;
static const struct graph_engine *engine;

/* ---- Outcomes ---- */

static uint32_t last_outcome; /* of the graph that has just ended */

/* What fails is no example to others. */
static void count_outcome(bool fails)
{
    bool serial = rt.channel->flags & CHANNEL_SERIAL;

    if (serial && !observe_is_whole())
        native_give_up("an observation of too many characters", 0);
    last_outcome = !fails || !serial ? observe_count() : 0;
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

/* Did a loop of some thread go round too often? */
static bool is_cut(const struct graph_thread *threads, unsigned count)
{
    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);

        if (threads[t].made && threads[t].waits && op->kind == OP_BLOCK &&
            op->why == NATIVE_CUT)
            return true;
    }
    return false;
}

static enum leaf leaf_of_waiting(const struct graph_thread *threads,
                                 unsigned count)
{
    bool in_vain = false, assumed = false;

    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);

        if (!threads[t].made || !threads[t].waits)
            continue;
        assumed =
            assumed || (op->kind == OP_BLOCK && op->why == NATIVE_ASSUMED);
        in_vain = in_vain || !threads[t].for_good ||
                  (op->kind == OP_BLOCK && op->why == NATIVE_BOUND) ||
                  ((op->kind == OP_BLOCK || op->kind == OP_JOIN) &&
                   op->why == NATIVE_IN_TIME);
    }
    if (in_vain)
        return LEAF_IN_VAIN;
    if (is_cut(threads, count))
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

/* ---- Graphs that cannot grow ---- */

static struct graph_place places[GRAPH_PLACES_MAX];
static bool listing; /* all of them */

/* One of all of them, if there is such an order. */
static bool add_list(const struct graph *g, enum graph_order order, bool fails)
{
    struct graph_thread threads[GRAPH_THREADS_MAX];
    size_t count = engine->list(&search, g, order, places);

    if (!count && order != GRAPH_ANY_ORDER)
        return false;
    if (!native_add_steps(places, count, threads,
                          engine->threads(&search, g, threads), fails))
        native_give_up("executions of too many steps", 0);
    return true;
}

/* One of SC's in an order of SC's.  Of another one, by a store that is late and
 * by a load that is early, as far as one is enough: so it is seen whose fault
 * it is. */
static void add_lists(const struct graph *g, bool fails)
{
    bool one;

    if (add_list(g, GRAPH_IN_ORDER, fails))
        return;
    one = add_list(g, GRAPH_ONE_LATE, fails);
    one = add_list(g, GRAPH_ONE_EARLY, fails) || one;
    if (!one)
        add_list(g, GRAPH_ANY_ORDER, fails);
}

/* The machine of the model takes its steps; where there is none it is told. */
static bool found(enum graph_found what, const struct graph *g)
{
    struct graph_thread threads[GRAPH_THREADS_MAX];

    rt.channel->graph.found = native_is_weakest() ? FOUND_LATE : what;
    if (native_is_weakest())
        return false; /* that it is there is all that is asked */
    if (model_has_machine(rt.model))
        native_put_steps(
            places,
            engine->list(&search, g,
                         what == FOUND_RACE ? GRAPH_WITH_VAIN : GRAPH_ANY_ORDER,
                         places),
            threads, engine->threads(&search, g, threads));
    else if (!native_tell(engine, &search, g, what == FOUND_FAILURE))
        rt.channel->graph.found = FOUND_NOTHING; /* and it is refused */
    return false;
}

/* ---- Data races ---- */

enum racy { RACE_NONE, RACE_KNOWN, RACE_NEW };

/* Of the graph that has just ended. */
static struct {
    enum racy is;
    struct graph_race race; /* if it is new */
} racy;

/* The same two places of the program are one race. */
static uint64_t signature_of_race(const struct graph_race *r)
{
    uint64_t a = op_at(r->first)->site, b = op_at(r->second)->site;

    return 1ull << 62 | (a < b ? a << 31 | b : b << 31 | a);
}

/* What is not assumed to be does not count. */
static bool is_assumed(const struct graph_thread *threads, unsigned count)
{
    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);

        if (threads[t].made && op->kind == OP_BLOCK &&
            op->why == NATIVE_ASSUMED)
            return true;
    }
    return false;
}

static void look_for_races(const struct graph *g,
                           const struct graph_thread *threads, unsigned count)
{
    static struct graph_race races[RACES_MAX];
    size_t n;

    racy.is = RACE_NONE;
    if (model_has_machine(rt.model) || is_assumed(threads, count))
        return;
    n = engine->races(&search, g, races, RACES_MAX);
    if (rt.model->by_axioms) {
        if (n)
            native_give_up("a fencer_ghost that threads use in no order, which "
                           "processors do not have",
                           op_at(races[0].first)->site);
        return;
    }
    for (size_t i = 0; i < n && racy.is != RACE_NEW; i++) {
        if (op_at(races[i].first)->ghost)
            native_give_up("a fencer_ghost that threads use in no order, which "
                           "C11 does not have",
                           op_at(races[i].first)->site);
        racy.is = is_known(signature_of_race(&races[i])) ||
                          rt.channel->graph.only_counts ||
                          rt.channel->graph.tells
                      ? RACE_KNOWN
                      : RACE_NEW;
        racy.race = races[i];
    }
    rt.channel->graph.racy += racy.is != RACE_NONE;
}

static bool found_race(const struct graph *g)
{
    struct channel_graph *c = &rt.channel->graph;

    c->signature = signature_of_race(&racy.race);
    c->not_sc = c->wants_not_sc && !engine->is_sc(&search, g);
    found(FOUND_RACE, g);
    c->race[0] = native_told_as(racy.race.first);
    c->race[1] = native_told_as(racy.race.second);
    return false;
}

/* On SC a race is no excuse for what follows it.  What the graph was found for
 * shows its races, too. */
static bool found_races_on_sc(const struct graph *g,
                              const struct graph_thread *threads,
                              unsigned count)
{
    static struct graph_race races[RACES_MAX];
    struct channel_graph *c = &rt.channel->graph;
    size_t n;

    c->race_count = 0;
    if (!c->wants_races || c->only_counts || is_assumed(threads, count))
        return false;
    n = engine->races(&search, g, races, RACES_MAX);
    for (size_t i = 0; i < n && c->race_count < GRAPH_RACES_MAX; i++) {
        uint64_t signature = signature_of_race(&races[i]);
        uint32_t k = 0;

        while (k < c->race_count && c->races[k].signature != signature)
            k++;
        if (k == c->race_count && !is_known(signature))
            c->races[c->race_count++] = (struct graph_race_sites){
                op_at(races[i].first)->site, op_at(races[i].second)->site,
                signature};
    }
    if (c->race_count && c->found == FOUND_NOTHING)
        found(FOUND_RACE, g);
    return c->race_count > 0;
}

/* ---- Executions ---- */

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
    count_outcome(true);
    if (c->graph.all_known || c->graph.only_counts || racy.is ||
        is_known(signature))
        return !is_asked_to_stop();
    c->graph.signature = signature;
    return found(FOUND_FAILURE, g);
}

/* A race is one also where a thread waits in vain; who draws executions takes
 * that for one of them. */
static bool count_in_vain(void)
{
    struct channel *c = rt.channel;

    if (racy.is && c->strategy != STRATEGY_GRAPH && !c->graph.only_counts) {
        c->done++;
        c->failed++;
    } else {
        c->graph.blocked++;
    }
    return !is_asked_to_stop();
}

/* What follows a race is the race's: its behaviour is undefined. */
static bool count_leaf(enum leaf leaf, const struct graph *g,
                       const struct graph_thread *threads, unsigned count)
{
    struct channel *c = rt.channel;

    if (leaf == LEAF_IN_VAIN)
        return count_in_vain();
    c->done++;
    c->checked |= __fencer_checked;
    native_put_outcome(threads, count);
    if (leaf == LEAF_COMPLETE && is_misjudged(threads))
        leaf = LEAF_MISJUDGED;
    if (listing && c->graph.lists)
        add_lists(g, leaf == LEAF_FAILED || leaf == LEAF_MISJUDGED);
    if (leaf == LEAF_FAILED || leaf == LEAF_MISJUDGED) {
        bool goes_on = count_failure(leaf, g, threads, count);

        if (!racy.is)
            return goes_on;
    } else {
        c->failed += racy.is != RACE_NONE;
    }
    c->assumed += leaf == LEAF_ASSUMED;
    c->cut += leaf == LEAF_CUT;
    if (leaf == LEAF_COMPLETE) {
        c->complete++;
        count_outcome(false);
        if (c->spec == SPEC_ALLOWED && !c->graph.judges &&
            !c->graph.all_known && !c->graph.only_counts && !racy.is &&
            !observe_is_allowed())
            return found(FOUND_STRANGE, g);
    }
    if ((leaf != LEAF_ASSUMED || native_is_weakest()) &&
        c->graph.wants_not_sc && !c->graph.not_sc && racy.is != RACE_NEW &&
        !engine->is_sc(&search, g)) {
        c->graph.not_sc = 1;
        return c->graph.only_counts ? !is_asked_to_stop()
                                    : found(FOUND_NOT_SC, g);
    }
    return !is_asked_to_stop();
}

/* Where all threads have returned they are only asked for what they observed,
 * which in most programs is nothing. */
static bool asks_threads(enum graph_end end)
{
    return end != GRAPH_COMPLETE || native_has_notes() ||
           rt.channel->graph.judges;
}

/* Reads that were left out: could one of them race?  What a thread did that has
 * equals, one of these may have done. */
static void look_at_waits(const struct graph *g)
{
    for (uint32_t i = 0; i < native.awaited_count; i++) {
        const struct native_awaited *a = &native.awaited[i];
        struct graph_guard guard = {
            .location = native_location_at(a->address),
            .mutex = native_location_at(a->mutex),
            .threads = native.trie->twins.linked ? UINT32_MAX : a->threads,
            .plain = a->plain};

        if (native_leaves_out_waits() && engine->unguarded(&search, g, &guard))
            native_has_trait(TRAIT_WAITS_RACE, true);
    }
}

/* Does a thread store without end where all others wait? */
static bool stores_for_good(const struct graph_thread *threads, unsigned count)
{
    bool any = false;

    for (unsigned t = 0; t < count; t++) {
        const struct op *op = op_at(threads[t].at);
        uint64_t loop = op->kind == OP_BLOCK && op->why == NATIVE_AWAITS
                            ? op->operand
                            : threads[t].polls;

        if (!threads[t].made || !loop)
            continue;
        native_redoes_for_good((uint32_t)loop);
        any = true;
    }
    return any;
}

/* Who searches a part, or goes on where another stopped, has not seen all that
 * other threads do. */
static bool sees_part(void)
{
    return rt.channel->graph.shared || !sees_all;
}

/* Of a model that is the weakest of several: may a load be late, by what was
 * met so far?  Then so it is in the end, and the rest is not worth the while.
 * Looks after 1, 2, 4, ... executions. */
static bool is_not_worth_it(void)
{
    uint64_t count = rt.channel->done + rt.channel->graph.blocked;
    struct thread_pair pair;

    return native_is_weakest() && !(count & (count - 1)) &&
           rt.channel->graph.found == FOUND_NOTHING &&
           thread_orders_unprotected(search.orders, sees_part(), &pair);
}

static bool ended(void *context, const struct graph *g, enum graph_end end)
{
    struct graph_thread threads[GRAPH_THREADS_MAX];
    unsigned count = 0;
    enum leaf leaf;
    bool goes_on;

    (void)context;
    look_at_waits(g);
    native_look_at_redone(engine, &search, g);
    if (native.refused || native_has_learnt())
        return false;
    rt.channel->events++;
    if (asks_threads(end))
        count = engine->threads(&search, g, threads);
    native.late_cut = native.late_cut || is_cut(threads, count);
    look_for_races(g, threads, count);
    if (native.refused)
        return false;
    leaf = end == GRAPH_FAILED     ? LEAF_FAILED
           : end == GRAPH_COMPLETE ? LEAF_COMPLETE
                                   : leaf_of_waiting(threads, count);
    if (leaf == LEAF_FAILED && end != GRAPH_FAILED &&
        stores_for_good(threads, count))
        return false;
    goes_on = count_leaf(leaf, g, threads, count);
    if (is_not_worth_it())
        return found(FOUND_LATE, g);
    if (leaf != LEAF_IN_VAIN && leaf != LEAF_ASSUMED)
        native_tell_more(engine, &search, g, leaf == LEAF_FAILED,
                         leaf == LEAF_CUT ? 0 : last_outcome, listing);
    if (found_races_on_sc(g, threads, count) ||
        (!is_assumed(threads, count) &&
         native_found_unordered(engine, &search, g)))
        return false;
    return racy.is == RACE_NEW ? found_race(g) : goes_on;
}

/* Soon there is no room for what else threads do.  All that is known is
 * forgotten then, and whoever goes on learns what he needs of it. */
static bool is_to_forget(void)
{
    return rt.channel->graph.forgets || behaviour_is_nearly_full(native.trie);
}

/* Executions may be far between: the tool sees that it goes on. */
static bool pauses(void *context)
{
    (void)context;
    rt.channel->events++;
    return is_asked_to_stop() || is_to_forget();
}

/* ---- Searches ---- */

static uint32_t width; /* of the engine */
static bool keeps;     /* what the last search learnt */

/* Something was learnt that makes another tree: nothing counts so far. */
static void begin_anew(void)
{
    struct channel *c = rt.channel;

    c->done = c->complete = c->failed = c->assumed = c->cut = 0;
    c->outcome_count = c->outcomes_lost = 0;
    c->await_count = 0;
    c->graph.blocked = c->graph.racy = c->graph.step_count = 0;
    c->graph.not_sc = c->graph.unprotected = c->graph.settled = 0;
    c->graph.begun_anew = 1;
    c->explore.incomplete = c->explore.unroll_site = 0;
    memset(c->failures_by_kind, 0, sizeof c->failures_by_kind);
    observe_forget();
    native_tell_none();
    native_forget_seen();
    native.lone_count = 0;
    native.late = false;
    native_begin_part();
}

static struct thread_orders *orders; /* of processors */

/* Whose executions are explored. */
static const struct model *explored_model(void)
{
    return rt.model->with_deps && rt.channel->flags & CHANNEL_DEPS
               ? rt.model->with_deps
               : rt.model;
}

/* The model, as the options of this job have it. */
static const struct model *model_asked_for(void)
{
    static struct model asked_for;

    asked_for =
        model_with(explored_model(), rt.channel->flags & CHANNEL_LOCKS_PAPER,
                   (uint32_t)rt.channel->buffer);
    return &asked_for;
}

static bool is_by_terms(void)
{
    return rt.model->by_axioms;
}

/* By the axioms of one order, or by its own. */
static const struct rules *rules_of_processor(void)
{
    return explored_model()->axioms->axioms ? engine->power : engine->terms;
}

static struct thread_orders *begin_orders(void)
{
    if (!is_by_terms())
        return NULL;
    if (!orders)
        orders = thread_orders_new();
    thread_orders_begin(orders, native.trie, rt.model, 1);
    native_forget_late();
    return orders;
}

static void note_pair(const struct thread_pair *pair)
{
    struct channel_graph *c = &rt.channel->graph;

    c->unprotected = 1;
    c->unprotected_load = pair->load.ix ? op_at(pair->load)->site : 0;
    c->unprotected_store = pair->store.ix ? op_at(pair->store)->site : 0;
}

/* Loads that may be later than a store behind them (thread_order_pairs.c). */
static void look_at_orders(void)
{
    struct channel_graph *c = &rt.channel->graph;
    struct thread_pair pair;

    if (rt.model->by_language && c->wants_pairs && !search.stop &&
        !c->unprotected && native_finds_pair(sees_part(), &pair))
        note_pair(&pair);
    if (!search.orders && native.trie->depends.full)
        native_give_up("more dependencies than can be known", 0);
    if (!search.orders)
        return;
    c->mappings_differ |= thread_orders_differ(orders);
    if (native_orders_are_full(&search))
        native_give_up("threads of more than 1024 accesses on a processor", 0);
    c->settled = native_settles_late();
    if (c->unprotected || !native_doubts_late(&search, sees_part(), &pair))
        return;
    note_pair(&pair);
}

struct graph_search *native_open_search(const struct graph_engine **by)
{
    const struct channel_graph *c = &rt.channel->graph;

    *by = engine = engines[width];
    native.stop = &search.stop;
    if (!keeps) {
        observe_forget_lone();
        native_forget_kept();
        native_begin_search();
    }
    search = (struct graph_search){
        .rules = rt.model->by_language ? engine->c11
                 : is_by_terms()       ? rules_of_processor()
                                       : engine->order,
        .model = model_asked_for(),
        .behaviour = native.trie,
        .orders = keeps && is_by_terms() ? orders : begin_orders(),
        .threads = 1,
        .initial = native_initial,
        .covers = native_covers,
        .reaches = native_reaches,
        .is_ghost = native_location_is_ghost,
        .unwritten = native_unwritten(),
        .reads_unwritten = native_reads_unwritten,
        .ended = ended,
        .drops = true,
        .defers = true,
        .races = c->wants_races,
        .lone = true,
        .symmetric = c->symmetric};
    keeps = false;
    return &search;
}

bool native_wants_races(void)
{
    return rt.model->by_language || rt.channel->graph.wants_races;
}

bool native_has_learnt(void)
{
    return native.restart || native.trie->twins.refuted;
}

/* A join that was never done: main runs as it would after it, among threads
 * that are stuck.  If it cannot, nobody knows, and no two threads are equal. */
static void look_behind_joins(void)
{
    if (native_has_learnt() || native.refused)
        return;
    behaviour_look_behind_joins(native.trie);
    if (native.refused)
        behaviour_refute(native.trie);
    native.refused = false;
}

void native_close_search(void)
{
    look_behind_joins();
    look_at_orders();
    rt.channel->graph.has_equals = native.trie->twins.linked;
    if (native.trie->full)
        native_give_up("too many different ways of a thread", 0);
    if (search.too_long && ++width == ENGINES) {
        rt.channel->graph.too_large = 1;
        native_give_up("executions of more than 1,000 events", 0);
    }
}

/* One search, for the choices that were made before there were threads. */
static void search_once(bool goes_on)
{
    const struct graph_engine *by;
    const struct graph_way *until = native_ends_with();

    native_open_search(&by);
    if (goes_on && !native.late)
        search.resume = *native_resumes_after();
    if (until)
        search.until = *until;
    search.pauses = pauses;
    search.patience = PATIENCE;
    native_search_processor(&search, by, goes_on);
    native_close_search();
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

/* True: nothing is left. */
static bool search_all(bool goes_on)
{
    for (;;) {
        search_once(goes_on);
        goes_on = false;
        if (native.refused)
            return false;
        if (native_has_learnt() || search.too_long) {
            begin_anew();
            if (rt.channel->graph.shared)
                return false; /* so do all others */
            continue;
        }
        if (search.stop && !search.done)
            return false;
        if (native_ends_with() || !next_lone())
            return true;
        if (search.stop)
            return false; /* at the end of all that began so */
    }
}

bool native_is_kept(void)
{
    return keeps;
}

void native_begin_work(bool by_process)
{
    bool goes_on = rt.channel->graph.state_size > 0;
    bool only_learns = goes_on && rt.channel->graph.only_learns;

    keeps = native_takes_kept();
    native_tell_none();
    native_begin_late();
    native.refused = false;
    native.goes_on = goes_on;
    if (keeps)
        return;
    if (!native.trie)
        native.trie = behaviour_new(native_run_thread, NULL);
    native.trie->twins = (struct behaviour_twins){.equals = native_equals,
                                                  .renames = native_renames};
    native.lone_count = native.birth_count = width = 0;
    native.late = false;
    native.asks_mutexes = false;
    /* C11 has no such accesses, and POWER's rules for them are not known. */
    native.knows_parts = model_has_machine(rt.model)
                             ? true
                             : is_by_terms() && rt.model->axioms->parts;
    native.traits = 0;
    native.awaited_count = native.redone_count = 0;
    native.guards_waits =
        rt.channel->strategy == STRATEGY_GRAPH || rt.channel->graph.only_counts;
    native_forget_files();
    native.all_shared = native_model_carries() || rt.channel->buffer;
    native.keeps_rounds = rt.channel->graph.keeps_rounds;
    native_forget_notes();
    native_share_words(NULL, 0);
    native_take_facts(NULL, 0);
    native_take_reaches(NULL, 0);
    if (by_process)
        native_give_up("it needs a process for each execution", 0);
    if (rt.channel->flags & CHANNEL_DEPS &&
        !(__fencer_program.flags & PROGRAM_DEPENDS))
        native_give_up("--deps of a program that was built without "
                       "--track-deps",
                       0);
    if (goes_on)
        width = native_load_state();
    if (only_learns)
        native_forget_seen();
    else if (goes_on)
        native_take_place();
    sees_all = only_learns || !goes_on;
    if (sees_all)
        native_begin_part();
    MUST(width < ENGINES);
}

void native_end_work(void)
{
    struct channel *c = rt.channel;

    if (native.refused) {
        native_forget_kept();
        strcpy(c->graph.refused, native.why);
    } else {
        native_save_state(width, &search.at);
    }
    c->graph.over = 1;
}

static void end_part(void)
{
    volatile struct channel_graph *c = &rt.channel->graph;

    if (native.refused || (c->begun_anew && c->shared))
        return;
    /* With late loads threads did what they may never do. */
    if ((search.orders && !native_is_weakest()) || is_to_forget())
        native_forget_kept();
    else
        native_keep();
    if (c->gives && !rt.channel->exhausted)
        native_give_part();
}

/* All of them are to be written down, and they are not too many: once more,
 * which costs less than to write what nobody reads. */
static bool search_again(void)
{
    begin_anew();
    listing = true;
    return search_all(false);
}

static void work(bool by_process)
{
    struct channel *c = rt.channel;
    bool all;

    listing = false;
    native_begin_work(by_process);
    all = !native.refused &&
          search_all(c->graph.state_size && !c->graph.only_learns);
    if ((c->graph.lists || c->graph.tells) && all)
        all = search_again();
    c->exhausted = all;
    native_end_work();
    end_part();
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
