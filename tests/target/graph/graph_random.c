/* SPDX-License-Identifier: MIT
 *
 * Random programs: the search against brute force, and the search with its
 * reductions against the one without.
 */
#include <inttypes.h>
#include <stdio.h>

#include "watch.h"

/* ---- Random programs ---- */

struct tally {
    uint64_t programs, left_out, graphs, wrong, racy, racy_on_sc, unordered;
    uint64_t weaker;
    uint64_t differ[BRUTE_MODELS];
};

static bool same_races(const struct canon_set *found,
                       const struct canon_set *right)
{
    return found->count == right->count && canon_covers(right, found);
}

/* What a block may touch is to be found out by the search itself: it gets a
 * trie of its own. */
static void run_search(const struct mini *p, struct behaviour *b,
                       enum brute_model m, enum graph_schedule how,
                       struct watched *x)
{
    struct mini_run *own = p->blocks ? mini_open(p) : NULL;

    watch_run(p, own ? mini_behaviour(own) : b, m, how, x);
    if (own)
        mini_close(own);
}

/* Processors have no order of creations and joins beyond what these wait for;
 * models of order do.  Nor do they fold fences. */
static bool only_accesses(const struct mini *p)
{
    for (unsigned t = 0; t < p->threads; t++) {
        for (unsigned i = 0; i < p->length[t]; i++)
            if (p->code[t][i].kind == MINI_CREATE ||
                p->code[t][i].kind == MINI_JOIN)
                return false;
    }
    return !p->bundles && !p->everybody && !p->folds;
}

/* The models of order once more, by their terms. */
static void compare_terms(const struct mini *p, struct behaviour *b,
                          uint64_t seed, const struct canon_set *sets,
                          struct tally *sum)
{
    for (int m = 0; m < BRUTE_C11 && only_accesses(p); m++) {
        struct watched x = {
            .right = &sets[m], .on_sc = &sets[BRUTE_SC], .terms = true};

        if (m == BRUTE_PSLO_DEPS && !p->depends)
            continue;
        run_search(p, b, m, seed % SCHEDULE_COUNT, &x);
        if (x.twice || x.extra || x.misjudged ||
            x.found.count != sets[m].count) {
            sum->wrong++;
            printf("program %" PRIu64 ", %s by terms: %zu graphs, right %zu\n",
                   seed, watch_models[m].name, x.found.count, sets[m].count);
            mini_print(p);
        }
        canon_free(&x.found);
        canon_free(&x.races);
    }
}

/* The weakest of some models, which depends on nothing: does it have all that
 * those have, where they depend? */
static void compare_weakest(const struct mini *p, uint64_t seed,
                            const struct canon_set *sets, struct tally *sum)
{
    static const struct {
        int of;
        const struct model *by;
    } rows[] = {{BRUTE_SC, &model_arm_any},
                {BRUTE_ARM, &model_arm_any},
                {BRUTE_ARM, &model_arm_any_lse},
                {BRUTE_ARM_LLSC, &model_arm_any},
                {BRUTE_ARM_LLSC, &model_arm_any_llsc},
                {BRUTE_ARM_RCPC, &model_arm_any_rcpc},
                {BRUTE_SC, &model_riscv_any},
                {BRUTE_RISCV, &model_riscv_any}};
    struct mini without = *p;
    struct mini_run *open;

    without.depends = false;
    open = mini_open(&without);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct canon_set *right = &sets[rows[i].of];
        struct watched x = {
            .right = right, .on_sc = &sets[BRUTE_SC], .by = rows[i].by};

        if (!watch_takes(p, rows[i].of == BRUTE_SC ? BRUTE_ARM : rows[i].of,
                         seed))
            continue;
        watch_run(&without, mini_behaviour(open), BRUTE_ARM,
                  seed % SCHEDULE_COUNT, &x);
        if (x.twice || x.misjudged || x.found.count != right->count + x.extra) {
            sum->wrong++;
            printf("program %" PRIu64 ", %s: %zu graphs, %" PRIu64
                   " too many; not all of the %zu on %s\n",
                   seed, rows[i].by->name, x.found.count, x.extra, right->count,
                   watch_models[rows[i].of].name);
            mini_print(p);
        }
        sum->weaker += x.extra > 0;
        canon_free(&x.found);
        canon_free(&x.races);
    }
    mini_close(open);
}

