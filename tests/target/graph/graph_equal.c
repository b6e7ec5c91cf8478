/* SPDX-License-Identifier: MIT
 *
 * Programs with equal threads: the search that knows of them against the one
 * that does not.  What it finds, with the names of equal threads changed in all
 * ways, must be what the other one finds, and no two of its graphs may differ
 * in names alone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

struct tally {
    uint64_t programs, symmetric, refuted, graphs, classes, wrong;
};

/* What one search found. */
struct found {
    const struct mini *p;
    struct behaviour *behaviour;
    struct graph_search *search;
    bool reduces;            /* reads that wait for good are left out */
    struct canon_set graphs; /* with all their names, if it is symmetric */
    struct canon_set races;
    uint64_t classes, again;
    bool has_twins;
};

/* A join that nothing follows may be of any of the equals. */
static void leave_out_joins(struct graph *g)
{
    for (unsigned t = 0; t < g->thread_count; t++) {
        int e = graph_last_of(g, t);

        while (e != NONE && g->events[e].kind == NODE_JOIN) {
            g->of_thread[t] &= ~row_of(e);
            e = graph_last_of(g, t);
        }
    }
}

/* ---- Names ---- */

static int class_of(const struct graph *g, unsigned thread)
{
    while (g->twin[thread] != NONE)
        thread = (unsigned)g->twin[thread];
    return (int)thread;
}

/* Every way to give the threads from t on the names of their equals. */
static void put_names(struct found *f, const struct graph *g,
                      enum graph_end end, unsigned t, unsigned *names,
                      uint32_t used)
{
    struct canon text;

    if (t == g->thread_count) {
        watch_text(f->p, g, names, &text);
        canon_put(&text, end);
        canon_add(&f->graphs, &text);
        return;
    }
    for (unsigned n = 0; n < g->thread_count; n++) {
        if (used >> n & 1 || class_of(g, n) != class_of(g, t))
            continue;
        names[t] = n;
        put_names(f, g, end, t + 1, names, used | 1u << n);
    }
}

static void put_races(struct found *f, const struct graph *g)
{
    struct graph_race races[64];
    size_t count =
        g->releases ? graph_engine_here.races(f->search, g, races, 64) : 0;

    for (size_t i = 0; i < count; i++)
        brute_put_race(&f->races,
                       behaviour_op(f->behaviour, races[i].first)->site,
                       behaviour_op(f->behaviour, races[i].second)->site);
}

static bool ended(void *context, const struct graph *g, enum graph_end end)
{
    struct found *f = context;
    static struct graph seen;
    unsigned names[GRAPH_THREADS_MAX];
    struct canon text;

    put_races(f, g);
    graph_copy(&seen, g);
    if (f->reduces && !watch_settle(f->behaviour, g, &seen))
        return true;
    leave_out_joins(&seen);
    for (unsigned t = 0; t < g->thread_count; t++)
        names[t] = t;
    watch_text(f->p, &seen, names, &text);
    canon_put(&text, end);
    f->classes++;
    f->again += canon_has(&f->graphs, &text);
    f->has_twins = f->has_twins || g->has_twins;
    put_names(f, &seen, end, 0, names, 0);
    return true;
}

/* ---- Searches ---- */

static uint64_t initial(void *context, unsigned location)
{
    const struct found *f = context;

    return f->p->initial[location];
}

/* With all that leaves something out; or with nothing of it. */
static void run(struct found *f, int m, enum graph_schedule how, bool symmetric)
{
    struct graph_search s = {.rules = watch_models[m].rules,
                             .model = watch_model_of(m),
                             .behaviour = f->behaviour,
                             .threads = f->p->started,
                             .initial = initial,
                             .ended = ended,
                             .drops = f->reduces && symmetric,
                             .defers = f->reduces && symmetric,
                             .symmetric = symmetric,
                             .context = f,
                             .schedule = how};

    s.orders = watch_orders(s.rules, s.model, s.behaviour, s.threads);
    f->search = &s;
    graph_search_run(&s);
    behaviour_look_behind_joins(f->behaviour);
}

static void forget(struct found *f)
{
    canon_free(&f->graphs);
    canon_free(&f->races);
    f->classes = f->again = 0;
    f->has_twins = false;
}

/* As long as it finds out that some are not equal. */
static void run_symmetric(struct found *f, int m, enum graph_schedule how,
                          struct tally *sum)
{
    memset(f->behaviour->twins.unequal, 0, sizeof f->behaviour->twins.unequal);
    behaviour_forget(f->behaviour);
    for (;;) {
        run(f, m, how, true);
        if (!f->behaviour->twins.refuted)
            break;
        sum->refuted++;
        forget(f);
        behaviour_forget(f->behaviour);
    }
    sum->symmetric += f->has_twins;
}

static bool is_same(const struct canon_set *a, const struct canon_set *b)
{
    return a->count == b->count && canon_covers(a, b);
}

