/* SPDX-License-Identifier: MIT
 *
 * Random executions against all of them: none that is not there, none that
 * never comes, and the right number estimated.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "watch.h"

#define SAMPLES 3000
/* Until a small program has shown all that it has. */
#define SAMPLES_MOST 3000000
#define GRAPHS_MOST 60
#define ESTIMATES_MOST 300000

static const char *const sampler_names[] = {"descent", "forward", "depth"};

/* A program on a model, and all its executions. */
struct subject {
    const struct mini *p;
    const char *model;
    uint64_t number;
    struct graph_search search;
    struct watched x;
    uint64_t all;       /* graphs that cannot grow */
    uint64_t complete;  /* of these */
    bool only_complete; /* of the graphs that cannot grow: how many are blocked
                           depends, with reductions, on who goes first */
};

struct sums {
    uint64_t wrong, graphs, seen, samples, unseen;
};

static void complain(const struct subject *s, enum graph_sampler how,
                     const char *what)
{
    printf("program %" PRIu64 ", %s, %s: %s\n", s->number, s->model,
           sampler_names[how], what);
    mini_print(s->p);
}

/* ---- Estimates ---- */

/* Weights of many descents. */
struct weights {
    double count, sum, squares;
};

static double mean_of(const struct weights *w)
{
    return w->sum / w->count;
}

static double error_of(const struct weights *w)
{
    double mean = mean_of(w);

    return sqrt(fmax(w->squares / w->count - mean * mean, 0) / w->count);
}

static void add_weights(struct subject *s, struct graph_sampling *how,
                        struct weights *w)
{
    for (int k = 0; k < SAMPLES; k++) {
        uint64_t before = s->search.counts.ends[GRAPH_COMPLETE];
        double weight = graph_sample(&s->search, how);

        if (s->only_complete && s->search.counts.ends[GRAPH_COMPLETE] == before)
            weight = 0;
        w->count++;
        w->sum += weight;
        w->squares += weight * weight;
    }
}

/* Is the mean of the weights the number of executions?  As many descents as
 * make the error small, for few that are heavy may be most of it; then within
 * six standard errors: of thousands of programs none is wrong by chance. */
static bool estimates_right(struct subject *s, struct graph_sampling *how)
{
    double right = (double)(s->only_complete ? s->complete : s->all);
    struct weights w = {0};

    do
        add_weights(s, how, &w);
    while (error_of(&w) > mean_of(&w) / 30 && w.count < ESTIMATES_MOST);
    if (fabs(mean_of(&w) - right) <= 6 * error_of(&w) + 1e-9)
        return true;
    printf("estimate %g, error %g; right %g\n", mean_of(&w), error_of(&w),
           right);
    return false;
}

/* ---- All of them, and no other ---- */

static void sample_until_seen(struct subject *s, struct graph_sampling *how,
                              size_t right, struct sums *sum)
{
    bool small = right <= GRAPHS_MOST && how->how != SAMPLE_DEPTH;
    int most = small ? SAMPLES_MOST : SAMPLES;
    int k = 0;

    while (k < most && (k < SAMPLES / 10 || s->x.found.count < right)) {
        graph_sample(&s->search, how);
        k++;
    }
    sum->samples += (uint64_t)k;
    sum->graphs += right;
    sum->seen += s->x.found.count;
    if (s->x.extra) {
        sum->wrong++;
        complain(s, how->how, "a sample is no execution");
    }
    if (small && s->x.found.count < right) {
        sum->unseen++;
        sum->wrong++;
        complain(s, how->how, "an execution never comes");
    }
}

static bool has_locks(const struct mini *p)
{
    for (unsigned t = 0; t < p->threads; t++) {
        for (unsigned i = 0; i < p->length[t]; i++) {
            if (p->code[t][i].kind == MINI_LOCK)
                return true;
        }
    }
    return false;
}

/* `reduces`: as the tool searches. */
static struct graph_search search_of(const struct mini *p, int model,
                                     struct behaviour *b, bool reduces)
{
    return (struct graph_search){
        .rules = watch_models[model].rules,
        .model = watch_model_of(model),
        .behaviour = b,
        .orders = watch_orders(watch_models[model].rules, watch_model_of(model),
                               b, p->started),
        .threads = p->started,
        .initial = watch_initial,
        .reaches = watch_reaches,
        .is_ghost = watch_is_ghost,
        .ended = watch_reduced,
        .drops = reduces,
        .defers = reduces,
        .schedule = SCHEDULE_RANDOM};
}

