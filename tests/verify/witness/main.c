/* SPDX-License-Identifier: MIT
 *
 * Whatever a monitor may report about an SC execution can be brought about:
 * the witness is there, with its cycle, and comes again.
 *
 *     witness_test FENCER LITMUS SCRATCH    the test; FENCER_LONG=1: more
 *     witness_test BINARY [NUMBER]          one program, report by report;
 *                                           WITNESS_LOG: areas of --log
 *
 * Reports come from brute force (brute.h), and from the monitors themselves.
 * Litmus tests have them on the models they are known for, and on no others.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "brute.h"
#include "programs.h"
#include "subject.h"

enum { WORKERS = 2 };

/* How much of a program is looked at. */
struct effort {
    unsigned executions;    /* on SC */
    unsigned per_execution; /* reports of one on one model */
    unsigned monitored;     /* executions that the monitors report on */
};

struct balance {
    unsigned executions, reports, found;
    unsigned refused, wrong; /* what no machine does */
    unsigned models;         /* bit per model_all: has reports */
};

static bool verbose;

static const char *site_words(const struct subject *s, uint32_t site)
{
    static char words[2][128];
    static unsigned turn;
    char *to = words[turn++ % 2];
    const struct fencer_site *f = &s->tables.sites[site];

    snprintf(to, sizeof words[0], "%u:%u %s", f->line, f->column, f->name);
    return to;
}

static void tell(const struct subject *s, const struct model *m,
                 const struct seen *seen, const struct channel_report *r,
                 const struct shown *shown, bool found)
{
    printf("%s %s on %s, execution %llu: T%u %s before T%u %s: ", s->name,
           s->arguments[0] ? s->arguments[0] : "", m->name,
           (unsigned long long)seen->run, r->e_thread, site_words(s, r->e_site),
           r->w_thread, site_words(s, r->w_site));
    printf("%s", found ? "found, cycle" : "NOT FOUND\n");
    for (uint32_t i = 0; found && i < shown->cycle.length; i++) {
        const struct event *e = &shown->trace.events[shown->cycle.events[i]];

        printf(" %s%s", site_words(s, e->site),
               shown->cycle.reordered >> i & 1 ? " <>" : ",");
    }
    printf(found ? "\n" : "");
}

/* What a finding promises. */
static bool is_sound(const struct shown *shown)
{
    struct err e;

    return shown->cycle.length >= 3 && shown->cycle.reordered &&
           shown->fence_count && shown->finding.decision_count &&
           shown_check(shown, &e) &&
           (shown->class == CLASS_HARMFUL) == shown_failed(shown);
}

static void try_report(struct subject *s, const struct model *m,
                       const struct seen *seen, const struct channel_report *r,
                       struct balance *t)
{
    struct arena a = ARENA_INIT;
    struct shown shown;
    bool found = subject_witness(s, m, seen, r, &a, &shown);

    found = found && is_sound(&shown);
    t->reports++;
    t->found += found;
    if (verbose || !found)
        tell(s, m, seen, r, &shown, found);
    arena_free(&a);
}

/* What the model does not allow is not brought about; one in six is tried. */
static void try_impossible(struct subject *s, const struct model *m,
                           const struct seen *seen, struct balance *t)
{
    static struct channel_report reports[BRUTE_REPORTS];
    size_t n = brute_reports(seen->log, seen->count, m, false, reports);
    struct channel_report *r = &reports[n ? seen->run * 7 % n : 0];
    static unsigned turn;
    struct arena a = ARENA_INIT;
    struct shown shown;

    if (!n || turn++ % 6)
        return;
    t->refused++;
    if (subject_witness(s, m, seen, r, &a, &shown)) {
        t->wrong++;
        printf("impossible, but ");
        tell(s, m, seen, r, &shown, true);
    }
    arena_free(&a);
}

/* Those that are tried are spread over all that there are. */
static void try_execution(struct subject *s, const struct seen *seen,
                          unsigned most, struct balance *t)
{
    static struct channel_report reports[BRUTE_REPORTS];

    for (unsigned i = 1; model_all[i]; i++) { /* the first is SC */
        const struct model *m = model_all[i];
        size_t n = brute_reports(seen->log, seen->count, m, true, reports);
        size_t stride = n > most ? n / most : 1;

        if (n)
            t->models |= 1u << i;
        for (size_t k = seen->run % stride; k < n; k += stride)
            try_report(s, m, seen, &reports[k], t);
        try_impossible(s, m, seen, t);
    }
}

static void try_subject(struct subject *s, const struct effort *effort,
                        struct balance *t)
{
    struct arena a = ARENA_INIT;
    struct seen seen;

    for (uint64_t n = 0; n < effort->executions; n++) {
        if (!subject_watch(s, n, &a, &seen))
            break;
        t->executions++;
        try_execution(s, &seen, effort->per_execution, t);
        arena_free(&a);
    }
}

/* What the monitors themselves report, execution by execution. */
static void try_monitored(struct subject *s, unsigned most, struct balance *t)
{
    struct channel_report reports[CHANNEL_MONITORS_MAX];
    struct arena a = ARENA_INIT;
    struct seen seen;

    for (unsigned n = 0; n < most && subject_explore(s, &a, &seen, reports);
         n++) {
        t->executions++;
        for (unsigned i = 0; i < CHANNEL_MONITORS_MAX; i++)
            if (reports[i].found)
                try_report(s, monitor_model(i), &seen, &reports[i], t);
        arena_free(&a);
    }
    arena_free(&a);
}

/* ---- Litmus tests ---- */

