/* SPDX-License-Identifier: MIT
 *
 * `fencer check` and the oracles: on every model, the outcomes that the SAT
 * engine finds in a program are those of the machine, and on Relaxed, which has
 * none, those of the axioms by brute force.
 */
#include "compare.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "axioms.h"
#include "check.h"
#include "enumerate.h"
#include "files.h"
#include "generate.h"
#include "orders.h"
#include "print.h"
#include "sat.h"

enum { WORKERS = 2, BATCH_SIZE = 25, MAX_OUTCOMES = 400 };

/* All workers count together. */
struct tally {
    atomic_uint programs, large, failed, asserted;
    atomic_ulong outcomes, solves, rounds;
};
static struct tally *tally;

/* ---- what there should be ---- */

static bool sizes_are_mixed(const struct program *p)
{
    static const struct options none;
    struct lowered *l = malloc(sizeof *l);
    bool mixed = false;

    REQUIRE(l, "out of memory");
    lower(l, p, SC, &none);
    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < l->micro_count[t]; i++)
            mixed |= l->micros[t][i].kind <= M_RMW && l->micros[t][i].count > 1;
    for (size_t i = 0; i < p->observed_count; i++)
        mixed |= p->observed[i].reg < 0 && l->observed[i].count > 1;
    free(l);
    return mixed;
}

/* The oracle's outcomes; false: it is too much for it. */
static bool allowed_outcomes(const struct program *p, enum model m,
                             struct outcomes *out)
{
    static const struct options none;
    struct enumerated e;

    if (m == CHECKFENCE)
        return sizes_are_mixed(p) ? orders_outcomes(out, p)
                                  : axioms_outcomes(out, p, m);
    enumerate(&e, p, m, &none, 0);
    *out = e.outcomes;
    return true;
}

/* Of mixed sizes the axioms know simple programs alone. */
static bool find_allowed(const struct program *p, enum model m,
                         struct outcomes *out)
{
    if (allowed_outcomes(p, m, out))
        return true;
    REQUIRE(sizes_are_mixed(p), "%s: too large for the axioms", p->name);
    return false;
}

/* ---- what there is ---- */

/* A program in a file that was lowered. */
struct lowered_program {
    const struct program *program;
    const struct sat_file *file;
    const char *entry;
    enum sat_way also; /* besides SAT_LAZY */
};

static void add_outcome(void *context, const int64_t *values)
{
    struct outcomes *seen = context;
    uint64_t row[MAX_OBSERVED];

    for (size_t i = 0; i < seen->width; i++)
        row[i] = (uint64_t)values[i];
    outcomes_add(seen, row);
}

static void print_missing(const struct program *p, enum model m,
                          const char *what, const struct outcomes *a,
                          const struct outcomes *b)
{
    char text[512];

    for (size_t i = 0; i < a->count; i++) {
        if (outcomes_has(b, outcomes_row(a, i)))
            continue;
        outcome_text(p, outcomes_row(a, i), text, sizeof text);
        fprintf(stderr, "%s: %s: %s: %s\n", p->name, model_names[m], what,
                text);
    }
}

static bool compare_model(const struct lowered_program *x, enum model m,
                          enum sat_way way, const struct outcomes *allowed)
{
    const struct program *p = x->program;
    struct outcomes seen;
    struct sat_wish wish = {.way = way,
                            .entry = x->entry,
                            .model = model_names[m],
                            .width = p->observed_count,
                            .outcome = add_outcome,
                            .context = &seen};
    struct sat_counts counts = {0};
    char error[512] = "";
    bool ok, too_many;

    outcomes_init(&seen, p->observed_count);
    ok = sat_outcomes(x->file, &wish, &counts, error, sizeof error) == SAT_DONE;
    /* Without ranges a word of eight bytes may be anything that these are. */
    too_many = way == SAT_NO_RANGES && sizes_are_mixed(p) &&
               strstr(error, "values are possible here");
    if (too_many) {
        outcomes_free(&seen);
        tally->large++;
        return true;
    }
    if (!ok)
        fprintf(stderr, "%s: %s: %s\n", p->name, model_names[m], error);
    ok = ok && outcomes_equal(&seen, allowed);
    print_missing(p, m, "is not allowed", &seen, allowed);
    if (!*error)
        print_missing(p, m, "was not found", allowed, &seen);
    outcomes_free(&seen);
    tally->outcomes += counts.outcomes;
    tally->solves += counts.solves;
    tally->rounds += counts.rounds;
    return ok;
}

