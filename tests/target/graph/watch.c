/* SPDX-License-Identifier: MIT */
#include "watch.h"

#include <string.h>

#include "base/check.h"

const struct watch_model watch_models[BRUTE_MODELS] = {
    {"sc", &rules_order, &model_sc, false},
    {"tso", &rules_order, &model_tso, false},
    {"pso", &rules_order, &model_pso, false},
    {"pslo", &rules_order, &model_pslo, false},
    {"pslo-deps", &rules_order, &model_pslo, true},
    {"c11", &rules_c11, NULL, false},
    {"arm", &rules_terms, &model_arm, false},
    {"arm-llsc", &rules_terms, &model_arm_llsc, false},
    {"arm-rcpc", &rules_terms, &model_arm_rcpc, false},
    {"riscv", &rules_terms, &model_riscv, false},
    {"power", &rules_power, &model_power, false}};

const struct model *watch_model_of(int m)
{
    const struct watch_model *w = &watch_models[m];

    return w->deps ? w->model->with_deps : w->model;
}

int watch_model_count(const struct mini *p)
{
    return p->blocks ? BRUTE_C11 : p->bundles ? BRUTE_POWER : BRUTE_MODELS;
}

bool watch_takes(const struct mini *p, int m, uint64_t number)
{
    if (m == BRUTE_C11 && p->bundles)
        return false;
    if (m == BRUTE_PSLO_DEPS)
        return p->depends || number % 4 == 0;
    if (p->everybody && m >= BRUTE_C11)
        return p->processors && m - BRUTE_ARM == (int)(number / 4 % 4);
    if (p->depends)
        return m >= BRUTE_ARM;
    return m < BRUTE_ARM || number % 20 == 4u * (unsigned)(m - BRUTE_ARM);
}

uint64_t watch_initial(void *context, unsigned location)
{
    const struct watched *x = context;

    return x->p->initial[location];
}

int watch_reaches(void *context, behaviour_node node, struct graph_reach *to)
{
    const struct watched *x = context;

    return mini_reaches(x->behaviour, node, to);
}

bool watch_is_ghost(void *context, unsigned location)
{
    (void)context;
    (void)location;
    return false;
}

/* Of a MINI_FREE. */
static bool covers(void *context, const struct op *op, unsigned location)
{
    (void)context;
    return op->operand == location;
}

static unsigned name_of(const struct graph *g, const unsigned *names, int e)
{
    unsigned t;

    if (e < 0)
        return 0;
    t = g->events[e].thread;
    return 1 + names[t] * 32 + (unsigned)row_rank(g->of_thread[t], e);
}

static void put_thread(const struct graph *g, const unsigned *names, unsigned t,
                       struct canon *to)
{
    int e;

    ROW_EACH (e, g->of_thread[t]) {
        canon_put(to, name_of(g, names, e));
        canon_put(to, g->events[e].kind);
        if (node_reads(&g->events[e]))
            canon_put(to, name_of(g, names, g->events[e].rf));
        if (g->events[e].kind == NODE_CHOICE)
            canon_put(to, (unsigned)g->events[e].value);
    }
}

/* As canonical() of brute.c: the two kinds of graphs have nothing in common. */
void watch_text(const struct mini *p, const struct graph *g,
                const unsigned *names, struct canon *to)
{
    int e;

    to->count = 0;
    for (unsigned name = 0; name < g->thread_count; name++) {
        for (unsigned t = 0; t < g->thread_count; t++)
            if (names[t] == name)
                put_thread(g, names, t, to);
    }
    for (unsigned l = 0; l < p->locations; l++) {
        int count = l < g->location_count ? row_count(g->writes[l]) : 0;

        canon_put(to, 255);
        for (int after = count - 1; after >= 0; after--) {
            ROW_EACH (e, g->writes[l])
                if (row_count(g->co_after[e]) == after)
                    canon_put(to, name_of(g, names, e));
        }
    }
}

static void canonical(const struct mini *p, const struct graph *g,
                      struct canon *to)
{
    static const unsigned names[GRAPH_THREADS_MAX] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

    watch_text(p, g, names, to);
}

/* Fences of its own at the end of a thread. */
static row last_fences(const struct graph *g, unsigned t)
{
    row own = g->of_thread[t];

    while (row_any(own & ~g->everybody) &&
           g->events[row_last(own)].kind == NODE_FENCE &&
           !row_has(g->everybody, row_last(own)))
        own &= ~row_of(row_last(own));
    return g->of_thread[t] & ~own;
}