/* `plain` has no rule for mutexes. */
static void compare(const struct mini *p, struct behaviour *b,
                    struct behaviour *plain, uint64_t number, bool reduces,
                    int m, struct tally *sum)
{
    struct found whole = {.p = p, .behaviour = plain, .reduces = reduces};

    run(&whole, m, SCHEDULE_FIRST, false);
    for (int how = 0; how < SCHEDULE_COUNT; how++) {
        struct found less = {.p = p, .behaviour = b, .reduces = reduces};

        run_symmetric(&less, m, how, sum);
        sum->graphs += whole.graphs.count;
        sum->classes += less.classes;
        if (less.again || !is_same(&less.graphs, &whole.graphs) ||
            !is_same(&less.races, &whole.races)) {
            sum->wrong++;
            printf("program %" PRIu64 ", %s, schedule %d%s: %" PRIu64
                   " classes, %" PRIu64 " again, %zu graphs of %zu, %zu races "
                   "of %zu\n",
                   number, watch_models[m].name, how,
                   reduces ? ", reduced" : "", less.classes, less.again,
                   less.graphs.count, whole.graphs.count, less.races.count,
                   whole.races.count);
            mini_print(p);
        }
        forget(&less);
    }
    forget(&whole);
}

static void make(struct mini *p, unsigned accesses, int kind, struct random *r)
{
    if (kind == 0)
        mini_random(p, accesses, r);
    else if (kind == 1)
        mini_random_locks(p, r);
    else
        mini_random_bundles(p, accesses, r);
    mini_make_equal(p, r);
}

/* What drops nothing is no fair comparison for mutexes: who waits has no
 * event. */
static void compare_all(const struct mini *p, const struct mini *plain,
                        uint64_t number, bool locks, struct tally *sum)
{
    struct mini_run *open[] = {mini_open(p), mini_open(plain)};

    sum->programs++;
    for (int m = 0; m < watch_model_count(p); m++) {
        if (!watch_takes(p, m, number))
            continue;
        for (int reduces = locks; reduces < 2; reduces++)
            compare(p, mini_behaviour(open[0]), mini_behaviour(open[1]), number,
                    reduces, m, sum);
    }
    mini_close(open[0]);
    mini_close(open[1]);
}

/* ---- Joins that are never done ----
 *
 * Two threads add to x and wait for y, which nobody writes; who made them joins
 * both.  What comes after the first join is asked: it is the second one, so the
 * two are equal, and one graph has all. */

static void make_waiting(struct mini *p)
{
    *p = (struct mini){.threads = 3, .started = 1, .locations = 2};
    for (unsigned t = 1; t < 3; t++) {
        p->code[0][t - 1] =
            (struct mini_code){.kind = MINI_CREATE, .thread = t};
        p->code[0][t + 1] = (struct mini_code){.kind = MINI_JOIN, .thread = t};
        p->code[t][0] = (struct mini_code){
            .kind = MINI_ADD, .first = {-1, 1}, .order = ORDER_RELAXED};
        p->code[t][1] = (struct mini_code){
            .kind = MINI_LOAD, .location = 1, .order = ORDER_RELAXED};
        p->code[t][2] = (struct mini_code){.kind = MINI_ASSUME,
                                           .second = {.from = -1, .add = 1}};
        p->length[t] = 3;
    }
    p->length[0] = 4;
    p->like[2] = 1 + 1;
}

static bool stays_equal(void)
{
    struct mini p;
    struct mini_run *open;
    bool right = true;

    make_waiting(&p);
    open = mini_open(&p);
    for (int how = 0; how < SCHEDULE_COUNT; how++) {
        struct found f = {.p = &p, .behaviour = mini_behaviour(open)};
        struct tally sum = {0};

        run_symmetric(&f, BRUTE_SC, how, &sum);
        if (sum.refuted || f.classes != 1) {
            printf("joins never done, schedule %d: %" PRIu64
                   " refuted, %" PRIu64 " classes\n",
                   how, sum.refuted, f.classes);
            right = false;
        }
        forget(&f);
    }
    mini_close(open);
    return right;
}

/* Few enough to look at all of them. */
static bool is_small(const struct mini *p)
{
    struct mini_run *open = mini_open(p);
    bool small = true;

    for (int m = 0; small && m < (p->bundles ? BRUTE_C11 : BRUTE_ARM); m++) {
        struct watched x = {0};
        struct graph_counts c =
            watch_run(p, mini_behaviour(open), m, SCHEDULE_FIRST, &x);

        small = c.ends[GRAPH_COMPLETE] + c.ends[GRAPH_BLOCKED] < 20000;
    }
    mini_close(open);
    return small;
}

int test_equal(unsigned long count, uint64_t seed, unsigned accesses)
{
    static const char *const names[] = {"accesses", "mutexes", "bundles"};

    if (!stays_equal())
        return 1;
    for (int kind = 0; kind < 3; kind++) {
        struct tally sum = {0};

        for (uint64_t i = 0; i < count && sum.wrong < 5; i++) {
            struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
            struct mini p, plain;

            make(&p, accesses, kind, &r);
            plain = p;
            plain.plain_locks = true;
            if (is_small(&plain))
                compare_all(&p, &plain, seed + i, kind == 1, &sum);
        }
        printf("%s: %" PRIu64 " programs, %" PRIu64 " searches with equal "
               "threads, %" PRIu64 " refuted, %" PRIu64 " graphs of %" PRIu64
               ": %" PRIu64 " wrong\n",
               names[kind], sum.programs, sum.symmetric, sum.refuted,
               sum.classes, sum.graphs, sum.wrong);
        if (sum.wrong || !sum.symmetric)
            return 1;
    }
    return 0;
}
