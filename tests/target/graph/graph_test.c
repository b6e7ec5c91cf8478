/* SPDX-License-Identifier: MIT
 *
 * The graph search against brute force: the same graphs, none missing, none too
 * many, none twice, on every model and under every schedule.
 *
 *   graph_test random [COUNT [SEED [ACCESSES]]]
 *   graph_test reduced [COUNT [SEED]]   rules that leave out what is blocked
 *   graph_test counts     published numbers of executions
 *   graph_test speed      executions a second
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "brute.h"
#include "graph/graph_search.h"

static const struct {
    const char *name;
    const struct rules *rules;
    const struct model *model;
} models[BRUTE_MODELS] = {{"sc", &rules_order, &model_sc},
                          {"tso", &rules_order, &model_tso},
                          {"pso", &rules_order, &model_pso},
                          {"pslo", &rules_order, &model_pslo},
                          {"c11", &rules_c11, NULL}};

/* ---- One search ---- */

struct watched {
    const struct mini *p;
    const struct canon_set *right; /* or NULL */
    struct canon_set found;
    uint64_t twice, extra;
    const struct behaviour *behaviour;
    bool reduces; /* drops and defers; only `look_reduced` is fair then */
    bool looks;   /* by look_reduced */
};

static uint64_t initial_value(void *context, unsigned location)
{
    const struct watched *x = context;

    return x->p->initial[location];
}

static unsigned name_of(const struct graph *g, int e)
{
    unsigned t;

    if (e < 0)
        return 0;
    t = g->events[e].thread;
    return 1 + t * 32 + (unsigned)row_rank(g->of_thread[t], e);
}

/* As canonical() of brute.c: the two kinds of graphs have nothing in common. */
static void canonical(const struct mini *p, const struct graph *g,
                      struct canon *to)
{
    int e;

    to->count = 0;
    for (unsigned t = 0; t < g->thread_count; t++) {
        ROW_EACH (e, g->of_thread[t]) {
            canon_put(to, name_of(g, e));
            canon_put(to, g->events[e].kind);
            if (node_reads(&g->events[e]))
                canon_put(to, name_of(g, g->events[e].rf));
        }
    }
    for (unsigned l = 0; l < p->locations; l++) {
        int count = l < g->location_count ? row_count(g->writes[l]) : 0;

        canon_put(to, 255);
        for (int after = count - 1; after >= 0; after--) {
            ROW_EACH (e, g->writes[l])
                if (row_count(g->co_after[e]) == after)
                    canon_put(to, name_of(g, e));
        }
    }
}

/* A thread whose last read blocked it.  `*last`: does it read the last write?
 */
static bool is_blocked(const struct behaviour *b, const struct graph *g,
                       unsigned t, bool *last)
{
    int e = graph_last_of(g, t);

    if (behaviour_op(b, g->at[t])->kind != OP_BLOCK ||
        !node_reads(&g->events[e]))
        return false;
    *last = !row_any(graph_co_after(g, g->events[e].rf, g->events[e].location));
    return true;
}

/* Complete graphs, and those where nothing can ever go on: reads that block
 * read the last write.  They are left out of the text: whether a waiting thread
 * looked once more is all the same. */
static bool look_reduced(void *context, const struct graph *g,
                         enum graph_end end)
{
    struct watched *x = context;
    static struct graph seen;
    struct canon text;
    bool last;

    graph_copy(&seen, g);
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (!is_blocked(x->behaviour, g, t, &last))
            continue;
        if (!last)
            return true;
        seen.of_thread[t] &= ~row_of(graph_last_of(g, t));
    }
    canonical(x->p, &seen, &text);
    canon_put(&text, end);
    if (!canon_add(&x->found, &text))
        x->twice++;
    else if (x->right && !canon_has(x->right, &text))
        x->extra++;
    return true;
}

static bool look(void *context, const struct graph *g, enum graph_end end)
{
    struct watched *x = context;
    struct canon text;

    (void)end;
    canonical(x->p, g, &text);
    if (!canon_add(&x->found, &text))
        x->twice++;
    else if (!canon_has(x->right, &text))
        x->extra++;
    return true;
}