static const struct known {
    const char *name;
    unsigned models; /* that leave SC: bit 1 TSO, 2 PSO, 3 PSLO */
} known[] = {
    {"sb", 0xe},       {"r", 0xe},      {"rwc", 0xe},    {"mp", 0xc},
    {"s", 0xc},        {"2+2w", 0xc},   {"isa2", 0xc},   {"wrc", 0x8},
    {"iriw", 0x8},     {"lb", 0},       {"corr", 0},     {"coww", 0},
    {"sb+mfences", 0}, {"sb+sls", 0},   {"2+2w+sss", 0}, {"mp+full+po", 0x8},
    {"mp+full+ll", 0}, {"mp+fulls", 0},
};

struct test {
    struct folders place;
    bool is_long;
};

static void try_compiled(const struct compiled *c, int number,
                         const struct effort *effort, struct balance *t)
{
    struct subject s;

    subject_open(&s, c->name, c->binary, number);
    try_subject(&s, effort, t);
    try_monitored(&s, effort->monitored, t);
    subject_close(&s);
}

static bool try_litmus(const struct test *test, const struct known *k)
{
    struct effort effort = {12, 1, 2};
    struct balance t = {0};
    struct compiled c;

    if (test->is_long)
        effort = (struct effort){1000, 100, 1000};
    if (!programs_litmus(&test->place, k->name, &c))
        return false;
    try_compiled(&c, -1, &effort, &t);
    programs_remove(&c);
    if (t.models != k->models)
        printf("%s: reports on %#x, expected %#x\n", k->name, t.models,
               k->models);
    return t.models == k->models && t.found == t.reports && !t.wrong;
}

/* ---- Many programs ---- */

static bool settle(const struct compiled *c, const struct balance *t)
{
    bool good = t->found == t->reports && !t->wrong;

    printf("%s: %u executions, %u of %u reports brought about, %u of %u "
           "impossible ones\n",
           c->name, t->executions, t->found, t->reports, t->wrong, t->refused);
    if (good)
        programs_remove(c);
    return good;
}

static bool try_batch(const struct test *test, size_t number)
{
    struct effort effort = {1, 1, 1};
    struct balance t = {0};
    struct compiled c;

    if (test->is_long)
        effort = (struct effort){12, 4, 20};
    if (!programs_batch(&test->place, number, &c))
        return false;
    for (int i = 0; i < BATCH_SIZE; i++)
        try_compiled(&c, i, &effort, &t);
    return settle(&c, &t);
}

static bool try_file(const struct test *test, const char *name)
{
    struct effort effort = {20, 4, 200};
    struct balance t = {0};
    struct compiled c;

    if (!programs_litmus(&test->place, name, &c))
        return false;
    try_compiled(&c, -1, &effort, &t);
    return settle(&c, &t);
}

/* Programs of tests/verify/witness/programs, for what is in none of the others.
 */
static const char *const own[] = {"await", "peterson", "told", "choices",
                                  "at-once"};

static bool try_own(const struct test *test, const char *name)
{
    struct effort effort = {0, 0, test->is_long ? 1000 : 8};
    struct balance t = {0};
    struct compiled c;

    if (!programs_own(&test->place, name, &c))
        return false;
    try_compiled(&c, -1, &effort, &t);
    return settle(&c, &t) && t.reports;
}

/* ---- All of it ---- */

/* Every WORKERS-th of the litmus tests and batches. */
static int share(const struct test *test, unsigned first)
{
    size_t batches = (test->is_long ? 10 : 1) * programs_families;
    char **all = programs_all_litmus(&test->place);
    int bad = 0;

    for (size_t i = first; i < sizeof known / sizeof *known; i += WORKERS)
        bad += !try_litmus(test, &known[i]);
    for (size_t i = first; i < sizeof own / sizeof *own; i += WORKERS)
        bad += !try_own(test, own[i]);
    for (size_t i = first; i < batches; i += WORKERS)
        bad += !try_batch(test, i);
    for (size_t i = 0; test->is_long && all[i]; i++)
        bad += i % WORKERS == first && !try_file(test, all[i]);
    fflush(stdout);
    return bad != 0;
}

static int test_all(const char *fencer, const char *litmus, const char *scratch)
{
    struct test test = {{fencer, litmus, WITNESS_PROGRAMS, scratch},
                        getenv("FENCER_LONG") != NULL};
    pid_t workers[WORKERS];
    int bad = 0, status;

    if (mkdir(scratch, 0777) != 0 && errno != EEXIST)
        return 3;
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = fork();
        if (workers[i] == 0)
            _exit(share(&test, i));
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        waitpid(workers[i], &status, 0);
        bad |= status;
    }
    return bad != 0;
}

static int test_one(const char *binary, int number)
{
    struct effort effort = {100000, BRUTE_REPORTS, 100000};
    struct subject s;
    struct balance t = {0};

    verbose = true;
    if (getenv("WITNESS_LOG"))
        log_enable(getenv("WITNESS_LOG"));
    subject_open(&s, binary, binary, number);
    try_subject(&s, &effort, &t);
    printf("-- the monitors:\n");
    try_monitored(&s, effort.monitored, &t);
    subject_close(&s);
    printf("%u executions, %u of %u reports brought about, %u of %u impossible "
           "ones\n",
           t.executions, t.found, t.reports, t.wrong, t.refused);
    return t.found != t.reports || t.wrong;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 4)
        return test_all(argv[1], argv[2], argv[3]);
    if (argc == 2 || argc == 3)
        return test_one(argv[1], argc > 2 ? atoi(argv[2]) : -1);
    return 2;
}