/* A thread whose last read blocked it.  `*last`: does it read the last write?
 */
static bool is_blocked(const struct behaviour *b, const struct graph *g,
                       unsigned t, bool *last)
{
    row own = g->of_thread[t] & ~last_fences(g, t);
    int e = row_any(own) ? row_last(own) : NONE;

    if (behaviour_op(b, g->at[t])->kind != OP_BLOCK || e < 0 ||
        !node_reads(&g->events[e]))
        return false;
    *last = true;
    for (int i = e - g->events[e].part; i <= e; i++)
        *last = *last && !row_any(graph_co_after(g, g->events[i].rf,
                                                 g->events[i].location));
    return true;
}

/* Of every graph, also of those where something is blocked. */
static void take_races(struct watched *x, const struct graph *g)
{
    struct graph_race races[64];
    size_t count;

    if (!g->releases && x->search->model != &model_sc)
        return;
    count = graph_engine_here.races(x->search, g, races, 64);
    for (size_t i = 0; i < count; i++)
        brute_put_race(&x->races,
                       behaviour_op(x->behaviour, races[i].first)->site,
                       behaviour_op(x->behaviour, races[i].second)->site);
}

bool watch_settle(const struct behaviour *b, const struct graph *g,
                  struct graph *to)
{
    bool last;

    graph_copy(to, g);
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (!is_blocked(b, g, t, &last))
            continue;
        if (!last)
            return false;
        to->of_thread[t] &= ~last_fences(g, t);
        to->of_thread[t] &= ~graph_bundle(g, graph_last_of(to, t));
    }
    return true;
}

/* Complete graphs, and those where nothing can ever go on: reads that block
 * read the last write.  They are left out of the text: whether a waiting thread
 * looked once more is all the same. */
bool watch_reduced(void *context, const struct graph *g, enum graph_end end)
{
    struct watched *x = context;
    static struct graph seen;
    struct canon text;

    if (!x->search->late)
        watch_fits(g);
    take_races(x, g);
    if (!watch_settle(x->behaviour, g, &seen))
        return true;
    canonical(x->p, &seen, &text);
    canon_put(&text, end);
    if (!canon_add(&x->found, &text))
        x->twice++;
    else if (x->right && !canon_has(x->right, &text))
        x->extra++;
    return true;
}

/* A graph that is judged as a whole (of late loads all are) has the order that
 * it got event by event. */
static bool is_judged_alike(const struct graph_search *s, const struct graph *g)
{
    static struct graph whole; /* large */

    if (!s->rules->judge || g->propagates)
        return true;
    graph_copy(&whole, g);
    if (!s->rules->judge(&whole))
        return false;
    for (int e = 0; e < g->count; e++) {
        row other = ~graph_bundle(g, e);

        if (node_accesses(&g->events[e]) &&
            row_any((whole.before[e] ^ g->before[e]) & other))
            return false;
    }
    return true;
}

static bool look(void *context, const struct graph *g, enum graph_end end)
{
    struct watched *x = context;
    struct graph_race race;
    struct canon text;

    (void)end;
    if (!x->search->late)
        watch_fits(g);
    take_races(x, g);
    canonical(x->p, g, &text);
    if (x->search->model == &model_sc && !g->orders &&
        graph_engine_here.unordered(x->search, g, &race))
        canon_add(&x->unordered, &text);
    if (!canon_add(&x->found, &text))
        x->twice++;
    else if (!canon_has(x->right, &text))
        x->extra++;
    x->misjudged += !is_judged_alike(x->search, g);
    if (x->on_sc &&
        graph_engine_here.is_sc(x->search, g) != canon_has(x->on_sc, &text))
        x->misjudged++;
    return true;
}

static struct thread_orders *orders; /* large: one for all */

struct thread_orders *watch_orders_now(void)
{
    return orders;
}

struct thread_orders *watch_orders(const struct rules *rules,
                                   const struct model *m, struct behaviour *b,
                                   unsigned started)
{
    if (rules != &rules_terms && rules != &rules_power)
        return NULL;
    if (!orders)
        orders = thread_orders_new();
    thread_orders_begin(orders, b, m, started);
    return orders;
}