static bool compare_lowered(const struct lowered_program *x)
{
    bool ok = true;

    for (int m = 0; m < AXIOMS_COUNT; m++) {
        struct outcomes allowed;

        if (!find_allowed(x->program, (enum model)m, &allowed))
            continue;
        ok &= compare_model(x, (enum model)m, SAT_LAZY, &allowed);
        if (x->also != SAT_LAZY)
            ok &= compare_model(x, (enum model)m, x->also, &allowed);
        outcomes_free(&allowed);
    }
    tally->programs++;
    return ok;
}

/* ---- litmus files ---- */

struct litmus {
    const struct tool *tool;
    size_t assert_each; /* of so many files one is compiled once more */
    struct files files;
};

/* With EXISTS as an assertion: can it fail? */
static bool compare_verdicts(const struct program *p, const struct sat_file *f)
{
    bool ok = true;

    for (int m = 0; m < AXIOMS_COUNT; m++) {
        struct sat_wish wish = {.entry = "main", .model = model_names[m]};
        struct sat_counts counts = {0};
        struct outcomes allowed;
        char error[512] = "";
        bool fails, want;

        if (!find_allowed(p, (enum model)m, &allowed))
            continue;
        want = outcomes_verdict(p, &allowed) != NEVER;
        outcomes_free(&allowed);
        if (sat_fails(f, &wish, &counts, &fails, error, sizeof error) !=
            SAT_DONE) {
            fprintf(stderr, "%s: %s: %s\n", p->name, model_names[m], error);
            ok = false;
        } else if (fails != want) {
            fprintf(stderr, "%s: %s: its assertion %s\n", p->name,
                    model_names[m], fails ? "fails" : "does not fail");
            ok = false;
        }
        tally->solves += counts.solves;
    }
    tally->asserted++;
    return ok;
}

static bool litmus_file(size_t i, void *context)
{
    const struct litmus *l = context;
    struct program p = files_parse(l->files.paths[i]);
    char plain[MAX_PATH], asserting[MAX_PATH + 20], error[512];
    struct lowered_program x = {.program = &p, .entry = "main"};
    struct sat_file *f;
    bool ok;

    snprintf(plain, sizeof plain, "-I%s", l->tool->include);
    snprintf(asserting, sizeof asserting, "%s -DLITMUS_ASSERT", plain);
    f = sat_file_new(l->files.paths[i], plain, error, sizeof error);
    if (!f) {
        fprintf(stderr, "%s: %s\n", p.name, error);
        return false;
    }
    x.file = f;
    ok = compare_lowered(&x);
    sat_file_free(f);
    if (i % l->assert_each)
        return ok;
    f = sat_file_new(l->files.paths[i], asserting, error, sizeof error);
    REQUIRE(f, "%s: %s", p.name, error);
    ok &= compare_verdicts(&p, f);
    sat_file_free(f);
    return ok;
}

static unsigned compare_litmus(const struct tool *tool, bool is_long)
{
    struct litmus l = {tool, is_long ? 1 : 3, files_find(tool->include)};
    unsigned failed = check_parallel(l.files.count, WORKERS, litmus_file, &l);

    printf("%zu litmus tests, %u failed\n", l.files.count, failed);
    files_free(&l.files);
    return failed;
}

/* ---- random programs ---- */

static const enum family families[] = {
    FAMILY_FENCES, FAMILY_C11,     FAMILY_BRANCH,     FAMILY_LOCKS,
    FAMILY_AWAITS, FAMILY_THREADS, FAMILY_SEMAPHORES, FAMILY_BLOCKS,
    FAMILY_RINGS,  FAMILY_CHOICES, FAMILY_DEPENDENT,  FAMILY_ADDRESSES,
    FAMILY_SIZES};

