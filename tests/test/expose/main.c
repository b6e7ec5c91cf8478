/* SPDX-License-Identifier: MIT
 *
 * Strategies against cycles whose answer is known: those that can be must be
 * created within a search, those that fences forbid never.
 *
 *     expose_search                             the test
 *     expose_search FILE MODEL CYCLE [SEEDS]      one cycle, all strategies
 *     expose_search FILE MODEL predicted [SEEDS]  every predicted one
 *     expose_search FILE MODEL seen [SEEDS]       those that random executions
 *                                                 contain: all can be created
 *
 *     expose_search FILE MODEL compare [RUNS]     hits against traces
 *
 * EXPOSE_FLAGS has flags for the compiler, EXPOSE_ONLY one strategy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

#define BUDGET 1000
#define SEEDS 5
#define OFTEN 10 /* of a thousand random executions */

struct trial {
    const char *program, *model, *cycle;
    bool others_too; /* relaxer and orion find it as well */
};

static const struct trial trials[] = {
    {"sb.c", "tso", "a>b~c>d~", true},
    {"sb.c", "pso", "a>b~c>d~", true},
    {"sb.c", "pslo", "a>b~c>d~", true},
    {"mp.c", "pso", "a>b~c>d~", true},
    {"mp.c", "pslo", "a>b~c>d~", true},
    {"iriw.c", "pslo", "a~b>c~d~e>f~", false},
    {"2+2w.c", "pso", "a>b~c>d~", true},
    {"wrc.c", "pslo", "a~b>c~d>e~", false},
    {"3.sb.c", "tso", "a>b~c>d~e>f~", true},
    {"3.sb.c", "pslo", "a>b~c>d~e>f~", true},
    {"seventh.c", "tso", "a>b~c>d~", false},
    {"seventh.c", "pslo", "a>b~c>d~", false},
    {"turns.c", "tso", "a>b~c>d~", false},
};

static const uint32_t strategies[] = {STRATEGY_DIRECTED, STRATEGY_RELAXER,
                                      STRATEGY_ORION};

/* ---- The test ---- */

static int complain(const struct trial *t, uint32_t strategy, uint64_t seed,
                    const char *what)
{
    printf("%s on %s, %s, seed %llu: %s\n", t->program, t->model,
           strategy_words(strategy), (unsigned long long)seed, what);
    return 1;
}

static int try_all_strategies(const struct trial *t, bool fenced)
{
    struct subject s;
    struct cycle c;
    char path[512];
    int bad = 0;

    snprintf(path, sizeof path, "%s/%s", EXPOSE_PROGRAMS, t->program);
    subject_build(&s, path, fenced ? "-DFENCED" : "");
    subject_cycle(&s, t->cycle, &c);
    for (int i = 0; i < 3; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct searched r =
                subject_search(&s, &c, model_find(t->model), strategies[i],
                               seed, fenced ? 100 : BUDGET);

            if (fenced && r.found)
                bad += complain(t, strategies[i], seed, "not possible");
            if (!fenced && !r.found && (i == 0 || t->others_too))
                bad += complain(t, strategies[i], seed, "not created");
            if (i == 0 && r.wrong)
                bad += complain(t, strategies[i], seed, "a hit that was none");
        }
    }
    subject_remove(&s);
    return bad;
}

/* Dekker has dozens of cycles.  Those that random executions often contain are
 * created, and hits and traces agree. */
static int try_dekker(const char *model)
{
    static struct seen seen;
    const struct model *m = model_find(model);
    struct compared sum = {0};
    struct subject s;
    size_t wanted = 0, created = 0;

    subject_build(&s, EXPOSE_DEKKER, "");
    subject_see(&s, m, 1000, &seen);
    for (size_t i = 0; i < seen.count; i++) {
        if (seen.times[i] < OFTEN)
            continue;
        wanted++;
        created +=
            subject_search(&s, &seen.cycles[i], m, STRATEGY_DIRECTED, 1, BUDGET)
                .found;
        for (int j = 0; j < 3; j++)
            subject_compare(&s, &seen.cycles[i], m, strategies[j], 50, 2, &sum);
    }
    subject_remove(&s);
    printf("dekker on %s: %zu of %zu cycles, %llu hits, %llu missed, %llu "
           "wrong\n",
           model, created, wanted, (unsigned long long)sum.both,
           (unsigned long long)sum.missed, (unsigned long long)sum.wrong);
    return !wanted || created * 20 < wanted * 19 || sum.missed || sum.wrong;
}

static int test(void)
{
    size_t count = sizeof trials / sizeof *trials;
    int bad = 0;

    for (size_t i = 0; i < count; i++)
        bad += try_all_strategies(&trials[i], false) +
               try_all_strategies(&trials[i], true);
    bad += try_dekker("tso") + try_dekker("pso") + try_dekker("pslo");
    printf("%zu cycles, %d complaints\n", count, bad);
    return bad != 0;
}