/* Everything about a program that a way to sample it needs. */
static struct subject subject_of(const struct mini *p, uint64_t number,
                                 int model, struct mini_run *open,
                                 const struct graph_counts *c, bool reduces)
{
    return (struct subject){
        .p = p,
        .model = watch_models[model].name,
        .number = number,
        .search = search_of(p, model, mini_behaviour(open), reduces),
        .x = {.looks = true, .p = p, .behaviour = mini_behaviour(open)},
        .all = c->ends[GRAPH_COMPLETE] + c->ends[GRAPH_BLOCKED],
        .complete = c->ends[GRAPH_COMPLETE],
        .only_complete = reduces};
}

static void estimate(struct subject *s, uint64_t random, struct sums *sum)
{
    struct graph_sampling how = {.random = random};

    if (estimates_right(s, &how))
        return;
    sum->wrong++;
    complain(s, SAMPLE_DESCENT, "a wrong estimate");
}

static void sample_each_way(const struct mini *p, uint64_t number, int model,
                            uint64_t random, struct sums sums[])
{
    struct mini_run *open = mini_open(p);
    struct watched all = {.looks = true};
    struct graph_counts c =
        watch_run(p, mini_behaviour(open), model, SCHEDULE_FIRST, &all);

    for (int i = 0; i < 2 * (SAMPLE_DEPTH + 1); i++) {
        bool reduces = i % 2;
        struct graph_sampling how = {
            .how = (enum graph_sampler)(i / 2), .random = random, .depth = 3};
        struct subject s = subject_of(p, number, model, open, &c, reduces);

        if (p->bundles && how.how != SAMPLE_DESCENT)
            break; /* these refuse them */
        s.search.context = &s.x;
        s.x.search = &s.search;
        s.x.right = &all.found;
        /* The rule for mutexes is a reduction, too. */
        if (how.how == SAMPLE_DESCENT && (reduces || !has_locks(p)))
            estimate(&s, random, &sums[SAMPLE_DESCENT]);
        sample_until_seen(&s, &how, all.found.count, &sums[how.how]);
        canon_free(&s.x.found);
        canon_free(&s.x.races);
    }
    {
        struct subject s = subject_of(p, number, model, open, &c, true);

        s.search.context = &s.x;
        s.x.search = &s.search;
        s.search.lone = true; /* its graphs have fewer events */
        s.search.ended = NULL;
        estimate(&s, random, &sums[SAMPLE_DESCENT]);
    }
    canon_free(&all.found);
    canon_free(&all.races);
    mini_close(open);
}

int test_samples(unsigned long count, uint64_t seed)
{
    struct sums sums[SAMPLE_DEPTH + 1] = {{0}};
    uint64_t wrong = 0;

    for (uint64_t i = 0; i < count; i++) {
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        struct mini p;
        int m = (int)(i % BRUTE_MODELS);

        if (i % 4 == 1 && m < BRUTE_C11)
            (i % 8 == 1 ? mini_random_bundles : mini_random_blocks)(&p, 6, &r);
        else if (i % 4)
            mini_random(&p, 8, &r);
        else
            mini_random_locks(&p, &r);
        sample_each_way(&p, seed + i, m, r.state, sums);
    }
    for (int i = 0; i <= SAMPLE_DEPTH; i++) {
        wrong += sums[i].wrong;
        printf("%s: %lu programs, %" PRIu64 " samples: %" PRIu64 " of %" PRIu64
               " graphs seen, %" PRIu64 " programs with one that never came, "
               "%" PRIu64 " wrong\n",
               sampler_names[i], count, sums[i].samples, sums[i].seen,
               sums[i].graphs, sums[i].unseen, sums[i].wrong);
    }
    return wrong > 0;
}

/* ---- Trees of known size ---- */

#define DESCENTS 100000

static struct graph_search plain_search(const struct mini *p, int model,
                                        struct mini_run *open,
                                        struct watched *x)
{
    struct graph_search s = search_of(p, model, mini_behaviour(open), false);

    *x = (struct watched){
        .looks = true, .p = p, .behaviour = mini_behaviour(open)};
    s.context = x;
    return s;
}