struct batches {
    const struct tool *tool;
    uint64_t seed;
    enum family only; /* ALL_FAMILIES: all of `families` */
};

/* One that the oracle is quick with, and that has some outcomes. */
static bool is_suitable(const struct program *p)
{
    struct outcomes o;
    bool ok;

    if (sizes_are_mixed(p))
        return true;
    if (!axioms_outcomes(&o, p, CHECKFENCE))
        return false;
    ok = o.count >= 1 && o.count <= MAX_OUTCOMES;
    outcomes_free(&o);
    return ok;
}

static bool lower_batch(const struct tool *tool, const char *name,
                        const struct program *list, struct sat_file **out)
{
    char source[MAX_PATH], cflags[MAX_PATH + 20], error[512];
    FILE *f;

    snprintf(source, sizeof source, "%s/%s.c", tool->scratch, name);
    snprintf(cflags, sizeof cflags, "-I%s -DLITMUS_NONE", tool->include);
    f = fopen(source, "w");
    REQUIRE(f, "%s: cannot be written", source);
    print_batch(f, list, BATCH_SIZE);
    REQUIRE(!fclose(f), "%s: cannot be written", source);
    *out = sat_file_new(source, cflags, error, sizeof error);
    if (!*out)
        fprintf(stderr, "%s: %s\n", source, error);
    return *out != NULL;
}

/* Every eighth program of a batch is made in each of the other ways. */
static enum sat_way also_of(unsigned k)
{
    return k % 8 < SAT_WAYS ? (enum sat_way)(k % 8) : SAT_LAZY;
}

static bool batch(size_t i, void *context)
{
    const struct batches *all = context;
    enum family family =
        all->only < ALL_FAMILIES
            ? all->only
            : families[i % (sizeof families / sizeof *families)];
    struct program *list = calloc(BATCH_SIZE, sizeof *list);
    struct random r = {all->seed + i};
    struct sat_file *file;
    char name[MAX_NAME];
    bool ok;

    REQUIRE(list, "out of memory");
    for (unsigned k = 0; k < BATCH_SIZE;) {
        generate(&list[k], family, 5 + k % 3, k, &r);
        k += is_suitable(&list[k]);
    }
    snprintf(name, sizeof name, "%s-%zu", family_names[family], i);
    ok = lower_batch(all->tool, name, list, &file);
    for (unsigned k = 0; ok && k < BATCH_SIZE; k++) {
        char entry[MAX_NAME];
        struct lowered_program x = {&list[k], file, entry, also_of(k)};

        memcpy(entry, list[k].name, sizeof entry);
        snprintf(list[k].name, MAX_NAME, "%.20s.%u", name, k);
        if (compare_lowered(&x))
            continue;
        files_keep(all->tool, &list[k]);
        tally->failed++;
    }
    if (ok)
        sat_file_free(file);
    free(list);
    return ok;
}

static unsigned compare_batches(const struct tool *tool, size_t count,
                                uint64_t seed, const char *family)
{
    struct batches all = {tool, seed, family_find(family)};
    size_t parts = (count + BATCH_SIZE - 1) / BATCH_SIZE;
    unsigned failed;

    failed = check_parallel(parts, WORKERS, batch, &all) + tally->failed;
    printf("%zu random programs, %u failed\n", parts * BATCH_SIZE, failed);
    return failed;
}

unsigned compare_check(const struct tool *tool, bool is_long, size_t count,
                       uint64_t seed, const char *family)
{
    unsigned failed;

    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(tally != MAP_FAILED, "cannot map memory");
    failed = family ? 0 : compare_litmus(tool, is_long);
    failed += compare_batches(tool, count, seed, family);
    printf("%u programs on %d models, %u too large without ranges, %u with an "
           "assertion: %lu outcomes, %lu solves, unrolled %lu times\n",
           tally->programs, AXIOMS_COUNT, tally->large, tally->asserted,
           tally->outcomes, tally->solves, tally->rounds);
    munmap(tally, sizeof *tally);
    return failed;
}