static struct graph_counts run(const struct mini *p, struct behaviour *b,
                               enum brute_model m, enum graph_schedule how,
                               struct watched *x)
{
    struct graph_search s = {.rules = models[m].rules,
                             .model = models[m].model,
                             .behaviour = b,
                             .threads = p->started,
                             .initial = initial_value,
                             .ended = x->looks   ? look_reduced
                                      : x->right ? look
                                                 : NULL,
                             .drops = x->reduces,
                             .defers = x->reduces,
                             .context = x,
                             .schedule = how};

    x->p = p;
    x->behaviour = b;
    graph_search_run(&s);
    return s.counts;
}

/* ---- Random programs ---- */

struct tally {
    uint64_t programs, left_out, graphs, wrong, differ[BRUTE_MODELS];
};

static void compare(const struct mini *p, struct behaviour *b, uint64_t seed,
                    const struct canon_set *sets, struct tally *sum)
{
    for (int m = 0; m < BRUTE_MODELS; m++) {
        sum->differ[m] += sets[m].count != sets[BRUTE_SC].count;
        for (int how = 0; how < SCHEDULE_COUNT; how++) {
            struct watched x = {.right = &sets[m]};

            run(p, b, m, how, &x);
            sum->graphs += x.found.count;
            if (x.twice || x.extra || x.found.count != sets[m].count) {
                sum->wrong++;
                printf("program %" PRIu64 ", %s, schedule %d: %zu graphs, "
                       "%" PRIu64 " twice, %" PRIu64 " too many; right %zu\n",
                       seed, models[m].name, how, x.found.count, x.twice,
                       x.extra, sets[m].count);
                mini_print(p);
            }
            canon_free(&x.found);
        }
    }
}

static int test_random(unsigned long count, uint64_t seed, unsigned accesses)
{
    struct tally sum = {0};

    for (uint64_t i = 0; i < count && sum.wrong < 5; i++) {
        struct canon_set sets[BRUTE_MODELS] = {0};
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        struct mini p;
        struct mini_run *open;

        mini_random(&p, accesses, &r);
        open = mini_open(&p);
        if (brute_force(&p, mini_behaviour(open), sets)) {
            sum.programs++;
            compare(&p, mini_behaviour(open), seed + i, sets, &sum);
        } else {
            sum.left_out++;
        }
        for (int m = 0; m < BRUTE_MODELS; m++)
            canon_free(&sets[m]);
        mini_close(open);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " left out, %" PRIu64
           " graphs on %d models under %d schedules: %" PRIu64 " wrong\n",
           sum.programs, sum.left_out, sum.graphs, BRUTE_MODELS, SCHEDULE_COUNT,
           sum.wrong);
    for (int m = 1; m < BRUTE_MODELS; m++)
        printf("%s differs from sc in %" PRIu64 "\n", models[m].name,
               sum.differ[m]);
    return sum.wrong || !sum.programs;
}

/* ---- Plain and reduced ---- */

struct reduced_tally {
    uint64_t programs, graphs, blocked[2], wrong;
};

/* The whole search, and the one that drops, defers and knows mutexes. */
static void compare_reduced(struct mini *p, uint64_t number,
                            struct reduced_tally *sum)
{
    struct mini_run *open[2];

    sum->programs++;
    for (int way = 0; way < 2; way++) {
        static struct mini programs[2];

        programs[way] = *p;
        programs[way].plain_locks = way == 0;
        open[way] = mini_open(&programs[way]);
    }
    for (int m = 0; m < BRUTE_MODELS; m++) {
        enum graph_schedule how = (number + (unsigned)m) % SCHEDULE_COUNT;
        struct watched whole = {.looks = true},
                       less = {.looks = true, .reduces = true};

        sum->blocked[0] +=
            run(p, mini_behaviour(open[0]), m, how, &whole).ends[GRAPH_BLOCKED];
        less.right = &whole.found;
        sum->blocked[1] +=
            run(p, mini_behaviour(open[1]), m, how, &less).ends[GRAPH_BLOCKED];
        sum->graphs += whole.found.count;
        if (whole.twice || less.twice || less.extra ||
            less.found.count != whole.found.count) {
            sum->wrong++;
            printf("program %" PRIu64 ", %s, schedule %d: %zu graphs of %zu, "
                   "%" PRIu64 " twice, %" PRIu64 " too many\n",
                   number, models[m].name, (int)how, less.found.count,
                   whole.found.count, less.twice, less.extra);
            mini_print(p);
        }
        canon_free(&whole.found);
        canon_free(&less.found);
    }
    mini_close(open[0]);
    mini_close(open[1]);
}

