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
    return (struct graph_search){.rules = watch_models[model].rules,
                                 .model = watch_models[model].model,
                                 .behaviour = b,
                                 .threads = p->started,
                                 .initial = watch_initial,
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

        s.search.context = &s.x;
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

        if (i % 4)
            mini_random(&p, 8, &r);
        else
            mini_random_locks(&p, &r);
        sample_each_way(&p, seed + i, (int)(i % BRUTE_MODELS), r.state, sums);
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
