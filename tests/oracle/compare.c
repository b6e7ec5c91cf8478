/* SPDX-License-Identifier: MIT
 *
 * The oracle: `compare MODE FENCER LITMUS SCRATCH [COUNT [SEED [FAMILY]]]`,
 * where FENCER is the tool, LITMUS the folder of litmus tests and SCRATCH a
 * folder to work in.  The rest is for `verify` and `check`: how many random
 * programs, and which.
 *
 *   litmus    every file of the folder: its head's verdicts, its outcomes, and
 *             what `cycles` and `verify` compare
 *   sample    the same for every 16th file, to run while working
 *   random    random programs of every family, also under the options
 *   c11       programs that C11 or POSIX promise to be SC, and the inclusion
 *             of the models in one another
 *   cycles    random programs: the cycles of `fencer test`
 *   verify    random programs: the traces and monitors of `fencer verify`
 *   check     every file of the folder and random programs: the SAT engine of
 *             `fencer check`
 *   mutation  a runtime with one rule broken at a time: is it noticed?
 *
 * FENCER_LONG=1 takes more programs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "compare.h"
#include "files.h"
#include "generate.h"
#include "print.h"

enum { WORKERS = 3, BATCH_SIZE = 40, SAMPLE_STEP = 16 };

struct setting {
    struct tool tool;
    bool is_long;
};

/* ---- litmus files ---- */

struct litmus {
    const struct setting *setting;
    struct files files;
    size_t step;
};

static bool litmus_file(size_t i, void *context)
{
    const struct litmus *l = context;
    const char *path = l->files.paths[i * l->step];
    struct tool tool = l->setting->tool;
    struct program p = files_parse(path);
    char binary[MAX_PATH];
    struct target target = {.program = &p, .binary = binary, .mutant = -1};
    struct subject subject = {&p, path, binary, NULL};
    bool ok = check_verdicts(&p);

    tool.tag = p.name;
    snprintf(binary, sizeof binary, "%s/%s.exe", tool.scratch, p.name);
    if (!tool_compile(&tool, path, binary))
        return false;
    ok &= check_program(&target);
    ok &= compare_verify_of(&tool, &subject);
    ok &= compare_cycles_of(&tool, &subject);
    unlink(binary);
    return ok;
}

/* Every step-th file, the first one included. */
static unsigned compare_litmus(const struct setting *s, size_t step)
{
    struct litmus l = {s, files_find(s->tool.include), step};
    size_t count = (l.files.count + step - 1) / step;
    unsigned failed;

    compare_verify_begin();
    compare_cycles_begin();
    failed = check_parallel(count, WORKERS, litmus_file, &l);
    printf("%zu litmus tests, %u failed\n", count, failed);
    failed += compare_verify_end();
    failed += compare_cycles_end();
    files_free(&l.files);
    return failed;
}

/* ---- batches of random programs ---- */

struct batch {
    const char *name;
    enum family family;
    unsigned accesses;
    struct options semantics;
    bool only_sc;
    struct program programs[BATCH_SIZE];
    char binary[MAX_PATH];
};

struct batches {
    const struct setting *setting;
    size_t count;
    struct batch *list;
};

/* A program that comes to an end, and is worth it: one outcome only tells
 * nothing. */
static bool is_suitable(const struct program *p, const struct batch *b)
{
    struct enumerated e;
    bool ok;

    enumerate(&e, p, PSLO, &b->semantics, 0);
    ok = !e.stuck && e.outcomes.count >= 2 && e.outcomes.count <= 24;
    outcomes_free(&e.outcomes);
    return ok;
}

static bool is_interesting(const struct program *p, const struct batch *b)
{
    struct enumerated sc, pslo;
    bool differ;

    if (b->only_sc)
        return true;
    enumerate(&sc, p, SC, &b->semantics, 0);
    enumerate(&pslo, p, PSLO, &b->semantics, 0);
    differ = sc.outcomes.count != pslo.outcomes.count;
    outcomes_free(&sc.outcomes);
    outcomes_free(&pslo.outcomes);
    return differ;
}