/* ---- Is the order of a step that of its way alone? ---- */

static struct effect effect_at(struct behaviour *b, behaviour_node node,
                               uint64_t value)
{
    const struct op *op = behaviour_op(b, node);

    if (op->kind == OP_STORE || op->kind == OP_FREE)
        return (struct effect){.writes = 1};
    return op->kind == OP_RMW || op->kind == OP_CAS || op->kind == OP_SYNC
               ? behaviour_effect(b, node, value)
               : (struct effect){.writes = 0};
}

static bool is_same_step(const struct thread_step *x,
                         const struct thread_step *y)
{
    return x->events == y->events && x->has_read == y->has_read &&
           x->has_write == y->has_write && x->one_node == y->one_node &&
           !memcmp(&x->before_read, &y->before_read, sizeof x->before_read) &&
           !memcmp(&x->before_write, &y->before_write, sizeof x->before_write);
}

/* Nodes share what others of their shape have (thread_order_shapes.c): compares
 * with an order that knows one way at a time.  Of some searches: it takes
 * longer than they do. */
static void check_shapes(const struct graph_search *s)
{
    static struct thread_orders *alone;
    static unsigned searches;
    struct behaviour *b = s->behaviour;

    if (!s->orders || searches++ % 64)
        return;
    if (!alone)
        alone = thread_orders_new();
    for (uint32_t i = 1, end = b->count; i < end; i++) {
        behaviour_node at = behaviour_parent(b, (behaviour_node){i});
        struct effect effect;

        if (!at.ix)
            continue;
        effect = effect_at(b, at, b->entries[i].value);
        thread_orders_begin(alone, b, s->model, s->threads);
        CHECK(is_same_step(thread_order_of(s->orders, at, &effect),
                           thread_order_of(alone, at, &effect)));
    }
}

int watch_run_late(struct graph_search *s)
{
    bool (*ended)(void *, const struct graph *, enum graph_end) = s->ended;
    struct thread_pair pair;
    int rounds = 0;

    if (!thread_orders_unprotected(s->orders, false, &pair))
        return 0;
    s->late = true;
    s->ended = NULL;
    s->leaves_left = UINT64_MAX;
    while (thread_orders_next_late(s->orders) &&
           (!rounds || rounds <= s->most_writes)) {
        graph_search_run(s);
        rounds++;
    }
    s->ended = ended;
    graph_search_run(s);
    return thread_orders_lacks_late(s->orders, &pair) ? -1 : rounds;
}

/* Those with a cycle, too. */
static void run_late(struct graph_search *s, struct watched *x)
{
    struct canon_set without = x->found;
    int rounds;

    x->found = (struct canon_set){0};
    rounds = watch_run_late(s);
    x->open = rounds < 0;
    x->rounds = rounds < 0 ? 1 : (uint64_t)rounds;
    x->twice += canon_take(&x->found, &without);
}

struct graph_counts watch_run(const struct mini *p, struct behaviour *b,
                              enum brute_model m, enum graph_schedule how,
                              struct watched *x)
{
    struct graph_search s = {.rules = watch_models[m].rules,
                             .model = watch_model_of(m),
                             .behaviour = b,
                             .threads = p->started,
                             .initial = watch_initial,
                             .reaches = watch_reaches,
                             .is_ghost = watch_is_ghost,
                             .covers = covers,
                             .ended = x->looks   ? watch_reduced
                                      : x->right ? look
                                                 : NULL,
                             .drops = x->reduces,
                             .defers = x->reduces,
                             .races = m == BRUTE_SC,
                             .lone = x->lone,
                             .context = x,
                             .schedule = how};

    struct graph_search fresh;

    x->p = p;
    x->behaviour = b;
    x->search = &s;
    if (x->terms || x->by)
        s.rules = &rules_terms;
    if (x->by)
        s.model = x->by;
    s.orders = watch_orders(s.rules, s.model, b, s.threads);
    fresh = s;
    if (x->late)
        thread_orders_begin_late(s.orders, true);
    do {
        canon_free(&x->found);
        canon_free(&x->races);
        canon_free(&x->unordered);
        x->twice = x->extra = x->misjudged = 0;
        s = fresh;
        graph_search_run(&s);
    } while (p->blocks && mini_grew(b));
    if (x->late)
        run_late(&s, x);
    else
        check_shapes(&s);
    return s.counts;
}