static void compare(const struct mini *p, struct behaviour *b, uint64_t seed,
                    const struct canon_set *sets, struct tally *sum)
{
    for (int m = 0; m < watch_model_count(p); m++) {
        if (!watch_takes(p, m, seed))
            continue;
        sum->differ[m] += sets[m].count != sets[BRUTE_SC].count;
        for (int how = 0; how < SCHEDULE_COUNT; how++) {
            struct watched x = {.right = &sets[m], .on_sc = &sets[BRUTE_SC]};

            run_search(p, b, m, how, &x);
            sum->graphs += x.found.count;
            const struct canon_set *races =
                m == BRUTE_SC ? &sets[BRUTE_SC_RACES] : &sets[BRUTE_RACES];

            if (x.twice || x.extra || x.misjudged ||
                x.found.count != sets[m].count ||
                ((m == BRUTE_C11 || m == BRUTE_SC) &&
                 !same_races(&x.races, races)) ||
                (m == BRUTE_SC && !p->bundles && !p->everybody &&
                 !same_races(&x.unordered, &sets[BRUTE_UNORDERED]))) {
                sum->wrong++;
                printf("program %" PRIu64 ", %s, schedule %d: %zu graphs, "
                       "%" PRIu64 " twice, %" PRIu64 " too many, %" PRIu64
                       " taken for SC's or not, %zu races; right %zu, %zu\n",
                       seed, watch_models[m].name, how, x.found.count, x.twice,
                       x.extra, x.misjudged, x.races.count, sets[m].count,
                       races->count);
                mini_print(p);
            }
            canon_free(&x.found);
            canon_free(&x.races);
            canon_free(&x.unordered);
        }
    }
    sum->unordered += sets[BRUTE_UNORDERED].count;
    sum->racy += sets[BRUTE_RACES].count > 0;
    sum->racy_on_sc += sets[BRUTE_SC_RACES].count > 0;
}

int test_random(unsigned long count, uint64_t seed, unsigned accesses,
                mini_maker *make)
{
    struct tally sum = {0};

    for (uint64_t i = 0; i < count && sum.wrong < 5; i++) {
        struct canon_set sets[BRUTE_SETS] = {0};
        struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
        struct mini p;
        struct mini_run *open;

        make(&p, accesses, &r);
        p.processors = p.depends || (seed + i) % 4 == 0;
        p.folds = !p.depends && (seed + i) % 3 == 0;
        open = mini_open(&p);
        if (brute_force(&p, mini_behaviour(open), sets)) {
            sum.programs++;
            compare(&p, mini_behaviour(open), seed + i, sets, &sum);
            compare_terms(&p, mini_behaviour(open), seed + i, sets, &sum);
            if (p.processors && !p.blocks && !p.everybody)
                compare_weakest(&p, seed + i, sets, &sum);
        } else {
            sum.left_out++;
        }
        for (int m = 0; m < BRUTE_SETS; m++)
            canon_free(&sets[m]);
        mini_close(open);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " left out, %" PRIu64
           " graphs on %d models under %d schedules: %" PRIu64 " wrong\n",
           sum.programs, sum.left_out, sum.graphs, BRUTE_MODELS, SCHEDULE_COUNT,
           sum.wrong);
    for (int m = 1; m < BRUTE_MODELS; m++)
        printf("%s differs from sc in %" PRIu64 "\n", watch_models[m].name,
               sum.differ[m]);
    printf("%" PRIu64 " searches by the weakest of several have more\n",
           sum.weaker);
    printf("%" PRIu64 " have data races on c11, %" PRIu64 " on sc; %" PRIu64
           " graphs of sc have those of c11\n",
           sum.racy, sum.racy_on_sc, sum.unordered);
    return sum.wrong || !sum.programs;
}