/* Two in three of the programs are ones on which the models differ. */
static void fill_batch(struct batch *b, uint64_t seed)
{
    struct random r = {seed};

    for (unsigned i = 0; i < BATCH_SIZE;) {
        generate(&b->programs[i], b->family, b->accesses, i, &r);
        if (!is_suitable(&b->programs[i], b))
            continue;
        if (i % 3 && !is_interesting(&b->programs[i], b))
            continue;
        i++;
    }
}

static bool compile_batch(size_t i, void *context)
{
    struct batches *all = context;
    struct batch *b = &all->list[i];
    char source[MAX_PATH], binary[MAX_PATH];

    return files_compile_batch(&all->setting->tool, b->name, b->programs,
                               BATCH_SIZE, source, binary);
}

static bool check_one_of_batch(size_t i, void *context)
{
    struct batches *all = context;
    struct batch *b = &all->list[i / BATCH_SIZE];
    struct program p = b->programs[i % BATCH_SIZE];
    char argument[16];
    struct target target = {.program = &p,
                            .binary = b->binary,
                            .argument = argument,
                            .semantics = b->semantics,
                            .only_sc = b->only_sc,
                            .mutant = -1};

    snprintf(argument, sizeof argument, "%zu", i % BATCH_SIZE);
    snprintf(p.name, sizeof p.name, "%.20s:%zu", b->name, i % BATCH_SIZE);
    return check_program(&target);
}

static unsigned compare_batches(const struct setting *s, struct batch *list,
                                size_t count, uint64_t seed)
{
    struct batches all = {s, count, list};
    unsigned failed;

    for (size_t i = 0; i < count; i++) {
        fill_batch(&list[i], seed + i);
        snprintf(list[i].binary, MAX_PATH, "%s/%s.exe", s->tool.scratch,
                 list[i].name);
    }
    failed = check_parallel(count, WORKERS, compile_batch, &all);
    if (!failed)
        failed = check_parallel(count * BATCH_SIZE, WORKERS, check_one_of_batch,
                                &all);
    return failed;
}

static unsigned compare_random(const struct setting *s)
{
    static struct batch list[] = {
        {.name = "fences", .family = FAMILY_FENCES, .accesses = 6},
        {.name = "c11", .family = FAMILY_C11, .accesses = 6},
        {.name = "sizes", .family = FAMILY_SIZES, .accesses = 6},
        {.name = "branch", .family = FAMILY_BRANCH, .accesses = 6},
        {.name = "locks", .family = FAMILY_LOCKS, .accesses = 5},
        {.name = "threads", .family = FAMILY_THREADS, .accesses = 6},
        {.name = "semaphores", .family = FAMILY_SEMAPHORES, .accesses = 5},
        {.name = "blocks", .family = FAMILY_BLOCKS, .accesses = 6},
        {.name = "buffer-1",
         .family = FAMILY_FENCES,
         .accesses = 7,
         .semantics = {.buffer = 1}},
        {.name = "paper-locks",
         .family = FAMILY_LOCKS,
         .accesses = 5,
         .semantics = {.locks_paper = true}},
        {.name = "bufferable-cas",
         .family = FAMILY_C11,
         .accesses = 6,
         .semantics = {.cas_bufferable = true}},
    };
    size_t count = sizeof list / sizeof *list;
    unsigned rounds = s->is_long ? 10 : 1, failed = 0;

    for (unsigned round = 0; round < rounds; round++)
        failed += compare_batches(s, list, count, 1000 * (round + 1));
    printf("%zu random programs, %u failed\n", rounds * count * BATCH_SIZE,
           failed);
    return failed;
}

/* ---- promises of C11 and POSIX ---- */

static bool models_include_one_another(const struct program *p, bool only_sc)
{
    static const struct options none;
    struct enumerated e[MODEL_COUNT];
    bool ok = true;

    for (int m = 0; m < MODEL_COUNT; m++) {
        enumerate(&e[m], p, (enum model)m, &none, 0);
        if (m)
            ok &= outcomes_within(&e[m - 1].outcomes, &e[m].outcomes);
        if (m && only_sc)
            ok &= outcomes_equal(&e[m - 1].outcomes, &e[m].outcomes);
    }
    for (int m = 0; m < MODEL_COUNT; m++)
        outcomes_free(&e[m].outcomes);
    if (!ok) {
        fprintf(stderr, "the models do not include one another:\n");
        print_litmus(stderr, p);
    }
    return ok;
}