/* ---- For people ---- */

struct tally {
    uint64_t cycles, created[3], searches[3], executions[3], wrong[3];
};

static void tell_search(const struct subject *s, const struct cycle *c,
                        const struct model *m, uint64_t seeds, int which,
                        struct tally *sum)
{
    uint64_t found = 0, executions = 0, all = 0, wrong = 0;
    double seconds = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct searched r =
            subject_search(s, c, m, strategies[which], seed, BUDGET);

        found += r.found;
        executions += r.found ? r.first : 0;
        all += r.first;
        wrong += r.wrong;
        seconds += r.seconds;
    }
    sum->created[which] += found;
    sum->searches[which] += seeds;
    sum->executions[which] += executions;
    sum->wrong[which] += wrong;
    printf(" | %llu/%llu", (unsigned long long)found,
           (unsigned long long)seeds);
    if (found)
        printf(" in %llu", (unsigned long long)(executions / found));
    if (wrong)
        printf(", %llu wrong", (unsigned long long)wrong);
    if (seeds > 4)
        printf(", %.0f/s", (double)all / seconds);
    fflush(stdout);
}

static void tell_cycle(const struct subject *s, const struct cycle *c,
                       const struct model *m, uint64_t seeds, uint64_t seen,
                       struct tally *sum)
{
    const char *only = getenv("EXPOSE_ONLY");
    char name[256];

    subject_name(s, c, name, sizeof name);
    printf("%-32s %6llu", name, (unsigned long long)seen);
    sum->cycles++;
    for (int i = 0; i < 3; i++)
        if (!only || strcmp(only, strategy_words(strategies[i])) == 0)
            tell_search(s, c, m, seeds, i, sum);
    printf("\n");
}

static void tell_tally(const struct tally *sum)
{
    printf("%llu cycles\n", (unsigned long long)sum->cycles);
    for (int i = 0; i < 3; i++)
        if (sum->searches[i])
            printf("%s: %.1f %% of searches, %.0f executions, %llu wrong\n",
                   strategy_words(strategies[i]),
                   100.0 * (double)sum->created[i] / (double)sum->searches[i],
                   sum->created[i]
                       ? (double)sum->executions[i] / (double)sum->created[i]
                       : 0.0,
                   (unsigned long long)sum->wrong[i]);
}

static void tell_predicted(struct subject *s, const struct model *m,
                           size_t number, uint64_t seeds, struct tally *sum)
{
    struct predict *p = subject_predict(s, 100);
    size_t count;
    const struct cycle *c = predict_cycles(p, &count);

    for (size_t i = 0; i < count; i++)
        if (c[i].reorderable[number])
            tell_cycle(s, &c[i], m, seeds, 0, sum);
    predict_free(p);
}

static void tell_seen(struct subject *s, const struct model *m, uint64_t seeds,
                      struct tally *sum)
{
    static struct seen seen;

    subject_see(s, m, 20000, &seen);
    for (size_t i = 0; i < seen.count; i++)
        tell_cycle(s, &seen.cycles[i], m, seeds, seen.times[i], sum);
}

/* Watcher and trace, on executions of all three strategies. */
static void tell_compared(struct subject *s, const struct model *m,
                          uint64_t executions)
{
    static struct seen seen;
    struct compared sum = {0};

    subject_see(s, m, 2000, &seen);
    for (size_t i = 0; i < seen.count; i++)
        for (int j = 0; j < 3; j++)
            subject_compare(s, &seen.cycles[i], m, strategies[j], 100,
                            executions, &sum);
    printf("%llu hits, %llu missed, %llu wrong\n", (unsigned long long)sum.both,
           (unsigned long long)sum.missed, (unsigned long long)sum.wrong);
}

static int tell(int argc, char **argv)
{
    const struct model *m = model_find(argv[2]);
    uint64_t seeds = argc > 4 ? strtoull(argv[4], NULL, 10) : 20;
    const char *flags = getenv("EXPOSE_FLAGS");
    struct tally sum = {0};
    struct subject s;
    size_t number = 0;

    if (!m)
        return 2;
    while (model_all[number] != m)
        number++;
    subject_build(&s, argv[1], flags ? flags : "");
    if (strcmp(argv[3], "predicted") == 0) {
        tell_predicted(&s, m, number, seeds, &sum);
    } else if (strcmp(argv[3], "compare") == 0) {
        tell_compared(&s, m, seeds);
    } else if (strcmp(argv[3], "seen") == 0) {
        tell_seen(&s, m, seeds, &sum);
    } else {
        struct cycle c;

        subject_cycle(&s, argv[3], &c);
        tell_cycle(&s, &c, m, seeds, 0, &sum);
    }
    tell_tally(&sum);
    subject_remove(&s);
    return 0;
}

int main(int argc, char **argv)
{
    return argc > 3 ? tell(argc, argv) : test();
}