static int test_reduced(unsigned long count, uint64_t seed)
{
    for (int locks = 0; locks < 2; locks++) {
        struct reduced_tally sum = {0};

        for (uint64_t i = 0; i < count && sum.wrong < 5; i++) {
            struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
            struct mini p;

            if (locks)
                mini_random_locks(&p, &r);
            else
                mini_random(&p, 9, &r);
            compare_reduced(&p, seed + i, &sum);
        }
        printf("%s: %" PRIu64 " programs, %" PRIu64 " graphs, blocked %" PRIu64
               " in the whole search, %" PRIu64 " in the reduced one: %" PRIu64
               " wrong\n",
               locks ? "mutexes" : "awaits", sum.programs, sum.graphs,
               sum.blocked[0], sum.blocked[1], sum.wrong);
        if (sum.wrong)
            return 1;
    }
    return 0;
}

/* ---- Published counts ---- */

static void put(struct mini *p, unsigned t, struct mini_code c)
{
    p->code[t][p->length[t]++] = c;
    if (c.kind <= MINI_CAS && c.location >= p->locations)
        p->locations = c.location + 1;
    if (t >= p->threads)
        p->threads = p->started = t + 1;
}

static struct mini_value number(uint64_t n)
{
    return (struct mini_value){-1, n};
}

static struct mini_code load(unsigned to, unsigned location,
                             enum event_order order)
{
    return (struct mini_code){
        .kind = MINI_LOAD, .to = to, .location = location, .order = order};
}

static struct mini_code store(unsigned location, struct mini_value v,
                              enum event_order order)
{
    return (struct mini_code){.kind = MINI_STORE,
                              .to = MINI_REGISTERS - 1,
                              .location = location,
                              .first = v,
                              .order = order};
}

static void make_sb(struct mini *p, unsigned n)
{
    (void)n;
    for (unsigned t = 0; t < 2; t++) {
        put(p, t, store(t, number(1), ORDER_RELAXED));
        put(p, t, load(0, 1 - t, ORDER_RELAXED));
    }
}

static void make_2_2w(struct mini *p, unsigned n)
{
    (void)n;
    for (unsigned t = 0; t < 2; t++) {
        put(p, t, store(t, number(1), ORDER_RELAXED));
        put(p, t, store(1 - t, number(2), ORDER_RELAXED));
    }
}

static void make_iriw(struct mini *p, unsigned n)
{
    (void)n;
    put(p, 0, store(0, number(1), ORDER_SEQ_CST));
    for (unsigned t = 1; t < 3; t++) {
        put(p, t, load(0, t - 1, ORDER_ACQUIRE));
        put(p, t, load(1, 2 - t, ORDER_SEQ_CST));
    }
    put(p, 3, store(1, number(1), ORDER_SEQ_CST));
}

static void make_ainc(struct mini *p, unsigned n)
{
    for (unsigned t = 0; t < n; t++)
        put(p, t,
            (struct mini_code){
                .kind = MINI_ADD, .first = number(1), .order = ORDER_RELAXED});
}

static void make_casrot(struct mini *p, unsigned n)
{
    for (unsigned t = 0; t < n; t++)
        put(p, t,
            (struct mini_code){.kind = MINI_CAS,
                               .first = number(t + 1),
                               .second = number(t),
                               .order = ORDER_RELAXED,
                               .failure_order = ORDER_RELAXED});
}

static void make_readers(struct mini *p, unsigned n)
{
    put(p, 0, store(0, number(42), ORDER_RELEASE));
    for (unsigned t = 1; t <= n; t++)
        put(p, t, load(0, 0, ORDER_ACQUIRE));
}

static void make_lastzero(struct mini *p, unsigned n)
{
    for (unsigned i = n + 1; i-- > 0;) {
        put(p, 0, load(0, i, ORDER_ACQUIRE));
        put(p, 0,
            (struct mini_code){.kind = MINI_SKIP,
                               .first = {0, 0},
                               .second = number(0),
                               .count = 2 * i});
    }
    for (unsigned t = 1; t <= n; t++) {
        put(p, t, load(0, t - 1, ORDER_ACQUIRE));
        put(p, t, store(t, (struct mini_value){0, 1}, ORDER_RELEASE));
    }
}