enum { INCLUSION_PART = 100 };

/* Programs of one family, one after the other. */
static bool check_inclusion(size_t i, void *context)
{
    enum family family = (enum family)(i % FAMILY_COUNT);
    struct random r = {20080707 + i};
    bool ok = true;

    (void)context;
    for (unsigned k = 0; k < INCLUSION_PART; k++) {
        struct program p;

        generate(&p, family, 4 + k % 4, k, &r);
        ok &= models_include_one_another(&p, family == FAMILY_SEQ_CST ||
                                                 family == FAMILY_GUARDED);
    }
    return ok;
}

static unsigned check_inclusions(const struct setting *s)
{
    size_t parts = FAMILY_COUNT * (s->is_long ? 200 : 20);
    unsigned failed = check_parallel(parts, WORKERS, check_inclusion, NULL);

    printf("%zu programs on the enumerator, %u parts of %d failed\n",
           parts * INCLUSION_PART, failed, INCLUSION_PART);
    return failed;
}

static unsigned compare_c11(const struct setting *s)
{
    static struct batch list[] = {
        {.name = "seq-cst",
         .family = FAMILY_SEQ_CST,
         .accesses = 6,
         .only_sc = true},
        {.name = "guarded",
         .family = FAMILY_GUARDED,
         .accesses = 6,
         .only_sc = true},
        {.name = "any-order", .family = FAMILY_C11, .accesses = 5},
    };
    size_t count = sizeof list / sizeof *list;
    unsigned rounds = s->is_long ? 10 : 1, failed = check_inclusions(s);

    for (unsigned round = 0; round < rounds; round++)
        failed += compare_batches(s, list, count, 77000 * (round + 1));
    printf("%zu C11 programs, %u failed\n", rounds * count * BATCH_SIZE,
           failed);
    return failed;
}

/* ---- main ---- */

int main(int argc, char **argv)
{
    const char *wish = getenv("FENCER_LONG");
    struct setting s = {.is_long = wish && !strcmp(wish, "1")};
    unsigned failed;

    if (argc < 5 || argc > 8) {
        fputs("usage: compare MODE FENCER LITMUS SCRATCH [COUNT [SEED "
              "[FAMILY]]]\n",
              stderr);
        return 2;
    }
    s.tool = (struct tool){.fencer = argv[2],
                           .include = argv[3],
                           .scratch = argv[4],
                           .tag = "oracle"};
    REQUIRE(!mkdir(argv[4], 0777) || errno == EEXIST, "%s: cannot be made",
            argv[4]);
    if (!strcmp(argv[1], "litmus"))
        failed = compare_litmus(&s, 1);
    else if (!strcmp(argv[1], "sample"))
        failed = compare_litmus(&s, SAMPLE_STEP);
    else if (!strcmp(argv[1], "random"))
        failed = compare_random(&s);
    else if (!strcmp(argv[1], "c11"))
        failed = compare_c11(&s);
    else if (!strcmp(argv[1], "cycles"))
        failed =
            compare_cycles(&s.tool,
                           argc > 5    ? strtoul(argv[5], NULL, 10)
                           : s.is_long ? 20000
                                       : 400,
                           argc > 6 ? strtoull(argv[6], NULL, 10) : 20111107,
                           argc > 7 ? argv[7] : NULL);
    else if (!strcmp(argv[1], "verify"))
        failed =
            compare_verify(&s.tool,
                           argc > 5    ? strtoul(argv[5], NULL, 10)
                           : s.is_long ? 50000
                                       : 500,
                           argc > 6 ? strtoull(argv[6], NULL, 10) : 20080707,
                           argc > 7 ? argv[7] : NULL);
    else if (!strcmp(argv[1], "check"))
        failed =
            compare_check(&s.tool, s.is_long,
                          argc > 5    ? strtoul(argv[5], NULL, 10)
                          : s.is_long ? 10000
                                      : 500,
                          argc > 6 ? strtoull(argv[6], NULL, 10) : 20070613,
                          argc > 7 ? argv[7] : NULL);
    else if (!strcmp(argv[1], "mutation"))
        failed = compare_mutation(&s.tool);
    else
        REQUIRE(false, "no mode '%s'", argv[1]);
    return failed ? 1 : 0;
}