/* By how many standard errors the mean is off. */
static double deviation(const struct known *k, int model, double right)
{
    struct mini_run *open = mini_open(&k->p);
    struct watched x;
    struct subject s = {.search = plain_search(&k->p, model, open, &x)};
    struct graph_sampling how = {.random = 1};
    struct weights w = {0};
    double off;

    s.search.ended = NULL;
    while (w.count < DESCENTS)
        add_weights(&s, &how, &w);
    off = fabs(mean_of(&w) - right);
    mini_close(open);
    return off < 1e-9 ? 0 : off / error_of(&w);
}

/* Each within four standard errors, and all together within two. */
int test_estimates(void)
{
    double squares = 0, count = 0;
    int wrong = 0;
    struct known k;

    for (size_t i = 0; known_program(i, &k); i++) {
        for (int c11 = 0; c11 < 2; c11++) {
            double off = deviation(&k, c11 ? BRUTE_C11 : BRUTE_SC,
                                   (double)(c11 ? k.c11 : k.sc));

            printf("%s %u on %s: off by %.2f standard errors\n", k.name, k.n,
                   c11 ? "c11" : "sc", off);
            wrong += off > 4;
            squares += off * off;
            count++;
        }
    }
    printf("%d wrong, %.2f standard errors in the mean\n", wrong,
           sqrt(squares / count));
    return wrong > 0 || sqrt(squares / count) > 2;
}

/* ---- How soon all were seen ---- */

#define COVER_MOST 300000

/* Samples until all of `right` were seen; else how many were. */
static void cover(const struct mini *p, int model, struct graph_sampling how,
                  enum graph_schedule schedule, size_t right)
{
    struct mini_run *open = mini_open(p);
    struct watched x;
    struct graph_search s = plain_search(p, model, open, &x);
    uint64_t k = 0;
    double begun;

    s.schedule = schedule;
    while (k < COVER_MOST && x.found.count < right) {
        graph_sample(&s, &how);
        k++;
    }
    printf(x.found.count < right ? " %9zu seen" : " %14" PRIu64,
           x.found.count < right ? x.found.count : (size_t)k);
    s.ended = NULL;
    begun = cpu_seconds();
    for (k = 0; cpu_seconds() - begun < 0.2; k++)
        graph_sample(&s, &how);
    printf(" (%4.0f k/s)", (double)k / (cpu_seconds() - begun) / 1000);
    canon_free(&x.found);
    mini_close(open);
}

int test_cover(void)
{
    static const struct {
        const char *name;
        unsigned n;
    } programs[] = {{"IRIW-acq-sc", 0}, {"ainc", 5},   {"readers", 8},
                    {"fib", 2},         {"casrot", 7}, {"lastzero", 8}};
    static const int models[] = {BRUTE_SC, BRUTE_TSO, BRUTE_PSLO, BRUTE_C11};

    printf("samples until all graphs were seen, of %d; thousand a second\n"
           "%-20s%8s%24s%24s%24s%24s\n",
           COVER_MOST, "program", "graphs", "forward", "descent, fixed order",
           "descent, random order", "depth");
    for (size_t i = 0; i < 4 * sizeof programs / sizeof *programs; i++) {
        int m = models[i % 4];
        struct watched all = {.looks = true};
        struct mini_run *open;
        struct mini p;

        known_make(programs[i / 4].name, programs[i / 4].n, &p);
        open = mini_open(&p);
        watch_run(&p, mini_behaviour(open), m, SCHEDULE_FIRST, &all);
        mini_close(open);
        printf("%-11s%2u %-5s%9zu", programs[i / 4].name, programs[i / 4].n,
               watch_models[m].name, all.found.count);
        cover(&p, m, (struct graph_sampling){.how = SAMPLE_FORWARD},
              SCHEDULE_RANDOM, all.found.count);
        cover(&p, m, (struct graph_sampling){.random = 1}, SCHEDULE_FIRST,
              all.found.count);
        cover(&p, m, (struct graph_sampling){.random = 1}, SCHEDULE_RANDOM,
              all.found.count);
        cover(&p, m, (struct graph_sampling){.how = SAMPLE_DEPTH, .depth = 3},
              SCHEDULE_RANDOM, all.found.count);
        printf("\n");
        canon_free(&all.found);
    }
    return 0;
}