static void make_fib(struct mini *p, unsigned n)
{
    p->initial[0] = p->initial[1] = 1;
    for (unsigned t = 0; t < 2; t++) {
        for (unsigned i = 0; i < n; i++) {
            put(p, t, load(0, 0, ORDER_ACQUIRE));
            put(p, t, load(1, 1, ORDER_ACQUIRE));
            put(p, t,
                (struct mini_code){.kind = MINI_SUM,
                                   .to = 2,
                                   .first = {0, 0},
                                   .second = {1, 0}});
            put(p, t, store(t, (struct mini_value){2, 0}, ORDER_RELEASE));
        }
    }
    put(p, 2, load(0, 0, ORDER_ACQUIRE));
    put(p, 2, load(1, 1, ORDER_ACQUIRE));
}

struct published {
    const char *name;
    void (*make)(struct mini *p, unsigned n);
    unsigned n;
    uint64_t sc, c11;
};

/* GenMC 0.11, and its documentation. */
static const struct published published[] = {
    {"SB", make_sb, 0, 3, 4},
    {"2+2W", make_2_2w, 0, 3, 4},
    {"IRIW-acq-sc", make_iriw, 0, 15, 16},
    {"ainc", make_ainc, 5, 120, 120},
    {"ainc", make_ainc, 7, 5040, 5040},
    {"casrot", make_casrot, 4, 14, 14},
    {"casrot", make_casrot, 9, 8597, 8597},
    {"readers", make_readers, 8, 256, 256},
    {"readers", make_readers, 7, 128, 128},
    {"lastzero", make_lastzero, 5, 64, 64},
    {"fib", make_fib, 3, 0, 0},
};

static int test_counts(void)
{
    int wrong = 0;

    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct published *x = &published[i];

        for (int m = BRUTE_SC; m <= BRUTE_C11; m += BRUTE_C11 - BRUTE_SC) {
            struct watched w = {0};
            struct mini p = {0};
            struct mini_run *open;
            uint64_t right = m == BRUTE_SC ? x->sc : x->c11, got;

            x->make(&p, x->n);
            open = mini_open(&p);
            got = run(&p, mini_behaviour(open), m, SCHEDULE_FIRST, &w)
                      .ends[GRAPH_COMPLETE];
            mini_close(open);
            if (right && got != right) {
                printf("%s %u on %s: %" PRIu64 " executions; right %" PRIu64
                       "\n",
                       x->name, x->n, models[m].name, got, right);
                wrong++;
            }
        }
    }
    printf("%zu programs on sc and c11: %d wrong\n",
           sizeof published / sizeof *published, wrong);
    return wrong > 0;
}

/* ---- Speed ---- */

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(const char *name, void (*make)(struct mini *, unsigned),
                    unsigned n)
{
    printf("%-10s %2u ", name, n);
    for (int m = 0; m < BRUTE_MODELS; m++) {
        struct watched w = {0};
        struct mini p = {0};
        struct mini_run *open;
        uint64_t total = 0, one = 0;
        double begun, used;

        make(&p, n);
        open = mini_open(&p);
        begun = cpu_seconds();
        do {
            one = run(&p, mini_behaviour(open), m, SCHEDULE_FIRST, &w)
                      .ends[GRAPH_COMPLETE];
            total += one;
            used = cpu_seconds() - begun;
        } while (used < 0.3);
        mini_close(open);
        printf(" %s %" PRIu64 ": %.2f M/s;", models[m].name, one,
               (double)total / used / 1e6);
    }
    printf("\n");
}

static int test_speed(void)
{
    measure("SB", make_sb, 0);
    measure("casrot", make_casrot, 8);
    measure("ainc", make_ainc, 7);
    measure("readers", make_readers, 13);
    measure("lastzero", make_lastzero, 11);
    measure("fib", make_fib, 4);
    return 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    if (strcmp(mode, "random") == 0)
        return test_random(argc > 2 ? strtoul(argv[2], NULL, 10) : 2000,
                           argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                           argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 8);
    if (strcmp(mode, "reduced") == 0)
        return test_reduced(argc > 2 ? strtoul(argv[2], NULL, 10) : 500,
                            argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
    if (strcmp(mode, "counts") == 0)
        return test_counts();
    if (strcmp(mode, "speed") == 0)
        return test_speed();
    fputs("usage: graph_test random|reduced|counts|speed\n", stderr);
    return 2;
}