/* ---- Plain and reduced ---- */

struct reduced_tally {
    uint64_t programs, graphs, blocked[2], wrong;
};

/* Does a thread that is alone without events lead to as many executions? */
static bool is_same_alone(const struct mini *p, struct behaviour *b, int m,
                          uint64_t complete, const struct canon_set *races)
{
    struct watched alone = {.reduces = true, .lone = true, .looks = true};
    bool same =
        watch_run(p, b, m, SCHEDULE_FIRST, &alone).ends[GRAPH_COMPLETE] ==
            complete &&
        same_races(&alone.races, races);

    canon_free(&alone.found);
    canon_free(&alone.races);
    return same;
}

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
    for (int m = 0; m < watch_model_count(p); m++) {
        enum graph_schedule how = (number + (unsigned)m) % SCHEDULE_COUNT;
        struct watched whole = {.looks = true},
                       less = {.looks = true, .reduces = true};
        struct graph_counts counts;

        if (!watch_takes(p, m, number))
            continue;
        sum->blocked[0] += watch_run(p, mini_behaviour(open[0]), m, how, &whole)
                               .ends[GRAPH_BLOCKED];
        less.right = &whole.found;
        counts = watch_run(p, mini_behaviour(open[1]), m, how, &less);
        sum->blocked[1] += counts.ends[GRAPH_BLOCKED];
        sum->graphs += whole.found.count;
        if (!is_same_alone(p, mini_behaviour(open[1]), m,
                           counts.ends[GRAPH_COMPLETE], &whole.races)) {
            sum->wrong++;
            printf("program %" PRIu64 ", %s: others where a thread is alone\n",
                   number, watch_models[m].name);
            mini_print(p);
        }
        if (whole.twice || less.twice || less.extra ||
            less.found.count != whole.found.count ||
            !same_races(&less.races, &whole.races)) {
            sum->wrong++;
            printf("program %" PRIu64 ", %s, schedule %d: %zu graphs of %zu, "
                   "%" PRIu64 " twice, %" PRIu64
                   " too many, %zu races of %zu\n",
                   number, watch_models[m].name, (int)how, less.found.count,
                   whole.found.count, less.twice, less.extra, less.races.count,
                   whole.races.count);
            mini_print(p);
        }
        canon_free(&whole.found);
        canon_free(&less.found);
        canon_free(&whole.races);
        canon_free(&less.races);
    }
    mini_close(open[0]);
    mini_close(open[1]);
}

int test_reduced(unsigned long count, uint64_t seed)
{
    static const char *const names[] = {"awaits", "mutexes",   "bundles",
                                        "blocks", "everybody", "waits"};

    for (int kind = 0; kind < 6; kind++) {
        struct reduced_tally sum = {0};

        for (uint64_t i = 0; i < count && sum.wrong < 5; i++) {
            struct random r = {(seed + i) * 0x9e3779b97f4a7c15ull};
            struct mini p;

            if (kind == 0)
                mini_random(&p, 9, &r);
            else if (kind == 1)
                mini_random_locks(&p, &r);
            else if (kind == 5)
                mini_random_waits(&p, &r);
            else if (kind == 2)
                mini_random_bundles(&p, 8, &r);
            else
                (kind == 3 ? mini_random_blocks : mini_random_everybody)(&p, 8,
                                                                         &r);
            p.folds = (seed + i) % 3 == 0;
            compare_reduced(&p, seed + i, &sum);
        }
        printf("%s: %" PRIu64 " programs, %" PRIu64 " graphs, blocked %" PRIu64
               " in the whole search, %" PRIu64 " in the reduced one: %" PRIu64
               " wrong\n",
               names[kind], sum.programs, sum.graphs, sum.blocked[0],
               sum.blocked[1], sum.wrong);
        if (sum.wrong)
            return 1;
    }
    return 0;
}
